//! The checker's interface as the tests use it. No other module calls the checker.

use balpan_check::trusted::claim::{Guarantee, Header};
use balpan_check::trusted::game::{Position, canonical};
use balpan_check::trusted::nimber::odd_parts;
use balpan_check::untrusted::FIRST_LINE;
use balpan_check::untrusted::meter::Meter;

/// A position as two numbers, as `docs/certificates.md` defines them.
pub(crate) type Words = (u128, u128);

/// What a claim says, as far as the checker's choice of the canonical position depends on it.
#[derive(Clone, Copy)]
pub(crate) enum Claim {
    /// A player wins, in any number of plies.
    Win,
    /// A player wins within some plies.
    WinWithin,
    /// A player does not lose.
    NoLoss,
}

/// The rules of one game on one board, as the checker reads them.
pub(crate) struct Checker {
    pub(crate) header: Header,
    meter: Meter,
}

impl Checker {
    /// Reads rules, the lines of a head separated by `; `, with the board and the size of `position`.
    pub(crate) fn new(rules: &str, position: &str) -> Self {
        let rules = rules.replace("; ", "\n");
        let parse = |player: &&str| {
            Header::parse(&format!(
                "{FIRST_LINE}\ngame: test\n{rules}\nposition: {position}\nclaim: {player} wins\nsettle: 0\nclaims: 0\n\
                 answers: text"
            ))
        };
        let players = ["A", "X", "Left", "the player to move"];
        let header = players.iter().map(parse).find(Result::is_ok);
        Self { header: header.unwrap_or_else(|| parse(&players[3])).unwrap(), meter: Meter::unlimited() }
    }

    /// Returns the outcome for the player to move if play has ended.
    pub(crate) fn end(&self, at: Words) -> Option<i32> {
        self.header.game.end(&position(at), &self.meter).unwrap().map(i32::signum)
    }

    /// Calls `visit` with the position after each move, and how play has ended there.
    pub(crate) fn for_each_move(&self, at: Words, mut visit: impl FnMut(Words, Option<i32>)) {
        let mut moves = Vec::new();
        self.header.game.moves(&position(at), &self.meter, &mut moves).unwrap();
        moves.iter().for_each(|mv| visit(words(mv.after), mv.end.map(i32::signum)));
    }

    pub(crate) fn layer(&self, at: Words) -> u32 {
        self.header.game.layer(&position(at))
    }

    pub(crate) fn canonical(&self, at: Words, claim: Claim) -> Words {
        let guarantee = match claim {
            Claim::Win => Guarantee::WIN,
            Claim::WinWithin => Guarantee::win_within(9),
            Claim::NoLoss => Guarantee::DRAW,
        };
        words(canonical(&*self.header.game, &position(at), guarantee, &self.meter).unwrap())
    }

    pub(crate) fn reduced(&self, at: Words) -> Words {
        words(self.header.game.reduced(&position(at), &self.meter).unwrap())
    }

    pub(crate) fn outlasts_by(&self, at: Words) -> Option<i32> {
        self.header.game.outlasts_by(&position(at), &self.meter).unwrap()
    }

    pub(crate) fn mover_cannot_win(&self, at: Words) -> bool {
        self.header.game.mover_cannot_win(&position(at), &self.meter).unwrap()
    }

    pub(crate) fn open_lines(&self, at: Words) -> Option<Vec<u128>> {
        self.header.game.open_lines(&position(at))
    }

    pub(crate) fn parts(&self, at: Words) -> Option<Vec<Words>> {
        Some(self.header.game.parts(&position(at), &self.meter).unwrap()?.into_iter().map(words).collect())
    }

    pub(crate) fn canonical_part(&self, part: Words) -> Words {
        words(self.header.game.canonical_part(&position(part)))
    }

    /// Calls `visit` with the canonical parts of a position that do not cancel.
    pub(crate) fn for_each_odd_part(&self, at: Words, visit: impl FnMut(Words)) {
        odd_parts(&*self.header.game, &position(at), &self.meter).unwrap().into_iter().map(words).for_each(visit);
    }

    /// Returns whether positions have a lead: a number of spare moves that one player has more than the other.
    pub(crate) fn has_lead(&self) -> bool {
        let position = self.header.game.write(&self.header.position) + " lead 1";
        self.header.game.read(&position).is_ok()
    }

    pub(crate) fn write(&self, at: Words) -> String {
        self.header.game.write(&position(at))
    }
}

fn position(at: Words) -> Position {
    Position::new(at.0, at.1)
}

fn words(at: Position) -> Words {
    (at.0, at.1)
}
