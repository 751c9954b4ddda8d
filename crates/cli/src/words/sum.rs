//! Messages about a sum of games.

use balpan_games::Lang;

pub(crate) fn head(lang: Lang, games: usize) -> String {
    lang.pick(format!("A sum of {games} games, the first player to move"), format!("게임 {games}개의 합, 선공 차례"))
}

pub(crate) fn nimber(lang: Lang) -> &'static str {
    lang.pick("nimber", "그런디 수")
}

pub(crate) fn sum(lang: Lang) -> &'static str {
    lang.pick("sum", "합")
}

/// The winner; `mover_wins` says that it is the player to move.
pub(crate) fn winner(lang: Lang, mover_wins: bool) -> &'static str {
    if mover_wins {
        lang.pick("The first player wins.", "선공이 이깁니다.")
    } else {
        lang.pick("The second player wins.", "후공이 이깁니다.")
    }
}

pub(crate) fn moves(lang: Lang) -> &'static str {
    lang.pick("The moves that win:", "이기는 수:")
}

/// The position that a move leaves in its game.
pub(crate) fn leaves(lang: Lang, game: &str, position: &str, nimber: u32) -> String {
    lang.pick(
        format!("leaves {game} {position}, nimber {nimber}"),
        format!("남는 국면 {game} {position}, 그런디 수 {nimber}"),
    )
}
