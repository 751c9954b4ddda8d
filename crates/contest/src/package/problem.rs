//! The parts of the packages besides their tests: statements, validators and programs.

/// A problem's statement, validators and example programs.
#[derive(Debug)]
pub struct Problem {
    /// The statement in English.
    pub(super) english: Statement,
    /// The statement in Korean.
    pub(super) korean: Statement,
    /// A Python program that exits with 42 if an input is valid, and otherwise with 43.
    pub(super) validate: &'static str,
    /// A validator for testlib, in C++.
    pub(super) validator: &'static str,
    /// Right programs, at least one. The first is the main one.
    pub(super) accepted: &'static [Source],
    /// Programs that test data with full coverage finds wrong.
    pub(super) wrong: &'static [Source],
}

/// A statement in one language. Text between backticks is code.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) title: &'static str,
    pub(super) legend: &'static [&'static str],
    pub(super) input: &'static [&'static str],
    pub(super) output: &'static [&'static str],
}

/// A program's file name and text.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) name: &'static str,
    text: &'static str,
}

impl Source {
    pub(super) const fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text }
    }

    /// Returns the text; a Python program gets a `#!` line if it has none.
    pub(super) fn text(&self) -> String {
        let is_python = self.name.ends_with(".py");
        let line = if is_python && !self.text.starts_with("#!") { "#!/usr/bin/env python3\n" } else { "" };
        format!("{line}{}", self.text)
    }
}

/// Converts paragraphs to LaTeX.
pub(super) fn tex(paragraphs: &[&str]) -> String {
    let paragraphs: Vec<_> = paragraphs.iter().map(|text| paragraph(text)).collect();
    paragraphs.join("\n\n") + "\n"
}

fn paragraph(text: &str) -> String {
    let mut tex = String::new();
    for (n, part) in text.split('`').enumerate() {
        let is_code = n % 2 == 1;
        tex.push_str(if is_code { r"\texttt{" } else { "" });
        for c in part.chars() {
            match c {
                '\\' => tex.push_str(r"\textbackslash{}"),
                '#' | '$' | '%' | '&' | '_' | '{' | '}' => tex.extend(['\\', c]),
                '~' => tex.push_str(r"\textasciitilde{}"),
                '^' => tex.push_str(r"\textasciicircum{}"),
                c => tex.push(c),
            }
        }
        tex.push_str(if is_code { "}" } else { "" });
    }
    tex
}

pub(crate) const BLOCKGAME: Problem = Problem {
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

pub(crate) const PLATFORMS: Problem = Problem {
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

pub(crate) const TICTACTOE: Problem = Problem {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_special_characters_are_escaped() {
        assert_eq!(tex(&["one of `.#`, 5%", "`{a}`"]), "one of \\texttt{.\\#}, 5\\%\n\n\\texttt{\\{a\\}}\n");
    }
}
