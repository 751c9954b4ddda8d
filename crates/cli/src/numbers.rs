//! Formatting and parsing numbers, sizes and times.

use std::time::Duration;

pub(crate) use balpan_pictures::grouped;

/// Formats an estimated number in two digits: `20 million`, `1,200`, `3e12`.
pub(crate) fn rough(n: f64) -> String {
    if n >= 1e12 {
        return format!("{n:.0e}");
    }
    let digits = 10_f64.powf((n.max(1.0).log10().floor() - 1.0).max(0.0));
    let n = (n / digits).round() * digits;
    let (unit, word) = match n {
        1e9.. => (1e9, " billion"),
        1e6.. => (1e6, " million"),
        _ => return grouped(n as u64),
    };
    let n = n / unit;
    if n < 10.0 && n.fract() > 0.0 { format!("{n:.1}{word}") } else { format!("{n:.0}{word}") }
}

/// Formats estimated seconds: `0.3 s`, `4 minutes`, `3 years`.
pub(crate) fn rough_time(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] =
        [(365.25 * 86_400.0, "years"), (86_400.0, "days"), (3_600.0, "hours"), (60.0, "minutes")];
    match UNITS.into_iter().find(|(unit, _)| seconds >= 2.0 * unit) {
        Some((unit, word)) => format!("{} {word}", rough(seconds / unit)),
        None if seconds < 0.1 => "less than 0.1 s".to_owned(),
        None if seconds < 10.0 => format!("{seconds:.1} s"),
        None => format!("{} s", rough(seconds)),
    }
}

/// Formats estimated bytes in two digits: `14 MB`, `1.2 GB`.
pub(crate) fn rough_bytes(bytes: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    match UNITS.into_iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) if bytes / unit < 10.0 => format!("{:.1} {name}", bytes / unit),
        Some((unit, name)) => format!("{} {name}", rough(bytes / unit)),
        None => format!("{bytes:.0} bytes"),
    }
}

/// Formats a count with its noun: `1 ply`, `1,234 plies`.
pub(crate) fn counted(n: impl Into<u128>, one: &str, many: &str) -> String {
    let n = n.into();
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// Parses a size such as `512M`: bytes, or binary K, M, G or T of them.
pub(crate) fn parse_memory(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => Some(0),
        "K" | "KB" | "KIB" => Some(10),
        "M" | "MB" | "MIB" => Some(20),
        "G" | "GB" | "GIB" => Some(30),
        "T" | "TB" | "TIB" => Some(40),
        _ => None,
    };
    let bytes = shift.and_then(|shift| digits.parse::<usize>().ok()?.checked_mul(1 << shift));
    bytes.ok_or_else(|| "expected a size such as 512M or 4G".to_owned())
}

/// Parses a time such as `10s`, `500ms`, `2m` or `1h`, up to a day; a number alone is seconds.
pub(crate) fn parse_deadline(text: &str) -> Result<Duration, String> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[number.len()..] {
        "ms" => Some(0.001),
        "" | "s" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3_600.0),
        _ => None,
    };
    let seconds = unit.and_then(|unit| Some(number.parse::<f64>().ok()? * unit));
    let seconds = seconds.filter(|seconds| (0.000_999..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected a time such as 10s, 500ms or 2m".to_owned())
}

/// Formats a time limit or a measured time: `500 ms`, `10 s`, `2.5 s`.
pub(crate) fn format_time(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{:.0} ms", seconds * 1e3),
        seconds if seconds < 10.0 && (seconds * 10.0).round() % 10.0 != 0.0 => format!("{seconds:.1} s"),
        seconds => format!("{seconds:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let written = [0, 7, 123, 1_234, 255_168, 6_134_619].map(|n: u64| grouped(n));
        assert_eq!(written, ["0", "7", "123", "1,234", "255,168", "6,134,619"]);
        assert_eq!(counted(1_u32, "ply", "plies"), "1 ply");
    }

    #[test]
    fn estimates_are_rounded() {
        let written = [0.0, 7.4, 131_072.0, 999_600.0, 2_345_678.0, 19_700_000.0, 1.26e11, 3.2e15].map(rough);
        assert_eq!(written, ["0", "7", "130,000", "1 million", "2.3 million", "20 million", "130 billion", "3e15"]);
        let times = [0.01, 4.23, 99.0, 130.0, 8_000.0, 1e6, 1e30].map(rough_time);
        assert_eq!(times, ["less than 0.1 s", "4.2 s", "99 s", "2 minutes", "2 hours", "12 days", "3e22 years"]);
    }

    #[test]
    fn sizes_and_times_are_parsed_or_refused() {
        assert_eq!(parse_memory("512M"), Ok(512 << 20));
        assert_eq!(parse_memory("4gib"), Ok(4 << 30));
        assert_eq!(parse_memory("0"), Ok(0));
        let times = ["10s", "500ms", "2m", "1.5", "1ms", "24h"].map(parse_deadline);
        let expected = [10_000, 500, 120_000, 1_500, 1, 86_400_000].map(|ms| Ok(Duration::from_millis(ms)));
        assert_eq!(times, expected);
        assert_eq!(
            [500, 9_990, 2_500, 60_000].map(|ms| format_time(Duration::from_millis(ms))),
            ["500 ms", "10 s", "2.5 s", "60 s"]
        );
        for wrong in ["", "s", "0s", "-1s", "1d", "1 s", "nan", "inf", "25h", "infs", "1e400", "é"] {
            assert!(parse_deadline(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "M", "-1G", "1.5G", "9999999999T", "1X", "G1"] {
            assert!(parse_memory(wrong).is_err(), "{wrong}");
        }
    }
}
