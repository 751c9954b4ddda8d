//! Messages about combinatorial values.

use balpan_games::{Lang, phrases};

phrases! {
    value: "value", "값";
    outcome: "outcome", "결과";
    /// The result of `solve --cgt`.
    position_value(value: &str, wins: &str): "Its value is {value}: {wins}.", "값: {value}. {wins}.";
    stops: "stops", "멈추는 수";
    bounds: "bounds", "한계";
    between(least: i64, most: i64): "from {least} to {most}", "{least} 이상 {most} 이하";
    mean: "mean", "평균";
    temperature: "temperature", "온도";
    none: "none, as it is a number", "없음(값이 수입니다)";
    birthday: "birthday", "생일";
    weight: "atomic weight", "원자량";
    incentives: "incentives", "유인";
    left: "Left", "왼쪽 편";
    right: "Right", "오른쪽 편";
    difference: "The difference:", "차:";
    /// The heading of winning moves.
    begins(player: &str): "{player} begins, and wins by", "{player}이 먼저 두면 이기는 수";
    /// The heading of moves that lose, with the winning replies.
    loses(player: &str): "{player} begins, and loses", "{player}이 먼저 두면 집니다";
    /// A move and the reply to it.
    reply(mv: &str, reply: &str): "to {mv}: {reply}", "{mv}에는: {reply}";
    no_move: "there is no move", "둘 수가 없습니다";
    more(moves: usize): ".. and {moves} more", ".. 그 밖에 {moves}개";
    cut: "More is left out, where `…` stands.", "`…`가 있는 곳은 생략한 부분입니다.";
    /// Why the answer is incomplete.
    unfinished(why: &str): "Not all is told: {why}.", "끝까지 구하지 못했습니다: {why}.";
    /// The cost of `value`.
    cost(forms: &str, positions: &str, seconds: f64):
        "{forms} forms, {positions} positions, {seconds:.2} s",
        "정준형 {forms}개, 국면 {positions}개, {seconds:.2}초";
    games: "The games of the sum:", "합을 이루는 게임:";
}

/// The meaning of an outcome class: `left`, `right`, `first` or `second`.
pub(crate) fn wins(lang: Lang, outcome: &str) -> &'static str {
    match outcome {
        "left" => lang.pick("Left wins, whoever begins", "누가 먼저 두든 왼쪽 편이 이깁니다"),
        "right" => lang.pick("Right wins, whoever begins", "누가 먼저 두든 오른쪽 편이 이깁니다"),
        "first" => lang.pick("whoever begins wins", "먼저 두는 쪽이 이깁니다"),
        _ => lang.pick("whoever begins loses", "먼저 두는 쪽이 집니다"),
    }
}

/// The cost of `solve --cgt`.
pub(crate) fn parts(lang: Lang, parts: &str, seconds: f64) -> String {
    let few = if parts == "1" { "part" } else { "parts" };
    lang.pick(
        format!("{parts} {few} settled in {seconds:.2} s"),
        format!("부분 {parts}개를 {seconds:.2}초에 풀었습니다"),
    )
}

/// The numbers at which play stops.
pub(crate) fn stops_at(lang: Lang, left: &str, right: &str) -> String {
    if left == right {
        return left.to_owned();
    }
    lang.pick(
        format!("{left} when Left begins, {right} when Right does"),
        format!("왼쪽 편이 먼저 두면 {left}, 오른쪽 편이 먼저 두면 {right}"),
    )
}

/// A number between two bounds.
pub(crate) fn about(lang: Lang, least: i64, most: i64) -> String {
    if least == most {
        return least.to_string();
    }
    lang.pick(format!("{least} to {most}"), format!("{least}~{most}"))
}

/// Whether a comparison holds, and the one that does.
pub(crate) fn compared(lang: Lang, holds: bool, is: &str) -> String {
    let meaning = match is {
        "<" => lang.pick("the second is better for Left", "둘째가 왼쪽 편에 더 좋습니다"),
        ">" => lang.pick("the first is better for Left", "첫째가 왼쪽 편에 더 좋습니다"),
        "=" => lang.pick("both are worth the same", "둘의 값이 같습니다"),
        _ => lang.pick(
            "neither is better: who moves first wins the difference",
            "어느 쪽도 더 좋지 않습니다. 차에서는 먼저 두는 쪽이 이깁니다",
        ),
    };
    match holds {
        true => lang.pick(format!("Yes: {meaning}."), format!("예: {meaning}.")),
        false => lang.pick(format!("No: it is `{is}`, {meaning}."), format!("아니요: `{is}`입니다. {meaning}.")),
    }
}

/// The position or value that a move leaves.
pub(crate) fn leaves(lang: Lang, game: &str, mv: &str, value: &str, is_position: bool) -> String {
    match is_position {
        true => lang.pick(format!("{mv} in {game}, which leaves {value}"), format!("{game}에서 {mv}, 남는 값 {value}")),
        false => lang.pick(format!("{game} to {mv}"), format!("{game}에서 {mv}로")),
    }
}
