//! Disappearing platforms: statement, validators and programs.

use super::problem::{Problem, Source, Statement};

pub(crate) const PROBLEM: Problem = Problem {
    english: Statement {
        title: "Disappearing platforms",
        legend: &[
            "Two players, A and B, each have a token on a board of square tiles. Some cells of the board have no \
             tile. The players move in turn, and A begins. A move is a step of one's own token to a tile beside \
             it: up, down, left or right. The tile that it leaves vanishes. Both tokens may stand on one tile.",
            "A player who is to move and cannot, has lost. So has a player who is to move while the tile under \
             their token is gone, because the other token has left it.",
            "Both play perfectly: who can win does so in as few moves as can be, and who must lose holds out for \
             as many as can be. Find how many moves both of them make in all.",
        ],
        input: &[
            "Each line is one case, as a JSON object without blanks: \
             `{\"board\":[[1,1,1],[1,0,1]],\"aloc\":[1,0],\"bloc\":[1,2]}`. There is at least one line.",
            "`board` has the rows from the top, at most 5 of them, and each has the same number of cells, at most \
             5: `1` is a tile, `0` is none. `aloc` and `bloc` are the row and the column of the tokens of A and B, \
             counted from 0. Both stand on tiles.",
        ],
        output: &["For each case, print a line with the number of moves."],
    },
    korean: Statement {
        title: "사라지는 발판",
        legend: &[
            "두 사람 A와 B가 정사각형 발판으로 이루어진 판 위에 말을 하나씩 두고 있습니다. 발판이 없는 칸도 있습니다. \
             A부터 시작해 번갈아 움직입니다. 자기 차례에는 자기 말을 위, 아래, 왼쪽, 오른쪽 가운데 발판이 있는 한 칸으로 \
             옮깁니다. 말이 떠난 발판은 사라집니다. 두 말이 한 발판에 함께 있을 수 있습니다.",
            "자기 차례에 움직일 수 없으면 집니다. 상대의 말이 떠나서 자기 말이 있던 발판이 사라졌다면, 자기 차례에 집니다.",
            "둘 다 최선을 다합니다. 이길 수 있는 사람은 가장 빨리 이기려 하고, 질 수밖에 없는 사람은 가장 오래 버티려 합니다. \
             두 사람이 움직인 횟수를 모두 더한 값을 구하세요.",
        ],
        input: &[
            "한 줄이 한 테스트 케이스이며, 빈칸 없는 JSON 객체입니다: \
             `{\"board\":[[1,1,1],[1,0,1]],\"aloc\":[1,0],\"bloc\":[1,2]}`. 한 줄 이상 주어집니다.",
            "`board`는 위에서부터의 행이며, 많아야 5개입니다. 각 행의 칸 수는 서로 같고 많아야 5개입니다. `1`은 발판이 있는 칸, \
             `0`은 없는 칸입니다. `aloc`과 `bloc`은 A와 B의 말이 있는 행과 열이며 0부터 셉니다. 두 말은 발판 위에 있습니다.",
        ],
        output: &["케이스마다 한 줄에 움직인 횟수를 출력합니다."],
    },
    validate: include_str!("platforms/validate.py"),
    validator: include_str!("platforms/validator.cpp"),
    // Test fixtures of the judge.
    accepted: &[Source::new("right.py", include_str!("../../tests/programs/right-platforms-memo.py"))],
    wrong: &[
        Source::new("memo-tiles.py", include_str!("../../tests/programs/platforms-memo-tiles.py")),
        Source::new("memo-other.py", include_str!("../../tests/programs/platforms-memo-other.py")),
    ],
};
