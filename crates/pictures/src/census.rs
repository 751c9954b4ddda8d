//! A histogram of positions by remoteness.

use std::fmt::Write;

use balpan_games::census::Census;
use balpan_games::{Lang, phrases};

use crate::text::{BARS, escaped};
use crate::tree::STYLE;
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
    let heading = title(lang, census);
    // Writing to a string cannot fail.
    let mut out = String::new();
    let _ = write!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img" aria-label="{title}"><style>{STYLE}{BARS}</style><rect class="paper" width="{width:.0}" height="{height:.0}" rx="8"/><text class="heading" x="{LEFT}" y="28">{title}</text><text class="muted" x="{LEFT}" y="47">{}</text>"#,
        escaped(&outcomes(lang, census)),
        title = escaped(&heading),
    );
    for (n, row) in rows.iter().enumerate() {
        let x = LEFT + bar * n as f64;
        for (half, (count, player, label)) in
            [(row.win, "p0", won(lang, row.remoteness)), (row.loss, "p1", lost(lang, row.remoteness))]
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
        escaped(legend(lang))
    );
    out.push('\n');
    out
}

phrases! {
    /// The explanation of the bars.
    legend:
        "plies to the end; blue: the player to move wins, orange: loses",
        "끝까지 남은 수. 파랑은 둘 차례인 쪽이 이기고, 주황은 집니다";
    /// The label of positions won in this number of plies.
    won(plies: u32): "won in {plies}", "{plies}수 만에 승";
    /// The label of positions lost in this number of plies.
    lost(plies: u32): "lost in {plies}", "{plies}수 만에 패";
}

/// The title: the game, and the number of its positions.
fn title(lang: Lang, census: &Census) -> String {
    let (game, positions) = (&census.game, grouped(census.positions));
    match (census.symmetry, census.positions) {
        (false, 1) => lang.pick(format!("{game}: 1 position"), format!("{game}: 국면 1개")),
        (false, _) => lang.pick(format!("{game}: {positions} positions"), format!("{game}: 국면 {positions}개")),
        (true, _) => lang.pick(
            format!("{game}: {positions} positions up to symmetry"),
            format!("{game}: 대칭을 하나로 쳐서 국면 {positions}개"),
        ),
    }
}

/// The numbers of positions by outcome.
fn outcomes(lang: Lang, census: &Census) -> String {
    let [win, draw, loss] = [census.outcomes.win, census.outcomes.draw, census.outcomes.loss].map(grouped);
    lang.pick(format!("{win} won, {draw} drawn, {loss} lost"), format!("승 {win}, 무 {draw}, 패 {loss}"))
}
