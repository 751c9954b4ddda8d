//! The census of a game: how many positions are won, drawn and lost, and in how many plies.

use std::sync::Arc;
use std::time::Duration;

use maud::{Markup, html};
use tokio::sync::Semaphore;

use crate::answers::Answers;
use crate::bounded::within;
use crate::census::{Census, MOST, census};
use crate::link::Link;
use crate::page::{Page, Reader};
use crate::refusal::Refusal;
use crate::scene::Scene;
use crate::words::{Lang, census as say, frame, grouped};

/// Games that are counted at a time.
static ROOM: Semaphore = Semaphore::const_new(1);

/// What takes longer to count is given up.
const LONGEST: Duration = Duration::from_secs(2);

/// The picture's height, and the room below for numbers.
const HIGH: f64 = 160.0;
const BELOW: f64 = 22.0;

pub(crate) async fn page(answers: &Answers, reader: Reader, link: Link) -> Result<Page, Refusal> {
    let lang = reader.lang;
    let tablebase = answers.tablebase().clone();
    let made = within(&ROOM, LONGEST, MOST, move |watch| {
        let scene = Scene::new(link)?;
        if let Some(counted) = Census::from_tablebase(&tablebase, &scene.rules, &scene.game, &scene.view.position) {
            return Ok((scene, Arc::new(counted)));
        }
        let counted = census(&scene.game, format!("{}\n{}", scene.rules.text, scene.view.position), watch)?;
        Ok((scene, counted))
    });
    let (scene, counted) = made.await?;
    let link = scene.link.clone();
    let body = html! {
        h1 { a href=(link.of_game().url("games")) { (frame::game(lang, &link.game)) } " " small { (scene.game.size()) " · " (say::title(lang)) } }
        p.lead { (say::lead(lang)) }
        p.sentence.unknown #census data-positions=(counted.positions()) { (say::positions(lang, counted.positions())) }
        ul {
            li { (say::wins(lang, &grouped(counted.wins), percent(counted.wins, &counted))) }
            li { (say::draws(lang, &grouped(counted.draws), percent(counted.draws, &counted))) }
            li { (say::losses(lang, &grouped(counted.losses), percent(counted.losses, &counted))) }
            @if let Some(longest) = counted.longest_win() { li { (say::longest(lang, longest)) } }
        }
        @if let Some(is_folded) = counted.of_file { p.hint #of-file { (say::of_file(lang, is_folded)) } }
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

/// In hundredths, rounded.
fn percent(part: u64, of: &Census) -> u64 {
    (100 * part + of.positions() / 2) / of.positions().max(1)
}

/// Wins and losses side by side, for each number of plies.
fn histogram(lang: Lang, census: &Census) -> Markup {
    let plies = census.by_remoteness.keys().max().copied().unwrap_or(0);
    let most = census.by_remoteness.values().map(|(wins, losses)| *wins.max(losses)).max().unwrap_or(1).max(1);
    let wide = (680.0 / f64::from(plies + 1)).clamp(8.0, 44.0);
    let width = wide * f64::from(plies + 1) + 8.0;
    let every = (26.0 / wide).ceil() as u32;
    let high = |n: u64| (HIGH - 8.0) * n as f64 / most as f64;
    html! {
        svg.graph.histogram viewBox={ "0 0 " (width) " " (HIGH + BELOW) } width=(width) height=(HIGH + BELOW) role="img" aria-label=(say::histogram(lang)) {
            @for (remoteness, (wins, losses)) in &census.by_remoteness {
                @let x = 4.0 + wide * f64::from(*remoteness);
                rect.wins x=(x + wide * 0.08) y=(HIGH - high(*wins)) width=(wide * 0.42) height=(high(*wins)) {}
                rect.losses x=(x + wide * 0.5) y=(HIGH - high(*losses)) width=(wide * 0.42) height=(high(*losses)) {}
                @if remoteness % every.max(1) == 0 { text.plies x=(x + wide / 2.0) y=(HIGH + 16.0) { (remoteness) } }
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
