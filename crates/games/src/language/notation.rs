//! Positions and moves of games in the rules language as text.

use balpan::Game;

use super::file::{LanguageFile, LanguageRules};
use super::messages::LanguageError;
use super::parse::{self, ABSENT};
use super::rules::{Action, MAX_IN_HAND};
use super::{BoardGame, Compiled, FORCED_PASS, MAX_CELLS, MAX_PLANES, Move, NO_CELL, Position, cell_set, is_wide};
use crate::any::AnyGame;
use crate::board::{Board, CellSet, Cells};
use crate::error::{AfterBoard, RowsError};
use crate::notation::{Notation, PlayerName};
use crate::text::{Grid, TextError};
use crate::words::Lang;

impl LanguageRules {
    /// Creates the game from the position in `text`, on its board.
    pub(super) fn at(&self, text: &str) -> Result<AnyGame, TextError> {
        let glyphs = self.file.cell_glyphs();
        let grid = read_grid(text, &glyphs, &self.file)?;
        if is_wide(grid.board) {
            Ok(self.at_grid::<u128>(&grid)?.into())
        } else {
            Ok(self.at_grid::<u64>(&grid)?.into())
        }
    }

    fn at_grid<W: CellSet>(&self, grid: &Grid<'_>) -> Result<BoardGame<W>, TextError> {
        let compiled = self.compiled(grid.board, grid.set(ABSENT))?;
        let start = position(&compiled, grid)?;
        Ok(BoardGame(compiled, start))
    }
}

/// Reads the rows and the words of a position.
fn read_grid<'t>(text: &'t str, glyphs: &str, file: &LanguageFile) -> Result<Grid<'t>, TextError> {
    let letters = file.letters();
    let is_letter = |word: &str| letters.is_some_and(|letters| letters.iter().any(|letter| word == letter.to_string()));
    Grid::parse(text, glyphs, MAX_CELLS, |word| word.starts_with([':', '>']) || is_letter(word))
}

impl LanguageFile {
    /// Returns the letters that name the two players in a position.
    fn letters(&self) -> Option<[char; 2]> {
        let letter = |(name, _): (&str, PlayerName)| name.chars().next().unwrap_or_default();
        self.players.map(|pair| pair.map(letter))
    }
}

/// Reads a position on the board of a game.
fn position<W: CellSet>(game: &Compiled<W>, grid: &Grid<'_>) -> Result<Position<W>, TextError> {
    let rules = &game.rules;
    let mut position = Position {
        second_to_move: game.second_begins,
        end: 0,
        going: NO_CELL,
        planes: [W::zero(); MAX_PLANES],
        hand: 0,
    };
    for (cell, (glyph, _)) in grid.cells.iter().enumerate() {
        let kind = game.glyphs.iter().position(|other| other == glyph);
        let exists = game.geometry.cells.contains(cell);
        if kind.is_some() != exists {
            let glyphs = game.file.cell_glyphs();
            return Err(grid.error_at_cell(cell, RowsError::NoCell { glyph: *glyph, glyphs }));
        }
        rules.put(&mut position, W::bit(cell) & game.geometry.cells, kind.unwrap_or(0) as u8);
    }
    let mut going = None;
    for word in &grid.words {
        if let Some(hand) = word.text.strip_prefix(':') {
            for glyph in hand.chars() {
                let kind = game.glyphs.iter().position(|other| *other == glyph).map(|kind| kind as u8);
                let kind = kind.filter(|kind| rules.hand.contains(kind));
                let kind = kind.ok_or_else(|| grid.error_at(word.span(), LanguageError::NoneInHand { glyph }))?;
                if rules.in_hand(&position, kind) == MAX_IN_HAND {
                    return Err(grid.error_at(word.span(), LanguageError::TooManyInHand { max: MAX_IN_HAND }));
                }
                rules.change_hand(&mut position, kind, true);
            }
            continue;
        }
        if let Some(cell) = word.text.strip_prefix('>') {
            let cells =
                parse::cells(game.geometry.board, cell).map_err(|(_, error)| grid.error_at(word.span(), error))?;
            position.going = cells.first().copied().unwrap_or(NO_CELL);
            going = Some(word.span());
            continue;
        }
        let letters = game.file.letters();
        let side = letters.and_then(|letters| letters.iter().position(|letter| word.text == letter.to_string()));
        let expected = letters.map_or(AfterBoard::Nothing, AfterBoard::Side);
        let wrong = || match expected {
            AfterBoard::Nothing => RowsError::NotAfter { word: word.text.into(), expected },
            _ => RowsError::NoSide { word: word.text.into(), expected },
        };
        position.second_to_move = side.ok_or_else(|| grid.error_at(word.span(), wrong()))? == 1;
    }
    game.file.check_hands(game, &position).map_err(|error| grid.error(error))?;
    if let Some(span) = going.filter(|_| !game.can_go_on(&position)) {
        return Err(grid.error_at(span, LanguageError::CannotGoOn));
    }
    Ok(game.judged(position))
}

impl<W: CellSet> Compiled<W> {
    /// Returns the text of a move, as far as it distinguishes moves by different sentences.
    fn plain_text(&self, position: &Position<W>, mv: Move) -> String {
        let board = self.geometry.board;
        let sentences = &self.player(position).sentences;
        if mv.to == NO_CELL {
            return "pass".to_owned();
        }
        let glyph = self.glyphs[usize::from(mv.kind)];
        let to = board.cell_text(mv.to.into());
        let mut text = match &sentences[usize::from(mv.sentence)].action {
            Action::Place { from_hand: true, .. } => format!("{glyph}@{to}"),
            Action::Place { .. } => {
                let placed =
                    sentences.iter().filter(|other| matches!(other.action, Action::Place { from_hand: false, .. }));
                let is_single = placed.flat_map(|other| &other.kinds).all(|kind| *kind == mv.kind);
                if is_single { to } else { format!("{glyph}{to}") }
            }
            Action::Sow { .. } => board.cell_text(mv.from.into()),
            _ => format!("{}>{to}", board.cell_text(mv.from.into())),
        };
        if mv.shot != NO_CELL {
            text.push('*');
            text.push_str(&board.cell_text(mv.shot.into()));
        }
        text
    }
}

impl<W: CellSet> Notation for BoardGame<W> {
    fn describe(&self, lang: Lang) -> Vec<String> {
        self.0.describe(lang)
    }

    fn board(&self) -> Option<Board> {
        Some(self.0.geometry.board)
    }

    fn edges(&self) -> Vec<Vec<usize>> {
        self.0.geometry.edges()
    }

    fn parse(&self, text: &str) -> Result<Position<W>, TextError> {
        let glyphs = self.0.file.cell_glyphs();
        let grid = read_grid(text, &glyphs, &self.0.file)?;
        grid.expect_board(self.0.geometry.board)?;
        position(&self.0, &grid)
    }

    fn text(&self, position: &Position<W>) -> String {
        let game = &*self.0;
        let mut text = game.geometry.board.text(|cell| self.glyph(position, cell));
        if let Some(letters) = game.file.letters()
            && position.second_to_move != game.second_begins
        {
            text.push(' ');
            text.push(letters[usize::from(position.second_to_move)]);
        }
        if position.going != NO_CELL {
            text.push_str(&format!(" >{}", game.geometry.board.cell_text(position.going.into())));
        }
        if position.hand != 0 {
            text.push_str(" :");
            for kind in &game.rules.hand {
                let count = game.rules.in_hand(position, *kind);
                text.extend((0..count).map(|_| game.glyphs[usize::from(*kind)]));
            }
        }
        text
    }

    fn move_text(&self, position: &Position<W>, mv: Move) -> String {
        let game = &*self.0;
        let mut text = game.plain_text(position, mv);
        if mv.sentence != FORCED_PASS && game.player(position).is_ambiguous {
            let before = self.moves(position).take_while(|other| *other != mv);
            let alike = before.filter(|other| game.plain_text(position, *other) == text).count();
            text.extend((0..alike).map(|_| '\''));
        }
        text
    }

    fn glyph(&self, position: &Position<W>, cell: usize) -> char {
        let game = &*self.0;
        if game.geometry.cells.contains(cell) {
            game.glyphs[usize::from(game.rules.kind_on(position, cell))]
        } else {
            ABSENT
        }
    }

    fn owner(&self, glyph: char) -> Option<usize> {
        let game = &*self.0;
        let kind = game.glyphs.iter().position(|other| *other == glyph)?;
        let owner = game.rules.players.iter().position(|player| player.kinds >> kind & 1 == 1);
        owner.filter(|_| game.rules.players.len() == 2)
    }

    fn winning_cells(&self, position: &Position<W>) -> u128 {
        let game = &*self.0;
        if position.end == 0 {
            return 0;
        }
        let lists = game.rules.players.iter().flat_map(|player| [&player.wins, &player.loses]);
        let cells = lists.map(|lists| game.view(position).decisive_cells(lists)).find(|cells| !cells.is_zero());
        cells.unwrap_or_default().into()
    }

    fn move_cells(&self, position: &Position<W>, mv: Move) -> u128 {
        let game = &*self.0;
        if mv.to == NO_CELL {
            return 0;
        }
        let here = cell_set::<W>(mv.from) | cell_set(mv.to) | cell_set(mv.shot);
        match game.player(position).sentences[usize::from(mv.sentence)].action {
            Action::Place { .. } => {}
            Action::Sow { .. } => return (cell_set::<W>(mv.from) | cell_set(mv.shot)).into(),
            _ => return here.into(),
        }
        // All cells on which the piece is put, such as both of a domino.
        let after = game.play(position, mv);
        let changed = Cells(game.geometry.cells).filter(|cell| {
            game.rules.kind_on(&after, *cell) == mv.kind && game.rules.kind_on(position, *cell) != mv.kind
        });
        (W::of_cells(changed) | here).into()
    }

    fn players(&self, position: &Position<W>) -> [PlayerName; 2] {
        match self.0.file.players {
            None => PlayerName::BY_TURN,
            Some([(_, first), (_, second)]) if position.second_to_move => [second, first],
            Some([(_, first), (_, second)]) => [first, second],
        }
    }
}
