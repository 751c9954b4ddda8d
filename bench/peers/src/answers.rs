//! Whether peers give the same answers as balpan, position by position.

use std::collections::HashSet;
use std::time::Duration;

use balpan::{Game, Outcome, Value, minimax};
use balpan_bench::cases::Random;
use balpan_games::Notation;
use balpan_games::lines::Lines;
use balpan_games::placement::Placement;
use balpan_games::walkers::Walkers;

use crate::clock::Clock;
use crate::nim::Nim;
use crate::ours;
use crate::peers::Peer;

/// What came of comparing one peer with balpan on one game.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Positions compared.
    pub positions: usize,
    /// Where the peer tells another outcome.
    pub other_outcome: usize,
    /// Where it tells the same outcome in another number of plies.
    pub other_plies: usize,
    /// Where a move that it calls best changes the outcome for the worse.
    pub blunders: usize,
    /// Where a move that it calls best keeps the outcome but wins later or loses sooner.
    pub detours: usize,
    /// The first of each, which is as near the end of play as any.
    pub examples: Vec<String>,
    /// CPU time of the peer, and of balpan for the positions' values.
    pub times: [Duration; 2],
}

impl Tally {
    /// Whether all outcomes and best moves were as balpan's.
    #[must_use]
    pub fn agrees(&self) -> bool {
        [self.other_outcome, self.other_plies, self.blunders, self.detours] == [0; 4]
    }

    /// Counts one difference, and keeps the first.
    fn note(count: &mut usize, examples: &mut Vec<String>, example: impl FnOnce() -> String) {
        if *count == 0 {
            examples.push(example());
        }
        *count += 1;
    }
}

/// What to do with each of the games.
pub trait Visit {
    /// Does it. `text` writes a position, with a number of plies that play from there
    /// never passes; `last` says how many plies before the end positions are taken.
    fn visit<G: Game>(
        &mut self,
        name: &str,
        game: &'static G,
        last: usize,
        text: impl Fn(&G::Position) -> (String, u32),
    );
}

/// The games that peers are compared on: small, so that those without a table get
/// through as well.
pub fn all_games(visit: &mut impl Visit) {
    for misere in [false, true] {
        let name = if misere { "misère Nim" } else { "Nim" };
        let game = leak(Nim { heaps: [3, 4, 5], misere });
        visit.visit(name, game, 7, |heaps| (format!("heaps {heaps:?}"), heaps.iter().copied().map(u32::from).sum()));
    }
    for (name, preset, changes, last) in [
        ("tic-tac-toe", "tictactoe", &[][..], 9),
        ("misère tic-tac-toe", "tictactoe", &["misere=true"], 9),
        ("Notakto (misère)", "notakto", &[], 9),
        ("Connect Four 4x4", "connect4", &["board=4x4"], 11),
        ("three in a row, falling, 3x4", "connect4", &["board=3x4", "k=3"], 12),
        ("platforms 3x3", "platforms", &["board=3x3"], 9),
        ("platforms 4x4", "platforms", &["board=4x4"], 16),
        ("kings 3x4", "kings", &["board=3x4"], 12),
        ("block game 3x4", "blockgame", &["board=3x4"], 6),
        ("misère block game 3x4", "blockgame", &["board=3x4", "misere=true"], 6),
        ("Cram 4x4", "cram", &["board=4x4"], 7),
        ("Domineering 4x4", "domineering", &["board=4x4"], 8),
    ] {
        visit_preset(visit, name, preset, changes, last);
    }
}

/// One game, made from a preset.
pub fn visit_preset(visit: &mut impl Visit, name: &str, preset: &str, changes: &[&str], last: usize) {
    // Every ply takes a free cell at least; a walker's tile and the other's come on top.
    let shown = |text: String, more| (text.clone(), text.matches('.').count() as u32 + more);
    let game = ours::game(preset, changes);
    if let Some(game) = game.downcast::<Walkers>() {
        let game = leak(game);
        visit.visit(name, game, last, |position| shown(game.text(position), 2));
    } else if let Some(game) = game.downcast::<Placement>() {
        let game = leak(game);
        visit.visit(name, game, last, |position| shown(game.text(position), 0));
    } else if let Some(game) = game.downcast::<Lines>() {
        let game = leak(game);
        visit.visit(name, game, last, |position| shown(game.text(position), 0));
    } else {
        panic!("no peer plays {name}");
    }
}

/// Peers keep games in positions that have to outlive everything.
fn leak<G>(game: G) -> &'static G {
    Box::leak(Box::new(game))
}

/// Some positions of random play that have a move, no more than `last` plies before
/// that play's end, those with the fewest plies to come first.
pub fn positions<G: Game>(game: &G, last: usize, most: usize, plies: impl Fn(&G::Position) -> u32) -> Vec<G::Position> {
    let mut random = Random::new(1);
    let mut met = HashSet::new();
    let mut positions = Vec::new();
    for _ in 0..10 * most {
        let mut play = Vec::new();
        let mut position = game.start();
        loop {
            let moves: Vec<_> = game.moves(&position).collect();
            if moves.is_empty() {
                break;
            }
            let after = game.play(&position, moves[random.below(moves.len() as u64) as usize]);
            play.push(std::mem::replace(&mut position, after));
        }
        for position in play.split_off(play.len().saturating_sub(last)) {
            if positions.len() < most && met.insert(position.clone()) {
                positions.push(position);
            }
        }
    }
    positions.sort_by_key(plies);
    positions
}

/// Compares a peer with balpan on these positions.
pub fn compare<P: Peer, G: Game>(
    game: &'static G,
    positions: &[G::Position],
    text: impl Fn(&G::Position) -> (String, u32),
) -> Tally {
    let mut tally = Tally { positions: positions.len(), ..Tally::default() };
    for position in positions {
        let (shown, plies) = text(position);
        let (verdict, time) = Clock::Cpu.time(|| P::verdict(game, position, plies));
        tally.times[0] += time;
        let (value, time) = Clock::Cpu.time(|| ours::fresh_value(game, position));
        tally.times[1] += time;

        let said = || match verdict.remoteness {
            Some(plies) => format!("{shown}: {} in {plies}, where it is {value}", verdict.outcome),
            None => format!("{shown}: {}, where it is {value}", verdict.outcome),
        };
        if verdict.outcome != value.outcome() {
            assert_eq!(minimax(game, position), Ok(value), "balpan errs: {shown}");
            Tally::note(&mut tally.other_outcome, &mut tally.examples, said);
        } else if verdict.remoteness.is_some_and(|plies| Some(plies) != value.remoteness()) {
            assert_eq!(minimax(game, position), Ok(value), "balpan errs: {shown}");
            Tally::note(&mut tally.other_plies, &mut tally.examples, said);
        }
        let worst = P::best(game, position, plies).into_iter().map(|mv| game.play(position, mv));
        let worst: Option<(Value, G::Position)> =
            worst.map(|after| (ours::fresh_value(game, &after).to_parent(), after)).min_by_key(|&(value, _)| value);
        let Some((kept, after)) = worst.filter(|&(kept, _)| kept != value) else { continue };
        let to = || format!("{shown}: calls the move to {} best, {kept}, where the best is {value}", text(&after).0);
        if kept.outcome() == value.outcome() {
            Tally::note(&mut tally.detours, &mut tally.examples, to);
        } else {
            debug_assert!(kept.outcome() < value.outcome() && value.outcome() > Outcome::Loss);
            Tally::note(&mut tally.blunders, &mut tally.examples, to);
        }
    }
    tally
}
