//! Puzzles as text, for JSON and for pictures.

use balpan::Outcome;
use balpan_games::{AnyGame, Notation, line_texts};
use balpan_pictures::puzzle::{self as sheet, Level};
use balpan_pictures::words::{Lang, puzzle as words};
use serde::{Serialize, Serializer};

use super::rank::{Rank, signs};
use super::{Examined, Found, Label, Puzzle, Wrong, difficulty};

/// Wrong moves that a sheet's answer tells of.
const MOST_WRONG: usize = 3;

/// Puzzles of a game. As JSON, the field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Puzzles {
    /// What the game is called.
    pub game: String,
    /// Its board's size, if it is played on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// Rules that its name does not tell, `misere=true`, as a rules file has them; whoever
    /// knows them adds them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// Whether all positions that play can reach from the start were looked at, up to
    /// symmetry.
    pub exhaustive: bool,
    /// Where puzzles were looked for.
    pub search: Examined,
    /// How many positions were looked at.
    pub tried: u64,
    /// See [`Found::left_out`].
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
    pub to_move: &'static str,
    /// The winning move.
    #[serde(rename = "move")]
    pub winning: String,
    /// Plies to the win.
    pub remoteness: u32,
    /// Every move, in the game's order.
    pub moves: Vec<MoveReport>,
    /// Best moves to the end.
    pub line: Vec<String>,
    /// How good a puzzle it is.
    pub rank: Rank,
    /// How hard it is for people: [`super::Difficulty::points`].
    pub difficulty: u32,
    /// The same in a word: [`super::Difficulty::level`].
    #[serde(serialize_with = "difficulty::in_words")]
    pub level: Level,
    /// See [`super::Difficulty::alike`].
    pub alike: u32,
    /// See [`super::Difficulty::deepest`].
    pub deepest: u32,
    /// Why it needs no thought, if it needs none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Label>,
}

/// What a move is worth to the player who makes it, and what speaks for a wrong one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveReport {
    /// The move's text.
    #[serde(rename = "move")]
    pub text: String,
    /// Whether that player wins.
    #[serde(serialize_with = "in_words")]
    pub outcome: Outcome,
    /// Plies to the end, the move's own among them; `None` for a draw.
    pub remoteness: Option<u32>,
    /// See [`Wrong::late`]; false for the winning move.
    pub late: bool,
    /// See [`Wrong::natural`]; false for the winning move.
    pub natural: bool,
    /// See [`Wrong::only_reply`].
    pub only_reply: Option<String>,
}

impl MoveReport {
    /// How many signs speak for the move.
    #[must_use]
    pub fn signs(&self) -> u32 {
        signs(self.late, self.natural, self.only_reply.is_some())
    }

    /// What comes of a wrong move, in words: `loses in 4 (only 1,1 refutes it)`.
    #[must_use]
    pub fn why(&self, lang: Lang) -> String {
        words::why(lang, self.outcome, self.remoteness, self.only_reply.as_deref())
    }
}

impl PuzzleReport {
    /// The task in words: `A to move, win in 15`; `win in 7` where players have no name;
    /// and what no board shows, the pieces that were placed.
    #[must_use]
    pub fn task(&self, lang: Lang) -> String {
        let task = words::task(lang, self.to_move, self.remoteness);
        let used = self.position.split(' ').find_map(|word| word.strip_prefix('-'));
        used.iter().fold(task, |task, used| format!("{task}, {}", words::placed(lang, used)))
    }

    /// How hard it is, or why it needs no thought, in words.
    #[must_use]
    pub fn level(&self, lang: Lang) -> &'static str {
        match self.label {
            None => words::level(lang, self.level),
            Some(Label::Forced) => words::forced(lang),
            Some(Label::AtOnce) => words::at_once(lang),
        }
    }

    /// What becomes of the most tempting wrong moves, at most `most`, and of the others.
    #[must_use]
    pub fn failures(&self, lang: Lang, most: usize) -> Vec<String> {
        let wrong = self.wrong();
        let mut told: Vec<_> = wrong.iter().take(most).map(|mv| format!("{} {}", mv.text, mv.why(lang))).collect();
        let others = &wrong[told.len()..];
        let draws = others.iter().filter(|mv| mv.outcome == Outcome::Draw).count();
        let rest = [(draws, true), (others.len() - draws, false)].into_iter().filter(|(many, _)| *many > 0);
        told.extend(rest.map(|(many, draws)| words::more(lang, many, draws)));
        told
    }

    /// The puzzle as sheets have it.
    fn on_sheets(&self, lang: Lang) -> sheet::Puzzle {
        sheet::Puzzle {
            position: self.position.clone(),
            to_move: self.to_move,
            task: self.task(lang),
            level: self.level(lang).to_owned(),
            winning: self.winning.clone(),
            line: self.line.clone(),
            failures: (0..=MOST_WRONG).rev().map(|most| self.failures(lang, most)).collect(),
        }
    }

    /// The moves that do not win, the most tempting first.
    #[must_use]
    pub fn wrong(&self) -> Vec<&MoveReport> {
        let mut wrong: Vec<_> = self.moves.iter().filter(|mv| mv.outcome != Outcome::Win).collect();
        wrong.sort_by_key(|mv| std::cmp::Reverse((mv.signs(), mv.outcome, mv.remoteness)));
        wrong
    }

    fn new<G: Notation>(game: &G, puzzle: &Puzzle<G::Position, G::Move>) -> Self {
        let Puzzle { position, solution, winning, wrong, rank, difficulty } = puzzle;
        let moves = solution.moves.iter().map(|&(mv, verdict)| {
            let signs: Option<&Wrong<_>> = wrong.iter().find(|wrong| wrong.mv == mv);
            let after = game.play(position, mv);
            MoveReport {
                text: game.move_text(position, mv),
                outcome: verdict.outcome,
                remoteness: verdict.remoteness,
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
            moves: moves.collect(),
            line: line_texts(game, position, &solution.line),
            rank: *rank,
            difficulty: difficulty.points,
            level: difficulty.level(),
            alike: difficulty.alike,
            deepest: difficulty.deepest,
            label: difficulty.label,
        }
    }
}

impl Puzzles {
    /// What stands above them: the game, on a board of this size, and its rules.
    #[must_use]
    pub fn title(&self, size: &str) -> String {
        self.rules.iter().fold(format!("{} {size}", self.game), |title, rule| title + ", " + rule)
    }

    /// The puzzles of this game as sheets have them.
    #[must_use]
    pub fn on_sheets(&self, game: &AnyGame, lang: Lang) -> sheet::Puzzles {
        let puzzles = self.puzzles.iter().map(|puzzle| puzzle.on_sheets(lang)).collect();
        sheet::Puzzles { title: self.title(&game.size()), lang, puzzles }
    }

    /// What was found in a game, as text; `name` is what the game is called.
    #[must_use]
    pub fn new<G: Notation>(game: &G, name: &str, found: &Found<G::Position, G::Move>) -> Self {
        Self {
            game: name.to_owned(),
            board: game.board().map(|board| board.to_string()),
            rules: Vec::new(),
            exhaustive: found.search == Examined::Everywhere,
            search: found.search,
            tried: found.tried,
            left_out: found.left_out,
            puzzles: found.puzzles.iter().map(|puzzle| PuzzleReport::new(game, puzzle)).collect(),
        }
    }
}

fn in_words<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(outcome)
}
