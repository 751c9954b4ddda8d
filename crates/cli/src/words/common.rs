//! Messages of every verb: counts of things, times, the status line, and errors.

use std::time::Duration;

use balpan_games::Lang;

use crate::numbers::{counted, format_time, grouped, rough};

balpan_messages::messages!("common");

pub(crate) fn begin(lang: Lang, seconds: u64, positions: u64) -> String {
    elapsed(lang, seconds, &grouped(positions))
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
        // A size is no number of things.
        Lang::Ko if of == "크기" => format!("{of} {}", grouped(n as u64)),
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
