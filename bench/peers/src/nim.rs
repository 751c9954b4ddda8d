//! Three heaps, for peers to solve: who takes the last one wins or, in misère, loses.

use balpan::{Game, Outcome};

/// Nim from some heaps.
#[derive(Clone, Copy, Debug)]
pub struct Nim {
    /// Where it begins.
    pub heaps: [u8; 3],
    /// Whether who takes the last one loses.
    pub misere: bool,
}

impl Game for Nim {
    type Position = [u8; 3];
    type Move = (usize, u8);

    fn start(&self) -> [u8; 3] {
        self.heaps
    }

    fn moves(&self, &heaps: &[u8; 3]) -> impl Iterator<Item = (usize, u8)> {
        (0..3).flat_map(move |heap| (1..=heaps[heap]).map(move |taken| (heap, taken)))
    }

    fn play(&self, heaps: &[u8; 3], (heap, taken): (usize, u8)) -> [u8; 3] {
        let mut heaps = *heaps;
        heaps[heap] -= taken;
        heaps
    }

    fn end(&self, _: &[u8; 3]) -> Outcome {
        if self.misere { Outcome::Win } else { Outcome::Loss }
    }
}
