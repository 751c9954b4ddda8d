//! The time of a program by size of the case, as an SVG picture.

use std::fmt::Write;
use std::time::Duration;

use balpan_contest::stress::SizeTiming;
use balpan_games::Lang;

use super::plot::{columns, format_time};
use crate::words::count::time;
use crate::words::stress as words;

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
    let [title, of, about] = [title, of, words::growth(lang).trim_end_matches(':')].map(escaped);
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
            escaped(&format_time(lang, pace)),
        );
    }
    let _ = writeln!(
        svg,
        "<line x1=\"{end}\" y1=\"{}\" x2=\"{end}\" y2=\"{bottom}\" stroke=\"#b3382c\" stroke-dasharray=\"4 3\"/>\
         <text x=\"{end}\" y=\"{}\" text-anchor=\"middle\" fill=\"#b3382c\">--limit {}</text>",
        TOP - 4,
        bottom + 16,
        escaped(&time(lang, limit)),
    );
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

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
