//! Bounds for tokens that can never meet again: each makes a walk of its own, and the
//! longer walk wins.

use balpan::{Bounds, Value};

use super::longest::LongestWalk;
use super::question::{steps_to_exceed, steps_to_prevent};
use super::view::View;
use super::{Position, Walkers};
use crate::board::CellSet;

impl<W: CellSet> Walkers<W> {
    /// Returns bounds if the tokens are separated: no tile is within reach of both.
    ///
    /// Both tokens must have a step. A token can only ever step on tiles that it reaches
    /// over the board without the two tiles under the tokens, which vanish with the first
    /// two steps. If the reaches are disjoint, neither token hinders the other, and each
    /// can make as many steps as its longest walk has. Stepping onto the other token,
    /// where tiles are shared, does not help: it loses in 2 plies. A queen might also slide
    /// over the tile under the other token, so her reach includes that tile.
    #[inline]
    pub(super) fn separation_bounds(&self, position: &Position<W>, view: &View<W>, threshold: Value) -> Option<Bounds> {
        let tokens @ [mover, other] = [position.mover.into(), position.other.into()];
        let reaches = if self.movegen.is_sliding() {
            let reaches = tokens.map(|token| self.movegen.flood_fill(token, position.tiles & !W::bit(token)));
            if !((reaches[0] | W::bit(mover)) & (reaches[1] | W::bit(other))).is_zero() {
                return None;
            }
            reaches
        } else {
            let reach = self.movegen.flood_fill(mover, view.without_both);
            // The usual case: the tokens meet soon.
            if !(reach & view.their_steps).is_zero() {
                return None;
            }
            [reach, self.movegen.flood_fill(other, view.without_both)]
        };
        if !(reaches[0] & reaches[1]).is_zero() {
            return None;
        }
        self.compare_walks(tokens, reaches, threshold)
    }

    /// Compares the longest walks, as far as `threshold` needs.
    ///
    /// With longest walks of `own` and `their` steps, the token to move is stuck after
    /// 2 · `own` plies if `own` ≤ `their`; otherwise the other one is after 2 · `their` + 1.
    /// Bounds on the walks often decide. Returns `None` if the searches take too long.
    #[cold]
    #[inline(never)]
    fn compare_walks(&self, [mover, other]: [usize; 2], reaches: [W; 2], threshold: Value) -> Option<Bounds> {
        let mut walk = LongestWalk::new(&self.movegen);
        let most = self.movegen.max_steps(mover, reaches[0]);
        let value = |own, their| if own > their { Value::win(2 * their + 1) } else { Value::loss(2 * own) };
        let exceeding = steps_to_exceed(threshold);
        if exceeding <= most {
            let own = walk.length(mover, reaches[0], exceeding)?;
            if own >= exceeding {
                // A loss no sooner than that, or a win.
                return Some(Bounds { lower: Value::loss(2 * own), ..Bounds::ANY });
            }
            let their = walk.length(other, reaches[1], own)?;
            return Some(Bounds::exact(value(own, their)));
        }
        // Only a win exceeds the threshold. Usually every win that the other token's reach allows does.
        let latest = self.movegen.max_steps(other, reaches[1]);
        if latest < most && Value::win(2 * latest + 1) > threshold {
            let own = walk.length(mover, reaches[0], latest + 1)?;
            if own > latest {
                return Some(Bounds { lower: Value::win(2 * latest + 1), ..Bounds::ANY });
            }
            let their = walk.length(other, reaches[1], own)?;
            return Some(Bounds::exact(value(own, their)));
        }
        let preventing = steps_to_prevent(threshold);
        let their = walk.length(other, reaches[1], most.min(preventing))?;
        if their >= most {
            return Some(Bounds { upper: Value::loss(2 * most), ..Bounds::ANY });
        }
        if their >= preventing {
            return Some(Bounds { upper: Value::win(2 * their + 1), ..Bounds::ANY });
        }
        let own = walk.length(mover, reaches[0], their + 1)?;
        Some(Bounds::exact(value(own, their)))
    }
}
