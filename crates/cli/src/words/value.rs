//! Messages about combinatorial values.

use balpan_games::Lang;

use crate::numbers::grouped;

balpan_messages::messages!("value");

/// The cost of `solve --cgt`.
pub(crate) fn parts(lang: Lang, parts: usize, seconds: f64) -> String {
    parts_settled(lang, parts, &grouped(parts as u64), seconds)
}

/// The numbers at which play stops.
pub(crate) fn stops_at(lang: Lang, left: &str, right: &str) -> String {
    if left == right { left.to_owned() } else { two_stops(lang, left, right) }
}

/// A number between two bounds.
pub(crate) fn about(lang: Lang, least: i64, most: i64) -> String {
    if least == most { least.to_string() } else { range(lang, least, most) }
}

/// Whether a comparison holds, and the one that does.
pub(crate) fn compared(lang: Lang, holds: bool, is: &str) -> String {
    let meaning = is_better(lang, is);
    if holds { yes(lang, meaning) } else { no(lang, is, meaning) }
}

/// The position or value that a move leaves.
pub(crate) fn leaves(lang: Lang, game: &str, mv: &str, value: &str, is_position: bool) -> String {
    if is_position { leaves_position(lang, mv, game, value) } else { leaves_value(lang, game, mv) }
}
