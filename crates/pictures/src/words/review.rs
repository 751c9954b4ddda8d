//! The words of a review of a game.

use balpan::Outcome;
use balpan_games::{Annotation, Review};

use super::Lang;
use super::players::{Name, name};

/// The names of the players: who begins, and the other.
#[must_use]
pub fn names(lang: Lang, review: &Review) -> [Name; 2] {
    [0, 1].map(|turn| name(lang, review.players[turn], turn))
}

/// The meaning of an annotation.
#[must_use]
pub fn mark(lang: Lang, mark: Annotation) -> &'static str {
    match mark {
        Annotation::Dubious => {
            lang.pick("takes longer, or holds out less long, than need be", "더 빨리 이기거나 더 오래 버틸 수 있던 수")
        }
        Annotation::Mistake => lang.pick("gives away a win or a draw", "승리나 무승부를 놓친 수"),
        Annotation::Blunder => lang.pick("loses a won game", "이긴 게임을 진 수"),
    }
}

/// The result of the game, or that it has not ended.
#[must_use]
pub fn result(lang: Lang, review: &Review) -> String {
    let n = review.moves.len();
    let after = lang.pick(format!("after {n} {}", if n == 1 { "move" } else { "moves" }), format!("{n}수"));
    let names = names(lang, review);
    let winner = review.winner.and_then(|winner| review.players.iter().position(|player| *player == winner));
    match (review.over, winner) {
        (true, Some(winner)) => lang.pick(
            format!("{} has won, {after}.", names[winner].plain),
            format!("{after} 만에 {} 이겼습니다.", names[winner].subject),
        ),
        (true, None) => lang.pick(format!("A draw, {after}."), format!("{after} 만에 비겼습니다.")),
        (false, _) => {
            lang.pick(format!("The game is not over {after}."), format!("{after}까지 두었고, 아직 끝나지 않았습니다."))
        }
    }
}

/// The winner after the first `ply` moves: `X wins in 5`, `a draw`.
#[must_use]
pub fn standing(lang: Lang, review: &Review, ply: usize) -> String {
    let Some((winner, remoteness)) = review.winner_after(ply) else {
        return lang.pick("not known yet", "아직 모름").to_owned();
    };
    let Some(winner) = winner.map(|winner| names(lang, review)[winner].plain) else {
        return lang.pick("a draw", "무승부").to_owned();
    };
    match remoteness {
        Some(0) => lang.pick(format!("{winner} has won"), format!("{winner} 승")),
        Some(n) => lang.pick(format!("{winner} wins in {n}"), format!("{n}수 뒤 {winner} 승")),
        None => lang.pick(format!("{winner} wins"), format!("{winner} 승")),
    }
}

/// The loss of value by move `n`, from 0, with the moves that keep the value; `None` if it did not change the
/// outcome.
#[must_use]
pub fn turning_point(lang: Lang, review: &Review, n: usize) -> Option<String> {
    let mv = review.moves.get(n)?;
    let (before, worth) = (mv.before?, mv.worth?);
    let player = names(lang, review)[n % 2];
    let (number, text) = (n + 1, &mv.text);
    let sentence = match (before.outcome, worth.outcome) {
        (Outcome::Win, Outcome::Draw) => lang.pick(
            format!("{} had a win until move {number} ({text}), which made it a draw", player.plain),
            format!("{number}번째 수 {text}: {} 이길 수 있었지만 이 수로 비기게 되었습니다.", player.subject),
        ),
        (Outcome::Win, Outcome::Loss) => lang.pick(
            format!("{} had a win until move {number} ({text}), which lost the game", player.plain),
            format!("{number}번째 수 {text}: {} 이길 수 있었지만 이 수로 지게 되었습니다.", player.subject),
        ),
        (Outcome::Draw, Outcome::Loss) => lang.pick(
            format!("{} had a draw until move {number} ({text}), which lost it", player.plain),
            format!("{number}번째 수 {text}: {} 비길 수 있었지만 이 수로 지게 되었습니다.", player.subject),
        ),
        _ => return None,
    };
    if mv.best.is_empty() {
        return Some(lang.pick(format!("{sentence}."), sentence));
    }
    let plies = before.remoteness.filter(|_| before.outcome == Outcome::Win);
    let in_plies = plies.map_or_else(String::new, |n| lang.pick(format!(", in {n}"), format!(" ({n}수 만에 승)")));
    let best: Vec<&str> = mv.best.iter().take(3).map(String::as_str).collect();
    let what = if before.outcome == Outcome::Draw { "무승부를" } else { "승리를" };
    Some(lang.pick(
        format!("{sentence}; {} kept it{in_plies}.", best.join(" or ")),
        format!("{sentence} {what} 지키는 수: {}{in_plies}.", best.join(" / ")),
    ))
}

/// The sentence for a game in which no move changed the outcome.
#[must_use]
pub fn no_turning_point(lang: Lang, review: &Review) -> &'static str {
    if !review.complete {
        return lang.pick("Not every position is solved yet.", "아직 풀지 못한 국면이 있습니다.");
    }
    if review.moves.iter().any(|mv| mv.mark.is_some()) {
        return lang.pick("No move has changed who wins.", "승패를 바꾼 수는 없습니다.");
    }
    lang.pick("No move could have been better.", "모두 최선의 수였습니다.")
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
