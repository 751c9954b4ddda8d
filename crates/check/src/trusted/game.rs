//! A game as the checker sees it: its rules on a board, and lemmas about them.

use std::fmt::Debug;

use super::board::Turn;
use super::claim::Guarantee;
use crate::Result;
use crate::untrusted::meter::Meter;
use crate::untrusted::notation::Notation;

/// A position, in three words. Each game defines their contents; only the language has a third.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(pub u128, pub u128, pub u128);

impl Position {
    /// A position of two words.
    pub const fn new(first: u128, second: u128) -> Self {
        Self(first, second, 0)
    }
}

/// A move, and the position after it.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// The number that identifies the move in its position.
    pub number: u32,
    /// The position after it.
    pub after: Position,
    /// How play has ended, if it has.
    pub end: Option<Outcome>,
    /// Whether the player who makes it is to move again.
    pub keeps_turn: bool,
}

/// An outcome for the player whose turn it is or would be: a win, a loss, or a score between them; a draw is 0.
pub type Outcome = i32;

/// A win.
pub const WON: Outcome = 1 << 20;

/// A loss.
pub const LOST: Outcome = -WON;

/// The rules of a game on a board, and lemmas, each of which `docs/certificates.md` states and proves. Long work
/// counts its steps on a [`Meter`], and fails when none are left.
pub trait Game: Notation + Debug + Sync {
    /// How play has ended, if it has.
    fn end(&self, at: &Position, meter: &Meter) -> Result<Option<Outcome>>;

    /// Adds to `moves` the moves of a position in which play has not ended.
    fn moves(&self, at: &Position, meter: &Meter, moves: &mut Vec<Move>) -> Result<()>;

    /// A number that every move lowers, if the game [has layers](Self::has_layers). Claims about nimbers are only made where it falls.
    fn layer(&self, at: &Position) -> u32;

    /// Whether every move lowers the [layer](Self::layer), and turns alternate.
    fn has_layers(&self) -> bool {
        true
    }

    /// Whether play can end by a score.
    fn has_scores(&self) -> bool {
        false
    }

    /// The names of the players, and the bit of a position's second word that is set if the second player is to move;
    /// `None` where both have the same moves.
    fn sides(&self) -> Option<([&'static str; 2], u128)> {
        None
    }

    /// The player to move, and the other one.
    fn players(&self, at: &Position) -> [&'static str; 2] {
        match self.sides() {
            None => ["the player to move", "the other player"],
            Some(([first, second], bit)) => {
                if at.1 & bit == 0 {
                    [first, second]
                } else {
                    [second, first]
                }
            }
        }
    }

    /// The turn in a position's text: a blank and the first letter of the player's name, if both have names.
    fn turn(&self, at: &Position) -> String {
        self.sides().map_or(String::new(), |_| format!(" {}", self.players(at)[0][..1].to_lowercase()))
    }

    /// Formats the position. A proved position is one whose text [reads](Notation::read) as the position again.
    fn write(&self, at: &Position) -> String;

    /// Formats the rules as the lines of a head without the first, `family`. Different rules have different texts.
    fn rules(&self) -> Vec<String>;

    /// The symmetries of the board that keep the rules, without the identity.
    fn symmetries(&self) -> &[Turn] {
        &[]
    }

    /// The image of the position under a symmetry.
    fn image(&self, at: &Position, _symmetry: &Turn) -> Position {
        *at
    }

    /// A position with the same winner and no higher layer (lemma of runs).
    fn reduced(&self, at: &Position, _meter: &Meter) -> Result<Position> {
        Ok(*at)
    }

    /// Whether the player to move cannot win any more (lemma of dead lines).
    fn mover_cannot_win(&self, _at: &Position, _meter: &Meter) -> Result<bool> {
        Ok(false)
    }

    /// The cells missing from each line that the player to move could still make; `None` where a
    /// pairing of cells proves nothing (lemma of pairings).
    fn open_lines(&self, _at: &Position) -> Option<Vec<u128>> {
        None
    }

    /// By how many moves the player who is not to move outlasts the other one: at least 0, and that player wins
    /// (lemma of places); `None` where the lemma does not hold.
    fn outlasts_by(&self, _at: &Position, _meter: &Meter) -> Result<Option<i32>> {
        Ok(None)
    }

    /// The independent parts, each a position, whose nimbers add up to that of the position (lemma of parts), or the position
    /// as one part; `None` where nimbers do not say who wins.
    fn parts(&self, _at: &Position, _meter: &Meter) -> Result<Option<Vec<Position>>> {
        Ok(None)
    }

    /// Whether positions have nimbers and do not fall into parts. Then a claim of who wins is about play.
    fn is_one_part(&self) -> bool {
        false
    }

    /// One of the parts that have the same nimber, being the same on another place or turned.
    fn canonical_part(&self, part: &Position) -> Position {
        *part
    }
}

/// The position that stands for all that symmetries make of one: the least. It is
/// [reduced](Game::reduced) where a win is claimed and no plies are counted.
///
/// # Errors
/// If that takes more steps than the meter has left.
pub fn canonical(game: &dyn Game, at: &Position, guarantee: Guarantee, meter: &Meter) -> Result<Position> {
    let symmetries = game.symmetries();
    meter.spend(64 * (1 + symmetries.len() as u64))?;
    let reduced = if guarantee == Guarantee::WIN { game.reduced(at, meter)? } else { *at };
    Ok(symmetries.iter().map(|symmetry| game.image(&reduced, symmetry)).fold(reduced, Position::min))
}

/// A parameter that is `yes` or `no`, as a line of a head.
pub(crate) fn flag(key: &str, is_so: bool) -> String {
    format!("{key}: {}", if is_so { "yes" } else { "no" })
}
