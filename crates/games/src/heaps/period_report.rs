//! Reports of nim sequences. The JSON field names are part of the command's contract.

use std::time::Duration;

use balpan::{Stopped, Watch};
use serde::Serialize;

use super::Code;
use super::period::{ArithmeticGrowth, HexadecimalCode, NimSequence};
use crate::any::AnyGame;
use crate::presets::preset;

/// Maximum heap of a code by which three heaps may be left: all splits are enumerated.
pub const MAX_THREE_WAY_HEAP: usize = 20_000;

/// The nim sequence of a code, and its proved period.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeriodReport {
    /// The code, or a game's name and its code.
    pub code: String,
    /// The largest heap.
    pub to: usize,
    /// The proved period of all heaps, in tokens; `null` if none is proved.
    pub period: Option<usize>,
    /// The first heap from which on the period holds.
    pub preperiod: Option<usize>,
    /// The earlier heaps whose nimbers differ from those of the extended period.
    pub exceptions: Option<Vec<usize>>,
    /// The arithmetic growth of these nimbers, which is not proved of larger heaps.
    pub growth: Option<ArithmeticGrowth>,
    /// Whether the nimbers of all heaps up to [`to`](Self::to) are computed.
    pub complete: bool,
    /// The nimbers by size of heap, from 0 on.
    pub nimbers: Vec<u32>,
    /// The time taken.
    pub seconds: f64,
}

impl PeriodReport {
    /// Computes the report for heaps of up to `to` tokens.
    ///
    /// # Errors
    /// [`Stopped`] if the watch stops it.
    pub fn find(code: &str, digits: &HexadecimalCode, to: usize, watch: &Watch) -> Result<Self, Stopped> {
        let found = Self::find_partial(code, digits, to, watch);
        if found.complete { Ok(found) } else { Err(Stopped::Interrupted) }
    }

    /// Computes the report, for fewer heaps if the watch stops it.
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

    /// Returns the same report with the time that it took.
    #[must_use]
    pub fn with_elapsed(self, time: Duration) -> Self {
        Self { seconds: time.as_secs_f64(), ..self }
    }

    /// Returns the largest nimber and the first heap that has it.
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

/// Parses a code or looks up a preset's, and names it; `None` if the text is neither.
#[must_use]
pub fn code_digits(text: &str) -> Option<(String, HexadecimalCode)> {
    if let Some(digits) = HexadecimalCode::parse(text) {
        return Some((text.to_owned(), digits));
    }
    let game = preset(text)?.ok()?.game().ok()?;
    game_digits(text, &game)
}

/// Returns the code of a game of heaps, and names it; `None` for other games and for moves that no finite code has.
#[must_use]
pub fn game_digits(name: &str, game: &AnyGame) -> Option<(String, HexadecimalCode)> {
    let code = Code::Digits(game.heap_code()?.finite_digits()?);
    Some((format!("{name}, {code}"), HexadecimalCode::parse(&code.to_string())?))
}
