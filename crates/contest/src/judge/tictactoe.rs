//! AlgoSpot TICTACTOE. The input is a count, then for each case three lines of `.`, `x` and `o`; x
//! moves first. The output is the winner under optimal play, `x`, `o` or `TIE`, a line a case.

mod plain;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::io::BufRead;
use std::sync::LazyLock;
use std::time::Duration;

use balpan::{Game, Goal, Outcome, SplitMix, Watch, solve_with};
use balpan_games::lines::{Lines, Position};
use balpan_games::{AnyGame, Cells, Notation};

use super::input::{Words, counted, write_squares};
use super::{
    CaseIter, Feature, Judge, JudgeError, JudgeInfo, Mistake, OptimalPlay, Phrase, PlainValue, Recursion, Reference,
    Size, Survey, case_game, case_solver, common, feature_names, preset_game,
};

/// The judge of AlgoSpot TICTACTOE.
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe;

/// A board that can occur. The answer to a finished game is its winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Case {
    /// The cells with an `x`, row by row from the top left.
    pub x: u16,
    /// The cells with an `o`.
    pub o: u16,
}

/// The winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// `x`, which moves first.
    X,
    /// `o`.
    O,
    /// No player.
    Tie,
}

/// Rows and columns of the board.
pub(crate) const SIDE: usize = 3;
const CELLS: usize = SIDE * SIDE;

const ALL: u16 = (1 << CELLS) - 1;
const ROWS: &[u16] = &[0o7, 0o70, 0o700];
const COLUMNS: &[u16] = &[0o111, 0o222, 0o444];
const DIAGONALS: &[u16] = &[0o421, 0o124];
const ALL_LINES: [&[u16]; 3] = [ROWS, COLUMNS, DIAGONALS];

/// Memory for the solver's table: enough for all 765 classes of positions.
const TABLE_BYTES: usize = 1 << 20;

static GAME: LazyLock<Lines> = LazyLock::new(|| preset_game("tictactoe"));

static INFO: JudgeInfo = JudgeInfo {
    name: Cow::Borrowed("tictactoe"),
    game: Cow::Borrowed("tictactoe"),
    source: Cow::Borrowed("AlgoSpot TICTACTOE"),
    max_cases: Some(50),
    // As for the block game, which is of the same site.
    time_limit: Duration::from_secs(5),
    answers_are_lines: false,
    cell_noun: Phrase::new("free cells", "빈칸"),
    max_cells: CELLS,
    is_complete: true,
    exhaustive_cells: 9,
    disguises: None,
    features: &feature_names(&FEATURES),
};

/// A case that was played out.
struct Course {
    case: Case,
    is_over: bool,
    end: Case,
}

const FEATURES: [Feature<Course>; 13] = [
    ("x is to move", |course| !course.is_over && !course.case.o_to_move()),
    ("o is to move", |course| !course.is_over && course.case.o_to_move()),
    ("a line already, and free cells", |course| course.is_over && !course.case.is_full()),
    ("a full board with a line", |course| course.case.is_full() && !course.is_tie()),
    ("a full board without a line", |course| course.case.is_full() && course.is_tie()),
    ("play ends in a tie", |course| !course.is_over && course.is_tie()),
    ("x wins by a row", |course| count_lines(course.end.x, &[ROWS]) > 0),
    ("x wins by a column", |course| count_lines(course.end.x, &[COLUMNS]) > 0),
    ("x wins by a diagonal", |course| count_lines(course.end.x, &[DIAGONALS]) > 0),
    ("x wins by two lines at once", |course| count_lines(course.end.x, &ALL_LINES) > 1),
    ("o wins by a row", |course| count_lines(course.end.o, &[ROWS]) > 0),
    ("o wins by a column", |course| count_lines(course.end.o, &[COLUMNS]) > 0),
    ("o wins by a diagonal", |course| count_lines(course.end.o, &[DIAGONALS]) > 0),
];

impl Course {
    fn is_tie(&self) -> bool {
        count_lines(self.end.x, &ALL_LINES) + count_lines(self.end.o, &ALL_LINES) == 0
    }
}

/// Counts the lines that a player's marks fill.
fn count_lines(marks: u16, lines: &[&[u16]]) -> usize {
    lines.iter().copied().flatten().filter(|&line| marks & line == *line).count()
}

impl Judge for TicTacToe {
    type Case = Case;
    type Answer = Answer;

    fn info(&self) -> &JudgeInfo {
        &INFO
    }

    fn read<R: BufRead>(&self, input: R) -> impl Iterator<Item = Result<Case, JudgeError>> {
        counted(input, |words: &mut Words<R>, case, cases| {
            let rows = words.square::<SIDE>(b".xo", case, cases)?;
            let text = rows.map(|row| String::from_utf8_lossy(&row).to_uppercase()).join("/");
            match GAME.parse(&text) {
                Ok(position) => Ok(Case::from(&position)),
                Err(e) => {
                    let found = format!("{} in case {case} of {cases}, which ends here", e.cause);
                    let expected = "a board that can occur: x moves first, and the first line ends the game";
                    Err(words.error_about(found, expected))
                }
            }
        })
    }

    fn write(&self, cases: &[Case]) -> String {
        write_squares::<SIDE, _>(cases, |case, cell| case.glyph(cell))
    }

    fn read_answer(&self, word: &str) -> Option<Answer> {
        [Answer::X, Answer::O, Answer::Tie].into_iter().find(|answer| answer.to_string() == word)
    }

    fn reference<'w>(&self, watch: &'w Watch) -> Reference<'w, Self> {
        let mut solver = case_solver(GAME.clone(), TABLE_BYTES, watch);
        Box::new(move |case| {
            let value = solver.as_mut().map_err(|stopped| stopped.clone())?.value(&case.position())?;
            Ok(Answer::of_outcome(value.outcome(), case.o_to_move()))
        })
    }

    fn size(&self, case: &Case) -> Size {
        Size { cells: CELLS - (case.x | case.o).count_ones() as usize, board: CELLS }
    }

    fn cases_of_size(&self, cells: usize) -> CaseIter<Self> {
        Box::new(ALL_CASES.iter().filter(move |case| TicTacToe.size(case).cells == cells).copied())
    }

    /// The positions after one move.
    fn smaller_cases(&self, case: &Case) -> Vec<Case> {
        let position = case.position();
        GAME.moves(&position).map(|mv| Case::from(&GAME.play(&position, mv))).collect()
    }

    fn random_case(&self, random: &mut SplitMix, max_cells: usize) -> Case {
        loop {
            let case = ALL_CASES[random.below(ALL_CASES.len())];
            if self.size(&case).cells <= max_cells {
                return case;
            }
        }
    }

    fn mirror(&self, case: &Case) -> Case {
        let mirror = |cells: u16| {
            let cell = |cell| cell / SIDE * SIDE + (SIDE - 1 - cell % SIDE);
            Cells(u64::from(cells)).fold(0, |cells, at| cells | 1 << cell(at))
        };
        Case { x: mirror(case.x), o: mirror(case.o) }
    }

    fn survey<'w>(&self, watch: &'w Watch) -> Survey<'w, Self> {
        let mut solver = case_solver(GAME.clone(), TABLE_BYTES, watch);
        Box::new(move |case| {
            let solver = solver.as_mut().map_err(|stopped| stopped.clone())?;
            let line = solve_with(&*GAME, &case.position(), Goal::Value, &mut **solver, watch)?.line;
            let end = Case::from(&line.iter().fold(case.position(), |position, &mv| GAME.play(&position, mv)));
            let course = Course { case: *case, is_over: line.is_empty(), end };
            Ok(OptimalPlay::new(line.len(), &course, &FEATURES))
        })
    }

    fn mistakes(&self) -> Vec<Mistake<Self>> {
        plain::mistakes()
    }

    fn more_mistakes(&self) -> Vec<Mistake<Self>> {
        plain::more_mistakes().into_iter().chain(common::all()).collect()
    }

    fn answer_of(&self, case: &Case, value: &PlainValue) -> Option<Answer> {
        Some(Answer::of_outcome(value.outcome, case.o_to_move()))
    }

    fn recursions(&self) -> Vec<Recursion<Self>> {
        plain::recursions()
    }

    /// Removes a mark of the player who moved last, or draws any board.
    fn package_parts(&self) -> Option<Cow<'static, crate::package::Problem>> {
        Some(Cow::Borrowed(&crate::package::problem::TICTACTOE))
    }

    fn neighbor(&self, case: &Case, random: &mut SplitMix) -> Case {
        let cell = 1 << random.below(CELLS);
        let mut next = *case;
        let last = if case.o_to_move() { &mut next.x } else { &mut next.o };
        *last &= !cell;
        let can_occur = next != *case && ALL_CASES.binary_search(&next).is_ok();
        if can_occur { next } else { ALL_CASES[random.below(ALL_CASES.len())] }
    }

    fn game(&self, case: &Case) -> Option<AnyGame> {
        Some(case_game(GAME.clone().with_start(case.position())).into())
    }
}

/// All 5,478 boards that can occur, sorted.
static ALL_CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let mut seen = BTreeSet::new();
    let mut open = vec![GAME.start()];
    while let Some(position) = open.pop() {
        if seen.insert(Case::from(&position)) {
            open.extend(GAME.moves(&position).map(|mv| GAME.play(&position, mv)));
        }
    }
    seen.into_iter().collect()
});

impl Case {
    fn position(&self) -> Position {
        GAME.position(u64::from(self.x), u64::from(self.o), self.o_to_move())
    }

    fn free(&self) -> Cells {
        Cells(u64::from(ALL & !(self.x | self.o)))
    }

    const fn is_full(&self) -> bool {
        self.x | self.o == ALL
    }

    const fn o_to_move(&self) -> bool {
        self.x.count_ones() > self.o.count_ones()
    }

    const fn glyph(&self, cell: usize) -> char {
        match (self.x >> cell & 1, self.o >> cell & 1) {
            (1, _) => 'x',
            (_, 1) => 'o',
            _ => '.',
        }
    }
}

impl Answer {
    /// Returns the winner by the outcome for the player to move.
    const fn of_outcome(outcome: Outcome, o_to_move: bool) -> Self {
        match (outcome, o_to_move) {
            (Outcome::Draw, _) => Self::Tie,
            (Outcome::Win, false) | (Outcome::Loss, true) => Self::X,
            (Outcome::Win, true) | (Outcome::Loss, false) => Self::O,
        }
    }
}

impl From<&Position> for Case {
    fn from(position: &Position) -> Self {
        Self { x: position.x() as u16, o: position.o() as u16 }
    }
}

impl Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::X => "x",
            Self::O => "o",
            Self::Tie => "TIE",
        })
    }
}
