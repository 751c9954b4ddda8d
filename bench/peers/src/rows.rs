//! The rows of the table of figures.

use std::fmt::Write;

use balpan::{Game, Outcome, Value};
use balpan_bench::plain_connect4::PlainConnect4;
use balpan_bench::plain_walkers::{KING, KNIGHT, ORTHOGONAL, PlainWalkers};
use balpan_bench::{plain_blockgame, plain_platforms};

use crate::answers::{Visit, visit_preset};
use crate::clock::{Clock, SideBySide};
use crate::connect4::{SETS, cases, score};
use crate::ours::{self, Memory};
use crate::peers::Peer;
use crate::peers::board_game::BoardGame;
use crate::peers::connect_four_ai::{self, ConnectFourAi};
use crate::peers::game_solver::GameSolver;
use crate::peers::minimax::{Iterative, Plain};
use crate::published::{CONNECT_4, IN_A_ROW};

/// One line of the table.
pub struct Row {
    /// What is to be found.
    pub work: String,
    /// What balpan is measured against.
    pub mark: &'static str,
    /// Whether it takes minutes.
    pub long: bool,
    /// Measures the work, in as many rounds as are given.
    pub run: Box<dyn Fn(usize) -> SideBySide>,
}

/// All rows, those of minutes too.
#[must_use]
pub fn rows() -> Vec<Row> {
    [
        walkers(),
        starts(),
        all_boards(),
        any_game(),
        connect4_sets(),
        connect4_empty(),
        connect4_outcomes(),
        published(),
        threads(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn walkers() -> Vec<Row> {
    let boards = [
        ("platforms", 7, 7, &ORTHOGONAL[..], false),
        ("platforms", 7, 8, &ORTHOGONAL, false),
        ("platforms", 8, 8, &ORTHOGONAL, true),
        ("joust", 6, 6, &KNIGHT, false),
        ("kings", 5, 5, &KING, false),
        ("kings", 5, 6, &KING, false),
        ("kings", 6, 6, &KING, true),
    ];
    let row = |(preset, rows, cols, leaps, long): (&'static str, usize, usize, &'static [(i8, i8)], bool)| {
        let board = format!("board={rows}x{cols}");
        Row {
            work: format!("{preset} {rows}x{cols}, value"),
            mark: "plain alpha-beta, Warnsdorff's order",
            long,
            run: Box::new(move |rounds| {
                let plain = || {
                    let (wins, plies) =
                        PlainWalkers::new(rows, cols, leaps, preset == "platforms").solve_from_corners();
                    if wins { Value::win(plies) } else { Value::loss(plies) }
                };
                Clock::Cpu.side_by_side(rounds, plain, || ours::value(preset, &[&board]).answer)
            }),
        }
    };
    boards.into_iter().map(row).collect()
}

fn starts() -> Vec<Row> {
    let run = |rounds| {
        let board = [const { "[1,1,1,1,1]" }; 5].join(",");
        let cells = || (0..25).map(|cell| format!("[{},{}]", cell / 5, cell % 5));
        let mut input = String::new();
        for (a, b) in cells().flat_map(|a| cells().map(move |b| (a.clone(), b))) {
            // Writing to a string cannot fail.
            let _ = writeln!(input, r#"{{"board":[{board}],"aloc":{a},"bloc":{b}}}"#);
        }
        let plain = || {
            let mut output = Vec::new();
            plain_platforms::judge(input.as_bytes(), &mut output).expect("sound input");
            output
        };
        Clock::Cpu.side_by_side(rounds, plain, || ours::judge_platforms(&input))
    };
    vec![Row {
        work: "judge platforms, 5x5, all 625 starts".to_owned(),
        mark: "plain recursion on a Vec<Vec<_>>",
        long: false,
        run: Box::new(run),
    }]
}

fn all_boards() -> Vec<Row> {
    let row = |(rows, cols, long): (usize, usize, bool)| Row {
        work: format!("all boards of blockgame {rows}x{cols}, outcomes"),
        mark: "a memo of a byte a board",
        long,
        run: Box::new(move |rounds| {
            let board = format!("board={rows}x{cols}");
            let plain = || plain_blockgame::Memo::new(rows, cols).lost();
            Clock::Cpu.side_by_side(rounds, plain, || ours::losing_boards("blockgame", &[&board]))
        }),
    };
    [(5, 5, false), (5, 6, true)].map(row).into()
}

/// The peers that take any game, on the same rules; each from the start.
fn any_game() -> Vec<Row> {
    struct Run<P>(usize, Option<SideBySide>, std::marker::PhantomData<P>);

    impl<P: Peer> Visit for Run<P> {
        fn visit<G: Game>(
            &mut self,
            _: &str,
            game: &'static G,
            _: usize,
            text: impl Fn(&G::Position) -> (String, u32),
        ) {
            let start = game.start();
            let plies = text(&start).1;
            let theirs = || P::verdict(game, &start, plies).outcome;
            self.1 = Some(Clock::Cpu.side_by_side(self.0, theirs, || ours::fresh_value(game, &start).outcome()));
        }
    }

    fn row<P: Peer + 'static>(preset: &'static str, change: &'static str, long: bool) -> Row {
        let run = move |rounds| {
            let mut run = Run::<P>(rounds, None, std::marker::PhantomData);
            visit_preset(&mut run, preset, preset, &[change], 0);
            run.1.expect("a game was visited")
        };
        Row { work: format!("{preset} {change}, outcome"), mark: P::NAME, long, run: Box::new(run) }
    }

    /// The crate's own default, whose filling does not count.
    type Small = Iterative<{ 1 << 20 }>;
    type Large = Iterative<{ 64 << 20 }>;
    vec![
        row::<Large>("platforms", "board=6x6", false),
        row::<BoardGame>("platforms", "board=6x6", false),
        row::<GameSolver>("platforms", "board=5x5", false),
        row::<Large>("blockgame", "board=4x5", false),
        row::<GameSolver>("blockgame", "board=4x5", true),
        row::<Large>("cram", "board=4x5", false),
        row::<GameSolver>("cram", "board=4x5", false),
        row::<Large>("domineering", "board=5x5", false),
        row::<GameSolver>("domineering", "board=5x5", false),
        row::<Plain>("tictactoe", "misere=true", false),
        row::<Small>("tictactoe", "misere=true", false),
        row::<BoardGame>("tictactoe", "misere=true", false),
        row::<Large>("connect4", "board=4x5", false),
        row::<Large>("connect4", "board=5x4", false),
    ]
}

fn connect4_sets() -> Vec<Row> {
    let row = |(name, lines): (&'static str, &'static str), memory| {
        // The peer takes hours for all of these.
        let count = match name {
            "L1_R2" => 100,
            "L1_R3" => 10,
            _ => usize::MAX,
        };
        let run = move |rounds| {
            let (game, mut cases) = (ours::game("connect4", &[]), cases(lines));
            cases.truncate(count);
            let columns: Vec<&str> = cases.iter().map(|&(columns, _)| columns).collect();
            let published: Vec<i32> = cases.iter().map(|&(_, score)| score).collect();
            let mut peer = ConnectFourAi::default();
            let mut sound = true;
            let theirs = || {
                let scores = peer.scores(columns.iter().copied(), memory);
                sound &= scores == published;
                scores
            };
            let ours = || {
                let values = ours::values(&game, &columns, connect_four_ai::TABLE_BYTES, memory).answer;
                values.iter().zip(&columns).map(|(&value, columns)| score(value, columns.len())).collect::<Vec<_>>()
            };
            let found = Clock::Cpu.side_by_side(rounds, theirs, ours);
            SideBySide { agree: found.agree && sound, ..found }
        };
        let table = match memory {
            Memory::Cleared => "the table cleared before each",
            Memory::Kept => "one table for all",
        };
        Row {
            work: format!("connect4 {name}, {} scores, {table}", count.min(1_000)),
            mark: "connect-four-ai",
            long: count < 1_000 || name == "L2_R2",
            run: Box::new(run),
        }
    };
    SETS.into_iter().flat_map(|set| [row(set, Memory::Cleared), row(set, Memory::Kept)]).collect()
}

fn connect4_empty() -> Vec<Row> {
    let run = |rounds| {
        let mut peer = ConnectFourAi::default();
        let theirs = || peer.scores(std::iter::once(""), Memory::Cleared)[0];
        Clock::Cpu.side_by_side(rounds, theirs, || score(ours::value("connect4", &[]).answer, 0))
    };
    vec![Row { work: "connect4 6x7, empty, score".to_owned(), mark: "connect-four-ai", long: true, run: Box::new(run) }]
}

fn connect4_outcomes() -> Vec<Row> {
    let boards =
        [(4, 6, false), (6, 4, false), (5, 5, false), (7, 4, false), (4, 7, false), (5, 6, true), (6, 5, true)];
    let row = |(rows, cols, long): (usize, usize, bool)| {
        let board = format!("board={rows}x{cols}");
        Row {
            work: format!("connect4 {rows}x{cols}, outcome"),
            mark: "plain alpha-beta with a memo",
            long,
            run: Box::new(move |rounds| {
                let plain = || match PlainConnect4::new(rows, cols).outcome() {
                    0 => Outcome::Draw,
                    1.. => Outcome::Win,
                    _ => Outcome::Loss,
                };
                Clock::Cpu.side_by_side(rounds, plain, || ours::outcome("connect4", &[&board]).answer)
            }),
        }
    };
    boards.into_iter().map(row).collect()
}

/// Connect Four on all boards of up to 13 rows and columns together, and k in a row.
fn published() -> Vec<Row> {
    let row = |preset: &'static str, changes: Vec<String>, outcome: Outcome, long: bool| Row {
        work: format!("{preset} {}, outcome", changes.join(" ")),
        mark: "published",
        long,
        run: Box::new(move |_| {
            let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
            Clock::Cpu.against(&outcome, || ours::outcome(preset, &changes).answer)
        }),
    };
    let connect4 = CONNECT_4.into_iter().flat_map(|(rows, outcomes)| {
        (4..).zip(outcomes).map(move |(cols, &outcome)| {
            row("connect4", vec![format!("board={rows}x{cols}")], outcome, rows + cols > 11)
        })
    });
    let in_a_row = IN_A_ROW.into_iter().map(|((rows, cols, k), outcome)| {
        row("tictactoe", vec![format!("board={rows}x{cols}"), format!("k={k}")], outcome, false)
    });
    connect4.chain(in_a_row).collect()
}

/// One thread against two, by the time that passes.
fn threads() -> Vec<Row> {
    let works =
        [("connect4", "board=6x6"), ("connect4", "board=7x6"), ("kings", "board=6x7"), ("blockgame", "board=5x6")];
    let row = |(preset, change): (&'static str, &'static str)| Row {
        work: format!("{preset} {change}, value, two threads, seconds that pass"),
        mark: "balpan, one thread",
        long: change == "board=7x6",
        run: Box::new(move |rounds| {
            let with = |threads| move || ours::value_by(preset, &[change], threads).answer;
            Clock::Wall.side_by_side(rounds, with(1), with(2))
        }),
    };
    works.into_iter().map(row).collect()
}
