//! Messages of every verb: counts of things, times, the status line, and errors.

use std::time::Duration;

use balpan_games::{Lang, phrases};

use crate::numbers::{counted, format_time, grouped, rough};

phrases! {
    share(percent: f64): "{percent:.1}% of the question in hand", "지금 질문의 {percent:.1}%";
    moves(done: u64, all: u64): "{done} of {all} moves", "수 {all}개 중 {done}개";
    stops: "Ctrl-C stops", "Ctrl-C로 중단";
    /// The place of a mistake in a text.
    here: "here", "여기";
    part_of_it: ", part of it", "의 일부";
    piece_moves:
        "Put in the middle of the first position, a piece can go to the cells in brackets:",
        "첫 국면 한가운데에 놓은 말은 괄호 안의 칸으로 갈 수 있습니다.";
    interrupted(positions: &str): "Interrupted after {positions}.", "{positions}를 탐색한 뒤 중단했습니다.";
    out_of_memory(positions: &str):
        ("the memory is used up after {positions}", "allow more with --memory, or take a smaller board"),
        ("{positions}를 탐색한 뒤 메모리를 다 썼습니다", "--memory로 더 주거나 더 작은 판을 고르세요");
    nothing_known(time: &str, positions: &str):
        "After {time}, nothing of the answer is known yet ({positions} searched).\n",
        "{time} 동안 아직 알아낸 것이 없습니다(탐색: {positions}).\n";
    /// The remedy for an invalid rules file, after another one.
    print_a_file:
        "; `balpan games NAME` prints a file to start from",
        " `balpan games 이름`을 실행하면 바탕으로 삼을 파일을 보여 줍니다";
    /// The remedy for an invalid change of rules.
    print_rules:
        "`balpan games NAME` prints a game's rules, which --board and --set change",
        "`balpan games 이름`을 실행하면 --board와 --set으로 바꿀 수 있는 규칙을 보여 줍니다";
    /// A part of the command that was left out when it was built.
    missing_feature(part: &str, feature: &str):
        ("`{part}` is not in this build of the command, which lacks the feature `{feature}`",
         "in a copy of the repository, `cargo install --path crates/cli --features {feature}` builds one that has it"),
        ("이 명령에는 `{part}` 기능이 없습니다. `{feature}` 없이 빌드했습니다",
         "저장소에서 `cargo install --path crates/cli --features {feature}` 명령으로 이 기능을 넣어 빌드하세요");
    unchecked_interrupted(file: &str):
        "Interrupted: {file} is not checked.", "중단했습니다: {file}은 검사하지 않았습니다.";
    unchecked_in_time(time: &str, file: &str):
        "After {time}, {file} is not checked, and so not proved.",
        "{time} 안에 {file}을 다 검사하지 못했으므로 증명되지 않았습니다.";
    unverified_in_time(time: &str, file: &str):
        "After {time}, not all positions of {file} are verified.",
        "{time} 안에 {file}의 국면을 다 확인하지 못했습니다.";
}

pub(crate) fn begin(lang: Lang, seconds: u64, positions: u64) -> String {
    let positions = grouped(positions);
    lang.pick(format!("{seconds} s, {positions} positions"), format!("{seconds}초, 국면 {positions}개"))
}

pub(crate) fn rate(lang: Lang, per_second: f64) -> String {
    match lang {
        Lang::En => format!("{} a second", rough(per_second)),
        Lang::Ko if per_second >= 1e4 => format!("초당 {:.0}만 개", per_second / 1e4),
        Lang::Ko => format!("초당 {}개", grouped(per_second as u64)),
    }
}

/// A count of things that Korean counts with `개`.
fn things(lang: Lang, n: u64, [one, many]: [&str; 2], ko: &str) -> String {
    lang.pick(counted(n, one, many), format!("{ko} {}개", grouped(n)))
}

pub(crate) fn plies(lang: Lang, n: u64) -> String {
    lang.pick(counted(n, "ply", "plies"), format!("{}수", grouped(n)))
}

pub(crate) fn cases(lang: Lang, n: u64) -> String {
    things(lang, n, ["case", "cases"], "케이스")
}

pub(crate) fn other_cases(lang: Lang, n: u64) -> String {
    things(lang, n, ["other", "others"], "케이스")
}

pub(crate) fn more_lines(lang: Lang, n: u64) -> String {
    lang.pick(counted(n, "line more", "lines more"), format!("{}줄 더", grouped(n)))
}

pub(crate) fn runs(lang: Lang, n: u64) -> String {
    lang.pick(counted(n, "run", "runs"), format!("{}번", grouped(n)))
}

pub(crate) fn answers(lang: Lang, n: u64) -> String {
    things(lang, n, ["answer", "answers"], "답")
}

pub(crate) fn positions(lang: Lang, n: u64) -> String {
    things(lang, n, ["position", "positions"], "국면")
}

/// `1 tile`, `5 free cells`; `발판 1개`.
pub(crate) fn cells(lang: Lang, n: usize, of: &str) -> String {
    match lang {
        Lang::En => counted(n as u64, of.trim_end_matches('s'), of),
        Lang::Ko => format!("{of} {}개", grouped(n as u64)),
    }
}

/// `10 s`, `500 ms`; `10초`.
pub(crate) fn time(lang: Lang, time: Duration) -> String {
    let text = format_time(time);
    match (lang, text.strip_suffix(" s")) {
        (Lang::Ko, Some(seconds)) => format!("{seconds}초"),
        _ => text,
    }
}
