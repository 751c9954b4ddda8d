//! What is told of misère quotients. As JSON, the field names are part of the command's contract.

use std::time::Duration;

use balpan::quotient::{Quotient, QuotientError, genus_with_memory};
use balpan::{Stopped, Watch};
use serde::Serialize;

use crate::any::AnyGame;
use crate::heaps::Code;
use crate::misere::{MisereError, MisereParts};

/// Of sums of no more parts than this, the genus is told.
const MAX_GENUS: usize = 16;

/// Parts that play of a game may come to.
const MAX_PARTS: usize = 2_000;

/// The largest heap that may be asked for.
pub const MAX_HEAP: u16 = 200;

/// What a misère quotient is asked of.
#[derive(Clone, Debug)]
pub enum QuotientInput {
    /// Heaps by a code, and the size of the largest.
    Heaps(Code, u16),
    /// All positions that play of a misère game comes to.
    Game(Box<AnyGame>),
}

/// A misère quotient.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuotientReport {
    /// What it is of.
    pub game: String,
    /// How many elements.
    pub order: usize,
    /// With the first part, with the first two, and so on.
    pub orders: Vec<usize>,
    /// Words for the elements, the ended game's first.
    pub elements: Vec<String>,
    /// Those that are lost for the player to move, by their places.
    pub lost: Vec<usize>,
    /// By element, its products with all of them.
    pub products: Vec<Vec<usize>>,
    /// What each part amounts to: the pretending function.
    pub parts: Vec<QuotientPart>,
    /// Whether it is a quotient of Nim.
    pub tame: bool,
    /// How long it took.
    pub seconds: f64,
    /// The letters of the words, and the part that each is.
    #[serde(skip)]
    pub letters: Vec<(String, String)>,
}

/// A part of a misère game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuotientPart {
    /// A heap's size, or a position's text.
    pub part: String,
    /// What it amounts to, by its place.
    pub element: usize,
    /// Its genus symbol, of the first parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub genus: Option<String>,
}

impl QuotientReport {
    /// That of `of`, if it has at most `most` elements, in about `memory` bytes; `told` is told the numbers of elements
    /// with the first part, with the first two, and so on.
    ///
    /// # Errors
    /// [`MisereError`] if there are no such games, or no quotient of that size, or no time.
    pub fn find(
        name: &str,
        of: &QuotientInput,
        most: usize,
        memory: usize,
        watch: &Watch,
        mut told: impl FnMut(usize),
    ) -> Result<Self, MisereError> {
        let MisereParts { parts, names, .. } = match of {
            QuotientInput::Heaps(code, largest) => MisereParts::from_heaps(code, *largest),
            QuotientInput::Game(game) => {
                MisereParts::from_games(std::slice::from_ref(&**game), MAX_PARTS, memory / 2, watch)?
            }
        };
        let mut orders = Vec::new();
        let quotient = Quotient::find_with_progress(&parts, most, memory / 4, watch, |so_far| {
            orders.push(so_far.len());
            told(so_far.len());
        })?;
        let symbols: Vec<String> = (0..parts.len().min(MAX_GENUS) as u32)
            .map(|part| Ok(genus_with_memory(&parts, &[part], memory / 4, watch)?.to_string()))
            .collect::<Result<_, Stopped>>()
            .map_err(QuotientError::from)?;
        let elements = quotient.element_names();
        let order = quotient.len();
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

    /// The same, which took so long.
    #[must_use]
    pub fn with_elapsed(self, time: Duration) -> Self {
        Self { seconds: time.as_secs_f64(), ..self }
    }
}
