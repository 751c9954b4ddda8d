//! The players' names.

use super::Lang;

/// A player's name, as sentences need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) plain: &'static str,
    /// At the beginning of a sentence that says what the player does; in Korean, with the
    /// particle that goes with its sound.
    pub(crate) subject: &'static str,
}

/// The name of a player whom the game calls `player`, and who was (`turn` 0) or was not to
/// move where the history begins: some players are told apart by that alone.
pub(crate) fn name(lang: Lang, player: &str, turn: usize) -> Name {
    let both = |plain, subject| Name { plain, subject };
    let en = |plain| both(plain, plain);
    match (player, turn) {
        ("A", _) => lang.pick(en("A"), both("A", "A가")),
        ("B", _) => lang.pick(en("B"), both("B", "B가")),
        ("X", _) => lang.pick(en("X"), both("X", "X가")),
        ("O", _) => lang.pick(en("O"), both("O", "O가")),
        ("Left", _) => lang.pick(en("Left"), both("왼쪽", "왼쪽이")),
        ("Right", _) => lang.pick(en("Right"), both("오른쪽", "오른쪽이")),
        (_, 0) => lang.pick(en("First"), both("선공", "선공이")),
        (_, _) => lang.pick(en("Second"), both("후공", "후공이")),
    }
}
