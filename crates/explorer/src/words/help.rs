//! The words of the help page.

use super::{Lang, phrases};

phrases! {
    title: "Help", "도움말";
    what:
        "balpan solves two-player board games exactly: who wins, in how many plies, by which moves, and why.",
        "balpan은 두 사람이 두는 보드게임을 정확히 풉니다. 누가 몇 수 만에 이기는지, 어떤 수로 이기는지, 왜 그런지를 보여 줍니다.";
    keys: "Keys", "단축키";
    elsewhere: "On pages of your own", "다른 페이지에 넣기";
    embed:
        "A position in a frame, with this server's address:",
        "국면을 액자에 넣습니다. 주소는 이 서버의 것으로 바꾸세요.";
    picture: "Or as a picture alone:", "그림만 넣을 수도 있습니다.";
    open: "open", "열기";
}

/// Headings, and what is said below them.
pub(crate) fn sections(lang: Lang) -> [(&'static str, &'static [&'static str]); 3] {
    [
        (
            lang.pick("What the signs say", "표시의 뜻"),
            lang.pick(
                &[
                    "`+5` on a move: who makes it wins, and play is over in 5 plies, its own among them.",
                    "`−4`: who makes it loses, in 4 plies. `=`: a draw.",
                    "Filled, with a star: a best move. Whoever can win wins as soon as possible, whoever must lose holds out.",
                ],
                &[
                    "수에 적힌 `+5`: 그 수를 두는 쪽이 이기고, 그 수까지 5수 만에 끝납니다.",
                    "`−4`: 두는 쪽이 지고, 4수 만에 끝납니다. `=`: 비깁니다.",
                    "색이 채워지고 별이 붙은 것이 최선의 수입니다. 이길 수 있으면 되도록 빨리 이기고, 질 수밖에 없으면 되도록 오래 버팁니다.",
                ],
            ),
        ),
        (
            lang.pick("How to move", "두는 법"),
            lang.pick(
                &[
                    "Click the cell that a token goes to, or drag the token there.",
                    "Take up a piece below the board, turn it, and click where it is to lie; or click its cells one after the other, or drag over them.",
                    "Click a token of a heap: it and those to its right are taken; where heaps are split, it alone, or those above a mark.",
                    "Everything that a page shows is in its address: pass it on, or go back.",
                ],
                &[
                    "말이 갈 칸을 누르거나, 말을 그 칸으로 끌어 놓으세요.",
                    "판 아래에서 조각을 골라 돌린 뒤 놓을 곳을 누르세요. 놓을 칸을 하나씩 누르거나, 그 위로 끌어도 됩니다.",
                    "더미의 돌을 누르면 그 돌과 오른쪽 돌을 모두 가져갑니다. 더미가 나뉘는 게임에서는 그 돌 하나만, 또는 표시 위의 나란한 돌을 가져갑니다.",
                    "페이지에 보이는 것은 모두 주소에 들어 있습니다. 주소를 그대로 전하거나 뒤로 갈 수 있습니다.",
                ],
            ),
        ),
        (
            lang.pick("What else there is", "더 해 볼 것"),
            lang.pick(
                &[
                    "Play against the perfect player, and look back at the game afterwards.",
                    "Learn how it is done, in ten lessons; solve the puzzle of the day.",
                    "Change a game's rules or size on its page, or put up any position.",
                ],
                &[
                    "완벽한 상대와 두고, 끝난 뒤에는 복기해 보세요.",
                    "어떻게 푸는지 수업 열 편으로 배우고, 오늘의 퍼즐을 풀어 보세요.",
                    "게임 페이지에서 규칙이나 판의 크기를 바꾸거나, 원하는 국면을 직접 놓아 보세요.",
                ],
            ),
        ),
    ]
}

pub(crate) fn all_keys(lang: Lang) -> [(&'static str, &'static str); 10] {
    [
        ("Tab ← ↑ → ↓", lang.pick("go from cell to cell", "칸 사이를 오갑니다")),
        ("Enter", lang.pick("make the move", "수를 둡니다")),
        ("u", lang.pick("take the last move back", "한 수 무릅니다")),
        ("r", lang.pick("play it again", "무른 수를 다시 둡니다")),
        ("n", lang.pick("play the next move of the best line", "최선의 다음 수를 둡니다")),
        ("1 .. 9", lang.pick("take a piece up", "조각을 고릅니다")),
        ("t", lang.pick("turn the piece", "조각을 돌립니다")),
        ("m", lang.pick("mirror the piece", "조각을 뒤집습니다")),
        ("h", lang.pick("a hint, at a puzzle", "퍼즐에서 힌트를 봅니다")),
        ("Esc", lang.pick("drop the piece or the cells that are picked", "고른 조각이나 칸을 취소합니다")),
    ]
}
