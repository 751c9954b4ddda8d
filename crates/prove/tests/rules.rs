//! The checker's rules agree with the families' own in every position of random games.

use crate::common;

use balpan::{Budget, Engine, Outcome, SplitMix, Watch};
use balpan_check::trusted::claim::Guarantee;
use balpan_check::trusted::game::{Game, Position};
use balpan_check::untrusted::meter::Unmetered;
use balpan_games::presets::{PRESETS, preset};
use balpan_games::{AnyGame, FamilyGame, Task};
use balpan_prove::checker_rules;

use crate::common::{Exhaustive, Positions, chance, header, sign};

/// Plays a random game, and compares the two implementations in each position. Returns the number
/// of positions.
struct Compare<'c> {
    family: &'c dyn Game,
    random: &'c mut SplitMix,
}

impl Task for Compare<'_> {
    type Output = usize;

    fn run<G: FamilyGame>(self, game: &G) -> usize {
        let Self { family, random } = self;
        let mut position = game.start();
        for met in 1.. {
            let moves: Vec<_> = game.moves(&position).collect();
            compare(game, family, &position, &moves);
            if moves.is_empty() {
                return met;
            }
            position = game.play(&position, moves[random.below(moves.len())]);
        }
        unreachable!()
    }
}

/// Converts a position to the checker's, and checks that each implementation reads what the other
/// writes.
fn words<G: Positions>(game: &G, family: &dyn Game, position: &G::Position) -> Position {
    let text = game.for_checker(position);
    let words = family.read(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(family.write(&words), text);
    assert!(game.position_in(&words) == *position, "{text}");
    words
}

fn compare<G: Positions>(game: &G, family: &dyn Game, position: &G::Position, moves: &[G::Move]) {
    let rules = Unmetered::new(family);
    let at = words(game, family, position);
    let text = game.for_checker(position);
    let ended = moves.is_empty().then(|| sign(game.end(position)));
    assert_eq!(rules.end(&at).map(i32::signum), ended, "{text}");
    let names = game.players(position);
    let by_turn = ["the player to move", "the other player"];
    assert_eq!(
        family.players(&at),
        if names[0].is_by_turn() { by_turn } else { names.map(balpan_games::PlayerName::as_str) },
        "{text}"
    );
    let found = if ended.is_none() { rules.moves(&at) } else { Vec::new() };
    let mut found: Vec<_> =
        found.iter().map(|mv| (family.write_move(mv.number), mv.after, mv.end.map(i32::signum))).collect();
    let mut expected: Vec<_> = moves
        .iter()
        .map(|&mv| {
            let after = game.play(position, mv);
            let end = game.is_over(&after).then(|| sign(game.end(&after)));
            (game.move_text(position, mv), words(game, family, &after), end)
        })
        .collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{text}");
    for (mv, after, end) in &found {
        assert!(family.layer(after) < family.layer(&at), "{text} {mv}");
        assert_eq!(rules.end(after).map(i32::signum), *end, "{text} {mv}");
    }
    for sure in [Guarantee::WIN, Guarantee::win_within(20)] {
        let least = rules.canonical(&at, sure);
        assert!(family.layer(&least) <= family.layer(&at), "{text}");
        for symmetry in family.symmetries() {
            assert_eq!(rules.canonical(&family.image(&at, symmetry), sure), least, "{text}");
        }
    }
}

fn compared(game: &AnyGame, random: &mut SplitMix) -> usize {
    let header = header(game, random);
    (0..3).map(|_| game.run(Compare { family: &*header.game, random })).sum()
}

#[test]
fn presets_have_the_checkers_rules() {
    let mut random = SplitMix(1);
    let mut unknown = Vec::new();
    // Those in the rules language are compared with the checker's interpreter by the tests of `balpan-games`.
    for (name, _) in PRESETS.iter().filter(|(_, text)| text.starts_with("family")) {
        let game = preset(name).unwrap().unwrap().game().unwrap();
        if checker_rules(&game).is_none() {
            unknown.push(*name);
            continue;
        }
        for _ in 0..5 {
            assert!(compared(&game, &mut random) > 3, "{name}");
        }
    }
    assert_eq!(unknown, ["fibonacci"]);
}

#[test]
fn random_games_have_the_checkers_rules() {
    let mut random = SplitMix(2);
    let mut met = 0;
    while met < 100_000 {
        let most = [12, 30, 64, 128][random.below(4)];
        let (game, rules, start) = common::chance::game(&mut random, most);
        let one = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| compared(&game, &mut random)));
        met += one.unwrap_or_else(|_| panic!("{rules}from {start}"));
    }
}

/// Checks symmetries, parts and lines left in small positions, by exhaustive minimax.
struct CompareResults<'c> {
    family: &'c dyn Game,
    random: &'c mut SplitMix,
    is_lines: bool,
}

impl Task for CompareResults<'_> {
    /// The number of positions compared.
    type Output = usize;

    fn run<G: FamilyGame>(self, game: &G) -> usize {
        let Self { family, random, is_lines } = self;
        let rules = Unmetered::new(family);
        let mut exhaustive = Exhaustive::new(game, 50_000);
        let mut position = game.start();
        let mut compared = 0;
        loop {
            let (at, text) = (words(game, family, &position), game.for_checker(&position));
            if let Some(value) = exhaustive.value(&position) {
                compared += 1;
                let least = game.position_in(&rules.canonical(&at, Guarantee::win_within(20)));
                // The canonical position may exceed the limit.
                assert!(exhaustive.value(&least).is_none_or(|least| least == value), "{text}");
                let no_line = family.open_lines(&at).is_some_and(|lines| lines.is_empty());
                if rules.mover_cannot_win(&at) || no_line {
                    assert!(sign(value.outcome()) <= 0, "{text}");
                }
                if rules.outlasts_by(&at).is_some_and(|moves| moves >= 0) {
                    assert_eq!(value.outcome(), Outcome::Loss, "{text}");
                }
                match rules.parts(&at) {
                    Some(parts) => check_parts(game, family, &position, &parts),
                    // A line anywhere ends play everywhere.
                    None => assert!(!game.is_impartial() || is_lines, "{text}"),
                }
            }
            let moves: Vec<_> = game.moves(&position).collect();
            if moves.is_empty() {
                return compared;
            }
            position = game.play(&position, moves[random.below(moves.len())]);
        }
    }
}

/// The nimbers of the parts add up to the position's, and the canonical form of a part has the same
/// nimber.
fn check_parts<G: Positions>(game: &G, family: &dyn Game, position: &G::Position, parts: &[Position]) {
    let (at, text) = (words(game, family, position), game.for_checker(position));
    assert!(game.is_impartial(), "{text}");
    let mut exhaustive = Exhaustive::new(game, usize::MAX);
    let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 20, threads: 1 });
    let watch = Watch::default();
    let mut sum = 0;
    for part in parts {
        let nimber = exhaustive.nimber(&game.position_in(part)).unwrap();
        let chosen = family.canonical_part(part);
        assert_eq!(family.canonical_part(&chosen), chosen, "{text}");
        assert_eq!(exhaustive.nimber(&game.position_in(&chosen)), Some(nimber), "{text}");
        assert_eq!(engine.nimber(&game.position_in(&chosen), &watch).unwrap(), nimber, "{text}");
        assert!(family.layer(part) <= family.layer(&at), "{text}");
        sum ^= nimber;
    }
    assert_eq!(engine.nimber(position, &watch).unwrap(), sum, "{text}");
    // The exhaustive search may exceed its limit.
    assert!(Exhaustive::new(game, 20_000).nimber(position).is_none_or(|nimber| nimber == sum), "{text}");
}

#[test]
fn symmetries_and_parts_keep_results() {
    let mut random = SplitMix(3);
    let mut compared = 0;
    while compared < 6_000 {
        let most = if chance(&mut random, 30) { 20 } else { 13 };
        let (game, rules, start) = common::chance::game(&mut random, most);
        let header = header(&game, &mut random);
        let is_lines = game.family() == "lines";
        let job = CompareResults { family: &*header.game, random: &mut random, is_lines };
        let one = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| game.run(job)));
        compared += one.unwrap_or_else(|_| panic!("{rules}from {start}"));
    }
}
