//! The players' names.

use super::Lang;

/// A player's name, as sentences need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// By itself.
    pub plain: &'static str,
    /// At the beginning of a sentence that says what the player does; in Korean, with the
    /// particle that goes with its sound.
    pub subject: &'static str,
    /// In the role of that player, after `as` in English.
    pub role: &'static str,
}

/// The name of a player whom the game calls `player`, and who was (`turn` 0) or was not to
/// move where the history begins: some players are told apart by that alone.
#[must_use]
pub fn name(lang: Lang, player: &str, turn: usize) -> Name {
    let en = |plain| Name { plain, subject: plain, role: plain };
    let ko = |plain, subject, role| Name { plain, subject, role };
    match (player, turn) {
        ("A", _) => lang.pick(en("A"), ko("A", "A가", "A로")),
        ("B", _) => lang.pick(en("B"), ko("B", "B가", "B로")),
        ("X", _) => lang.pick(en("X"), ko("X", "X가", "X로")),
        ("O", _) => lang.pick(en("O"), ko("O", "O가", "O로")),
        ("Left", _) => lang.pick(en("Left"), ko("왼쪽 편", "왼쪽 편이", "왼쪽 편으로")),
        ("Right", _) => lang.pick(en("Right"), ko("오른쪽 편", "오른쪽 편이", "오른쪽 편으로")),
        (_, 0) => lang.pick(en("First"), ko("선공", "선공이", "선공으로")),
        (_, _) => lang.pick(en("Second"), ko("후공", "후공이", "후공으로")),
    }
}

/// The same where Left has upright pieces alone and Right flat ones: Korean says so.
#[must_use]
pub fn name_by_way(lang: Lang, player: &str, turn: usize) -> Name {
    let ko = |plain, subject, role| Name { plain, subject, role };
    match (lang, player) {
        (Lang::Ko, "Left") => ko("왼쪽(세로) 편", "왼쪽(세로) 편이", "왼쪽(세로) 편으로"),
        (Lang::Ko, "Right") => ko("오른쪽(가로) 편", "오른쪽(가로) 편이", "오른쪽(가로) 편으로"),
        _ => name(lang, player, turn),
    }
}
