//! A search that was ended goes on from the file that it kept.

use balpan::checkpoint::{Checkpoint, open};
use balpan::{Budget, Goal, Watch};
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
