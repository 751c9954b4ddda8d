//! Messages about a sum of games.

use balpan_games::{Lang, phrases};

phrases! {
    head(games: usize): "A sum of {games} games, the first player to move", "게임 {games}개의 합, 선공 차례";
    nimber: "nimber", "그런디 수";
    sum: "sum", "합";
    moves: "The moves that win:", "이기는 수:";
    /// The position that a move leaves in its game.
    leaves(game: &str, position: &str, nimber: u32):
        "leaves {game} {position}, nimber {nimber}",
        "남는 국면 {game} {position}, 그런디 수 {nimber}";
}

/// The winner; `mover_wins` says that it is the player to move.
pub(crate) fn winner(lang: Lang, mover_wins: bool) -> &'static str {
    if mover_wins {
        lang.pick("The first player wins.", "선공이 이깁니다.")
    } else {
        lang.pick("The second player wins.", "후공이 이깁니다.")
    }
}
