//! A family defined here, a registered stranger to all crates, is driven through what a game can do: its rules file,
//! solving, playing, a review, trees, a census, sums, puzzles, judges, strong solutions, refusals, pages.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use balpan::reach::Count;
use balpan::{Budget, Game, Outcome, Watch};
use balpan_contest::custom::{AnswerKind, CustomGame};
use balpan_contest::puzzle::{PlyRange, PuzzleQuery, puzzles};
use balpan_explorer::{Answers, Limits, router};
use balpan_games::census::count_values;
use balpan_games::error::CustomError;
use balpan_games::presets::preset;
use balpan_games::sum::SumReport;
use balpan_games::{
    AnyGame, Board, EngineCache, EngineOptions, Family, FamilyGame, FamilyRules, Lang, NimValue, Notation, PlayerName,
    Query, Record, Review, RulesFile, RulesSource, Setting, Task, TextError, describe_rules, register, settings,
};
use balpan_pictures::board::{draw_position, without_colour};
use balpan_pictures::tree::{TreeOptions, ViewOptions, build_tree};
use balpan_prove::{ClaimKind, Improve, Plan, prove};
use balpan_strong::{Metric, Progress, Subject, Table};
use http_body_util::BodyExt;
use serde::Deserialize;
use toml::Spanned;
use tower::ServiceExt;

/// Chomp: eat a square, with all squares below it and to its right. Nobody eats the top left one, which is poisoned.
#[derive(Clone, Copy, Debug)]
struct Chomp {
    board: Board,
    start: Rows,
}

/// The squares left in each row, from the top.
type Rows = [u8; 4];

impl Game for Chomp {
    type Position = Rows;
    type Move = (usize, u8);

    fn start(&self) -> Rows {
        self.start
    }

    fn moves(&self, rows: &Rows) -> impl Iterator<Item = (usize, u8)> {
        (0..4).flat_map(|row| (0..rows[row]).map(move |stay| (row, stay))).skip(1)
    }

    fn play(&self, rows: &Rows, (row, stay): (usize, u8)) -> Rows {
        std::array::from_fn(|r| if r < row { rows[r] } else { rows[r].min(stay) })
    }

    fn key_bits(&self) -> u32 {
        32
    }

    fn key(&self, rows: &Rows) -> u128 {
        u32::from_be_bytes(*rows).into()
    }

    fn position_from_key(&self, key: u128) -> Option<Rows> {
        Some((key as u32).to_be_bytes()).filter(Rows::is_sorted_by_descending)
    }

    fn layer(&self, rows: &Rows) -> Option<u32> {
        Some(rows.iter().map(|row| u32::from(*row)).sum())
    }

    fn is_impartial(&self) -> bool {
        true
    }
}

trait Descending {
    fn is_sorted_by_descending(&self) -> bool;
}

impl Descending for Rows {
    fn is_sorted_by_descending(&self) -> bool {
        self.is_sorted_by(|above, below| above >= below)
    }
}

/// Reads `.../..#` as rows of squares left.
fn read_rows(text: &str) -> Result<(Board, Rows), TextError> {
    let wrong = |found: &str| {
        let expected =
            "up to four rows of `.` and then `#`, none with more `.` than the one above it: .../..#".to_owned();
        TextError::in_position(text, 0..text.len(), CustomError { found: found.to_owned(), expected })
    };
    let lines: Vec<_> = text.trim().split('/').collect();
    let board = Board::new(lines.len(), lines[0].len()).ok().filter(|board| board.rows() <= 4);
    let board = board.ok_or_else(|| wrong("no board"))?;
    let mut rows = [0; 4];
    for (row, line) in rows.iter_mut().zip(&lines) {
        let left = line.trim_end_matches('#');
        if line.len() != board.cols() || left.contains(|glyph| glyph != '.') {
            return Err(wrong("no row of squares"));
        }
        *row = left.len() as u8;
    }
    if rows[0] == 0 || !rows.is_sorted_by_descending() {
        return Err(wrong("rows that cannot be left"));
    }
    Ok((board, rows))
}

impl Notation for Chomp {
    fn describe(&self, lang: Lang) -> Vec<String> {
        vec![lang.pick("Whoever is left with the poisoned square loses.", "독이 든 칸만 남으면 집니다.").to_owned()]
    }

    fn board(&self) -> Option<Board> {
        Some(self.board)
    }

    fn parse(&self, text: &str) -> Result<Rows, TextError> {
        Ok(read_rows(text)?.1)
    }

    fn text(&self, rows: &Rows) -> String {
        let glyphs =
            |row: usize| (0..self.board.cols()).map(|col| self.glyph(rows, self.board.cell(row, col))).collect();
        (0..self.board.rows()).map(glyphs).collect::<Vec<String>>().join("/")
    }

    fn move_text(&self, _rows: &Rows, (row, stay): (usize, u8)) -> String {
        format!("{row},{stay}")
    }

    fn glyph(&self, rows: &Rows, cell: usize) -> char {
        let (row, col) = self.board.row_col(cell);
        if col < usize::from(rows[row]) { '.' } else { '#' }
    }

    fn move_cells(&self, _rows: &Rows, (row, stay): (usize, u8)) -> u128 {
        1 << self.board.cell(row, stay.into())
    }

    fn players(&self, _rows: &Rows) -> [PlayerName; 2] {
        PlayerName::BY_TURN
    }
}

impl FamilyGame for Chomp {
    fn family(&self) -> &'static str {
        "gnaw"
    }

    fn settings(&self) -> Vec<Setting> {
        Vec::new()
    }

    fn cell_glyphs(&self) -> &str {
        ".#"
    }
}

#[derive(Debug)]
struct ChompRules;

impl FamilyRules for ChompRules {
    fn max_cells(&self) -> usize {
        16
    }

    fn game_on(&self, board: Board) -> Result<AnyGame, TextError> {
        let start = std::array::from_fn(|row| if row < board.rows() { board.cols() as u8 } else { 0 });
        Ok(Chomp { board, start }.into())
    }

    fn game_at(&self, _board: Board, text: &str) -> Result<AnyGame, TextError> {
        let (board, start) = read_rows(text)?;
        Ok(Chomp { board, start }.into())
    }
}

static FAMILY: Family = Family {
    name: "gnaw",
    keys: &["family", "about", "board", "start"],
    required: &[],
    read: &|source: RulesSource<'_>| {
        #[derive(Deserialize)]
        struct File {
            about: Option<String>,
            board: Option<Spanned<String>>,
            start: Option<Spanned<String>>,
        }

        let File { about, board, start } = source.read()?;
        source.rules_file(about, ChompRules, board.as_ref(), start.as_ref())
    },
    presets: &[("gnaw", "family = \"gnaw\"\nabout = \"Chomp\"\nboard = \"3x4\"\n")],
};

fn rules() -> RulesFile {
    register(&FAMILY);
    preset("gnaw").unwrap().unwrap()
}

fn options() -> EngineOptions {
    EngineOptions::new(Budget { memory: 1 << 26, threads: 1 })
}

#[test]
fn a_rules_file_is_read_and_described() {
    let game = rules().game().unwrap();
    assert_eq!((game.family(), &*game.size(), &*game.start_text()), ("gnaw", "3x4", "..../..../...."));
    assert!(game.downcast_ref::<Chomp>().is_some());
    assert_eq!(settings(&game).len(), 1);
    assert_eq!(describe_rules(Lang::En, &game), ["Whoever is left with the poisoned square loses."]);
    assert_eq!(rules().with_board("2x3").unwrap().game().unwrap().start_text(), ".../...");
    let wrong = |text: &str| RulesFile::parse("mine", text).unwrap_err().explain(Lang::En).message;
    assert!(wrong("family = \"gnaw\"\nk = 3").contains("unknown field `k`"));
    assert!(wrong("family = \"gnaw\"\nstart = \"#.\"").contains("no row of squares"));
}

#[test]
fn it_is_solved_played_and_reviewed() {
    let mut engines = EngineCache::new(rules(), options());
    let mut ask = |position: &str, nim_value| {
        engines.ask(position, Query { goal: None, nim_value }, &Watch::default(), &mut |_| {}).unwrap()
    };
    let answer = ask("..../..../....", true);
    assert_eq!((answer.outcome, answer.winner), (Some(Outcome::Win), Some(PlayerName::First)));
    assert!(matches!(answer.nim_value, Some(NimValue::Nimber(1..))));
    // An L of equal legs is lost.
    assert_eq!(ask("...#/.###/.###", true).nim_value, Some(NimValue::Nimber(0)));

    let game = rules().game().unwrap();
    let record = Record::read(&game, "1,1 0,3 2,0").unwrap();
    assert_eq!(record.positions.last().unwrap(), "...#/.###/####");
    let answers: Vec<_> = record.positions.iter().map(|position| ask(position, false)).collect();
    let review = Review::new("gnaw", Vec::new(), &record, &answers.iter().map(Some).collect::<Vec<_>>());
    assert_eq!((review.moves.len(), review.turning_points().count()), (3, 1));
}

#[test]
fn it_has_trees_a_census_and_sums() {
    let (game, watch) = (rules().game().unwrap(), Watch::default());
    let small = rules().game_at("../..").unwrap();
    let all = TreeOptions {
        depth: Some(9),
        alpha_beta: true,
        max_positions: 1_000,
        memory: 1 << 20,
        threads: 1,
        oracle: None,
    };
    let tree = build_tree(&small, "gnaw", all, &watch).unwrap();
    assert!(tree.text(&ViewOptions::default()).contains("0,1"));

    struct Outcomes;

    impl Task for Outcomes {
        type Output = [u64; 2];

        fn run<G: Notation>(self, game: &G) -> [u64; 2] {
            let counts =
                count_values(game, &game.start(), Count::Positions, 1 << 24, &Watch::default()).unwrap().into_iter();
            counts.fold([0; 2], |[wins, losses], (value, count)| match value.outcome() {
                Outcome::Win => [wins + count, losses],
                _ => [wins, losses + count],
            })
        }
    }

    let [wins, losses] = game.run(Outcomes);
    // All partitions within 3x4, except for the empty one.
    assert_eq!(wins + losses, 34);

    struct Draw;

    impl Task for Draw {
        type Output = String;

        fn run<G: Notation>(self, game: &G) -> String {
            draw_position(game, &game.start(), &without_colour)
        }
    }

    assert!(game.run(Draw).contains('.'));
    let nim = preset("nim").unwrap().unwrap().game().unwrap();
    let mut parts = [options().summand(&game), options().summand(&nim)];
    let names = ["gnaw", "nim"].map(str::to_owned);
    assert_eq!(SumReport::find(&names, &mut parts, true, &watch).unwrap().sum.len(), 2);
}

#[test]
fn it_has_puzzles_and_test_data() {
    let (game, watch) = (rules().game().unwrap(), Watch::default());
    let query = PuzzleQuery {
        plies: PlyRange::at_least(3),
        limit: None,
        all: true,
        sample: false,
        seed: 1,
        tries: None,
        memory: 1 << 20,
        oracle: None,
    };
    let found = puzzles(&game, "gnaw", &query, &watch).unwrap();
    assert!(found.exhaustive && !found.puzzles.is_empty());
    let sampled = puzzles(&game, "gnaw", &PuzzleQuery { sample: true, tries: Some(200), ..query }, &watch).unwrap();
    assert!(!sampled.puzzles.is_empty());
    let judge = CustomGame::new(rules(), AnswerKind::Outcome, true, &watch).unwrap();
    let mut output = Vec::new();
    balpan_contest::answer_all(&judge, &b"2\n../..\n./.\n"[..], &mut output, &watch).unwrap();
    assert_eq!(output, b"win\nwin\n");
}

#[test]
fn it_has_a_strong_solution_and_no_certificate() {
    struct Build;

    impl Task for Build {
        type Output = u64;

        fn run<G: Notation>(self, game: &G) -> u64 {
            let folder = tempfile::tempdir().unwrap();
            let starts = [game.start()];
            let subject = Subject {
                game: "gnaw".to_owned(),
                rules: rules().text,
                size: game.size(),
                starts: vec![game.text(&starts[0])],
                metric: Metric::Value,
                folded: true,
                plies: None,
            };
            let (output, scratch) = (folder.path().join("made.strong"), folder.path().join("scratch"));
            let plan = balpan_strong::Plan { subject, output, scratch, memory: 8 << 20, threads: 1 };
            let watch = Watch::default();
            balpan_strong::build(game, &starts, &plan, &watch, &Progress::default()).unwrap();
            let table = Table::open(std::fs::read(&plan.output).unwrap()).unwrap();
            balpan_strong::verify(game, &starts, &table, Budget { memory: 8 << 20, threads: 1 }, &watch).unwrap()
        }
    }

    let game = rules().game().unwrap();
    assert_eq!(game.run(Build), 34);
    let plan = Plan { what: ClaimKind::Outcome, settle: None, is_text: true };
    let refused = prove(&game, "gnaw", None, plan, options(), &Watch::default(), &mut |_| Improve::No).unwrap_err();
    assert_eq!(refused.to_string(), "the checker knows no games of gnaw");
    assert_eq!(balpan_prove::checker_rules(&game), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_has_pages() {
    rules();
    let limits = Limits { patience: Duration::from_secs(5), ..Limits::default() };
    let explorer = router(Arc::new(Answers::new(limits)));
    for (path, has) in [
        ("/games/gnaw", "poisoned square"),
        ("/play/gnaw", "data-move=\"1,1\""),
        ("/play/gnaw?moves=1,1", "data-move=\"0,3\""),
        ("/edit/gnaw", "data-cell=\"1,1\""),
        ("/tree/gnaw?at=../..", "0,1"),
        ("/census/gnaw", "34"),
        ("/parts/gnaw", "..../..../...."),
        ("/review/gnaw?moves=1,1", "1,1"),
        ("/api/v1/games/gnaw", "\"family\":\"gnaw\""),
        ("/api/v1/solve/gnaw", "\"outcome\":\"win\""),
    ] {
        let response = explorer.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let page = String::from_utf8_lossy(&body);
        assert_eq!(status, StatusCode::OK, "{path}: {page}");
        assert!(page.contains(has), "{path}: {page}");
    }
}
