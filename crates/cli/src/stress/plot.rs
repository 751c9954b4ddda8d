//! How a program's time grows with the size of the case, as a plot of text.

use std::fmt::Write;
use std::time::Duration;

use balpan_contest::stress::SizeTiming;
use balpan_games::Lang;

use crate::draw::width;
use crate::words::count::time;
use crate::words::stress::each_column;

/// Columns of the longest bar.
const WIDTH: u32 = 40;
/// The time of a bar of one column, at the longest: below it, programs only start.
const LEAST: Duration = Duration::from_millis(1);

/// A bar for each size. Each column is as many times the one before it as any other, so that
/// time that grows by a factor with each cell shows as a straight line.
pub(super) fn plot(lang: Lang, paces: &[SizeTiming], cells: &str, limit: Duration) -> String {
    let most = paces.iter().map(|pace| pace.slowest).max().unwrap_or(limit).max(limit);
    let times: Vec<_> = paces.iter().map(|pace| told(lang, pace)).collect();
    let widest = times.iter().map(|time| width(time)).max().unwrap_or(0);
    let mut plot = format!("  {cells}\n");
    for (pace, time) in paces.iter().zip(times) {
        let bar = "#".repeat(columns(pace.slowest, most));
        // Writing to a string cannot fail.
        let _ = writeln!(plot, "  {:>4}  {}{time}  {bar}", pace.cells, " ".repeat(widest - width(&time)));
    }
    let _ = writeln!(plot, "        {}  {}", " ".repeat(widest), each_column(lang, &factor(most)));
    plot
}

/// `1.2 s`, and with a mark where the program was stopped.
pub(super) fn told(lang: Lang, pace: &SizeTiming) -> String {
    format!("{}{}", if pace.stopped { "> " } else { "" }, time(lang, pace.slowest))
}

/// How long the bar is, if this is the longest time there is.
pub(super) fn columns(time: Duration, most: Duration) -> usize {
    let share = steps(time) / steps(most);
    ((share * f64::from(WIDTH)).round() as usize).max(1)
}

/// How often the least time is doubled.
fn steps(time: Duration) -> f64 {
    (time.as_secs_f64() / LEAST.as_secs_f64()).max(1.0).log2()
}

/// From one column to the next, to two places.
fn factor(most: Duration) -> String {
    format!("{:.2}", 2_f64.powf(steps(most) / f64::from(WIDTH)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_a_straight_line() {
        let pace = |cells, ms, stopped| SizeTiming { cells, cases: 1, slowest: Duration::from_millis(ms), stopped };
        let paces = [pace(1, 1, false), pace(9, 4, false), pace(17, 16, false), pace(25, 64, true)];
        let plot = plot(Lang::En, &paces, "tiles", Duration::from_millis(64));
        let bars: Vec<_> = plot.lines().map(|line| line.matches('#').count()).collect();
        assert_eq!(bars, [0, 1, 13, 27, 40, 1], "{plot}");
        assert!(plot.contains("  25  > 64 ms"), "{plot}");
    }
}
