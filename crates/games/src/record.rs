//! Records of games: moves on one line or several, with or without move numbers.

use std::ops::Range;

use balpan::{Game, Value};

use crate::any::AnyGame;
use crate::erased::ErasedGame;
use crate::error::RecordError;
use crate::notation::{Notation, PlayerName};
use crate::text::{TextError, TextKind};

/// The record of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The player who begins, and the other.
    pub players: [PlayerName; 2],
    /// For each of the positions, the index in `players` of the player to move there.
    pub turns: Vec<usize>,
    /// Whether the game has [scores](balpan::Game::score).
    pub has_scores: bool,
    /// The moves, as [`Notation::move_text`] writes them.
    pub moves: Vec<String>,
    /// The first position and the position after each move.
    pub positions: Vec<String>,
    /// The value for the player to move in the last position, if the game has ended.
    pub end: Option<Value>,
}

impl Record {
    /// The largest number of moves in a record.
    pub const MAX_MOVES: usize = 256;

    /// Reads the moves played from the game's start, separated by blanks, line breaks or `;`. Move numbers
    /// (`1.`) are ignored, and so are lines that begin with `#` and a blank. If moves are one-digit column numbers, they
    /// need no separator.
    ///
    /// # Errors
    /// If a move is illegal: the first one and its place.
    pub fn read(game: &AnyGame, text: &str) -> Result<Self, TextError> {
        read(&game.erased(), text)
    }
}

/// Legal moves that an error about an illegal move names.
const MAX_NAMED_MOVES: usize = 8;

fn read(game: &ErasedGame, text: &str) -> Result<Record, TextError> {
    let error = |span, cause: RecordError| TextError {
        kind: TextKind::Record,
        text: text.to_owned(),
        span,
        cause: cause.into(),
    };
    let mut position = game.start();
    let players = game.players(&position);
    let (mut moves, mut turns, mut positions) = (Vec::new(), vec![0], vec![game.text(&position)]);
    for span in move_spans(text, has_digit_moves(game)) {
        let word = &text[span.clone()];
        let n = moves.len() as u32 + 1;
        if moves.len() == Record::MAX_MOVES {
            return Err(error(span, RecordError::TooLong { max: Record::MAX_MOVES }));
        }
        let Some(mv) = game.find_move(&position, word) else {
            if game.is_over(&position) {
                return Err(error(span, RecordError::AfterEnd { word: word.to_owned(), n }));
            }
            let mut moves = game.moves(&position).map(|mv| game.move_text(&position, mv));
            let legal = moves.by_ref().take(MAX_NAMED_MOVES).collect();
            let and_others = moves.next().is_some();
            return Err(error(span, RecordError::IllegalMove { word: word.to_owned(), n, legal, and_others }));
        };
        let after = game.play(&position, mv);
        turns.push(game.turn(&position, mv, &after).next_player(turns[moves.len()]));
        position = after;
        moves.push(word.to_owned());
        positions.push(game.text(&position));
    }
    let end = game.is_over(&position).then(|| game.end_value(&position));
    Ok(Record { players, turns, has_scores: game.max_score() > 0, moves, positions, end })
}

/// Whether every move is one digit: the number of a column.
fn has_digit_moves(game: &ErasedGame) -> bool {
    game.first_column() > 0 && game.board().is_some_and(|board| board.cols() + game.first_column() <= 10)
}

/// Returns the byte range of each move in a text, without move numbers.
fn move_spans(text: &str, has_digit_moves: bool) -> Vec<Range<usize>> {
    let start = text.as_ptr() as usize;
    let is_separator = |c: char| c.is_whitespace() || c == ';';
    let mut spans = Vec::new();
    let lines = text.lines().filter(|line| !line.starts_with("# "));
    for word in lines.flat_map(|line| line.split(is_separator)) {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let numbered = digits > 0 && word[digits..].starts_with('.');
        let word = if numbered { word[digits..].trim_start_matches('.') } else { word };
        let at = word.as_ptr() as usize - start;
        if has_digit_moves && word.bytes().all(|byte| byte.is_ascii_digit()) {
            spans.extend((at..at + word.len()).map(|at| at..at + 1));
        } else if !word.is_empty() {
            spans.push(at..at + word.len());
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets::preset;

    fn read(game: &str, text: &str) -> Record {
        Record::read(&preset(game).unwrap().unwrap().game().unwrap(), text).unwrap()
    }

    #[test]
    fn separators_and_move_numbers_do_not_matter() {
        let record = read("tictactoe", "1,1;0,0;0,1");
        assert_eq!(record.moves, ["1,1", "0,0", "0,1"]);
        assert_eq!(record.positions.len(), 4);
        assert_eq!((record.players, record.end), ([PlayerName::X, PlayerName::O], None));
        for text in
            ["1,1 0,0 0,1", "1,1\n0,0\r\n0,1\n", "1. 1,1 0,0\n2. 0,1", "1.1,1 2.0,0 3.0,1", "1... 1,1;;0,0 ; 0,1"]
        {
            assert_eq!(read("tictactoe", text), record, "{text:?}");
        }
        assert_eq!(read("connect4", "4455").moves, read("connect4", "1. 4 4 2. 55").moves);
        assert_eq!(read("connect4", "1212121").end, Some(Value::loss(0)));
        assert_eq!(read("connect4", "# a log\n4\n4\n# 9 is no move\n55").moves, ["4", "4", "5", "5"]);
        assert_eq!(read("nim", "7>3").positions[1], "3 3 5");
        assert_eq!(read("nim", " ").moves.len(), 0);
    }
}
