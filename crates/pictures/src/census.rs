//! A histogram of positions by remoteness.

use std::fmt::Write;

use balpan_games::Lang;
use balpan_games::census::Census;

use crate::text::{BARS, escaped};
use crate::tree::STYLE;
use crate::words::census as words;
use crate::words::grouped;

/// The height of the tallest bar, and the room around the bars.
const MAX_BAR_HEIGHT: f64 = 150.0;
const LEFT: f64 = 20.0;
const TOP: f64 = 66.0;
const BELOW: f64 = 54.0;
const MIN_WIDTH: f64 = 460.0;

/// Draws a census as a self-contained SVG file: for each remoteness a bar of the positions won for the player
/// to move and a bar of those lost.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use balpan::Value;
/// use balpan_games::census::Census;
/// use balpan_pictures::{Lang, census_histogram};
///
/// let values = BTreeMap::from([(Value::loss(0), 2), (Value::win(1), 5)]);
/// let svg = census_histogram(Lang::En, &Census::new("nim", "3".to_owned(), false, &values, None));
/// assert!(svg.contains("5 won, 0 drawn, 2 lost") && svg.contains("<title>won in 1: 5</title>"));
/// ```
#[must_use]
pub fn census_histogram(lang: Lang, census: &Census) -> String {
    let rows = &census.remoteness;
    let most = rows.iter().map(|row| row.win.max(row.loss)).max().unwrap_or(0).max(1);
    let bar = (620.0 / (rows.len().max(1) as f64)).clamp(8.0, 40.0);
    let width = (2.0 * LEFT + bar * rows.len() as f64).max(MIN_WIDTH);
    let floor = TOP + MAX_BAR_HEIGHT;
    let height = floor + BELOW;
    let title = words::title(lang, census);
    // Writing to a string cannot fail.
    let mut out = String::new();
    let _ = write!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img" aria-label="{title}"><style>{STYLE}{BARS}</style><rect class="paper" width="{width:.0}" height="{height:.0}" rx="8"/><text class="heading" x="{LEFT}" y="28">{title}</text><text class="muted" x="{LEFT}" y="47">{}</text>"#,
        escaped(&words::outcomes(lang, census)),
        title = escaped(&title),
    );
    for (n, row) in rows.iter().enumerate() {
        let x = LEFT + bar * n as f64;
        for (half, (count, player, label)) in
            [(row.win, "p0", words::won(lang, row.remoteness)), (row.loss, "p1", words::lost(lang, row.remoteness))]
                .into_iter()
                .enumerate()
        {
            if count == 0 {
                continue;
            }
            // At least 1.5 pixels, so that a few positions among many are visible.
            let high = (MAX_BAR_HEIGHT * count as f64 / most as f64).max(1.5);
            let (left, wide) = (x + bar * (0.08 + 0.42 * half as f64), bar * 0.42);
            let _ = write!(
                out,
                r#"<rect class="count {player}" x="{left:.1}" y="{:.1}" width="{wide:.1}" height="{high:.1}"><title>{}: {}</title></rect>"#,
                floor - high,
                escaped(&label),
                grouped(count)
            );
        }
        let step = rows.len().div_ceil(24).max(1);
        if n % step == 0 {
            let middle = x + bar / 2.0;
            let _ = write!(
                out,
                r#"<text class="t-move" x="{middle:.1}" y="{:.1}">{}</text>"#,
                floor + 16.0,
                row.remoteness
            );
        }
    }
    let _ = write!(
        out,
        r#"<path class="grid" d="M{LEFT} {floor}h{:.1}"/><text class="muted" x="{LEFT}" y="{:.1}">{}</text></svg>"#,
        width - 2.0 * LEFT,
        floor + 38.0,
        escaped(words::legend(lang))
    );
    out.push('\n');
    out
}
