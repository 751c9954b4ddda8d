//! Messages of a game against the perfect player.

use balpan::{Outcome, Verdict};
use balpan_games::{Lang, ReportedValue, phrases};
use balpan_pictures::words::by_points;

use super::answer::Player;
use super::common;

phrases! {
    how_to(example: &str):
        "Type a move, such as {example}, or hint, moves, undo, help, quit.",
        "{example}처럼 수를 입력하거나 hint, moves, undo, help, quit을 입력하세요.";
    title(game: &str, size: &str, reader: &str): "{game} {size}: you are {reader}.", "{game} {size}: 당신은 {reader}입니다.";
    nothing_to_undo: "There is nothing to undo.", "무를 수가 없습니다.";
    unreadable(found: &str, example: &str):
        "{found} is neither a move nor a word: type a move, such as {example}, or a word; help lists them.",
        "{found}: 수도 낱말도 아닙니다. {example}처럼 수를 입력하거나 낱말을 입력하세요. help를 입력하면 낱말을 보여 줍니다.";
    // The winner after a move.
    nobody_wins: "neither player can force a win", "서로 최선을 다하면 비깁니다";
    wins_in(winner: &str, plies: &str): "{winner} wins in {plies}", "{plies} 뒤 {winner} 승";
    wins_by(winner: &str, points: u32): "{winner} wins by {points}", "{winner} {points}점 차로 승";
    /// A move that keeps the turn, after what it is.
    moves_again: " and is to move again", ", 그리고 다시 둡니다";
    came_back(ago: usize):
        "This position has come back: it was there {ago} moves ago. Play can go on for ever.",
        "{ago}수 전의 국면이 되풀이되었습니다. 게임이 끝없이 이어질 수 있습니다.";
    came_often(times: usize):
        "This position has come {times} times, and play can go on for ever.",
        "같은 국면이 {times}번 나왔습니다. 게임이 끝없이 이어질 수 있습니다.";
    points_lost_one(number: usize, played: &str, best: &str):
        "Move {number} ({played}) gave away 1 point; {best} kept it.",
        "{number}번째 수({played})로 1점을 잃었습니다. {best}에 두었으면 지킬 수 있었습니다.";
    points_lost_many(number: usize, played: &str, best: &str, points: u32):
        "Move {number} ({played}) gave away {points} points; {best} kept them.",
        "{number}번째 수({played})로 {points}점을 잃었습니다. {best}에 두었으면 지킬 수 있었습니다.";
    wins(winner: &str): "{winner} wins (in how many plies is not known)", "{winner} 승(몇 수 뒤인지는 모름)";
    /// The input is not a legal move; `examples` lists some that are.
    no_such_move(found: &str, examples: &str, more: &str):
        "{found} cannot be played here. What can: {examples}{more}.",
        "{found}: 여기에는 둘 수 없습니다. 둘 수 있는 수: {examples}.{more}";
    more_moves(more: usize): "; and {more} more, which `moves` lists", " 그 밖에 {more}개, `moves`를 입력하면 모두 보여 줍니다";
    farewell(plies: &str): "You leave the game after {plies}. The position:", "{plies}를 두고 대국을 그만둡니다. 국면:";
    // The result of a game.
    draw: "a draw", "무승부";
    win_of(winner: &str, by: &str): "{winner} wins{by}", "{winner}{by} 승";
    over(result: &str): "The game is over: {result}.", "게임이 끝났습니다: {result}.";
    over_after(plies: &str, result: &str): "The game is over after {plies}: {result}.", "{plies} 만에 게임이 끝났습니다: {result}.";
    no_better_move: "No move could have been better", "더 나은 수는 없었습니다";
    no_change_of_winner: "No move of yours changed who wins", "승패를 바꾼 수는 없었습니다";
    interrupted: "Interrupted; the game goes on.", "중단했습니다. 대국은 계속됩니다.";
    no_review:
        "Interrupted: what you could have done better is not known.",
        "중단했습니다. 더 나은 수가 있었는지는 알 수 없습니다.";
    help(example: &str):
        "
  {example}
         a move; blanks do no harm, and may stand for commas
  hint   the best moves, and what they are worth
  moves  every \
         move, and what it is worth
  undo   back to your previous turn
  quit   leave the game; so does the end of the input
  help   this

One \
         letter is enough: h is hint, ? is help.

",
        "
  {example}
         수; 빈칸이 있어도 되고 쉼표 대신 써도 됩니다
  hint   최선의 수와 그 값
  moves  모든 수와 그 값
  undo   당신의 \
         이전 차례로 무르기
  quit   그만두기; 입력이 끝나도 그만둡니다
  help   이 도움말

한 글자만 써도 됩니다: h는 hint, ?는 help입니다.

";
}

/// The prompt; `is_again` says that the reader has just moved.
pub(crate) fn prompt(lang: Lang, name: &str, reader: &Player, is_again: bool) -> String {
    let [again, ko_again] = if is_again { [" again", "다시 "] } else { [""; 2] };
    lang.pick(format!("{name}, your move{again}:"), format!("{ko_again}{} 차례입니다:", reader.plain(lang)))
}

/// A move of the perfect player.
pub(crate) fn plays(lang: Lang, player: &Player, mv: &str) -> String {
    lang.pick(format!("{} plays {mv}", player.plain(lang)), format!("{} {mv}에 둡니다", player.subject(lang)))
}

/// The winner after the move, and the plies or the score if they are known.
pub(crate) fn outlook(lang: Lang, winner: Option<&Player>, verdict: Verdict) -> String {
    match (winner.map(|winner| winner.plain(lang)), verdict.remoteness) {
        (None, _) => nobody_wins(lang).to_owned(),
        (Some(winner), Some(plies)) => wins_in(lang, &winner, &common::plies(lang, plies.into())),
        (Some(winner), None) => match verdict.score {
            Some(score) => wins_by(lang, &winner, score.unsigned_abs()),
            None => wins(lang, &winner),
        },
    }
}

/// The result of a game of `plies` plies.
pub(crate) fn result(lang: Lang, winner: Option<&Player>, end: Verdict, plies: usize) -> String {
    let win = |winner: &Player| win_of(lang, &winner.plain(lang), &by_points(lang, end.score));
    let result = winner.map_or_else(|| draw(lang).to_owned(), win);
    if plies == 0 { over(lang, &result) } else { over_after(lang, &common::plies(lang, plies as u64), &result) }
}

/// The move that gave away a win or a draw, and the move that would have kept it.
pub(crate) fn blunder(
    lang: Lang,
    [before, after]: [Outcome; 2],
    (number, played): (usize, &str),
    (best, worth): (&str, ReportedValue),
) -> String {
    let by = worth.score.map(|score| score.unsigned_abs());
    match lang {
        Lang::En => {
            let plies = worth.remoteness.map_or_else(String::new, |plies| format!(", in {plies}"));
            let plies = by.map_or(plies, |points| format!(", by {points}"));
            let lost = if after == Outcome::Draw { "made it a draw" } else { "lost it" };
            format!("You had a {before} until move {number} ({played}), which {lost}; {best} kept it{plies}.")
        }
        Lang::Ko => {
            let had = if before == Outcome::Win { "이기는" } else { "비기는" };
            let lost = if after == Outcome::Draw { "비기게" } else { "지게" };
            let plies = worth.remoteness.map_or_else(String::new, |plies| format!(" {plies}수 만에"));
            let plies = by.map_or(plies, |points| format!(" {points}점 차로"));
            let result = if before == Outcome::Win { "이깁니다" } else { "비깁니다" };
            format!(
                "{number}번째 수({played}) 전까지는 {had} 국면이었지만 그 수로 {lost} 되었습니다. {best}에 두면{plies} {result}."
            )
        }
    }
}

/// A move that gave away some of the score, and the move that would have kept it.
pub(crate) fn points_lost(lang: Lang, (number, played): (usize, &str), best: &str, points: u32) -> String {
    match points {
        1 => points_lost_one(lang, number, played, best),
        _ => points_lost_many(lang, number, played, best, points),
    }
}

/// A move that won more slowly or lost sooner (in `taken` plies) than the best move (in `best_plies`).
pub(crate) fn slip(
    lang: Lang,
    won: bool,
    (number, played): (usize, &str),
    (taken, best, best_plies): (u32, &str, u32),
) -> String {
    let taken = common::plies(lang, taken.into());
    match lang {
        Lang::En => {
            let [did, better] = if won { ["won in", "won in"] } else { ["lost in", "held out for"] };
            format!("Move {number} ({played}) {did} {taken}; {best} would have {better} {best_plies}.")
        }
        Lang::Ko if won => {
            format!("{number}번째 수({played})로는 {taken} 만에 이깁니다. {best}에 두면 {best_plies}수 만에 이깁니다.")
        }
        Lang::Ko => {
            format!("{number}번째 수({played})로는 {taken} 만에 집니다. {best}에 두면 {best_plies}수까지 버팁니다.")
        }
    }
}

/// A game without mistakes; `all_known` says that all plies are known, `other_won` that the opponent had a win all along.
pub(crate) fn flawless(lang: Lang, all_known: bool, other_won: Option<&Player>) -> String {
    let flawless = if all_known { no_better_move(lang) } else { no_change_of_winner(lang) };
    match other_won {
        None => format!("{flawless}."),
        Some(other) => lang.pick(
            format!("{flawless}: {} had a win all along.", other.plain(lang)),
            format!("{flawless}. 처음부터 {} 이기는 국면이었습니다.", other.subject(lang)),
        ),
    }
}
