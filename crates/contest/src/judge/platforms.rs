//! Programmers 92345, "Disappearing platforms". The input is JSON Lines, a case a line:
//! `{"board": [[1, 1], [1, 0]], "aloc": [0, 0], "bloc": [0, 1]}`. The output is the number of plies
//! of the game, a line a case.

mod memo;
mod plain;

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::{self, Display, Write};
use std::io::BufRead;
use std::sync::{LazyLock, OnceLock};
use std::time::Duration;

use balpan::{BoxedSolver, Game, Goal, Solver, SplitMix, Stopped, Watch, solve_with};
use balpan_games::walkers::{Position, Rules, Steps, Walkers};
use balpan_games::{AnyGame, Board, Cells};
use serde::Deserialize;

use super::input::{Lines, until_error};
use super::{
    CaseIter, Feature, Judge, JudgeError, JudgeInfo, Mistake, OptimalPlay, Phrase, PlainValue, Recursion, Reference,
    Size, Survey, case_game, case_solver, common, feature_names, subsets,
};

/// The judge of Programmers 92345.
#[derive(Clone, Copy, Debug, Default)]
pub struct Platforms;

/// One call of the problem's `solution`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// Rows and columns.
    pub board: Board,
    /// The cells that have a tile, row by row from the top left.
    pub tiles: u64,
    /// The cell of A, which is to move: a tile.
    pub a: u8,
    /// The cell of B: a tile, possibly the same.
    pub b: u8,
}

/// The plies of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Plies(pub u32);

/// The most rows, and the most columns, that the statement allows.
const MAX_SIDE: usize = 5;

/// Memory for a solver's table: small enough to stay in the processor's cache.
const TABLE_BYTES: usize = 1 << 20;

/// The most board sizes that have a solver at the same time.
const MAX_SOLVERS: usize = 16;

const RULES: Rules = Rules { steps: Steps::Orthogonal, share: true, torus: false };

/// Returns the game on a board, built once for each size.
fn game(board: Board) -> &'static Walkers {
    const SIDES: usize = Board::MAX_CELLS + 1;
    static GAMES: LazyLock<Vec<OnceLock<Box<Walkers>>>> = LazyLock::new(|| vec![OnceLock::new(); SIDES * SIDES]);
    GAMES[board.rows() * SIDES + board.cols()].get_or_init(|| Box::new(case_game(Walkers::new(RULES, board))))
}

static INFO: JudgeInfo = JudgeInfo {
    name: Cow::Borrowed("platforms"),
    game: Cow::Borrowed("platforms"),
    source: Cow::Borrowed("Programmers 92345"),
    max_cases: None,
    time_limit: Duration::from_secs(10),
    answers_are_lines: false,
    cell_noun: Phrase::new("tiles", "발판"),
    max_cells: MAX_SIDE * MAX_SIDE,
    is_complete: true,
    exhaustive_cells: 6,
    disguises: Some(Phrase::new("blank borders and tiles out of reach", "빈 테두리나 닿지 못하는 발판이 있는 판")),
    features: &feature_names(&FEATURES),
};

/// A case that was played out.
struct Course {
    case: Case,
    plies: usize,
    end: Position,
}

const FEATURES: [Feature<Course>; 13] = [
    ("A wins", |course| course.end.b_to_move),
    ("B wins", |course| !course.end.b_to_move),
    ("over at once: A cannot move", |course| course.plies == 0),
    ("in the end A cannot move", |course| course.plies > 0 && !course.end.b_to_move && course.has_tile()),
    ("in the end B cannot move", |course| course.plies > 0 && course.end.b_to_move && course.has_tile()),
    ("in the end the tile under A vanishes", |course| !course.end.b_to_move && !course.has_tile()),
    ("in the end the tile under B vanishes", |course| course.end.b_to_move && !course.has_tile()),
    ("both tokens begin on one tile", |course| course.case.a == course.case.b),
    ("the tokens cannot meet", |course| course.reach(course.case.a) & course.reach(course.case.b) == 0),
    ("tiles that nobody can reach", |course| {
        course.reach(course.case.a) | course.reach(course.case.b) != course.case.tiles
    }),
    ("a board of one row", |Course { case, .. }| case.board.rows() == 1 && case.board.cols() > 1),
    ("a board of one column", |Course { case, .. }| case.board.cols() == 1 && case.board.rows() > 1),
    ("a board of 5x5 with holes", |Course { case, .. }| {
        case.board.cells() == MAX_SIDE * MAX_SIDE && case.tiles != case.board.all()
    }),
];

impl Course {
    /// Whether the player to move at the end, who has lost, still has a tile.
    const fn has_tile(&self) -> bool {
        self.end.tiles >> self.end.mover & 1 == 1
    }

    fn reach(&self, token: u8) -> u64 {
        reachable_tiles(self.case.board, self.case.tiles, token.into())
    }
}

impl Judge for Platforms {
    type Case = Case;
    type Answer = Plies;

    fn info(&self) -> &JudgeInfo {
        &INFO
    }

    /// Accepts boards larger than the statement's, too.
    fn read<R: BufRead>(&self, input: R) -> impl Iterator<Item = Result<Case, JudgeError>> {
        let mut lines = Lines::new(input);
        until_error(move || next_case(&mut lines))
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
        let is_larger = board.rows().max(board.cols()) > MAX_SIDE;
        is_larger.then(|| format!("a board of {board}, and at most {MAX_SIDE}x{MAX_SIDE} is allowed"))
    }

    fn read_answer(&self, word: &str) -> Option<Plies> {
        word.parse().ok().map(Plies).filter(|plies| plies.to_string() == word)
    }

    /// Answers boards up to 5×5, as in the problem, within some microseconds; larger ones are solved
    /// too. Boards of one size share a transposition table.
    fn reference<'w>(&self, watch: &'w Watch) -> Reference<'w, Self> {
        let mut solvers = Solvers::new(watch);
        Box::new(move |case| {
            // The game has no draws, so every value has a remoteness.
            Ok(Plies(solvers.for_board(case.board)?.value(&case.position())?.remoteness().unwrap_or(0)))
        })
    }

    fn size(&self, case: &Case) -> Size {
        Size { cells: case.tiles.count_ones() as usize, board: case.board.cells() }
    }

    /// Every board with a tile in each row and column at the border, with every start from which
    /// the two tokens together reach all tiles.
    fn cases_of_size(&self, cells: usize) -> CaseIter<Self> {
        Box::new(boards().into_iter().flat_map(move |board| {
            let sets = subsets(cells, board.cells()).filter(move |&tiles| fills(board, tiles));
            sets.flat_map(move |tiles| starts(board, tiles))
        }))
    }

    /// The case without one tile, or without blank rows or columns at the border. A token on the
    /// removed tile is put on any other.
    fn smaller_cases(&self, case: &Case) -> Vec<Case> {
        let Case { board, tiles, a, b } = *case;
        let mut smaller = crops(case);
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

    /// Any board up to 5×5, including those with blank borders and tiles out of reach.
    fn random_case(&self, random: &mut SplitMix, max_cells: usize) -> Case {
        let board = boards()[random.below(MAX_SIDE * MAX_SIDE)];
        let max_tiles = board.cells().min(max_cells.max(1));
        // The maximum of two draws favors many tiles.
        let count = 1 + random.below(max_tiles).max(random.below(max_tiles));
        let mut tiles = 0_u64;
        while (tiles.count_ones() as usize) < count {
            tiles |= 1 << random.below(board.cells());
        }
        let mut tile = || Cells(tiles).nth(random.below(count)).map_or(0, |cell| cell as u8);
        Case { board, tiles, a: tile(), b: tile() }
    }

    fn mirror(&self, case: &Case) -> Case {
        let mirror = |cell: usize| {
            let (row, col) = case.board.row_col(cell);
            case.board.cell(row, case.board.cols() - 1 - col)
        };
        let tiles = Cells(case.tiles).fold(0, |tiles, cell| tiles | 1 << mirror(cell));
        Case { board: case.board, tiles, a: mirror(case.a.into()) as u8, b: mirror(case.b.into()) as u8 }
    }

    fn survey<'w>(&self, watch: &'w Watch) -> Survey<'w, Self> {
        let mut solvers = Solvers::new(watch);
        Box::new(move |case| {
            let game = game(case.board);
            let line = solve_with(game, &case.position(), Goal::Value, solvers.for_board(case.board)?, watch)?.line;
            let end = line.iter().fold(case.position(), |position, &step| game.play(&position, step));
            let course = Course { case: *case, plies: line.len(), end };
            Ok(OptimalPlay::new(line.len(), &course, &FEATURES))
        })
    }

    fn mistakes(&self) -> Vec<Mistake<Self>> {
        plain::mistakes()
    }

    fn more_mistakes(&self) -> Vec<Mistake<Self>> {
        memo::more_mistakes().into_iter().chain(plain::more_mistakes()).chain(common::all()).collect()
    }

    fn answer_of(&self, _case: &Case, value: &PlainValue) -> Option<Plies> {
        value.plies.map(Plies)
    }

    fn recursions(&self) -> Vec<Recursion<Self>> {
        plain::recursions()
    }

    /// Adds or removes a tile, or moves a token to another tile.
    fn package_parts(&self) -> Option<Cow<'static, crate::package::Problem>> {
        Some(Cow::Borrowed(&crate::package::problem::PLATFORMS))
    }

    fn neighbor(&self, case: &Case, random: &mut SplitMix) -> Case {
        let mut next = *case;
        let cell = random.below(case.board.cells());
        let has_tile = case.tiles >> cell & 1 == 1;
        match random.below(3) {
            0 if has_tile => next.a = cell as u8,
            1 if has_tile => next.b = cell as u8,
            // Tiles are added more often than removed: more tiles usually give more moves.
            _ if !has_tile || random.below(3) == 0 => next.tiles ^= 1 << cell,
            _ => {}
        }
        let on_tiles = next.tiles >> next.a & next.tiles >> next.b & 1 == 1;
        if on_tiles { next } else { *case }
    }

    fn game(&self, case: &Case) -> Option<AnyGame> {
        Some(case_game(game(case.board).clone().with_start(case.position())).into())
    }
}

/// The solvers of the board sizes that were used lately.
struct Solvers<'w> {
    solvers: HashMap<Board, BoxedSolver<Position>>,
    watch: &'w Watch,
}

impl<'w> Solvers<'w> {
    fn new(watch: &'w Watch) -> Self {
        Self { solvers: HashMap::new(), watch }
    }

    fn for_board(&mut self, board: Board) -> Result<&mut dyn Solver<Position>, Stopped> {
        if self.solvers.len() >= MAX_SOLVERS && !self.solvers.contains_key(&board) {
            self.solvers.clear();
        }
        let solver = match self.solvers.entry(board) {
            Entry::Occupied(solver) => solver.into_mut(),
            Entry::Vacant(entry) => entry.insert(case_solver(game(board).clone(), TABLE_BYTES, self.watch)?),
        };
        Ok(&mut **solver)
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

/// Returns the statement's boards, smaller ones first.
fn boards() -> Vec<Board> {
    let sides = |rows| (1..=MAX_SIDE).filter_map(move |cols| Board::new(rows, cols).ok());
    let mut boards: Vec<_> = (1..=MAX_SIDE).flat_map(sides).collect();
    boards.sort_by_key(|board| board.cells());
    boards
}

/// Returns the cells of the first row, the last row, the first column and the last column.
fn borders(board: Board) -> [u64; 4] {
    let row = |row| (0..board.cols()).fold(0, |cells, col| cells | 1 << board.cell(row, col));
    let col = |col| (0..board.rows()).fold(0, |cells, row| cells | 1 << board.cell(row, col));
    [row(0), row(board.rows() - 1), col(0), col(board.cols() - 1)]
}

/// Whether there is a tile in each row and column at the border.
fn fills(board: Board, tiles: u64) -> bool {
    borders(board).iter().all(|border| tiles & border != 0)
}

/// Returns the cases on these tiles in which the tokens together reach every tile.
fn starts(board: Board, tiles: u64) -> impl Iterator<Item = Case> {
    let parts: Vec<_> = Cells(tiles).map(|cell| reachable_tiles(board, tiles, cell)).collect();
    let cells: Vec<_> = Cells(tiles).collect();
    (0..cells.len().pow(2)).filter_map(move |pair| {
        let [a, b] = [pair / cells.len(), pair % cells.len()];
        let all_reached = parts[a] | parts[b] == tiles;
        all_reached.then(|| Case { board, tiles, a: cells[a] as u8, b: cells[b] as u8 })
    })
}

/// Returns the tiles that a token on `cell` can reach.
fn reachable_tiles(board: Board, tiles: u64, cell: usize) -> u64 {
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

/// Returns the case without one blank row or column at the border, and without all of them.
fn crops(case: &Case) -> Vec<Case> {
    let places = || Cells(case.tiles).map(|cell| case.board.row_col(cell));
    let extent = |coordinate: fn((usize, usize)) -> usize| {
        places().map(coordinate).fold((usize::MAX, 0), |(min, max), at| (min.min(at), max.max(at)))
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
        let within = |(first, last), (min, max)| first <= min && max <= last;
        within(part.0, tiled_rows) && within(part.1, tiled_cols) && *part != (rows, cols)
    };
    parts.into_iter().filter(all_tiles).filter_map(|(rows, cols)| crop(case, rows, cols)).collect()
}

/// Returns the part of the case within these rows and columns, given as first and last.
fn crop(case: &Case, (top, bottom): (usize, usize), (left, right): (usize, usize)) -> Option<Case> {
    let board = Board::new((bottom + 1).checked_sub(top)?, (right + 1).checked_sub(left)?).ok()?;
    let shift = |cell: usize| {
        let (row, col) = case.board.row_col(cell);
        board.cell(row - top, col - left)
    };
    let tiles = Cells(case.tiles).fold(0, |tiles, cell| tiles | 1 << shift(cell));
    let [a, b] = [case.a, case.b].map(|cell| shift(cell.into()) as u8);
    Some(Case { board, tiles, a, b })
}

/// Reads the next case.
fn next_case<R: BufRead>(lines: &mut Lines<R>) -> Result<Option<Case>, JudgeError> {
    let Some(line) = lines.next()? else {
        return Ok(None);
    };
    let example = r#"{"board": [[1, 1], [1, 0]], "aloc": [0, 0], "bloc": [0, 1]}"#;
    let written = parse_line(line).map_err(|(column, found)| (column, found, example.to_owned()));
    let case = written
        .and_then(|written| written.case().map_err(|(key, found, expected)| (column_of(key, line), found, expected)));
    let line = lines.number;
    case.map(Some).map_err(|(column, found, expected)| JudgeError::Input { line, column, found, expected })
}

/// Returns the column of a key in the line, from 1.
fn column_of(key: &str, line: &[u8]) -> u64 {
    let quoted = format!("\"{key}\"");
    // A key with escapes is not found; the error then points at the line's start.
    line.windows(quoted.len()).position(|part| part == quoted.as_bytes()).map_or(1, |at| at as u64 + 1)
}

/// A case as JSON has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonCase {
    board: Vec<Vec<u8>>,
    aloc: [usize; 2],
    bloc: [usize; 2],
}

/// Parses a line. An error is a column and what was found there.
fn parse_line(line: &[u8]) -> Result<JsonCase, (u64, String)> {
    // Serde would accept a list of the three values in place of the object.
    let start = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if line.get(start) != Some(&b'{') {
        return Err((start as u64 + 1, "no case: not a JSON object".to_owned()));
    }
    serde_json::from_slice(line).map_err(|e| {
        // Omits the line number, which is always 1, and the end of a long quotation.
        let text = e.to_string();
        let text = text.split(" at line ").next().unwrap_or_default();
        (e.column() as u64, format!("no case: {}", text.chars().take(200).collect::<String>()))
    })
}

impl JsonCase {
    /// Validates the case. An error is a key, what was found, and what was expected.
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
