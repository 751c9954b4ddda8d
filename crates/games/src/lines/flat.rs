//! What can be told of lines games where marks can be made in any free cell, each
//! player has his own, and k in a row or more win.

use balpan::{Bounds, Value};

use super::dominated::Domination;
use super::lacks::{Lacks, Windows};
use super::plan;
use crate::board::{Board, Cells, bit, first};
use crate::instructions::Instructions;

/// A board on which marks do not fall. Its methods ask for positions without a line,
/// by the marks of the player to move and of the other.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    all: u64,
    windows: Windows,
    /// The windows that each cell lies in.
    through: Vec<Vec<u64>>,
    instructions: Instructions,
}

impl Flat {
    pub(super) fn new(board: Board, windows: &[u64], instructions: Instructions) -> Self {
        let through = |cell| windows.iter().copied().filter(|window| window & bit(cell) != 0).collect();
        let through = (0..board.cells()).map(through).collect();
        Self { all: board.all(), windows: Windows::new(windows), through, instructions }
    }

    /// Whether the other player has a plan to keep the owner of `own` from ever marking
    /// a whole window.
    #[inline(always)]
    pub(super) fn can_be_kept_from(&self, own: u64, others: u64, own_turn: bool) -> bool {
        let mut lacks = Lacks::default();
        self.windows.find_lacks(own, others, &mut lacks);
        plan::is_found(lacks.sets_mut(), !own_turn, self.instructions)
    }

    /// Bounds where the mover cannot complete a line, and the other threatens to at the
    /// cell `forced` at most.
    #[inline(always)]
    pub(super) fn bounds(&self, own: u64, others: u64, forced: u64, asked: Value) -> Bounds {
        let left = (self.all & !(own | others)).count_ones();
        let in_time = |plies, value: fn(u32) -> Value| if plies > left { Value::DRAW } else { value(plies) };
        let mut mine = Lacks::default();
        self.windows.find_lacks(own, others, &mut mine);
        // A fork threatens two cells, of which the other can mark one; and nothing else
        // wins in 3.
        let forks = if forced == 0 { mine.forking } else { mine.forking & forced };
        if forks != 0 {
            return Bounds::exact(Value::win(3));
        }
        // A player marks all that he lacks of some window, the other in between.
        let soonest_win = mine.fewest.map_or(Value::DRAW, |cells| in_time((2 * cells - 1).max(5), Value::win));
        let mut bounds = Bounds { lower: Value::loss(4), upper: soonest_win };
        if asked >= Value::DRAW {
            // The mover's forced mark leaves the other to move.
            mine.sets_mut().iter_mut().for_each(|set| *set &= !forced);
            if bounds.upper > asked && plan::is_found(mine.sets_mut(), forced != 0, self.instructions) {
                bounds.upper = Value::DRAW;
            }
            return bounds;
        }
        // Nobody is worse off for moving first: a second player's winning strategy could
        // be stolen, as one's own marks never harm (J. Nash).
        if own | others == 0 {
            bounds.lower = Value::DRAW;
            return bounds;
        }
        let mut theirs = Lacks::default();
        self.windows.find_lacks(others, own, &mut theirs);
        bounds.lower = theirs.fewest.map_or(Value::DRAW, |cells| in_time((2 * cells).max(4), Value::loss));
        // A plan begins with the forced mark by itself: nothing else meets that set.
        if bounds.lower <= asked && plan::is_found(theirs.sets_mut(), true, self.instructions) {
            bounds.lower = Value::DRAW;
        }
        bounds
    }

    /// Cells of which one is best to mark, where neither player can complete a line
    /// next.
    #[inline(always)]
    pub(super) fn candidates(&self, own: u64, others: u64) -> u64 {
        let mut mine = Lacks::default();
        self.windows.find_lacks(own, others, &mut mine);
        let mut theirs = Lacks::default();
        self.windows.find_lacks(others, own, &mut theirs);
        // A cell in no set is as good as none to mark, so any other is no worse.
        let cells = Domination::of(mine.sets(), theirs.sets()).undominated();
        if cells == 0 {
            return first(self.all & !(own | others));
        }
        // Where the other could fork next, any move but these loses in 4, and none loses
        // sooner: to mark the fork or what it needs, two threats at least; or to threaten
        // something oneself.
        let against_forks = Cells(theirs.forking).fold(u64::MAX, |zone, fork| {
            let needed = theirs.threats_of(bit(fork));
            zone & if needed.count_ones() > 3 { bit(fork) } else { needed }
        });
        match cells & (against_forks | mine.threatening) {
            0 => first(cells),
            enough => enough,
        }
    }

    /// The more windows through a cell are open to either player, and the more marks
    /// are in them, the better; one's own count twice.
    #[inline(always)]
    pub(super) fn rank(&self, own: u64, others: u64, cell: usize) -> i32 {
        let of_window = |window: &u64| match (window & own, window & others) {
            (marks, 0) => 2 * power_of_3(marks),
            (0, marks) => power_of_3(marks),
            _ => 0,
        };
        self.through[cell].iter().map(of_window).sum()
    }
}

/// 3 to the power of `marks.count_ones()`; from 12 on it grows no more, so that sums of them
/// fit.
#[inline]
fn power_of_3(marks: u64) -> i32 {
    const POWERS: [i32; 13] = {
        let mut powers = [1; 13];
        let mut n = 1;
        while n < powers.len() {
            powers[n] = 3 * powers[n - 1];
            n += 1;
        }
        powers
    };
    POWERS[(marks.count_ones() as usize).min(POWERS.len() - 1)]
}
