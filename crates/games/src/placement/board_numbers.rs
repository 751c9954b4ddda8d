//! The nimber or the remoteness of every board of an impartial placement game, in bit planes.

#![allow(clippy::needless_range_loop, reason = "plain loops are what becomes vector instructions in every caller")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use balpan::{Stopped, TableError, Watch};

use super::Placement;
use super::lattice::{Lattice, TableBudget, WORD_CELLS, boards_with_filled};
use super::runs::{Block, BlockMove, Group, Kernel, MIN_INDEPENDENT_CELLS, Runs, VectorLevel};
use super::words::{count_words, fill_by_words};
use crate::memory::ZeroedWords;

/// Independent cells of a run: the sets of boards that reach each number then take some 8 KiB
/// and fit in the level 1 cache.
const RUN_CELLS: usize = 12;

/// The nimber or the remoteness of every board of a game.
///
/// Both are at most the number of placements of a game, which bounds the bits a board: 4 for
/// the block game on 5×5, which makes 16 MiB. Time to build: for each word and placement, one
/// operation for each number that occurs after it, on eight words at a time where the machine
/// has vector instructions, on as many threads as allowed. Look-up: one bit of each plane,
/// which lie side by side, after renumbering the cells by one table for each eight of them.
///
/// Where pieces fit between fewer than 9 cells (single cells, boards of few cells) one
/// thread fills the table word by word, much slower.
#[derive(Clone, Debug)]
pub struct BoardNumbers {
    lattice: Lattice,
    /// For each word of boards the bit planes of their numbers, the lowest first.
    planes: Arc<ZeroedWords>,
    bits: usize,
    /// Number of threads that fill the table and count its boards.
    threads: usize,
}

/// Capacity for numbers from 0 to the cells of the largest table, rounded up: they are handled
/// in groups of four.
const MAX_NUMBERS: usize = 68;

/// Maximum number of bits of a number.
const MAX_BITS: usize = 7;

/// The rule that derives a board's number from those of its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// The minimum excludant (mex).
    Nimber,
    /// The minimum excludant, but 1 where the game is over: its player to move wins.
    MisereValue,
    /// The plies to the end. A board whose remoteness has the parity `lost` is lost.
    Remoteness { lost: usize },
}

impl BoardNumbers {
    /// Computes the nimber of every board: the minimum excludant of its options. R. Sprague
    /// (1935), P. M. Grundy (1939).
    ///
    /// For a misère game computes the *misère values*: the same, but 1 for a board on which
    /// nothing can be placed, since its player to move wins. Boards of value 0 are the lost
    /// ones in misère play, too; but the value of a sum does not follow from those of its
    /// components. (The misère nim value G⁻ of J. H. Conway, On Numbers and Games, chapter 12.)
    ///
    /// # Errors
    /// If the game has state beyond the board, or if the table exceeds what is `allowed`: bytes,
    /// or bytes and threads.
    pub fn nimbers(game: &Placement, allowed: impl Into<TableBudget>, watch: &Watch) -> Result<Self, TableError> {
        let rule = if game.rules.misere { Rule::MisereValue } else { Rule::Nimber };
        Self::new(game, 0, rule, allowed.into(), watch)
    }

    /// Computes the remoteness of every board. It is even where the player to move loses in
    /// normal play, and where that player wins in misère play.
    ///
    /// # Errors
    /// If the game has state beyond the board, or if the table exceeds what is `allowed`: bytes,
    /// or bytes and threads.
    pub fn remoteness(game: &Placement, allowed: impl Into<TableBudget>, watch: &Watch) -> Result<Self, TableError> {
        Self::remoteness_above(game, 0, allowed.into(), watch)
    }

    /// Computes the remoteness of every board on which at least these cells are filled. Other
    /// boards must not be looked up.
    pub(super) fn remoteness_above(
        game: &Placement,
        filled: u64,
        allowed: TableBudget,
        watch: &Watch,
    ) -> Result<Self, TableError> {
        Self::new(game, filled, Rule::Remoteness { lost: game.rules.misere.into() }, allowed, watch)
    }

    /// Whether there is a table within `bytes`, of at most `most_cells` cells, that is filled by
    /// runs.
    pub(super) fn is_by_runs(game: &Placement, filled: u64, bytes: u64, most_cells: usize) -> bool {
        let lattice = Lattice::new(game, filled, RUN_CELLS, bits_of, bytes.into());
        lattice.is_ok_and(|lattice| lattice.independent >= MIN_INDEPENDENT_CELLS && lattice.cells <= most_cells)
    }

    fn new(game: &Placement, filled: u64, rule: Rule, allowed: TableBudget, watch: &Watch) -> Result<Self, TableError> {
        let lattice = Lattice::new(game, filled, RUN_CELLS, bits_of, allowed)?;
        let bits = bits_of(&lattice);
        let mut planes = lattice.allocate(bits)?;
        if lattice.independent >= MIN_INDEPENDENT_CELLS {
            by_runs_of(bits)(&lattice, rule, VectorLevel::all()[0], planes.blocks_mut(), allowed.threads, watch)?;
        } else {
            fill_words(&lattice, rule, bits, planes.as_mut_slice(), watch)?;
        }
        Ok(Self { lattice, planes: Arc::new(planes), bits, threads: allowed.threads })
    }

    /// Returns the number of the board with these cells filled.
    #[must_use]
    #[inline]
    pub fn get(&self, filled: u64) -> u32 {
        let (word, board) = self.lattice.locate(filled);
        let planes = self.planes.as_slice()[word * self.bits..][..self.bits].iter();
        planes.enumerate().fold(0, |number, (bit, plane)| number | ((plane >> board & 1) as u32) << bit)
    }

    /// The number of boards.
    pub(super) const fn boards(&self) -> u64 {
        self.lattice.boards()
    }

    /// The size of the table in bytes.
    pub(super) fn bytes(&self) -> u64 {
        size_of_val(self.planes.as_slice()) as u64
    }

    /// Returns the number of boards that have each number, from 0 up to the largest that occurs.
    #[must_use]
    pub fn counts(&self) -> Vec<u64> {
        let boards = self.lattice.word_mask();
        let mut counts = vec![0; max_numbers(&self.lattice)];
        let counted = count_words(self.planes.as_slice(), self.bits, self.threads, |words| {
            let mut counts = vec![0; counts.len()];
            for word in words.chunks(self.bits) {
                let mut left = boards;
                for (number, count) in counts.iter_mut().enumerate() {
                    let with_number = boards_with_number(number, word) & boards;
                    *count += u64::from(with_number.count_ones());
                    left &= !with_number;
                    if left == 0 {
                        break;
                    }
                }
            }
            counts
        });
        for part in counted {
            counts.iter_mut().zip(part).for_each(|(count, of_part)| *count += of_part);
        }
        let used = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        counts.truncate(used);
        counts
    }
}

/// The number of possible numbers, 0 included: the end of a misère game has number 1.
fn max_numbers(lattice: &Lattice) -> usize {
    lattice.max_placements.max(1) + 1
}

/// The number of bits of the largest number.
fn bits_of(lattice: &Lattice) -> usize {
    ((max_numbers(lattice) - 1).ilog2() + 1) as usize
}

/// The boards of a word that have this number.
#[inline]
fn boards_with_number(number: usize, planes: &[u64]) -> u64 {
    let bits = planes.iter().enumerate();
    bits.fold(u64::MAX, |boards_with_number, (bit, &plane)| {
        boards_with_number & if number >> bit & 1 == 0 { !plane } else { plane }
    })
}

/// Converts planes of eight words at a time, the layout while filling, to the planes of one
/// word after the other, the layout for look-up.
fn to_lookup_layout(blocks: &mut [Block], bits: usize) {
    let mut words = [0; 8 * MAX_BITS];
    for planes in blocks.chunks_exact_mut(bits) {
        for (bit, plane) in planes.iter().enumerate() {
            for (word, &boards) in plane.iter().enumerate() {
                words[word * bits + bit] = boards;
            }
        }
        planes.as_flattened_mut().copy_from_slice(&words[..8 * bits]);
    }
}

impl Rule {
    /// Computes the boards of each number from the boards that can move to each number. There is
    /// at least one more number than is reached, and every board gets one.
    #[inline(always)]
    fn apply(self, reached: &[Block], numbers: &mut [Block]) {
        for number in numbers.iter_mut() {
            *number = [0; 8];
        }
        let mut left = [u64::MAX; 8];
        match self {
            Self::Nimber | Self::MisereValue => {
                let mut movable = [0; 8];
                for number in 0..reached.len() {
                    for word in 0..8 {
                        movable[word] |= reached[number][word];
                        numbers[number][word] = left[word] & !reached[number][word];
                        left[word] &= reached[number][word];
                    }
                }
                for word in 0..8 {
                    numbers[reached.len()][word] |= left[word];
                    if self == Self::MisereValue {
                        let over = !movable[word];
                        numbers[0][word] &= !over;
                        numbers[1][word] |= over;
                    }
                }
            }
            Self::Remoteness { lost } => {
                // The fastest win, otherwise the slowest loss, otherwise the end.
                let mut after = lost;
                while after < reached.len() {
                    assign(&mut left, &reached[after], &mut numbers[after + 1]);
                    after += 2;
                }
                let losses = (reached.len() + lost) / 2;
                for loss in (0..losses).rev() {
                    let after = 2 * loss + 1 - lost;
                    assign(&mut left, &reached[after], &mut numbers[after + 1]);
                }
                numbers[0] = left;
            }
        }
    }
}

/// Assigns the number to boards that have none yet and are reached.
#[inline(always)]
fn assign(left: &mut Block, reached: &Block, number: &mut Block) {
    for word in 0..8 {
        number[word] = left[word] & reached[word];
        left[word] &= !reached[word];
    }
}

/// A function that fills the table by runs.
type ByRuns = fn(&Lattice, Rule, VectorLevel, &mut [Block], usize, &Watch) -> Result<(), Stopped>;

/// Returns [`by_runs`] for this many bits. Six are enough where no piece is a single cell.
fn by_runs_of(bits: usize) -> ByRuns {
    match bits {
        1 => by_runs::<1>,
        2 => by_runs::<2>,
        3 => by_runs::<3>,
        4 => by_runs::<4>,
        5 => by_runs::<5>,
        _ => by_runs::<6>,
    }
}

/// Fills the table by runs.
fn by_runs<const BITS: usize>(
    lattice: &Lattice,
    rule: Rule,
    instructions: VectorLevel,
    planes: &mut [Block],
    threads: usize,
    watch: &Watch,
) -> Result<(), Stopped> {
    let mut runs = Runs::new(lattice, BITS);
    runs.instructions = instructions;
    let used = (0..runs.count()).map(|_| AtomicU8::new(0)).collect();
    let kernel = NumberKernel::<BITS> { rule, most: max_numbers(lattice), blocks: runs.blocks(), used };
    runs.fill(&kernel, planes, threads, watch)?;
    to_lookup_layout(planes, BITS);
    Ok(())
}

/// The rule of numbers of `BITS` bits.
struct NumberKernel<const BITS: usize> {
    rule: Rule,
    /// The number of possible numbers.
    most: usize,
    /// The number of blocks of boards of a run.
    blocks: usize,
    /// For each run 1 more than the largest number that occurs.
    used: Vec<AtomicU8>,
}

/// The boards of a run that can move to each number.
struct Reached {
    /// By block of boards and number.
    sets: Vec<Block>,
    /// 1 more than the largest number that is reached, or more.
    used: usize,
}

impl<const BITS: usize> NumberKernel<BITS> {
    /// The distance of two blocks of boards in [`Reached::sets`].
    #[inline(always)]
    const fn stride(&self) -> usize {
        self.most.next_multiple_of(4)
    }
}

impl<const BITS: usize> Kernel for NumberKernel<BITS> {
    type Scratch = Reached;

    #[inline(always)]
    fn scratch(&self) -> Reached {
        Reached { sets: vec![[0; 8]; self.stride() * self.blocks], used: 0 }
    }

    #[inline(always)]
    fn begin(&self, _: &mut [Block]) {}

    #[inline(always)]
    fn add_group(&self, reached: &mut Reached, _: &mut [Block], group: &Group, number: usize, after: &[Block]) {
        let used = usize::from(self.used[number].load(Relaxed));
        reached.used = reached.used.max(used);
        for mv in &group.moves {
            match mv.in_block {
                0 => self.reach_by::<0>(mv, used, reached, after),
                1 => self.reach_by::<1>(mv, used, reached, after),
                2 => self.reach_by::<2>(mv, used, reached, after),
                3 => self.reach_by::<3>(mv, used, reached, after),
                4 => self.reach_by::<4>(mv, used, reached, after),
                5 => self.reach_by::<5>(mv, used, reached, after),
                6 => self.reach_by::<6>(mv, used, reached, after),
                _ => self.reach_by::<7>(mv, used, reached, after),
            }
        }
    }

    #[inline(always)]
    fn finish(&self, reached: &mut Reached, run: &mut [Block], number: usize) {
        // Where play can end now, misère values are 0 or 1.
        let numbers_used = (reached.used + 1).max(2);
        let mut numbers = [[0; 8]; MAX_NUMBERS];
        let numbers = &mut numbers[..numbers_used];
        let mut any = [[0; 8]; MAX_NUMBERS];
        for block in 0..self.blocks {
            let sets = &mut reached.sets[block * self.stride()..][..reached.used];
            self.rule.apply(sets, numbers);
            for set in sets {
                *set = [0; 8];
            }
            let mut planes = [[0; 8]; BITS];
            for number in 0..numbers_used {
                let boards_with_number = &numbers[number];
                for word in 0..8 {
                    any[number][word] |= boards_with_number[word];
                }
                for bit in 0..BITS {
                    let in_plane = if number >> bit & 1 == 0 { 0 } else { u64::MAX };
                    for word in 0..8 {
                        planes[bit][word] |= boards_with_number[word] & in_plane;
                    }
                }
            }
            run[block * BITS..][..BITS].copy_from_slice(&planes);
        }
        let used = any.iter().rposition(|any| *any != [0; 8]).map_or(0, |last| last + 1);
        self.used[number].store(used as u8, Relaxed);
        reached.used = 0;
    }
}

impl<const BITS: usize> NumberKernel<BITS> {
    /// Adds the numbers that a placement leads to in the run `after`, all below `used`.
    #[inline(always)]
    fn reach_by<const IN_BLOCK: usize>(&self, mv: &BlockMove, used: usize, reached: &mut Reached, after: &[Block]) {
        let free = mv.free();
        let stride = self.stride();
        let mut from = 0;
        while from < self.blocks {
            let after = &after[mv.leads_to(from) * BITS..][..BITS];
            let mut planes = [[0; 8]; BITS];
            for bit in 0..BITS {
                planes[bit] = mv.before::<IN_BLOCK>(&after[bit]);
            }
            // By fours: the two lowest bits once, the others once for each group.
            let mut low = [[0; 8]; 4];
            for word in 0..8 {
                let one = planes[0][word];
                let two = if BITS > 1 { planes[1][word] } else { 0 };
                low[0][word] = !one & !two;
                low[1][word] = one & !two;
                low[2][word] = !one & two;
                low[3][word] = one & two;
            }
            for four in 0..used.div_ceil(4) {
                let mut boards_with_number = free;
                for bit in 2..BITS {
                    let ones = if four >> (bit - 2) & 1 == 0 { u64::MAX } else { 0 };
                    for word in 0..8 {
                        boards_with_number[word] &= planes[bit][word] ^ ones;
                    }
                }
                let sets = &mut reached.sets[from * stride + 4 * four..][..4];
                for number in 0..4 {
                    for word in 0..8 {
                        sets[number][word] |= boards_with_number[word] & low[number][word];
                    }
                }
            }
            from = mv.next(from);
        }
    }
}

/// Fills the table word by word.
fn fill_words(lattice: &Lattice, rule: Rule, bits: usize, planes: &mut [u64], watch: &Watch) -> Result<(), Stopped> {
    let most = max_numbers(lattice);
    fill_by_words(lattice, watch, |word, across, within| {
        let mut reached = [[0; 8]; MAX_NUMBERS];
        // All possible numbers: on tiny boards an ended misère game has the largest.
        let reached = &mut reached[..most];
        let mut numbers = [[0; 8]; MAX_NUMBERS];
        let numbers = &mut numbers[..=most];
        for mv in across {
            let after = &planes[mv.leads_to(word) * bits..][..bits];
            for (number, reached) in reached.iter_mut().enumerate() {
                reached[0] |= mv.before(boards_with_number(number, after));
            }
        }
        let word = &mut planes[word * bits..][..bits];
        // Fuller boards of the same word first: the others depend on them.
        let fullness = if within.is_empty() { 0..=0 } else { 0..=WORD_CELLS as u32 };
        let mut done = 0;
        for filled_cells in fullness.rev() {
            for mv in within {
                for (number, reached) in reached.iter_mut().enumerate() {
                    reached[0] |= mv.before(boards_with_number(number, word) & done);
                }
            }
            rule.apply(reached, numbers);
            let boards_with_filled = if within.is_empty() { u64::MAX } else { boards_with_filled(filled_cells) };
            for (bit, plane) in word.iter_mut().enumerate() {
                let ones = numbers.iter().enumerate().filter(|(number, _)| number >> bit & 1 != 0);
                let ones = ones.fold(0, |ones, (_, boards_with_number)| ones | boards_with_number[0]);
                *plane = *plane & !boards_with_filled | ones & boards_with_filled;
            }
            done |= boards_with_filled;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement::runs::samples::samples;

    #[test]
    fn all_ways_to_fill_a_table_agree() {
        let watch = Watch::default();
        for (name, game) in samples() {
            let lattice = Lattice::new(&game, 0, RUN_CELLS, |_| 1, (1 << 30).into()).unwrap();
            let bits = bits_of(&lattice);
            for rule in [Rule::Nimber, Rule::MisereValue, Rule::Remoteness { lost: 0 }, Rule::Remoteness { lost: 1 }] {
                let mut expected = vec![0; lattice.words() * bits];
                fill_words(&lattice, rule, bits, &mut expected, &watch).unwrap();
                for instructions in VectorLevel::all() {
                    for threads in [1, 3] {
                        let mut words = lattice.allocate(bits).unwrap();
                        let planes = words.blocks_mut();
                        by_runs_of(bits)(&lattice, rule, instructions, planes, threads, &watch).unwrap();
                        assert!(words.as_slice() == expected, "{name} {rule:?} {instructions:?} {threads}");
                    }
                }
            }
        }
    }
}
