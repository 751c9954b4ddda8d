//! The block game: statement, validators and programs.

use super::problem::{Problem, Source, Statement};

pub(crate) const PROBLEM: Problem = Problem {
    english: Statement {
        title: "Block game",
        legend: &[
            "Two players in turn put a block on a board of 5 rows and 5 columns. A block is a domino of two cells, or \
             an L of three cells: a square of 2 by 2 without one cell. Blocks may be turned and turned over, lie \
             within the board on free cells, and stay where they are. There are as many of them as are needed.",
            "A player who cannot put a block any more has lost. Some cells are filled already. Both play perfectly: \
             find whether the player who is to move wins.",
        ],
        input: &[
            "The first line has the number of cases, from 1 to 50. Each case is five lines of five characters, the \
             rows of the board: `.` is a free cell, `#` is a filled one.",
        ],
        output: &["For each case, print a line: `WINNING` if the player to move wins, `LOSING` if not."],
    },
    korean: Statement {
        title: "블록 게임",
        legend: &[
            "두 사람이 5행 5열의 판에 번갈아 블록을 하나씩 놓습니다. 블록은 두 칸짜리 도미노이거나, 2×2 정사각형에서 한 칸을 뺀 \
             세 칸짜리 L자입니다. 블록은 돌리거나 뒤집을 수 있고, 판 안의 빈칸에만 놓이며, 놓은 뒤에는 움직이지 않습니다. 블록은 \
             얼마든지 있습니다.",
            "블록을 더 놓을 수 없는 사람이 집니다. 이미 채워진 칸이 있을 수 있습니다. 둘 다 최선을 다할 때, 지금 차례인 사람이 \
             이기는지 구하세요.",
        ],
        input: &[
            "첫 줄에는 테스트 케이스의 수가 1 이상 50 이하로 주어집니다. 각 케이스는 다섯 글자씩 다섯 줄이며 판의 각 행입니다. \
             `.`은 빈칸, `#`은 채워진 칸입니다.",
        ],
        output: &["케이스마다 한 줄에, 지금 차례인 사람이 이기면 `WINNING`, 지면 `LOSING`을 출력합니다."],
    },
    validate: include_str!("blockgame/validate.py"),
    validator: include_str!("blockgame/validator.cpp"),
    // Test fixtures of the judge.
    accepted: &[
        Source::new("right.cpp", include_str!("../../tests/programs/right-blockgame.cpp")),
        Source::new("right-too.py", include_str!("../../tests/programs/right-blockgame.py")),
    ],
    wrong: &[
        Source::new("misere.cpp", include_str!("../../tests/programs/blockgame-misere.cpp")),
        Source::new("memo-count.py", include_str!("../../tests/programs/blockgame-memo-count.py")),
    ],
};
