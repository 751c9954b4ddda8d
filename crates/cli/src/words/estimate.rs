//! Messages about the estimated cost of a solve.

use balpan_games::Lang;

use crate::numbers::{counted, grouped, rough, rough_time};

fn threads(lang: Lang, threads: usize) -> String {
    match (lang, threads) {
        (Lang::En, 1) => "one thread of this machine".to_owned(),
        (Lang::En, threads) => format!("{threads} threads of this machine"),
        (Lang::Ko, threads) => format!("이 컴퓨터의 스레드 {threads}개로"),
    }
}

/// An estimated number of positions, in Korean.
fn positions_in_korean(n: f64) -> String {
    match n {
        1e12.. => rough(n),
        1e8.. => format!("{:.1}억", n / 1e8),
        1e4.. => format!("{:.0}만", n / 1e4),
        _ => rough(n),
    }
}

/// An estimated time, in Korean.
fn time_in_korean(seconds: f64) -> String {
    let time = rough_time(seconds);
    if let Some(limit) = time.strip_prefix("less than ") {
        return format!("{} 미만", limit.replace(" s", "초"));
    }
    let units = [(" years", "년"), (" days", "일"), (" hours", "시간"), (" minutes", "분"), (" s", "초")];
    units.iter().fold(time, |time, (en, ko)| time.replace(en, ko))
}

/// Lower bounds only.
pub(crate) fn more_than(lang: Lang, positions: f64, seconds: f64, of: usize) -> String {
    let threads = threads(lang, of);
    match lang {
        Lang::En => format!(
            "more than {} positions, more than {} on {threads}: how much more cannot be said.",
            rough(positions),
            rough_time(seconds)
        ),
        Lang::Ko => format!(
            "국면 {}개 이상, {threads} {} 이상 걸립니다. 얼마나 더 걸릴지는 알 수 없습니다.",
            positions_in_korean(positions),
            time_in_korean(seconds)
        ),
    }
}

/// The exact cost of a solve that was completed.
pub(crate) fn exactly(lang: Lang, positions: u64, seconds: f64, of: usize) -> String {
    let threads = threads(lang, of);
    match lang {
        Lang::En => {
            format!("exactly {}, {} on {threads}.", counted(positions, "position", "positions"), rough_time(seconds))
        }
        Lang::Ko => format!("정확히 국면 {}개, {threads} {}.", grouped(positions), time_in_korean(seconds)),
    }
}

/// The estimated positions with their range, and the time.
pub(crate) fn about(lang: Lang, [positions, low, high]: [f64; 3], seconds: f64, of: usize) -> String {
    let threads = threads(lang, of);
    match lang {
        Lang::En => {
            let time = rough_time(seconds);
            let some = if time.starts_with("less") { "" } else { "some " };
            let [positions, low, high] = [positions, low, high].map(rough);
            format!("about {positions} positions ({low} to {high}), {some}{time} on {threads}.")
        }
        Lang::Ko => {
            let [positions, low, high] = [positions, low, high].map(positions_in_korean);
            format!("국면 약 {positions}개({low}~{high}개), {threads} 약 {}.", time_in_korean(seconds))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rough_numbers_in_korean() {
        let numbers = [7.0, 1_234.0, 130_000.0, 2.345e9].map(positions_in_korean);
        assert_eq!(numbers, ["7", "1,200", "13만", "23.4억"]);
        let times = [0.01, 4.23, 130.0, 8_000.0].map(time_in_korean);
        assert_eq!(times, ["0.1초 미만", "4.2초", "2분", "2시간"]);
    }
}
