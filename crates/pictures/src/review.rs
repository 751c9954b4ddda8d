//! A reviewed game: in words, and as a graph with a bar towards the winner for each position, longer the sooner the win is.

use balpan::Outcome;
use balpan_games::{Annotation, Lang, Review};

use crate::text::{BARS, escaped};
use crate::tree::STYLE;
use crate::words::{Name, by_points, name};

balpan_messages::messages!("review");

/// The height of the bar of a game that is won, and of the lowest bar.
pub const MAX_BAR_HEIGHT: f64 = 60.0;
const MIN_BAR_HEIGHT: f64 = 16.0;
/// Most moves that a sentence lists.
const MAX_SHOWN_MOVES: usize = 4;
/// Room above and below for annotations, at the left for names, and at the top for the heading.
const MARGIN: f64 = 22.0;
const SIDE: f64 = 100.0;
const HEAD: f64 = 36.0;
const MIDDLE: f64 = HEAD + MARGIN + MAX_BAR_HEIGHT;
const HEIGHT: f64 = HEAD + 2.0 * (MARGIN + MAX_BAR_HEIGHT);

/// Draws the review of a game as a self-contained SVG file.
///
/// ```
/// use balpan_games::{Record, Review, presets::preset};
/// use balpan_pictures::{Lang, review_graph};
///
/// let game = preset("tictactoe").expect("a preset")?.game()?;
/// let record = Record::read(&game, "1,1 0,1")?;
/// // Without answers, no value is known.
/// let review = Review::new("tictactoe", Vec::new(), &record, &[]);
/// assert!(review_graph(Lang::En, &review).contains("<title>2. 0,1: not known yet</title>"));
/// # Ok::<(), balpan_games::TextError>(())
/// ```
#[must_use]
pub fn review_graph(lang: Lang, review: &Review) -> String {
    let plies = review.moves.len();
    let wide = (560.0 / (plies + 1) as f64).clamp(9.0, 36.0);
    let width = (SIDE + wide * (plies + 1) as f64 + 14.0).max(420.0);
    let [first, second] = names(lang, review);
    let head = format!("{}: {}", review.game, result(lang, review));
    let mut out = String::new();
    put!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="0 0 {width:.0} {HEIGHT}" width="{width:.0}" height="{HEIGHT}" role="img" aria-label="{head}"><style>{STYLE}{BARS}</style><rect class="paper" width="{width:.0}" height="{HEIGHT}" rx="8"/><text class="who" x="14" y="24">{head}</text><text class="who p0" x="14" y="{:.0}">{}</text><text class="who p1" x="14" y="{:.0}">{}</text><path class="grid" d="M{:.0} {MIDDLE}H{:.0}"/>"#,
        HEAD + MARGIN + 14.0,
        escaped(first.plain),
        HEIGHT - MARGIN - 4.0,
        escaped(second.plain),
        SIDE - 6.0,
        width - 10.0,
        head = escaped(&head),
    );
    for ply in 0..=plies {
        let x = SIDE + wide * ply as f64;
        put!(out, "<g>");
        draw_bar(&mut out, review, ply, x, wide);
        let mark = ply.checked_sub(1).and_then(|last| review.moves[last].mark);
        if let Some(mark) = mark {
            // An annotation is on the side of the player who made the move.
            let y = if review.turns[ply - 1] == 0 { HEAD + MARGIN - 7.0 } else { HEIGHT - 8.0 };
            put!(out, r#"<text class="note" x="{:.1}" y="{y:.1}">{}</text>"#, x + wide / 2.0, mark.symbol());
        }
        put!(out, "<title>{}</title></g>", escaped(&label(lang, review, ply)));
    }
    out.push_str("</svg>\n");
    out
}

fn draw_bar(out: &mut String, review: &Review, ply: usize, x: f64, wide: f64) {
    let (left, broad, middle) = (x + wide * 0.14, wide * 0.72, x + wide / 2.0);
    let Some((winner, high)) = bar(review, ply) else {
        put!(out, r#"<circle class="t-token" cx="{middle:.1}" cy="{MIDDLE}" r="2.5"/>"#);
        return;
    };
    let (class, y, high) = match winner {
        Some(0) => ("count p0", MIDDLE - high, high),
        Some(_) => ("count p1", MIDDLE, high),
        None => ("t-filled", MIDDLE - 3.0, 6.0),
    };
    put!(out, r#"<rect class="{class}" x="{left:.1}" y="{y:.1}" width="{broad:.1}" height="{high:.1}"/>"#);
}

/// Returns the winner after the first `ply` moves and the height of the bar, if they are known: the higher the sooner the end
/// or the larger the score. Unknown plies count as the most distant end.
#[must_use]
pub fn bar(review: &Review, ply: usize) -> Option<(Option<usize>, f64)> {
    let (winner, plies) = review.winner_after(ply)?;
    let all = || 0..=review.moves.len();
    let points = |ply: usize| Some(review.value_after(ply)?.score?.unsigned_abs());
    let near = match points(ply) {
        Some(score) => f64::from(score) / f64::from(all().filter_map(points).max().unwrap_or(0).max(1)),
        None => {
            let longest = all().filter_map(|ply| review.winner_after(ply)?.1).max().unwrap_or(0).max(1);
            plies.map_or(0.0, |plies| 1.0 - f64::from(plies) / f64::from(longest))
        }
    };
    Some((winner, MIN_BAR_HEIGHT + (MAX_BAR_HEIGHT - MIN_BAR_HEIGHT) * near))
}

/// The label of a bar: `5. 1,2 ?: X wins in 4`.
#[must_use]
pub fn label(lang: Lang, review: &Review, ply: usize) -> String {
    let standing = standing(lang, review, ply);
    match ply.checked_sub(1).and_then(|last| review.moves.get(last)) {
        None => standing,
        Some(mv) => {
            let mark = mv.mark.map_or_else(String::new, |mark| format!(" {}", mark.symbol()));
            format!("{ply}. {}{mark}: {standing}", mv.text)
        }
    }
}

/// The names of the players: who begins, and the other.
#[must_use]
pub fn names(lang: Lang, review: &Review) -> [Name; 2] {
    [0, 1].map(|turn| name(lang, review.players[turn], turn))
}

/// The meaning of an annotation in a review.
#[must_use]
pub fn mark(lang: Lang, review: &Review, mark: Annotation) -> &'static str {
    match mark {
        Annotation::Dubious if review.moves.iter().any(|mv| mv.points_lost().is_some()) => gives_points(lang),
        Annotation::Dubious => takes_longer(lang),
        Annotation::Mistake => gives_result(lang),
        Annotation::Blunder => loses_won_game(lang),
    }
}

/// The result of the game, or that it has not ended.
#[must_use]
pub fn result(lang: Lang, review: &Review) -> String {
    let n = review.moves.len();
    let after = after(lang, n);
    let winner = review.winner.and_then(|winner| review.players.iter().position(|player| *player == winner));
    match (review.over, winner) {
        (true, Some(winner)) => {
            let by = by_points(lang, review.value_after(n).and_then(|end| end.score));
            let Name { plain, subject, .. } = names(lang, review)[winner];
            has_won(lang, plain, subject, &by, &after)
        }
        (true, None) => was_drawn(lang, &after),
        (false, _) => goes_on(lang, &after),
    }
}

/// The winner after the first `ply` moves: `X wins in 5`, `a draw`.
#[must_use]
pub fn standing(lang: Lang, review: &Review, ply: usize) -> String {
    let Some((winner, remoteness)) = review.winner_after(ply) else { return unknown(lang).to_owned() };
    let Some(winner) = winner.map(|winner| names(lang, review)[winner].plain) else { return a_draw(lang).to_owned() };
    match remoteness {
        Some(0) => won(lang, winner),
        Some(n) => wins_in(lang, winner, n),
        None => wins_by(lang, winner, &by_points(lang, review.value_after(ply).and_then(|worth| worth.score))),
    }
}

/// The loss of value by move `n`, from 0, with the moves that keep the value; `None` if it did not change the
/// outcome.
#[must_use]
pub fn turning_point(lang: Lang, review: &Review, n: usize) -> Option<String> {
    let mv = review.moves.get(n)?;
    let (before, worth) = (mv.before?, mv.worth?);
    let phrase = match (before.outcome, worth.outcome) {
        (Outcome::Win, Outcome::Draw) => win_drawn,
        (Outcome::Win, Outcome::Loss) => win_lost,
        (Outcome::Draw, Outcome::Loss) => draw_lost,
        _ => return None,
    };
    let Name { plain, subject, .. } = names(lang, review)[review.turns[n]];
    let sentence = phrase(lang, n + 1, &mv.text, plain, subject);
    let shown = if mv.best.len() > MAX_SHOWN_MOVES { MAX_SHOWN_MOVES - 1 } else { mv.best.len() };
    let mut best = mv.best[..shown].join(between(lang));
    if shown < mv.best.len() {
        best = and_others(lang, mv.best.len() - shown, &best);
    }
    if mv.best.is_empty() {
        return Some(no_move_kept(lang, &sentence));
    }
    if before.outcome == Outcome::Draw {
        return Some(draw_kept(lang, &sentence, &best));
    }
    let kept = before.score.map(|points| kept_by(lang, points));
    let kept = kept.or(before.remoteness.map(|plies| kept_in(lang, plies)));
    Some(win_kept(lang, &sentence, &best, &kept.unwrap_or_default()))
}

/// The sentence for a game in which no move changed the outcome.
#[must_use]
pub fn no_turning_point(lang: Lang, review: &Review) -> &'static str {
    match review.moves.iter().any(|mv| mv.mark.is_some()) {
        _ if !review.complete => not_all_solved(lang),
        true => same_winner(lang),
        false => flawless(lang),
    }
}

/// The sentences about a whole game: its result, and the moves that changed who wins, or that there are none.
#[must_use]
pub fn summary(lang: Lang, review: &Review) -> Vec<String> {
    let mut sentences = vec![result(lang, review)];
    sentences.extend(review.turning_points().filter_map(|n| turning_point(lang, review, n)));
    if sentences.len() == 1 {
        sentences.push(no_turning_point(lang, review).to_owned());
    }
    sentences
}
