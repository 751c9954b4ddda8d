//! A game between two programs, or between a program and another player, over lines of text.
//!
//! The referee sends each program its side and the moves of the other, asks it for a move with the position and the legal moves, and tells
//! it the result. `docs/playing.md` has the protocol.

use std::time::{Duration, Instant};

use balpan::{Game, Outcome, Value, Watch};
use balpan_games::{DynPosition, ErasedGame, Notation, PlayerName, Record};
use serde::Serialize;

use crate::program::{Session, Silence};

/// How often a position comes before the game is a draw.
pub const MAX_OCCURRENCES: usize = 3;

/// How long a program may take to end after the game, before it is killed.
pub const END_GRACE: Duration = Duration::from_secs(1);

/// A game in progress.
#[derive(Debug)]
pub struct Referee<'g> {
    game: &'g ErasedGame,
    players: [PlayerName; 2],
    moves: Vec<PlayedMove>,
    /// The first position and the position after each move, with the index of the player to move there.
    positions: Vec<(DynPosition, usize)>,
}

/// A move that was made. The JSON field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayedMove {
    /// The index of the player.
    pub player: usize,
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The seconds that the player took.
    pub seconds: f64,
}

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules, with this value for the player to move.
    Rules(Value),
    /// A position has come [`MAX_OCCURRENCES`] times, which is a draw.
    Repetition,
    /// After [`Record::MAX_MOVES`] moves, without a result.
    MoveLimit,
}

/// Why a program has lost on the spot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayFault {
    /// It wrote a line that is no legal move.
    IllegalMove(String),
    /// It wrote none.
    Silence(Silence),
}

impl PlayFault {
    /// Returns the name of the kind, which is part of the command's contract.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::IllegalMove(_) => "illegal_move",
            Self::Silence(Silence::TimeLimit) => "time_limit",
            Self::Silence(Silence::Exited(_)) => "exit_code",
            Self::Silence(Silence::Killed(_)) => "signal",
            Self::Silence(Silence::Closed) => "closed",
            Self::Silence(Silence::LineLimit) => "line_limit",
            Self::Silence(Silence::Stopped) => "stopped",
        }
    }
}

impl<'g> Referee<'g> {
    /// Begins a game at the game's start.
    #[must_use]
    pub fn new(game: &'g ErasedGame) -> Self {
        let start = game.start();
        Self { game, players: game.players(&start), moves: Vec::new(), positions: vec![(start, 0)] }
    }

    /// Returns the game.
    #[must_use]
    pub const fn game(&self) -> &'g ErasedGame {
        self.game
    }

    /// Returns the names of the players, the one who begins first.
    #[must_use]
    pub const fn players(&self) -> [PlayerName; 2] {
        self.players
    }

    /// Returns the position.
    #[must_use]
    pub fn position(&self) -> &DynPosition {
        &self.positions[self.moves.len()].0
    }

    /// Returns the index of the player to move.
    #[must_use]
    pub fn to_move(&self) -> usize {
        self.positions[self.moves.len()].1
    }

    /// Returns the moves that were made.
    #[must_use]
    pub fn moves(&self) -> &[PlayedMove] {
        &self.moves
    }

    /// Whether a position has been on the board.
    #[must_use]
    pub fn has_been(&self, position: &DynPosition) -> bool {
        self.positions.iter().any(|(before, _)| before == position)
    }

    /// Returns how the game has ended, if it is over.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        let now = &self.positions[self.moves.len()];
        if self.game.is_over(&now.0) {
            return Some(Ending::Rules(self.game.end_value(&now.0)));
        }
        let times = || self.positions.iter().filter(|before| *before == now).count();
        if self.game.may_repeat() && times() >= MAX_OCCURRENCES {
            return Some(Ending::Repetition);
        }
        (self.moves.len() >= Record::MAX_MOVES).then_some(Ending::MoveLimit)
    }

    /// Returns the index of the winner, if there is one, of a game that ends like this.
    #[must_use]
    pub fn winner(&self, ending: Ending) -> Option<usize> {
        match ending {
            Ending::Rules(value) => match value.outcome() {
                Outcome::Win => Some(self.to_move()),
                Outcome::Loss => Some(1 - self.to_move()),
                Outcome::Draw => None,
            },
            Ending::Repetition | Ending::MoveLimit => None,
        }
    }

    /// Makes a move, which took this long. Returns its text.
    pub fn make(&mut self, mv: u32, time: Duration) -> &str {
        let (position, player) = &self.positions[self.moves.len()];
        let after = self.game.play(position, mv);
        let next = self.game.turn(position, mv, &after).next_player(*player);
        let text = self.game.move_text(position, mv);
        self.moves.push(PlayedMove { player: *player, text, seconds: time.as_secs_f64() });
        self.positions.push((after, next));
        &self.moves[self.moves.len() - 1].text
    }

    /// Tells a program the game and its side, at the beginning.
    pub fn greet(&self, session: &Session, name: &str, player: usize) {
        let side = ["first", "second"][player];
        session.send(format!("game {name}\nyou {side} {}\n", self.players[player]));
    }

    /// Asks a program for its move.
    ///
    /// # Errors
    /// Why there is none.
    pub fn ask(&self, session: &mut Session, time: Duration, watch: &Watch) -> Result<(u32, Duration), PlayFault> {
        let (game, position) = (self.game, self.position());
        let moves: Vec<_> = game.moves(position).map(|mv| (game.move_text(position, mv), mv)).collect();
        let texts: Vec<_> = moves.iter().map(|(text, _)| text.as_str()).collect();
        session.send(format!("position {}\nmoves {}\ngo\n", game.text(position), texts.join(" ")));
        let begin = Instant::now();
        let line = session.read_line(time, watch).map_err(PlayFault::Silence)?;
        match moves.into_iter().find(|(text, _)| *text == line) {
            Some((_, mv)) => Ok((mv, begin.elapsed())),
            None => Err(PlayFault::IllegalMove(line)),
        }
    }

    /// Tells a program a move of the other.
    pub fn tell_move(&self, session: &Session, text: &str) {
        session.send(format!("played {text}\n"));
    }

    /// Tells a program the result, closes its input and waits for its end. Returns the last lines of its standard error.
    pub fn dismiss(session: Session, player: usize, winner: Option<usize>) -> String {
        let result = winner.map_or("draw", |winner| if winner == player { "win" } else { "loss" });
        session.send(format!("end {result}\n"));
        session.finish(END_GRACE)
    }

    /// Returns the record of the game.
    #[must_use]
    pub fn record(&self) -> Record {
        let (last, _) = &self.positions[self.moves.len()];
        Record {
            players: self.players,
            turns: self.positions.iter().map(|(_, player)| *player).collect(),
            has_scores: self.game.max_score() > 0,
            moves: self.moves.iter().map(|mv| mv.text.clone()).collect(),
            positions: self.positions.iter().map(|(position, _)| self.game.text(position)).collect(),
            end: self.game.is_over(last).then(|| self.game.end_value(last)),
        }
    }
}
