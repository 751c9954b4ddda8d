//! The census of a game: how many positions are won, drawn and lost, and in how many plies.

use std::sync::Arc;
use std::time::Duration;

use maud::{Markup, html};
use tokio::sync::Semaphore;

use crate::answers::Answers;
use crate::bounded::run_limited;
use crate::census::{Census, MAX_POSITIONS, census};
use crate::link::Link;
use crate::page::{Page, Reader};
use crate::refusal::RequestError;
use crate::scene::Scene;
use crate::words::{Lang, census as say, frame, grouped};

/// Counts at the same time.
static PERMITS: Semaphore = Semaphore::const_new(1);

/// The time limit of a count.
const TIME_LIMIT: Duration = Duration::from_secs(2);

/// The height of the histogram, and of the numbers below it.
const HEIGHT: f64 = 160.0;
const LABEL_HEIGHT: f64 = 22.0;

pub(crate) async fn page(answers: &Answers, reader: Reader, link: Link) -> Result<Page, RequestError> {
    let lang = reader.lang;
    let tablebase = answers.tablebase().clone();
    let result = run_limited(&PERMITS, TIME_LIMIT, MAX_POSITIONS, move |watch| {
        let scene = Scene::new(link)?;
        if let Some(counted) = Census::from_tablebase(&tablebase, &scene.rules, &scene.game, &scene.view.position) {
            return Ok((scene, Arc::new(counted)));
        }
        let counted = census(&scene.game, format!("{}\n{}", scene.rules.text, scene.view.position), watch)?;
        Ok((scene, counted))
    });
    let (scene, counted) = result.await?;
    let link = scene.link.clone();
    let body = html! {
        h1 { a href=(link.game_only().url("games")) { (frame::game(lang, &link.game)) } " " small { (scene.game.size()) " · " (say::title(lang)) } }
        p.lead { (say::lead(lang)) }
        p.sentence.unknown #census data-positions=(counted.positions()) { (say::positions(lang, counted.positions())) }
        ul {
            li { (say::wins(lang, &grouped(counted.wins), percent(counted.wins, &counted))) }
            li { (say::draws(lang, &grouped(counted.draws), percent(counted.draws, &counted))) }
            li { (say::losses(lang, &grouped(counted.losses), percent(counted.losses, &counted))) }
            @if let Some(longest) = counted.longest_win() { li { (say::longest(lang, longest)) } }
        }
        @if let Some(is_folded) = counted.is_folded { p.hint #of-file { (say::counted_in_file(lang, is_folded)) } }
        (histogram(lang, &counted))
        details {
            summary { (say::table(lang)) }
            (table(lang, &counted))
        }
        p.actions { a href=(link.play()) { (say::start(lang)) } }
    };
    let title = format!("{}: {}", say::title(lang), link.game);
    Ok(Page::new(title, move |lang| link.with_lang(lang).url("census"), body))
}

/// Returns a share in rounded percent.
fn percent(part: u64, of: &Census) -> u64 {
    (100 * part + of.positions() / 2) / of.positions().max(1)
}

/// Draws wins and losses side by side for each number of plies.
fn histogram(lang: Lang, census: &Census) -> Markup {
    let plies = census.by_remoteness.keys().max().copied().unwrap_or(0);
    let max = census.by_remoteness.values().map(|(wins, losses)| *wins.max(losses)).max().unwrap_or(1).max(1);
    let wide = (680.0 / f64::from(plies + 1)).clamp(8.0, 44.0);
    let width = wide * f64::from(plies + 1) + 8.0;
    let every = (26.0 / wide).ceil() as u32;
    let high = |n: u64| (HEIGHT - 8.0) * n as f64 / max as f64;
    html! {
        svg.graph.histogram viewBox={ "0 0 " (width) " " (HEIGHT + LABEL_HEIGHT) } width=(width) height=(HEIGHT + LABEL_HEIGHT) role="img" aria-label=(say::histogram(lang)) {
            @for (remoteness, (wins, losses)) in &census.by_remoteness {
                @let x = 4.0 + wide * f64::from(*remoteness);
                rect.wins x=(x + wide * 0.08) y=(HEIGHT - high(*wins)) width=(wide * 0.42) height=(high(*wins)) {}
                rect.losses x=(x + wide * 0.5) y=(HEIGHT - high(*losses)) width=(wide * 0.42) height=(high(*losses)) {}
                @if remoteness % every.max(1) == 0 { text.plies x=(x + wide / 2.0) y=(HEIGHT + 16.0) { (remoteness) } }
            }
        }
        ul.legend {
            li { span.sample.win {} (say::win_in(lang)) }
            li { span.sample.loss {} (say::loss_in(lang)) }
        }
    }
}

fn table(lang: Lang, census: &Census) -> Markup {
    html! {
        table.xor {
            thead { tr { th { (say::remoteness(lang)) } th { (say::won(lang)) } th { (say::lost(lang)) } } }
            tbody { @for (remoteness, (wins, losses)) in &census.by_remoteness {
                tr { td.number { (remoteness) } td.number { (grouped(*wins)) } td.number { (grouped(*losses)) } }
            } }
        }
    }
}
