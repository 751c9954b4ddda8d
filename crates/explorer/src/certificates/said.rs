//! What a certificate claims of its position.

use balpan_check::trusted::claim::{Claim, Guarantee, Header};
use balpan_check::untrusted::notation::Degree;

/// What is claimed. A player is the one to move or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// The nimber is this one.
    Nimber(u32),
    /// It is a draw.
    Draw,
    /// A player can force this result.
    Sure { mover: bool, sure: Guarantee },
    /// A player wins in exactly this number of plies.
    Exactly { mover: bool, plies: u32 },
}

impl Said {
    pub(crate) fn of(header: &Header) -> Self {
        let plies = |sure: Guarantee| match sure.degree() {
            Some(Degree::WinWithin(plies)) => plies,
            _ => 0,
        };
        match &header.claim {
            Claim::Nimber(nimber) => Self::Nimber(*nimber),
            Claim::WinsByNimber(mover) => Self::Sure { mover: *mover, sure: Guarantee::WIN },
            Claim::Play(halves) => match halves[..] {
                [(mover, sure)] => Self::Sure { mover, sure },
                [(mover, sure), _] if sure > Guarantee::WIN => Self::Exactly { mover, plies: plies(sure) },
                _ => Self::Draw,
            },
        }
    }
}
