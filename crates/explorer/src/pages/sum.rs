//! The page of sums of games, with nimbers in binary and the moves that make the sum 0, or with values.

use balpan::{Budget, Watch};
use balpan_games::EngineOptions;
use balpan_games::sum::{SumComponent, SumReport, WinningMove};
use maud::{Markup, html};

use crate::board::{self, MoveValues};
use crate::error::RequestError;
use crate::link::Link;
use crate::page::Page;
use crate::pages::form::FormPage;
use crate::pages::value;
use crate::request::{GetRequest, Reader};
use crate::scene::{Scene, run_blocking};
use crate::theory::{MAX_SEARCHED, MEMORY, NIMBER_LIMITS, has_values, no_nimbers};
use crate::words::values::values as say_values;
use crate::words::{Lang, frame, position as words, theory as say};

/// Games in a sum at most.
const MAX_GAMES: usize = 8;

/// Winning moves that are listed at most.
pub(super) const MAX_MOVES: usize = 12;

/// A row of the table of nimbers.
pub(super) struct Row {
    pub(super) label: Markup,
    pub(super) nimber: u32,
}

/// The table of nimbers in binary, with their sum.
pub(super) fn nimber_table(lang: Lang, rows: &[Row], sum: u32) -> Markup {
    let digits = rows.iter().map(|row| 32 - row.nimber.leading_zeros()).max().unwrap_or(0).max(1) as usize;
    html! {
        table.xor {
            thead { tr { th { (say::part(lang)) } th { (say::nimber(lang)) } th { (say::binary(lang)) } } }
            tbody { @for row in rows { tr { td { (row.label) } td.number { (row.nimber) } td.binary { (format!("{:0digits$b}", row.nimber)) } } } }
            tfoot { tr #whole data-nimber=(sum) { th { "XOR" } td.number { (sum) } td.binary { (format!("{sum:0digits$b}")) } } }
        }
    }
}

pub(super) fn sum_verdict(lang: Lang, sum: u32) -> Markup {
    html! {
        @if sum == 0 { p.sentence.loss { (say::sum_is_lost(lang)) } } @else { p.sentence.win { (say::sum_is_won(lang)) } }
    }
}

static FORM: FormPage = FormPage {
    path: "/sum",
    title: say::sums,
    lead: say::sum_lead,
    text: (say::games, 2000),
    example: "nim 3 5 + cram ..../.... + kayles 7",
    number: None,
    button: say::add,
    others: &[("/value", say_values)],
};

/// The page of several games side by side, as a query has them: `cram .../... + nim 3 5`.
pub(crate) async fn page(request: GetRequest) -> Result<Page, RequestError> {
    let fields = FORM.read(request)?;
    let reader = fields.reader;
    let text = fields.text.clone();
    let result = match run_blocking(move || as_expression(reader, &text)).await {
        Ok(Some(expression)) => value::value_section(reader.lang, expression).await,
        Ok(None) => {
            let text = fields.text.clone();
            NIMBER_LIMITS.run(move |watch| nimber_sum(reader, &text, watch)).await
        }
        Err(error) => Err(error),
    };
    Ok(FORM.page(&fields, result))
}

/// Splits a query into games with their positions.
fn games(written: &str) -> impl Iterator<Item = (&str, Option<String>)> {
    written.split(" + ").map(|game| {
        let (name, at) = game.trim().split_once(' ').unwrap_or((game.trim(), ""));
        (name, Some(at.trim().to_owned()).filter(|at| !at.is_empty()))
    })
}

/// Returns the sum as an expression for the calculator, if one of the games has values that are no nimbers.
fn as_expression(reader: Reader, written: &str) -> Result<Option<String>, RequestError> {
    let (mut terms, mut has_value) = (Vec::new(), false);
    for (name, at) in games(written).take(MAX_GAMES + 1).filter(|(name, _)| !name.is_empty()) {
        let scene = Scene::new(Link { at, ..reader.link_to(name) })?;
        has_value |= has_values(&scene.game);
        // In a sum, the player to move does not matter.
        let position = &scene.position;
        let mut sides = scene.game.sides().iter();
        let position = sides.find_map(|(side, _)| position.strip_suffix(side)?.strip_suffix(' ')).unwrap_or(position);
        terms.push(format!("{name}({position})"));
    }
    if has_value && terms.len() > MAX_GAMES {
        return Err(RequestError::invalid(|lang| say::too_many(lang, MAX_GAMES)));
    }
    Ok(has_value.then(|| terms.join(" + ")))
}

/// Adds up impartial games by their nimbers.
fn nimber_sum(reader: Reader, written: &str, watch: &Watch) -> Result<Markup, RequestError> {
    let lang = reader.lang;
    if written.is_empty() {
        return Ok(html! {});
    }
    let mut scenes = Vec::new();
    for (name, at) in games(written) {
        if scenes.len() == MAX_GAMES {
            return Err(RequestError::invalid(|lang| say::too_many(lang, MAX_GAMES)));
        }
        let scene = Scene::new(Link { at, ..reader.link_to(name) })?;
        if !scene.game.is_impartial() || scene.game.may_repeat() {
            return Err(no_nimbers(&scene.game));
        }
        scenes.push(scene);
    }
    // The engines of all games are kept, and share the memory.
    let make = EngineOptions::new(Budget { memory: MEMORY / scenes.len(), threads: 1 });
    let mut summands: Vec<_> = scenes.iter().map(|scene| make.clone().summand(&scene.game)).collect();
    let names: Vec<_> = scenes.iter().map(|scene| scene.link.game.clone()).collect();
    let watch = watch.child(MAX_SEARCHED * names.len() as u64);
    let SumReport { sum, nimber: whole, moves, .. } = SumReport::find(&names, &mut summands, true, &watch)?;
    let moves = moves.unwrap_or_default();
    let row = |(scene, of): (&Scene, &SumComponent)| Row {
        label: html! { a href=(scene.link.play()) { (frame::game(lang, &of.game)) } " " (of.position) },
        nimber: of.nimber,
    };
    let rows: Vec<Row> = scenes.iter().zip(&sum).map(row).collect();
    let after = |mv: &WinningMove| {
        let one = |(component, of): (usize, &SumComponent)| {
            format!("{} {}", of.game, if component == mv.component { &mv.position } else { &of.position })
        };
        let of = (1..).zip(&sum).map(one).collect::<Vec<_>>().join(" + ");
        let lang = reader.url_lang.map_or_else(String::new, |lang| format!("&lang={}", lang.code()));
        format!("/sum?of={}{lang}", crate::link::percent_encode(&of))
    };
    Ok(html! {
        div.figures { @for (scene, of) in scenes.iter().zip(&sum) { figure { (board::figure(lang, scene, &MoveValues::new(None))) figcaption { (frame::game(lang, &of.game)) ": " (of.nimber) } } } }
        (nimber_table(lang, &rows, whole))
        (sum_verdict(lang, whole))
        @if !moves.is_empty() {
            p { (say::to_zero(lang)) }
            ul #zero { @for mv in moves.iter().take(MAX_MOVES) { li { (frame::game(lang, &sum[mv.component - 1].game)) ": " a href=(after(mv)) { (mv.mv) } } } }
            @if moves.len() > MAX_MOVES { p { (words::more_moves_plain(lang, moves.len() - MAX_MOVES)) } }
        }
    })
}
