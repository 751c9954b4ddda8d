//! A judge for a game by rules of one's own: a count, then one position per line, as `solve` reads
//! it; who wins, or in how many plies, or the nimber, a line a case.

mod answer;
mod boards;
mod reach;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::io::BufRead;
use std::time::Duration;

use balpan::{EngineError, SplitMix, Stopped, Watch};
use balpan_games::{AnyGame, Board, FamilyRules, Lang, NoTextAnswer, RulesFile, TextEngine, TextError};

use super::input::Lines;
use super::{About, EveryCase, Judge, JudgeError, Played, Reference, Size, Survey};
use crate::said::Said;
use boards::{OnBoard, boards};

pub use answer::{Answer, Wanted};

/// A game by rules of one's own.
pub struct OwnGame {
    about: About,
    rules: RulesFile,
    wanted: Wanted,
    /// The game on each board, the smallest first, and the rules' own last.
    boards: Vec<Box<dyn OnBoard>>,
    /// All positions of the boards that have few of them, by their cells.
    listed: BTreeMap<usize, Vec<Case>>,
    /// The rules' own start, if it is asked about.
    start: Option<Case>,
}

impl fmt::Debug for OwnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnGame").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// A position that play can reach.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// As the game writes it.
    pub text: String,
    /// Which board it is on.
    board: usize,
    /// Tiles, free cells or tokens that are left.
    cells: usize,
}

/// Why there is no such judge.
#[derive(Debug, thiserror::Error)]
pub enum NoOwnGame {
    /// The rules are not as they should be.
    #[error(transparent)]
    Text(#[from] TextError),
    /// There is no answer of this kind.
    #[error(transparent)]
    NoAnswer(#[from] EngineError),
}

impl From<NoTextAnswer> for NoOwnGame {
    fn from(error: NoTextAnswer) -> Self {
        match error {
            NoTextAnswer::Text(error) => Self::Text(error),
            NoTextAnswer::NoAnswer(error) => Self::NoAnswer(error),
        }
    }
}

/// Boards are listed, the smallest first, as long as they have no more positions in all.
const MOST_LISTED: usize = 4_000;

/// How long a program may take for one case: as long as for the block game.
const LIMIT: Duration = Duration::from_secs(5);

impl OwnGame {
    /// A judge of this game, on the rules' own board; and, with `smaller`, on all smaller ones,
    /// where the rules go with them.
    ///
    /// Which positions are not too hard for exact answers is found out by solving some: no clock
    /// is read, so that it is the same on every machine.
    ///
    /// # Errors
    /// If the rules cannot be read, the game has no answers of this kind, or `watch` says stop.
    ///
    /// ```
    /// use balpan::Watch;
    /// use balpan_contest::{OwnGame, answer_all, own};
    /// use balpan_games::RulesFile;
    ///
    /// let rules = RulesFile::parse("row", "family = \"lines\"\nboard = \"2x3\"\nk = 2\n")?;
    /// let judge = OwnGame::new(rules, own::Wanted::Value, true, &Watch::default())?;
    /// let mut output = Vec::new();
    /// answer_all(&judge, "2\nX.O/...\n.../...\n".as_bytes(), &mut output, &Watch::default())?;
    /// assert_eq!(output, b"win 1\nwin 3\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(rules: RulesFile, wanted: Wanted, smaller: bool, watch: &Watch) -> Result<Self, NoOwnGame> {
        let boards = boards(&rules, smaller)?;
        let (listed, whole) = listed(&boards);
        let own = boards.len() - 1;
        let all_listed = whole == boards.len();
        let small = listed.keys().next_back().copied().unwrap_or(0);
        let (start, cells) = boards[own].start();
        let most = if all_listed { small } else { reach::reach(&*boards[own], wanted, small, watch)? };
        if all_listed {
            // Whether there are such answers at all.
            boards[own].maker()().ask("", &start, wanted.question(), watch, &mut |_| {})?;
        }
        let of = match boards[own].size() {
            None => Said::new("tokens", "돌"),
            Some(_) if matches!(rules.game()?.rules(), FamilyRules::Walkers(_)) => Said::new("tiles", "발판"),
            Some(_) => Said::new("free cells", "빈칸"),
        };
        let disguises = (!all_listed).then(|| match boards[whole].size() {
            Some(board) if whole < own => {
                Said::of(format!("boards from {board} on"), format!("{board}부터의 더 큰 판의 국면"))
            }
            Some(board) => Said::of(format!("boards of {board}"), format!("{board} 판의 국면")),
            None => Said::new("sums of as many heaps as at the start", "처음만큼 더미가 많은 국면"),
        });
        let about = About {
            name: Cow::Owned(format!("game:{}", rules.name)),
            game: Cow::Owned(rules.name.clone()),
            source: Cow::Owned(rules.name.clone()),
            most_cases: None,
            limit: LIMIT,
            answers_are_lines: true,
            cells: of,
            most_cells: most.max(small),
            is_all: all_listed || most >= cells,
            small,
            disguises,
            features: &[],
            problem: None,
        };
        let start = (!all_listed && most >= cells).then_some(Case { text: start, board: own, cells });
        Ok(Self { about, rules, wanted, boards, listed, start })
    }

    /// The number of the board that the text is a position on, and the position.
    fn case(&self, text: &str) -> Result<Case, TextError> {
        let size = self.rules.game_at(text)?.board();
        let board = self.boards.iter().position(|on| on.size() == size).unwrap_or(self.boards.len() - 1);
        let (text, cells) = self.boards[board].read(text)?;
        Ok(Case { text, board, cells })
    }
}

/// All positions of the boards that have few; how many boards these are.
fn listed(boards: &[Box<dyn OnBoard>]) -> (BTreeMap<usize, Vec<Case>>, usize) {
    let mut listed: BTreeMap<usize, Vec<Case>> = BTreeMap::new();
    let mut room = MOST_LISTED;
    for (board, on) in boards.iter().enumerate() {
        let Some(every) = on.every(room) else { return (listed, board) };
        room -= every.len();
        for (text, cells) in every {
            listed.entry(cells).or_default().push(Case { text, board, cells });
        }
    }
    (listed, boards.len())
}

/// Engines that are kept at a time.
const MOST_ENGINES: usize = 8;

impl Judge for OwnGame {
    type Case = Case;
    type Answer = Answer;

    fn about(&self) -> &About {
        &self.about
    }

    fn read<R: BufRead>(&self, input: R) -> impl Iterator<Item = Result<Case, JudgeError>> {
        let mut lines = Some(Lines::new(input));
        let mut left = None;
        std::iter::from_fn(move || {
            let case = self.next(lines.as_mut()?, &mut left).transpose();
            if !matches!(case, Some(Ok(_))) {
                lines = None;
            }
            case
        })
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
        Answer::read(self.wanted, line)
    }

    fn reference<'w>(&self, watch: &'w Watch) -> Reference<'w, Self> {
        let mut asked = self.asked(watch);
        let wanted = self.wanted;
        Box::new(move |case| Answer::of(wanted, &asked(case)?).ok_or(Stopped::Interrupted))
    }

    fn size(&self, case: &Case) -> Size {
        Size { cells: case.cells, board: self.boards[case.board].size().map_or(case.cells, Board::cells) }
    }

    fn of_size(&self, cells: usize) -> EveryCase<Self> {
        let listed = self.listed.get(&cells).cloned().unwrap_or_default();
        Box::new(listed.into_iter().chain(self.start.clone().filter(|start| start.cells == cells)))
    }

    /// The positions after a move.
    fn smaller(&self, case: &Case) -> Vec<Case> {
        let after = self.boards[case.board].after(&case.text);
        after.into_iter().map(|(text, cells)| Case { text, board: case.board, cells }).collect()
    }

    /// By random play, half of the time on the rules' own board.
    fn random(&self, random: &mut SplitMix, most: usize) -> Case {
        /// So often play may end before so few cells are left.
        const TRIES: usize = 100;
        let own = self.boards.len() - 1;
        for _ in 0..TRIES {
            let board = if random.below(2) == 0 { own } else { random.below(own + 1) };
            // More likely many than few.
            let left = random.below(most + 1).max(random.below(most + 1));
            let (text, cells) = self.boards[board].played(left, random);
            if cells <= most {
                return Case { text, board, cells };
            }
        }
        // Where play hardly ever comes as far, the smallest there is.
        let smallest = self.listed.values().flatten().next().or(self.start.as_ref()).cloned();
        smallest.unwrap_or_else(|| {
            let (text, cells) = self.boards[0].start();
            Case { text, board: 0, cells }
        })
    }

    fn survey<'w>(&self, watch: &'w Watch) -> Survey<'w, Self> {
        let mut asked = self.asked(watch);
        Box::new(move |case| Ok(Played { plies: asked(case)?.line.len(), features: Vec::new() }))
    }

    fn game(&self, case: &Case) -> AnyGame {
        let game = self.rules.game_at(&case.text);
        game.unwrap_or_else(|e| unreachable!("a case is a position of its game: {e}"))
    }
}

impl OwnGame {
    /// The next case, if the count says that there is one.
    fn next<R: BufRead>(&self, lines: &mut Lines<R>, left: &mut Option<u64>) -> Result<Option<Case>, JudgeError> {
        let error = |line, column: usize, found: String, expected: String| JudgeError::Input {
            line,
            column: column as u64 + 1,
            found,
            expected,
        };
        let mut next = |expected: &str| match lines.next()? {
            Some(line) => {
                let text = String::from_utf8_lossy(line).into_owned();
                Ok(Some((text, lines.number)))
            }
            None if expected.is_empty() => Ok(None),
            None => Err(error(lines.number, 0, "the end of the input".to_owned(), expected.to_owned())),
        };
        let many = match *left {
            Some(many) => many,
            None => {
                let Some((text, line)) = next("the number of cases")? else { return Ok(None) };
                let many = text.trim().parse();
                many.map_err(|_| {
                    error(line, 0, format!("`{}`", text.trim().escape_debug()), "the number of cases".to_owned())
                })?
            }
        };
        if many == 0 {
            let expected = "nothing after the last case, as the count says";
            return match next("")? {
                None => Ok(None),
                Some((text, line)) => {
                    Err(error(line, 0, format!("`{}`", text.trim().escape_debug()), expected.to_owned()))
                }
            };
        }
        *left = Some(many - 1);
        let Some((text, line)) = next("a position")? else { return Ok(None) };
        let text = text.trim_end_matches(['\n', '\r']);
        self.case(text).map(Some).map_err(|e| {
            let words = e.words(Lang::En);
            error(line, e.span.start, words.message, words.help)
        })
    }

    /// Answers cases in text; an engine for each board is kept as long as there are few.
    fn asked<'w>(&self, watch: &'w Watch) -> impl FnMut(&Case) -> Result<balpan_games::Answer, Stopped> + 'w {
        let games: Vec<_> = self.boards.iter().map(|on| on.maker()).collect();
        let wanted = self.wanted;
        let mut engines: Vec<(usize, Box<dyn TextEngine>)> = Vec::new();
        move |case| {
            let mut engine = match engines.iter().position(|(board, _)| *board == case.board) {
                Some(at) => engines.remove(at),
                None => (case.board, games[case.board]()),
            };
            engines.truncate(MOST_ENGINES - 1);
            // What else can be missing was found out with the start.
            let answer = engine
                .1
                .ask("", &case.text, wanted.question(), watch, &mut |_| {})
                .map_err(|_| Stopped::Interrupted)?;
            engines.insert(0, engine);
            if answer.complete { Ok(answer) } else { Err(Stopped::Interrupted) }
        }
    }
}
