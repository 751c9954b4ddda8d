//! Words of the rules page.

use super::{Lang, phrases};

phrases! {
    title: "The rules", "규칙";
    pieces: "The pieces", "조각";
    change: "Change the rules", "규칙 바꾸기";
    change_help:
        "Each change is part of the address of the page that follows.",
        "바꾼 내용은 다음 페이지의 주소에 담깁니다.";
    file: "The rules file", "규칙 파일";
    begin: "Play by these rules", "이 규칙으로 두기";
}

pub(crate) fn yes_no(lang: Lang, yes: bool) -> &'static str {
    if yes { lang.pick("yes", "예") } else { lang.pick("no", "아니요") }
}

/// The label of a key of rules files.
pub(crate) fn key(lang: Lang, key: &str) -> &'static str {
    match key {
        "board" => lang.pick("Board, rows x columns", "판 크기 (행x열)"),
        "start" => lang.pick("Start (heaps)", "시작 (더미들)"),
        "at" => lang.pick(
            "Begin in this position (with holes or filled cells; may stay empty)",
            "시작 국면 (구멍이나 채운 칸 포함; 비워 두어도 됩니다)",
        ),
        "k" => lang.pick("How many in a row (k)", "한 줄에 몇 개 (k)"),
        "gravity" => lang.pick("Marks fall", "아래로 떨어짐"),
        "marks" => lang.pick("Marks", "표시"),
        "overlines" => lang.pick("More than k count, too", "k개보다 길어도 인정"),
        "misere" => lang.pick("Misère: the other way round at the end", "미제르: 마지막 승패를 반대로"),
        "steps" => lang.pick("Steps", "이동 방식"),
        "share" => lang.pick("Tokens may share a tile", "한 발판에 함께 설 수 있음"),
        "torus" => lang.pick("Edges are joined", "가장자리가 이어짐"),
        "rotate" => lang.pick("Pieces may be turned", "조각 돌리기"),
        "reflect" => lang.pick("Pieces may be turned over", "조각 뒤집기"),
        "pieces" => lang.pick("Pieces of both players", "두 사람의 조각"),
        "supply" => lang.pick("How many of each piece", "조각별 개수"),
        "left" => lang.pick("Left's pieces", "왼쪽의 조각"),
        "right" => lang.pick("Right's pieces", "오른쪽의 조각"),
        "code" => lang.pick("Code: nim, or octal such as 0.77", "코드: nim 또는 0.77 같은 옥탈 코드"),
        _ => lang.pick("Value", "값"),
    }
}

/// The label of a value of rules files.
pub(crate) fn value(lang: Lang, value: &str) -> &'static str {
    match value {
        "orthogonal" => lang.pick("orthogonal", "상하좌우"),
        "king" => lang.pick("king", "킹"),
        "knight" => lang.pick("knight", "나이트"),
        "queen" => lang.pick("queen", "퀸"),
        "own" => lang.pick("each player's own", "각자 자기 것"),
        "shared" => lang.pick("shared", "함께 씀"),
        _ => lang.pick("as it is", "그대로"),
    }
}
