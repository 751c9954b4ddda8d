//! AlgoSpot BLOCKGAME. The input is a count, then for each case five lines of `.` and `#`; the
//! output is `WINNING` or `LOSING`, a line a case.

mod plain;

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::io::BufRead;
use std::sync::LazyLock;
use std::time::Duration;

use balpan::{Outcome, SplitMix, Stopped, Watch};
use balpan_games::placement::{BoardNumbers, LosingBoards, Placement, Position, TableError};
use balpan_games::{AnyGame, Cells};

use super::input::{Words, counted, write_squares};
use super::{
    CaseIter, Feature, Judge, JudgeError, JudgeInfo, Mistake, OptimalPlay, Phrase, PlainValue, Recursion, Reference,
    Size, Survey, case_game, common, feature_names, preset_game, subsets,
};

/// The judge of AlgoSpot BLOCKGAME.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlockGame;

/// A board of 5×5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Case {
    /// The filled cells, row by row from the top left.
    pub filled: u32,
}

/// The winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The player to move.
    Winning,
    /// The other player.
    Losing,
}

/// Rows and columns of the board.
pub(crate) const SIDE: usize = 5;
const CELLS: usize = SIDE * SIDE;
/// The set of all cells.
const ALL: u32 = (1 << CELLS) - 1;

/// Memory for the table of losing boards.
const LOSING_TABLE_BYTES: u64 = 4 << 20;

/// Memory for the table of remoteness.
const REMOTENESS_TABLE_BYTES: u64 = 64 << 20;

static GAME: LazyLock<Placement> = LazyLock::new(|| preset_game("blockgame"));

static INFO: JudgeInfo = JudgeInfo {
    name: Cow::Borrowed("blockgame"),
    game: Cow::Borrowed("blockgame"),
    source: Cow::Borrowed("AlgoSpot BLOCKGAME"),
    max_cases: Some(50),
    // The site allows less for a whole input, but a program in Python has to pass here.
    time_limit: Duration::from_secs(5),
    answers_are_lines: false,
    cell_noun: Phrase::new("free cells", "빈칸"),
    max_cells: CELLS,
    is_complete: true,
    exhaustive_cells: 5,
    disguises: Some(Phrase::new("free cells where nothing fits", "조각이 들어갈 수 없는 빈칸이 있는 판")),
    features: &feature_names(&FEATURES),
};

/// A case that was played out.
struct Course {
    free: u32,
    plies: u32,
    /// The filled cells at the end.
    filled: u64,
    /// The number of cells of the last piece.
    last: Option<u32>,
}

const FEATURES: [Feature<Course>; 9] = [
    ("whoever begins wins", |course| !course.plies.is_multiple_of(2)),
    ("whoever begins loses", |course| course.plies.is_multiple_of(2)),
    ("over at once: no piece fits", |course| course.last.is_none()),
    ("in the end the board is full", |course| course.last.is_some() && course.filled == u64::from(ALL)),
    ("in the end cells are left over", |course| course.last.is_some() && course.filled != u64::from(ALL)),
    ("a domino is placed last", |course| course.last == Some(2)),
    ("an L-tromino is placed last", |course| course.last == Some(3)),
    ("free cells that no piece can cover", |course| course.free & !around(course.free) != 0),
    ("several parts in which pieces fit", |course| is_in_parts(course.free & around(course.free))),
];

impl Judge for BlockGame {
    type Case = Case;
    type Answer = Answer;

    fn info(&self) -> &JudgeInfo {
        &INFO
    }

    fn read<R: BufRead>(&self, input: R) -> impl Iterator<Item = Result<Case, JudgeError>> {
        counted(input, |words: &mut Words<R>, case, cases| {
            let rows = words.square::<SIDE>(b".#", case, cases)?;
            let cells = rows.as_flattened().iter().enumerate();
            let filled = cells.fold(0, |filled, (cell, &glyph)| filled | u32::from(glyph == b'#') << cell);
            Ok(Case { filled })
        })
    }

    fn write(&self, cases: &[Case]) -> String {
        write_squares::<SIDE, _>(cases, |case, cell| if case.filled >> cell & 1 == 1 { '#' } else { '.' })
    }

    fn read_answer(&self, word: &str) -> Option<Answer> {
        [Answer::Winning, Answer::Losing].into_iter().find(|answer| answer.to_string() == word)
    }

    /// The first case solves all 2^25 boards, which takes some milliseconds; each case is a look-up.
    fn reference<'w>(&self, watch: &'w Watch) -> Reference<'w, Self> {
        let mut table = None;
        Box::new(move |case| {
            let losing = match &mut table {
                Some(losing) => losing,
                none => none.insert(table_result(LosingBoards::new(&GAME, LOSING_TABLE_BYTES, watch))?),
            };
            Ok(if losing.is_losing(u64::from(case.filled)) { Answer::Losing } else { Answer::Winning })
        })
    }

    fn size(&self, case: &Case) -> Size {
        let free = case.free();
        Size { cells: free.count_ones() as usize, board: rectangle(free) }
    }

    /// All boards on which every free cell has a free neighbor: no piece covers other cells.
    fn cases_of_size(&self, cells: usize) -> CaseIter<Self> {
        let free = subsets(cells, CELLS).map(|free| free as u32);
        let mut cases: Vec<_> =
            free.filter(|&free| free & !around(free) == 0).map(|free| Case { filled: ALL & !free }).collect();
        cases.sort_by_key(|case| rectangle(case.free()));
        Box::new(cases.into_iter())
    }

    /// The case with one or two more cells filled.
    fn smaller_cases(&self, case: &Case) -> Vec<Case> {
        let free: Vec<_> = Cells(u64::from(case.free())).collect();
        let mut smaller = Vec::new();
        for (n, &cell) in free.iter().enumerate() {
            let filled = case.filled | 1 << cell;
            smaller.push(Case { filled });
            smaller.extend(free[..n].iter().map(|&other| Case { filled: filled | 1 << other }));
        }
        smaller
    }

    /// All numbers of free cells are equally likely.
    fn random_case(&self, random: &mut SplitMix, max_cells: usize) -> Case {
        let mut filled = ALL;
        let free = random.below(max_cells.min(CELLS) + 1);
        while ((ALL & !filled).count_ones() as usize) < free {
            filled &= !(1 << random.below(CELLS));
        }
        Case { filled }
    }

    fn mirror(&self, case: &Case) -> Case {
        let mirror = |cell| cell / SIDE * SIDE + (SIDE - 1 - cell % SIDE);
        Case { filled: Cells(u64::from(case.filled)).fold(0, |filled, cell| filled | 1 << mirror(cell)) }
    }

    /// The first case builds a table of the remoteness of all boards.
    fn survey<'w>(&self, watch: &'w Watch) -> Survey<'w, Self> {
        let mut table = None;
        Box::new(move |case| {
            let plies = match &mut table {
                Some(plies) => plies,
                none => none.insert(table_result(BoardNumbers::remoteness(&GAME, REMOTENESS_TABLE_BYTES, watch))?),
            };
            // A placement is optimal if it lowers the remoteness by one.
            let mut filled = u64::from(case.filled);
            let mut last = None;
            while let Some(place) = GAME
                .placements()
                .find(|&place| place & filled == 0 && plies.get(filled | place) + 1 == plies.get(filled))
            {
                filled |= place;
                last = Some(place.count_ones());
            }
            let course = Course { free: case.free(), plies: plies.get(case.filled.into()), filled, last };
            Ok(OptimalPlay::new(course.plies as usize, &course, &FEATURES))
        })
    }

    fn mistakes(&self) -> Vec<Mistake<Self>> {
        plain::mistakes()
    }

    fn more_mistakes(&self) -> Vec<Mistake<Self>> {
        plain::more_mistakes().into_iter().chain(common::all()).collect()
    }

    fn answer_of(&self, _case: &Case, value: &PlainValue) -> Option<Answer> {
        Some(Answer::of_mover(value.outcome == Outcome::Win))
    }

    fn recursions(&self) -> Vec<Recursion<Self>> {
        plain::recursions()
    }

    /// Fills or frees a random cell.
    fn package_parts(&self) -> Option<Cow<'static, crate::package::Problem>> {
        Some(Cow::Borrowed(&crate::package::problem::BLOCKGAME))
    }

    fn neighbor(&self, case: &Case, random: &mut SplitMix) -> Case {
        Case { filled: case.filled ^ 1 << random.below(CELLS) }
    }

    fn game(&self, case: &Case) -> Option<AnyGame> {
        let start = Position { filled: u64::from(case.filled), used: 0, right_to_move: false };
        Some(case_game(GAME.clone().with_start(start)).into())
    }
}

impl Case {
    /// Returns the free cells.
    #[must_use]
    pub const fn free(&self) -> u32 {
        ALL & !self.filled
    }
}

impl Answer {
    const fn of_mover(wins: bool) -> Self {
        if wins { Self::Winning } else { Self::Losing }
    }
}

impl Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Winning => "WINNING",
            Self::Losing => "LOSING",
        })
    }
}

/// Returns the cells beside `cells`.
const fn around(cells: u32) -> u32 {
    const LEFT: u32 = 0b00001_00001_00001_00001_00001;
    const RIGHT: u32 = LEFT << (SIDE - 1);
    ((cells & !RIGHT) << 1 | (cells & !LEFT) >> 1 | cells << SIDE | cells >> SIDE) & ALL
}

/// Whether the cells are not connected.
const fn is_in_parts(cells: u32) -> bool {
    let mut part = cells & cells.wrapping_neg();
    loop {
        let more = (part | around(part)) & cells;
        if more == part {
            return part != cells;
        }
        part = more;
    }
}

/// Returns the area of the smallest rectangle around `cells`.
fn rectangle(cells: u32) -> usize {
    let points = || Cells(u64::from(cells)).map(|cell| (cell / SIDE, cell % SIDE));
    let extent = |coordinates: &mut dyn Iterator<Item = usize>| {
        let (first, end) = coordinates.fold((SIDE, 0), |(first, end), at| (first.min(at), end.max(at + 1)));
        end.saturating_sub(first)
    };
    extent(&mut points().map(|(row, _)| row)) * extent(&mut points().map(|(_, col)| col))
}

fn table_result<T>(table: Result<T, TableError>) -> Result<T, Stopped> {
    table.map_err(|error| match error {
        TableError::Stopped(stopped) => stopped,
        other => unreachable!("an impartial game on 25 cells has such a table: {other}"),
    })
}
