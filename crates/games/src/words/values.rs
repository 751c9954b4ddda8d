//! Messages about expressions of values.

use balpan_cgt::ExpressionErrorKind;

use super::{Explanation, Lang, did_you_mean};
use crate::error::ValuesError;
use crate::presets;

pub(super) fn values(lang: Lang, mistake: &ValuesError) -> Explanation {
    match mistake {
        ValuesError::Written { kind } => written(lang, *kind),
        ValuesError::NoGame { name } => {
            let names: Vec<_> = presets::all().into_iter().map(|(name, _)| name).collect();
            let (name, meant, names) = (name.escape_debug(), did_you_mean(lang, name, &names), names.join(", "));
            lang.pick(
                Explanation::new(
                    format!("`{name}` is neither a value nor a game nor a file"),
                    format!("{meant}the games are {names}; or give the path of a rules file"),
                ),
                Explanation::new(
                    format!("`{name}`: 값도, 게임 이름도, 파일 경로도 아닙니다"),
                    format!("{meant}게임: {names}. 규칙 파일의 경로를 적어도 됩니다"),
                ),
            )
        }
        ValuesError::Misere { name } => lang.pick(
            Explanation::new(
                format!("{name} is played by the misère convention: its positions have no values that add up"),
                "who wins a sum of misère games can be asked, and what they amount to in sums of each other: their misère quotient",
            ),
            Explanation::new(
                format!("{name}: 마지막에 둔 쪽이 지는 미제르 게임이라, 국면에 더할 수 있는 값이 없습니다"),
                "미제르 게임끼리의 합에서 누가 이기는지와 미제르 몫은 따로 구할 수 있습니다",
            ),
        ),
        ValuesError::NoValues { name } => lang.pick(
            Explanation::new(
                format!("{name} has no values that add up"),
                "those of placement games, of heaps, of lines with shared marks, and of games in the rules language do, where who cannot move loses",
            ),
            Explanation::new(
                format!("{name}: 국면에 더할 수 있는 값이 없는 게임입니다"),
                "둘 수 없는 쪽이 지는 놓기 게임, 더미 게임, 같은 표시를 함께 쓰는 줄 게임, 규칙 언어로 쓴 게임에 값이 있습니다",
            ),
        ),
    }
}

fn written(lang: Lang, mistake: ExpressionErrorKind) -> Explanation {
    let english = mistake.to_string();
    let (korean, help) = match mistake {
        ExpressionErrorKind::NoValue => ("값이 와야 할 자리입니다", EXPECTED),
        ExpressionErrorKind::NotDyadic => {
            ("분모가 2의 거듭제곱이 아닙니다", ("such as 1/2, 3/4 or 0.625", "1/2, 3/4, 0.625처럼 적으세요"))
        }
        ExpressionErrorKind::TooLarge => (
            "너무 크거나 너무 잘게 나뉜 수입니다",
            ("take a smaller or coarser one", "더 작거나 덜 잘게 나뉜 수를 쓰세요"),
        ),
        ExpressionErrorKind::Unclosed => ("닫히지 않았습니다", ("close it with `)` or `}`", "`)`나 `}`로 닫으세요")),
        ExpressionErrorKind::NoBar => (
            "왼쪽 편의 수와 오른쪽 편의 수 사이에 `|`가 없습니다",
            ("such as {1|0} or {0|}", "{1|0}이나 {0|}처럼 적으세요"),
        ),
        ExpressionErrorKind::EqualBars => (
            "길이가 같은 막대가 둘입니다. 어느 쪽이 먼저입니까?",
            ("make one longer: {2||1|0} is {2|{1|0}}", "하나를 더 길게 적으세요. {2||1|0}은 {2|{1|0}}입니다"),
        ),
        ExpressionErrorKind::TwoRelations => {
            ("비교가 두 번 나옵니다", ("compare two values at a time", "한 번에 두 값만 비교하세요"))
        }
        ExpressionErrorKind::NotWhole => {
            ("게임의 분수배는 없습니다", ("such as 3·domineering(../..)", "3·domineering(../..)처럼 정수배로 적으세요"))
        }
        ExpressionErrorKind::TooDeep => ("너무 깊이 겹쳐 있습니다", ("take fewer levels", "겹치는 단계를 줄이세요")),
        _ => ("연산자도, 식의 끝도 아닙니다", EXPECTED),
    };
    lang.pick(Explanation::new(english, help.0), Explanation::new(korean, help.1))
}

const EXPECTED: (&str, &str) = (
    "values are numbers (3/4), nimbers (*2), arrows (^ or ↑), games ({1|0}, +-1, +_2) and positions (domineering(../..)), \
     with +, - and comparisons between",
    "수(3/4), 님버(*2), 화살표(^ 또는 ↑), 게임({1|0}, +-1, +_2), 국면(domineering(../..))을 +, -, 비교 기호로 잇습니다",
);
