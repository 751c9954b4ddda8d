//! Filling a table by runs of independent words, eight words at a time, on several threads.

#![allow(clippy::needless_range_loop, reason = "plain loops are what becomes vector instructions in every caller")]

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use balpan::parallel::broadcast;
use balpan::{Stopped, Watch};

use super::lattice::{Lattice, WORD_CELLS, boards_where};

/// The number of cells that number the words of a block.
const BLOCK_CELLS: usize = 3;

/// Neighbouring words that are filled together.
pub(super) type Block = [u64; 1 << BLOCK_CELLS];

/// Minimum number of independent cells: the words of a block must not depend on each other.
pub(super) const MIN_INDEPENDENT_CELLS: usize = WORD_CELLS + BLOCK_CELLS;

/// Minimum size of a unit of work, of which there are at most 2^12: handing them out then
/// costs nothing measurable.
const MIN_UNIT_BYTES: usize = 1 << 16;
const MAX_UNIT_CELLS: usize = 12;

/// A partition of a table into runs and units.
///
/// A *run* is the set of boards that differ only in the independent cells, which come first
/// in the lattice. The filled ones of the other cells number the run, so a placement leads
/// from a whole run to one of a higher number. A *unit* is a range of runs that one thread
/// fills, from the last to the first.
#[derive(Debug)]
pub(super) struct Runs {
    groups: Vec<Group>,
    /// The number of blocks that hold one bit for each board of a run.
    blocks: usize,
    /// The number of blocks that hold all bits of each board of a run.
    width: usize,
    /// The numbers of cells that number the runs of a unit, and the units.
    inner: usize,
    outer: usize,
    pub(super) instructions: VectorLevel,
}

/// The placements that lead from a run to the same other run.
#[derive(Debug)]
pub(super) struct Group {
    /// The cells that they fill among those that number the runs.
    high: usize,
    pub(super) moves: Vec<BlockMove>,
}

/// A placement in terms of the blocks of a run.
#[derive(Debug)]
pub(super) struct BlockMove {
    /// Its cells among those that number the words of a block.
    pub(super) in_block: usize,
    /// Its cells among those that number the blocks of a run.
    block: usize,
    /// Its cells within a word, as an offset of board numbers.
    pub(super) low: u32,
    /// The boards of a block that the placement can lead to, in the words that it leads from.
    pub(super) lanes: Block,
}

/// The rule that fills the boards of a run. Implementations inline all methods, so that they
/// are compiled anew for each instruction set.
pub(super) trait Kernel: Sync {
    /// The scratch memory of a thread.
    type Scratch;

    fn scratch(&self) -> Self::Scratch;

    /// Begins a run, whose memory may hold anything.
    fn begin(&self, run: &mut [Block]);

    /// Adds a group of placements that lead to the run of this number.
    fn add_group(&self, scratch: &mut Self::Scratch, run: &mut [Block], group: &Group, number: usize, after: &[Block]);

    /// Fills the run of this number once all groups are added.
    fn finish(&self, scratch: &mut Self::Scratch, run: &mut [Block], number: usize);
}

impl Runs {
    /// Creates the runs of a lattice with `bits` bits a board.
    pub(super) fn new(lattice: &Lattice, bits: usize) -> Self {
        let blocks = 1 << (lattice.independent - MIN_INDEPENDENT_CELLS);
        let width = blocks * bits;
        let high_cells = lattice.words().ilog2() as usize + WORD_CELLS - lattice.independent;
        let least = (MIN_UNIT_BYTES / size_of::<Block>() / width).max(1).ilog2() as usize;
        let inner = least.min(high_cells).max(high_cells.saturating_sub(MAX_UNIT_CELLS));
        let mut placements: Vec<_> =
            lattice.placements.iter().map(|&cells| ((cells >> lattice.independent) as usize, cells)).collect();
        placements.sort_unstable();
        let run = |cells: u64| cells & ((1 << lattice.independent) - 1);
        let group = |same: &[(usize, u64)]| Group {
            high: same[0].0,
            moves: same.iter().map(|&(_, cells)| BlockMove::new(run(cells))).collect(),
        };
        let groups = placements.chunk_by(|one, other| one.0 == other.0).map(group).collect();
        let instructions = VectorLevel::all()[0];
        Self { groups, blocks, width, inner, outer: high_cells - inner, instructions }
    }

    /// The number of blocks that hold one bit for each board of a run.
    pub(super) const fn blocks(&self) -> usize {
        self.blocks
    }

    /// The number of runs.
    pub(super) const fn count(&self) -> usize {
        1 << (self.inner + self.outer)
    }

    /// Fills `table` on several threads, unit by unit, fuller boards first. Units that are
    /// equally full are independent.
    pub(super) fn fill<K: Kernel>(
        &self,
        kernel: &K,
        table: &mut [Block],
        threads: usize,
        watch: &Watch,
    ) -> Result<(), Stopped> {
        let mut waiting: Vec<_> = table.chunks_exact_mut(self.width << self.inner).map(Some).collect();
        let units = waiting.len();
        let mut filled_units = vec![&[][..]; units];
        let all_done = AtomicUsize::new(0);
        for filled_cells in (0..=self.outer as u32).rev() {
            let equally_full = (0..units).rev().filter(|unit| unit.count_ones() == filled_cells);
            let level: Vec<_> = equally_full.filter_map(|unit| Some((unit, waiting[unit].take()?))).collect();
            let threads = threads.min(level.len());
            let queue = Mutex::new(level.into_iter());
            let work = || -> Result<Vec<(usize, &[Block])>, Stopped> {
                let mut done = Vec::new();
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((unit, blocks)) = next else {
                        return Ok(done);
                    };
                    self.instructions.fill_unit(
                        kernel,
                        &Unit { runs: self, unit, filled_units: &filled_units },
                        blocks,
                    );
                    watch.count((blocks.len() / self.width * self.blocks * 512) as u64)?;
                    watch.set_progress((all_done.fetch_add(1, Relaxed) + 1) as f64 / units as f64);
                    done.push((unit, &*blocks));
                }
            };
            for done in broadcast(threads, work) {
                for (unit, blocks) in done? {
                    filled_units[unit] = blocks;
                }
            }
        }
        Ok(())
    }
}

impl BlockMove {
    fn new(cells: u64) -> Self {
        let low = (cells & 63) as u32;
        let in_block = (cells >> WORD_CELLS) as usize & ((1 << BLOCK_CELLS) - 1);
        let filled = boards_where(|board| board & low == low);
        let lane = |word: usize| if word & in_block == 0 { filled } else { 0 };
        Self { in_block, block: (cells >> MIN_INDEPENDENT_CELLS) as usize, low, lanes: std::array::from_fn(lane) }
    }

    /// The block that the placement leads to from a block that it fits on.
    #[inline(always)]
    pub(super) const fn leads_to(&self, block: usize) -> usize {
        block | self.block
    }

    /// The next block of a run that the placement fits on, after one that it fits on; the first is 0.
    #[inline(always)]
    pub(super) const fn next(&self, block: usize) -> usize {
        ((block | self.block) + 1) & !self.block
    }

    /// The boards of a block from which the placement leads to one of `boards`. `IN_BLOCK` must
    /// equal [`in_block`](Self::in_block): with a constant, words are permuted fast.
    #[inline(always)]
    pub(super) fn before<const IN_BLOCK: usize>(&self, boards: &Block) -> Block {
        let mut before = [0; 8];
        for word in 0..8 {
            before[word] = (boards[word ^ IN_BLOCK] & self.lanes[word]) >> self.low;
        }
        before
    }

    /// The boards of a block on which none of its cells within a block is filled.
    #[inline(always)]
    pub(super) fn free(&self) -> Block {
        let mut free = [0; 8];
        for word in 0..8 {
            free[word] = self.lanes[word] >> self.low;
        }
        free
    }
}

/// A unit to fill, and the units filled before.
struct Unit<'a> {
    runs: &'a Runs,
    unit: usize,
    filled_units: &'a [&'a [Block]],
}

impl Unit<'_> {
    /// Fills the unit's boards in `own`.
    #[inline(always)]
    fn fill<K: Kernel>(&self, kernel: &K, own: &mut [Block]) {
        let Runs { groups, width, inner, .. } = self.runs;
        let mut scratch = kernel.scratch();
        let fitting: Vec<_> = groups.iter().filter(|group| group.high >> inner & self.unit == 0).collect();
        for run in (0..1 << inner).rev() {
            let (before, after) = own.split_at_mut((run + 1) * width);
            let blocks = &mut before[run * width..];
            let number = self.unit << inner | run;
            kernel.begin(blocks);
            for group in &fitting {
                if group.high & number != 0 {
                    continue;
                }
                let to = number | group.high;
                let unit = to >> inner;
                let in_unit = to & ((1 << inner) - 1);
                let after = if unit == self.unit {
                    &after[(in_unit - run - 1) * width..][..*width]
                } else {
                    &self.filled_units[unit][in_unit * width..][..*width]
                };
                kernel.add_group(&mut scratch, blocks, group, to, after);
            }
            kernel.finish(&mut scratch, blocks, number);
        }
    }
}

/// Vector instructions that this machine has: the field is private, so none is made without detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VectorLevel(Level);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl VectorLevel {
    /// All that this machine has, the widest first.
    pub(super) fn all() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut all = vec![Self(Level::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.insert(0, Self(Level::Avx2));
            }
            if is_x86_feature_detected!("avx512f") {
                all.insert(0, Self(Level::Avx512));
            }
        }
        all
    }

    #[allow(unsafe_code, reason = "the only way to call for instructions that the machine is found to have")]
    fn fill_unit<K: Kernel>(self, kernel: &K, unit: &Unit, own: &mut [Block]) {
        match self.0 {
            // SAFETY: this machine has AVX-512, as detected.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { by_avx512(kernel, unit, own) },
            // SAFETY: this machine has AVX2, as detected.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { by_avx2(kernel, unit, own) },
            Level::Portable => unit.fill(kernel, own),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn by_avx512<K: Kernel>(kernel: &K, unit: &Unit, own: &mut [Block]) {
    unit.fill(kernel, own);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn by_avx2<K: Kernel>(kernel: &K, unit: &Unit, own: &mut [Block]) {
    unit.fill(kernel, own);
}

#[cfg(test)]
pub(super) mod samples {
    use crate::placement::Placement;
    use crate::presets::preset;

    /// Games that are filled by runs, of one unit and of several, with one cell too few for the
    /// next block and with many.
    pub(in crate::placement) fn samples() -> Vec<(String, Placement)> {
        let games = [
            ("blockgame", &["board=4x5"][..]),
            ("blockgame", &["board=3x7", "misere=true"]),
            ("blockgame", &["board=3x6"]),
            ("cram", &["board=4x5", "misere=true"]),
            ("cram", &["board=2x10"]),
            ("pentominoes", &["supply={}", "board=4x5"]),
        ];
        let sample = |(name, changes): (&str, &[&str])| {
            let rules =
                changes.iter().fold(preset(name).unwrap().unwrap(), |rules, change| rules.with_change(change).unwrap());
            let game = rules.game().unwrap().downcast::<Placement>().unwrap();
            (format!("{name} {changes:?}"), game)
        };
        games.into_iter().map(sample).collect()
    }
}
