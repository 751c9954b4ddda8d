//! What settles questions before a search does.

use crate::value::{Bounds, Value};
use crate::watch::{Stopped, Watch};

/// Settles some questions about a game by other means than a search of its positions, for instance by a simpler
/// game that bounds it. It has tables of its own, and may take as long as it needs: an
/// [`Engine`](crate::Engine) asks it about the positions that it is asked about itself, before it searches.
pub trait Settler<Position> {
    /// Decides whether the value of a position that has a move is better than `threshold`. Returns a lower bound that
    /// is better, or an upper bound that is not; `None` if it cannot decide.
    ///
    /// # Errors
    /// [`Stopped`] if its watch says to stop.
    fn settle(&mut self, position: &Position, threshold: Value) -> Result<Option<Value>, Stopped>;

    /// Returns what it knows of the value of a position that has a move, without a search worth the name.
    fn known_bounds(&mut self, position: &Position) -> Bounds;

    /// The bytes of its tables now.
    fn bytes(&self) -> u64;

    /// The number of positions that it has searched so far.
    fn positions_searched(&self) -> u64;

    /// Reports to `watch` from now on.
    fn set_watch(&mut self, watch: &Watch);
}

/// A settler that a game has made.
pub type BoxedSettler<Position> = Box<dyn Settler<Position> + Send>;
