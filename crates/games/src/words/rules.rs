//! Messages about rules files.

use super::board::size;
use super::{Explanation, Lang, did_you_mean};
use crate::error::RulesError;
use crate::heaps::MAX_TAKEN;
use crate::lines::MARKS;
use crate::registry::families;
use crate::walkers::STEPS;

pub(super) fn rules(lang: Lang, mistake: &RulesError) -> Explanation {
    match mistake {
        RulesError::Toml { message } => {
            let message = lang.pick(message.clone(), format!("규칙 파일을 읽을 수 없습니다: {message}"));
            Explanation::new(message, keys_help(lang))
        }
        RulesError::OtherFamily { found } => {
            let message =
                lang.pick(format!("`{found}` is not a family"), format!("`{found}`: 그런 종류(family)는 없습니다"));
            Explanation::new(
                message,
                did_you_mean(lang, found, &families().iter().map(|family| family.name).collect::<Vec<_>>())
                    + family_help(lang),
            )
        }
        RulesError::OtherKey { key, keys } => {
            let listed: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
            let listed = listed.join(", ");
            let message = lang.pick(
                format!("unknown field `{key}`, expected one of {listed}"),
                format!("`{key}`: 모르는 항목입니다. 쓸 수 있는 항목: {listed}"),
            );
            Explanation::new(message, did_you_mean(lang, key, keys) + keys_help(lang))
        }
        RulesError::MissingKey { key } => {
            let message = lang.pick(format!("missing field `{key}`"), format!("`{key}` 항목이 없습니다"));
            Explanation::new(message, keys_help(lang))
        }
        RulesError::NeitherBoardNorStart => Explanation::new(lang.pick("no board", "판이 없습니다"), board_help(lang)),
        RulesError::BoardAndStart => {
            Explanation::new(lang.pick("a board and a start", "board와 start가 함께 있습니다"), board_help(lang))
        }
        RulesError::BoardSize { error, max } => {
            let help = lang
                .pick(format!("rows by columns, {max} cells at most"), format!("행x열로 적습니다. 최대 {max}칸입니다"));
            Explanation::new(size(lang, error), help)
        }
        RulesError::OneTile => lang.pick(
            Explanation::new("two tokens on one tile that they may not share", "a larger board, or share = true"),
            Explanation::new("함께 설 수 없는 한 발판에 두 말이 있습니다", "판을 키우거나 share = true로 바꾸세요"),
        ),
        RulesError::OtherSteps { found } => {
            let message =
                lang.pick(format!("`{found}` is not a set of steps"), format!("`{found}`: 그런 이동 방식은 없습니다"));
            Explanation::new(message, did_you_mean(lang, found, &STEPS) + steps_help(lang))
        }
        RulesError::NoStep => Explanation::new(
            lang.pick("a step of no length, [0, 0]", "제자리로 가는 이동입니다: [0, 0]"),
            steps_help(lang),
        ),
        RulesError::LongStep { down, right } => {
            let message = lang.pick(
                format!("a step beyond any board, [{down}, {right}]"),
                format!("어떤 판에서도 벗어나는 이동입니다: [{down}, {right}]"),
            );
            Explanation::new(message, steps_help(lang))
        }
        RulesError::OtherMarks { found } => {
            let meant = did_you_mean(lang, found, &MARKS);
            lang.pick(
                Explanation::new(
                    format!("`{found}` is not a kind of marks"),
                    meant.clone() + "marks are \"own\" or \"shared\"",
                ),
                Explanation::new(
                    format!("`{found}`: 그런 표시(marks)는 없습니다"),
                    meant + "표시는 \"own\" 또는 \"shared\"입니다",
                ),
            )
        }
        RulesError::SmallK { k } => Explanation::new(
            lang.pick(format!("k = {k}"), format!("k = {k}입니다")),
            lang.pick("from 1 to the board's longer side", "1부터 판의 긴 변의 길이까지 쓸 수 있습니다"),
        ),
        RulesError::LargeK { k, board } => {
            let longest = board.rows().max(board.cols());
            lang.pick(
                Explanation::new(
                    format!("k = {k} on a board of {board}"),
                    format!("from 1 to {longest}, the board's longer side"),
                ),
                Explanation::new(
                    format!("{board} 판에서 k = {k}입니다"),
                    format!("1부터 판의 긴 변인 {longest}까지 쓸 수 있습니다"),
                ),
            )
        }
        RulesError::NoCode { found } => lang.pick(
            Explanation::new(
                format!("`{found}` is not a code"),
                "a code is `nim`, or octal or hexadecimal digits after `0.`, `4.`, `8.` or `C.`: `0.77` is Kayles",
            ),
            Explanation::new(
                format!("`{found}`: 코드가 아닙니다"),
                "코드는 `nim`이거나 `0.`, `4.`, `8.`, `C.` 뒤에 8진 또는 16진 숫자를 적은 것입니다. `0.77`은 케일스입니다",
            ),
        ),
        RulesError::NoTake { found } => lang.pick(
            Explanation::new(
                format!("`take = \"{found}\"` is not understood here"),
                format!(
                    "numbers of 1 to {MAX_TAKEN} and ranges such as `1, 3-5`, or `any`, `none`, `squares`, `divisors`, `powers \
                     of 4`, `less than half`, `at most half`, `even, or all if odd`, `Wythoff`"
                ),
            ),
            Explanation::new(
                format!("`take = \"{found}\"`: 이 부분을 읽을 수 없습니다"),
                format!(
                    "`1, 3-5`처럼 1부터 {MAX_TAKEN}까지의 수와 범위를 적거나, `any`, `none`, `squares`, `divisors`, `powers of 4`, \
                     `less than half`, `at most half`, `even, or all if odd`, `Wythoff`를 적습니다"
                ),
            ),
        ),
        RulesError::NoSplit { found } => lang.pick(
            Explanation::new(format!("`split = \"{found}\"`"), "`no`, `any`, `two` or `unequal`; with `take = \"Wythoff\"`, `no`"),
            Explanation::new(
                format!("`split = \"{found}\"`: 알 수 없는 값입니다"),
                "`no`, `any`, `two`, `unequal` 가운데 하나입니다. `take = \"Wythoff\"`에는 `no`만 씁니다",
            ),
        ),
        RulesError::CodeAndTake => lang.pick(
            Explanation::new("both `code` and `take` or `split`", "one of the two says what a move is: leave the other out"),
            Explanation::new(
                "`code`와 `take` 또는 `split`이 함께 있습니다",
                "수를 정하는 방법은 하나만 적습니다. 다른 하나를 빼세요",
            ),
        ),
    }
}

const fn keys_help(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "docs/rules.md lists the keys of each family",
        Lang::Ko => "종류마다 쓸 수 있는 항목은 docs/rules.md에 있습니다",
    }
}

const fn family_help(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "a rules file says `family = \"walkers\"`, `\"placement\"`, `\"lines\"` or `\"heaps\"`",
        Lang::Ko => {
            "규칙 파일에는 `family = \"walkers\"`처럼 적습니다. `\"placement\"`, `\"lines\"`, `\"heaps\"`도 있습니다"
        }
    }
}

const fn board_help(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "give `board = \"5x5\"` (rows by columns), or a position as `start`",
        Lang::Ko => "`board = \"5x5\"`(행x열)로 판을 정하거나, `start`에 국면을 적으세요",
    }
}

const fn steps_help(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "steps are \"orthogonal\", \"king\", \"knight\", \"queen\" or a list of [rows down, columns right]",
        Lang::Ko => {
            "이동 방식은 \"orthogonal\", \"king\", \"knight\", \"queen\" 또는 [아래로 몇 행, 오른쪽으로 몇 열]의 목록입니다"
        }
    }
}
