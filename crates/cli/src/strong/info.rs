//! `balpan strong info`: the contents of a file.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use balpan::Outcome;
use balpan_app::{SolutionReport, ValueCount};
use balpan_games::census::OutcomeCounts;
use balpan_strong::{Header, Metric};

use super::{entries, open_any};
use crate::draw::{escape_xml, right, width};
use crate::error::{CliError, harmless, print_report};
use crate::files;
use crate::numbers::{counted, grouped};
use crate::words::lang;

pub(super) fn run(file: &Path, json: bool, svg: Option<&Path>) -> Result<(), CliError> {
    let solution = open_any(file)?;
    let header = solution.header();
    if let Some(svg) = svg {
        files::write_svg("--svg", svg, &svg_plot(header))?;
    }
    print_report(json, &SolutionReport::new(&solution), page)
}

fn page(info: &SolutionReport<'_>) -> String {
    let positions = entries(info.metric, info.positions);
    let folded = match (info.metric, info.folded) {
        (Metric::Nimber, _) => "",
        (Metric::Value, true) => ", symmetric ones once",
        (Metric::Value, false) => ", symmetric ones apart",
    };
    let book = info.plies.map_or_else(String::new, |plies| format!(", within {}", counted(plies, "ply", "plies")));
    let starts = match info.starts {
        [only] => format!("from {}", harmless(only)),
        starts => format!("from {}", counted(starts.len() as u64, "start", "starts")),
    };
    let mut page = format!(
        "{} {} {starts}{book}: {positions}{folded}\n{} bytes, {:.2} bits each; the values alone have {:.2}\n",
        harmless(info.game),
        harmless(info.size),
        grouped(info.bytes),
        info.bits_per_position,
        info.entropy
    );
    if info.values_only {
        page.push_str("without keys: correct for positions that play reaches; for others the value is arbitrary\n");
    }
    if let Some(plies) = info.longest_win {
        let _ = writeln!(page, "the longest win takes {}", counted(plies, "ply", "plies"));
    }
    let word = |en: &'static str, ko: &'static str| lang().pick(en, ko);
    let many = if info.metric == Metric::Value { word("positions", "국면") } else { word("parts", "부분") };
    let outcomes = [word("win", "승"), word("draw", "무승부"), word("loss", "패")];
    let width = grouped(info.positions).len().max(width(many));
    let mut row = |cells: [&str; 5]| {
        let [first, others @ ..] = cells;
        let others: String = others.iter().map(|cell| format!("  {}", right(cell, width))).collect();
        let _ = writeln!(page, "{}", format!("  {}{others}", right(first, 10)).trim_end());
    };
    match info.metric {
        Metric::Value => {
            row(["", "", "", "", ""]);
            let [win, draw, loss] = outcomes;
            row([word("layer", "층"), many, win, draw, loss]);
            for layer in &info.layers {
                let OutcomeCounts { win, draw, loss } = layer.outcomes.unwrap_or_default();
                let [all, win, draw, loss] = [layer.positions, win, draw, loss].map(grouped);
                row([&layer.layer.to_string(), &all, &win, &draw, &loss]);
            }
            row(["", "", "", "", ""]);
            row([word("remoteness", "남은 수"), "", win, draw, loss]);
            // Draws, then scores by their size, then the others by their plies.
            let mut by_value: BTreeMap<(bool, u32), OutcomeCounts> = BTreeMap::new();
            for ValueCount { value, positions, .. } in &info.values {
                let outcome = value.outcome.unwrap_or(Outcome::Draw);
                let size = value.remoteness.or(value.score.map(i32::unsigned_abs)).unwrap_or(0);
                by_value.entry((value.remoteness.is_some(), size)).or_default().add(outcome, *positions);
            }
            for ((has_plies, size), OutcomeCounts { win, draw, loss }) in by_value {
                let some = |count: u64| if count == 0 { String::new() } else { grouped(count) };
                let name = match (has_plies, size) {
                    (false, 0) => outcomes[1].to_owned(),
                    (false, score) => lang().pick(format!("by {score}"), format!("{score}점 차")),
                    (true, plies) => plies.to_string(),
                };
                row([&name, "", &some(win), &some(draw), &some(loss)]);
            }
        }
        Metric::Nimber => {
            row(["", "", "", "", ""]);
            row([word("nimber", "그런디 수"), many, "", "", ""]);
            for ValueCount { value, positions, .. } in &info.values {
                row([&value.nimber.unwrap_or(0).to_string(), &grouped(*positions), "", "", ""]);
            }
        }
    }
    page
}

// Where the picture's columns and rows begin, and the size of a cell, in pixels.
const LEFT: usize = 70;
const TOP: usize = 64;
const CELL: usize = 16;

/// Draws a column for each layer, the highest first, and a row for each value. The more positions of the layer have the
/// value, the darker is the cell.
fn svg_plot(header: &Header) -> String {
    let mut rows: BTreeMap<(u8, i64), String> = BTreeMap::new();
    for &(code, _) in header.layers.iter().flat_map(|layer| &layer.counts) {
        rows.insert(row_of(header, code), header.code_name(code));
    }
    let places: BTreeMap<_, _> = rows.keys().copied().zip(0..).collect();
    let (width, height) = (LEFT + CELL * header.layers.len() + 20, TOP + CELL * rows.len() + 30);
    let what = if header.subject.metric == Metric::Value { "remoteness" } else { "nimber" };
    let legend = match header.subject.metric {
        Metric::Value => "the darker, the more of the layer; blue wins, grey draws, red loses",
        Metric::Nimber => "the darker, the more of the layer",
    };
    let title = escape_xml(&format!("{} {}: positions by layer and {what}", header.subject.game, header.subject.size));
    // Writing to a string cannot fail.
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" font-family=\"sans-serif\" font-size=\"11\">\n<title>{title}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"12\" y=\"20\" font-size=\"14\">{title}</text>\n\
         <text x=\"12\" y=\"38\" fill=\"#555555\">{legend}</text>"
    );
    for (n, name) in rows.values().enumerate() {
        let y = TOP + CELL * n + CELL - 4;
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{}</text>", LEFT - 6, escape_xml(name));
    }
    let _ = writeln!(svg, "<text x=\"12\" y=\"{}\">layer</text>", TOP + CELL * rows.len() + 14);
    for (column, layer) in header.layers.iter().enumerate() {
        let x = LEFT + CELL * column;
        if column % 5 == 0 || column + 1 == header.layers.len() {
            let (middle, y) = (x + CELL / 2, TOP + CELL * rows.len() + 14);
            let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", layer.layer);
        }
        for &(code, count) in &layer.counts {
            let row = row_of(header, code);
            let y = TOP + CELL * places.get(&row).copied().unwrap_or(0);
            // A logarithmic scale: one position in a million is still visible.
            let share = count as f64 / layer.positions.max(1) as f64;
            let shade = 0.08 + 0.92 * (1.0 + share.log10() / 6.0).clamp(0.0, 1.0);
            let colour = match row.0 {
                0 => "#1f5fbf",
                1 => "#666666",
                _ => "#b3382c",
            };
            let label = format!("layer {}, {}: {count}", layer.layer, header.code_name(code));
            let size = CELL - 1;
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" fill=\"{colour}\" fill-opacity=\"{shade:.3}\">\
                 <title>{}</title></rect>",
                escape_xml(&label)
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Returns the sort key of a code's row: wins above draws above losses, the longest of each and the smallest scores nearest to
/// the draws.
fn row_of(header: &Header, code: u16) -> (u8, i64) {
    let Some(value) = header.value(code) else { return (0, code.into()) };
    // Codes are in the order of values.
    let from_top = -i64::from(code);
    match value.outcome() {
        Outcome::Win => (0, from_top),
        Outcome::Draw => (1, from_top),
        Outcome::Loss => (2, from_top),
    }
}
