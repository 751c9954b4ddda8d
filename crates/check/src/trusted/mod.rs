//! The code that a proof rests on: the rules of the games, the claims, the induction from claim to claim, and the
//! lemmas. Nothing else has to be read to trust an accepted certificate.

pub(crate) mod board;
pub mod claim;
pub mod game;
pub(crate) mod heaps;
pub mod language;
pub(crate) mod lines;
pub mod nimber;
pub(crate) mod placement;
pub(crate) mod places;
pub mod play;
pub mod strategy;
pub(crate) mod walkers;

use crate::untrusted::answers::Answers;
use crate::untrusted::meter::Meter;
use crate::{CheckError, Result};
use claim::{Claim, Header};

/// A proved statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The name of the game. Nothing depends on it.
    pub game: String,
    /// The rules, a line for each parameter.
    pub rules: Vec<String>,
    /// The position.
    pub position: String,
    /// The true claim, in words.
    pub claim: String,
    /// The number of claims that the certificate makes, about positions or parts.
    pub claims: u64,
}

/// Checks the claim of a certificate and all claims that it rests on; `answers` answers each question. Searches use
/// this number of threads.
///
/// # Errors
/// The first claim that fails, an invalid answer, or that the meter has nothing left.
pub fn walk(header: &Header, answers: &mut dyn Answers, meter: &Meter, threads: usize) -> Result<Proved> {
    let Header { name, game, position, claim, .. } = header;
    // So no two positions are written alike.
    if game.read(&game.write(position)).as_ref() != Ok(position) {
        return Err(CheckError::NotACertificate("the position does not read as it is written".into()));
    }
    let claims = walk_claims(header, answers, meter, Some(threads))?;
    let claim = claim.words(game.players(position));
    Ok(Proved { game: name.clone(), rules: game.rules(), position: game.write(position), claim, claims })
}

/// The same without the searches, for a caller that has run them. Returns the number of claims.
///
/// # Errors
/// As [`walk`].
pub fn walk_unsearched(header: &Header, answers: &mut dyn Answers, meter: &Meter) -> Result<u64> {
    walk_claims(header, answers, meter, None)
}

fn walk_claims(header: &Header, answers: &mut dyn Answers, meter: &Meter, threads: Option<usize>) -> Result<u64> {
    let mut check_nimber = |nimber| nimber::check(header, nimber, answers, meter);
    let claims = match &header.claim {
        Claim::Nimber(nimber) => check_nimber(Some(*nimber))?,
        Claim::WinsByNimber(is_mover) => check_nimber((!is_mover).then_some(0))?,
        Claim::Play(halves) => {
            let check = if header.game.has_layers() { play::check } else { strategy::check };
            halves.iter().try_fold(0, |claims, half| check(header, *half, answers, (threads, meter), claims))?
        }
    };
    answers.end()?;
    Ok(claims)
}
