//! The claims and answers of a certificate, recorded while the checker walks it.

use std::collections::BTreeMap;

use balpan_check::CheckError;
use balpan_check::trusted::claim::{Claim, Guarantee, Header};
use balpan_check::trusted::game::{Move, Position};
use balpan_check::trusted::nimber::NimberClaims;
use balpan_check::untrusted::answers::{Answers, FromBytes, FromText, Method, Question, Refutation};
use balpan_check::untrusted::coder::{Decoder, Packed};
use balpan_check::untrusted::meter::{Meter, Unmetered};
use balpan_check::walk_unsearched;

/// Claims and answers of the largest certificate that is recorded.
pub(crate) const MAX_CLAIMS: u64 = 20_000;
const MAX_ANSWERS: usize = 1 << 19;

/// The claims of a certificate, and its answers.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    /// In the order of the checker's walk.
    pub(crate) claims: Vec<ClaimRecord>,
    /// Where the claims about each player begin. Claims about nimbers have no beginning.
    beginnings: Vec<Beginning>,
    /// The numbers of a move and of its reply.
    answers: Vec<(u32, u32)>,
    /// Nimbers that the checker finds by itself.
    small: BTreeMap<Position, u32>,
}

/// A claim about a position or a part.
#[derive(Debug)]
pub(crate) struct ClaimRecord {
    pub(crate) at: Position,
    pub(crate) what: ClaimKind,
    /// The index of its first answer.
    answers: usize,
}

/// The content of a claim.
#[derive(Debug)]
pub(crate) enum ClaimKind {
    /// The player who is not to move can force a result, shown by this method.
    Guarantee(Guarantee, Method),
    /// The nimber is this one.
    Nimber(u32),
}

/// The beginning of the claims about a player.
#[derive(Debug)]
struct Beginning {
    claim: usize,
    /// The number of the claimer's first move, if the claimer is to move.
    first: Option<u32>,
}

impl Transcript {
    /// Walks a proved certificate; `None` if there is too much to record.
    pub(crate) fn new(header: &Header, body: &[u8]) -> Option<Self> {
        if header.claims > MAX_CLAIMS {
            return None;
        }
        let family = &*header.game;
        if header.is_text {
            let text = std::str::from_utf8(body).ok()?;
            record(header, FromText::new(family, text))
        } else {
            record(header, FromBytes { game: family, packed: Packed::new(Decoder::new(body).ok()?) })
        }
    }

    /// Returns the claimer's first move and the number of the first claim, if the claimer is to move.
    pub(crate) fn first_move(&self) -> Option<(u32, usize)> {
        self.beginnings.iter().find_map(|begin| Some((begin.first?, begin.claim)))
    }

    /// Returns the claim about the position of the certificate itself.
    pub(crate) fn root(&self) -> Option<usize> {
        self.beginnings.iter().find(|begin| begin.first.is_none()).map(|begin| begin.claim)
    }

    /// Returns the number of the reply to a move.
    pub(crate) fn reply(&self, claim: usize, mv: u32) -> Option<u32> {
        let from = self.claims.get(claim)?.answers;
        let to = self.claims.get(claim + 1).map_or(self.answers.len(), |next| next.answers);
        self.answers.get(from..to)?.iter().find(|answer| answer.0 == mv).map(|answer| answer.1)
    }

    /// Returns the claim about a position, among those about the same player that `claim` rests on.
    pub(crate) fn below(&self, claim: usize, at: &Position) -> Option<usize> {
        let begins = || self.beginnings.iter().map(|begin| begin.claim.min(self.claims.len()));
        let from = begins().filter(|from| *from <= claim).max().unwrap_or(0);
        let to = begins().filter(|to| *to > claim).min().unwrap_or(self.claims.len());
        (from..to).find(|n| self.claims[*n].at == *at)
    }

    /// Returns the claim about a part.
    pub(crate) fn part(&self, part: &Position) -> Option<usize> {
        self.claims.iter().position(|record| record.at == *part && matches!(record.what, ClaimKind::Nimber(_)))
    }

    /// Returns the nimber of a part, if it is recorded.
    pub(crate) fn nimber(&self, part: &Position) -> Option<u32> {
        let claimed = || match self.claims.get(self.part(part)?)?.what {
            ClaimKind::Nimber(nimber) => Some(nimber),
            ClaimKind::Guarantee(..) => None,
        };
        self.small.get(part).copied().or_else(claimed)
    }
}

/// Records the answers on their method to the checker.
struct Recorder<'f, A> {
    answers: A,
    header: &'f Header,
    /// The position in the checker's canonical form; for a nimber, the position whose nimber is claimed.
    root: Position,
    transcript: Transcript,
}

/// Walks the certificate with a recorder around its answers.
fn record<A: Answers>(header: &Header, answers: A) -> Option<Transcript> {
    let other_guarantee = match &header.claim {
        Claim::Play(halves) => halves.iter().find(|(mover, _)| !mover).map(|(_, guarantee)| *guarantee),
        _ => None,
    };
    let root = other_guarantee
        .map_or(header.position, |guarantee| Unmetered::new(&*header.game).canonical(&header.position, guarantee));
    let mut recorder = Recorder { answers, header, root, transcript: Transcript::default() };
    // The certificate was checked within limits before.
    walk_unsearched(header, &mut recorder, &Meter::unlimited()).ok()?;
    Some(recorder.transcript)
}

impl<A> Recorder<'_, A> {
    fn claim(&mut self, at: &Position, what: ClaimKind) -> Result<(), CheckError> {
        let answers = self.transcript.answers.len();
        if self.transcript.claims.len() as u64 >= MAX_CLAIMS || answers + self.transcript.small.len() > MAX_ANSWERS {
            return Err(CheckError::NotACertificate("there is too much to record".into()));
        }
        self.transcript.claims.push(ClaimRecord { at: *at, what, answers });
        Ok(())
    }

    /// Records the nimbers that the checker finds by itself.
    fn parts(&mut self, parts: &[Position], sums: &mut NimberClaims<'_>) -> Result<(), CheckError> {
        for part in parts {
            let layer = self.header.game.layer(part);
            if u64::from(layer) > self.header.settle || self.transcript.small.contains_key(part) {
                continue;
            }
            if let Some(nimber) = sums.nimber(part)? {
                self.transcript.small.insert(*part, nimber);
            }
        }
        Ok(())
    }
}

impl<A: Answers> Answers for Recorder<'_, A> {
    fn method(&mut self, at: &Position, guarantee: Guarantee) -> Result<Method, CheckError> {
        // The claims about the other player begin with the position itself.
        if *at == self.root {
            self.transcript.beginnings.push(Beginning { claim: self.transcript.claims.len(), first: None });
        }
        let method = self.answers.method(at, guarantee)?;
        self.claim(at, ClaimKind::Guarantee(guarantee, method.clone()))?;
        Ok(method)
    }

    fn reply(&mut self, question: &Question<'_>) -> Result<usize, CheckError> {
        let index = self.answers.reply(question)?;
        if let Some(reply) = question.replies.get(index) {
            match question.mv {
                Some(mv) => self.transcript.answers.push((mv.number, reply.number)),
                None => {
                    let claim = self.transcript.claims.len();
                    self.transcript.beginnings.push(Beginning { claim, first: Some(reply.number) });
                    if self.header.claim == Claim::WinsByNimber(true) {
                        self.root = reply.after;
                    }
                }
            }
        }
        Ok(index)
    }

    fn part(&mut self, part: &Position, nimber: u32, sums: &mut NimberClaims<'_>) -> Result<(), CheckError> {
        self.answers.part(part, nimber, sums)?;
        self.claim(part, ClaimKind::Nimber(nimber))?;
        if self.transcript.claims.len() == 1 {
            let root = sums.parts(&self.root)?;
            self.parts(&root, sums)?;
        }
        for (_, parts) in sums.options(part)? {
            self.parts(&parts, sums)?;
        }
        Ok(())
    }

    fn refutation(
        &mut self,
        nimber: u32,
        option: &Move,
        replies: &[Move],
        sums: &mut NimberClaims<'_>,
    ) -> Result<Refutation, CheckError> {
        let answer = self.answers.refutation(nimber, option, replies, sums)?;
        if let Refutation::Reply(index) = answer
            && let Some(reply) = replies.get(index)
        {
            self.transcript.answers.push((option.number, reply.number));
            let parts = sums.parts(&reply.after)?;
            self.parts(&parts, sums)?;
        }
        Ok(answer)
    }

    fn nimber(&mut self, part: &Position) -> Result<u32, CheckError> {
        self.answers.nimber(part)
    }

    fn end(&mut self) -> Result<(), CheckError> {
        self.answers.end()
    }
}
