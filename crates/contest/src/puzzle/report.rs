//! Reports of puzzles as text, for JSON and for sheets.

use balpan::{Outcome, Verdict};
use balpan_games::{AnyGame, Notation, PlayerName, ReportedValue, format_line};
use balpan_pictures::Lang;
use balpan_pictures::puzzle as sheet;
use serde::{Serialize, Serializer};

use super::ranking::{Difficulty, Label, Rank, WrongMove, signs};
use super::{Puzzle, PuzzleSet, SearchScope};

/// The most wrong moves in a sheet's answer.
const MAX_WRONG_MOVES: usize = 3;

/// The puzzles of a game. The field names in JSON are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Puzzles {
    /// The game's name.
    pub game: String,
    /// The board's size, if the game has a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// Rules that differ from the named game's, such as `misere=true`. The caller adds them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// Whether all positions that play can reach from the start were examined, up to symmetry.
    pub exhaustive: bool,
    /// The positions in which puzzles were looked for.
    pub search: SearchScope,
    /// The number of positions examined.
    pub tried: u64,
    /// See [`PuzzleSet::left_out`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<usize>,
    /// The puzzles, the best first.
    pub puzzles: Vec<PuzzleReport>,
}

/// A position with exactly one winning move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PuzzleReport {
    /// The position's text.
    pub position: String,
    /// The player to move, who wins.
    pub to_move: PlayerName,
    /// The winning move.
    #[serde(rename = "move")]
    pub winning: String,
    /// The plies to the win, or of the line to a score.
    pub remoteness: u32,
    /// The score, in a game with scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// All moves in the game's order.
    pub moves: Vec<MoveReport>,
    /// A best line to the end.
    pub line: Vec<String>,
    /// The quality of the puzzle.
    pub rank: Rank,
    /// The difficulty for people.
    #[serde(flatten)]
    pub difficulty: Difficulty,
}

/// A move with its value for the player who makes it, and the signs of a wrong one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveReport {
    /// The move's text.
    #[serde(rename = "move")]
    pub text: String,
    /// The outcome.
    #[serde(serialize_with = "serialize_outcome")]
    pub outcome: Outcome,
    /// The plies to the end, including the move's own; `None` for a draw or a score.
    pub remoteness: Option<u32>,
    /// The score, 0 for a draw; left out in a game without scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// See [`WrongMove::late`]; false for the winning move.
    pub late: bool,
    /// See [`WrongMove::natural`]; false for the winning move.
    pub natural: bool,
    /// See [`WrongMove::only_reply`].
    pub only_reply: Option<String>,
}

impl MoveReport {
    fn verdict(&self) -> Verdict {
        Verdict { outcome: self.outcome, remoteness: self.remoteness, score: self.score.filter(|score| *score != 0) }
    }
}

impl PuzzleReport {
    /// Describes the task: `A to move, win in 15`; `win in 7` if players have no names; with the pieces
    /// that were placed, which the board does not show.
    #[must_use]
    pub fn task(&self, lang: Lang) -> String {
        let task = sheet::task(lang, self.to_move, self.remoteness, self.score);
        let used = self.position.split(' ').find_map(|word| word.strip_prefix('-'));
        used.iter().fold(task, |task, used| format!("{task}, {}", sheet::placed(lang, used)))
    }

    /// Describes the difficulty, or why the puzzle needs no thought.
    #[must_use]
    pub fn level_text(&self, lang: Lang) -> &'static str {
        match self.difficulty.label {
            None => sheet::level(lang, self.difficulty.level),
            Some(Label::Forced) => sheet::forced(lang),
            Some(Label::AtOnce) => sheet::at_once(lang),
        }
    }

    /// Describes the results of the `max` most tempting wrong moves, and summarizes the others.
    #[must_use]
    pub fn failures(&self, lang: Lang, max: usize) -> Vec<String> {
        let why = |mv: &MoveReport| sheet::why(lang, mv.verdict(), mv.only_reply.as_deref());
        let mut wrong: Vec<_> = self.moves.iter().filter(|mv| mv.outcome != Outcome::Win).collect();
        wrong.sort_by_key(|mv| {
            let signs = signs(mv.late, mv.natural, mv.only_reply.is_some());
            std::cmp::Reverse((signs, mv.outcome, mv.remoteness, mv.score))
        });
        let mut failures: Vec<_> = wrong.iter().take(max).map(|mv| format!("{} {}", mv.text, why(mv))).collect();
        let others = &wrong[failures.len()..];
        let draws = others.iter().filter(|mv| mv.outcome == Outcome::Draw).count();
        let rest = [(draws, true), (others.len() - draws, false)].into_iter().filter(|(count, _)| *count > 0);
        failures.extend(rest.map(|(count, draws)| sheet::more(lang, count, draws)));
        failures
    }

    /// Converts the puzzle for sheets.
    fn to_sheet(&self, lang: Lang) -> sheet::Puzzle {
        sheet::Puzzle {
            position: self.position.clone(),
            to_move: self.to_move,
            task: self.task(lang),
            level: self.level_text(lang).to_owned(),
            winning: self.winning.clone(),
            line: self.line.clone(),
            failures: (0..=MAX_WRONG_MOVES).rev().map(|max| self.failures(lang, max)).collect(),
        }
    }

    fn new<G: Notation>(game: &G, puzzle: &Puzzle<G::Position, G::Move>) -> Self {
        let Puzzle { position, solution, winning, wrong, rank, difficulty } = puzzle;
        let moves = solution.moves.iter().map(|&(mv, verdict)| {
            let signs: Option<&WrongMove<_>> = wrong.iter().find(|wrong| wrong.mv == mv);
            let after = game.play(position, mv);
            MoveReport {
                text: game.move_text(position, mv),
                outcome: verdict.outcome,
                remoteness: verdict.remoteness,
                score: ReportedValue::from(verdict).with_score(game.max_score() > 0).score,
                late: signs.is_some_and(|wrong| wrong.late),
                natural: signs.is_some_and(|wrong| wrong.natural),
                only_reply: signs.and_then(|wrong| wrong.only_reply).map(|reply| game.move_text(&after, reply)),
            }
        });
        Self {
            position: game.text(position),
            to_move: game.players(position)[0],
            winning: game.move_text(position, *winning),
            remoteness: rank.plies,
            score: solution.verdict.score,
            moves: moves.collect(),
            line: format_line(game, position, &solution.line),
            rank: *rank,
            difficulty: *difficulty,
        }
    }
}

impl Puzzles {
    /// Returns the title: the game, the size of its board, and its rules.
    #[must_use]
    pub fn title(&self, size: &str) -> String {
        self.rules.iter().fold(format!("{} {size}", self.game), |title, rule| title + ", " + rule)
    }

    /// Converts the puzzles for sheets.
    #[must_use]
    pub fn to_sheets(&self, game: &AnyGame, lang: Lang) -> sheet::Puzzles {
        let puzzles = self.puzzles.iter().map(|puzzle| puzzle.to_sheet(lang)).collect();
        sheet::Puzzles { title: self.title(&game.size()), lang, puzzles }
    }

    /// Converts puzzles to text. `name` is the game's name in the report.
    #[must_use]
    pub fn new<G: Notation>(game: &G, name: &str, found: &PuzzleSet<G::Position, G::Move>) -> Self {
        Self {
            game: name.to_owned(),
            board: game.board().map(|board| board.to_string()),
            rules: Vec::new(),
            exhaustive: found.search == SearchScope::Everywhere,
            search: found.search,
            tried: found.tried,
            left_out: found.left_out,
            puzzles: found.puzzles.iter().map(|puzzle| PuzzleReport::new(game, puzzle)).collect(),
        }
    }
}

fn serialize_outcome<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(outcome)
}
