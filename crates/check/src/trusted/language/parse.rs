//! Sentences of the language as trees, and how they are read.

use super::board::{DIRECTIONS, MAX_CELLS, Map, Set};

/// A set of cells.
#[derive(Clone, Debug, Default)]
pub(crate) enum Cells {
    /// These cells.
    Fixed(Set),
    /// The cells with this piece.
    Piece(u8),
    #[default]
    Empty,
    Own,
    Enemy,
    /// The cells with a piece of this player.
    Of(usize),
    Here,
    Origin,
    Attacked,
    /// One step in some directions from a cell of a set.
    Step(u8, Box<Cells>),
    /// A set, and all cells that such steps lead to from it.
    Reach(u8, Box<Cells>),
    /// All cells of the places where a pattern is.
    Pattern(Box<Pattern>),
    Not(Box<Cells>),
    /// In all of the sets.
    And(Vec<Cells>),
    /// In one of the sets.
    Or(Vec<Cells>),
}

/// A number of cells of a set that follow each other, or four in a square.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) count: usize,
    /// Whether no more of the set may be before or after them.
    pub(crate) exactly: bool,
    pub(crate) is_square: bool,
    /// The sum of the digits on them.
    pub(crate) sum: Option<usize>,
    pub(crate) cells: Cells,
}

/// The number that each cell of a set counts.
#[derive(Clone, Debug)]
pub(crate) enum Unit {
    One,
    /// The number on the cell.
    Number,
    /// A number for each cell of the board.
    Weights(Vec<i64>),
}

/// The sum of what the cells of a set count.
#[derive(Clone, Debug)]
pub(crate) struct Amount {
    pub(crate) unit: Unit,
    pub(crate) cells: Cells,
}

/// A condition.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// An amount is between these numbers.
    Count(i64, i64, Amount),
    Pattern(Pattern),
    /// A group of the first set has a cell in at least so many of the others.
    Connects(Cells, usize, Vec<Cells>),
    /// From a cell of the second set no steps over cells outside the first lead to the rim of the board.
    Encloses(Cells, Cells),
    /// Every group of the first set has a cell adjacent to the second.
    Touches(Cells, Cells),
    /// The piece is in hand, or is not.
    InHand(u8, bool),
    ToMove(usize),
}

/// Conditions that all hold.
pub(crate) type All = Vec<Condition>;

/// A sentence about moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sentence {
    pub(crate) otherwise: bool,
    /// Whether it applies if the one before it does.
    pub(crate) or: bool,
    pub(crate) pieces: Vec<u8>,
    pub(crate) does: Does,
    /// The directions of a step, a slide or a hop.
    pub(crate) ways: u8,
    /// The rows and columns of leaps.
    pub(crate) leaps: Vec<(i32, i32)>,
    /// The most steps of a slide.
    pub(crate) max_steps: Option<usize>,
    /// The cells that a slide or a hop goes over.
    pub(crate) over: Cells,
    /// The cells that a move goes to, or that are pushed out; `None` for a slide that stays on one of those that it goes over.
    pub(crate) onto: Option<Cells>,
    pub(crate) repeatedly: bool,
    /// The cells along which numbers are sown.
    pub(crate) along: Vec<usize>,
    /// The effects after the piece has moved, in this order.
    pub(crate) effects: Vec<Effect>,
    pub(crate) when: All,
    /// Conditions that hold, or do not all hold, after the move.
    pub(crate) then: Vec<(bool, All)>,
    /// The turn stays with the player if one of these holds.
    pub(crate) again: Vec<All>,
    /// The piece that has moved must go on, if it can, if one of these holds.
    pub(crate) go_on: Vec<All>,
}

/// The action of a sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Does {
    Place,
    Drop,
    Step,
    Slide,
    Leap,
    Hop,
    Push,
    Sow,
    #[default]
    Pass,
}

/// An effect after a piece has moved. A piece of `.` is none.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    /// The pieces that were hopped over are removed.
    Capture,
    Leave(u8),
    Becomes(Cells, u8),
    Flip(u8),
    Shoot(u8, Cells, u8),
    /// One cell of a set becomes the piece.
    One(Cells, u8),
    /// The numbers on a set are added to that of a cell.
    Collect(Cells, usize),
}

/// The meaning of words: the players, their pieces and the regions.
#[derive(Debug)]
pub(crate) struct Meanings<'t> {
    pub(crate) map: &'t Map,
    /// The names of the players, in the order of the table; one for both.
    pub(crate) names: &'t [&'static str],
    pub(crate) pieces: [Vec<u8>; 2],
    pub(crate) regions: Vec<(String, Set)>,
    pub(crate) weights: Vec<(String, Vec<i64>)>,
    /// Whether cells hold numbers.
    pub(crate) has_numbers: bool,
}

/// The names that a sentence can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// No player and no move.
    Game,
    /// A player.
    Player,
    /// A player, and where a move comes from.
    Origin,
    /// A player, and where a move comes from and goes to.
    Move,
}

type Result<T> = std::result::Result<T, String>;

/// The deepest nesting of a sentence.
const MAX_DEPTH: usize = 32;

/// Reads a sentence word by word.
#[derive(Debug)]
pub(crate) struct Reader<'t> {
    words: Vec<&'t str>,
    at: usize,
    meanings: &'t Meanings<'t>,
    scope: Scope,
    /// Whether the sentence is that of the other player, to be seen from the other side of the board.
    is_mirrored: bool,
    depth: usize,
}

/// Whether a character can be a piece.
pub(crate) fn is_piece(c: char) -> bool {
    c.is_ascii_alphanumeric() || "*~-@!#".contains(c)
}

/// The words that have a meaning of their own.
const RESERVED: &str = "n ne e se s sw w nw adjacent diagonal queen knight empty own enemy all top bottom left right row \
    rows column columns even odd cells edge corner here origin attacked next to of from not and on in or no at least \
    most exactly a square connects encloses every group touches hand move place drop step slide leap hop push sow along collect into pass one sum numbers onto over \
    capturing repeatedly then leave becomes flip shoot leaving again go if unless when otherwise white black x o b both";

/// Whether a word can name a region or weights.
pub(crate) fn is_region_name(word: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    word.len() > 1
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(is_plain)
        && !RESERVED.split_whitespace().any(|reserved| reserved == word)
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str, meanings: &'t Meanings<'t>, scope: Scope, is_mirrored: bool) -> Self {
        let mut words = Vec::new();
        for word in text.split_whitespace() {
            // Brackets, and a comma at the end of a word, are words of their own.
            let mut rest = word;
            while let Some(n) = rest.find(['(', ')']) {
                words.extend([&rest[..n], &rest[n..=n]].into_iter().filter(|word| !word.is_empty()));
                rest = &rest[n + 1..];
            }
            match rest.strip_suffix(',') {
                Some(word) => words.extend([word, ","].into_iter().filter(|word| !word.is_empty())),
                None if rest.is_empty() => {}
                None => words.push(rest),
            }
        }
        Self { words, at: 0, meanings, scope, is_mirrored, depth: 0 }
    }

    /// Reads all words as `what`.
    pub(crate) fn all<T>(mut self, read: impl FnOnce(&mut Self) -> Result<T>, what: &str) -> Result<T> {
        let found = read(&mut self)?;
        match self.words.get(self.at) {
            None => Ok(found),
            Some(word) => Err(format!("`{word}` after {what}, at word {}", self.at + 1)),
        }
    }

    fn peek(&self, ahead: usize) -> &'t str {
        self.words.get(self.at + ahead).copied().unwrap_or("")
    }

    fn wrong<T>(&self, expected: &str) -> Result<T> {
        match self.words.get(self.at) {
            Some(word) => Err(format!("`{word}` at word {}: expected {expected}", self.at + 1)),
            None => Err(format!("at the end: expected {expected}")),
        }
    }

    /// Takes these words if they come next.
    fn take(&mut self, words: &str) -> bool {
        let count = words.split(' ').count();
        let are_next = words.split(' ').enumerate().all(|(n, word)| self.peek(n) == word);
        self.at += if are_next { count } else { 0 };
        are_next
    }

    fn expect(&mut self, words: &str) -> Result<()> {
        if self.take(words) { Ok(()) } else { self.wrong(&format!("`{words}`")) }
    }

    fn number(&mut self) -> Result<usize> {
        match self.peek(0).parse() {
            Ok(n) if n <= 1000 => {
                self.at += 1;
                Ok(n)
            }
            _ => self.wrong("a number"),
        }
    }

    /// The piece of a word, if it is one.
    fn as_piece(&self, word: &str) -> Option<u8> {
        let [piece] = *word.as_bytes() else { return None };
        if !is_piece(piece.into()) {
            return None;
        }
        let [own, others] = &self.meanings.pieces;
        let other = |from: &[u8], to: &[u8]| Some(to[from.iter().position(|one| *one == piece)?]);
        Some(match self.is_mirrored {
            true => other(own, others).or_else(|| other(others, own)).unwrap_or(piece),
            false => piece,
        })
    }

    fn piece(&mut self) -> Result<u8> {
        match self.as_piece(self.peek(0)) {
            Some(piece) => {
                self.at += 1;
                Ok(piece)
            }
            None => self.wrong("a piece"),
        }
    }

    /// A piece, or `empty`.
    fn piece_or_empty(&mut self) -> Result<u8> {
        if self.take("empty") { Ok(b'.') } else { self.piece() }
    }

    fn pieces(&mut self) -> Result<Vec<u8>> {
        let pieces: Option<Vec<u8>> = self.peek(0).split('/').map(|word| self.as_piece(word)).collect();
        match pieces {
            Some(pieces) => {
                self.at += 1;
                Ok(pieces)
            }
            None => self.wrong("a piece, or several such as `k/q`"),
        }
    }

    /// The directions of a word, if it is one.
    fn as_ways(&self, word: &str) -> Option<u8> {
        let ways = match word {
            "adjacent" => self.meanings.map.adjacent(),
            "diagonal" => 0b1010_1010,
            "queen" => (0..8).filter(|way| self.meanings.map.has_way(*way)).fold(0, |ways, way| ways | 1 << way),
            _ => 1 << DIRECTIONS.iter().position(|(name, _)| *name == word)?,
        };
        // The other side of the board is four directions on.
        Some(if self.is_mirrored { u8::rotate_left(ways, 4) } else { ways })
    }

    fn ways(&mut self) -> Result<u8> {
        let mut ways = 0;
        while let Some(more) = self.as_ways(self.peek(0)) {
            if (0..8).any(|way| more >> way & 1 == 1 && !self.meanings.map.has_way(way)) {
                return self.wrong("a direction of a hex board: `n`, `ne`, `e`, `s`, `sw`, `w`");
            }
            ways |= more;
            self.at += 1;
        }
        if ways == 0 { self.wrong("a direction") } else { Ok(ways) }
    }

    fn as_player(&self, word: &str) -> Option<usize> {
        let player = self.meanings.names.iter().position(|name| *name == word)?;
        Some(if self.is_mirrored { 1 - player } else { player })
    }

    fn fixed(&self, set: Set) -> Cells {
        let map = self.meanings.map;
        Cells::Fixed(map.all & if self.is_mirrored { map.half_turn(set) } else { set })
    }

    /// A set: sets joined by `or`.
    pub(crate) fn cells(&mut self) -> Result<Cells> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.wrong("fewer brackets in one another");
        }
        let mut sets = vec![self.joined_cells()?];
        while self.take("or") {
            sets.push(self.joined_cells()?);
        }
        self.depth -= 1;
        Ok(if sets.len() == 1 { sets.swap_remove(0) } else { Cells::Or(sets) })
    }

    /// Sets joined by `and`, `on` and `in`.
    fn joined_cells(&mut self) -> Result<Cells> {
        let mut sets = vec![self.one_set()?];
        loop {
            let is_row = self.peek(1) == "a" && matches!(self.peek(2), "row" | "square") || self.peek(1) == "hand";
            if self.take("and") || self.take("on") || !is_row && self.take("in") {
                sets.push(self.one_set()?);
            } else {
                return Ok(if sets.len() == 1 { sets.swap_remove(0) } else { Cells::And(sets) });
            }
        }
    }

    /// One word, words in brackets, or what `not`, `next to`, `of` and `from` make of a set.
    fn one_set(&mut self) -> Result<Cells> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.wrong("fewer words of sets in one another");
        }
        let is_way = |n: &usize| self.as_ways(self.peek(*n)).is_some();
        let ways = (0..).take_while(is_way).count();
        let set = if self.take("(") {
            let exactly = self.take("exactly");
            let set = if exactly || self.is_number() {
                let (count, cells) = (self.number()?, self.cells()?);
                Cells::Pattern(Box::new(self.pattern(count, exactly, cells)?))
            } else {
                self.cells()?
            };
            self.expect(")")?;
            set
        } else if self.take("not") {
            Cells::Not(Box::new(self.one_set()?))
        } else if self.take("next to") {
            Cells::Step(self.meanings.map.adjacent(), Box::new(self.one_set()?))
        } else if ways > 0 && matches!(self.peek(ways), "of" | "from") {
            let (ways, is_step) = (self.ways()?, self.take("of"));
            self.at += usize::from(!is_step);
            let set = Box::new(self.one_set()?);
            if is_step { Cells::Step(ways, set) } else { Cells::Reach(ways, set) }
        } else {
            self.word()?
        };
        self.depth -= 1;
        Ok(set)
    }

    /// A set without another one in it.
    fn word(&mut self) -> Result<Cells> {
        let Map { rows, cols, .. } = *self.meanings.map;
        let cells_where = |is_so: &dyn Fn(usize, usize) -> bool| self.fixed(self.meanings.map.cells_where(is_so));
        let (word, next) = (self.peek(0), self.peek(1));
        let (count, unit) = match next.parse() {
            Ok(count) if count <= 1000 => (Some(count), self.peek(2)),
            _ => (None, next),
        };
        let is_unit = |expected: &str| unit == expected || unit.strip_suffix('s') == Some(expected);
        let (k, length) = (count.unwrap_or(1), 2 + usize::from(count.is_some()));
        let side = match word {
            "top" if is_unit("row") => Some(cells_where(&|row, _| row < k)),
            "bottom" if is_unit("row") => Some(cells_where(&|row, _| row + k >= rows)),
            "left" if is_unit("column") => Some(cells_where(&|_, col| col < k)),
            "right" if is_unit("column") => Some(cells_where(&|_, col| col + k >= cols)),
            _ => None,
        };
        if let Some(side) = side {
            self.at += length;
            return Ok(side);
        }
        let is_odd = usize::from(word == "odd");
        let found = match (word, next, count) {
            ("row", _, Some(n)) => cells_where(&|row, _| row == n),
            ("column", _, Some(n)) => cells_where(&|_, col| col == n),
            ("even" | "odd", "rows", _) => cells_where(&|row, _| row % 2 == is_odd),
            ("even" | "odd", "columns", _) => cells_where(&|_, col| col % 2 == is_odd),
            ("even" | "odd", "cells", _) => cells_where(&|row, col| (row + col) % 2 == is_odd),
            _ => return self.single_word(),
        };
        self.at += 2;
        Ok(found)
    }

    /// The cell of a row and a column, both from 0.
    fn cell(&self, word: &str) -> Option<usize> {
        let Map { rows, cols, .. } = *self.meanings.map;
        let (row, col) = word.split_once(',')?;
        let (row, col): (usize, usize) = (row.parse().ok()?, col.parse().ok()?);
        (row < rows && col < cols).then_some(row * cols + col)
    }

    fn single_word(&mut self) -> Result<Cells> {
        let Map { rows, cols, .. } = *self.meanings.map;
        let is_end = |n: usize, of: usize| n == 0 || n + 1 == of;
        let cells_where = |is_so: &dyn Fn(usize, usize) -> bool| self.fixed(self.meanings.map.cells_where(is_so));
        let word = self.peek(0);
        let is_of_nobody = |piece: &u8| !self.meanings.pieces.concat().contains(piece);
        let region = self.meanings.regions.iter().find(|(name, _)| name == word);
        let needs = match word {
            "own" | "enemy" | "attacked" => Scope::Player,
            "origin" => Scope::Origin,
            "here" => Scope::Move,
            _ => Scope::Game,
        };
        if (self.scope as u8) < needs as u8 {
            return self.wrong(&format!("no `{word}`, which says nothing here"));
        }
        let found = match (word, self.as_piece(word), self.as_player(word)) {
            (_, Some(piece), player) if player.is_none() || !is_of_nobody(&piece) => Cells::Piece(piece),
            (.., Some(player)) => Cells::Of(player),
            ("empty", ..) => Cells::Empty,
            ("own", ..) => Cells::Own,
            ("enemy", ..) => Cells::Enemy,
            ("all", ..) => Cells::Fixed(self.meanings.map.all),
            ("edge", ..) => cells_where(&|row, col| is_end(row, rows) || is_end(col, cols)),
            ("corner", ..) => cells_where(&|row, col| is_end(row, rows) && is_end(col, cols)),
            _ if word.len() > 1 && word.contains(',') => match self.cell(word) {
                Some(cell) => self.fixed(1 << cell),
                None => return self.wrong("a cell of the board"),
            },
            ("here", ..) => Cells::Here,
            ("origin", ..) => Cells::Origin,
            ("attacked", ..) => Cells::Attacked,
            _ => match region {
                Some((_, set)) => self.fixed(*set),
                None => return self.wrong("a set of cells"),
            },
        };
        self.at += 1;
        Ok(found)
    }

    /// Conditions joined by commas, up to a clause of a move.
    pub(crate) fn conditions(&mut self) -> Result<All> {
        let mut all = vec![self.condition()?];
        while self.peek(0) == "," && !self.is_clause(1) {
            self.at += 1;
            all.push(self.condition()?);
        }
        Ok(all)
    }

    fn is_clause(&self, ahead: usize) -> bool {
        self.scope == Scope::Move
            && matches!(self.peek(ahead), "capturing" | "repeatedly" | "then" | "when" | "if" | "unless")
    }

    /// What a word says that cells count.
    fn as_unit(&self, word: &str) -> Option<Unit> {
        if word == "numbers" && self.meanings.has_numbers {
            return Some(Unit::Number);
        }
        let (_, weights) = self.meanings.weights.iter().find(|(name, _)| name == word)?;
        let mut weights = weights.clone();
        if self.is_mirrored {
            weights.reverse();
        }
        Some(Unit::Weights(weights))
    }

    /// A set, or what its cells count, `on`, and the set.
    fn amount(&mut self, unit: Unit) -> Result<Amount> {
        let Some(named) = self.as_unit(self.peek(0)) else { return Ok(Amount { unit, cells: self.cells()? }) };
        self.at += 1;
        self.expect("on")?;
        Ok(Amount { unit: named, cells: self.cells()? })
    }

    /// How much an amount may be. Of cells there are at least 0.
    fn bound(&mut self) -> Result<i64> {
        match self.peek(0).parse::<i32>() {
            Ok(n) if n >= 0 || self.as_unit(self.peek(1)).is_some() => {
                self.at += 1;
                Ok(n.into())
            }
            _ => self.wrong("a number"),
        }
    }

    fn condition(&mut self) -> Result<Condition> {
        let in_hand = |n: usize| self.peek(n) == "in" && self.peek(n + 1) == "hand";
        let is_no = self.peek(0) == "no";
        if in_hand(1 + usize::from(is_no)) && self.scope != Scope::Game {
            self.at += usize::from(is_no);
            let piece = self.piece()?;
            self.expect("in hand")?;
            return Ok(Condition::InHand(piece, !is_no));
        }
        if (self.peek(1), self.peek(2)) == ("to", "move") && self.meanings.names.len() == 2 {
            let Some(player) = self.as_player(self.peek(0)) else { return self.wrong("a player") };
            self.at += 3;
            return Ok(Condition::ToMove(player));
        }
        if self.take("no") {
            return Ok(Condition::Count(0, 0, Amount { unit: Unit::One, cells: self.cells()? }));
        }
        if self.take("at least") {
            return Ok(Condition::Count(self.bound()?, i64::MAX, self.amount(Unit::One)?));
        }
        if self.take("at most") {
            return Ok(Condition::Count(i64::MIN, self.bound()?, self.amount(Unit::One)?));
        }
        if self.take("exactly") {
            let (count, amount) = (self.bound()?, self.amount(Unit::One)?);
            return match (self.peek(0), &amount.unit) {
                ("in", Unit::One) => self.pattern(count as usize, true, amount.cells).map(Condition::Pattern),
                _ => Ok(Condition::Count(count, count, amount)),
            };
        }
        if self.take("every group of") {
            let cells = self.cells()?;
            self.expect("touches")?;
            return Ok(Condition::Touches(cells, self.cells()?));
        }
        if self.is_number() {
            let (count, cells) = (self.number()?, self.cells()?);
            return self.pattern(count, false, cells).map(Condition::Pattern);
        }
        let cells = self.cells()?;
        if self.take("connects") {
            let count = if self.peek(1) == "of" { self.peek(0).parse::<usize>().ok() } else { None };
            if count.is_some() {
                self.at += 2;
            }
            let mut sides = vec![self.cells()?];
            while self.take("to") {
                sides.push(self.cells()?);
            }
            let count = count.unwrap_or(sides.len());
            return match sides.len() {
                0 | 1 => self.wrong("`to` and a set"),
                most if (1..=most).contains(&count) => Ok(Condition::Connects(cells, count, sides)),
                _ => self.wrong("a number of these sets"),
            };
        }
        if self.meanings.map.has_rim() && self.take("encloses") {
            return Ok(Condition::Encloses(cells, self.cells()?));
        }
        Ok(Condition::Count(1, i64::MAX, Amount { unit: Unit::One, cells }))
    }

    /// Whether a number of cells comes next: a digit can be a piece, but a number is followed by a set.
    fn is_number(&self) -> bool {
        let ends = ["", ",", ")", "and", "on", "in", "or", "connects", "encloses", "touches"];
        self.peek(0).parse::<usize>().is_ok() && !ends.contains(&self.peek(1))
    }

    /// The words after the cells of a pattern.
    fn pattern(&mut self, count: usize, exactly: bool, cells: Cells) -> Result<Pattern> {
        let is_square = match (count, self.take("in a row"), self.take("in a square")) {
            (1.., true, _) => false,
            (4, _, true) => true,
            _ => return self.wrong("`in a row`, or of 4 `in a square`"),
        };
        let sum = if self.take("sum to") { Some(self.number()?) } else { None };
        Ok(Pattern { count, exactly, is_square, sum, cells })
    }

    /// A piece, and what it becomes in hand.
    pub(crate) fn capture(&mut self) -> Result<(u8, u8)> {
        Ok((self.piece()?, self.piece()?))
    }

    /// An amount less another one. Numbers are counted where cells hold them.
    pub(crate) fn difference(&mut self) -> Result<[Amount; 2]> {
        let unit = if self.meanings.has_numbers { Unit::Number } else { Unit::One };
        let first = self.amount(unit.clone())?;
        self.expect("-")?;
        Ok([first, self.amount(unit)?])
    }

    /// A sentence about moves.
    pub(crate) fn sentence(&mut self) -> Result<Sentence> {
        self.scope = Scope::Origin;
        let (otherwise, or) = (self.take("otherwise"), self.take("or"));
        let mut sentence = Sentence { otherwise, or, ..Sentence::default() };
        // A piece can have the name of a word.
        let is_placed = matches!(self.peek(0), "place" | "drop");
        if is_placed {
            sentence.does = if self.take("place") { Does::Place } else { Does::Drop };
            self.at += usize::from(sentence.does == Does::Drop);
            sentence.pieces = self.pieces()?;
            self.expect("on")?;
            sentence.onto = Some(self.cells()?);
        } else if self.take("push") {
            sentence.does = Does::Push;
            sentence.pieces = self.pieces()?;
            sentence.ways = self.ways()?;
            self.expect("from")?;
            sentence.onto = Some(self.cells()?);
        } else if self.take("sow from") {
            sentence.does = Does::Sow;
            sentence.onto = Some(self.cells()?);
            self.expect("along")?;
            while sentence.along.is_empty() || self.peek(0).contains(',') && self.peek(0).len() > 1 {
                let cell = self.fixed_cell()?;
                if sentence.along.contains(&cell) {
                    return self.wrong("another cell before");
                }
                sentence.along.push(cell);
            }
        } else if !self.take("pass") {
            sentence.pieces = self.pieces()?;
            let verbs = [("step", Does::Step), ("slide", Does::Slide), ("leap", Does::Leap), ("hop", Does::Hop)];
            match verbs.iter().find(|(verb, _)| self.take(verb)) {
                Some((_, does)) => sentence.does = *does,
                None => return self.wrong("`step`, `slide`, `leap` or `hop`"),
            }
            if sentence.does == Does::Slide && self.take("at most") {
                sentence.max_steps = Some(self.number()?);
            }
            match sentence.does {
                Does::Leap => sentence.leaps = self.leaps()?,
                _ => sentence.ways = self.ways()?,
            }
            if matches!(sentence.does, Does::Slide | Does::Hop) {
                self.expect("over")?;
                sentence.over = self.cells()?;
            }
            if sentence.does != Does::Slide || self.peek(0) == "onto" {
                self.expect("onto")?;
                sentence.onto = Some(self.cells()?);
            }
        }
        self.scope = Scope::Move;
        while self.take(",") {
            self.clause(&mut sentence)?;
        }
        Ok(sentence)
    }

    /// A set of one cell that is always the same.
    fn fixed_cell(&mut self) -> Result<usize> {
        match self.cells()? {
            Cells::Fixed(set) if set.is_power_of_two() => Ok(set.trailing_zeros() as usize),
            _ => self.wrong("a cell before"),
        }
    }

    fn leaps(&mut self) -> Result<Vec<(i32, i32)>> {
        let mut leaps = Vec::new();
        loop {
            let number = |word: &str| word.parse().ok().filter(|by: &i32| (0..MAX_CELLS as i32).contains(by));
            let leap = match self.peek(0) {
                "knight" => Some((1, 2)),
                word => word.split_once(',').and_then(|(a, b)| Some((number(a)?, number(b)?))),
            };
            match leap {
                Some(leap) => leaps.push(leap),
                None if leaps.is_empty() => return self.wrong("rows and columns, such as `1,2`"),
                None => return Ok(leaps),
            }
            self.at += 1;
        }
    }

    fn clause(&mut self, sentence: &mut Sentence) -> Result<()> {
        let is_choice = |effect: &Effect| matches!(effect, Effect::Shoot(..) | Effect::One(..));
        let (does, has_choice) = (sentence.does, sentence.effects.iter().any(is_choice));
        if does == Does::Hop && self.take("capturing") {
            sentence.effects.push(Effect::Capture);
        } else if does == Does::Hop && self.take("repeatedly") {
            sentence.repeatedly = true;
        } else if self.take("when") {
            sentence.when.extend(self.conditions()?);
        } else if self.take("if") {
            sentence.then.push((true, self.conditions()?));
        } else if self.take("unless") {
            sentence.then.push((false, self.conditions()?));
        } else if self.take("then again if") {
            sentence.again.push(self.conditions()?);
        } else if self.take("then again") {
            sentence.again.push(Vec::new());
        } else if does != Does::Pass && self.take("then go on if") {
            sentence.go_on.push(self.conditions()?);
        } else if does != Does::Pass && self.take("then go on") {
            sentence.go_on.push(Vec::new());
        } else if !matches!(does, Does::Place | Does::Drop | Does::Push | Does::Sow | Does::Pass)
            && self.take("then leave")
        {
            sentence.effects.push(Effect::Leave(self.piece_or_empty()?));
        } else if does != Does::Pass && self.take("then flip") {
            sentence.effects.push(Effect::Flip(self.ways()?));
        } else if does != Does::Pass && !has_choice && self.take("then shoot") {
            let ways = self.ways()?;
            self.expect("over")?;
            let over = self.cells()?;
            self.expect("leaving")?;
            sentence.effects.push(Effect::Shoot(ways, over, self.piece_or_empty()?));
        } else if self.take("then collect") {
            let cells = self.cells()?;
            self.expect("into")?;
            sentence.effects.push(Effect::Collect(cells, self.fixed_cell()?));
        } else if does != Does::Pass && !has_choice && self.take("then one of") {
            let cells = self.cells()?;
            self.expect("becomes")?;
            sentence.effects.push(Effect::One(cells, self.piece_or_empty()?));
        } else if self.take("then") {
            let cells = self.cells()?;
            self.expect("becomes")?;
            sentence.effects.push(Effect::Becomes(cells, self.piece_or_empty()?));
        } else {
            return self.wrong("a clause of such a move");
        }
        Ok(())
    }
}
