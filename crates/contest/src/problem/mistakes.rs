//! Known mistakes: those of the problem file, and those that can be made in any game.

use std::collections::HashMap;
use std::sync::Arc;

use balpan::{Outcome, Watch};
use balpan_games::{FamilyGame, Task};

use super::judge::{Found, ProblemAnswer, ProblemCase};
use super::{Definition, Problem, Stated};
use crate::judge::Mistake;

/// The most positions that a plain solver of one case stores.
const MAX_POSITIONS: usize = 100_000;

/// A way to compute the value of a position from those of its successors, as a wrong program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Misreading {
    /// Whoever cannot move wins where that player loses, and vice versa.
    OtherEnding,
    /// Only the first move is played.
    FirstMove,
    /// The value after a move is taken for the player who moved: the sign is not changed.
    SignKept,
    /// The loser, too, goes for the shortest game.
    LoserHurries,
    /// The winner, too, goes for the longest game.
    WinnerWaits,
    /// The first winning move is taken in place of the fastest.
    FirstWin,
    /// The end counts as a ply.
    PlyTooMany,
}

const MISREADINGS: [(Misreading, &str, &str); 7] = [
    (
        Misreading::OtherEnding,
        "winning and losing exchanged where play ends",
        "look up who wins at the end of play: the player who made the last move, or the one who cannot move",
    ),
    (
        Misreading::FirstMove,
        "the first move taken in place of the best",
        "try all moves: a position is won if one of them leaves the other player a lost one",
    ),
    (
        Misreading::SignKept,
        "the value after a move taken for the player who moved",
        "what is good for one player is bad for the other: change the sign, or exchange win and loss, at every move",
    ),
    (
        Misreading::LoserHurries,
        "the loser hurrying, too",
        "whoever can win takes the fewest plies to it, and whoever must lose holds out for the most",
    ),
    (
        Misreading::WinnerWaits,
        "the winner holding out, too",
        "whoever can win takes the fewest plies to it, and whoever must lose holds out for the most",
    ),
    (
        Misreading::FirstWin,
        "taking the first winning move in place of the fastest",
        "of several winning moves, the winner makes the one that wins in the fewest plies",
    ),
    (Misreading::PlyTooMany, "counting the end as a ply", "a position without moves takes 0 plies"),
];

pub(super) fn mistakes(problem: &Problem) -> Vec<Mistake<Problem>> {
    let definition = &problem.definition;
    let of_file = definition.file.mistakes.iter().map(|mistake| {
        let (definition, rules) = (Arc::clone(definition), definition.rules.changed(mistake));
        let solve = move |case: &ProblemCase| {
            let watch = Watch::default();
            Definition::solver(&definition, &rules, Some(MAX_POSITIONS as u64), &watch)(case).ok()
        };
        let korean = [&mistake.name_ko, &mistake.remedy_ko].map(|words| words.clone().unwrap_or_default());
        Mistake::new(mistake.name.clone(), mistake.remedy.clone(), solve).with_korean(korean)
    });
    let generic = MISREADINGS.iter().map(|&(misreading, name, remedy)| {
        let definition = Arc::clone(definition);
        Mistake::new(name, remedy, move |case: &ProblemCase| answer(&definition, case, misreading))
    });
    of_file.chain(generic).collect()
}

/// Answers a case as a program with a misreading would; `None` if that would take too long, or the answer is not of this kind.
fn answer(definition: &Definition, case: &ProblemCase, misreading: Misreading) -> Option<ProblemAnswer> {
    struct Solve(Misreading);

    impl Task for Solve {
        type Output = Option<Found>;

        fn run<G: FamilyGame>(self, game: &G) -> Self::Output {
            if game.may_repeat() || !game.turns_alternate() {
                return None;
            }
            let start = game.start();
            let found = value(game, &start, self.0, &mut HashMap::new())?;
            let [mover, other] = game.players(&start);
            let winner = match found.outcome {
                Outcome::Win => Some(mover),
                Outcome::Loss => Some(other),
                Outcome::Draw => None,
            };
            Some(Found {
                outcome: found.outcome,
                plies: (found.outcome != Outcome::Draw).then_some(found.plies),
                score: (game.max_score() > 0).then_some(found.score),
                nimber: None,
                winner: winner.map(|winner| winner.to_string()),
                winning_cells: Vec::new(),
            })
        }
    }

    if definition.rules.output.answer == super::Question::WinningMoves {
        return None;
    }
    let Stated::Game { game, .. } = definition.state(&definition.rules, &case.values).ok()? else { return None };
    definition.answer(&definition.rules, case, game.run(Solve(misreading))?)
}

#[derive(Clone, Copy)]
struct Plain {
    outcome: Outcome,
    plies: u32,
    score: i32,
}

impl Plain {
    const fn of_mover(self) -> Self {
        let outcome = match self.outcome {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        };
        Self { outcome, plies: self.plies + 1, score: -self.score }
    }
}

/// Returns the value for the player to move, by plain recursion; `None` if there are too many positions.
fn value<G: FamilyGame>(
    game: &G,
    position: &G::Position,
    misreading: Misreading,
    memo: &mut HashMap<G::Position, Plain>,
) -> Option<Plain> {
    use Misreading::{FirstMove, FirstWin, LoserHurries, OtherEnding, PlyTooMany, SignKept, WinnerWaits};

    if let Some(known) = memo.get(position) {
        return Some(*known);
    }
    if memo.len() >= MAX_POSITIONS {
        return None;
    }
    let mut moves = game.moves(position).peekable();
    let mut best: Option<Plain> = None;
    if moves.peek().is_none() {
        let score = game.score(position).unwrap_or(0);
        let outcome = game.end_value(position).outcome();
        let end = Plain { outcome, plies: u32::from(misreading == PlyTooMany), score };
        best = Some(if misreading == OtherEnding { Plain { plies: 0, ..end.of_mover() } } else { end });
    }
    for mv in moves {
        let after = value(game, &game.play(position, mv), misreading, memo)?;
        let next = match misreading {
            SignKept => Plain { plies: after.plies + 1, ..after },
            _ => after.of_mover(),
        };
        let is_first_win = misreading == FirstWin && next.outcome == Outcome::Win;
        let is_better = best.is_none_or(|best| {
            let plies = |plies: u32, outcome| match outcome {
                Outcome::Win if misreading == WinnerWaits => i64::from(plies),
                Outcome::Win => -i64::from(plies),
                _ if misreading == LoserHurries => -i64::from(plies),
                _ => i64::from(plies),
            };
            let worth =
                |value: Plain| (value.score, std::cmp::Reverse(value.outcome), plies(value.plies, value.outcome));
            worth(next) > worth(best)
        });
        if is_better {
            best = Some(next);
        }
        if is_first_win || misreading == FirstMove {
            best = Some(next);
            break;
        }
    }
    let best = best?;
    memo.insert(position.clone(), best);
    Some(best)
}
