//! Files of strong solutions: their contents and the meaning of their entries.

use std::collections::BTreeMap;

use balpan::{Outcome, Value};
use balpan_games::census::OutcomeCounts;
use balpan_strong::{Header, LayerHeader, Metric, Solution};
use serde::{Serialize, Serializer};

/// The contents of a file. The JSON field names are part of the command's contract.
#[derive(Clone, Debug, Serialize)]
pub struct SolutionReport<'a> {
    /// The name of the game.
    pub game: &'a str,
    /// The rules in full, as the text of a rules file.
    pub rules: &'a str,
    /// The board, or the size of the start.
    pub size: &'a str,
    /// The positions in which play begins.
    pub starts: &'a [String],
    /// The quantity stored for each position.
    #[serde(rename = "tells")]
    pub metric: Metric,
    /// Whether symmetric positions count as one.
    pub folded: bool,
    /// For a book, the plies from a start within which positions are in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// Whether the file has no keys.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub values_only: bool,
    /// The number of positions.
    pub positions: u64,
    /// The size of the file.
    pub bytes: u64,
    /// Its bits for each position.
    pub bits_per_position: f64,
    /// Entropy of the values within each layer, in bits per position.
    pub entropy: f64,
    /// The plies of the longest win.
    pub longest_win: Option<u32>,
    /// The layers, the highest first.
    pub layers: Vec<LayerCounts>,
    /// The values that occur, by their codes.
    #[serde(rename = "worths")]
    pub values: Vec<ValueCount>,
}

/// The numbers of positions of a layer.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LayerCounts {
    /// The layer: a number that every move lowers; where play may repeat, that no move raises.
    pub layer: u32,
    /// The number of its positions.
    pub positions: u64,
    /// The numbers by outcome; `None` for nimbers.
    #[serde(flatten)]
    pub outcomes: Option<OutcomeCounts>,
}

/// The number of positions of one value.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ValueCount {
    /// The value's code in the file.
    #[serde(skip)]
    pub code: u16,
    /// The value.
    #[serde(flatten)]
    pub value: EntryValue,
    /// The number of positions.
    pub positions: u64,
}

/// The value of a position in a file: an outcome with a remoteness or a score, or a nimber.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EntryValue {
    /// The outcome for the player to move.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "outcome_text")]
    pub outcome: Option<Outcome>,
    /// The plies to the end; `None` for a draw or a score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remoteness: Option<u32>,
    /// The score for the player to move, 0 for a draw; `None` in a game without scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The nimber.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u16>,
}

fn outcome_text<S: Serializer>(outcome: &Option<Outcome>, serializer: S) -> Result<S::Ok, S::Error> {
    outcome.map(|outcome| outcome.to_string()).serialize(serializer)
}

impl EntryValue {
    /// Decodes a code of a file.
    #[must_use]
    pub fn new(header: &Header, code: u16) -> Self {
        let value = header.value(code);
        let nimber = Some(code).filter(|_| header.subject.metric == Metric::Nimber);
        let score = value.and_then(Value::score).filter(|_| header.max_score > 0);
        Self { outcome: value.map(Value::outcome), remoteness: value.and_then(Value::remoteness), score, nimber }
    }
}

impl<'a> SolutionReport<'a> {
    /// Describes a file.
    pub fn new<B: AsRef<[u8]>>(solution: &'a Solution<B>) -> Self {
        let header = solution.header();
        let subject = &header.subject;
        let (positions, bytes) = (header.positions(), solution.bytes());
        let per_position = |bits: f64| bits / positions.max(1) as f64;
        let entropy = |layer: &LayerHeader| {
            let bits = |&(_, count): &(u16, u64)| count as f64 * (layer.positions as f64 / count.max(1) as f64).log2();
            layer.counts.iter().map(bits).sum::<f64>()
        };
        let mut counts = BTreeMap::new();
        for &(code, count) in header.layers.iter().flat_map(|layer| &layer.counts) {
            *counts.entry(code).or_insert(0) += count;
        }
        let value_count = |(code, positions)| ValueCount { code, value: EntryValue::new(header, code), positions };
        let values: Vec<_> = counts.into_iter().map(value_count).collect();
        let layer = |layer: &LayerHeader| LayerCounts {
            layer: layer.layer,
            positions: layer.positions,
            outcomes: outcomes(header, layer),
        };
        Self {
            game: &subject.game,
            rules: &subject.rules,
            size: &subject.size,
            starts: &subject.starts,
            metric: subject.metric,
            folded: subject.folded,
            plies: subject.plies,
            values_only: matches!(solution, Solution::Values(_)),
            positions,
            bytes,
            bits_per_position: per_position(bytes as f64 * 8.0),
            entropy: per_position(header.layers.iter().map(entropy).sum()),
            longest_win: values
                .iter()
                .map(|of| of.value)
                .filter(|of| of.outcome == Some(Outcome::Win))
                .filter_map(|of| of.remoteness)
                .max(),
            layers: header.layers.iter().map(layer).collect(),
            values,
        }
    }
}

/// Counts the outcomes of a layer; `None` for nimbers.
fn outcomes(header: &Header, layer: &LayerHeader) -> Option<OutcomeCounts> {
    let mut outcomes = OutcomeCounts::default();
    for &(code, count) in &layer.counts {
        outcomes.add(header.value(code)?.outcome(), count);
    }
    Some(outcomes)
}
