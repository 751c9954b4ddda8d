//! Reports on misère quotients. The JSON field names are part of the command's contract.

use std::time::Duration;

use balpan::{Stopped, Watch};
use balpan_cgt::quotient::{Quotient, QuotientError, genus_with_memory};
use serde::Serialize;

use crate::any::AnyGame;
use crate::heaps::Code;
use crate::misere::{MisereError, MisereParts};

/// Parts for which the genus is reported.
const MAX_GENUS_PARTS: usize = 16;

/// Parts that play of a game may reach.
const MAX_PARTS: usize = 2_000;

/// Tokens of the largest heap.
pub const MAX_HEAP: u16 = 200;

/// The game whose misère quotient is found.
#[derive(Clone, Debug)]
pub enum QuotientInput {
    /// Heaps by an octal code, and the size of the largest.
    Heaps(Code, u16),
    /// All positions that play of a misère game reaches.
    Game(Box<AnyGame>),
}

/// The report on a misère quotient.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuotientReport {
    /// The name of the game.
    pub game: String,
    /// The number of elements.
    pub order: usize,
    /// The orders of the quotients of the first part, of the first two, and so on.
    pub orders: Vec<usize>,
    /// The elements as words, the identity first.
    pub elements: Vec<String>,
    /// The P-portion, by the elements' indices.
    pub lost: Vec<usize>,
    /// The multiplication table: by element, the indices of its products.
    pub products: Vec<Vec<usize>>,
    /// The pretension function: the element of each part.
    pub parts: Vec<QuotientPart>,
    /// Whether the quotient is tame.
    pub tame: bool,
    /// The elapsed time in seconds.
    pub seconds: f64,
    /// The letters of the words, and the part of each.
    #[serde(skip)]
    pub letters: Vec<(String, String)>,
}

/// A part of a misère game, with its element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuotientPart {
    /// The heap's size, or the position's text.
    pub part: String,
    /// The index of its element.
    pub element: usize,
    /// The genus symbol, for the first parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub genus: Option<String>,
}

impl QuotientReport {
    /// Finds the quotient of `input`, if it has at most `max_elements` elements, in about `memory` bytes. `on_stage`
    /// is called with the order of the quotient of the first part, of the first two, and so on.
    ///
    /// # Errors
    /// [`MisereError`] if the game is not impartial and misère, has too many parts or too large a quotient, or
    /// `watch` stops the search.
    pub fn find(
        name: &str,
        input: &QuotientInput,
        max_elements: usize,
        memory: usize,
        watch: &Watch,
        mut on_stage: impl FnMut(usize),
    ) -> Result<Self, MisereError> {
        let MisereParts { parts, names, .. } = match input {
            QuotientInput::Heaps(code, largest) => MisereParts::from_heaps(code, *largest),
            QuotientInput::Game(game) => {
                MisereParts::from_games(std::slice::from_ref(&**game), MAX_PARTS, memory / 2, watch)?
            }
        };
        let mut orders = Vec::new();
        let quotient = Quotient::find_with_progress(&parts, max_elements, memory / 4, watch, |so_far| {
            orders.push(so_far.order());
            on_stage(so_far.order());
        })?;
        let symbols: Vec<String> = (0..parts.len().min(MAX_GENUS_PARTS) as u32)
            .map(|part| Ok(genus_with_memory(&parts, &[part], memory / 4, watch)?.to_string()))
            .collect::<Result<_, Stopped>>()
            .map_err(QuotientError::from)?;
        let elements = quotient.element_names();
        let order = quotient.order();
        let letters =
            elements.iter().enumerate().filter_map(|(element, word)| match quotient.representative(element) {
                &[part] => Some((word.clone(), names[part as usize].clone())),
                _ => None,
            });
        let part = |(n, name): (usize, &String)| QuotientPart {
            part: name.clone(),
            element: quotient.pretension(&[n as u32]),
            genus: symbols.get(n).cloned(),
        };
        Ok(Self {
            game: name.to_owned(),
            order,
            orders,
            lost: (0..order).filter(|element| quotient.is_p_position(*element)).collect(),
            products: (0..order).map(|a| (0..order).map(|b| quotient.product(a, b)).collect()).collect(),
            parts: names.iter().enumerate().map(part).collect(),
            tame: quotient.is_tame(),
            seconds: 0.0,
            letters: letters.collect(),
            elements,
        })
    }

    /// Sets the elapsed time.
    #[must_use]
    pub fn with_elapsed(self, time: Duration) -> Self {
        Self { seconds: time.as_secs_f64(), ..self }
    }
}
