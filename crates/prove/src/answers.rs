//! Answering the checker's questions and recording the answers.

use balpan::Stopped;
use balpan_check::CheckError;
use balpan_check::trusted::claim::{Guarantee, Header};
use balpan_check::trusted::game::{Game, Move, Position};
use balpan_check::trusted::nimber::NimberClaims;
use balpan_check::untrusted::answers::{Answers, Method, Question, Refutation};
use balpan_check::untrusted::meter::Meter;

use crate::encode::Sink;
use crate::prove::{Progress, ProgressFn, ProveError};
use crate::refutations::{self, RefutationChooser};
use crate::replies::ReplyChooser;
use crate::source::ResultSource;

/// Answers the checker's questions by an engine, and records the answers.
pub(crate) struct Prover<'f> {
    pub(crate) family: &'f dyn Game,
    pub(crate) source: &'f mut dyn ResultSource,
    pub(crate) replies: ReplyChooser<'f>,
    pub(crate) refutations: RefutationChooser<'f>,
    /// Whether the claim is about nimbers.
    pub(crate) by_nimbers: bool,
    pub(crate) sink: Sink,
    /// The number of claims so far, for progress reports.
    pub(crate) claims: u64,
    pub(crate) on_progress: ProgressFn<'f>,
}

impl Prover<'_> {
    /// Writes the answers of one certificate. Returns the number of claims and the bytes.
    pub(crate) fn run(&mut self, header: &Header, is_text: bool) -> Result<(u64, Vec<u8>), ProveError> {
        self.claims = 0;
        self.sink = Sink::new(is_text);
        let walked = balpan_check::walk_unsearched(header, self, &Meter::unlimited());
        if let Some(stopped) = self.source.take_stop() {
            return Err(stopped.into());
        }
        let claims = walked.map_err(|failure| match failure {
            CheckError::NotProved(why) => ProveError::NotTrue(why),
            CheckError::NotACertificate(why) | CheckError::TooLarge(why) => ProveError::Checker(why),
            CheckError::Interrupted => ProveError::Stopped(Stopped::Interrupted),
        })?;
        Ok((claims, std::mem::replace(&mut self.sink, Sink::new(true)).bytes()))
    }

    /// Updates the costs of claims from the certificate just written, for the next one.
    pub(crate) fn update_costs(&mut self) {
        self.replies.end();
        self.refutations.end();
    }

    fn count_claim(&mut self) {
        self.claims += 1;
        if self.claims.is_multiple_of(1024) {
            (self.on_progress)(Progress::Claims(self.claims));
        }
    }
}

impl Answers for Prover<'_> {
    fn method(&mut self, at: &Position, sure: Guarantee) -> Result<Method, CheckError> {
        self.count_claim();
        let way = self.replies.method(at, sure);
        self.sink.method(self.family, at, &way)?;
        Ok(way)
    }

    fn reply(&mut self, question: &Question<'_>) -> Result<usize, CheckError> {
        let reply = match self.by_nimbers {
            true => refutations::reply_to_zero(question.replies, self.source),
            false => self.replies.reply(question, self.source),
        };
        let Some(reply) = reply? else {
            let at = self.family.write(question.mv.map_or(question.at, |mv| &mv.after));
            return Err(CheckError::NotProved(format!("no reply in {at} is sure {}", question.guarantee)));
        };
        self.sink.reply(self.family, question, reply)?;
        Ok(reply)
    }

    fn part(&mut self, part: &Position, nimber: u32, sums: &mut NimberClaims<'_>) -> Result<(), CheckError> {
        self.count_claim();
        self.sink.part(self.family, part, nimber);
        self.refutations.begin(part, nimber, sums, self.source)
    }

    fn refutation(
        &mut self,
        nimber: u32,
        option: &Move,
        replies: &[Move],
        sums: &mut NimberClaims<'_>,
    ) -> Result<Refutation, CheckError> {
        let Some(answer) = self.refutations.refutation(nimber, option, replies, sums, self.source)? else {
            return Err(CheckError::NotProved(format!("{} has the nimber", self.family.write(&option.after))));
        };
        let after = match answer {
            Refutation::Has(_) => option.after,
            Refutation::Reply(reply) => replies[reply].after,
        };
        self.refutations.record_leads(&sums.parts(&after)?);
        self.sink.refutation(self.family, nimber, option, replies, answer)?;
        Ok(answer)
    }

    fn nimber(&mut self, part: &Position) -> Result<u32, CheckError> {
        let nimber = refutations::nimber(self.source, part)?;
        self.sink.nimber(self.family, part, nimber)?;
        Ok(nimber)
    }
}
