//! A search that was ended goes on from the file that it kept.

use balpan::checkpoint::{Checkpoint, open, open_folder};
use balpan::{Budget, Goal, Solver, Watch};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, EngineOptions, Notation, SizedCheckpoint, Task};

/// What an engine with these results answers, and the positions that it searched, if it is
/// stopped after `most` of them.
struct Asked<'k> {
    kept: &'k Checkpoint,
    ask: Goal,
    most: Option<u64>,
}

impl Task for Asked<'_> {
    type Output = (String, u64);

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let kept = Some(SizedCheckpoint { size: game.size(), checkpoint: self.kept.clone() });
        let budget = Budget { memory: 64 << 20, threads: 1 };
        let mut engine = EngineOptions { checkpoint: kept, ..EngineOptions::new(budget) }.build(game);
        // What is made before the search is not what this is about.
        engine.prepare(&game.start(), &Watch::default()).unwrap();
        let watch = self.most.map_or_else(Watch::default, Watch::with_limit);
        let answer = engine.solve(&game.start(), self.ask, &watch, |_| {}).unwrap();
        assert_eq!(answer.complete, self.most.is_none());
        let best: Vec<_> = answer.best_moves().map(|mv| game.move_text(&game.start(), mv)).collect();
        let best = if self.ask == Goal::Winner { String::new() } else { best.join(" ") };
        (format!("{:?} {best} {}", answer.verdict(), answer.line.len()), answer.positions)
    }
}

fn game(name: &str, board: &str) -> AnyGame {
    preset(name).unwrap().unwrap().with_board(board).unwrap().game().unwrap()
}

/// Alpha-beta, proof numbers and nimbers: what was found before the end is not searched again.
#[test]
fn a_search_goes_on_from_what_it_kept() {
    let folder = std::env::temp_dir().join(format!("balpan-kept-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // Proof numbers of parts are mostly small, and of those nothing is kept: of a short search
    // for nimbers hardly anything is spared until it has ended. How long one takes is chance to
    // a third and more, so there are several.
    for (name, boards, ask, most) in [
        ("connect4", &["5x5"][..], Goal::Value, 0.75),
        ("pentominoes", &["7x7"], Goal::Winner, 0.75),
        ("cram", &["3x11", "3x13", "3x15", "5x7"], Goal::Winner, 1.25),
    ] {
        let (mut wholes, mut rests) = (0, 0);
        for board in boards {
            let game = game(name, board);
            let path = folder.join(format!("{name}-{board}"));
            let run = |file: &str, most| {
                let kept = open(&path.with_extension(file), board).unwrap();
                game.run(Asked { kept: &kept, ask, most })
            };
            let (expected, whole) = run("whole", None);
            run("half", Some(whole / 2));
            let (found, rest) = run("half", None);
            assert_eq!(found, expected, "{name} {board}");
            (wholes, rests) = (wholes + whole, rests + rest);
            let (found, again) = run("half", None);
            assert_eq!(found, expected, "{name} {board}");
            assert!(again * 4 <= whole, "{name} {board}: {again} of {whole}");
        }
        assert!(rests as f64 <= wholes as f64 * most, "{name}: {rests} of {wholes}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Returns the nimber of the start, and the positions searched for it.
struct Nimber<'k>(&'k Checkpoint);

impl Task for Nimber<'_> {
    type Output = (u32, u64);

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let kept = Some(SizedCheckpoint { size: game.size(), checkpoint: self.0.clone() });
        let options = EngineOptions::new(Budget { memory: 64 << 20, threads: 1 });
        let mut engine = EngineOptions { checkpoint: kept, ..options }.build(game);
        let nimber = engine.nimber(&game.start(), &Watch::default()).unwrap();
        (nimber, engine.positions_searched())
    }
}

/// Nimbers of parts that one board needed serve another.
#[test]
fn a_folder_serves_other_boards() {
    let folder = std::env::temp_dir().join(format!("balpan-parts-{}", std::process::id()));
    let open = |name: &str| {
        let opened = open_folder(&folder.join(name), "parts", 1 << 24).unwrap();
        Checkpoint { is_of_parts: true, ..opened }
    };
    let (mut all_alone, mut all_shared) = (0, 0);
    for (name, boards) in [
        ("cram", &["3x11", "3x12", "3x13", "13x3"][..]),
        ("blockgame", &["4x5", "5x5"]),
        // The last have no keys of whole positions.
        ("nodekayles", &["3x16", "3x17", "3x18", "3x22", "3x23", "3x24"]),
    ] {
        for board in boards {
            let game = game(name, board);
            let ((expected, alone), (found, shared)) =
                (game.run(Nimber(&open(board))), game.run(Nimber(&open("shared"))));
            assert_eq!(found, expected, "{name} {board}");
            (all_alone, all_shared) = (all_alone + alone, all_shared + shared);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
    assert!(all_shared * 10 < all_alone * 8, "{all_shared} positions, {all_alone} alone");
}
