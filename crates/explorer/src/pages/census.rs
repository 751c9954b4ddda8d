//! The census of a game: how many positions are won, drawn and lost, and in how many plies.

use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use balpan::Watch;
use balpan_app::CensusQuery;
use balpan_games::AnyGame;
use balpan_games::census::{Census, OutcomeCounts, RemotenessCount, ScoreCount};
use lru::LruCache;
use maud::{Markup, html};

use crate::answers::Answers;
use crate::bounded::WorkLimits;
use crate::error::RequestError;
use crate::page::Page;
use crate::request::GetRequest;
use crate::scene::Scene;
use crate::words::{census as say, frame, grouped};

/// The largest count, and the bytes of its table: both take a second or two.
const MAX_POSITIONS: u64 = 600_000;
const MEMORY_BYTES: usize = 128 << 20;

/// Cached counts.
const MAX_CACHED: NonZeroUsize = NonZeroUsize::MIN.saturating_add(63);

/// Counts the positions of a game from its start. `key` identifies the game in the cache.
///
/// # Errors
/// If there are too many positions, or `watch` stops the count.
fn census(game: &AnyGame, key: String, watch: &Watch) -> Result<Arc<Census>, RequestError> {
    static CACHE: LazyLock<Mutex<LruCache<String, Arc<Census>>>> =
        LazyLock::new(|| Mutex::new(LruCache::new(MAX_CACHED)));
    let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(census) = cache().get(&key) {
        return Ok(Arc::clone(census));
    }
    let query = CensusQuery { name: "", symmetry: false, nimbers: false, games: false, memory: MEMORY_BYTES, watch };
    let census = Arc::new(query.count(game).map_err(|_| RequestError::too_hard(say::too_many))?);
    cache().put(key, Arc::clone(&census));
    Ok(census)
}

static LIMITS: WorkLimits = WorkLimits::new(1, Duration::from_secs(2), MAX_POSITIONS);

/// The height of the histogram, and of the numbers below it.
const HEIGHT: f64 = 160.0;
const LABEL_HEIGHT: f64 = 22.0;

pub(crate) async fn page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Page, RequestError> {
    let (lang, link) = (request.reader.lang, request.link(&[])?);
    let tablebase = answers.limits().tablebase.clone();
    let result = LIMITS.run(move |watch| {
        let scene = Scene::new(link)?;
        let position = &scene.position;
        if let Some((counts, is_folded)) = tablebase.counts(&scene.rules, &scene.game, position) {
            let counted = Census::new(&scene.rules.name, position.clone(), is_folded, &counts, None);
            return Ok((scene, Arc::new(counted), Some(is_folded)));
        }
        let counted = census(&scene.game, format!("{}\n{position}", scene.rules.text), watch)?;
        Ok((scene, counted, None))
    });
    // For the count of a strong solution, whether it counts symmetric positions as one.
    let (scene, counted, is_folded) = result.await?;
    let OutcomeCounts { win, draw, loss } = counted.outcomes;
    // Rounded.
    let percent = |part: u64| (100 * part + counted.positions / 2) / counted.positions.max(1);
    let largest = counted.scores.iter().map(|row| row.score.unsigned_abs()).max();
    let longest = counted.remoteness.iter().rev().find(|row| row.win > 0).map(|row| row.remoteness);
    let has_plies = counted.scores.is_empty() || !counted.remoteness.is_empty();
    let plies = |row: &RemotenessCount| (row.remoteness as i32, vec![("wins", row.win), ("losses", row.loss)]);
    let by_plies: Vec<_> = counted.remoteness.iter().map(plies).collect();
    let score = |row: &ScoreCount| {
        let class = match row.score.signum() {
            1 => "wins",
            0 => "draws",
            _ => "losses",
        };
        (row.score, vec![(class, row.positions)])
    };
    let by_score: Vec<_> = counted.scores.iter().map(score).collect();
    let link = scene.link.clone();
    let body = html! {
        h1 { a href=(link.game_only().url("games")) { (frame::game(lang, &link.game)) } " " small { (scene.game.size()) " · " (say::title(lang)) } }
        p.lead { (say::lead(lang)) }
        p.sentence.unknown #census data-positions=(counted.positions) { (say::positions(lang, &grouped(counted.positions))) }
        ul {
            li { (say::wins(lang, &grouped(win), percent(win))) }
            li { (say::draws(lang, &grouped(draw), percent(draw))) }
            li { (say::losses(lang, &grouped(loss), percent(loss))) }
            @if let Some(longest) = longest { li { (say::longest(lang, longest)) } }
            @if let Some(largest) = largest { li { (say::largest(lang, largest)) } }
            @if counted.repeats { li { (say::repeats(lang)) } }
        }
        @if let Some(is_folded) = is_folded { p.hint #of-file { (if is_folded { say::counted_up_to_symmetry(lang) } else { say::counted_in_file(lang) }) } }
        @if has_plies {
            (histogram(say::histogram(lang), 8.0, &by_plies))
            ul.legend {
                li { span.sample.win {} (say::win_in(lang)) }
                li { span.sample.loss {} (say::loss_in(lang)) }
            }
        }
        @if !by_score.is_empty() {
            (histogram(say::score_histogram(lang), 4.0, &by_score))
            p.hint { (say::score_histogram(lang)) }
        }
        details {
            summary { (say::table(lang)) }
            @if has_plies { (table([say::remoteness(lang), say::won(lang), say::lost(lang)], &by_plies)) }
            @if !by_score.is_empty() { (table([say::score(lang), say::title(lang)], &by_score)) }
        }
        p.actions { a href=(link.play()) { (say::start(lang)) } }
    };
    let title = format!("{}: {}", say::title(lang), frame::game(lang, &link.game));
    Ok(Page::new(title, link.without_lang().url("census"), body))
}

/// A number with its bars: their classes, and the counts of positions.
type Bars = (i32, Vec<(&'static str, u64)>);

/// Draws the counts of each number as bars side by side, each in the colour of its class.
fn histogram(label: &str, min_width: f64, rows: &[Bars]) -> Markup {
    let least = rows.first().map_or(0, |row| row.0);
    let span = f64::from(rows.last().map_or(0, |row| row.0) - least + 1);
    let max = rows.iter().flat_map(|row| &row.1).map(|bar| bar.1).max().unwrap_or(1).max(1);
    let wide = (680.0 / span).clamp(min_width, 44.0);
    let (width, every) = (wide * span + 8.0, (26.0 / wide).ceil() as i32);
    let high = |n: u64| (HEIGHT - 8.0) * n as f64 / max as f64;
    html! {
        svg.graph.histogram viewBox={ "0 0 " (width) " " (HEIGHT + LABEL_HEIGHT) } width=(width) height=(HEIGHT + LABEL_HEIGHT) role="img" aria-label=(label) {
            @for (number, bars) in rows {
                @let (x, broad) = (4.0 + wide * f64::from(number - least), wide * 0.84 / bars.len() as f64);
                @for (n, (class, count)) in bars.iter().enumerate() {
                    rect class=(class) x=(x + wide * 0.08 + broad * n as f64) y=(HEIGHT - high(*count)) width=(broad) height=(high(*count)) {}
                }
                @if number % every.max(1) == 0 { text.plies x=(x + wide / 2.0) y=(HEIGHT + 16.0) { (number) } }
            }
        }
    }
}

/// A table of counts, whose first column has a number for each row.
fn table<const N: usize>(heads: [&str; N], rows: &[Bars]) -> Markup {
    html! {
        table.xor {
            thead { tr { @for head in heads { th { (head) } } } }
            tbody { @for (number, bars) in rows {
                tr { td.number { (number) } @for (_, count) in bars { td.number { (grouped(*count)) } } }
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
        assert_eq!(counted.positions, 5478);
        assert_eq!(counted.remoteness.iter().map(|row| row.win).sum::<u64>(), counted.outcomes.win);
        assert_eq!(census(&game, "tictactoe".to_owned(), &Watch::with_limit(0)).unwrap(), counted);
        let large = balpan_games::presets::preset("connect4").unwrap().unwrap().game().unwrap();
        assert!(census(&large, "connect4".to_owned(), &Watch::with_limit(MAX_POSITIONS)).is_err());
    }
}
