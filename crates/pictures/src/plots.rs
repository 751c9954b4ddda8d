//! Plots of thermographs, of sequences of nimbers, and of positions by remoteness.

use balpan_cgt::{Dyadic, Thermograph};
use balpan_games::Lang;
use balpan_games::census::{Census, RemotenessCount, ScoreCount};

use crate::text::{BARS, escaped};
use crate::tree::STYLE;
use crate::words::grouped;

const WIDTH: f64 = 460.0;
const LEFT: f64 = 36.0;
const TOP: f64 = 48.0;
const PLOT: f64 = 240.0;

/// Where the style of a plot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// In the plot, which is a self-contained SVG file.
    Own,
    /// In the page around it, which has [`STYLE`]; the plot takes the available width.
    OfPage,
}

/// Draws a thermograph as SVG: values increase from right to left, as in the
/// literature, and taxes upwards; with Left's wall, Right's wall and the mast.
///
/// ```
/// use balpan::Watch;
/// use balpan_cgt::FormStore;
/// use balpan_pictures::plots::{Style, thermograph};
///
/// let watch = Watch::default();
/// let mut forms = FormStore::new(1 << 20, &watch);
/// let [one, minus] = [1, -1].map(balpan_cgt::Dyadic::integer);
/// let (one, minus) = (forms.intern_number(one)?, forms.intern_number(minus)?);
/// let switch = forms.canonical_form(&[one], &[minus])?;
/// let svg = thermograph("±1", &forms.thermograph(switch)?, Style::Own);
/// assert!(svg.contains("<svg ") && svg.contains("±1"));
/// # Ok::<(), balpan_cgt::CgtError>(())
/// ```
#[must_use]
pub fn thermograph(title: &str, of: &Thermograph, style: Style) -> String {
    let style = if style == Style::Own { format!("<style>{STYLE}</style>") } else { String::new() };
    let top = of.mast.temperature.map_or(0.0, Dyadic::to_f64);
    let highest = (top * 1.25).max(1.0);
    let values = || of.walls.iter().flatten().map(|(_, value)| value.to_f64());
    let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
    let (least, most) = if most - least < 1.0 { (least - 0.5, most + 0.5) } else { (least, most) };
    let room = WIDTH - 2.0 * LEFT;
    let x = |value: f64| LEFT + room * (most - value) / (most - least);
    let floor = TOP + PLOT;
    let y = |tax: f64| floor - PLOT * tax / highest;
    let height = floor + 44.0;
    let mut out = String::new();
    put!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tree thermograph" viewBox="0 0 {WIDTH} {height}" width="100%" role="img" aria-label="{title}">{style}<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/><text class="heading" x="{LEFT}" y="28">{title}</text>"#,
        title = escaped(title),
    );
    put!(out, r#"<path class="grid" d="M{LEFT} {floor}h{room}M{LEFT} {TOP}V{floor}"/>"#);
    let mut at_value: Vec<Dyadic> = of.walls.iter().flatten().map(|(_, value)| *value).collect();
    at_value.sort_unstable();
    at_value.dedup();
    let mut last = f64::MIN;
    for value in at_value.into_iter().rev() {
        let at = x(value.to_f64());
        if at - last > 34.0 {
            put!(out, r#"<text class="t-move" x="{at:.1}" y="{:.1}">{value}</text>"#, floor + 18.0);
            last = at;
        }
    }
    if let Some(temperature) = of.mast.temperature {
        put!(
            out,
            r#"<path class="grid" d="M{LEFT} {at:.1}h{room}"/><text class="muted" x="4" y="{:.1}">{temperature}</text>"#,
            y(top) + 4.0,
            at = y(top),
        );
    }
    // Attributes instead of a style: the security policy of a page may refuse inline styles.
    for (wall, colour) in of.walls.iter().zip(["#3a8fce", "#e2702c"]) {
        let mut path = String::new();
        for (i, (tax, value)) in wall.iter().enumerate() {
            put!(path, "{}{:.1} {:.1}", if i == 0 { "M" } else { "L" }, x(value.to_f64()), y(tax.to_f64()));
        }
        put!(out, r#"<path fill="none" stroke="{colour}" stroke-width="2.5" d="{path}"/>"#);
    }
    put!(
        out,
        r##"<path fill="none" stroke="#888" stroke-width="2.5" d="M{:.1} {:.1}V{TOP}"/></svg>"##,
        x(of.mast.mean.to_f64()),
        y(top)
    );
    out
}

/// Draws a thermograph as lines of text: `L` and `R` for the walls, `|` for the mast.
#[must_use]
pub fn thermograph_text(of: &Thermograph) -> String {
    const ROWS: i64 = 8;
    const COLUMNS: usize = 48;
    let top = of.mast.temperature.map_or(0.0, Dyadic::to_f64);
    let values = || of.walls.iter().flatten().map(|(_, value)| value.to_f64());
    let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
    let column = |value: f64| {
        let share = if most > least { (most - value) / (most - least) } else { 0.5 };
        (share * (COLUMNS - 1) as f64).round() as usize
    };
    let at = |player: usize, tax: f64| {
        let wall = &of.walls[player];
        let after = wall.iter().position(|(from, _)| from.to_f64() > tax);
        match after {
            Some(after) if after > 0 => {
                let [from, to] = [wall[after - 1], wall[after]].map(|(tax, value)| (tax.to_f64(), value.to_f64()));
                from.1 + (to.1 - from.1) * (tax - from.0) / (to.0 - from.0)
            }
            _ => wall.last().map_or(0.0, |(_, value)| value.to_f64()),
        }
    };
    let temperature = of.mast.temperature.map_or_else(String::new, |of| of.to_string());
    let mut out = String::new();
    // A game of temperature 0 or less has a mast only.
    let rows = if top > 0.0 { ROWS } else { 0 };
    for row in (0..=rows + 2).rev() {
        let tax = top * row as f64 / ROWS as f64;
        let mut line = vec![' '; COLUMNS];
        if row >= rows {
            line[column(of.mast.mean.to_f64())] = '|';
        } else {
            line[column(at(0, tax))] = 'L';
            line[column(at(1, tax))] = 'R';
        }
        let label = match row {
            0 => "0",
            row if row == rows => &temperature,
            _ => "",
        };
        let line: String = line.into_iter().collect();
        put!(out, "{label:>8} {}\n", line.trim_end());
    }
    let (left, right) = (of.walls[0].first(), of.walls[1].first());
    if let (Some((_, left)), Some((_, right))) = (left, right) {
        let (left, right) = (left.to_string(), right.to_string());
        let gap = COLUMNS.saturating_sub(left.chars().count() + right.chars().count());
        if left == right {
            put!(out, "{:9}{left:^COLUMNS$}\n", "");
        } else {
            put!(out, "{:9}{left}{}{right}\n", "", " ".repeat(gap));
        }
    }
    out.lines().map(str::trim_end).map(|line| format!("{line}\n")).collect()
}

/// Draws a sequence of nimbers as SVG: a point for each heap. Those that satisfy `is_exception` have a colour of their own.
#[must_use]
pub fn nimbers(title: &str, nimbers: &[u32], is_exception: impl Fn(usize) -> bool, style: Style) -> String {
    /// More points would be indistinguishable.
    const MAX_POINTS: usize = 20_000;
    let shown = &nimbers[..nimbers.len().min(MAX_POINTS)];
    let (width, room) = (900.0, 840.0);
    let most = f64::from(shown.iter().copied().max().unwrap_or(0).max(1));
    let floor = TOP + PLOT;
    let height = floor + 40.0;
    let last = shown.len().max(2) - 1;
    let x = |heap: usize| LEFT + room * heap as f64 / last as f64;
    let y = |nimber: u32| floor - PLOT * f64::from(nimber) / most;
    let radius = (room / last as f64 / 2.0).clamp(0.8, 3.0);
    let (size, style) = match style {
        Style::Own => (format!(r#"{width}" height="{height}"#), format!("<style>{STYLE}{BARS}</style>")),
        Style::OfPage => ("100%".to_owned(), String::new()),
    };
    let mut out = String::new();
    put!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="0 0 {width} {height}" width="{size}" role="img" aria-label="{title}">{style}<rect class="paper" width="{width}" height="{height}" rx="8"/><text class="heading" x="{LEFT}" y="28">{title}</text><path class="grid" d="M{LEFT} {floor}h{room}M{LEFT} {TOP}V{floor}"/><text class="muted" x="8" y="{:.1}">{most}</text><text class="t-move" x="{LEFT}" y="{below:.1}">0</text><text class="t-move" x="{end:.1}" y="{below:.1}">{last}</text>"#,
        TOP + 4.0,
        title = escaped(title),
        below = floor + 20.0,
        end = LEFT + room,
    );
    for (heap, &nimber) in shown.iter().enumerate() {
        let player = if is_exception(heap) { "p1" } else { "p0" };
        put!(out, r#"<circle class="count {player}" cx="{:.1}" cy="{:.1}" r="{radius:.1}"/>"#, x(heap), y(nimber));
    }
    out + "</svg>\n"
}

/// The height of the tallest bar, and the room around the bars.
const MAX_BAR_HEIGHT: f64 = 150.0;
const CENSUS_LEFT: f64 = 20.0;
const CENSUS_TOP: f64 = 66.0;
const BELOW: f64 = 54.0;
const MIN_WIDTH: f64 = 460.0;

/// Draws a census as a self-contained SVG file: for each remoteness a bar of the positions won for the player
/// to move and a bar of those lost; in a game with scores, for each score a bar of the positions.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use balpan::Value;
/// use balpan_games::census::{Census, RemotenessCount, ScoreCount};
/// use balpan_pictures::{Lang, census_histogram};
///
/// let values = BTreeMap::from([(Value::loss(0), 2), (Value::win(1), 5)]);
/// let svg = census_histogram(Lang::En, &Census::new("nim", "3".to_owned(), false, &values, None));
/// assert!(svg.contains("5 won, 0 drawn, 2 lost") && svg.contains("<title>won in 1: 5</title>"));
/// ```
#[must_use]
pub fn census_histogram(lang: Lang, census: &Census) -> String {
    let rows = bar_groups(lang, census);
    let most = rows.iter().flat_map(|row| &row.bars).map(|bar| bar.0).max().unwrap_or(0).max(1);
    let bar = (620.0 / (rows.len().max(1) as f64)).clamp(8.0, 40.0);
    let width = (2.0 * CENSUS_LEFT + bar * rows.len() as f64).max(MIN_WIDTH);
    let floor = CENSUS_TOP + MAX_BAR_HEIGHT;
    let height = floor + BELOW;
    let heading = title(lang, census);
    let mut out = String::new();
    put!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img" aria-label="{title}"><style>{STYLE}{BARS}</style><rect class="paper" width="{width:.0}" height="{height:.0}" rx="8"/><text class="heading" x="{CENSUS_LEFT}" y="28">{title}</text><text class="muted" x="{CENSUS_LEFT}" y="47">{}</text>"#,
        escaped(&outcomes(lang, census)),
        title = escaped(&heading),
    );
    for (n, row) in rows.iter().enumerate() {
        let x = CENSUS_LEFT + bar * n as f64;
        let halves = row.bars.len().max(1) as f64;
        for (half, (count, class, label)) in row.bars.iter().enumerate().filter(|(_, bar)| bar.0 > 0) {
            let count = *count;
            // At least 1.5 pixels, so that a few positions among many are visible.
            let high = (MAX_BAR_HEIGHT * count as f64 / most as f64).max(1.5);
            let wide = bar * 0.84 / halves;
            let left = x + bar * 0.08 + wide * half as f64;
            put!(
                out,
                r#"<rect class="{class}" x="{left:.1}" y="{:.1}" width="{wide:.1}" height="{high:.1}"><title>{}: {}</title></rect>"#,
                floor - high,
                escaped(label),
                grouped(count)
            );
        }
        let step = rows.len().div_ceil(24).max(1);
        if n % step == 0 {
            let middle = x + bar / 2.0;
            put!(out, r#"<text class="t-move" x="{middle:.1}" y="{:.1}">{}</text>"#, floor + 16.0, row.number);
        }
    }
    put!(
        out,
        r#"<path class="grid" d="M{CENSUS_LEFT} {floor}h{:.1}"/><text class="muted" x="{CENSUS_LEFT}" y="{:.1}">{}</text></svg>"#,
        width - 2.0 * CENSUS_LEFT,
        floor + 38.0,
        escaped(if census.scores.is_empty() { legend(lang) } else { score_legend(lang) })
    );
    out.push('\n');
    out
}

/// The bars above a number: how many positions, the class of the colour, and the label.
struct BarGroup {
    number: i64,
    bars: Vec<(u64, &'static str, String)>,
}

/// Returns the bars of a census by plies to the end, or by score if the game has scores.
fn bar_groups(lang: Lang, census: &Census) -> Vec<BarGroup> {
    if census.scores.is_empty() {
        let group = |row: &RemotenessCount| {
            let (win, loss) = (won(lang, row.remoteness), lost(lang, row.remoteness));
            let bars = vec![(row.win, "count p0", win), (row.loss, "count p1", loss)];
            BarGroup { number: row.remoteness.into(), bars }
        };
        return census.remoteness.iter().map(group).collect();
    }
    let group = |row: &ScoreCount| {
        let class = match row.score.signum() {
            1 => "count p0",
            0 => "t-filled",
            _ => "count p1",
        };
        let sign = if row.score > 0 { "+" } else { "" };
        BarGroup { number: row.score.into(), bars: vec![(row.positions, class, format!("{sign}{}", row.score))] }
    };
    census.scores.iter().map(group).collect()
}

balpan_messages::messages!("plots");

/// The title: the game, and the number of its positions.
fn title(lang: Lang, census: &Census) -> String {
    let (game, positions) = (&census.game, grouped(census.positions));
    if census.symmetry { classes(lang, game, &positions) } else { counted(lang, census.positions, game, &positions) }
}

/// The numbers of positions by outcome.
fn outcomes(lang: Lang, census: &Census) -> String {
    let [win, draw, loss] = [census.outcomes.win, census.outcomes.draw, census.outcomes.loss].map(grouped);
    by_outcome(lang, &win, &draw, &loss)
}
