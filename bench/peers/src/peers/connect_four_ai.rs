//! `connect-four-ai`: Connect Four on 6×7 only.

use ::connect_four_ai::{Position, Solver};

use crate::ours::Memory;

/// What its table takes: 2^23 + 9 entries of eight bytes, whatever one asks for.
pub const TABLE_BYTES: usize = 64 << 20;

/// Its solver, without the opening book: that one answers up to eight stones by look-up.
#[derive(Debug)]
pub struct ConnectFourAi(Solver);

impl Default for ConnectFourAi {
    fn default() -> Self {
        Self(Solver::empty())
    }
}

impl ConnectFourAi {
    /// The exact scores of positions, given as columns played. To clear the table costs
    /// it next to nothing: a new age, of eight bits, makes all entries void, until 256
    /// ages later what is left of them counts again (they are sound then as well).
    ///
    /// # Panics
    /// On columns that cannot be played.
    pub fn scores<'t>(&mut self, played: impl Iterator<Item = &'t str>, memory: Memory) -> Vec<i32> {
        self.0.reset();
        let score = |columns| {
            if memory == Memory::Cleared {
                self.0.reset();
            }
            self.0.solve(&Position::from_moves(columns).expect("columns that can be played")).into()
        };
        played.map(score).collect()
    }
}
