//! What is told of a sequence of nimbers. As JSON, the field names are part of the command's contract.

use std::time::Duration;

use balpan::{Stopped, Watch};
use serde::Serialize;

use super::period::{ArithmeticGrowth, HexadecimalCode, NimSequence};
use crate::any::AnyGame;
use crate::presets::preset;

/// The largest heap of a code by which three heaps may be left: all ways are looked at.
pub const MAX_THREE_WAY_HEAP: usize = 20_000;

/// The nimbers of heaps by a code, and what is proved of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeriodReport {
    /// The code, or a game's name and its code.
    pub code: String,
    /// The largest heap.
    pub to: usize,
    /// The period that is proved of all heaps, in tokens; `null` if none is.
    pub period: Option<usize>,
    /// The first heap from which on they do.
    pub preperiod: Option<usize>,
    /// Heaps before that whose nimbers are not what the period would have.
    pub exceptions: Option<Vec<usize>>,
    /// How these nimbers grow, of which nothing is proved.
    pub growth: Option<ArithmeticGrowth>,
    /// Whether the nimbers of all these heaps are known.
    pub complete: bool,
    /// By size, from no token on.
    pub nimbers: Vec<u32>,
    /// How long it took.
    pub seconds: f64,
}

impl PeriodReport {
    /// That of heaps of up to `to` tokens.
    ///
    /// # Errors
    /// [`Stopped`] if the watch says stop.
    pub fn find(code: &str, digits: &HexadecimalCode, to: usize, watch: &Watch) -> Result<Self, Stopped> {
        let found = Self::find_partial(code, digits, to, watch);
        if found.complete { Ok(found) } else { Err(Stopped::Interrupted) }
    }

    /// The same, of smaller heaps if the watch says stop.
    #[must_use]
    pub fn find_partial(code: &str, digits: &HexadecimalCode, to: usize, watch: &Watch) -> Self {
        let NimSequence { nimbers, period, growth } = digits.sequence_until_stopped(to, watch);
        Self {
            code: code.to_owned(),
            to,
            period: period.as_ref().map(|period| period.length),
            preperiod: period.as_ref().map(|period| period.from),
            exceptions: period.map(|period| period.exceptions),
            growth,
            complete: nimbers.len() > to,
            nimbers,
            seconds: 0.0,
        }
    }

    /// The same, which took so long.
    #[must_use]
    pub fn with_elapsed(self, time: Duration) -> Self {
        Self { seconds: time.as_secs_f64(), ..self }
    }

    /// The largest nimber, and the first heap that has it.
    #[must_use]
    pub fn largest(&self) -> Option<(u32, usize)> {
        let largest = self.nimbers.iter().enumerate().rev().max_by_key(|(_, nimber)| **nimber);
        largest.map(|(heap, nimber)| (*nimber, heap))
    }

    /// Whether the nimber of this heap is an exception to the period.
    #[must_use]
    pub fn is_exception(&self, heap: usize) -> bool {
        self.exceptions.as_ref().is_some_and(|heaps| heaps.binary_search(&heap).is_ok())
    }
}

/// The digits of a code, or of a preset's, with what they are called; `None` of what is neither.
#[must_use]
pub fn code_digits(text: &str) -> Option<(String, HexadecimalCode)> {
    if let Some(digits) = HexadecimalCode::parse(text) {
        return Some((text.to_owned(), digits));
    }
    let game = preset(text)?.ok()?.game().ok()?;
    game_digits(text, &game)
}

/// The same of a game of heaps; `None` of Nim, too, whose heaps have no code.
#[must_use]
pub fn game_digits(name: &str, game: &AnyGame) -> Option<(String, HexadecimalCode)> {
    let AnyGame::Heaps(game) = game else { return None };
    let code = game.rules().code.to_string();
    Some((format!("{name}, {code}"), HexadecimalCode::parse(&code)?))
}
