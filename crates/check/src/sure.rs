//! What a player can force.

use crate::family::Outcome;

/// A result that a player can force, from the least to the most: not to lose before some ply, not to
/// lose, to win, to win within some plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sure(i32);

/// What is sure, and how soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degree {
    /// To win within this number of plies.
    WinWithin(u32),
    /// To win.
    Win,
    /// Not to lose.
    Draw,
    /// Not to lose before this number of plies are played.
    NoLossBefore(u32),
}

/// A win now; its negative is a loss now.
const NOW: i32 = 1 << 20;

impl Sure {
    /// Not to lose.
    pub const DRAW: Self = Self(0);
    /// To win.
    pub const WIN: Self = Self(1);

    /// To win within `plies`, fewer than 2^16.
    #[must_use]
    pub const fn win_within(plies: u32) -> Self {
        Self(NOW - plies as i32)
    }

    /// Not to lose before `plies`, fewer than 2^16, are played.
    #[must_use]
    pub const fn no_loss_before(plies: u32) -> Self {
        Self(plies as i32 - NOW)
    }

    /// What it is; `None` for more or less than can be.
    #[must_use]
    pub fn degree(self) -> Option<Degree> {
        match self.0 {
            0 => Some(Degree::Draw),
            1 => Some(Degree::Win),
            n if n > 0 => u32::try_from(NOW - n).ok().map(Degree::WinWithin),
            n => u32::try_from(n + NOW).ok().map(Degree::NoLossBefore),
        }
    }

    /// What has to be sure one ply later.
    #[must_use]
    pub const fn after_a_ply(self) -> Self {
        if self.0.abs() > 1 { Self(self.0 + self.0.signum()) } else { self }
    }

    /// Whether a player with this outcome, now, has as much.
    #[must_use]
    pub const fn is_met_by(self, outcome: Outcome) -> bool {
        outcome * NOW >= self.0
    }

    /// Whether it is sure of any position.
    #[must_use]
    pub const fn is_nothing(self) -> bool {
        self.0 <= -NOW
    }

    /// Whether it is sure of no position in which play goes on.
    #[must_use]
    pub const fn is_too_much(self) -> bool {
        self.0 >= NOW
    }

    /// Whether any win is enough.
    #[must_use]
    pub const fn is_at_most_a_win(self) -> bool {
        self.0 <= 1
    }

    /// Whether lines that cannot be made any more are enough.
    #[must_use]
    pub const fn is_at_most_a_draw(self) -> bool {
        self.0 <= 0
    }
}

/// In words: what comes after "is sure".
impl std::fmt::Display for Sure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            0 => f.write_str("not to lose"),
            1 => f.write_str("to win"),
            n if n > 0 => write!(f, "to win within {} plies", NOW - n),
            n => write!(f, "not to lose before {} plies", n + NOW),
        }
    }
}
