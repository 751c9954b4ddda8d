//! Words of the review page. The words of the review itself are in [`balpan_pictures`].

use super::{Lang, phrases};

phrases! {
    title: "Review of a game", "복기";
    lead:
        "Type or paste the moves of a game, in a row or one a line. You see who was winning after each of them, and where \
         that changed.",
        "둔 수를 차례로 적거나 붙여 넣으세요. 수마다 누가 이기고 있었는지, 어디서 승패가 갈렸는지 보여 드립니다.";
    moves_help:
        "The moves, as pages write them: `1,1 0,0` or, of columns, `4455`",
        "수순: 이곳의 표기대로 `1,1 0,0`, 열만 고르는 게임은 `4455`";
    look_back: "Review", "복기하기";
    moves: "Moves", "수순";
    graph: "Who was winning after each move", "수마다 이기고 있던 쪽";
    beginning: "Start", "시작";
    better: "Better:", "더 나은 수:";
    play_on: "Play on from here", "여기서부터 이어 두기";
    new_game: "New game", "새 게임";
    rematch: "Rematch with sides changed", "편을 바꾸어 다시 두기";
    review_this_game: "Review this game", "이 게임 복기하기";
    another: "Another game", "다른 게임 복기하기";
    move_of(now: usize, last: usize): "move {now} of {last}", "{last}수 중 {now}수";
}

pub(crate) fn after(lang: Lang, ply: usize) -> String {
    match (lang, ply) {
        (Lang::En, 0) => "At the start:".to_owned(),
        (Lang::En, ply) => format!("After move {ply}:"),
        (Lang::Ko, 0) => "시작할 때:".to_owned(),
        (Lang::Ko, ply) => format!("{ply}수까지 두면:"),
    }
}
