//! The rules language: a game that is stated in sentences. `docs/language.md` says what they mean; this is a plain
//! interpreter of them.
//!
//! A position is three words. Two hold the piece on each cell, from the lowest bits: 4 bits a cell, or on boards of more than 64 cells
//! as few as the kinds of pieces need, and no cell lies across two words; 0 is no piece, or no cell. The third holds the number of each
//! kind in hand, 8 bits each; from bit 120, or 112 on such boards, the number of the cell of a piece that must go on, from 1; and bit
//! 127, which is set if the second player of the table is to move.

mod board;
mod marks;
mod moves;
mod parse;
mod view;

use board::{MAX_CELLS, Map, Set, Shape, each};
use marks::Marks;
use parse::{All, Amount, Effect, Meanings, Reader, Scope, Sentence, is_piece, is_region_name};
use view::View;

use super::claim::MAX_SCORE;
use super::game::{Game, LOST, Move, Outcome, Position, WON};
use crate::untrusted::meter::Meter;
use crate::untrusted::notation::Notation;
use crate::{CheckError, Result};

/// A result of reading, or the mistake.
type Read<T> = std::result::Result<T, String>;

/// A game stated in sentences, on one board.
#[derive(Debug)]
pub struct Language {
    pub(crate) map: Map,
    /// The pieces that there can be, in the order of their numbers from 1.
    pub(crate) kinds: Vec<u8>,
    /// The number of each character, 0 for no piece.
    indices: [u8; 128],
    /// The number of bits of a cell in a position.
    cell_bits: usize,
    /// The players in the order of the table; one for both.
    players: Vec<Player>,
    /// The player who moves first.
    pub(crate) first: usize,
    stuck: Stuck,
    draws: Vec<All>,
    score: Option<[Amount; 2]>,
    /// The largest number on a cell; 0 if there are no numbers.
    pub(crate) numbers: usize,
    /// The names of the players; `None` where both have the same moves.
    names: Option<[Names; 2]>,
    /// The lines of the head.
    lines: Vec<String>,
    /// What makes it a game of marks, if it is one.
    marks: Option<Marks>,
}

/// A player.
#[derive(Debug, Default)]
struct Player {
    pieces: Vec<u8>,
    moves: Vec<Sentence>,
    wins: Vec<All>,
    loses: Vec<All>,
    /// The pieces that are captured, and what each becomes in hand.
    captures: Vec<(u8, u8)>,
}

/// The result for a player who cannot move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stuck {
    Ends(Outcome),
    Passes,
    Scores,
}

/// A player's names in rules, in claims, and in positions.
type Names = (&'static str, &'static str, &'static str);

/// The players.
const PLAYERS: [[Names; 2]; 4] = [
    [("white", "White", "w"), ("black", "Black", "b")],
    [("x", "X", "x"), ("o", "O", "o")],
    [("left", "Left", "l"), ("right", "Right", "r")],
    [("a", "A", "a"), ("b", "B", "b")],
];

/// The most kinds of pieces.
const MAX_KINDS: usize = 15;

/// The most lines of a graph, and the most cells of each.
const MAX_EDGES: usize = 256;
const MAX_EDGE_CELLS: usize = MAX_CELLS + 1;

/// The largest sum of the weights of a board, without their signs. A score is the difference of two amounts.
const MAX_WEIGHT: i64 = 400_000;
const _: () = assert!(2 * MAX_WEIGHT <= MAX_SCORE as i64);

/// A position while moves are made.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The character of each cell.
    pub(crate) cells: [u8; MAX_CELLS],
    /// How many of each kind of piece are in hand.
    pub(crate) hands: [u8; MAX_KINDS],
    /// The player to move: 0 for both.
    pub(crate) turn: usize,
    /// The cell of the piece that must go on.
    pub(crate) going: Option<usize>,
}

/// The largest number of cells with four bits for each in two words of a position. Larger boards have room for fewer kinds.
const NARROW_CELLS: usize = 64;

/// The bit of the third word that is set if the second player is to move.
const SECOND_TO_MOVE: u128 = 1 << 127;

impl State {
    /// How many of a piece are in hand.
    pub(crate) fn in_hand(&self, language: &Language, piece: u8) -> u8 {
        language.kind(piece).map_or(0, |kind| self.hands[kind])
    }
}

impl Language {
    /// Reads the lines of a head that state the rules, without the first, `family`. The text of a position gives the board,
    /// and the neutral pieces that no sentence speaks of.
    ///
    /// # Errors
    /// A description of the first mistake.
    pub fn new(lines: &[&str], position: &str) -> Read<Self> {
        let (rows, glyphs) = read_rows(position.split_whitespace().next().unwrap_or(""))?;
        let cols = glyphs.len() / rows;
        let mut pairs = Vec::new();
        for line in lines {
            let pair = line.split_once(':').map(|(key, value)| (key.trim(), value.trim()));
            pairs.push(pair.ok_or_else(|| format!("`{line}`: expected a key and `:`"))?);
        }
        // The lines of the game, then those of each player.
        let begins: Vec<usize> = (0..pairs.len()).filter(|n| pairs[*n].0 == "player").collect();
        let (head, sections) = pairs.split_at(begins.first().copied().unwrap_or(pairs.len()));
        let sections: Vec<&[(&str, &str)]> = sections.chunk_by(|_, next| next.0 != "player").collect();
        let players_of = names_of(&sections)?;
        let names: Vec<&'static str> = players_of.map_or(vec!["both"], |pair| pair.map(|names| names.0).to_vec());
        let of_player = |name: &str| sections.iter().find(|section| section[0].1 == name).copied().unwrap_or(&[]);
        let pieces = |name: &str| -> Read<Vec<u8>> {
            let words = one(of_player(name), "pieces")?.unwrap_or("").split_whitespace();
            let glyphs: Vec<char> = words.flat_map(str::chars).collect();
            let is_own = |(n, c): (usize, &char)| is_piece(*c) && *c != '#' && !glyphs[..n].contains(c);
            if !glyphs.iter().enumerate().all(is_own) {
                return Err(format!("the pieces of `{name}`: expected different letters, digits or `*~-@!`"));
            }
            Ok(glyphs.into_iter().map(|c| c as u8).collect())
        };
        let own = names.iter().map(|name| pieces(name)).collect::<Read<Vec<_>>>()?;
        let both = [own[0].clone(), own[own.len() - 1].clone()];
        let all = (0..glyphs.len()).filter(|n| glyphs[*n] != '_').fold(0, |all: Set, cell| all | 1 << cell);
        let cell = |text: &str| read_cell(text, rows, cols);
        let shape = match one(head, "shape")?.unwrap_or("grid") {
            "grid" => Shape::Grid,
            "torus" => Shape::Torus,
            "hex" => Shape::Hex,
            "graph" => Shape::Graph,
            other => return Err(format!("`shape: {other}`: expected `grid`, `torus`, `hex` or `graph`")),
        };
        let mut edges: Vec<Vec<u8>> = Vec::new();
        for text in many(head, "edges") {
            edges.push(text.split_whitespace().map(|word| Ok(cell(word)? as u8)).collect::<Read<_>>()?);
            if edges.last().is_none_or(|edge| !(2..=MAX_EDGE_CELLS).contains(&edge.len())) || edges.len() > MAX_EDGES {
                return Err(format!(
                    "`edges: {text}`: expected 2 to {MAX_EDGE_CELLS} cells, and {MAX_EDGES} lines at most"
                ));
            }
        }
        if edges.is_empty() == (shape == Shape::Graph) {
            return Err("lines `edges:` are expected of a graph, and only of one".into());
        }
        let map = Map::new(rows, cols, all, shape, &edges);
        let mut regions: Vec<(String, Set)> = Vec::new();
        for (key, value) in head {
            let Some(name) = key.strip_prefix("region ").map(str::trim) else { continue };
            let cells = value.split_whitespace().map(cell).collect::<Read<Vec<_>>>()?;
            if !is_region_name(name) || regions.iter().any(|region| region.0 == name) {
                return Err(format!("`{key}`: expected a new name, a word without a meaning of its own"));
            }
            regions.push((name.to_owned(), cells.iter().fold(0, |set, cell| set | 1 << cell)));
        }
        let mut weights: Vec<(String, Vec<i64>)> = Vec::new();
        for (key, value) in head {
            let Some(name) = key.strip_prefix("weights ").map(str::trim) else { continue };
            let is_used = |(used, _): &(String, Set)| used == name;
            if !is_region_name(name) || regions.iter().any(is_used) || weights.iter().any(|(used, _)| used == name) {
                return Err(format!("`{key}`: expected a new name, a word without a meaning of its own"));
            }
            weights.push((name.to_owned(), read_weights(value, rows, cols).map_err(|e| format!("`{key}`: {e}"))?));
        }
        let numbers = one(head, "numbers")?.map_or(Ok(0), |text| match text.parse() {
            Ok(largest) if largest < MAX_KINDS => Ok(largest),
            _ => Err(format!("`numbers: {text}`: expected less than {MAX_KINDS}")),
        })?;
        let meanings = Meanings { map: &map, names: &names, pieces: both, regions, weights, has_numbers: numbers > 0 };
        let stuck = match (one(head, "stuck")?, one(head, "score")?) {
            (Some("loses"), _) | (None, None) => Stuck::Ends(LOST),
            (Some("wins"), _) => Stuck::Ends(WON),
            (Some("draws"), _) => Stuck::Ends(0),
            (Some("passes"), _) => Stuck::Passes,
            (Some("scores"), Some(_)) | (None, Some(_)) => Stuck::Scores,
            (Some("scores"), None) => return Err("`stuck: scores`: there is no line `score:`".into()),
            (Some(other), _) => return Err(format!("`stuck: {other}`: expected loses, wins, draws, passes or scores")),
        };
        let first = match one(head, "first")? {
            None => 0,
            Some(name) => {
                let found = names.iter().position(|player| *player == name && names.len() == 2);
                found.ok_or_else(|| format!("`first: {name}`: expected one of the players"))?
            }
        };
        if names.len() == 1 && one(head, "score")?.is_some() {
            return Err("`score:`: there is no first player of `both`".into());
        }
        let known = |key: &str| matches!(key, "shape" | "edges" | "stuck" | "first" | "draws" | "score" | "numbers");
        let is_named = |key: &str| key.starts_with("region ") || key.starts_with("weights ");
        if let Some((key, _)) = head.iter().find(|(key, _)| !known(key) && !is_named(key)) {
            return Err(format!("the line `{key}:` says nothing to such a game"));
        }
        let read_in = |text: &str, scope, is_mirrored| {
            Reader::new(text, &meanings, scope, is_mirrored).all(Reader::conditions, "the conditions")
        };
        let at = |key: &str, text: &str, wrong: String| format!("`{key}: {text}`: {wrong}");
        let draws = many(head, "draws").map(|text| read_in(text, Scope::Game, false).map_err(|e| at("draws", text, e)));
        let draws = draws.collect::<Read<Vec<_>>>()?;
        let score = one(head, "score")?.map(|text| {
            let score = Reader::new(text, &meanings, Scope::Game, false).all(Reader::difference, "the score");
            score.map_err(|e| at("score", text, e))
        });
        let score = score.transpose()?;
        let mut players = Vec::new();
        for (n, name) in names.iter().enumerate() {
            let own = of_player(name);
            let mirror = one(own, "mirror")?;
            let is_mirrored = mirror.is_some();
            let source = match mirror {
                None => own,
                Some(other)
                    if names.len() == 2 && other == names[1 - n] && one(of_player(other), "mirror")?.is_none() =>
                {
                    of_player(other)
                }
                Some(other) => return Err(format!("`mirror: {other}`: expected the other player, who mirrors nobody")),
            };
            let is_own_key = |key: &str| matches!(key, "player" | "pieces" | "mirror");
            let is_rule = |key: &str| matches!(key, "moves" | "wins" | "loses" | "captures");
            if let Some((key, _)) = own.iter().find(|(key, _)| !is_own_key(key) && (is_mirrored || !is_rule(key))) {
                return Err(format!("the line `{key}:` of `{name}` says nothing"));
            }
            if is_mirrored && meanings.pieces[0].len() != meanings.pieces[1].len() {
                return Err("`mirror`: the players have different numbers of pieces".into());
            }
            let mut player = Player { pieces: meanings.pieces[n].clone(), ..Player::default() };
            for (key, text) in source {
                let conditions = || read_in(text, Scope::Player, is_mirrored);
                let read = match *key {
                    "moves" => Reader::new(text, &meanings, Scope::Move, is_mirrored)
                        .all(Reader::sentence, "the sentence")
                        .map(|sentence| player.moves.push(sentence)),
                    "wins" => conditions().map(|all| player.wins.push(all)),
                    "loses" => conditions().map(|all| player.loses.push(all)),
                    "captures" => Reader::new(text, &meanings, Scope::Player, is_mirrored)
                        .all(Reader::capture, "two pieces")
                        .map(|pair| player.captures.push(pair)),
                    _ => Ok(()),
                };
                read.map_err(|wrong| at(key, text, wrong))?;
            }
            players.push(player);
        }
        let lines = pairs.iter().map(|(key, value)| {
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{}: {}", words(key), words(value))
        });
        let lines = lines.collect();
        let uses_numbers = |sentence: &Sentence| {
            let collects = sentence.effects.iter().any(|effect| matches!(effect, Effect::Collect(..)));
            collects || sentence.does == parse::Does::Sow
        };
        if numbers == 0 && players.iter().flat_map(|player| &player.moves).any(uses_numbers) {
            return Err("`sow` and `collect`: there is no line `numbers:`".into());
        }
        let mut language = Self {
            numbers,
            map,
            kinds: Vec::new(),
            indices: [0; 128],
            players,
            first,
            stuck,
            draws,
            score,
            names: players_of,
            lines,
            marks: None,
            cell_bits: 4,
        };
        language.marks = Marks::new(&language);
        language.find_kinds(position)?;
        language.check_hands()?;
        Ok(language)
    }

    /// Finds all pieces that there can be: those of the players, of sentences, and of a position.
    fn find_kinds(&mut self, position: &str) -> Read<()> {
        let (_, glyphs) = read_rows(position.split_whitespace().next().unwrap_or(""))?;
        let mut kinds: Vec<u8> = glyphs.iter().filter(|c| is_piece(**c)).map(|c| *c as u8).collect();
        kinds.extend((b'1'..=b'z').filter(|piece| number(*piece, self.numbers) > 0));
        for player in &self.players {
            kinds.extend(&player.pieces);
            kinds.extend(player.captures.iter().map(|(_, becomes)| becomes));
            for sentence in &player.moves {
                kinds.extend(&sentence.pieces);
                kinds.extend(sentence.effects.iter().filter_map(|effect| match effect {
                    Effect::Leave(piece)
                    | Effect::Becomes(_, piece)
                    | Effect::Shoot(.., piece)
                    | Effect::One(_, piece) => Some(*piece),
                    Effect::Capture | Effect::Flip(_) | Effect::Collect(..) => None,
                }));
            }
        }
        // A part of a position is among blocked cells.
        kinds.extend(self.marks.is_some().then_some(b'#'));
        kinds.retain(|kind| *kind != b'.');
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.len() > MAX_KINDS {
            return Err(format!("{} kinds of pieces: expected at most {MAX_KINDS}", kinds.len()));
        }
        for (number, kind) in (1..).zip(&kinds) {
            self.indices[usize::from(*kind)] = number;
        }
        if glyphs.len() > NARROW_CELLS {
            self.cell_bits = (usize::BITS - kinds.len().leading_zeros()).max(1) as usize;
            let max = 2 * self.cells_a_word();
            if glyphs.len() > max {
                let (cells, kinds) = (glyphs.len(), kinds.len());
                return Err(format!(
                    "a board of {cells} cells with {kinds} kinds of pieces: expected at most {max} cells"
                ));
            }
        }
        self.kinds = kinds;
        Ok(())
    }

    /// Checks that each piece that can be in hand is one player's.
    fn check_hands(&self) -> Read<()> {
        for (n, player) in self.players.iter().enumerate() {
            let dropped = player.moves.iter().filter(|sentence| sentence.does == parse::Does::Drop);
            let dropped = dropped.flat_map(|sentence| &sentence.pieces);
            let captured = player.captures.iter().map(|(_, becomes)| becomes);
            if let Some(piece) = dropped.chain(captured).find(|piece| !self.can_hold(n, **piece)) {
                return Err(format!("`{}` in hand: expected a piece of this player alone", char::from(*piece)));
            }
        }
        Ok(())
    }

    /// Whether a player can have a piece in hand: it is that player's alone.
    pub(crate) fn can_hold(&self, player: usize, piece: u8) -> bool {
        self.pieces(player).contains(&piece) && (self.players.len() == 1 || !self.pieces(1 - player).contains(&piece))
    }

    fn player(&self, player: usize) -> &Player {
        &self.players[player.min(self.players.len() - 1)]
    }

    /// The number of players with moves of their own: one where both have the same.
    pub(crate) fn count_players(&self) -> usize {
        self.players.len()
    }

    pub(crate) fn pieces(&self, player: usize) -> &[u8] {
        &self.player(player).pieces
    }

    pub(crate) fn sentences(&self, player: usize) -> &[Sentence] {
        &self.player(player).moves
    }

    /// The index of a kind of piece.
    pub(crate) fn kind(&self, piece: u8) -> Option<usize> {
        let is_kind = piece.is_ascii() && self.indices[usize::from(piece)] > 0;
        is_kind.then(|| usize::from(self.indices[usize::from(piece)]) - 1)
    }

    /// The letters of the players in positions, in the order of the table; none where both have the same moves.
    pub(crate) fn letters(&self) -> Option<[&'static str; 2]> {
        self.names.map(|names| names.map(|name| name.2))
    }

    /// The number of cells that a word of a position holds.
    const fn cells_a_word(&self) -> usize {
        128 / self.cell_bits
    }

    /// The number of cells of the board, those that are `_` among them.
    pub(crate) const fn cells(&self) -> usize {
        self.map.rows * self.map.cols
    }

    /// The lowest bit of the cell of the piece that must go on, in the third word. A board with more than [`NARROW_CELLS`] has few kinds in
    /// hand before it.
    const fn going_shift(&self) -> usize {
        if self.cell_bits == 4 { 120 } else { 112 }
    }

    pub(crate) fn pack(&self, state: &State) -> Position {
        let mut words = [0_u128; 3];
        for (word, cells) in words.iter_mut().zip(state.cells[..self.cells()].chunks(self.cells_a_word())) {
            let number = |piece: &u8| self.kind(*piece).map_or(0, |kind| kind as u128 + 1);
            *word = cells.iter().rev().fold(0, |word, piece| word << self.cell_bits | number(piece));
        }
        for (kind, count) in state.hands.iter().enumerate() {
            words[2] |= u128::from(*count) << (8 * kind);
        }
        words[2] |= state.going.map_or(0, |cell| cell as u128 + 1) << self.going_shift();
        Position(words[0], words[1], words[2] | if state.turn == 1 { SECOND_TO_MOVE } else { 0 })
    }

    pub(crate) fn unpack(&self, at: &Position) -> State {
        let mut cells = [b'_'; MAX_CELLS];
        for (mut word, cells) in [at.0, at.1].into_iter().zip(cells[..self.cells()].chunks_mut(self.cells_a_word())) {
            for cell in cells {
                let number = (word & ((1 << self.cell_bits) - 1)) as usize;
                *cell = number.checked_sub(1).and_then(|kind| self.kinds.get(kind)).copied().unwrap_or(b'.');
                word >>= self.cell_bits;
            }
        }
        each(self.map.board() & !self.map.all).for_each(|cell| cells[cell] = b'_');
        State {
            cells,
            hands: std::array::from_fn(|kind| if kind < self.kinds.len() { (at.2 >> (8 * kind)) as u8 } else { 0 }),
            turn: usize::from(at.2 & SECOND_TO_MOVE != 0),
            going: ((at.2 & !SECOND_TO_MOVE) >> self.going_shift() & 255).checked_sub(1).map(|cell| cell as usize),
        }
    }

    /// Whether both players have the same moves, one in turn, and whoever cannot move loses, without other ends.
    fn is_impartial(&self) -> bool {
        let [player] = &self.players[..] else { return false };
        let ends_by_conditions = !(player.wins.is_empty() && player.loses.is_empty() && self.draws.is_empty());
        let is_plain = |sentence: &Sentence| sentence.again.is_empty() && sentence.go_on.is_empty();
        self.stuck == Stuck::Ends(LOST) && !ends_by_conditions && player.moves.iter().all(is_plain)
    }

    /// Whether there is a score.
    pub(crate) fn has_score(&self) -> bool {
        self.score.is_some()
    }

    /// How play has ended by a condition or by the score of a player who cannot move, for the player to move. The
    /// conditions of the player who is not to move come first.
    fn ending(&self, state: &State, meter: &Meter) -> Result<Option<Outcome>> {
        meter.spend(64 + 2 * self.cells() as u64)?;
        let last = 1 - state.turn;
        let is_both = self.players.len() == 1;
        let won_by = |player: usize| if player == state.turn { WON } else { LOST };
        for player in if is_both { vec![last] } else { vec![last, 1 - last] } {
            let view = View::new(self, state, if is_both { 0 } else { player }, meter);
            for (conditions, winner) in [(&self.player(player).wins, player), (&self.player(player).loses, 1 - player)]
            {
                for all in conditions {
                    if view.all(all)? {
                        return Ok(Some(won_by(winner)));
                    }
                }
            }
        }
        for all in &self.draws {
            if View::new(self, state, 0, meter).all(all)? {
                return Ok(Some(0));
            }
        }
        if self.can_move(state, meter)? {
            return Ok(None);
        }
        let other = State { turn: if is_both { 0 } else { 1 - state.turn }, going: None, ..state.clone() };
        match self.stuck {
            Stuck::Ends(outcome) => Ok(Some(outcome)),
            Stuck::Passes if self.can_move(&other, meter)? => Ok(None),
            Stuck::Passes | Stuck::Scores => match &self.score {
                None => Ok(Some(0)),
                Some([more, less]) => {
                    let view = View::new(self, state, 0, meter);
                    // At most `MAX_SCORE`.
                    let score = (view.total(more)? - view.total(less)?) as i32;
                    Ok(Some(if state.turn == 0 { score } else { -score }))
                }
            },
        }
    }
}

/// A number for each cell, with `/` between rows.
fn read_weights(text: &str, rows: usize, cols: usize) -> Read<Vec<i64>> {
    let read: Vec<Vec<&str>> = text.split('/').map(|row| row.split_whitespace().collect()).collect();
    if read.len() != rows || read.iter().any(|row| row.len() != cols) {
        return Err(format!("expected {rows} rows of {cols} numbers"));
    }
    let number = |word: &&str| word.parse::<i32>().map(i64::from).map_err(|_| format!("`{word}`: expected a number"));
    let weights = read.iter().flatten().map(number).collect::<Read<Vec<_>>>()?;
    let total: i64 = weights.iter().map(|weight| weight.abs()).sum();
    if total <= MAX_WEIGHT { Ok(weights) } else { Err(format!("a sum of {total}: expected at most {MAX_WEIGHT}")) }
}

/// The number that a piece is, up to a largest one, from `1` to `9` and then `a` for 10; 0 for others.
pub(crate) fn number(piece: u8, largest: usize) -> usize {
    let number = match piece {
        b'1'..=b'9' => piece - b'0',
        b'a'..=b'z' => piece - b'a' + 10,
        _ => 0,
    };
    if usize::from(number) <= largest { number.into() } else { 0 }
}

/// The value of the only line of a key, if there is one.
fn one<'t>(lines: &[(&str, &'t str)], key: &str) -> Read<Option<&'t str>> {
    let mut found = many(lines, key);
    let first = found.next();
    if found.next().is_some() { Err(format!("more than one line `{key}:`")) } else { Ok(first) }
}

/// The values of all lines of a key.
fn many<'t>(lines: &[(&str, &'t str)], key: &str) -> impl Iterator<Item = &'t str> {
    lines.iter().filter(move |line| line.0 == key).map(|line| line.1)
}

/// The players, in the order of the table; `None` for both.
fn names_of(sections: &[&[(&str, &str)]]) -> Read<Option<[Names; 2]>> {
    let found: Vec<&str> = sections.iter().map(|section| section[0].1).collect();
    if found == ["both"] {
        return Ok(None);
    }
    let is_pair = |pair: &&[Names; 2]| {
        let [first, second] = pair.map(|names| names.0);
        found == [first, second] || found == [second, first]
    };
    let expected = || format!("the players `{}`: expected two such as `white` and `black`, or `both`", found.join(" "));
    PLAYERS.iter().find(is_pair).copied().map(Some).ok_or_else(expected)
}

/// Reads rows with `/` between them: returns their number, and the character of each cell.
fn read_rows(text: &str) -> Read<(usize, Vec<char>)> {
    let cols = text.split('/').next().map_or(0, |row| row.chars().count());
    if let Some(row) = text.split('/').find(|row| row.chars().count() != cols) {
        return Err(format!("the row `{row}` is not as long as the first, of {cols}"));
    }
    let glyphs: Vec<char> = text.chars().filter(|glyph| *glyph != '/').collect();
    if !(1..=MAX_CELLS).contains(&glyphs.len()) {
        return Err(format!("a board of {} cells: expected 1 to {MAX_CELLS}", glyphs.len()));
    }
    if let Some(glyph) = glyphs.iter().find(|glyph| !is_piece(**glyph) && !"._".contains(**glyph)) {
        return Err(format!("`{glyph}` in the position: expected a piece, `.`, `#` or `_`"));
    }
    Ok((glyphs.len() / cols, glyphs))
}

/// Reads a cell, `row,column`.
fn read_cell(text: &str, rows: usize, cols: usize) -> Read<usize> {
    let both =
        text.split_once(',').and_then(|(row, col)| Some((row.parse::<usize>().ok()?, col.parse::<usize>().ok()?)));
    match both {
        Some((row, col)) if row < rows && col < cols => Ok(row * cols + col),
        _ => Err(format!("`{text}`: expected a cell of the board, such as `0,1`")),
    }
}

impl Game for Language {
    fn end(&self, at: &Position, meter: &Meter) -> Result<Option<Outcome>> {
        let state = self.unpack(at);
        self.ending(&state, meter)
    }

    fn moves(&self, at: &Position, meter: &Meter, moves: &mut Vec<Move>) -> Result<()> {
        let state = self.unpack(at);
        for play in self.plays(&state, meter)? {
            let after = self.unpack(&play.after);
            let end = self.ending(&after, meter)?;
            moves.push(Move { number: play.number, after: play.after, end, keeps_turn: play.keeps_turn });
        }
        Ok(())
    }

    /// The empty cells, and if nothing is placed twice the pieces: a piece that goes on an empty cell and leaves a blocked one lowers that,
    /// and so does one that is taken.
    fn layer(&self, at: &Position) -> u32 {
        let is_placed = |sentence: &Sentence| matches!(sentence.does, parse::Does::Place | parse::Does::Drop);
        let weight = if self.sentences(0).iter().any(is_placed) { 0 } else { 2 };
        let state = self.unpack(at);
        let weights = state.cells[..self.cells()].iter().map(|piece| match piece {
            b'.' => 1,
            b'#' | b'_' => 0,
            _ => weight,
        });
        weights.sum()
    }

    fn has_layers(&self) -> bool {
        false
    }

    fn has_scores(&self) -> bool {
        self.has_score()
    }

    fn players(&self, at: &Position) -> [&'static str; 2] {
        match (self.names, at.2 & SECOND_TO_MOVE != 0) {
            (None, _) => ["the player to move", "the other player"],
            (Some([first, second]), false) => [first.1, second.1],
            (Some([first, second]), true) => [second.1, first.1],
        }
    }

    fn write(&self, at: &Position) -> String {
        let state = self.unpack(at);
        let row =
            |row: usize| (0..self.map.cols).map(|col| char::from(state.cells[row * self.map.cols + col])).collect();
        let mut text = (0..self.map.rows).map(row).collect::<Vec<String>>().join("/");
        if let Some(letters) = self.letters().filter(|_| state.turn != self.first) {
            text += &format!(" {}", letters[state.turn]);
        }
        if let Some(cell) = state.going {
            text += &format!(" >{},{}", cell / self.map.cols, cell % self.map.cols);
        }
        let players = 0..self.players.len();
        let held = players.flat_map(|n| self.pieces(n).iter().filter(move |piece| self.can_hold(n, **piece)));
        let hand: String =
            held.map(|piece| char::from(*piece).to_string().repeat(state.in_hand(self, *piece).into())).collect();
        if !hand.is_empty() {
            text += &format!(" :{hand}");
        }
        text
    }

    fn rules(&self) -> Vec<String> {
        self.lines.clone()
    }

    fn parts(&self, at: &Position, meter: &Meter) -> Result<Option<Vec<Position>>> {
        match &self.marks {
            Some(marks) => marks.parts(self, at, meter).map(Some),
            None if !self.is_one_part() => Ok(None),
            None => Ok(Some(if self.can_move(&self.unpack(at), meter)? { vec![*at] } else { Vec::new() })),
        }
    }

    fn is_one_part(&self) -> bool {
        self.marks.is_none() && self.is_impartial()
    }

    fn canonical_part(&self, part: &Position) -> Position {
        self.marks.as_ref().map_or(*part, |marks| marks.canonical_part(self, part))
    }
}

impl Notation for Language {
    fn read(&self, text: &str) -> Read<Position> {
        let mut words = text.split_whitespace();
        let (rows, glyphs) = read_rows(words.next().unwrap_or(""))?;
        if rows != self.map.rows || glyphs.len() != rows * self.map.cols {
            return Err(format!("another board than {} by {} cells", self.map.rows, self.map.cols));
        }
        let mut state = State { cells: [b'.'; MAX_CELLS], hands: [0; MAX_KINDS], turn: self.first, going: None };
        for (cell, &glyph) in glyphs.iter().enumerate() {
            let is_known = glyph == '.' || is_piece(glyph) && self.kind(glyph as u8).is_some();
            if (glyph == '_') != (self.map.all >> cell & 1 == 0) || !is_known && glyph != '_' {
                return Err(format!(
                    "`{glyph}` in the position: expected a piece of the game, and `_` on the same cells"
                ));
            }
            state.cells[cell] = glyph as u8;
        }
        let mut words = words.peekable();
        let turn = words.peek().and_then(|word| self.letters()?.iter().position(|letter| letter == word));
        if let Some(turn) = turn {
            state.turn = turn;
            words.next();
        }
        if let Some(cell) = words.peek().and_then(|word| word.strip_prefix('>')) {
            state.going = Some(read_cell(cell, rows, self.map.cols)?);
            words.next();
        }
        if let Some(hand) = words.peek().and_then(|word| word.strip_prefix(':')) {
            for piece in hand.bytes() {
                let is_held = (0..self.count_players()).any(|player| self.can_hold(player, piece));
                let kind = self.kind(piece).filter(|_| is_held);
                let kind = kind.ok_or_else(|| format!("`:{hand}`: expected pieces of one player each"))?;
                state.hands[kind] = state.hands[kind].checked_add(1).ok_or("more than 255 of a piece in hand")?;
            }
            words.next();
        }
        match words.next() {
            None => Ok(self.pack(&state)),
            Some(word) => {
                Err(format!("`{word}` after the position: expected the player to move, or `:` and pieces in hand"))
            }
        }
    }

    fn write_move(&self, number: u32) -> String {
        self.write_play(number)
    }
}

/// The result of play that has ended, for the player to move.
fn too_many(what: &str) -> CheckError {
    CheckError::TooLarge(format!("more {what} than there is room for"))
}
