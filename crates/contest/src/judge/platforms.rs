//! Programmers 92345, "Disappearing platforms", as JSON Lines: `{"board": [[1, 1],
//! [1, 0]], "aloc": [0, 0], "bloc": [0, 1]}`; the plies of the game, a line a case.

mod mistakes;
mod recursion;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Display, Write};
use std::io::BufRead;
use std::sync::{LazyLock, OnceLock};
use std::time::Duration;

use balpan::{Budget, Engine, Game, Goal, Solver, SplitMix, Watch, solve};
use balpan_games::walkers::{Position, Rules, Steps, Walkers};
use balpan_games::{AnyGame, Board, Cells};
use serde::Deserialize;

use super::input::Lines;
use super::{
    About, EveryCase, Judge, JudgeError, Mistake, Played, Recursion, Reference, Size, Survey, sets_of, started,
};
use crate::said::Said;

/// Programmers 92345.
#[derive(Clone, Copy, Debug, Default)]
pub struct Platforms;

/// One call of the problem's `solution`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// Rows and columns.
    pub board: Board,
    /// The cells that have a tile, row by row from the top left.
    pub tiles: u64,
    /// The cell of A, who is to move: a tile.
    pub a: u8,
    /// The cell of B: a tile, maybe the same.
    pub b: u8,
}

/// The plies of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Plies(pub u32);

/// Rows or columns of the largest board of the statement.
const MOST_SIDE: usize = 5;

/// Bytes of a table: small enough to stay in the cache, where it helps.
const TABLE: usize = 1 << 20;

/// The most board sizes that have a table at the same time.
const MOST_TABLES: usize = 16;

const A_WINS: &str = "A wins";
const B_WINS: &str = "B wins";
const OVER_AT_ONCE: &str = "over at once: A cannot move";
const A_IS_STUCK: &str = "in the end A cannot move";
const B_IS_STUCK: &str = "in the end B cannot move";
const TILE_OF_A_VANISHES: &str = "in the end the tile under A vanishes";
const TILE_OF_B_VANISHES: &str = "in the end the tile under B vanishes";
const SHARED_TILE: &str = "both tokens begin on one tile";
const APART: &str = "the tokens cannot meet";
const OUT_OF_REACH: &str = "tiles that nobody can reach";
const SINGLE_ROW: &str = "a board of one row";
const SINGLE_COLUMN: &str = "a board of one column";
const LARGEST_BOARD_WITH_HOLES: &str = "a board of 5x5 with holes";

const RULES: Rules = Rules { steps: Steps::Orthogonal, share: true, torus: false };

/// The game on a board, made once for each size.
fn game(board: Board) -> &'static Walkers {
    const SIDES: usize = Board::MAX_CELLS + 1;
    static GAMES: LazyLock<Vec<OnceLock<Box<Walkers>>>> = LazyLock::new(|| vec![OnceLock::new(); SIDES * SIDES]);
    GAMES[board.rows() * SIDES + board.cols()].get_or_init(|| Box::new(started(Walkers::new(RULES, board))))
}

static ABOUT: About = About {
    name: Cow::Borrowed("platforms"),
    game: Cow::Borrowed("platforms"),
    source: Cow::Borrowed("Programmers 92345"),
    most_cases: None,
    limit: Duration::from_secs(10),
    answers_are_lines: false,
    cells: Said::new("tiles", "발판"),
    most_cells: MOST_SIDE * MOST_SIDE,
    is_all: true,
    small: 6,
    disguises: Some(Said::new("blank borders and tiles out of reach", "빈 테두리나 닿지 못하는 발판이 있는 판")),
    features: &[
        A_WINS,
        B_WINS,
        OVER_AT_ONCE,
        A_IS_STUCK,
        B_IS_STUCK,
        TILE_OF_A_VANISHES,
        TILE_OF_B_VANISHES,
        SHARED_TILE,
        APART,
        OUT_OF_REACH,
        SINGLE_ROW,
        SINGLE_COLUMN,
        LARGEST_BOARD_WITH_HOLES,
    ],
    problem: Some(&crate::package::platforms::PROBLEM),
};

impl Judge for Platforms {
    type Case = Case;
    type Answer = Plies;

    fn about(&self) -> &About {
        &ABOUT
    }

    /// Boards larger than the statement's are read, too.
    fn read<R: BufRead>(&self, input: R) -> impl Iterator<Item = Result<Case, JudgeError>> {
        let mut lines = Some(Lines::new(input));
        std::iter::from_fn(move || {
            let case = next(lines.as_mut()?).transpose();
            if !matches!(case, Some(Ok(_))) {
                lines = None;
            }
            case
        })
    }

    fn write(&self, cases: &[Case]) -> String {
        let mut text = String::new();
        for Case { board, tiles, a, b } in cases {
            let row = |row| {
                let tiles: Vec<_> = (0..board.cols())
                    .map(|col| if tiles >> board.cell(row, col) & 1 == 1 { "1" } else { "0" })
                    .collect();
                format!("[{}]", tiles.join(","))
            };
            let rows: Vec<_> = (0..board.rows()).map(row).collect();
            let [(a_row, a_col), (b_row, b_col)] = [a, b].map(|&cell| board.row_col(cell.into()));
            // Writing to a string cannot fail.
            let _ =
                writeln!(text, r#"{{"board":[{}],"aloc":[{a_row},{a_col}],"bloc":[{b_row},{b_col}]}}"#, rows.join(","));
        }
        text
    }

    fn excess(&self, case: &Case) -> Option<String> {
        let board = case.board;
        let is_larger = board.rows().max(board.cols()) > MOST_SIDE;
        is_larger.then(|| format!("a board of {board}, and at most {MOST_SIDE}x{MOST_SIDE} is allowed"))
    }

    fn read_answer(&self, word: &str) -> Option<Plies> {
        word.parse().ok().map(Plies).filter(|plies| plies.to_string() == word)
    }

    /// Answers boards up to 5×5, as in the problem, within some microseconds; larger ones
    /// are solved too. What is learnt of one board helps with the others of its size.
    fn reference<'w>(&self, watch: &'w Watch) -> Reference<'w, Self> {
        let mut solvers = Solvers::new(watch);
        Box::new(move |case| {
            // Without draws, a value always has a remoteness.
            Ok(Plies(solvers.on(case.board).value(&case.position())?.remoteness().unwrap_or(0)))
        })
    }

    fn size(&self, case: &Case) -> Size {
        Size { cells: case.tiles.count_ones() as usize, board: case.board.cells() }
    }

    /// Every board on which no row or column at the border is without a tile, with every
    /// start from which the tokens reach all tiles, between them.
    fn of_size(&self, cells: usize) -> EveryCase<Self> {
        Box::new(boards().into_iter().flat_map(move |board| {
            let sets = sets_of(cells, board.cells()).filter(move |&tiles| fills(board, tiles));
            sets.flat_map(move |tiles| starts(board, tiles))
        }))
    }

    /// A tile taken away, or a blank row or column at the border; a token on that tile is
    /// put on any other.
    fn smaller(&self, case: &Case) -> Vec<Case> {
        let Case { board, tiles, a, b } = *case;
        let mut smaller = cropped(case);
        for cell in Cells(tiles) {
            let left = tiles & !(1 << cell);
            let places = |token: u8| -> Vec<u8> {
                if usize::from(token) == cell { Cells(left).map(|cell| cell as u8).collect() } else { vec![token] }
            };
            for a in places(a) {
                smaller.extend(places(b).into_iter().map(|b| Case { board, tiles: left, a, b }));
            }
        }
        smaller
    }

    /// Any board up to 5×5, blank borders and tiles out of reach included.
    fn random(&self, random: &mut SplitMix, most: usize) -> Case {
        let board = boards()[random.below(MOST_SIDE * MOST_SIDE)];
        let most = board.cells().min(most.max(1));
        // More often many than few.
        let many = 1 + random.below(most).max(random.below(most));
        let mut tiles = 0_u64;
        while (tiles.count_ones() as usize) < many {
            tiles |= 1 << random.below(board.cells());
        }
        let mut tile = || Cells(tiles).nth(random.below(many)).map_or(0, |cell| cell as u8);
        Case { board, tiles, a: tile(), b: tile() }
    }

    fn mirrored(&self, case: &Case) -> Case {
        let mirrored = |cell: usize| {
            let (row, col) = case.board.row_col(cell);
            case.board.cell(row, case.board.cols() - 1 - col)
        };
        let tiles = Cells(case.tiles).fold(0, |tiles, cell| tiles | 1 << mirrored(cell));
        Case { board: case.board, tiles, a: mirrored(case.a.into()) as u8, b: mirrored(case.b.into()) as u8 }
    }

    fn survey<'w>(&self, watch: &'w Watch) -> Survey<'w, Self> {
        let mut solvers = Solvers::new(watch);
        Box::new(move |case| {
            let Case { board, tiles, .. } = *case;
            let game = game(board);
            let line = solve(game, &case.position(), Goal::Value, solvers.on(board), watch)?.line;
            // Who is to move at the end has lost.
            let end = line.iter().fold(case.position(), |position, &step| game.play(&position, step));
            let (vanished, begun) = (end.tiles >> end.mover & 1 == 0, !line.is_empty());
            let [reach_of_a, reach_of_b] = [case.a, case.b].map(|token| part_of(board, tiles, token.into()));
            let features = [
                (A_WINS, end.b_to_move),
                (B_WINS, !end.b_to_move),
                (OVER_AT_ONCE, !begun),
                (A_IS_STUCK, begun && !end.b_to_move && !vanished),
                (B_IS_STUCK, begun && end.b_to_move && !vanished),
                (TILE_OF_A_VANISHES, !end.b_to_move && vanished),
                (TILE_OF_B_VANISHES, end.b_to_move && vanished),
                (SHARED_TILE, case.a == case.b),
                (APART, reach_of_a & reach_of_b == 0),
                (OUT_OF_REACH, reach_of_a | reach_of_b != tiles),
                (SINGLE_ROW, board.rows() == 1 && board.cols() > 1),
                (SINGLE_COLUMN, board.cols() == 1 && board.rows() > 1),
                (LARGEST_BOARD_WITH_HOLES, board.cells() == ABOUT.most_cells && tiles != board.all()),
            ];
            Ok(Played::new(line.len(), &features))
        })
    }

    fn mistakes(&self) -> Vec<Mistake<Self>> {
        mistakes::mistakes()
    }

    fn more_mistakes(&self) -> Vec<Mistake<Self>> {
        mistakes::more()
    }

    fn recursions(&self) -> Vec<Recursion<Self>> {
        recursion::recursions()
    }

    fn step(&self, case: &Case, random: &mut SplitMix) -> Case {
        recursion::step(case, random)
    }

    fn game(&self, case: &Case) -> AnyGame {
        AnyGame::Walkers(started(game(case.board).clone().with_start(case.position())))
    }
}

/// A solver for each size of boards that there has been lately.
struct Solvers<'w> {
    solvers: HashMap<Board, Engine<Walkers>>,
    watch: &'w Watch,
}

impl<'w> Solvers<'w> {
    fn new(watch: &'w Watch) -> Self {
        Self { solvers: HashMap::new(), watch }
    }

    fn on(&mut self, board: Board) -> &mut Engine<Walkers> {
        if self.solvers.len() >= MOST_TABLES && !self.solvers.contains_key(&board) {
            self.solvers.clear();
        }
        self.solvers.entry(board).or_insert_with(|| {
            let mut engine = Engine::new(game(board).clone(), Budget { memory: TABLE, threads: 1 });
            engine.set_watch(self.watch);
            engine
        })
    }
}

impl Case {
    const fn position(&self) -> Position {
        Position { tiles: self.tiles, mover: self.a, other: self.b, b_to_move: false }
    }
}

impl Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

/// The statement's boards, smaller ones first.
fn boards() -> Vec<Board> {
    let sides = |rows| (1..=MOST_SIDE).filter_map(move |cols| Board::new(rows, cols).ok());
    let mut boards: Vec<_> = (1..=MOST_SIDE).flat_map(sides).collect();
    boards.sort_by_key(|board| board.cells());
    boards
}

/// The cells of the first and last row and column, each.
fn borders(board: Board) -> [u64; 4] {
    let row = |row| (0..board.cols()).fold(0, |cells, col| cells | 1 << board.cell(row, col));
    let col = |col| (0..board.rows()).fold(0, |cells, row| cells | 1 << board.cell(row, col));
    [row(0), row(board.rows() - 1), col(0), col(board.cols() - 1)]
}

/// Whether there is a tile in the first and last row and column, each.
fn fills(board: Board, tiles: u64) -> bool {
    borders(board).iter().all(|border| tiles & border != 0)
}

/// The cases on these tiles of which every one can be reached.
fn starts(board: Board, tiles: u64) -> impl Iterator<Item = Case> {
    let parts: Vec<_> = Cells(tiles).map(|cell| part_of(board, tiles, cell)).collect();
    let cells: Vec<_> = Cells(tiles).collect();
    (0..cells.len().pow(2)).filter_map(move |pair| {
        let [a, b] = [pair / cells.len(), pair % cells.len()];
        let all_reached = parts[a] | parts[b] == tiles;
        all_reached.then(|| Case { board, tiles, a: cells[a] as u8, b: cells[b] as u8 })
    })
}

/// The tiles that a token on `cell` can reach.
fn part_of(board: Board, tiles: u64, cell: usize) -> u64 {
    let mut part = 1 << cell;
    loop {
        let around = Cells(part).fold(part, |around, cell| {
            let steps = [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter();
            steps.filter_map(|step| board.offset(cell, step, false)).fold(around, |around, next| around | 1 << next)
        });
        if around & tiles == part {
            return part;
        }
        part = around & tiles;
    }
}

/// The same without a blank row or column at the border, and without all of them.
fn cropped(case: &Case) -> Vec<Case> {
    let places = || Cells(case.tiles).map(|cell| case.board.row_col(cell));
    let extent = |of: fn((usize, usize)) -> usize| {
        places().map(of).fold((usize::MAX, 0), |(least, most), at| (least.min(at), most.max(at)))
    };
    let [rows, cols] = [(0, case.board.rows() - 1), (0, case.board.cols() - 1)];
    let [tiled_rows, tiled_cols] = [extent(|(row, _)| row), extent(|(_, col)| col)];
    let without_last = |(first, last): (usize, usize)| (first, last.saturating_sub(1));
    let without_first = |(_, last): (usize, usize)| (1, last);
    let parts = [
        (tiled_rows, tiled_cols),
        (without_first(rows), cols),
        (without_last(rows), cols),
        (rows, without_first(cols)),
        (rows, without_last(cols)),
    ];
    let all_tiles = |part: &((usize, usize), (usize, usize))| {
        let within = |(first, last), (least, most)| first <= least && most <= last;
        within(part.0, tiled_rows) && within(part.1, tiled_cols) && *part != (rows, cols)
    };
    parts.into_iter().filter(all_tiles).filter_map(|(rows, cols)| part(case, rows, cols)).collect()
}

/// What lies in these rows and columns, first and last of each.
fn part(case: &Case, (top, bottom): (usize, usize), (left, right): (usize, usize)) -> Option<Case> {
    let board = Board::new((bottom + 1).checked_sub(top)?, (right + 1).checked_sub(left)?).ok()?;
    let moved = |cell: usize| {
        let (row, col) = case.board.row_col(cell);
        board.cell(row - top, col - left)
    };
    let tiles = Cells(case.tiles).fold(0, |tiles, cell| tiles | 1 << moved(cell));
    let [a, b] = [case.a, case.b].map(|cell| moved(cell.into()) as u8);
    Some(Case { board, tiles, a, b })
}

/// The next case.
fn next<R: BufRead>(lines: &mut Lines<R>) -> Result<Option<Case>, JudgeError> {
    let Some(line) = lines.next()? else {
        return Ok(None);
    };
    let wrong = |column, found: String, expected: String| (column, found, expected);
    let example = r#"{"board": [[1, 1], [1, 0]], "aloc": [0, 0], "bloc": [0, 1]}"#;
    let case = read(line).map_err(|(column, found)| wrong(column, found, example.to_owned())).and_then(|written| {
        written.case().map_err(|(key, found, expected)| wrong(column_of(key, line), found, expected))
    });
    let line = lines.number;
    case.map(Some).map_err(|(column, found, expected)| JudgeError::Input { line, column, found, expected })
}

/// In which column of the line a key stands, counted from 1.
fn column_of(key: &str, line: &[u8]) -> u64 {
    let quoted = format!("\"{key}\"");
    // It can be written otherwise, with escapes.
    line.windows(quoted.len()).position(|part| part == quoted.as_bytes()).map_or(1, |at| at as u64 + 1)
}

/// A case as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    board: Vec<Vec<u8>>,
    aloc: [usize; 2],
    bloc: [usize; 2],
}

/// A line's case; or in which column what was found.
fn read(line: &[u8]) -> Result<Written, (u64, String)> {
    // A list of the three would be taken for the object else.
    let start = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if line.get(start) != Some(&b'{') {
        return Err((start as u64 + 1, "no case: not a JSON object".to_owned()));
    }
    serde_json::from_slice(line).map_err(|e| {
        // Without the line, which is always the first; and some of what is quoted.
        let text = e.to_string();
        let text = text.split(" at line ").next().unwrap_or_default();
        (e.column() as u64, format!("no case: {}", text.chars().take(200).collect::<String>()))
    })
}

impl Written {
    /// The case; or of which key what was found, and what was expected.
    fn case(&self) -> Result<Case, (&'static str, String, String)> {
        let rows = &self.board;
        let cols = rows.first().map_or(0, Vec::len);
        let board = Board::new(rows.len(), cols).map_err(|e| ("board", e.to_string(), "rows of 1 and 0".to_owned()))?;
        if let Some(row) = rows.iter().position(|row| row.len() != cols) {
            let cells = match rows[row].len() {
                1 => "1 cell".to_owned(),
                cells => format!("{cells} cells"),
            };
            return Err(("board", format!("`board[{row}]` has {cells}"), format!("{cols}, as in `board[0]`")));
        }
        let cells = || rows.iter().flatten().enumerate();
        if let Some((cell, &other)) = cells().find(|&(_, &tile)| tile > 1) {
            let found = format!("{other} at [{}] of the board", board.cell_text(cell));
            return Err(("board", found, "1 for a tile or 0 for none".to_owned()));
        }
        let tiles = cells().fold(0, |tiles, (cell, &tile)| tiles | u64::from(tile) << cell);
        let token = |name, [row, col]: [usize; 2]| {
            let on_board = row < board.rows() && col < board.cols();
            let cell = if on_board { board.cell(row, col) } else { 0 };
            if on_board && tiles >> cell & 1 == 1 {
                return Ok(cell as u8);
            }
            let found = format!("{name} is [{row}, {col}], where there is no tile");
            Err((name, found, format!("row and column of a tile, from 0, on a board of {board}")))
        };
        Ok(Case { board, tiles, a: token("aloc", self.aloc)?, b: token("bloc", self.bloc)? })
    }
}
