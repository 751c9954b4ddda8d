//! Words of the page about `balpan stress`.

use super::{Lang, phrases};

phrases! {
    title: "Check your program", "내 프로그램 검사";
    /// The title in a word, for the navigation.
    short: "Check", "검사";
    lead:
        "Have you solved one of these problems? `balpan stress` runs your program on thousands of cases on your own machine, and finds the \
         smallest on which it is wrong or too slow:",
        "이 문제를 푸셨나요? `balpan stress`는 자기 컴퓨터에서 프로그램을 직접 돌려 보며 수천 가지 입력을 시험하고, 틀리거나 너무 느린 가장 작은 입력을 찾아 \
         줍니다.";
    input: "Input", "입력";
    output: "Output", "출력";
}

/// Describes a problem's input and output.
pub(crate) fn format(lang: Lang, problem: &str) -> &'static str {
    match problem {
        "platforms" => lang.pick(
            "A case a line, as JSON: the board (1 a tile, 0 none), and the rows and columns of A and B. The answer is the number of plies \
             of the game, if the winner hurries and the loser holds out.",
            "한 줄에 케이스 하나, JSON으로 적습니다. 판(1은 발판, 0은 빈 곳)과 A, B의 행과 열입니다. 답은 이기는 쪽은 서두르고 지는 쪽은 버틸 때 게임이 \
             끝날 때까지의 수입니다.",
        ),
        "blockgame" => lang.pick(
            "The number of cases, then five lines each: `.` is a free cell, `#` a filled one. The answer is `WINNING` or `LOSING`, for the \
             player to move.",
            "첫 줄은 케이스의 수, 이어서 케이스마다 다섯 줄입니다. `.`은 빈칸, `#`은 채워진 칸입니다. 답은 차례인 쪽에서 본 `WINNING` 또는 `LOSING`입니다.",
        ),
        _ => lang.pick(
            "The number of cases, then three lines each of `.`, `x` and `o`; x moves first. The answer is the winner under perfect play, \
             `x` or `o`, or `TIE`.",
            "첫 줄은 케이스의 수, 이어서 케이스마다 `.`, `x`, `o`로 된 세 줄입니다. x가 먼저 둡니다. 답은 서로 최선을 다할 때 이기는 쪽 `x` 또는 `o`, \
             비기면 `TIE`입니다.",
        ),
    }
}
