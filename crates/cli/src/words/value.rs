//! Messages about combinatorial values.

use balpan_games::Lang;

pub(crate) fn value(lang: Lang) -> &'static str {
    lang.pick("value", "값")
}

pub(crate) fn outcome(lang: Lang) -> &'static str {
    lang.pick("outcome", "결과")
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

/// The result of `solve --cgt`.
pub(crate) fn position_value(lang: Lang, value: &str, wins: &str) -> String {
    lang.pick(format!("Its value is {value}: {wins}."), format!("값: {value}. {wins}."))
}

/// The cost of `solve --cgt`.
pub(crate) fn parts(lang: Lang, parts: &str, seconds: f64) -> String {
    let few = if parts == "1" { "part" } else { "parts" };
    lang.pick(
        format!("{parts} {few} settled in {seconds:.2} s"),
        format!("부분 {parts}개를 {seconds:.2}초에 풀었습니다"),
    )
}

pub(crate) fn stops(lang: Lang) -> &'static str {
    lang.pick("stops", "멈추는 수")
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

pub(crate) fn bounds(lang: Lang) -> &'static str {
    lang.pick("bounds", "한계")
}

pub(crate) fn between(lang: Lang, least: i64, most: i64) -> String {
    lang.pick(format!("from {least} to {most}"), format!("{least} 이상 {most} 이하"))
}

/// A number between two bounds.
pub(crate) fn about(lang: Lang, least: i64, most: i64) -> String {
    if least == most {
        return least.to_string();
    }
    lang.pick(format!("{least} to {most}"), format!("{least}~{most}"))
}

pub(crate) fn mean(lang: Lang) -> &'static str {
    lang.pick("mean", "평균")
}

pub(crate) fn temperature(lang: Lang) -> &'static str {
    lang.pick("temperature", "온도")
}

pub(crate) fn none(lang: Lang) -> &'static str {
    lang.pick("none, as it is a number", "없음(값이 수입니다)")
}

pub(crate) fn birthday(lang: Lang) -> &'static str {
    lang.pick("birthday", "생일")
}

pub(crate) fn weight(lang: Lang) -> &'static str {
    lang.pick("atomic weight", "원자량")
}

pub(crate) fn incentives(lang: Lang) -> &'static str {
    lang.pick("incentives", "유인")
}

pub(crate) fn left(lang: Lang) -> &'static str {
    lang.pick("Left", "왼쪽 편")
}

pub(crate) fn right(lang: Lang) -> &'static str {
    lang.pick("Right", "오른쪽 편")
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

pub(crate) fn difference(lang: Lang) -> &'static str {
    lang.pick("The difference:", "차:")
}

/// The heading of winning moves.
pub(crate) fn begins(lang: Lang, player: &str) -> String {
    lang.pick(format!("{player} begins, and wins by"), format!("{player}이 먼저 두면 이기는 수"))
}

/// The heading of moves that lose, with the winning replies.
pub(crate) fn loses(lang: Lang, player: &str) -> String {
    lang.pick(format!("{player} begins, and loses"), format!("{player}이 먼저 두면 집니다"))
}

/// The position or value that a move leaves.
pub(crate) fn leaves(lang: Lang, game: &str, mv: &str, value: &str, is_position: bool) -> String {
    match is_position {
        true => lang.pick(format!("{mv} in {game}, which leaves {value}"), format!("{game}에서 {mv}, 남는 값 {value}")),
        false => lang.pick(format!("{game} to {mv}"), format!("{game}에서 {mv}로")),
    }
}

/// A move and the reply to it.
pub(crate) fn reply(lang: Lang, mv: &str, reply: &str) -> String {
    lang.pick(format!("to {mv}: {reply}"), format!("{mv}에는: {reply}"))
}

pub(crate) fn no_move(lang: Lang) -> &'static str {
    lang.pick("there is no move", "둘 수가 없습니다")
}

pub(crate) fn more(lang: Lang, moves: usize) -> String {
    lang.pick(format!(".. and {moves} more"), format!(".. 그 밖에 {moves}개"))
}

pub(crate) fn cut(lang: Lang) -> &'static str {
    lang.pick("More is left out, where `…` stands.", "`…`가 있는 곳은 생략한 부분입니다.")
}

/// Why the answer is incomplete.
pub(crate) fn unfinished(lang: Lang, why: &str) -> String {
    lang.pick(format!("Not all is told: {why}."), format!("끝까지 구하지 못했습니다: {why}."))
}

/// The cost of `value`.
pub(crate) fn cost(lang: Lang, forms: &str, positions: &str, seconds: f64) -> String {
    lang.pick(
        format!("{forms} forms, {positions} positions, {seconds:.2} s"),
        format!("정준형 {forms}개, 국면 {positions}개, {seconds:.2}초"),
    )
}

pub(crate) fn games(lang: Lang) -> &'static str {
    lang.pick("The games of the sum:", "합을 이루는 게임:")
}
