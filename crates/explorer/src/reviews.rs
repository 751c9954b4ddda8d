//! Games looked back at. Their positions are asked about from the last one on, as each is easier
//! than those before it and teaches what serves them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use balpan_games::{Answer, AnyGame, Record, Review, RulesFile};

use crate::answers::{Answers, Asked, Reply, Wait};
use crate::asked::game_from;
use crate::refusal::Refusal;

/// Positions of one game that are being solved at a time.
const AT_A_TIME: usize = 4;

/// A game that was played.
pub(crate) struct Played {
    pub(crate) rules: RulesFile,
    pub(crate) record: Record,
    /// The game from each of its positions.
    games: Vec<AnyGame>,
}

impl Played {
    /// Reads the moves from a position, or from the game's start.
    pub(crate) fn read(rules: RulesFile, at: Option<&str>, moves: &str) -> Result<Self, Refusal> {
        let begin = game_from(&rules, at)?;
        let record = Record::read(&begin, moves)?;
        let games = record.positions.iter().map(|text| rules.game_at(text)).collect::<Result<_, _>>()?;
        Ok(Self { rules, record, games })
    }

    /// What is known of the game within this time, and whether more will be.
    pub(crate) async fn review(
        &self,
        answers: &Answers,
        name: &str,
        patience: Duration,
        may_take_long: bool,
    ) -> Result<(Review, bool), Refusal> {
        let begun = Instant::now();
        let last = self.record.moves.len();
        let mut known: Vec<Option<Arc<Answer>>> = vec![None; last + 1];
        let mut going = 0;
        for ply in (0..=last).rev() {
            if ply == last && self.record.end.is_some() {
                continue;
            }
            if going == AT_A_TIME {
                break;
            }
            let wait = if begun.elapsed() < patience { Wait::ForVerdict } else { Wait::Not };
            let asked = Asked {
                name: name.to_owned(),
                rules: self.rules.clone(),
                game: self.games[ply].clone(),
                position: self.record.positions[ply].clone(),
                ask: None,
                may_take_long,
            };
            known[ply] = match answers.ask(asked, wait).await {
                Reply::Answered(answer) => Some(answer),
                Reply::GivenUp(_, answer) | Reply::Left(answer) => answer,
                Reply::NotYet(_, answer) => {
                    going += 1;
                    answer
                }
                Reply::Busy => {
                    going += 1;
                    None
                }
                Reply::Refused(no_answer) => return Err(no_answer.into()),
            };
        }
        let known: Vec<_> = known.iter().map(Option::as_deref).collect();
        Ok((Review::new(name, Vec::new(), &self.record, &known), going > 0))
    }
}
