//! Answers the checker's questions, and writes the answers down.

use balpan::Stopped;
use balpan_check::CheckError;
use balpan_check::trusted::claim::Guarantee;
use balpan_check::trusted::claim::Header;
use balpan_check::trusted::game::{Game, Move, Position};
use balpan_check::trusted::nimber::NimberClaims;
use balpan_check::untrusted::answers::{Answers, Method, Question, Refutation};
use balpan_check::untrusted::meter::Meter;

use crate::error::ProveError;
use crate::know::Know;
use crate::numbers::{self, NoNumber, Numbers};
use crate::plays::Plays;
use crate::prove::{Progress, Told};
use crate::write::Sink;

/// Answers the checker's questions.
pub(crate) struct Prover<'f> {
    pub(crate) family: &'f dyn Game,
    pub(crate) know: &'f mut dyn Know,
    pub(crate) plays: Plays<'f>,
    pub(crate) numbers: Numbers<'f>,
    /// Whether the claim is about nimbers.
    pub(crate) by_nimbers: bool,
    pub(crate) sink: Sink,
    /// The number of claims so far, for whoever watches.
    pub(crate) claims: u64,
    pub(crate) told: Told<'f>,
    /// Whether it was stopped.
    pub(crate) stopped: Option<Stopped>,
}

impl Prover<'_> {
    /// Writes one certificate's answers: the number of claims, and the bytes.
    pub(crate) fn run(&mut self, header: &Header, is_text: bool) -> Result<(u64, Vec<u8>), ProveError> {
        self.claims = 0;
        self.sink = Sink::new(is_text);
        let walked = balpan_check::walk_unsearched(header, self, &Meter::unlimited());
        if let Some(stopped) = self.stopped.take() {
            return Err(stopped.into());
        }
        let claims = walked.map_err(|failure| match failure {
            CheckError::NotProved(why) => ProveError::NotTrue(why),
            CheckError::NotACertificate(why) | CheckError::TooLarge(why) => ProveError::Checker(why),
            CheckError::Interrupted => ProveError::Stopped(Stopped::Interrupted),
        })?;
        Ok((claims, std::mem::replace(&mut self.sink, Sink::new(true)).bytes()))
    }

    /// Learns from the certificate that was written, for the next.
    pub(crate) fn learn(&mut self) {
        self.plays.end();
        self.numbers.end();
    }

    /// The checker knows of failures alone.
    fn stop<T>(&mut self, stopped: Stopped) -> Result<T, CheckError> {
        let reason = stopped.to_string();
        self.stopped = Some(stopped);
        Err(CheckError::NotProved(reason))
    }

    fn one_more(&mut self) {
        self.claims += 1;
        if self.claims.is_multiple_of(1024) {
            (self.told)(Progress::Claims(self.claims));
        }
    }
}

impl Answers for Prover<'_> {
    fn method(&mut self, at: &Position, sure: Guarantee) -> Result<Method, CheckError> {
        self.one_more();
        let way = self.plays.method(at, sure);
        self.sink.method(self.family, at, &way)?;
        Ok(way)
    }

    fn reply(&mut self, question: &Question<'_>) -> Result<usize, CheckError> {
        let reply = match self.by_nimbers {
            true => numbers::to_zero(question.replies, self.know),
            false => self.plays.reply(question, self.know),
        };
        match reply {
            Ok(Some(reply)) => {
                self.sink.reply(self.family, question, reply)?;
                Ok(reply)
            }
            Ok(None) => Err(CheckError::NotProved(format!(
                "no reply in {} is sure {}",
                self.family.write(question.mv.map_or(question.at, |mv| &mv.after)),
                question.guarantee
            ))),
            Err(stopped) => self.stop(stopped),
        }
    }

    fn part(&mut self, part: &Position, nimber: u32, sums: &mut NimberClaims<'_>) -> Result<(), CheckError> {
        self.one_more();
        self.sink.part(self.family, part, nimber);
        match self.numbers.begin(part, nimber, sums, self.know) {
            Err(NoNumber::CheckError(failure)) => Err(failure),
            Err(NoNumber::Stopped(stopped)) => self.stop(stopped),
            Ok(()) => Ok(()),
        }
    }

    fn refutation(
        &mut self,
        nimber: u32,
        option: &Move,
        replies: &[Move],
        sums: &mut NimberClaims<'_>,
    ) -> Result<Refutation, CheckError> {
        match self.numbers.refutation(nimber, option, replies, sums, self.know) {
            Ok(Some(answer)) => {
                let after = match answer {
                    Refutation::Has(_) => option.after,
                    Refutation::Reply(reply) => replies[reply].after,
                };
                self.numbers.lead(&sums.parts(&after)?);
                self.sink.refutation(self.family, nimber, option, replies, answer)?;
                Ok(answer)
            }
            Ok(None) => Err(CheckError::NotProved(format!("{} has the nimber", self.family.write(&option.after)))),
            Err(NoNumber::CheckError(failure)) => Err(failure),
            Err(NoNumber::Stopped(stopped)) => self.stop(stopped),
        }
    }

    fn nimber(&mut self, part: &Position) -> Result<u32, CheckError> {
        match numbers::nimber(self.know, part) {
            Ok(nimber) => {
                self.sink.nimber(self.family, part, nimber)?;
                Ok(nimber)
            }
            Err(stopped) => self.stop(stopped),
        }
    }

    fn end(&mut self) -> Result<(), CheckError> {
        Ok(())
    }
}
