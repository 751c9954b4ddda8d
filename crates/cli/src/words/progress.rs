//! The status line of running work.

use balpan_games::{Lang, phrases};

use crate::numbers::{grouped, rough};

phrases! {
    share(percent: f64): "{percent:.1}% of the question in hand", "지금 질문의 {percent:.1}%";
    moves(done: u64, all: u64): "{done} of {all} moves", "수 {all}개 중 {done}개";
    stops: "Ctrl-C stops", "Ctrl-C로 중단";
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
