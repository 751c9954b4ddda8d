//! Tic-tac-toe: statement, validators and programs.

use super::problem::{Problem, Source, Statement};

pub(crate) const PROBLEM: Problem = Problem {
    english: Statement {
        title: "Tic-tac-toe",
        legend: &[
            "Two players in turn mark a free cell of a board of 3 rows and 3 columns: the first with `x`, the second \
             with `o`. Who first has three of their marks in a row, a column or a diagonal wins, and the game is \
             over. On a full board without such a line, the game is a tie.",
            "Some moves have been made already. From there, both play perfectly: find who wins.",
        ],
        input: &[
            "The first line has the number of cases, from 1 to 50. Each case is three lines of three characters, the \
             rows of the board: `.` is a free cell, `x` and `o` are marks. Every board can occur in a game; the game \
             may be over.",
        ],
        output: &["For each case, print a line: `x` or `o` for who wins, `TIE` if nobody does."],
    },
    korean: Statement {
        title: "틱택토",
        legend: &[
            "두 사람이 3행 3열의 판에서 번갈아 빈칸 하나에 표시합니다. 먼저 하는 사람은 `x`, 다음 사람은 `o`로 표시합니다. 자기 \
             표시 세 개를 한 행이나 한 열, 또는 대각선에 먼저 늘어놓은 사람이 이기고 게임은 끝납니다. 그런 줄이 없이 판이 다 차면 \
             비깁니다.",
            "이미 몇 수가 두어져 있습니다. 그다음부터 둘 다 최선을 다할 때 누가 이기는지 구하세요.",
        ],
        input: &[
            "첫 줄에는 테스트 케이스의 수가 1 이상 50 이하로 주어집니다. 각 케이스는 세 글자씩 세 줄이며 판의 각 행입니다. `.`은 \
             빈칸, `x`와 `o`는 표시입니다. 실제 게임에서 나올 수 있는 판만 주어지며, 이미 끝난 판일 수도 있습니다.",
        ],
        output: &["케이스마다 한 줄에, 이기는 사람인 `x`나 `o`를, 비기면 `TIE`를 출력합니다."],
    },
    validate: include_str!("tictactoe/validate.py"),
    validator: include_str!("tictactoe/validator.cpp"),
    // Test fixtures of the judge.
    accepted: &[
        Source::new("right.cpp", include_str!("../../tests/programs/right-tictactoe.cpp")),
        Source::new("right-too.py", include_str!("../../tests/programs/right-tictactoe.py")),
    ],
    wrong: &[
        Source::new("full-board.cpp", include_str!("../../tests/programs/tictactoe-full-board.cpp")),
        Source::new("diagonal.py", include_str!("../../tests/programs/tictactoe-diagonal.py")),
    ],
};
