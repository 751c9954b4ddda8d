//! The rules of games of lines and the errors in their positions in words.

use super::{LinesError, Marks, Rules};
use crate::words::{Explanation, Lang};

/// Describes the rules, one sentence each.
pub(super) fn describe(lang: Lang, rules: &Rules) -> Vec<String> {
    let k = rules.k;
    let marks = match rules.marks {
        Marks::Own => {
            lang.pick("X and O mark a free cell in turn; X begins.", "번갈아 빈칸에 X와 O를 놓습니다. X가 먼저 둡니다.")
        }
        Marks::Shared => {
            lang.pick("In turn, both players mark a free cell X.", "두 사람 모두 번갈아 빈칸에 X를 둡니다.")
        }
    };
    let mut sentences = vec![marks.to_owned()];
    if rules.gravity {
        let text = lang.pick(
            "Marks fall to the lowest free cell of their column.",
            "놓은 표시는 그 열의 가장 아래 빈칸까지 떨어집니다.",
        );
        sentences.push(text.to_owned());
    }
    let line = if rules.overlines {
        lang.pick(
            format!("{k} in a row or more, along a row, a column or a diagonal, make a line."),
            format!("가로, 세로, 대각선으로 {k}개 이상 이어지면 줄이 됩니다."),
        )
    } else {
        lang.pick(
            format!("Exactly {k} in a row, along a row, a column or a diagonal, make a line; more do not."),
            format!("가로, 세로, 대각선으로 정확히 {k}개가 이어져야 줄이 됩니다."),
        )
    };
    sentences.push(line);
    let end = if rules.misere {
        lang.pick("Who makes a line loses.", "줄을 만드는 쪽이 집니다.")
    } else {
        lang.pick("Who makes a line wins.", "줄을 만드는 쪽이 이깁니다.")
    };
    sentences.push(end.to_owned());
    sentences.push(lang.pick("A full board without one is a draw.", "줄 없이 판이 다 차면 무승부입니다.").to_owned());
    sentences
}

/// Explains an error in a position.
pub(crate) fn explain(lang: Lang, mistake: &LinesError) -> Explanation {
    match mistake {
        LinesError::AfterEnd { column } => lang.pick(
            Explanation::new(
                format!("a move to column {column} after the game has ended"),
                "leave out what follows the line",
            ),
            Explanation::new(format!("게임이 끝난 뒤에 {column}열에 두었습니다"), "줄이 완성된 뒤의 수는 빼세요"),
        ),
        LinesError::NotAColumn { glyph, columns } => {
            let glyph = glyph.escape_debug();
            lang.pick(
                Explanation::new(
                    format!("`{glyph}` is not a column"),
                    format!("the columns played are digits from 1 to {columns}"),
                ),
                Explanation::new(
                    format!("`{glyph}`: 열 번호가 아닙니다"),
                    format!("둔 열은 1부터 {columns}까지의 숫자로 적습니다"),
                ),
            )
        }
        LinesError::NoColumn { column, columns } => lang.pick(
            Explanation::new(format!("no column {column}"), format!("columns are numbered from 1 to {columns}")),
            Explanation::new(format!("{column}열은 없습니다"), format!("열 번호는 1부터 {columns}까지입니다")),
        ),
        LinesError::FullColumn { column, rows } => lang.pick(
            Explanation::new(format!("column {column} is full"), format!("a column has {rows} cells")),
            Explanation::new(format!("{column}열은 꽉 찼습니다"), format!("한 열은 {rows}칸입니다")),
        ),
        LinesError::Floating => lang.pick(
            Explanation::new("a mark with a free cell below it", "marks fall to the bottom"),
            Explanation::new("아래가 빈칸인 표시입니다", "표시는 맨 아래 빈칸까지 떨어집니다"),
        ),
        LinesError::Counts { x, o } => lang.pick(
            Explanation::new(
                format!("{x} X and {o} O"),
                "X begins, so there are as many X as O, or one more; give the side to move, ` x` or ` o`, if it is \
                 meant so",
            ),
            Explanation::new(
                format!("X가 {x}개, O가 {o}개입니다"),
                "X가 먼저 두므로 X는 O와 같거나 하나 더 많습니다. 일부러 이렇게 두었다면 ` x` 또는 ` o`로 차례를 \
                 적으세요",
            ),
        ),
        LinesError::LineOfMover { mark } => lang.pick(
            Explanation::new(
                format!("a line of {mark}, who is to move"),
                "the game ends with the first line, so only the player who has just moved can have one",
            ),
            Explanation::new(
                format!("{mark}의 차례인데 {mark}의 줄이 이미 있습니다"),
                "첫 줄이 생기면 게임이 끝나므로, 줄은 방금 둔 쪽에만 있을 수 있습니다",
            ),
        ),
        LinesError::TooManyLines { mark } => lang.pick(
            Explanation::new(
                format!("more lines of {mark} than one move can complete"),
                "the game ends with the first line",
            ),
            Explanation::new(
                format!("{mark}의 줄이 한 수로 만들 수 있는 것보다 많습니다"),
                "첫 줄이 생기면 게임이 끝납니다",
            ),
        ),
    }
}
