//! What a certificate answers, noted while the checker goes through it.

use std::collections::BTreeMap;
use std::ops::Range;

use balpan_check::CheckError;
use balpan_check::trusted::claim::{Claim, Guarantee, Header};
use balpan_check::trusted::game::{Move, Position};
use balpan_check::trusted::nimber::NimberClaims;
use balpan_check::untrusted::answers::{Answers, FromBytes, FromText, Method, Question, Refutation};
use balpan_check::untrusted::coder::{Decoder, Packed};
use balpan_check::untrusted::meter::{Meter, Unmetered};
use balpan_check::walk_unsearched;

/// Claims of the largest certificate that can be walked, and answers of all of them.
pub(crate) const MOST_CLAIMS: u64 = 20_000;
const MOST_ANSWERS: usize = 1 << 19;

/// All that a certificate answers.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// In the order of the checker's walk.
    pub(crate) claims: Vec<Note>,
    /// Where the claims about a player begin. A nimber's have none.
    begins: Vec<Begin>,
    /// Numbers of a move and of its reply.
    answers: Vec<(u32, u32)>,
    /// Nimbers that the checker finds by itself.
    small: BTreeMap<Position, u32>,
}

/// A claim.
#[derive(Debug)]
pub(crate) struct Note {
    pub(crate) at: Position,
    pub(crate) what: What,
    /// Its first answer.
    answers: usize,
}

/// What is claimed of a position or a part.
#[derive(Debug)]
pub(crate) enum What {
    /// That the player who is not to move can force a result, and how it is shown.
    Guarantee(Guarantee, Method),
    /// That this is the nimber.
    Nimber(u32),
}

#[derive(Debug)]
struct Begin {
    claim: usize,
    /// The number of the claimer's first move, if it is the claimer's turn.
    first: Option<u32>,
}

impl Notes {
    /// Goes through a certificate that is proved; `None` if there is too much to note.
    pub(crate) fn of(header: &Header, body: &[u8]) -> Option<Self> {
        if header.claims > MOST_CLAIMS {
            return None;
        }
        let family = &*header.game;
        if header.is_text {
            let text = std::str::from_utf8(body).ok()?;
            noted(header, FromText::new(family, text))
        } else {
            noted(header, FromBytes { game: family, packed: Packed::new(Decoder::new(body).ok()?) })
        }
    }

    /// The claimer's first move, and the number of the first claim; if it is the claimer's turn.
    pub(crate) fn first_move(&self) -> Option<(u32, usize)> {
        self.begins.iter().find_map(|begin| Some((begin.first?, begin.claim)))
    }

    /// The claim about the position of the certificate itself.
    pub(crate) fn root(&self) -> Option<usize> {
        self.begins.iter().find(|begin| begin.first.is_none()).map(|begin| begin.claim)
    }

    /// The number of the reply to a move.
    pub(crate) fn reply(&self, claim: usize, mv: u32) -> Option<u32> {
        let from = self.claims.get(claim)?.answers;
        let to = self.claims.get(claim + 1).map_or(self.answers.len(), |next| next.answers);
        self.answers.get(from..to)?.iter().find(|answer| answer.0 == mv).map(|answer| answer.1)
    }

    /// The claim about a position that another claim rests on.
    pub(crate) fn below(&self, claim: usize, at: &Position) -> Option<usize> {
        let all = self.with(claim);
        all.clone().zip(&self.claims[all]).find(|(_, note)| note.at == *at).map(|(n, _)| n)
    }

    /// The claims about the same player.
    fn with(&self, claim: usize) -> Range<usize> {
        let begins = || self.begins.iter().map(|begin| begin.claim.min(self.claims.len()));
        let from = begins().filter(|from| *from <= claim).max().unwrap_or(0);
        let to = begins().filter(|to| *to > claim).min().unwrap_or(self.claims.len());
        from..to
    }

    /// The claim about a part.
    pub(crate) fn part(&self, part: &Position) -> Option<usize> {
        self.claims.iter().position(|note| note.at == *part && matches!(note.what, What::Nimber(_)))
    }

    /// The nimber of a part, as far as it was noted.
    pub(crate) fn nimber(&self, part: &Position) -> Option<u32> {
        let claimed = || match self.claims.get(self.part(part)?)?.what {
            What::Nimber(nimber) => Some(nimber),
            What::Guarantee(..) => None,
        };
        self.small.get(part).copied().or_else(claimed)
    }
}

/// Notes what is asked and answered.
struct Recorder<'f, A> {
    answers: A,
    header: &'f Header,
    /// The position, as the checker sees it; of nimbers, the one whose nimber is claimed.
    root: Position,
    notes: Notes,
}

fn noted<A: Answers>(header: &Header, answers: A) -> Option<Notes> {
    let others = match &header.claim {
        Claim::Play(halves) => halves.iter().find(|(mover, _)| !mover).map(|(_, sure)| *sure),
        _ => None,
    };
    let root = others.map_or(header.position, |sure| Unmetered::new(&*header.game).canonical(&header.position, sure));
    let mut recorder = Recorder { answers, header, root, notes: Notes::default() };
    // It was checked, within limits, before.
    walk_unsearched(header, &mut recorder, &Meter::unlimited()).ok()?;
    Some(recorder.notes)
}

impl<A> Recorder<'_, A> {
    fn claim(&mut self, at: &Position, what: What) -> Result<(), CheckError> {
        let answers = self.notes.answers.len();
        if self.notes.claims.len() as u64 >= MOST_CLAIMS || answers + self.notes.small.len() > MOST_ANSWERS {
            return Err(CheckError::NotACertificate("there is too much to note".into()));
        }
        self.notes.claims.push(Note { at: *at, what, answers });
        Ok(())
    }

    /// Notes the nimbers that the checker finds by itself.
    fn parts(&mut self, parts: &[Position], sums: &mut NimberClaims<'_>) -> Result<(), CheckError> {
        for part in parts {
            let layer = self.header.game.layer(part);
            if u64::from(layer) > self.header.settle || self.notes.small.contains_key(part) {
                continue;
            }
            if let Some(nimber) = sums.nimber(part)? {
                self.notes.small.insert(*part, nimber);
            }
        }
        Ok(())
    }
}

impl<A: Answers> Answers for Recorder<'_, A> {
    fn method(&mut self, at: &Position, sure: Guarantee) -> Result<Method, CheckError> {
        // Claims about the other player begin with the position itself.
        if *at == self.root {
            self.notes.begins.push(Begin { claim: self.notes.claims.len(), first: None });
        }
        let way = self.answers.method(at, sure)?;
        self.claim(at, What::Guarantee(sure, way.clone()))?;
        Ok(way)
    }

    fn reply(&mut self, question: &Question<'_>) -> Result<usize, CheckError> {
        let index = self.answers.reply(question)?;
        if let Some(reply) = question.replies.get(index) {
            match question.mv {
                Some(mv) => self.notes.answers.push((mv.number, reply.number)),
                None => {
                    let claim = self.notes.claims.len();
                    self.notes.begins.push(Begin { claim, first: Some(reply.number) });
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
        self.claim(part, What::Nimber(nimber))?;
        if self.notes.claims.len() == 1 {
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
            self.notes.answers.push((option.number, reply.number));
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
