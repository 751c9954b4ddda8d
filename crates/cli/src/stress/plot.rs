//! The time of a program by size of the case, as a text plot and as an SVG picture.

use std::fmt::Write;
use std::time::Duration;

use balpan_contest::stress::SizeTiming;
use balpan_games::Lang;

use crate::draw::{escape_xml, width};
use crate::words::count::time;
use crate::words::stress as words;
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
fn format_time(lang: Lang, pace: &SizeTiming) -> String {
    format!("{}{}", if pace.stopped { "> " } else { "" }, time(lang, pace.slowest))
}

/// Returns the length of the bar of `time`, where `longest` has [`MAX_COLUMNS`].
fn columns(time: Duration, longest: Duration) -> usize {
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

// Where bars begin, the width of a plot column, and the heights of a row and of a bar, in pixels.
const LEFT: usize = 60;
const TOP: usize = 64;
const COLUMN: usize = 12;
const ROW: usize = 20;
const BAR: usize = 14;

/// Draws a bar for each size, with the lengths of the text plot, and a line at the time limit. `title` names the program,
/// `of` the unit of sizes.
pub(super) fn svg(lang: Lang, title: &str, paces: &[SizeTiming], of: &str, limit: Duration) -> String {
    let longest = paces.iter().map(|pace| pace.slowest).max().unwrap_or(limit).max(limit);
    let end = LEFT + COLUMN * columns(limit, longest);
    let (width, bottom) = (LEFT + COLUMN * columns(longest, longest) + 110, TOP + ROW * paces.len());
    let height = bottom + 34;
    let [title, of, about] = [title, of, words::growth(lang).trim_end_matches(':')].map(escape_xml);
    // Writing to a string cannot fail.
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" lang=\"{}\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"12\" y=\"20\" font-size=\"14\">{title}</text>\n\
         <text x=\"12\" y=\"38\" fill=\"#555555\">{about}</text>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{of}</text>",
        lang.code(),
        LEFT - 6,
        TOP - 8,
    );
    for (n, pace) in paces.iter().enumerate() {
        let (y, cells, length) = (TOP + ROW * n, pace.cells, COLUMN * columns(pace.slowest, longest));
        let colour = if pace.stopped { "#b3382c" } else { "#1f5fbf" };
        let (middle, beside) = (y + BAR - 3, LEFT + length + 6);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{cells}</text>\
             <rect x=\"{LEFT}\" y=\"{y}\" width=\"{length}\" height=\"{BAR}\" fill=\"{colour}\"/>\
             <text x=\"{beside}\" y=\"{middle}\">{}</text>",
            LEFT - 6,
            escape_xml(&format_time(lang, pace)),
        );
    }
    let _ = writeln!(
        svg,
        "<line x1=\"{end}\" y1=\"{}\" x2=\"{end}\" y2=\"{bottom}\" stroke=\"#b3382c\" stroke-dasharray=\"4 3\"/>\
         <text x=\"{end}\" y=\"{}\" text-anchor=\"middle\" fill=\"#b3382c\">--limit {}</text>",
        TOP - 4,
        bottom + 16,
        escape_xml(&time(lang, limit)),
    );
    svg.push_str("</svg>\n");
    svg
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

    #[test]
    fn a_bar_for_each_size() {
        let pace = |cells, ms, stopped| SizeTiming { cells, cases: 1, slowest: Duration::from_millis(ms), stopped };
        let paces = [pace(1, 1, false), pace(9, 40, false), pace(25, 64, true)];
        let svg = svg(Lang::Ko, "a<b", &paces, "빈칸", Duration::from_millis(64));
        assert_eq!(svg.matches("<rect x=").count(), 3, "{svg}");
        assert_eq!(svg.matches(&format!("width=\"{}\"", 40 * COLUMN)).count(), 1, "{svg}");
        assert!(svg.contains("a&lt;b") && svg.contains("&gt; 64 ms") && svg.contains("lang=\"ko\""), "{svg}");
    }
}
