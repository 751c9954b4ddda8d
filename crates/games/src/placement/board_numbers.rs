//! A number for every board of an impartial placement game, in bit planes: its
//! nimber, or its remoteness.

use balpan::Watch;

use super::Placement;
use super::lattice::{LOW, Lattice, Move, NoTable, boards};

/// The nimber, or the remoteness, of every board of a game.
///
/// Both are at most the number of placements that a game can have, so that many
/// bits a board are enough: 4 for the block game on 5×5, which makes 16 MiB. Cost to
/// build: for each word and placement, some operations for each number that occurs.
/// Look-up: a bit from each plane.
#[derive(Clone, Debug)]
pub struct BoardNumbers {
    lattice: Lattice,
    /// For each word of boards the bits of their numbers, the lowest first.
    planes: Vec<u64>,
    bits: usize,
}

/// Numbers from 0 to at most the cells of a board that has a table.
const MOST_NUMBERS: usize = 64;

/// For each number, the boards of a word that have it, or that can move to it.
type Sets = [u64; MOST_NUMBERS];

impl BoardNumbers {
    /// The nimber of every board: the least that no placement leads to. R. Sprague
    /// (1935), P. M. Grundy (1939).
    ///
    /// # Errors
    /// If the game has a state beyond the board or is misère, or if the table does
    /// not fit in `allowed` bytes.
    pub fn nimbers(game: &Placement, allowed: u64, watch: &Watch) -> Result<Self, NoTable> {
        if game.rules.misere {
            return Err(NoTable::Misere);
        }
        Self::new(game, allowed, watch, |reached, numbers| {
            let mut left = u64::MAX;
            for (reached, number) in reached.iter().zip(numbers) {
                *number = left & !reached;
                left &= reached;
            }
        })
    }

    /// The remoteness of every board. In normal play it is even where the player to
    /// move loses, in misère play where that player wins.
    ///
    /// # Errors
    /// If the game has a state beyond the board, or if the table does not fit in
    /// `allowed` bytes.
    pub fn remoteness(game: &Placement, allowed: u64, watch: &Watch) -> Result<Self, NoTable> {
        // The parity of a board that its player to move loses.
        let lost = usize::from(game.rules.misere);
        Self::new(game, allowed, watch, |reached, numbers| {
            let mut left = u64::MAX;
            let last = numbers.len() - 1;
            // The soonest win, otherwise the latest loss, otherwise the end.
            let wins = (lost..last).step_by(2);
            let losses = (1 - lost..last).step_by(2).rev();
            for after in wins.chain(losses) {
                numbers[after + 1] = left & reached[after];
                left &= !reached[after];
            }
            numbers[0] = left;
        })
    }

    /// `settle` is told for each number which boards of a word can move to it, and
    /// tells which have it; it leaves no board without.
    fn new(
        game: &Placement,
        allowed: u64,
        watch: &Watch,
        settle: impl Fn(&[u64], &mut [u64]),
    ) -> Result<Self, NoTable> {
        let bits_of = |lattice: &Lattice| (lattice.longest.max(1).ilog2() + 1) as usize;
        let lattice = Lattice::new(game, bits_of, allowed)?;
        let bits = bits_of(&lattice);
        let most = lattice.longest + 1;
        let mut planes = vec![0; lattice.words() * bits];
        let settle_word = |word: usize, across: &[Move], planes: &mut [u64]| {
            let mut reached: Sets = [0; MOST_NUMBERS];
            for mv in across.iter().filter(|mv| !mv.overlaps(word)) {
                let after = mv.leads_to(word) * bits;
                reach(mv, &planes[after..after + bits], u64::MAX, &mut reached[..most]);
            }
            let mut numbers: Sets = [0; MOST_NUMBERS];
            let word = &mut planes[word * bits..][..bits];
            if lattice.within.is_empty() {
                settle(&reached[..most], &mut numbers[..most]);
                write(&numbers[..most], u64::MAX, word);
                return;
            }
            // Fuller boards of the same word first: the others depend on them.
            let mut settled = 0;
            for filled_cells in (0..=LOW as u32).rev() {
                for mv in &lattice.within {
                    reach(mv, word, settled, &mut reached[..most]);
                }
                settle(&reached[..most], &mut numbers[..most]);
                let as_full = boards(|board| board.count_ones() == filled_cells);
                write(&numbers[..most], as_full, word);
                settled |= as_full;
            }
        };
        lattice.settle_runs(watch, |run, across| {
            for word in run.rev() {
                settle_word(word, across, &mut planes);
            }
        })?;
        Ok(Self { lattice, planes, bits })
    }

    /// The number of the board with these cells filled.
    #[must_use]
    pub fn get(&self, filled: u64) -> u32 {
        let (word, board) = self.lattice.place(filled);
        let planes = self.planes[word * self.bits..][..self.bits].iter();
        planes.enumerate().fold(0, |number, (bit, plane)| number | ((plane >> board & 1) as u32) << bit)
    }

    /// How many boards have each number, from 0 on, up to the largest that occurs.
    #[must_use]
    pub fn counts(&self) -> Vec<u64> {
        let boards = self.lattice.boards_of_a_word();
        let mut counts = vec![0; self.lattice.longest + 1];
        for word in self.planes.chunks(self.bits) {
            for (number, count) in counts.iter_mut().enumerate() {
                *count += u64::from((having(number, word) & boards).count_ones());
            }
        }
        let used = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        counts.truncate(used);
        counts
    }
}

/// The boards of a word that have this number.
#[inline]
fn having(number: usize, planes: &[u64]) -> u64 {
    let bits = planes.iter().enumerate();
    bits.fold(u64::MAX, |having, (bit, &plane)| having & if number >> bit & 1 == 0 { !plane } else { plane })
}

/// Adds the boards from which `mv` leads to each number, on one of the `settled`
/// boards.
#[inline]
fn reach(mv: &Move, planes: &[u64], settled: u64, reached: &mut [u64]) {
    for (number, reached) in reached.iter_mut().enumerate() {
        *reached |= mv.before(having(number, planes) & settled);
    }
}

/// Writes the numbers of `boards` into their planes.
#[inline]
fn write(numbers: &[u64], boards: u64, planes: &mut [u64]) {
    for (bit, plane) in planes.iter_mut().enumerate() {
        let ones = numbers.iter().enumerate().filter(|(number, _)| number >> bit & 1 != 0);
        let ones = ones.fold(0, |ones, (_, &having)| ones | having);
        *plane = *plane & !boards | ones & boards;
    }
}
