//! Lower bounds of a position's value from strips of the board: bounds of components add up.

use std::array::from_fn;
use std::sync::{Arc, OnceLock};

use balpan::{Stopped, Watch};

use crate::board::{Board, CellSet};
use crate::instructions::{Instructions, Work};
use crate::memory::ZeroedWords;
use crate::symmetry::{Permutation, transposition};

/// A board cut into strips of a few lines. The player's pieces lie across the lines, the
/// opponent's along them.
///
/// A player who renounces the placements that a cut goes through is left with a sum of games
/// whose value is at most that of the board; the opponent loses no placement. A table holds
/// bounds of each strip's value by its free cells, rounded down: they are valid, but not the
/// best.
///
/// Source: R. J. Lachmann, C. Moore and I. Rapaport, "Who wins Domineering on rectangular
/// boards?" (2002), for whole boards of strips; cooled stops of sums, E. R. Berlekamp, J. H. Conway and
/// R. K. Guy, "Winning Ways for your Mathematical Plays", chapter 6.
#[derive(Clone, Debug)]
pub(super) struct Strips<W> {
    /// The number of cells of a line.
    length: usize,
    lines: usize,
    /// The maximum number of lines of a strip.
    height: usize,
    /// The transposition that turns lines into rows if they are the board's columns.
    turn: Option<Permutation<W>>,
    /// The [`StripBounds`]s by the free cells of `height` lines, the last line lowest; `None` if memory
    /// is insufficient. A small table is filled on first use, a large one, which takes long, by
    /// [`fill`](Self::fill).
    table: Arc<OnceLock<Option<ZeroedWords>>>,
}

/// The number of kinds of bounds on a strip's value.
const BOUND_KINDS: usize = 4;

/// Lower bounds of a strip's value for the player, in eighths of a move: bounds of each kind if
/// the opponent begins, then if the player begins.
///
/// The first kind bounds the value: a number that it is at least, and one that it is at least
/// or confused with. The others bound the cooled stops at the temperatures [`TEMPERATURES`]: the
/// right wall of the thermograph, and the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StripBounds([i8; 2 * BOUND_KINDS]);

/// One move, in eighths.
const ONE_MOVE: i32 = 8;

/// The temperature of each kind of bound, in eighths. The first kind has none.
const TEMPERATURES: [i8; BOUND_KINDS] = [0, 0, 4, 8];

/// Maximum number of lines of a strip.
pub(super) const MAX_STRIP_LINES: usize = 3;

/// Maximum number of cells of a strip: a table of one gibibyte.
const MAX_STRIP_CELLS: usize = 27;

/// Maximum number of cells of a strip in a small table, of eight mebibytes: filled in hundredths of a second.
const MAX_SMALL_STRIP_CELLS: usize = 20;

impl<W: CellSet> Strips<W> {
    /// Creates strips of rows, for vertical pieces, or of columns, for horizontal ones, with at most
    /// `max_lines` lines and a table of at most `bytes` bytes; `None` if that is not enough for two
    /// lines.
    pub(super) fn new(board: Board, upright: bool, max_lines: usize, bytes: usize) -> Option<Self> {
        let (length, lines) = if upright { (board.cols(), board.rows()) } else { (board.rows(), board.cols()) };
        let is_small = |height: &usize| {
            let cells = height * length;
            cells <= MAX_STRIP_CELLS && size_of::<StripBounds>() << cells <= bytes
        };
        let height = (2..=max_lines.min(MAX_STRIP_LINES)).rev().find(is_small)?;
        let turn = (!upright).then(|| transposition(board));
        Some(Self { length, lines, height, turn, table: Arc::default() })
    }

    /// Returns the same strips, sharing the table of `other` if it is the same.
    pub(super) fn share_table(self, other: &Self) -> Self {
        let is_same = (self.length, self.height) == (other.length, other.height);
        Self { table: if is_same { Arc::clone(&other.table) } else { self.table }, ..self }
    }

    /// Whether strips have the maximum number of lines.
    pub(super) fn has_max_height(&self) -> bool {
        self.height == MAX_STRIP_LINES
    }

    /// The size of the table in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<StripBounds>() << (self.height * self.length)
    }

    /// Fills the table if it is not filled: seconds for the largest ones. If the watch stops it,
    /// nothing is stored.
    pub(super) fn fill(&self, watch: &Watch) -> Result<(), Stopped> {
        if self.table.get().is_none() {
            let found = compute_table(self.length, self.height, watch)?;
            // Another thread may have been faster: it found the same.
            let _ = self.table.set(found);
        }
        Ok(())
    }

    /// Whether the table is filled, or small enough to be filled on first use.
    pub(super) fn is_ready(&self) -> bool {
        self.table.get().is_some() || self.height * self.length <= MAX_SMALL_STRIP_CELLS
    }

    /// Whether the bounds prove that the player moves last with these cells free and `lead` more
    /// moves elsewhere; false if the table is not [ready](Self::is_ready).
    #[inline]
    pub(super) fn proves_last_move(&self, free: W, lead: i32, begins: bool, instructions: Instructions) -> bool {
        let table = match self.table.get() {
            Some(table) => table,
            None if !self.is_ready() => return false,
            // Nothing stops this watch.
            None => self
                .table
                .get_or_init(|| compute_table(self.length, self.height, &Watch::default()).unwrap_or_default()),
        };
        let Some(table) = table else { return false };
        let table = bytemuck::cast_slice(table.as_slice());
        let free = self.turn.as_ref().map_or(free, |turn| turn.set(free));
        instructions.run(Summing { strips: self, table, free }).moves_last(lead, begins)
    }

    /// The best bounds of the board over all ways to cut it.
    #[inline(always)]
    fn sum(&self, table: &[[i8; 2 * BOUND_KINDS]], free: W) -> Sum {
        let (line, whole) = ((1 << self.length) - 1, (1 << (self.height * self.length)) - 1);
        let (mut rest, mut window) = (free, 0);
        // The bounds of all lines so far, and without the last one, two and three.
        let mut before = [Sum::EMPTY, Sum::IMPOSSIBLE, Sum::IMPOSSIBLE];
        for _ in 0..self.lines {
            let low: u128 = rest.into();
            rest = rest >> self.length;
            window = (window << self.length | low as usize & line) & whole;
            let [one, two, three] = before;
            let mut sum = one.add(&table[window & line]);
            sum = sum.max(two.add(&table[window & (line << self.length | line)]));
            if self.has_max_height() {
                sum = sum.max(three.add(&table[window]));
            }
            before = [sum, one, two];
        }
        before[0]
    }
}

/// Computes [`Strips::sum`].
struct Summing<'a, W> {
    strips: &'a Strips<W>,
    table: &'a [[i8; 2 * BOUND_KINDS]],
    free: W,
}

impl<W: CellSet> Work for Summing<'_, W> {
    type Output = Sum;

    #[inline(always)]
    fn run(self) -> Sum {
        self.strips.sum(self.table, self.free)
    }
}

/// Bounds of a sum of strips as a [`StripBounds`] has them: if the opponent begins, then if the player
/// begins. One array lets the compiler add all at once.
#[derive(Clone, Copy, Debug)]
struct Sum([i16; 2 * BOUND_KINDS]);

impl Sum {
    const MINIMUM: i16 = i16::MIN / 2;
    /// The empty sum: there is no strip to begin in.
    const EMPTY: Self = {
        let mut empty = [Self::MINIMUM; 2 * BOUND_KINDS];
        empty.first_chunk_mut::<BOUND_KINDS>().unwrap().copy_from_slice(&[0; BOUND_KINDS]);
        Self(empty)
    };
    /// Bounds of an impossible sum.
    const IMPOSSIBLE: Self = Self([Self::MINIMUM; 2 * BOUND_KINDS]);

    /// Adds a strip: the player begins in it or in another one.
    #[inline(always)]
    fn add(self, bounds: &[i8; 2 * BOUND_KINDS]) -> Self {
        // Each number is read where it is used: from a copy, the compiler makes single bytes.
        let bounds = |n: usize| i16::from(bounds[n]);
        Self(from_fn(|n| (self.0[n] + bounds(n % BOUND_KINDS)).max(self.0[n % BOUND_KINDS] + bounds(n))))
    }

    /// The better bounds of two.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(from_fn(|n| self.0[n].max(other.0[n])))
    }

    /// Whether the player moves last with `lead` more moves elsewhere: if the value is at least
    /// zero, or if a stop is above zero. In cooled play the player who begins pays the tax at most
    /// once more than the opponent.
    #[inline]
    fn moves_last(self, lead: i32, begins: bool) -> bool {
        let lead = lead * ONE_MOVE;
        (0..BOUND_KINDS).any(|kind| {
            let bounds = if begins { self.0[BOUND_KINDS + kind] } else { self.0[kind] - i16::from(TEMPERATURES[kind]) };
            let bounds = i32::from(bounds) + lead;
            bounds > 0 || kind == 0 && bounds == 0
        })
    }
}

/// The number of strips between two polls of the watch.
const BATCH: usize = 1 << 16;

/// Computes the bounds of all strips of this length and of at most this height for the player
/// whose pieces lie across them; `None` if memory is insufficient.
fn compute_table(length: usize, height: usize, watch: &Watch) -> Result<Option<ZeroedWords>, Stopped> {
    let cells = length * height;
    let across = (1_usize << (cells - length)) - 1;
    let along = (0..cells).filter(|cell| cell % length + 1 < length).fold(0, |along, cell| along | 1_usize << cell);
    let Some(mut words) = ZeroedWords::zeros(1 << cells) else { return Ok(None) };
    let table: &mut [[i8; 2 * BOUND_KINDS]] = bytemuck::cast_slice_mut(words.as_mut_slice());
    for free in 0..1_usize << cells {
        if free % BATCH == 0 {
            watch.count(0)?;
        }
        let option = |place: usize, cells: usize| StripBounds(table[free & !(cells * place)]);
        let left = single_bits(free & free >> length & across)
            .map(|place| option(place, 1 << length | 1).second())
            .reduce(|best, bounds| from_fn(|kind| best[kind].max(bounds[kind])));
        let right = single_bits(free & free >> 1 & along)
            .map(|place| option(place, 3).first())
            .reduce(|best, bounds| from_fn(|kind| best[kind].min(bounds[kind])));
        table[free] = StripBounds::from_options(left, right).0;
    }
    Ok(Some(words))
}

/// The single-cell subsets of a set.
fn single_bits(mut set: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

impl StripBounds {
    fn second(self) -> [i8; BOUND_KINDS] {
        from_fn(|kind| self.0[kind])
    }

    fn first(self) -> [i8; BOUND_KINDS] {
        from_fn(|kind| self.0[BOUND_KINDS + kind])
    }

    /// The bounds of a game from the best bounds of the player's options, and from the worst of
    /// the opponent's; `None` if there is no such option.
    #[inline]
    fn from_options(left: Option<[i8; BOUND_KINDS]>, right: Option<[i8; BOUND_KINDS]>) -> Self {
        let (number, confused) = number_bounds(left.map(|left| left[0]), right.map(|right| right[0]));
        let (mut second, mut first) = ([number; BOUND_KINDS], [number; BOUND_KINDS]);
        first[0] = confused;
        // If the left stop were below the right one, the game would be a number.
        if let (Some(left), Some(right)) = (left, right)
            && left[1] >= right[1]
        {
            for kind in 1..BOUND_KINDS {
                (first[kind], second[kind]) = (left[kind] - TEMPERATURES[kind], right[kind] + TEMPERATURES[kind]);
                if first[kind] < second[kind] {
                    // The walls met at a lower temperature and go on as the mast.
                    let mast = first[kind].max(second[kind - 1]);
                    first[kind..].fill(mast);
                    second[kind..].fill(mast);
                    break;
                }
            }
        }
        Self(from_fn(|n| if n < BOUND_KINDS { second[n] } else { first[n - BOUND_KINDS] }))
    }
}

/// A number that a game is at least, and one that it is at least or confused with, in eighths.
/// Options are given by the greatest such number of the player's, and by the least number that
/// the opponent's are at least or confused with.
#[inline]
fn number_bounds(left: Option<i8>, right: Option<i8>) -> (i8, i8) {
    if let (Some(left), Some(right)) = (left, right)
        && right <= left
    {
        return (right, left);
    }
    let number = simplest_number(left, right);
    (number, left.map_or(number - 1, |left| left.max(number - 1)))
}

/// The simplest multiple of an eighth that is greater than `above` and at most `most`.
#[inline]
fn simplest_number(above: Option<i8>, most: Option<i8>) -> i8 {
    let (above, most) = (above.map_or(i32::MIN / 2, i32::from), most.map_or(i32::MAX / 2, i32::from));
    if above < 0 && most >= 0 {
        return 0;
    }
    let mut step = ONE_MOVE;
    loop {
        let (least, greatest) = ((above.div_euclid(step) + 1) * step, most.div_euclid(step) * step);
        if least <= greatest {
            return if above >= 0 { least } else { greatest } as i8;
        }
        step /= 2;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    /// A plain search of a small board.
    struct Plain {
        /// The cells of every placement of the player and of the opponent.
        pieces: [Vec<u64>; 2],
        moves_last: HashMap<(u64, i32, bool), bool>,
    }

    impl Plain {
        fn new(board: Board, upright: bool) -> Self {
            let pieces = |down: usize, right: usize| {
                let cells =
                    (0..board.rows() - down).flat_map(|row| (0..board.cols() - right).map(move |col| (row, col)));
                cells.map(|(row, col)| 1 << board.cell(row, col) | 1 << board.cell(row + down, col + right)).collect()
            };
            let (player, other) = if upright { ((1, 0), (0, 1)) } else { ((0, 1), (1, 0)) };
            Self { pieces: [pieces(player.0, player.1), pieces(other.0, other.1)], moves_last: HashMap::new() }
        }

        /// Whether whoever is to move wins, with `lead` more moves elsewhere for the player.
        fn wins(&mut self, free: u64, lead: i32, other_to_move: bool) -> bool {
            if let Some(&known) = self.moves_last.get(&(free, lead, other_to_move)) {
                return known;
            }
            let fits = |&&cells: &&u64| free & cells == cells;
            let mut after: Vec<_> = self.pieces[usize::from(other_to_move)]
                .iter()
                .filter(fits)
                .map(|cells| (free & !cells, lead))
                .collect();
            if lead != 0 && (lead < 0) == other_to_move {
                after.push((free, lead - lead.signum()));
            }
            let wins = after.into_iter().any(|(free, lead)| !self.wins(free, lead, !other_to_move));
            self.moves_last.insert((free, lead, other_to_move), wins);
            wins
        }
    }

    proptest! {
        #[test]
        fn who_holds_by_strips_moves_last(rows in 2..=5_usize, cols in 2..=4_usize, cells: u64, more: u64, upright: bool, height in 2..=3_usize) {
            let board = Board::new(rows, cols).unwrap();
            let strips = Strips::new(board, upright, height, usize::MAX).unwrap();
            let mut plain = Plain::new(board, upright);
            let free = (cells | more) & board.full::<u64>();
            for lead in -4..=4 {
                let holds = |begins| strips.proves_last_move(free, lead, begins, Instructions::found());
                prop_assert!(!holds(true) || plain.wins(free, lead, false));
                prop_assert!(!holds(false) || !plain.wins(free, lead, true));
            }
        }
    }

    #[test]
    fn what_is_stopped_is_begun_again() {
        let board = Board::new(3, 7).unwrap();
        let strips = Strips::new(board, true, 3, usize::MAX).unwrap();
        // A lead of more moves than there are on the board.
        let holds = || strips.proves_last_move(board.full::<u64>(), 11, true, Instructions::found());
        let stopped = Watch::default();
        stopped.stop();
        assert_eq!((strips.fill(&stopped), holds()), (Err(Stopped::Interrupted), false));
        assert_eq!((strips.fill(&Watch::default()), holds()), (Ok(()), true));
    }

    /// A square is {1 | -1}, confused with 1 and -1; a column is 1, a row is -1.
    #[test]
    fn strips_are_worth_their_values() {
        let table = compute_table(4, 2, &Watch::default()).unwrap().unwrap();
        let table: &[[i8; 2 * BOUND_KINDS]] = bytemuck::cast_slice(table.as_slice());
        let bounds = |upper: usize, lower: usize| StripBounds(table[upper << 4 | lower]);
        assert_eq!(bounds(0b11, 0b11), StripBounds([-9, -8, -4, 0, 8, 8, 4, 0]));
        assert_eq!(bounds(0b01, 0b01), StripBounds([8, 8, 8, 8, 7, 8, 8, 8]));
        assert_eq!(bounds(0b11, 0b00), StripBounds([-8, -8, -8, -8, -9, -8, -8, -8]));
        assert_eq!(bounds(0, 0), StripBounds([0, 0, 0, 0, -1, 0, 0, 0]));
    }
}
