//! The page of values and sums of positions, as people write them: `domineering(../..) + {1|0}`.

use std::time::Duration;

use balpan::Budget;
use balpan_games::calculator::{Calculator, CalculatorError, ParsedExpression, SumTerm, ValueReport, WinningPlay};
use balpan_games::presets::preset;
use balpan_games::{EngineOptions, PlayerName, TextError};
use balpan_pictures::plots::{Style, thermograph};
use maud::{Markup, PreEscaped, html};

use crate::bounded::WorkLimits;
use crate::error::RequestError;
use crate::page::Page;
use crate::pages::form::FormPage;
use crate::request::GetRequest;
use crate::words::players::name;
use crate::words::{Lang, theories, theory, values as say};

/// Limits on the positions and forms of an expression, and on their bytes.
static LIMITS: WorkLimits = WorkLimits::new(1, Duration::from_secs(2), 200_000);
const MEMORY: usize = 64 << 20;

/// Moves of each player that are listed at most.
const MAX_MOVES: usize = 8;

/// Bytes of the longest expression.
const MAX_BYTES: usize = 2_000;

static FORM: FormPage = FormPage {
    path: "/value",
    title: say::values,
    lead: say::values_lead,
    text: (say::expression, MAX_BYTES),
    example: "domineering(../..) + domineering(.../...) - 1/2",
    number: None,
    button: say::work_out,
    others: &[("/sum", theory::sums), ("/period", theories::period), ("/quotient", theories::quotient)],
};

pub(crate) async fn page(request: GetRequest) -> Result<Page, RequestError> {
    let fields = FORM.read(request)?;
    let result = value_section(fields.reader.lang, fields.shown.clone()).await;
    Ok(FORM.page(&fields, result))
}

async fn answer(text: String) -> Result<ValueReport, RequestError> {
    if text.len() > MAX_BYTES {
        return Err(RequestError::invalid(say::too_long));
    }
    LIMITS
        .run(move |watch| {
            // A server reads no rules files: only presets have names.
            let rules = |name: &str| -> Result<_, TextError> { preset(name).transpose() };
            let written = ParsedExpression::read(&text, rules)?;
            let make = EngineOptions::new(Budget { memory: MEMORY, threads: 1 });
            Calculator::new(make, watch).evaluate(&written).map_err(|error| match error {
                CalculatorError::Text(error) => error.into(),
                CalculatorError::NoAnswer(error) => error.into(),
                CalculatorError::Cgt(_) => RequestError::too_hard(say::too_hard),
            })
        })
        .await
}

/// Finds the value of an expression, and shows it.
pub(crate) async fn value_section(lang: Lang, expression: String) -> Result<Markup, RequestError> {
    Ok(result_section(lang, &answer(expression).await?))
}

fn result_section(lang: Lang, answer: &ValueReport) -> Markup {
    let facts = &answer.facts;
    let row = |name: &str, text: Option<&str>| html! { @if let Some(text) = text { tr { th { (name) } td { code { (text) } } } } };
    html! {
        @if let Some(compared) = &answer.compared { p #compared.sentence { @if compared.holds { (say::holds(lang)) } @else { (say::holds_not(lang, compared.is)) } } }
        @if let Some(outcome) = answer.outcome { p #outcome.sentence { (verdict(lang, outcome)) } }
        @if !answer.complete { p.sentence { (say::not_all(lang)) } }
        div.play {
            div.table { @if let Some(of) = &answer.thermograph { (PreEscaped(thermograph(say::thermograph(lang), of, Style::OfPage))) } }
            div.panel {
                table.xor { tbody {
                    (row(say::value(lang), answer.value.as_deref()))
                    @for named in &answer.names { (row(&named.name, Some(&named.value))) }
                    @if let Some([left, right]) = &answer.stops { (row(say::stops(lang), Some(&format!("{left}, {right}")))) }
                    @if let Some([least, most]) = answer.bounds { (row(say::bounds(lang), Some(&format!("{least} .. {most}")))) }
                    @if let Some([[a, b], [c, d]]) = answer.stop_bounds { (row(say::stops(lang), Some(&format!("{a} .. {b}, {c} .. {d}")))) }
                    (row(say::mean(lang), facts.mean.as_deref()))
                    @if let Some(of) = &facts.temperature { (row(say::temperature(lang), Some(of.as_deref().unwrap_or(say::number(lang))))) }
                    (row(say::weight(lang), facts.atomic_weight.as_deref()))
                } }
                (games(lang, &answer.components))
            }
        }
        @if let Some(moves) = &answer.moves {
            (winning(lang, say::left_wins(lang), &moves.left, &answer.components))
            (winning(lang, say::right_wins(lang), &moves.right, &answer.components))
        }
    }
}

/// Says who wins, by the name of the outcome class: `left`, `right`, `first` or `second`.
fn verdict(lang: Lang, outcome: &str) -> String {
    let names = [PlayerName::Left, PlayerName::Right].map(|player| name(lang, player, 0));
    say::verdict(lang, names, matches!(outcome, "left" | "first"), matches!(outcome, "right" | "first"))
}

/// The games of the sum, the hottest first.
fn games(lang: Lang, components: &[SumTerm]) -> Markup {
    let mut sorted: Vec<_> = components.iter().collect();
    let heat = |of: &SumTerm| {
        of.temperature.as_deref().map_or(f64::MIN, |text| match text.split_once('/') {
            Some((above, below)) => above.parse().unwrap_or(0.0) / below.parse().unwrap_or(1.0),
            None => text.parse().unwrap_or(0.0),
        })
    };
    sorted.sort_by(|a, b| heat(b).total_cmp(&heat(a)));
    let named = |of: &SumTerm| match of.times {
        1 => of.game.clone(),
        -1 => format!("-({})", of.game),
        times => format!("{times}·({})", of.game),
    };
    html! {
        @if components.len() > 1 {
            @if let Some(hottest) = sorted.first().filter(|of| heat(of) > 0.0) {
                p #hottest { (say::play_here(lang, &named(hottest), hottest.temperature.as_deref().unwrap_or("0"))) }
            }
            table.xor {
                thead { tr { th { (say::game(lang)) } th { (say::value(lang)) } th { (say::temperature(lang)) } } }
                tbody { @for of in sorted { tr {
                    td { code { (named(of)) } }
                    td.value { code { (of.value.as_deref().unwrap_or("?")) } }
                    td.number { (of.temperature.as_deref().unwrap_or(say::number(lang))) }
                } } }
            }
        }
    }
}

fn winning(lang: Lang, head: &str, plays: &[WinningPlay], components: &[SumTerm]) -> Markup {
    let game = |component: usize| components.get(component - 1).map_or("", |of| &*of.game);
    html! {
        @if !plays.is_empty() {
            p { (head) }
            ul.numbers-of { @for play in plays.iter().take(MAX_MOVES) { li { code { (play.mv) } " " (say::within(lang, game(play.component))) } } }
        }
    }
}
