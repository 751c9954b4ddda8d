//! A judge for any game of a rules file. The input is a count, then one position a line as `solve`
//! reads it. The output is the outcome, the value or the nimber, a line a case.

mod answer;
pub(crate) mod boards;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::io::BufRead;
use std::sync::Arc;
use std::time::Duration;

use balpan::{EngineError, Outcome, SplitMix, Stopped, Watch};
use balpan_games::{AnyGame, Board, CellStyle, Lang, QueryError, RulesFile, TextEngine, TextError};

use super::input::{Lines, until_error};
use super::{CaseIter, Judge, JudgeError, JudgeInfo, OptimalPlay, Phrase, PlainValue, Reference, Size, Survey};
use boards::{TextGame, boards};

pub use answer::{Answer, AnswerKind};

/// The judge of a rules file's game.
pub struct CustomGame {
    info: JudgeInfo,
    rules: RulesFile,
    answer_kind: AnswerKind,
    /// The game on each board, the smallest first, and the rules' own last.
    boards: Arc<[TextGame]>,
    /// All positions of the boards that have few, by their cells.
    listed: BTreeMap<usize, Vec<Case>>,
    /// The start on the rules' own board, if it is not listed and not too hard.
    start: Option<Case>,
}

impl fmt::Debug for CustomGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomGame").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// A position that play can reach.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// The position as the game writes it.
    pub text: String,
    /// The index of its board.
    board: usize,
    /// The number of tiles, free cells or tokens left.
    cells: usize,
}

/// The most positions that are listed in all, of the smallest boards first.
const MAX_LISTED_POSITIONS: usize = 4_000;

/// The default time limit of one case: that of the block game.
const TIME_LIMIT: Duration = Duration::from_secs(5);

impl CustomGame {
    /// A judge of this game on the rules' own board and, with `smaller_boards`, on all smaller ones
    /// that the rules allow.
    ///
    /// Solves some positions to find how large they may be for exact answers. No clock is read, so
    /// the result is the same on every machine.
    ///
    /// # Errors
    /// If the rules are invalid, the game has no answers of this kind, or `watch` stops the search.
    ///
    /// ```
    /// use balpan::Watch;
    /// use balpan_contest::{CustomGame, answer_all, custom};
    /// use balpan_games::RulesFile;
    ///
    /// let rules = RulesFile::parse("row", "family = \"lines\"\nboard = \"2x3\"\nk = 2\n")?;
    /// let judge = CustomGame::new(rules, custom::AnswerKind::Value, true, &Watch::default())?;
    /// let mut output = Vec::new();
    /// answer_all(&judge, "2\nX.O/...\n.../...\n".as_bytes(), &mut output, &Watch::default())?;
    /// assert_eq!(output, b"win 1\nwin 3\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        rules: RulesFile,
        answer_kind: AnswerKind,
        smaller_boards: bool,
        watch: &Watch,
    ) -> Result<Self, QueryError> {
        let boards: Arc<[_]> = boards(&rules, smaller_boards)?.into();
        let (listed, listed_boards) = list_positions(&boards);
        let own = boards.len() - 1;
        let all_listed = listed_boards == boards.len();
        let exhaustive_cells = listed.keys().next_back().copied().unwrap_or(0);
        let (start, cells) = boards[own].start();
        let max_cells = if all_listed {
            exhaustive_cells
        } else {
            max_solvable_cells(&boards[own], answer_kind, exhaustive_cells, watch)?
        };
        if all_listed {
            // Fails if the game has no answers of this kind.
            boards[own].engine().ask("", &start, answer_kind.question(), watch, &mut |_| {})?;
        }
        let cell_noun = match boards[own].size() {
            None => Phrase::new("tokens", "돌"),
            Some(_) if rules.game()?.cell_style() == CellStyle::Tiles => Phrase::new("tiles", "발판"),
            Some(_) => Phrase::new("free cells", "빈칸"),
        };
        let disguises = (!all_listed).then(|| match boards[listed_boards].size() {
            Some(board) if listed_boards < own => {
                Phrase::from_strings(format!("boards from {board} on"), format!("{board} 이상인 판의 국면"))
            }
            Some(board) => Phrase::from_strings(format!("boards of {board}"), format!("{board} 판의 국면")),
            None => Phrase::new("sums of as many heaps as at the start", "처음과 더미 수가 같은 국면"),
        });
        let info = JudgeInfo {
            name: Cow::Owned(format!("game:{}", rules.name)),
            game: Cow::Owned(rules.name.clone()),
            source: Cow::Owned(rules.name.clone()),
            max_cases: None,
            time_limit: TIME_LIMIT,
            answers_are_lines: true,
            cell_noun,
            max_cells: max_cells.max(exhaustive_cells),
            is_complete: all_listed || max_cells >= cells,
            exhaustive_cells,
            disguises,
            features: &[],
        };
        let start = (!all_listed && max_cells >= cells).then_some(Case { text: start, board: own, cells });
        Ok(Self { info, rules, answer_kind, boards, listed, start })
    }

    /// Parses a position and finds its board.
    fn parse_case(&self, text: &str) -> Result<Case, TextError> {
        let size = self.rules.game_at(text)?.board();
        let board = self.boards.iter().position(|board| board.size() == size).unwrap_or(self.boards.len() - 1);
        let (text, cells) = self.boards[board].parse(text)?;
        Ok(Case { text, board, cells })
    }
}

/// Lists all positions of the first boards, by cells; returns the number of these boards, too.
fn list_positions(boards: &[TextGame]) -> (BTreeMap<usize, Vec<Case>>, usize) {
    let mut listed: BTreeMap<usize, Vec<Case>> = BTreeMap::new();
    let mut room = MAX_LISTED_POSITIONS;
    for (board, game) in boards.iter().enumerate() {
        let Some(positions) = game.all_positions(room) else { return (listed, board) };
        room -= positions.len();
        for (text, cells) in positions {
            listed.entry(cells).or_default().push(Case { text, board, cells });
        }
    }
    (listed, boards.len())
}

/// The most positions that may be searched for one answer.
const MAX_SEARCHED: u64 = 1 << 17;

/// Positions that are tried for each number of cells.
const POSITIONS_PER_SIZE: usize = 3;

/// Returns the largest number of cells below the first at which a random position was too hard. At
/// least `easy_cells`, which are known to be easy.
fn max_solvable_cells(
    game: &TextGame,
    kind: AnswerKind,
    easy_cells: usize,
    watch: &Watch,
) -> Result<usize, QueryError> {
    let mut random = SplitMix(1);
    let (_, all) = game.start();
    let mut engine = game.engine();
    for left in easy_cells + 1..=all {
        for _ in 0..if left == all { 1 } else { POSITIONS_PER_SIZE } {
            let (text, _) = game.random_play(left, &mut random);
            watch.count(1).map_err(EngineError::Stopped)?;
            let answer = engine.ask("", &text, kind.question(), &watch.child(MAX_SEARCHED), &mut |_| {});
            match answer {
                Ok(answer) if answer.complete => {}
                Ok(_) | Err(QueryError::NoAnswer(EngineError::Stopped(_))) if watch.is_stopping() => {
                    return Err(EngineError::Stopped(Stopped::Interrupted).into());
                }
                Ok(_) | Err(QueryError::NoAnswer(EngineError::Stopped(_))) => return Ok(left - 1),
                Err(e) => return Err(e),
            }
        }
    }
    Ok(all)
}

/// The most engines at the same time.
const MAX_ENGINES: usize = 8;

impl Judge for CustomGame {
    type Case = Case;
    type Answer = Answer;

    fn info(&self) -> &JudgeInfo {
        &self.info
    }

    fn read<R: BufRead>(&self, input: R) -> impl Iterator<Item = Result<Case, JudgeError>> {
        let mut lines = Lines::new(input);
        let mut left = None;
        until_error(move || self.next_case(&mut lines, &mut left))
    }

    fn write(&self, cases: &[Case]) -> String {
        let mut text = format!("{}\n", cases.len());
        for case in cases {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", case.text);
        }
        text
    }

    fn read_answer(&self, line: &str) -> Option<Answer> {
        Answer::parse(self.answer_kind, line)
    }

    fn reference<'w>(&self, watch: &'w Watch) -> Reference<'w, Self> {
        let mut solve = self.solver(watch);
        let answer_kind = self.answer_kind;
        Box::new(move |case| Answer::from_engine(answer_kind, &solve(case)?).ok_or(Stopped::Interrupted))
    }

    fn size(&self, case: &Case) -> Size {
        Size { cells: case.cells, board: self.boards[case.board].size().map_or(case.cells, Board::cells) }
    }

    fn cases_of_size(&self, cells: usize) -> CaseIter<Self> {
        let listed = self.listed.get(&cells).cloned().unwrap_or_default();
        Box::new(listed.into_iter().chain(self.start.clone().filter(|start| start.cells == cells)))
    }

    /// The positions after one move.
    fn smaller_cases(&self, case: &Case) -> Vec<Case> {
        let after = self.boards[case.board].successors(&case.text);
        after.into_iter().map(|(text, cells)| Case { text, board: case.board, cells }).collect()
    }

    /// A position after random play, half of the time on the rules' own board.
    fn random_case(&self, random: &mut SplitMix, max_cells: usize) -> Case {
        /// Plays that are tried: each may end with more cells left.
        const TRIES: usize = 100;
        let own = self.boards.len() - 1;
        for _ in 0..TRIES {
            let board = if random.below(2) == 0 { own } else { random.below(own + 1) };
            // The maximum of two draws favors many cells.
            let left = random.below(max_cells + 1).max(random.below(max_cells + 1));
            let (text, cells) = self.boards[board].random_play(left, random);
            if cells <= max_cells {
                return Case { text, board, cells };
            }
        }
        // Play hardly ever leaves so few cells: falls back to the smallest case.
        let smallest = self.listed.values().flatten().next().or(self.start.as_ref()).cloned();
        smallest.unwrap_or_else(|| {
            let (text, cells) = self.boards[0].start();
            Case { text, board: 0, cells }
        })
    }

    fn survey<'w>(&self, watch: &'w Watch) -> Survey<'w, Self> {
        let mut solve = self.solver(watch);
        Box::new(move |case| Ok(OptimalPlay { plies: solve(case)?.line.len(), features: Vec::new() }))
    }

    fn answer_of(&self, _case: &Case, value: &PlainValue) -> Option<Answer> {
        match (self.answer_kind, value.score) {
            (AnswerKind::Outcome, _) => Some(Answer::Outcome(value.outcome)),
            (AnswerKind::Value, Some(score)) if score != 0 => Some(Answer::Score(score)),
            (AnswerKind::Value, _) if value.outcome == Outcome::Draw => Some(Answer::Value(Outcome::Draw, None)),
            (AnswerKind::Value, _) => Some(Answer::Value(value.outcome, Some(value.plies?))),
            (AnswerKind::Nimber, _) => None,
        }
    }

    fn game(&self, case: &Case) -> Option<AnyGame> {
        self.rules.game_at(&case.text).ok()
    }
}

impl CustomGame {
    /// Reads the next case; before the first one, the number of cases, after which `left` counts down.
    fn next_case<R: BufRead>(&self, lines: &mut Lines<R>, left: &mut Option<u64>) -> Result<Option<Case>, JudgeError> {
        let expected = match left {
            None => "the number of cases",
            Some(0) => "nothing after the last case, as the count says",
            Some(_) => "a position",
        };
        let text = lines.next()?.map(|line| String::from_utf8_lossy(line).trim_end_matches(['\n', '\r']).to_owned());
        let error = |column: usize, found: String, expected: String| JudgeError::Input {
            line: lines.number,
            column: column as u64 + 1,
            found,
            expected,
        };
        let text = match (text, &left) {
            (Some(text), _) => text,
            (None, Some(0)) => return Ok(None),
            (None, _) => return Err(error(0, "the end of the input".to_owned(), expected.to_owned())),
        };
        let unexpected = || error(0, format!("`{}`", text.trim().escape_debug()), expected.to_owned());
        match left {
            None => {
                *left = Some(text.trim().parse().map_err(|_| unexpected())?);
                self.next_case(lines, left)
            }
            Some(0) => Err(unexpected()),
            Some(left) => {
                *left -= 1;
                self.parse_case(&text).map(Some).map_err(|e| {
                    let words = e.explain(Lang::En);
                    error(e.span.start, words.message, words.help)
                })
            }
        }
    }

    /// Returns a solver of cases that keeps the engines of the last few boards.
    fn solver<'w>(&self, watch: &'w Watch) -> impl FnMut(&Case) -> Result<balpan_games::Answer, Stopped> + 'w {
        let (boards, answer_kind) = (Arc::clone(&self.boards), self.answer_kind);
        let mut engines: Vec<(usize, Box<dyn TextEngine>)> = Vec::new();
        move |case| {
            let mut engine = match engines.iter().position(|(board, _)| *board == case.board) {
                Some(at) => engines.remove(at),
                None => (case.board, boards[case.board].engine()),
            };
            engines.truncate(MAX_ENGINES - 1);
            // Errors other than a stop would have come up in `CustomGame::new`.
            let answer = engine
                .1
                .ask("", &case.text, answer_kind.question(), watch, &mut |_| {})
                .map_err(|_| Stopped::Interrupted)?;
            engines.insert(0, engine);
            if answer.complete { Ok(answer) } else { Err(Stopped::Interrupted) }
        }
    }
}
