//! The words that pictures and pages share, in English and Korean: numbers and the names of players.

pub use balpan_games::Lang;
use balpan_games::PlayerName;

/// Writes a number with commas: `1,234,567`.
pub fn grouped(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// By how many points somebody wins or loses, after the verb or the subject; empty if there is no score.
#[must_use]
pub fn by_points(lang: Lang, score: Option<i32>) -> String {
    let by = |points: u32| lang.pick(format!(" by {points}"), format!(" {points}점 차로"));
    score.map(i32::unsigned_abs).map_or_else(String::new, by)
}

/// The forms of a player's name in sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name alone.
    pub plain: &'static str,
    /// The name as the subject of a sentence; in Korean with its particle.
    pub subject: &'static str,
    /// The name as a role, after `as` in English; in Korean with its particle.
    pub role: &'static str,
}

/// Returns the forms of a player's name. If players are distinguished by turn alone, `turn` is 0 for the player
/// to move where the history begins, and 1 for the other.
#[must_use]
pub fn name(lang: Lang, player: PlayerName, turn: usize) -> Name {
    let en = |plain| Name { plain, subject: plain, role: plain };
    let ko = |plain, subject, role| Name { plain, subject, role };
    let player = if player.is_by_turn() { PlayerName::BY_TURN[turn.min(1)] } else { player };
    match player {
        PlayerName::A => lang.pick(en("A"), ko("A", "A가", "A로")),
        PlayerName::B => lang.pick(en("B"), ko("B", "B가", "B로")),
        PlayerName::X => lang.pick(en("X"), ko("X", "X가", "X로")),
        PlayerName::O => lang.pick(en("O"), ko("O", "O가", "O로")),
        PlayerName::Left => lang.pick(en("Left"), ko("왼쪽 편", "왼쪽 편이", "왼쪽 편으로")),
        PlayerName::Right => lang.pick(en("Right"), ko("오른쪽 편", "오른쪽 편이", "오른쪽 편으로")),
        PlayerName::White => lang.pick(en("White"), ko("백", "백이", "백으로")),
        PlayerName::Black => lang.pick(en("Black"), ko("흑", "흑이", "흑으로")),
        PlayerName::First => lang.pick(en("First"), ko("선공", "선공이", "선공으로")),
        PlayerName::Second => lang.pick(en("Second"), ko("후공", "후공이", "후공으로")),
    }
}

/// Returns the forms of a player's name if Left has only upright pieces and Right only flat ones: in Korean the
/// names of Left and Right say so.
#[must_use]
pub fn name_by_way(lang: Lang, player: PlayerName, turn: usize) -> Name {
    let ko = |plain, subject, role| Name { plain, subject, role };
    match (lang, player) {
        (Lang::Ko, PlayerName::Left) => ko("왼쪽(세로) 편", "왼쪽(세로) 편이", "왼쪽(세로) 편으로"),
        (Lang::Ko, PlayerName::Right) => ko("오른쪽(가로) 편", "오른쪽(가로) 편이", "오른쪽(가로) 편으로"),
        _ => name(lang, player, turn),
    }
}
