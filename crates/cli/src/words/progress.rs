//! The status line of running work.

use balpan_games::Lang;

use crate::numbers::{grouped, rough};

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

pub(crate) fn share(lang: Lang, percent: f64) -> String {
    lang.pick(format!("{percent:.1}% of the question in hand"), format!("지금 질문의 {percent:.1}%"))
}

pub(crate) fn moves(lang: Lang, done: u64, all: u64) -> String {
    lang.pick(format!("{done} of {all} moves"), format!("수 {all}개 중 {done}개"))
}

pub(crate) fn stops(lang: Lang) -> &'static str {
    lang.pick("Ctrl-C stops", "Ctrl-C로 중단")
}
