//! Words about a position and its moves.

use balpan::Outcome;

use super::players::Name;
use super::{Lang, phrases};
pub(crate) use balpan_app::words::{plies, to_move, unknown_winner, value, verdict};

phrases! {
    thinking: "The perfect player is thinking.", "완벽한 상대가 생각하고 있습니다.";
    no_move_found:
        "The perfect player has found no move: make one for it, or take yours back.",
        "완벽한 상대가 수를 찾지 못했습니다. 대신 두거나 한 수 물러 주세요.";
    /// A link from another site does not start a long search.
    not_started:
        "It takes more than a moment to solve, which a link from another site does not begin.",
        "푸는 데 시간이 걸리는 국면입니다. 다른 사이트의 링크로 들어오면 풀이를 바로 시작하지 않습니다.";
    solve: "Solve it", "풀기";
    best: "best", "최선";
    /// After who is to move, if the last move has kept the turn.
    again: "again", "(이어서)";
    came_back(ago: usize):
        "This position has come back: it was there {ago} moves ago. Play can go on for ever.",
        "{ago}수 전의 국면이 되풀이되었습니다. 게임이 끝없이 이어질 수 있습니다.";
    /// A line that ends where a position comes again.
    repeats: "Here a position comes again, and so on for ever.", "여기서 같은 국면이 되풀이되어 끝없이 이어집니다.";
    wins_by_unknown(winner: &str):
        "{winner} wins; by how much is not known.",
        "{winner} 이깁니다. 몇 점 차인지는 알아내지 못했습니다.";
    moves: "Moves", "둘 수 있는 수";
    line: "Best play from here", "여기서부터 최선의 진행";
    history: "So far", "지금까지";
    beginning: "Start", "시작";
    undo: "Undo", "무르기";
    redo: "Redo", "다시 두기";
    later: "Taken back:", "무른 수:";
    copy: "Position as text", "국면 텍스트";
    copy_button: "Copy", "복사";
    copied: "Copied", "복사했습니다";
    description: "What every move is worth, solved exactly.", "모든 수의 값을 정확히 풀어 보여 줍니다.";
    embed: "Put it on a page of your own", "다른 페이지에 넣기";
    embed_help: "This line shows the position in a frame:", "이 한 줄로 국면을 다른 페이지에 보여 줄 수 있습니다.";
    edit: "Edit position", "국면 편집";
    tree: "Game tree", "게임 트리";
    rules: "Rules and size", "규칙과 크기";
    opponent: "Play against the perfect player", "완벽한 상대와 두기";
    both_sides: "Play both sides", "양쪽 다 직접 두기";
    show_marks: "Show what moves are worth", "수의 평가 보기";
    hide_marks: "Hide what moves are worth", "수의 평가 숨기기";
    hidden: "What this position is worth is hidden while you play.", "대국 중에는 이 국면의 평가를 숨깁니다.";
    legend_best: "★: a best move", "★: 최선의 수";
    pick_help:
        "Take up a piece below the board; or pick its cells one by one, or drag over them.",
        "판 아래에서 조각을 고르거나, 놓을 칸을 하나씩 고르거나, 그 위로 끌어 보세요.";
    palette: "Pieces to place", "놓을 조각";
    turn: "Turn", "돌리기";
    mirror: "Mirror", "뒤집기";
    put_back: "Put back", "내려놓기";
    holding_help:
        "Place the piece on the board, or turn it first.",
        "조각을 판에 놓으세요. 먼저 돌리거나 뒤집을 수도 있습니다.";
    split_help:
        "Pick a token to take it; a mark below the row takes the neighbours above it.",
        "돌을 고르면 그 돌을 가져가고, 줄 아래의 표시를 고르면 그 위에 나란한 돌을 함께 가져갑니다.";
    place_help: "Pick a picked cell again to place the piece.", "고른 칸을 다시 고르면 조각을 놓습니다.";
    nothing_fits: "No piece fits there.", "그곳에 맞는 조각이 없습니다.";
    clear_pick: "Pick anew", "다시 고르기";
    timed_out:
        "This position is too hard within the time and memory that this server allows. You can still play on; later \
         positions are easier. On your own machine, `balpan solve` takes as long as you let it.",
        "이 서버가 허용하는 시간과 메모리로는 풀기 어려운 국면입니다. 계속 두시면 더 쉬운 국면에 이릅니다. 직접 `balpan \
         solve`를 실행하면 원하는 만큼 오래 풀 수 있습니다.";
    busy:
        "Too many positions are waiting to be solved; try again in a while.",
        "풀이를 기다리는 국면이 너무 많습니다. 잠시 뒤에 다시 시도하세요.";
    heaps_label: "Heaps of tokens", "돌 더미";
    more_moves(n: usize): "and {n} more: pick their cells on the board", "그 밖에 {n}개: 판에서 칸을 골라 두세요";
    move_count(n: usize): "{n} moves", "수 {n}개";
    /// [`more_moves`] on a page without a board.
    more_moves_plain(n: usize): "and {n} more", "그 밖에 {n}개";
    progress(positions: &str, seconds: u64): "{positions} positions in {seconds} s", "{seconds}초 동안 국면 {positions}개 탐색";
    moves_done(done: u64, all: u64): "{done} of {all} moves done", "수 {all}개 중 {done}개 완료";
    board_label(rows: usize, cols: usize): "Board, {rows} rows by {cols} columns", "판, {rows}행 {cols}열";
    row(row: usize): "row {row}", "{row}행";
    pick_cell(cell: &str): "pick {cell}", "{cell} 고르기";
    place_here(mv: &str): "place {mv}", "{mv} 놓기";
    unpick_cell(cell: &str): "{cell}, picked; take it back", "{cell}, 고른 칸; 취소하기";
    /// The winner is known, but not in how many plies.
    wins_eventually(winner: &str):
        "{winner} wins; in how many plies is not known.",
        "{winner} 이깁니다. 몇 수 만인지는 알아내지 못했습니다.";
    wins_eventually_so_far(winner: &str):
        "{winner} wins; in how many plies is not known yet.",
        "{winner} 이깁니다. 몇 수 만인지는 아직 모릅니다.";
    wins_or_draws(name: &str):
        "{name} wins or draws; which is not known.",
        "{name} 이기거나 비깁니다. 어느 쪽인지는 알아내지 못했습니다.";
    wins_or_draws_so_far(name: &str):
        "{name} wins or draws; which is not known yet.",
        "{name} 이기거나 비깁니다. 어느 쪽인지는 아직 모릅니다.";
    you_are(name: &str):
        "You play {name}; the perfect player answers.",
        "당신은 {name}입니다. 완벽한 상대가 응수합니다.";
    piece(cells: usize): "a piece of {cells} cells", "{cells}칸짜리 조각";
    /// A piece with its name in the rules.
    named_piece(name: &str, cells: usize): "{name}, a piece of {cells} cells", "{cells}칸짜리 조각 {name}";
    one_ahead: "another position waits before it", "앞에서 기다리는 국면 1개";
    ahead(n: usize): "{n} other positions wait before it", "앞에서 기다리는 국면 {n}개";
}

/// The search goes on.
pub(crate) fn waiting(lang: Lang) -> &'static str {
    unknown_winner(lang, true)
}

/// The link to play as this player.
pub(crate) fn as_player(lang: Lang, name: Name, is_first: bool) -> String {
    match lang {
        Lang::En => format!("as {}", name.role),
        Lang::Ko if matches!(name.plain, "선공" | "후공") => format!("{} 두기", name.role),
        Lang::Ko => {
            let (turn, particle) =
                (if is_first { "선공" } else { "후공" }, if name.role.ends_with("으로") { "으로" } else { "로" });
            format!("{}({turn}){particle} 두기", name.plain)
        }
    }
}

pub(crate) fn legend(lang: Lang, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => lang.pick("+n: wins, n plies to the end", "+n: n수 만에 승리"),
        Outcome::Draw => lang.pick("=: a draw", "=: 무승부"),
        Outcome::Loss => lang.pick("−n: loses, n plies to the end", "−n: n수 만에 패배"),
    }
}

/// [`legend`] for a game with scores.
pub(crate) fn score_legend(lang: Lang, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => lang.pick("+n: wins by n", "+n: n점 차로 승리"),
        Outcome::Draw => lang.pick("=: a draw", "=: 무승부"),
        Outcome::Loss => lang.pick("−n: loses by n", "−n: n점 차로 패배"),
    }
}

/// A cell's content, for screen readers.
pub(crate) fn glyph(lang: Lang, glyph: char) -> String {
    let known = match glyph {
        '.' => lang.pick("free", "빈칸"),
        '#' => lang.pick("closed", "막힘"),
        '*' => lang.pick("A and B", "A와 B"),
        '!' => lang.pick("the player to move, on no tile", "지금 움직일 말, 발판 없음"),
        '_' => lang.pick("no cell", "칸 없음"),
        _ => return glyph.to_string(),
    };
    known.to_owned()
}
