//! Games in the rules language, by text: a plain second implementation, against which others are tested.
//!
//! ```
//! use balpan_check::language::{End, Rules};
//!
//! let rules = "player: x\npieces: x\nmoves: place x on empty\nwins: 2 x in a row\n\
//!     player: o\npieces: o\nmirror: x";
//! let rules = Rules::new(rules, "x../...").unwrap();
//! let moves = rules.moves("x../o..").unwrap();
//! assert_eq!((moves[0].text.as_str(), moves[0].after.as_str()), ("0,1", "xx./o.. o"));
//! assert_eq!(moves[0].end, Some(End::Loss));
//! ```

use crate::trusted::game::{Game, LOST, Outcome, Position, WON};
use crate::trusted::language::Language;
use crate::untrusted::meter::Meter;
use crate::untrusted::notation::Notation;

/// The rules of a game, on one board.
#[derive(Debug)]
pub struct Rules(Language);

/// How play has ended for the player whose turn it is or would be. A draw is a score of 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// That player wins.
    Win,
    /// That player loses.
    Loss,
    /// That player gets so much.
    Score(i32),
}

/// A move, with the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// The move.
    pub text: String,
    /// The position after it.
    pub after: String,
    /// How play has ended, if it has.
    pub end: Option<End>,
    /// Whether the player who makes it is to move again.
    pub keeps_turn: bool,
}

type Result<T> = std::result::Result<T, String>;

impl Rules {
    /// Reads the lines of a certificate's head that state the rules, without `family`, and the board of a position.
    ///
    /// # Errors
    /// A mistake and its place.
    pub fn new(lines: &str, position: &str) -> Result<Self> {
        Ok(Self(Language::new(&lines.lines().collect::<Vec<_>>(), position)?))
    }

    fn read(&self, position: &str) -> Result<Position> {
        self.0.read(position)
    }

    /// Formats a position as the checker does.
    ///
    /// # Errors
    /// If it is not a position of the game.
    pub fn normalize(&self, position: &str) -> Result<String> {
        Ok(self.0.write(&self.read(position)?))
    }

    /// Returns the names of the player to move and of the other one.
    ///
    /// # Errors
    /// As [`normalize`](Self::normalize).
    pub fn players(&self, position: &str) -> Result<[&'static str; 2]> {
        Ok(self.0.players(&self.read(position)?))
    }

    /// Returns how play has ended, if it has, as if the player who is not to move had just moved.
    ///
    /// # Errors
    /// As [`normalize`](Self::normalize).
    pub fn end(&self, position: &str) -> Result<Option<End>> {
        let end = self.0.end(&self.read(position)?, &Meter::unlimited());
        Ok(end.map_err(|why| format!("{why:?}"))?.map(End::new))
    }

    /// Returns the moves of a position; none if play has ended there.
    ///
    /// # Errors
    /// As [`normalize`](Self::normalize), or if there are more moves than there is room for.
    pub fn moves(&self, position: &str) -> Result<Vec<Play>> {
        let (at, meter, mut moves) = (self.read(position)?, Meter::unlimited(), Vec::new());
        let found = self.0.end(&at, &meter).and_then(|end| match end {
            Some(_) => Ok(()),
            None => self.0.moves(&at, &meter, &mut moves),
        });
        found.map_err(|why| format!("{why:?}"))?;
        let play = |mv: &crate::trusted::game::Move| Play {
            text: self.0.write_move(mv.number),
            after: self.0.write(&mv.after),
            end: mv.end.map(End::new),
            keeps_turn: mv.keeps_turn,
        };
        Ok(moves.iter().map(play).collect())
    }
}

impl End {
    fn new(outcome: Outcome) -> Self {
        match outcome {
            WON => Self::Win,
            LOST => Self::Loss,
            score => Self::Score(score),
        }
    }
}
