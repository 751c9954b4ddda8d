//! The census of a game: how many positions are won, drawn and lost, and in how many plies.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use balpan::reach::{Count, values};
use balpan::{Outcome, TooLong, Value, Watch};
use balpan_games::{AnyGame, Notation, RulesFile, Task};
use balpan_strong::Tablebase;
use maud::{Markup, html};
use tokio::sync::Semaphore;

use crate::answers::Answers;
use crate::bounded::run_limited;
use crate::error::RequestError;
use crate::link::Link;
use crate::page::{Page, Reader};
use crate::scene::Scene;
use crate::words::{Lang, census as say, frame, grouped};

/// The largest count, and the bytes of its table: both take a second or two.
const MAX_POSITIONS: u64 = 600_000;
const MEMORY_BYTES: usize = 128 << 20;

/// Cached counts.
const MAX_CACHED: usize = 64;

/// The number of positions by their outcome for the player to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Census {
    wins: u64,
    draws: u64,
    losses: u64,
    /// Wins and losses by their remoteness.
    by_remoteness: BTreeMap<u32, (u64, u64)>,
    /// For the count of a strong solution, whether it counts symmetric positions as one.
    is_folded: Option<bool>,
}

impl Census {
    /// Reads the count of a strong solution, if the tablebase has one of the game from this position.
    fn from_tablebase(tablebase: &Tablebase, rules: &RulesFile, game: &AnyGame, position: &str) -> Option<Self> {
        let (counts, is_folded) = tablebase.counts(rules, game, position)?;
        let mut census = Self { is_folded: Some(is_folded), ..Self::default() };
        counts.into_iter().for_each(|(value, count)| census.add(value, count));
        Some(census)
    }

    fn add(&mut self, value: Value, count: u64) {
        match value.outcome() {
            Outcome::Win => self.wins += count,
            Outcome::Draw => self.draws += count,
            Outcome::Loss => self.losses += count,
        }
        if let Some(remoteness) = value.remoteness() {
            let (wins, losses) = self.by_remoteness.entry(remoteness).or_default();
            *(if value.outcome() == Outcome::Win { wins } else { losses }) += count;
        }
    }

    fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The plies of the longest win.
    fn longest_win(&self) -> Option<u32> {
        self.by_remoteness.iter().rev().find(|(_, (wins, _))| *wins > 0).map(|(remoteness, _)| *remoteness)
    }
}

/// Counts the positions of a game from its start. `key` identifies the game in the cache.
///
/// # Errors
/// If there are too many positions, or `watch` stops the count.
fn census(game: &AnyGame, key: String, watch: &Watch) -> Result<Arc<Census>, RequestError> {
    static CACHE: Mutex<Option<HashMap<String, Arc<Census>>>> = Mutex::new(None);
    let cache = || CACHE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(census) = cache().as_ref().and_then(|cache| cache.get(&key)) {
        return Ok(Arc::clone(census));
    }
    let census = Arc::new(game.run(Tally(watch))?);
    let mut cache = cache();
    let cache = cache.get_or_insert_default();
    if cache.len() >= MAX_CACHED {
        cache.clear();
    }
    cache.insert(key, Arc::clone(&census));
    Ok(census)
}

struct Tally<'a>(&'a Watch);

impl Task for Tally<'_> {
    type Output = Result<Census, RequestError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let start = game.start();
        TooLong::check(game, &start).map_err(|_| RequestError::too_many_positions())?;
        let found = values(game, &start, Count::Positions, MEMORY_BYTES, self.0);
        let mut census = Census::default();
        for value in found.map_err(|_| RequestError::too_many_positions())?.into_values() {
            census.add(value, 1);
        }
        Ok(census)
    }
}

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn tic_tac_toe_has_5478_positions() {
        let game = balpan_games::presets::preset("tictactoe").unwrap().unwrap().game().unwrap();
        let counted = census(&game, "tictactoe".to_owned(), &Watch::with_limit(MAX_POSITIONS)).unwrap();
        assert_eq!(counted.positions(), 5478);
        assert_eq!(counted.by_remoteness.values().map(|(wins, _)| wins).sum::<u64>(), counted.wins);
        assert_eq!(census(&game, "tictactoe".to_owned(), &Watch::with_limit(0)).unwrap(), counted);
        let large = balpan_games::presets::preset("connect4").unwrap().unwrap().game().unwrap();
        assert!(census(&large, "connect4".to_owned(), &Watch::with_limit(MAX_POSITIONS)).is_err());
    }
}
