//! The statement of a certificate about its position.

use balpan_check::trusted::claim::{Claim, Guarantee, Header};
use balpan_check::untrusted::notation::Degree;

/// A statement about a position. `mover` says whether it is about the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    /// The position has this nimber.
    Nimber(u32),
    /// The position is a draw.
    Draw,
    /// A player can force this result.
    Guarantee { mover: bool, guarantee: Guarantee },
    /// A player wins in exactly this number of plies.
    WinInExactly { mover: bool, plies: u32 },
}

impl Statement {
    pub(crate) fn new(header: &Header) -> Self {
        let plies = |guarantee: Guarantee| match guarantee.degree() {
            Some(Degree::WinWithin(plies)) => plies,
            _ => 0,
        };
        match &header.claim {
            Claim::Nimber(nimber) => Self::Nimber(*nimber),
            Claim::WinsByNimber(mover) => Self::Guarantee { mover: *mover, guarantee: Guarantee::WIN },
            Claim::Play(halves) => match halves[..] {
                [(mover, guarantee)] => Self::Guarantee { mover, guarantee },
                [(mover, guarantee), _] if guarantee > Guarantee::WIN => {
                    Self::WinInExactly { mover, plies: plies(guarantee) }
                }
                _ => Self::Draw,
            },
        }
    }
}
