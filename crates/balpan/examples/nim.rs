//! Nim with keys and a symmetry. Take any number from one heap; whoever takes the last wins.

use balpan::{Budget, Engine, Game, Goal, Watch};

struct Nim;

impl Game for Nim {
    type Position = [u8; 3];
    type Move = (usize, u8);

    fn start(&self) -> [u8; 3] {
        [3, 4, 5]
    }

    fn moves(&self, heaps: &[u8; 3]) -> impl Iterator<Item = (usize, u8)> {
        (0..3).flat_map(|heap| (1..=heaps[heap]).map(move |taken| (heap, taken)))
    }

    fn play(&self, heaps: &[u8; 3], (heap, taken): (usize, u8)) -> [u8; 3] {
        let mut heaps = *heaps;
        heaps[heap] -= taken;
        heaps
    }

    /// The order of the heaps does not matter.
    fn canonical(&self, heaps: &[u8; 3]) -> [u8; 3] {
        let mut heaps = *heaps;
        heaps.sort_unstable();
        heaps
    }

    fn key_bits(&self) -> u32 {
        24
    }

    fn key(&self, &[a, b, c]: &[u8; 3]) -> u128 {
        u32::from_le_bytes([a, b, c, 0]).into()
    }
}

fn main() -> Result<(), balpan::EngineError> {
    let mut engine = Engine::new(Nim, Budget::default());
    let answer = engine.solve(&Nim.start(), Goal::Value, &Watch::default(), |step| println!("{step}"))?;
    assert_eq!(answer.best_moves().collect::<Vec<_>>(), [(0, 2)]); // 1 + 4 + 5: nimber 0
    println!("{:?}", answer.line);
    Ok(())
}
