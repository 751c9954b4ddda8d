//! What a certificate claims of its position.

use balpan_check::header::{Claim, Header};
use balpan_check::sure::{Degree, Sure};

/// What is claimed. A player is the one to move or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// The nimber is this one.
    Nimber(u32),
    /// It is a draw.
    Draw,
    /// A player can force this result.
    Sure { mover: bool, sure: Sure },
    /// A player wins in exactly this number of plies.
    Exactly { mover: bool, plies: u32 },
}

impl Said {
    pub(crate) fn of(header: &Header) -> Self {
        let plies = |sure: Sure| match sure.degree() {
            Some(Degree::WinWithin(plies)) => plies,
            _ => 0,
        };
        match &header.claim {
            Claim::Nimber(nimber) if header.words.starts_with("the nimber") => Self::Nimber(*nimber),
            Claim::Nimber(_) => Self::Sure { mover: false, sure: Sure::WIN },
            Claim::NotZero => Self::Sure { mover: true, sure: Sure::WIN },
            Claim::Play(halves) => match halves[..] {
                [(mover, sure)] => Self::Sure { mover, sure },
                [(mover, sure), _] if sure > Sure::WIN => Self::Exactly { mover, plies: plies(sure) },
                _ => Self::Draw,
            },
        }
    }
}
