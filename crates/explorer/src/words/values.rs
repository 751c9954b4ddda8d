//! What is said of the values of partizan positions.

use super::Lang;
use super::players::Name;
use super::refusal::Words;

pub(crate) fn title(lang: Lang) -> &'static str {
    lang.pick("Parts and values", "부분과 값")
}

pub(crate) fn lead(lang: Lang) -> &'static str {
    lang.pick(
        "A move changes one part alone. The value of a part says what it is worth in any sum: a positive number is so many moves to spare for \
         Left. The temperature is what a move in the part gains; in a number nobody wants to move.",
        "한 수는 한 부분만 바꿉니다. 부분의 값은 다른 부분과 함께 놓였을 때 그 부분이 갖는 가치입니다. 양수는 왼쪽 편이 그만큼 더 둘 수 있다는 뜻입니다. 온도는 \
         그 부분에 한 수 두어 얻는 이득이며, 값이 수이면 아무도 먼저 두려 하지 않습니다.",
    )
}

pub(crate) fn value(lang: Lang) -> &'static str {
    lang.pick("Value", "값")
}

pub(crate) fn mean(lang: Lang) -> &'static str {
    lang.pick("Mean", "평균")
}

pub(crate) fn temperature(lang: Lang) -> &'static str {
    lang.pick("Temperature", "온도")
}

/// The temperature of a number.
pub(crate) fn number(lang: Lang) -> &'static str {
    lang.pick("a number", "수")
}

pub(crate) fn sum(lang: Lang) -> &'static str {
    lang.pick("Sum", "합")
}

/// Who wins: `left` and `right` say whether that player wins who begins.
pub(crate) fn verdict(lang: Lang, names: [Name; 2], left: bool, right: bool) -> String {
    let whoever = |name: Name| match lang {
        Lang::En => format!("{} wins, whoever begins.", name.plain),
        Lang::Ko => format!("누가 먼저 두든 {} 이깁니다.", name.subject),
    };
    match (left, right) {
        (true, false) => whoever(names[0]),
        (false, true) => whoever(names[1]),
        (true, true) => lang.pick("Whoever begins wins.", "먼저 두는 쪽이 이깁니다.").to_owned(),
        (false, false) => lang.pick("Whoever begins loses.", "먼저 두는 쪽이 집니다.").to_owned(),
    }
}

/// What there is no room or time for.
pub(crate) fn too_hard(lang: Lang) -> Words {
    let (found, help) = lang.pick(
        (
            "the values of these parts take too long to find",
            "take a later position or a smaller board; `balpan solve --cgt` on your own machine takes longer",
        ),
        (
            "이 부분들의 값을 구하는 데 너무 오래 걸립니다",
            "나중 국면이나 더 작은 판을 고르세요. 자기 컴퓨터의 `balpan solve --cgt`로는 더 오래 풀 수 있습니다",
        ),
    );
    (found.to_owned(), help.to_owned())
}
