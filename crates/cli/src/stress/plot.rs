//! The time of a program by size of the case, as a text plot.

use std::fmt::Write;
use std::time::Duration;

use balpan_contest::stress::SizeTiming;
use balpan_games::Lang;

use crate::draw::width;
use crate::words::count::time;
use crate::words::stress::each_column;

/// Length of the longest bar.
const MAX_COLUMNS: u32 = 40;

/// Longest time of a bar of one column. Below it, a program merely starts.
const MIN_TIME: Duration = Duration::from_millis(1);

/// Draws a bar for each size, on a logarithmic scale: time that grows by a constant factor per cell makes a straight line.
pub(super) fn plot(lang: Lang, paces: &[SizeTiming], cells: &str, limit: Duration) -> String {
    let longest = paces.iter().map(|pace| pace.slowest).max().unwrap_or(limit).max(limit);
    let times: Vec<_> = paces.iter().map(|pace| format_time(lang, pace)).collect();
    let widest = times.iter().map(|time| width(time)).max().unwrap_or(0);
    let mut plot = format!("  {cells}\n");
    for (pace, time) in paces.iter().zip(times) {
        let bar = "#".repeat(columns(pace.slowest, longest));
        // Writing to a string cannot fail.
        let _ = writeln!(plot, "  {:>4}  {}{time}  {bar}", pace.cells, " ".repeat(widest - width(&time)));
    }
    let _ = writeln!(plot, "        {}  {}", " ".repeat(widest), each_column(lang, &factor(longest)));
    plot
}

/// Formats the time of the slowest case: `1.2 s`, or `> 1.2 s` if the program was stopped.
pub(super) fn format_time(lang: Lang, pace: &SizeTiming) -> String {
    format!("{}{}", if pace.stopped { "> " } else { "" }, time(lang, pace.slowest))
}

/// Returns the length of the bar of `time`, where `longest` has [`MAX_COLUMNS`].
pub(super) fn columns(time: Duration, longest: Duration) -> usize {
    let share = doublings(time) / doublings(longest);
    ((share * f64::from(MAX_COLUMNS)).round() as usize).max(1)
}

/// Returns the binary logarithm of `time` / [`MIN_TIME`], at least 0.
fn doublings(time: Duration) -> f64 {
    (time.as_secs_f64() / MIN_TIME.as_secs_f64()).max(1.0).log2()
}

/// Formats the factor between the times of neighbouring columns, to two places.
fn factor(longest: Duration) -> String {
    format!("{:.2}", 2_f64.powf(doublings(longest) / f64::from(MAX_COLUMNS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_growth_is_a_straight_line() {
        let pace = |cells, ms, stopped| SizeTiming { cells, cases: 1, slowest: Duration::from_millis(ms), stopped };
        let paces = [pace(1, 1, false), pace(9, 4, false), pace(17, 16, false), pace(25, 64, true)];
        let plot = plot(Lang::En, &paces, "tiles", Duration::from_millis(64));
        let bars: Vec<_> = plot.lines().map(|line| line.matches('#').count()).collect();
        assert_eq!(bars, [0, 1, 13, 27, 40, 1], "{plot}");
        assert!(plot.contains("  25  > 64 ms"), "{plot}");
    }
}
