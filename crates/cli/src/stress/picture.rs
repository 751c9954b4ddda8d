//! How a program's time grows with the size of the case, as a picture.

use std::fmt::Write;
use std::time::Duration;

use balpan_contest::stress::SizeTiming;
use balpan_games::Lang;

use super::plot::{columns, told};
use crate::words::count::time;
use crate::words::stress as words;

/// Where bars begin, how long the longest is, how high a row is and a bar in it.
const LEFT: usize = 60;
const TOP: usize = 64;
const COLUMN: usize = 12;
const ROW: usize = 20;
const BAR: usize = 14;

/// A bar for each size, as long as in the plot of text; a line at the limit. `title` says which
/// program it is, `of` what sizes count.
pub(super) fn svg(lang: Lang, title: &str, paces: &[SizeTiming], of: &str, limit: Duration) -> String {
    let most = paces.iter().map(|pace| pace.slowest).max().unwrap_or(limit).max(limit);
    let end = LEFT + COLUMN * columns(limit, most);
    let (width, bottom) = (LEFT + COLUMN * columns(most, most) + 110, TOP + ROW * paces.len());
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
        let (y, cells, long) = (TOP + ROW * n, pace.cells, COLUMN * columns(pace.slowest, most));
        let colour = if pace.stopped { "#b3382c" } else { "#1f5fbf" };
        let (middle, beside) = (y + BAR - 3, LEFT + long + 6);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{cells}</text>\
             <rect x=\"{LEFT}\" y=\"{y}\" width=\"{long}\" height=\"{BAR}\" fill=\"{colour}\"/>\
             <text x=\"{beside}\" y=\"{middle}\">{}</text>",
            LEFT - 6,
            escaped(&told(lang, pace)),
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
