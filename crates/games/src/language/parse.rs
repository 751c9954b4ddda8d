//! From sentences to rules on one board.

use std::ops::Range;
use std::sync::Arc;

use super::MAX_CELLS;
use super::geometry::{DIRECTIONS, Directions, Geometry};
use super::messages::{Expected, LanguageError};
use super::rules::{
    Action, Amount, Condition, Conditions, EMPTY, Effect, Kind, MAX_KINDS, Pattern, PlayerRules, Sentence, Set, Unit,
};
use crate::board::{Board, CellSet, Cells};

/// The pieces of a file: their characters, and whose they are.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// The character of each kind, from `.`, the empty cell: the players' in turn, then those that are nobody's.
    pub(super) glyphs: Vec<char>,
    /// The kinds of each player's pieces, in the file's order. Where both have the same, there is one player.
    pub(super) owned: Vec<Vec<Kind>>,
    /// The largest number that a cell may hold; 0 where cells hold pieces only.
    pub(super) largest: u32,
}

/// The character of a blocked cell.
pub(super) const BLOCKED: char = '#';
/// The character of a cell that does not exist.
pub(super) const ABSENT: char = '_';

impl Pieces {
    /// Numbers the pieces of each player and those of nobody. The caller has checked that there are at most
    /// [`MAX_KINDS`], each character once.
    pub(super) fn new(players: &[Vec<char>], neutral: &[char], largest: u32) -> Self {
        let mut pieces = Self { glyphs: vec!['.'], owned: vec![Vec::new(); players.len()], largest };
        let most = players.iter().map(Vec::len).max().unwrap_or(0);
        for n in 0..most {
            for (owned, glyphs) in pieces.owned.iter_mut().zip(players) {
                if let Some(glyph) = glyphs.get(n) {
                    owned.push(pieces.glyphs.len() as Kind);
                    pieces.glyphs.push(*glyph);
                }
            }
        }
        pieces.glyphs.extend(neutral);
        pieces
    }

    pub(super) fn kind_of(&self, glyph: char) -> Option<Kind> {
        self.glyphs.iter().position(|other| *other == glyph).map(|kind| kind as Kind)
    }

    pub(super) fn set(&self, player: usize) -> u16 {
        self.owned[player].iter().fold(0, |set, kind| set | 1 << kind)
    }

    /// Returns the number that each kind is, up to a largest one: a digit, or a letter from 10.
    pub(super) fn numbers(&self, largest: u32) -> [u32; MAX_KINDS] {
        let number = |glyph: &char| glyph.to_digit(36).filter(|n| *n <= largest && !glyph.is_ascii_uppercase());
        std::array::from_fn(|kind| self.glyphs.get(kind).and_then(number).unwrap_or(0))
    }

    /// Whether a kind is some player's.
    fn is_owned(&self, kind: Kind) -> bool {
        self.owned.iter().flatten().any(|owned| *owned == kind)
    }

    /// Returns all kinds, the empty cell among them.
    const fn all(&self) -> u16 {
        u16::MAX >> (MAX_KINDS - self.glyphs.len())
    }

    /// Returns which kind takes the place of each if the players are exchanged, or the two kinds of both; `None` if they have not as many.
    pub(super) fn exchanged(&self) -> Option<[Kind; MAX_KINDS]> {
        let (one, other) = match &*self.owned {
            [one, other] => (&one[..], &other[..]),
            [both] if both.len() == 2 => both.split_at(1),
            _ => return None,
        };
        let mut kinds = std::array::from_fn(|kind| kind as Kind);
        for (one, other) in one.iter().zip(other) {
            kinds[usize::from(*one)] = *other;
            kinds[usize::from(*other)] = *one;
        }
        (one.len() == other.len()).then_some(kinds)
    }
}

/// The referents of a sentence's words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'s, W> {
    pub(super) geometry: &'s Geometry<W>,
    pub(super) pieces: &'s Pieces,
    pub(super) regions: &'s [(String, W)],
    pub(super) weights: &'s [(String, Arc<[i32]>)],
    /// The names of the two players; none where both have the same rules.
    pub(super) players: Option<[&'static str; 2]>,
    /// The player whose sentence it is, if it is one player's.
    pub(super) me: Option<usize>,
    /// Whether the sentence is the other player's, seen from the other side.
    pub(super) is_mirrored: bool,
}

/// An error at some bytes of a sentence.
pub(super) type ParseError = (Range<usize>, LanguageError);

/// A sentence being read.
struct Parser<'s, W> {
    scope: Scope<'s, W>,
    text: &'s str,
    words: Vec<Range<usize>>,
    at: usize,
    /// Whether there is a move that `here` and `origin` can refer to.
    has_move: bool,
    has_origin: bool,
}

/// The largest sum of the weights of a board, without their signs. The checker of certificates has the same limit.
const MAX_WEIGHT: u64 = 400_000;
/// The unit of the numbers on cells.
const NUMBERS: &str = "numbers";

/// Words that begin a clause after a sentence.
const CLAUSES: [&str; 6] = ["capturing", "repeatedly", "then", "when", "if", "unless"];
/// The verbs of a piece.
pub(super) const VERBS: [&str; 9] = ["step", "slide", "leap", "hop", "place", "drop", "push", "sow", "pass"];

/// Reads a set of cells that is the same in every position.
pub(super) fn region<W: CellSet>(scope: Scope<'_, W>, text: &str) -> Result<W, ParseError> {
    let mut parser = Parser::new(scope, text);
    let cells = parser.region()?;
    parser.finish()?;
    Ok(cells)
}

/// Reads `S - T`: the two amounts of a score.
pub(super) fn score<W: CellSet>(scope: Scope<'_, W>, text: &str) -> Result<(Amount<W>, Amount<W>), ParseError> {
    let mut parser = Parser::new(scope, text);
    let unit = if scope.pieces.largest > 0 { Unit::Numbers } else { Unit::Cells };
    let own = parser.amount(unit.clone())?;
    parser.expect("-")?;
    let other = parser.amount(unit)?;
    parser.finish()?;
    Ok((own, other))
}

/// Reads a whole number for each cell of a board, row by row with `/` between rows; 0 for a cell that does not exist. `..` at the end
/// of a row goes on as the two numbers before it do, to as many numbers as the row has cells.
pub(super) fn weights(board: Board, text: &str) -> Result<Arc<[i32]>, ParseError> {
    let (mut all, mut begin, mut rows) = (Vec::with_capacity(board.cells()), 0, 0);
    let heavy = |span: Range<usize>| (span, LanguageError::HeavyBoard { max: MAX_WEIGHT });
    for row in text.split('/') {
        let mut numbers: Vec<i64> = Vec::new();
        for word in split(row) {
            let (found, span) = (&row[word.clone()], begin + word.start..begin + word.end);
            let is_last = row[word.end..].trim().is_empty();
            match (found, &*numbers) {
                (word, _) if single_char(word) == Some(ABSENT) => numbers.push(0),
                ("..", &[.., before, last]) if is_last => {
                    let more = board.cols().saturating_sub(numbers.len()) as i64;
                    numbers.extend((1..=more).map(|n| last + n * (last - before)));
                    // A row of one cell takes the first of the two numbers.
                    if numbers.len() == 2 {
                        numbers.truncate(board.cols());
                    }
                }
                _ => {
                    let error = |_| (span.clone(), LanguageError::new(found, Expected::Weight));
                    numbers.push(i64::from(found.parse::<i32>().map_err(error)?));
                }
            }
            if numbers.iter().any(|weight| weight.unsigned_abs() > MAX_WEIGHT) {
                return Err(heavy(span));
            }
        }
        if numbers.len() != board.cols() {
            return Err((begin..begin + row.len(), LanguageError::Weights));
        }
        all.extend(numbers);
        begin += row.len() + 1;
        rows += 1;
    }
    if rows != board.rows() {
        return Err((0..text.len(), LanguageError::Weights));
    }
    if all.iter().map(|weight| weight.unsigned_abs()).sum::<u64>() > MAX_WEIGHT {
        return Err(heavy(0..text.len()));
    }
    Ok(all.into_iter().map(|weight| weight as i32).collect())
}

/// Reads `P on S`: a kind, and the cells that it stands on at first.
pub(super) fn setup<W: CellSet>(scope: Scope<'_, W>, text: &str) -> Result<(Option<Kind>, W), ParseError> {
    let mut parser = Parser::new(scope, text);
    let kind = if parser.eat("_") { None } else { Some(parser.becomes()?) };
    parser.expect("on")?;
    let cells = parser.region()?;
    parser.finish()?;
    Ok((kind, cells))
}

/// Reads conditions that must all hold.
pub(super) fn conditions<W: CellSet>(scope: Scope<'_, W>, text: &str) -> Result<Conditions<W>, ParseError> {
    let mut parser = Parser::new(scope, text);
    let conditions = parser.conditions()?;
    parser.finish()?;
    Ok(conditions)
}

/// Reads a sentence of a player's moves.
pub(super) fn sentence<W: CellSet>(scope: Scope<'_, W>, text: &str) -> Result<Sentence<W>, ParseError> {
    let mut parser = Parser::new(scope, text);
    let sentence = parser.sentence()?;
    parser.finish()?;
    Ok(sentence)
}

/// Reads a list of cells, each as row and column.
pub(super) fn cells(board: Board, text: &str) -> Result<Vec<u8>, ParseError> {
    let words = split(text);
    let read = |word: Range<usize>| {
        let numbers =
            text[word.clone()].split_once(',').and_then(|(row, col)| Some((row.parse().ok()?, col.parse().ok()?)));
        match numbers {
            Some((row, col)) if row < board.rows() && col < board.cols() => Ok(board.cell(row, col) as u8),
            _ => Err((word.clone(), LanguageError::new(&text[word], Expected::Cell))),
        }
    };
    words.into_iter().map(read).collect()
}

/// Returns the characters that sentences put on cells: after these words.
pub(super) fn placed_glyphs(text: &str) -> impl Iterator<Item = char> {
    let words: Vec<_> = split(text).into_iter().map(|word| &text[word]).collect();
    let after = |at: usize| matches!(words[at], "place" | "drop" | "push" | "leave" | "leaving" | "becomes");
    let named: Vec<_> = (1..words.len()).filter(|at| after(at - 1)).map(|at| words[at]).collect();
    let letters = named.into_iter().flat_map(|word| word.split('/')).filter_map(single_char).collect::<Vec<_>>();
    letters.into_iter()
}

/// Returns the character of a word of one.
pub(super) fn single_char(word: &str) -> Option<char> {
    let mut chars = word.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// Returns the places of the words of a text. Commas that end a word, and brackets, are words.
fn split(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut begin = None;
    let bytes = text.as_bytes();
    for (at, glyph) in text.char_indices().chain([(text.len(), ' ')]) {
        let ends_word = glyph == ',' && bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        if glyph.is_whitespace() || ends_word || matches!(glyph, '(' | ')') {
            words.extend(begin.take().map(|begin| begin..at));
            if !glyph.is_whitespace() {
                words.push(at..at + 1);
            }
        } else {
            begin = begin.or(Some(at));
        }
    }
    words
}

impl<'s, W: CellSet> Parser<'s, W> {
    fn new(scope: Scope<'s, W>, text: &'s str) -> Self {
        Self { scope, text, words: split(text), at: 0, has_move: false, has_origin: false }
    }

    fn word(&self, ahead: usize) -> &'s str {
        self.words.get(self.at + ahead).map_or("", |word| &self.text[word.clone()])
    }

    fn peek(&self) -> &'s str {
        self.word(0)
    }

    fn next(&mut self) -> &'s str {
        let word = self.peek();
        self.at += 1;
        word
    }

    fn eat(&mut self, word: &str) -> bool {
        let is_next = self.peek() == word && !word.is_empty();
        self.at += usize::from(is_next);
        is_next
    }

    /// Returns the error that the next word is not what was expected.
    fn error(&self, expected: Expected) -> ParseError {
        let end = self.text.len();
        let span = self.words.get(self.at).cloned().unwrap_or(end..end);
        (span, LanguageError::new(self.peek(), expected))
    }

    fn expect(&mut self, word: &'static str) -> Result<(), ParseError> {
        if self.eat(word) { Ok(()) } else { Err(self.error(Expected::Word(word))) }
    }

    fn finish(&self) -> Result<(), ParseError> {
        if self.at >= self.words.len() { Ok(()) } else { Err(self.error(Expected::End)) }
    }

    fn number(&mut self) -> Result<u32, ParseError> {
        let number = self.peek().parse().map_err(|_| self.error(Expected::Number))?;
        self.at += 1;
        Ok(number)
    }

    /// Returns the kind of a character, as the other player has it where a sentence is mirrored.
    fn kind_of(&self, word: &str) -> Option<Kind> {
        let kind = self.scope.pieces.kind_of(single_char(word)?).filter(|kind| *kind != EMPTY)?;
        match self.scope.pieces.exchanged() {
            Some(exchanged) if self.scope.is_mirrored => Some(exchanged[usize::from(kind)]),
            _ => Some(kind),
        }
    }

    /// Reads one piece or several: `k/q`.
    fn kinds(&mut self) -> Result<Vec<Kind>, ParseError> {
        let kinds: Option<Vec<_>> = self.peek().split('/').map(|word| self.kind_of(word)).collect();
        let kinds = kinds.ok_or_else(|| self.error(Expected::Piece))?;
        self.at += 1;
        Ok(kinds)
    }

    /// Reads what is put on cells: a piece or `empty`.
    fn becomes(&mut self) -> Result<Kind, ParseError> {
        if self.eat("empty") {
            return Ok(EMPTY);
        }
        let kind = self.kind_of(self.peek()).ok_or_else(|| self.error(Expected::Piece))?;
        self.at += 1;
        Ok(kind)
    }

    /// Returns the directions that a word names.
    fn directions_of(&self, word: &str) -> Option<Directions> {
        let board = self.scope.geometry;
        let directions = match word {
            "adjacent" => board.adjacent(),
            "diagonal" => 0b1010_1010,
            "queen" => 0b1111_1111,
            _ => 1 << DIRECTIONS.iter().position(|(name, _)| *name == word)?,
        };
        let is_hex = board.shape == super::geometry::Shape::Hex;
        let directions = if self.scope.is_mirrored { directions.rotate_left(4) } else { directions };
        (!is_hex || directions & !board.adjacent() == 0).then_some(directions)
    }

    /// Reads one direction or more, up to a word that is none.
    fn directions(&mut self) -> Result<Directions, ParseError> {
        let mut all = self.directions_of(self.peek()).ok_or_else(|| self.error(Expected::Direction))?;
        self.at += 1;
        while let Some(more) = self.directions_of(self.peek()) {
            all |= more;
            self.at += 1;
        }
        Ok(all)
    }

    /// Returns the unit that a word names.
    fn unit_of(&self, word: &str) -> Option<Unit> {
        if word == NUMBERS && self.scope.pieces.largest > 0 {
            return Some(Unit::Numbers);
        }
        let (_, weights) = self.scope.weights.iter().find(|(name, _)| name == word)?;
        let turned = || weights.iter().rev().copied().collect();
        Some(Unit::Weights(if self.scope.is_mirrored { turned() } else { Arc::clone(weights) }))
    }

    /// Reads a set, or a unit `on` a set; of a set alone, the unit is this one.
    fn amount(&mut self, unit: Unit) -> Result<Amount<W>, ParseError> {
        let Some(unit) = self.unit_of(self.peek()) else { return Ok(Amount { unit, set: self.set()? }) };
        self.at += 1;
        self.expect("on")?;
        Ok(Amount { unit, set: self.set()? })
    }

    /// Reads how much an amount may be, which follows.
    fn bound(&mut self) -> Result<i32, ParseError> {
        let number = self.peek().parse().ok().filter(|number| *number >= 0 || self.unit_of(self.word(1)).is_some());
        self.at += usize::from(number.is_some());
        number.ok_or_else(|| self.error(Expected::Number))
    }

    fn set(&mut self) -> Result<Set<W>, ParseError> {
        let mut set = self.conjunction()?;
        while self.eat("or") {
            set = either(set, self.conjunction()?);
        }
        Ok(set)
    }

    /// Reads a set of cells that a piece may go over or onto: none of them is blocked.
    fn open_set(&mut self) -> Result<Set<W>, ParseError> {
        Ok(both(self.set()?, self.open_cells()))
    }

    /// Returns the cells that are not blocked.
    fn open_cells(&self) -> Set<W> {
        let blocked = self.scope.pieces.kind_of(BLOCKED).map_or(0, |kind| 1 << kind);
        Set::Kinds(self.scope.pieces.all() & !blocked)
    }

    fn conjunction(&mut self) -> Result<Set<W>, ParseError> {
        let mut set = self.atom()?;
        loop {
            let ends = matches!((self.word(1), self.word(2)), ("hand", _) | ("a", "row" | "square"));
            match self.peek() {
                "and" | "on" => {}
                "in" if !ends => {}
                _ => return Ok(set),
            }
            self.at += 1;
            set = both(set, self.atom()?);
        }
    }

    fn atom(&mut self) -> Result<Set<W>, ParseError> {
        let all = self.scope.geometry.cells;
        let word = self.peek();
        // Directions, if `of` or `from` follows: `w` may be a piece as well.
        let ahead = (0..).take_while(|ahead| self.directions_of(self.word(*ahead)).is_some()).count();
        if ahead > 0 && matches!(self.word(ahead), "of" | "from") {
            let steps = self.scope.geometry.steps(self.directions()?);
            return Ok(match self.next() {
                "of" => Set::Image(steps, Box::new(self.atom()?)),
                _ => Set::Closure(steps, Box::new(self.atom()?)),
            });
        }
        if let Some(cells) = self.region_words()? {
            return Ok(Set::Cells(if self.scope.is_mirrored { self.turned(cells) } else { cells } & all));
        }
        let is_piece = self.kind_of(word).is_some_and(|kind| self.scope.pieces.is_owned(kind));
        if let Some(player) = self.player_of(word).filter(|_| !is_piece) {
            self.at += 1;
            return Ok(Set::Kinds(self.scope.pieces.set(player)));
        }
        let me = self.scope.me.filter(|_| self.scope.players.is_some());
        let set = match (word, me) {
            ("(", _) => {
                self.at += 1;
                let exactly = self.peek() == "exactly";
                let set = if exactly || self.is_number() && self.word(1) != ")" {
                    self.at += usize::from(exactly);
                    let (n, set) = (self.number()?, self.set()?);
                    Set::Pattern(Box::new(self.pattern(n, exactly, set)?))
                } else {
                    self.set()?
                };
                self.expect(")")?;
                return Ok(set);
            }
            ("not", _) => {
                self.at += 1;
                return Ok(match self.atom()? {
                    Set::Kinds(kinds) => Set::Kinds(!kinds & self.scope.pieces.all()),
                    Set::Cells(cells) => Set::Cells(all & !cells),
                    set => Set::Not(Box::new(set)),
                });
            }
            ("next", _) => {
                self.at += 1;
                self.expect("to")?;
                let steps = self.scope.geometry.steps(self.scope.geometry.adjacent());
                return Ok(Set::Image(steps, Box::new(self.atom()?)));
            }
            ("empty", _) => Set::Kinds(1 << EMPTY),
            ("all", _) => Set::Cells(all),
            ("own", Some(me)) => Set::Kinds(self.scope.pieces.set(me)),
            ("enemy", Some(me)) => Set::Kinds(self.scope.pieces.set(1 - me)),
            ("attacked", Some(me)) => Set::AttackedBy(1 - me),
            ("here", _) if self.has_move => Set::Here,
            ("origin", _) if self.has_origin => Set::Origin,
            _ => Set::Kinds(1 << self.kind_of(word).ok_or_else(|| self.error(Expected::Set))?),
        };
        self.at += 1;
        Ok(set)
    }

    /// Returns the player that a word names.
    fn player_of(&self, word: &str) -> Option<usize> {
        let player = self.scope.players?.iter().position(|name| *name == word)?;
        Some(if self.scope.is_mirrored { 1 - player } else { player })
    }

    /// Reads the words of a region of the board, if there are such.
    fn region_words(&mut self) -> Result<Option<W>, ParseError> {
        let board = self.scope.geometry.board;
        let (rows, cols) = (board.rows(), board.cols());
        let those = |is_in: &dyn Fn(usize, usize) -> bool| {
            let cells = (0..board.cells()).filter(|cell| {
                let (row, col) = board.row_col(*cell);
                is_in(row, col)
            });
            Some(W::of_cells(cells))
        };
        let word = self.peek();
        let region = match (word, self.word(1)) {
            ("top" | "bottom" | "left" | "right", next)
                if next.parse::<u32>().is_ok() || next == "row" || next == "column" =>
            {
                self.at += 1;
                let is_row = matches!(word, "top" | "bottom");
                let n = match self.peek() {
                    "row" if is_row => 1,
                    "column" if !is_row => 1,
                    _ => {
                        let n = self.number()? as usize;
                        if self.peek() != if is_row { "rows" } else { "columns" } {
                            return Err(self.error(Expected::Word(if is_row { "rows" } else { "columns" })));
                        }
                        n
                    }
                };
                self.at += 1;
                return Ok(those(&|row, col| match word {
                    "top" => row < n,
                    "bottom" => row + n >= rows,
                    "left" => col < n,
                    _ => col + n >= cols,
                }));
            }
            ("row" | "column", next) if next.parse::<u32>().is_ok() => {
                self.at += 1;
                let is_row = word == "row";
                let (n, size) = (self.peek().parse().unwrap_or(usize::MAX), if is_row { rows } else { cols });
                if n >= size {
                    return Err(self.error(Expected::NumberBelow(size)));
                }
                self.at += 1;
                return Ok(those(&|row, col| n == if is_row { row } else { col }));
            }
            ("even" | "odd", "rows" | "columns" | "cells") => {
                let (odd, what) = (usize::from(word == "odd"), self.word(1));
                self.at += 2;
                return Ok(those(&|row, col| {
                    let n = if what == "rows" {
                        row
                    } else if what == "columns" {
                        col
                    } else {
                        row + col
                    };
                    n % 2 == odd
                }));
            }
            ("edge" | "corner", _) => {
                let is_corner = word == "corner";
                those(&|row, col| {
                    let [at_row, at_col] = [row == 0 || row + 1 == rows, col == 0 || col + 1 == cols];
                    if is_corner { at_row && at_col } else { at_row || at_col }
                })
            }
            _ if word.contains(',') && word.len() > 1 => {
                let cells = cells(board, word).map_err(|(_, error)| (self.words[self.at].clone(), error))?;
                cells.first().map(|cell| W::bit((*cell).into()))
            }
            _ => self.scope.regions.iter().find(|(name, _)| name == word).map(|(_, cells)| *cells),
        };
        self.at += usize::from(region.is_some());
        Ok(region)
    }

    /// Returns a set of cells turned by half a turn.
    fn turned(&self, cells: W) -> W {
        let last = self.scope.geometry.board.cells() - 1;
        W::of_cells(Cells(cells).map(|cell| last - cell))
    }

    fn region(&mut self) -> Result<W, ParseError> {
        let at = self.at;
        match self.set()? {
            Set::Cells(cells) => Ok(cells),
            _ => {
                self.at = at;
                Err(self.error(Expected::Region))
            }
        }
    }

    /// Reads a region of one cell.
    fn fixed_cell(&mut self) -> Result<u8, ParseError> {
        let at = self.at;
        match self.region()? {
            cell if cell.count_ones() == 1 => Ok(cell.trailing_zeros() as u8),
            _ => {
                self.at = at;
                Err(self.error(Expected::Cell))
            }
        }
    }

    /// Reads conditions, up to the end of the sentence or a comma before a clause.
    fn conditions(&mut self) -> Result<Conditions<W>, ParseError> {
        let mut conditions = vec![self.condition()?];
        while self.peek() == "," && !CLAUSES.contains(&self.word(1)) {
            self.at += 1;
            conditions.push(self.condition()?);
        }
        Ok(conditions)
    }

    fn condition(&mut self) -> Result<Condition<W>, ParseError> {
        let geometry = self.scope.geometry;
        let adjacent = || geometry.steps(geometry.adjacent());
        let has_word = usize::from(self.peek() == "no");
        if self.scope.me.is_some() && self.word(has_word + 1) == "in" && self.word(has_word + 2) == "hand" {
            self.at += has_word;
            let kind = self.kind_of(self.peek()).ok_or_else(|| self.error(Expected::Piece))?;
            self.at += 3;
            return Ok(Condition::InHand(kind, has_word == 0));
        }
        if let (Some(player), "to", "move") = (self.player_of(self.peek()), self.word(1), self.word(2)) {
            self.at += 3;
            return Ok(Condition::ToMove(player));
        }
        if self.eat("no") {
            return Ok(Condition::Count(Amount::cells(self.set()?), 0, 0));
        }
        if self.eat("every") {
            self.expect("group")?;
            self.expect("of")?;
            let set = self.set()?;
            self.expect("touches")?;
            return Ok(Condition::GroupsTouch(set, adjacent(), self.set()?));
        }
        let is_number = self.is_number();
        let is_pattern = is_number || self.peek() == "exactly";
        let count = match self.peek() {
            "at" => {
                self.at += 1;
                let least = self.eat("least");
                if !least {
                    self.expect("most")?;
                }
                let n = self.bound()?;
                Some(if least { (n, i32::MAX) } else { (i32::MIN, n) })
            }
            "exactly" => {
                self.at += 1;
                let n = self.bound()?;
                Some((n, n))
            }
            _ if is_number => Some((self.bound()?, i32::MAX)),
            _ => None,
        };
        let Some((least, most)) = count else {
            let set = self.set()?;
            if self.eat("connects") {
                return self.connection(set);
            }
            if self.peek() == "encloses"
                && let Some(rim) = geometry.rim()
            {
                self.at += 1;
                return Ok(Condition::Encloses(set, adjacent(), self.set()?, rim));
            }
            return Ok(Condition::Count(Amount::cells(set), 1, i32::MAX));
        };
        let amount = self.amount(Unit::Cells)?;
        if is_pattern && amount.unit == Unit::Cells && self.peek() == "in" {
            return Ok(Condition::Pattern(self.pattern(least as u32, least == most, amount.set)?));
        }
        if is_number {
            return Err(self.error(Expected::Word("in")));
        }
        Ok(Condition::Count(amount, least, most))
    }

    /// Reads what a group of the set connects.
    fn connection(&mut self, set: Set<W>) -> Result<Condition<W>, ParseError> {
        let (at, has_count) = (self.at, self.word(1) == "of" && self.peek().parse::<u32>().is_ok());
        let count = if has_count { Some(self.number()? as usize) } else { None };
        if has_count {
            self.expect("of")?;
        }
        let mut regions = vec![self.region()?];
        while self.eat("to") {
            regions.push(self.region()?);
        }
        if regions.len() < 2 {
            return Err(self.error(Expected::Word("to")));
        }
        regions.sort_unstable();
        let count = count.unwrap_or(regions.len());
        if !(1..=regions.len()).contains(&count) {
            self.at = at;
            return Err(self.error(Expected::NumberUpTo(regions.len())));
        }
        let geometry = self.scope.geometry;
        Ok(Condition::Connects(set, geometry.steps(geometry.adjacent()), count, regions))
    }

    /// Whether the next word is a number; a digit may be a piece as well, which no set follows.
    fn is_number(&self) -> bool {
        let next_follows_piece =
            matches!(self.word(1), "" | "on" | "in" | "and" | "or" | "," | "connects" | "encloses" | "touches");
        self.peek().parse::<u32>().is_ok() && !next_follows_piece
    }

    /// Reads which pattern `n` cells of a set are in.
    fn pattern(&mut self, n: u32, exactly: bool, set: Set<W>) -> Result<Pattern<W>, ParseError> {
        self.expect("in")?;
        self.expect("a")?;
        let windows = if self.eat("square") {
            self.scope.geometry.squares()
        } else {
            self.expect("row")?;
            self.scope.geometry.rows_of(n.clamp(1, MAX_CELLS as u32 + 1) as usize)
        };
        let mut sum = None;
        if self.eat("sum") {
            self.expect("to")?;
            sum = Some((self.number()?, self.scope.pieces.numbers(self.scope.pieces.largest.max(9))));
        }
        Ok(Pattern { set, windows, exactly, sum })
    }

    fn sentence(&mut self) -> Result<Sentence<W>, ParseError> {
        let geometry = self.scope.geometry;
        let (otherwise, or) = (self.eat("otherwise"), self.eat("or"));
        let (mut is_hop, mut has_origin) = (false, false);
        let (kinds, action) = match self.peek() {
            "pass" => {
                self.at += 1;
                (Vec::new(), Action::Pass)
            }
            word @ ("place" | "drop") => {
                self.at += 1;
                let kinds = self.kinds()?;
                self.expect("on")?;
                (kinds, Action::Place { on: self.set()?, from_hand: word == "drop" })
            }
            "sow" if self.scope.pieces.largest > 0 => {
                self.at += 1;
                self.expect("from")?;
                let from = self.set()?;
                self.expect("along")?;
                let mut along = Vec::new();
                while along.is_empty() || self.peek().contains(',') && self.peek().len() > 1 {
                    let cell = self.fixed_cell()?;
                    if along.contains(&cell) {
                        self.at -= 1;
                        return Err(self.error(Expected::Cell));
                    }
                    along.push(cell);
                }
                (Vec::new(), Action::Sow { from, along })
            }
            "push" => {
                self.at += 1;
                let kinds = self.kinds()?;
                let rays = geometry.rays(self.directions()?);
                self.expect("from")?;
                (kinds, Action::Push { rays, from: self.set()?, over: self.open_cells() })
            }
            _ => {
                let kinds = self.kinds().map_err(|_| self.error(Expected::Sentence))?;
                has_origin = true;
                let action = match self.next() {
                    "step" => {
                        let steps = geometry.steps(self.directions()?);
                        self.expect("onto")?;
                        Action::Step { steps, onto: self.open_set()? }
                    }
                    "leap" => {
                        let offsets = self.offsets()?;
                        self.expect("onto")?;
                        Action::Step { steps: geometry.leaps(&offsets), onto: self.open_set()? }
                    }
                    "slide" => {
                        let max_steps = match self.peek() {
                            "at" => {
                                self.at += 1;
                                self.expect("most")?;
                                match self.number()? as usize {
                                    max_steps if max_steps <= MAX_CELLS => max_steps,
                                    _ => {
                                        self.at -= 1;
                                        return Err(self.error(Expected::NumberBelow(MAX_CELLS + 1)));
                                    }
                                }
                            }
                            _ => usize::MAX,
                        };
                        let rays = geometry.rays(self.directions()?).of_at_most(max_steps);
                        self.expect("over")?;
                        let over = self.open_set()?;
                        let onto = if self.eat("onto") { Some(self.open_set()?) } else { None };
                        Action::Slide { rays, over, onto }
                    }
                    "hop" => {
                        is_hop = true;
                        let rays = geometry.rays(self.directions()?);
                        self.expect("over")?;
                        let over = self.open_set()?;
                        self.expect("onto")?;
                        Action::Hop { rays, over, onto: self.open_set()?, capturing: false, repeatedly: false }
                    }
                    _ => {
                        self.at -= 1;
                        return Err(self.error(Expected::Verb));
                    }
                };
                (kinds, action)
            }
        };
        let is_pass = action == Action::Pass;
        let mut sentence =
            Sentence { otherwise, or, kinds, action, when: Vec::new(), effects: Vec::new(), tests: Vec::new() };
        while self.eat(",") {
            self.has_move = !is_pass;
            self.has_origin = has_origin;
            match self.peek() {
                word @ ("capturing" | "repeatedly") if is_hop => {
                    if let Action::Hop { capturing, repeatedly, .. } = &mut sentence.action {
                        *if word == "capturing" { capturing } else { repeatedly } = true;
                    }
                    self.at += 1;
                }
                "when" => {
                    (self.has_move, self.has_origin) = (false, false);
                    self.at += 1;
                    sentence.when.extend(self.conditions()?);
                }
                word @ ("if" | "unless") => {
                    self.at += 1;
                    sentence.tests.push((self.conditions()?, word == "if"));
                }
                "then" => {
                    self.at += 1;
                    let effect = self.effect(has_origin, is_pass, &sentence.effects)?;
                    sentence.effects.push(effect);
                }
                _ => return Err(self.error(Expected::Clause)),
            }
        }
        Ok(sentence)
    }

    fn effect(&mut self, has_origin: bool, is_pass: bool, before: &[Effect<W>]) -> Result<Effect<W>, ParseError> {
        let geometry = self.scope.geometry;
        let has_shot = before.iter().any(|effect| matches!(effect, Effect::Shoot(..)));
        match (self.peek(), self.scope.me) {
            ("leave", _) if has_origin => {
                self.at += 1;
                Ok(Effect::Leave(self.becomes()?))
            }
            ("flip", Some(me)) if !is_pass && self.scope.players.is_some() => {
                self.at += 1;
                Ok(Effect::Flip(geometry.rays(self.directions()?), self.scope.pieces.set(1 - me)))
            }
            ("shoot", _) if !is_pass && !has_shot => {
                self.at += 1;
                let rays = geometry.rays(self.directions()?);
                self.expect("over")?;
                let over = self.open_set()?;
                self.expect("leaving")?;
                Ok(Effect::Shoot(Some(rays), over, self.becomes()?))
            }
            ("collect", _) if self.scope.pieces.largest > 0 => {
                self.at += 1;
                let set = self.set()?;
                self.expect("into")?;
                Ok(Effect::Collect(set, self.fixed_cell()?))
            }
            ("one", _) if !is_pass && !has_shot => {
                self.at += 1;
                self.expect("of")?;
                let cells = self.set()?;
                self.expect("becomes")?;
                Ok(Effect::Shoot(None, cells, self.becomes()?))
            }
            (word @ ("again" | "go"), _) if word == "again" || !is_pass => {
                self.at += 1;
                if word == "go" {
                    self.expect("on")?;
                }
                Ok(Effect::Again(if self.eat("if") { self.conditions()? } else { Vec::new() }, word == "go"))
            }
            _ => {
                let at = self.at;
                let set =
                    self.set().map_err(|error| if self.at == at { self.error(Expected::Effect) } else { error })?;
                self.expect("becomes")?;
                Ok(Effect::Become(set, self.becomes()?))
            }
        }
    }

    /// Reads leaps: `1,2`, or `knight`.
    fn offsets(&mut self) -> Result<Vec<(i8, i8)>, ParseError> {
        let mut offsets = Vec::new();
        while self.peek() != "onto" {
            let number = |text: &str| text.parse().ok().filter(|n: &i8| *n >= 0);
            let offset = match self.peek() {
                "knight" => Some((1, 2)),
                word => word.split_once(',').and_then(|(down, right)| Some((number(down)?, number(right)?))),
            };
            offsets.push(offset.filter(|offset| *offset != (0, 0)).ok_or_else(|| self.error(Expected::Offset))?);
            self.at += 1;
        }
        if offsets.is_empty() { Err(self.error(Expected::Offset)) } else { Ok(offsets) }
    }
}

/// Returns the union of two sets.
fn either<W: CellSet>(one: Set<W>, other: Set<W>) -> Set<W> {
    match (one, other) {
        (Set::Kinds(one), Set::Kinds(other)) => Set::Kinds(one | other),
        (Set::Cells(one), Set::Cells(other)) => Set::Cells(one | other),
        (one, other) => Set::Or(Box::new(one), Box::new(other)),
    }
}

/// Returns the intersection of two sets.
fn both<W: CellSet>(one: Set<W>, other: Set<W>) -> Set<W> {
    match (one, other) {
        (Set::Kinds(one), Set::Kinds(other)) => Set::Kinds(one & other),
        (Set::Cells(one), Set::Cells(other)) => Set::Cells(one & other),
        (one, other) => Set::And(Box::new(one), Box::new(other)),
    }
}

/// Returns whether two sentences of a player, or two lines of one, may give moves that read alike.
pub(super) fn is_ambiguous<W: CellSet>(player: &PlayerRules<W>, board: Board) -> bool {
    let mut seen = std::collections::HashSet::new();
    let mut placed = [0_u16; 2];
    for sentence in &player.sentences {
        let mut add = |kind: Kind, from: usize, to: u8| !seen.insert((kind, from, to));
        let rays = match &sentence.action {
            Action::Pass => continue,
            Action::Place { from_hand, .. } => {
                let kinds = sentence.kinds.iter().fold(0, |set, kind| set | 1 << kind);
                let placed = &mut placed[usize::from(*from_hand)];
                if *placed & kinds != 0 {
                    return true;
                }
                *placed |= kinds;
                continue;
            }
            Action::Step { steps, .. } => {
                if steps.pairs().any(|(from, to)| sentence.kinds.iter().any(|kind| add(*kind, from, to as u8))) {
                    return true;
                }
                continue;
            }
            // The pieces that are pushed, and the place of the last of a number, have no part in the text.
            Action::Push { .. } | Action::Sow { .. } if player.sentences.len() > 1 || sentence.kinds.len() > 1 => {
                return true;
            }
            Action::Sow { .. } => continue,
            Action::Slide { rays, .. } | Action::Hop { rays, .. } | Action::Push { rays, .. } => rays,
        };
        for from in 0..board.cells() {
            for to in rays.from(from).iter().flatten() {
                if sentence.kinds.iter().any(|kind| add(*kind, from, *to)) {
                    return true;
                }
            }
        }
    }
    let shots = player.sentences.iter().flat_map(|sentence| &sentence.effects);
    shots.into_iter().any(|effect| match effect {
        Effect::Shoot(Some(rays), ..) => (0..board.cells()).any(|from| {
            let cells: Vec<_> = rays.from(from).iter().flatten().collect();
            let mut distinct = cells.clone();
            distinct.sort_unstable();
            distinct.dedup();
            distinct.len() < cells.len()
        }),
        _ => false,
    })
}
