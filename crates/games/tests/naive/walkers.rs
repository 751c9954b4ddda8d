//! Walkers: the tile that a token leaves vanishes. A player who cannot move loses, and so does
//! at once a player whose token's tile vanishes because the opponent left it.

use super::{Cell, NaiveGame, board_text, cell_text, rows_and_words};

#[derive(Clone, Debug)]
pub(crate) enum Steps {
    Orthogonal,
    King,
    Knight,
    Queen,
    Offsets(Vec<(i32, i32)>),
}

#[derive(Clone, Debug)]
pub(crate) struct Walkers {
    pub(crate) steps: Steps,
    pub(crate) share: bool,
    pub(crate) torus: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) tiles: Vec<Vec<bool>>,
    /// The cells of A and of B.
    pub(crate) tokens: [Cell; 2],
    /// The side to move: 0 for A, 1 for B.
    pub(crate) mover: usize,
}

impl Steps {
    /// Rows down and columns right of each step, or of the first one of a slide.
    fn offsets(&self) -> Vec<(i32, i32)> {
        let fits: fn(i32, i32) -> bool = match self {
            Self::Offsets(offsets) => return offsets.clone(),
            Self::Orthogonal => |down, right| down + right == 1,
            Self::King | Self::Queen => |down, right| down.max(right) == 1,
            Self::Knight => |down, right| down * right == 2,
        };
        let near = || -2..=2_i32;
        let all = near().flat_map(|down| near().map(move |right| (down, right)));
        all.filter(|(down, right)| fits(down.abs(), right.abs())).collect()
    }
}

impl State {
    fn has_tile(&self, (row, col): Cell) -> bool {
        self.tiles[row][col]
    }
}

impl Walkers {
    /// The cell at this offset from `from`, if it is on the board.
    fn neighbour(&self, state: &State, from: Cell, (down, right): (i32, i32)) -> Option<Cell> {
        let (rows, cols) = (state.tiles.len() as i32, state.tiles[0].len() as i32);
        let (mut row, mut col) = (from.0 as i32 + down, from.1 as i32 + right);
        if self.torus {
            (row, col) = (row.rem_euclid(rows), col.rem_euclid(cols));
        }
        let on_board = (0..rows).contains(&row) && (0..cols).contains(&col);
        on_board.then_some((row as usize, col as usize))
    }

    /// The steps of the player to move.
    fn steps(&self, state: &State) -> Vec<Cell> {
        let (own, other) = (state.tokens[state.mover], state.tokens[1 - state.mover]);
        let mut found = Vec::new();
        if !state.has_tile(own) {
            return found;
        }
        for offset in self.steps.offsets() {
            let mut from = own;
            while let Some(to) = self.neighbour(state, from, offset) {
                if to == own || !state.has_tile(to) || (to == other && !self.share) {
                    break;
                }
                if !found.contains(&to) {
                    found.push(to);
                }
                if !matches!(self.steps, Steps::Queen) {
                    break;
                }
                from = to;
            }
        }
        found
    }
}

impl NaiveGame for Walkers {
    type State = State;
    type Move = Cell;

    fn parse(&self, text: &str) -> State {
        let (rows, words) = rows_and_words(text);
        let (mut a, mut b, mut fallen) = (None, None, None);
        for (row, glyphs) in rows.iter().enumerate() {
            for (col, glyph) in glyphs.iter().enumerate() {
                match glyph {
                    'A' => a = Some((row, col)),
                    'B' => b = Some((row, col)),
                    '*' => (a, b) = (Some((row, col)), Some((row, col))),
                    '!' => fallen = Some((row, col)),
                    _ => {}
                }
            }
        }
        let mut mover = usize::from(words == ["b"]);
        if fallen.is_some() {
            // The token whose tile has vanished is to move, and has no other character on the board.
            mover = usize::from(b.is_none());
        }
        let tokens = [a, b].map(|token| token.or(fallen).expect("a token"));
        let tiles = rows.iter().map(|row| row.iter().map(|glyph| !"#!".contains(*glyph)).collect()).collect();
        State { tiles, tokens, mover }
    }

    fn text(&self, state: &State) -> String {
        let mut rows: Vec<Vec<char>> =
            state.tiles.iter().map(|row| row.iter().map(|tile| if *tile { '.' } else { '#' }).collect()).collect();
        for (cell, name) in state.tokens.into_iter().zip(['A', 'B']) {
            let glyph = &mut rows[cell.0][cell.1];
            *glyph = match *glyph {
                '.' => name,
                '#' => '!',
                _ => '*',
            };
        }
        board_text(&rows) + [" a", " b"][state.mover]
    }

    fn moves(&self, state: &State) -> Vec<Cell> {
        self.steps(state)
    }

    fn move_text(&self, to: &Cell) -> String {
        cell_text(*to)
    }

    fn play(&self, state: &State, to: &Cell) -> State {
        let mut after = state.clone();
        let (row, col) = state.tokens[state.mover];
        after.tiles[row][col] = false;
        after.tokens[state.mover] = *to;
        after.mover = 1 - state.mover;
        after
    }

    fn ended(&self, state: &State) -> Option<i32> {
        self.steps(state).is_empty().then_some(-1)
    }
}
