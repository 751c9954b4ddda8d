//! Reviews of games. Positions are solved from the last one backwards: later ones are easier, and fill the tables for the
//! earlier ones.

use std::sync::Arc;
use std::time::{Duration, Instant};

use balpan_games::{Answer, AnyGame, Record, Review, RulesFile};

use crate::answers::{Answers, Query, Reply, Wait};
use crate::error::RequestError;
use crate::scene::load_game;

/// Positions of one game that are solved at the same time.
const MAX_CONCURRENT: usize = 4;

/// A game that was played.
pub(crate) struct PlayedGame {
    pub(crate) rules: RulesFile,
    pub(crate) record: Record,
    /// The game, starting from each position in turn.
    games: Vec<AnyGame>,
}

impl PlayedGame {
    /// Parses the moves from a position, or from the game's start.
    pub(crate) fn parse(rules: RulesFile, at: Option<&str>, moves: &str) -> Result<Self, RequestError> {
        let begin = load_game(&rules, at)?;
        let record = Record::read(&begin, moves)?;
        let games = record.positions.iter().map(|text| rules.game_at(text)).collect::<Result<_, _>>()?;
        Ok(Self { rules, record, games })
    }

    /// Reviews the game as far as is known after `patience`. The flag says whether more will be known.
    pub(crate) async fn review(
        &self,
        answers: &Answers,
        name: &str,
        patience: Duration,
        may_take_long: bool,
    ) -> Result<(Review, bool), RequestError> {
        let start = Instant::now();
        let last = self.record.moves.len();
        let mut known: Vec<Option<Arc<Answer>>> = vec![None; last + 1];
        let mut pending = 0;
        for ply in (0..=last).rev() {
            if ply == last && self.record.end.is_some() {
                continue;
            }
            if pending == MAX_CONCURRENT {
                break;
            }
            let wait = if start.elapsed() < patience { Wait::UntilOutcome } else { Wait::Never };
            let query = Query {
                name: name.to_owned(),
                rules: self.rules.clone(),
                game: self.games[ply].clone(),
                position: self.record.positions[ply].clone(),
                goal: None,
                may_take_long,
            };
            let reply = answers.ask(query, wait).await;
            pending += usize::from(matches!(reply, Reply::Pending(..) | Reply::Busy));
            known[ply] = reply.known()?;
        }
        let known: Vec<_> = known.iter().map(Option::as_deref).collect();
        Ok((Review::new(name, Vec::new(), &self.record, &known), pending > 0))
    }
}
