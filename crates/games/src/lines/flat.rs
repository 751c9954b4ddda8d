//! Static evaluation of lines games where any free cell can be marked, each player has their
//! own marks, and k or more in a row win.

use balpan::{Bounds, Value};

use super::dominated::Domination;
use super::lacks::{MissingSets, Windows};
use super::plan;
use crate::board::{Board, Cells, bit, first};
use crate::instructions::Instructions;

/// The windows of a board on which marks do not fall. The methods take positions without a
/// line, as the marks of the player to move and of the opponent.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    all: u64,
    windows: Windows,
    /// The windows through each cell.
    through: Vec<Vec<u64>>,
    instructions: Instructions,
}

impl Flat {
    pub(super) fn new(board: Board, windows: &[u64], instructions: Instructions) -> Self {
        let through = |cell| windows.iter().copied().filter(|window| window & bit(cell) != 0).collect();
        let through = (0..board.cells()).map(through).collect();
        Self { all: board.all(), windows: Windows::new(windows), through, instructions }
    }

    /// Whether the opponent has a plan that keeps the owner of `own` from ever completing a window.
    #[inline(always)]
    pub(super) fn can_be_kept_from(&self, own: u64, others: u64, own_turn: bool) -> bool {
        let mut lacks = MissingSets::default();
        self.windows.find_missing(own, others, &mut lacks);
        plan::exists(lacks.sets_mut(), !own_turn, self.instructions)
    }

    /// Bounds for a mover who cannot complete a line, against an opponent whose only threat, if
    /// any, is at the cell `forced`.
    #[inline(always)]
    pub(super) fn bounds(&self, own: u64, others: u64, forced: u64, threshold: Value) -> Bounds {
        let left = (self.all & !(own | others)).count_ones();
        let in_time = |plies, value: fn(u32) -> Value| if plies > left { Value::DRAW } else { value(plies) };
        let mut mine = MissingSets::default();
        self.windows.find_missing(own, others, &mut mine);
        // A fork makes two threats, of which the opponent can block one. Nothing else wins in 3.
        let forks = if forced == 0 { mine.forking } else { mine.forking & forced };
        if forks != 0 {
            return Bounds::exact(Value::win(3));
        }
        // A player completes a window one cell at a time, with the opponent's moves in between.
        let soonest_win = mine.fewest.map_or(Value::DRAW, |cells| in_time((2 * cells - 1).max(5), Value::win));
        let mut bounds = Bounds { lower: Value::loss(4), upper: soonest_win };
        if threshold >= Value::DRAW {
            // After the mover's forced mark the opponent is to move.
            mine.sets_mut().iter_mut().for_each(|set| *set &= !forced);
            if bounds.upper > threshold && plan::exists(mine.sets_mut(), forced != 0, self.instructions) {
                bounds.upper = Value::DRAW;
            }
            return bounds;
        }
        // Strategy stealing (J. Nash): extra marks never harm, so the first player of an empty board
        // does not lose.
        if own | others == 0 {
            bounds.lower = Value::DRAW;
            return bounds;
        }
        let mut theirs = MissingSets::default();
        self.windows.find_missing(others, own, &mut theirs);
        bounds.lower = theirs.fewest.map_or(Value::DRAW, |cells| in_time((2 * cells).max(4), Value::loss));
        // The forced mark is part of any plan: nothing else meets that set.
        if bounds.lower <= threshold && plan::exists(theirs.sets_mut(), true, self.instructions) {
            bounds.lower = Value::DRAW;
        }
        bounds
    }

    /// A set of cells that contains a best move, where neither player can complete a line next.
    #[inline(always)]
    pub(super) fn candidates(&self, own: u64, others: u64) -> u64 {
        let mut mine = MissingSets::default();
        self.windows.find_missing(own, others, &mut mine);
        let mut theirs = MissingSets::default();
        self.windows.find_missing(others, own, &mut theirs);
        // A cell in no set is as good as a pass, so any other is no worse.
        let cells = Domination::new(mine.sets(), theirs.sets()).undominated();
        if cells == 0 {
            return first(self.all & !(own | others));
        }
        // Where the opponent could fork next, every move but these loses in 4, and none loses
        // sooner: marking the fork or a cell that all its threats need, or making a threat.
        let against_forks = Cells(theirs.forking).fold(u64::MAX, |zone, fork| {
            let needed = theirs.threats_of(bit(fork));
            zone & if needed.count_ones() > 3 { bit(fork) } else { needed }
        });
        match cells & (against_forks | mine.threatening) {
            0 => first(cells),
            enough => enough,
        }
    }

    /// Sums over the open windows through a cell: more marks weigh more, one's own twice.
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

/// 3 to the power of `marks.count_ones()`, constant from 12 on so that sums do not overflow.
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
