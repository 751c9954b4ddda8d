//! `balpan strong info`: what is in a file.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use balpan::{Outcome, Value};
use balpan_strong::{Header, LayerHeader, Metric, Solution};
use serde::Serialize;

use super::{names, open_any, plot};
use crate::failure::{Failure, harmless, print, print_json};
use crate::files;
use crate::numbers::{counted, grouped};

/// What is told. As JSON, the field names are part of the command's contract.
#[derive(Serialize)]
struct Info<'a> {
    game: &'a str,
    rules: &'a str,
    size: &'a str,
    starts: &'a [String],
    tells: Metric,
    folded: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
    /// Whether there are no keys.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    values_only: bool,
    positions: u64,
    bytes: u64,
    bits_per_position: f64,
    /// The bits a position that the values alone have, were each layer's written as short as
    /// can be by how often each value is there.
    entropy: f64,
    longest_win: Option<u32>,
    layers: Vec<Layer>,
    worths: Vec<Worth>,
}

#[derive(Serialize)]
struct Layer {
    layer: u32,
    positions: u64,
    #[serde(flatten)]
    outcomes: Option<Outcomes>,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Outcomes {
    win: u64,
    draw: u64,
    loss: u64,
}

#[derive(Serialize)]
struct Worth {
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u16>,
    positions: u64,
}

pub(super) fn run(file: &Path, json: bool, svg: Option<&Path>) -> Result<(), Failure> {
    let solution = open_any(file)?;
    let header = solution.header();
    if let Some(svg) = svg {
        files::write_svg("--svg", svg, &plot::svg(header))?;
    }
    let info = Info { values_only: matches!(solution, Solution::Values(_)), ..info(header, solution.bytes()) };
    if json { print_json(&info) } else { print(&page(&info, header)) }
}

/// The positions of each code, in all layers.
fn counts(header: &Header) -> BTreeMap<u16, u64> {
    let mut counts = BTreeMap::new();
    for &(code, count) in header.layers.iter().flat_map(|layer| &layer.counts) {
        *counts.entry(code).or_insert(0) += count;
    }
    counts
}

fn outcomes(header: &Header, layer: &LayerHeader) -> Option<Outcomes> {
    let mut outcomes = Outcomes::default();
    for &(code, count) in &layer.counts {
        *match header.value(code)?.outcome() {
            Outcome::Win => &mut outcomes.win,
            Outcome::Draw => &mut outcomes.draw,
            Outcome::Loss => &mut outcomes.loss,
        } += count;
    }
    Some(outcomes)
}

fn info(header: &Header, bytes: u64) -> Info<'_> {
    let of = &header.subject;
    let positions = header.positions();
    let each = |bits: f64| bits / positions.max(1) as f64;
    let entropy = |layer: &LayerHeader| {
        let of_code = |&(_, count): &(u16, u64)| count as f64 * (layer.positions as f64 / count.max(1) as f64).log2();
        layer.counts.iter().map(of_code).sum::<f64>()
    };
    let counts = counts(header);
    let wins = counts.keys().filter_map(|&code| header.value(code)).filter(|value| value.outcome() == Outcome::Win);
    let layer = |layer: &LayerHeader| Layer {
        layer: layer.layer,
        positions: layer.positions,
        outcomes: outcomes(header, layer),
    };
    let worth = |(&code, &positions): (&u16, &u64)| {
        let value = header.value(code);
        Worth {
            outcome: value.map(|value| value.outcome().to_string()),
            remoteness: value.and_then(Value::remoteness),
            nimber: value.is_none().then_some(code),
            positions,
        }
    };
    Info {
        game: &of.game,
        rules: &of.rules,
        size: &of.size,
        starts: &of.starts,
        tells: of.metric,
        folded: of.folded,
        plies: of.plies,
        values_only: false,
        positions,
        bytes,
        bits_per_position: each(bytes as f64 * 8.0),
        entropy: each(header.layers.iter().map(entropy).sum()),
        longest_win: wins.filter_map(Value::remoteness).max(),
        layers: header.layers.iter().map(layer).collect(),
        worths: counts.iter().map(worth).collect(),
    }
}

fn page(info: &Info<'_>, header: &Header) -> String {
    let (one, many) = names(header.subject.metric);
    let positions = counted(info.positions, one, many);
    let folded = match (header.subject.metric, info.folded) {
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
    let width = grouped(info.positions).len().max(many.len());
    let mut row = |cells: [&str; 5]| {
        let [first, others @ ..] = cells;
        let others: String = others.iter().map(|cell| format!("  {cell:>width$}")).collect();
        let _ = writeln!(page, "{}", format!("  {first:>10}{others}").trim_end());
    };
    match header.subject.metric {
        Metric::Value => {
            row(["", "", "", "", ""]);
            row(["layer", many, "win", "draw", "loss"]);
            for layer in &info.layers {
                let Outcomes { win, draw, loss } = layer.outcomes.unwrap_or_default();
                let [all, win, draw, loss] = [layer.positions, win, draw, loss].map(grouped);
                row([&layer.layer.to_string(), &all, &win, &draw, &loss]);
            }
            row(["", "", "", "", ""]);
            row(["remoteness", "", "win", "draw", "loss"]);
            let mut by_plies: BTreeMap<Option<u32>, Outcomes> = BTreeMap::new();
            for worth in &info.worths {
                let of = by_plies.entry(worth.remoteness).or_default();
                *match worth.outcome.as_deref() {
                    Some("win") => &mut of.win,
                    Some("loss") => &mut of.loss,
                    _ => &mut of.draw,
                } += worth.positions;
            }
            for (plies, Outcomes { win, draw, loss }) in by_plies {
                let some = |count: u64| if count == 0 { String::new() } else { grouped(count) };
                let name = plies.map_or_else(|| "draw".to_owned(), |plies| plies.to_string());
                row([&name, "", &some(win), &some(draw), &some(loss)]);
            }
        }
        Metric::Nimber => {
            row(["", "", "", "", ""]);
            row(["nimber", many, "", "", ""]);
            for worth in &info.worths {
                row([&worth.nimber.unwrap_or(0).to_string(), &grouped(worth.positions), "", "", ""]);
            }
        }
    }
    page
}
