//! Words about the values of partizan positions.

use super::players::Name;
use super::{Lang, phrases};

phrases! {
    title: "Parts and values", "부분과 값";
    lead:
        "A move changes one part alone. The value of a part says what it is worth in any sum: a positive number counts the moves to spare of \
         Left. The temperature is what a move in the part gains; in a number nobody wants to move.",
        "한 수는 한 부분만 바꿉니다. 부분의 값은 다른 부분과 함께 놓였을 때 그 부분이 갖는 가치입니다. 양수는 왼쪽 편이 그만큼 더 둘 수 있다는 뜻입니다. 온도는 \
         그 부분에 한 수 두어 얻는 이득이며, 값이 수이면 아무도 먼저 두려 하지 않습니다.";
    value: "Value", "값";
    mean: "Mean", "평균";
    temperature: "Temperature", "온도";
    /// The temperature of a number.
    number: "a number", "수";
    sum: "Sum", "합";
    values: "Values", "값 계산";
    values_lead:
        "What positions and values are worth in sums: numbers (3/4), nimbers (*2), arrows (^ or ↑), games ({1|0}, +-1) and positions \
         (domineering(../..), cram(4x4)), with +, -, and one comparison (<, =, ||) between.",
        "국면과 값이 합에서 갖는 가치를 구합니다. 수(3/4), 님버(*2), 화살표(^ 또는 ↑), 게임({1|0}, +-1), 국면(domineering(../..), cram(4x4))을 +와 -로 \
         잇고, 비교 기호(<, =, ||)를 하나 쓸 수 있습니다.";
    expression: "The expression", "식";
    work_out: "Work it out", "계산하기";
    thermograph: "Thermograph", "온도 그래프";
    stops: "Stops", "멈추는 수";
    bounds: "Bounds", "한계";
    weight: "Atomic weight", "원자량";
    game: "Game", "게임";
    left_wins: "Left begins, and wins by", "왼쪽 편이 먼저 두면 이기는 수";
    right_wins: "Right begins, and wins by", "오른쪽 편이 먼저 두면 이기는 수";
    not_all:
        "There was no time for all of it; `balpan value` on your own machine takes longer.",
        "시간 안에 다 구하지 못했습니다. 자기 컴퓨터의 `balpan value`로는 더 오래 구할 수 있습니다.";
    play_here(game: &str, temperature: &str):
        "Play here: {game}, temperature {temperature}.",
        "여기에 두세요: {game}, 온도 {temperature}.";
    within(game: &str): "in {game}", "({game})";
    too_long:
        ("an expression of more than 2,000 bytes", "take a shorter one"),
        ("식이 2,000바이트를 넘습니다", "더 짧은 식을 쓰세요");
    too_hard:
        (
            "the values of these parts take too long to find",
            "take a later position or a smaller board; `balpan solve --cgt` on your own machine takes longer",
        ),
        (
            "이 부분들의 값을 구하는 데 너무 오래 걸립니다",
            "나중 국면이나 더 작은 판을 고르세요. 자기 컴퓨터의 `balpan solve --cgt`로는 더 오래 풀 수 있습니다",
        );
}

/// Says who wins. `left` and `right` tell whether that player wins by moving first.
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

/// The expression that the page shows at first.
pub(crate) const EXAMPLE: &str = "domineering(../..) + domineering(.../...) - 1/2";

/// Says who wins, by the name of the outcome class: `left`, `right`, `first` or `second`.
pub(crate) fn outcome(lang: Lang, outcome: &str) -> &'static str {
    match outcome {
        "left" => lang.pick("Left wins, whoever begins.", "누가 먼저 두든 왼쪽 편이 이깁니다."),
        "right" => lang.pick("Right wins, whoever begins.", "누가 먼저 두든 오른쪽 편이 이깁니다."),
        "first" => lang.pick("Whoever begins wins.", "먼저 두는 쪽이 이깁니다."),
        _ => lang.pick("Whoever begins loses.", "먼저 두는 쪽이 집니다."),
    }
}

/// Says whether a comparison holds, and else which one does.
pub(crate) fn compared(lang: Lang, holds: bool, is: &str) -> String {
    match holds {
        true => lang.pick("Yes. Of the difference:".to_owned(), "예. 차에 대해서는 다음과 같습니다.".to_owned()),
        false => lang.pick(
            format!("No, it is {is}. Of the difference:"),
            format!("아니요, {is}입니다. 차에 대해서는 다음과 같습니다."),
        ),
    }
}
