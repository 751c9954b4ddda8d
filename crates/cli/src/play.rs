//! `balpan play`: a game against the perfect player, in the terminal.

mod input;

use std::io::{IsTerminal, StdinLock, stdin};

use balpan::{Game, Outcome, Turn, Value, Verdict};
use balpan_games::{DynPosition, ErasedGame, Notation, PlayerName, ReportedValue};
use input::{Command, Input, InputLines, excerpt, parse_input};

use crate::answer::moves_by_verdict;
use crate::args::PlayArgs;
use crate::draw::{self, PLAYERS, filled};
use crate::error::{CliError, harmless, print};
use crate::load::LoadedGame;
use crate::progress::clear_stop_cause;
use crate::review::{PositionSolver, Solved};
use crate::words::answer::{self, Player};
use crate::words::{common, lang, play as words};

pub(crate) fn run(args: &PlayArgs) -> Result<(), CliError> {
    let loaded = LoadedGame::load(&args.game)?;
    let solver = PositionSolver::new(&loaded, &args.strong, args.game.memory, args.deadline)?;
    let game = &loaded.game.erased();
    let start = game.start();
    let players = game.players(&start);
    let reader = parse_side(&args.side, players)?;
    let stdin = stdin();
    let lines = InputLines::new(stdin.lock(), !stdin.is_terminal());
    Match { game, solver, players, reader, hints: args.hints, start, history: Vec::new(), lines }.play()
}

/// A game in progress between the reader and the perfect player.
struct Match<'a> {
    game: &'a ErasedGame,
    solver: PositionSolver,
    players: [PlayerName; 2],
    /// The reader's index in `players`.
    reader: usize,
    /// Whether the best moves are shown at every turn of the reader.
    hints: bool,
    start: DynPosition,
    /// The moves played.
    history: Vec<Played>,
    lines: InputLines<StdinLock<'static>>,
}

/// A move that was played, with the position that it led to and the index of the player to move there.
struct Played {
    mv: u32,
    after: DynPosition,
    to_move: usize,
}

/// The times that a position comes before the game is a draw.
const MAX_OCCURRENCES: usize = 3;

impl Match<'_> {
    fn play(mut self) -> Result<(), CliError> {
        print(&self.opening())?;
        while let Some(first) = self.first_move() {
            match &self.same_before()[..] {
                [] => {}
                plies if plies.len() + 1 >= MAX_OCCURRENCES => break,
                plies => print(&format!(
                    "\n{}",
                    filled(&words::came_back(lang(), self.history.len() - plies[plies.len() - 1]))
                ))?,
            }
            if self.to_move() != self.reader {
                self.reply(first)?;
            } else if !self.readers_turn()? {
                return print(&self.farewell());
            }
        }
        self.finish()
    }

    fn position_at(&self, ply: usize) -> &DynPosition {
        match ply.checked_sub(1) {
            Some(last) => &self.history[last].after,
            None => &self.start,
        }
    }

    fn position(&self) -> &DynPosition {
        self.position_at(self.history.len())
    }

    fn to_move_at(&self, ply: usize) -> usize {
        ply.checked_sub(1).map_or(0, |last| self.history[last].to_move)
    }

    fn to_move(&self) -> usize {
        self.to_move_at(self.history.len())
    }

    /// Whose turn it is after the move of this ply.
    fn turn_after(&self, ply: usize) -> Turn {
        if self.to_move_at(ply) == self.to_move_at(ply + 1) { Turn::Kept } else { Turn::Passes }
    }

    /// Returns the plies after which the same player was to move in the same position as now.
    fn same_before(&self) -> Vec<usize> {
        let now = self.history.len();
        let is_same =
            |ply: &usize| self.position_at(*ply) == self.position() && self.to_move_at(*ply) == self.to_move();
        if self.game.may_repeat() { (0..now).filter(is_same).collect() } else { Vec::new() }
    }

    fn player(&self, player: usize) -> Player {
        Player::new(lang(), self.players[player], player)
    }

    /// Returns the winner by the outcome for the player `mover`.
    fn winner(&self, outcome: Outcome, mover: usize) -> Option<Player> {
        match outcome {
            Outcome::Draw => None,
            Outcome::Win => Some(self.player(mover)),
            Outcome::Loss => Some(self.player(1 - mover)),
        }
    }

    /// Returns the first legal move; `None` at the end of the game.
    fn first_move(&self) -> Option<u32> {
        self.game.moves(self.position()).next()
    }

    fn make(&mut self, mv: u32) {
        let after = self.game.play(self.position(), mv);
        let to_move = self.game.turn(self.position(), mv, &after).next_player(self.to_move());
        self.history.push(Played { mv, after, to_move });
    }

    /// Solves the position after `ply` plies, which must have a move.
    fn answer_at(&mut self, ply: usize) -> Result<std::rc::Rc<Solved>, CliError> {
        let text = self.game.text(self.position_at(ply));
        self.solver.solve(&text)
    }

    fn opening(&self) -> String {
        let Self { game, reader, .. } = self;
        let name = self.solver.name();
        let title = filled(&words::title(lang(), name, &game.size(), &self.player(*reader).plain(lang())));
        match game.moves(&self.start).next() {
            None => title,
            Some(mv) => {
                let example = game.move_text(&self.start, mv);
                title + &filled(&words::how_to(lang(), &example))
            }
        }
    }

    fn board(&self) -> String {
        let cells = match self.history.last() {
            Some(&Played { mv, .. }) => self.game.move_cells(self.position_at(self.history.len() - 1), mv),
            None => 0,
        };
        format!("\n{}\n", draw::marked(self.game, self.position(), cells))
    }

    /// Plays a best move; `first` is the first legal move.
    fn reply(&mut self, first: u32) -> Result<(), CliError> {
        let answer = self.answer_at(self.history.len())?;
        let (game, position) = (self.game, self.position());
        let Verdict { outcome, remoteness, score } = answer.verdict;
        let has_been = |after: &DynPosition| (0..=self.history.len()).any(|ply| self.position_at(ply) == after);
        let mv = best_move(game, position, &answer, has_been).unwrap_or(first);
        let mut played = words::plays(lang(), &self.player(self.to_move()), &game.move_text(position, mv));
        let mover = self.to_move();
        self.make(mv);
        if game.is_over(self.position()) {
            return print(&format!("\n{}", filled(&capital(&format!("{played}.")))));
        }
        if self.to_move() == mover {
            played += words::moves_again(lang());
        }
        let winner = self.winner(outcome, mover);
        let remoteness = remoteness.map(|plies| plies.saturating_sub(1));
        let outlook = words::outlook(lang(), winner.as_ref(), Verdict { outcome, remoteness, score });
        print(&format!("\n{}", filled(&capital(&format!("{played}: {outlook}.")))))
    }

    /// Shows the board and handles input until the reader moves, takes a move back, or quits. Returns
    /// whether the game continues.
    fn readers_turn(&mut self) -> Result<bool, CliError> {
        print(&self.board())?;
        if self.hints {
            self.on_request(Self::hint)?;
        }
        let (game, position) = (self.game, self.position().clone());
        let moves: Vec<u32> = game.moves(&position).collect();
        let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
        let style = PLAYERS[self.reader];
        let name = capital(self.players[self.reader].as_str());
        let is_again = self.history.len().checked_sub(1).is_some_and(|last| self.to_move_at(last) == self.reader);
        let prompt = words::prompt(lang(), &name, &self.player(self.reader), is_again);
        let prompt = format!("{style}{prompt}{style:#} ");
        loop {
            print(&prompt)?;
            let Some(line) = self.lines.next()? else {
                print("\n")?;
                return Ok(false);
            };
            if let Some(echo) = self.lines.echo(&line) {
                print(&echo)?;
            }
            match parse_input(&line, &texts) {
                Input::Blank => {}
                Input::Move(n) => {
                    self.make(moves[n]);
                    return Ok(true);
                }
                Input::Command(Command::Undo) => {
                    let back = (0..self.history.len()).rev().find(|ply| self.to_move_at(*ply) == self.reader);
                    if let Some(ply) = back {
                        self.history.truncate(ply);
                        return Ok(true);
                    }
                    print(&format!("{}\n", words::nothing_to_undo(lang())))?;
                }
                Input::Command(Command::Hint) => self.on_request(Self::hint)?,
                Input::Command(Command::Moves) => self.on_request(Self::print_moves)?,
                Input::Command(Command::Help) => {
                    print(&words::help(lang(), texts.first().map_or("", String::as_str)))?;
                }
                Input::Command(Command::Quit) => return Ok(false),
                Input::IllegalMove => print(&self.no_such_move(&line, &texts))?,
                Input::Unreadable(found) => {
                    let example = texts.first().map_or("", String::as_str);
                    print(&filled(&words::unreadable(lang(), &found, example)))?;
                }
            }
        }
    }

    /// Answers a request of the reader. If it is interrupted or its time ends, the game continues.
    fn on_request(&mut self, answer: fn(&mut Self) -> Result<(), CliError>) -> Result<(), CliError> {
        match answer(self) {
            Err(CliError::Stopped) => {
                clear_stop_cause();
                print(&format!("{}\n", words::interrupted(lang())))
            }
            other => other,
        }
    }

    fn hint(&mut self) -> Result<(), CliError> {
        let solved = self.answer_at(self.history.len())?;
        let answer = &solved.answer;
        let best = answer.moves.iter().filter(|mv| answer.is_best(mv));
        let best: Vec<_> = best.map(|mv| (mv.text.clone(), mv.verdict())).collect();
        print(&moves_by_verdict(&best, Some(solved.verdict), &|of| answer::worth(lang(), of, false), usize::MAX))
    }

    fn print_moves(&mut self) -> Result<(), CliError> {
        let solved = self.answer_at(self.history.len())?;
        let all = self.game.moves(self.position()).count();
        let moves: Vec<_> = solved.answer.moves.iter().map(|mv| (mv.text.clone(), mv.verdict())).collect();
        let heading = answer::moves(lang(), &self.player(self.reader), solved.answer.outcome, moves.len(), all);
        let moves = moves_by_verdict(&moves, Some(solved.verdict), &|of| answer::worth(lang(), of, false), usize::MAX);
        print(&format!("\n{heading}\n\n{moves}\n"))
    }

    fn no_such_move(&self, found: &str, texts: &[String]) -> String {
        const MAX_EXAMPLES: usize = 6;
        let examples = texts.iter().take(MAX_EXAMPLES).map(String::as_str).collect::<Vec<_>>().join("; ");
        let more = texts.len().checked_sub(MAX_EXAMPLES).filter(|more| *more > 0);
        let more = more.map_or_else(String::new, |more| words::more_moves(lang(), more));
        filled(&words::no_such_move(lang(), &excerpt(found), &examples, &more))
    }

    /// Returns the message after `quit`, with the position to continue from.
    fn farewell(&self) -> String {
        // The rows of a large board are wrapped into several lines.
        let position = filled(&self.game.text(self.position()).replace('/', "/ "));
        let position = if position.lines().count() > 1 { position } else { position.replace("/ ", "/") };
        format!("{}\n{position}", words::farewell(lang(), &common::plies(lang(), self.history.len() as u64)))
    }

    fn finish(&mut self) -> Result<(), CliError> {
        let is_over = self.game.is_over(self.position());
        let end = Verdict::from(if is_over { self.game.end_value(self.position()) } else { Value::DRAW });
        let winner = self.winner(end.outcome, self.to_move());
        let mut over = words::result(lang(), winner.as_ref(), end, self.history.len());
        if !is_over {
            over = format!("{} {over}", words::came_often(lang(), MAX_OCCURRENCES));
        }
        print(&format!("{}{}", self.board(), filled(&over)))?;
        match self.review() {
            Ok(review) => print(&filled(&review)),
            Err(CliError::Stopped) => {
                clear_stop_cause();
                print(&format!("{}\n", words::no_review(lang())))
            }
            Err(error) => Err(error),
        }
    }
}

/// Returns the perfect player's move. Where play may repeat, positions that have not been there before come first.
pub(crate) fn best_move(
    game: &ErasedGame,
    position: &DynPosition,
    solved: &Solved,
    has_been: impl Fn(&DynPosition) -> bool,
) -> Option<u32> {
    let is_best = |mv: &u32| solved.answer.best.contains(&game.move_text(position, *mv));
    let is_old = |mv: &u32| game.may_repeat() && has_been(&game.play(position, *mv));
    let (old, new): (Vec<_>, Vec<_>) = game.moves(position).filter(is_best).partition(is_old);
    let mut best = new.into_iter().chain(old);
    let Verdict { outcome, remoteness, score } = solved.verdict;
    if outcome == Outcome::Loss && remoteness.is_none() && score.is_none() {
        // All moves lose in unknown plies: leave the most replies, to hide the winning one.
        best.min_by_key(|mv| std::cmp::Reverse(game.mobility(&game.play(position, *mv))))
    } else {
        best.next()
    }
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// Returns which player, 0 or 1, `--as` names: by turn (`first`, `second`) or by a name in `players`, the player to
/// move first.
pub(crate) fn parse_side(side: &str, players: [PlayerName; 2]) -> Result<usize, CliError> {
    const BY_TURN: [&str; 2] = ["first", "second"];
    let is = |name: &str| side.trim().eq_ignore_ascii_case(name);
    let player =
        [BY_TURN, players.map(PlayerName::as_str)].iter().find_map(|names| names.iter().position(|name| is(name)));
    player.ok_or_else(|| {
        let named = if players[0].is_by_turn() { String::new() } else { format!(", {}, {}", players[0], players[1]) };
        CliError::input(format!("--as: nobody is `{}` in this game", harmless(side)), format!("first, second{named}"))
    })
}

impl Match<'_> {
    /// Describes the first move that gave away a better outcome; if there is none, the first that gave away plies.
    fn review(&mut self) -> Result<String, CliError> {
        let mut turns = Vec::new();
        for ply in 0..self.history.len() {
            if self.to_move_at(ply) == self.reader {
                let after = self.value_at(ply + 1)?.across(self.turn_after(ply), 1);
                turns.push((ply, self.value_at(ply)?, after));
            }
        }
        let Some(&(_, at_first, _)) = turns.first() else {
            return Ok(String::new());
        };
        if let Some(&(ply, before, after)) = turns.iter().find(|(_, before, after)| after.outcome < before.outcome) {
            let (played, best) = (self.played_move(ply), self.best_move(ply)?);
            let outcomes = [before.outcome, after.outcome];
            return Ok(words::blunder(lang(), outcomes, (ply + 1, &played), (&best, before)));
        }
        let points = |(before, after): (ReportedValue, ReportedValue)| before.score.zip(after.score);
        if let Some(&(ply, before, after)) =
            turns.iter().find(|turn| points((turn.1, turn.2)).is_some_and(|(a, b)| a != b))
        {
            let (played, best) = (self.played_move(ply), self.best_move(ply)?);
            let lost = points((before, after)).map_or(0, |(before, after)| before.abs_diff(after));
            return Ok(words::points_lost(lang(), lost, ply + 1, &played, &best));
        }
        let plies = |(before, after): (ReportedValue, ReportedValue)| before.remoteness.zip(after.remoteness);
        let slip =
            turns.iter().find(|(_, before, after)| plies((*before, *after)).is_some_and(|(one, two)| one != two));
        if let Some(&(ply, before, after)) = slip
            && let Some((best_plies, taken)) = plies((before, after))
        {
            let (played, best) = (self.played_move(ply), self.best_move(ply)?);
            let won = before.outcome == Outcome::Win;
            return Ok(words::slip(lang(), won, (ply + 1, &played), (taken, &best, best_plies)));
        }
        let all_known = turns.iter().all(|(_, before, after)| before.value().and(after.value()).is_some());
        let other = (at_first.outcome == Outcome::Loss).then(|| self.player(1 - self.reader));
        Ok(words::flawless(lang(), all_known, other.as_ref()))
    }

    /// Returns the value of the position after `ply` plies, from answers found before if possible.
    fn value_at(&mut self, ply: usize) -> Result<ReportedValue, CliError> {
        let position = self.position_at(ply);
        if self.game.is_over(position) {
            return Ok(self.game.end_value(position).into());
        }
        if let Some(solved) = self.solver.cached(&self.game.text(position)) {
            return Ok(solved.verdict.into());
        }
        // The perfect player's moves give nothing away.
        if let Some(before) = ply.checked_sub(1)
            && self.to_move_at(before) != self.reader
            && let Some(solved) = self.solver.cached(&self.game.text(self.position_at(before)))
        {
            return Ok(ReportedValue::from(solved.verdict).across(self.turn_after(before), -1));
        }
        Ok(self.answer_at(ply)?.verdict.into())
    }

    fn played_move(&self, ply: usize) -> String {
        self.game.move_text(self.position_at(ply), self.history[ply].mv)
    }

    fn best_move(&mut self, ply: usize) -> Result<String, CliError> {
        Ok(self.answer_at(ply)?.answer.best.first().cloned().unwrap_or_default())
    }
}
