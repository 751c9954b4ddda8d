//! Chomp in three methods.

use balpan::{EngineError, Game};

/// Eat a square of an 8x8 bar, with all squares below it and to its right. The top left one is poisoned.
struct Chomp;

impl Game for Chomp {
    type Position = [u8; 8]; // the squares left in each row, from the top
    type Move = (usize, u8); // a row, and how many of its squares stay

    fn start(&self) -> [u8; 8] {
        [8; 8]
    }

    fn moves(&self, rows: &[u8; 8]) -> impl Iterator<Item = (usize, u8)> {
        let squares = (0..8).flat_map(|row| (0..rows[row]).map(move |stay| (row, stay)));
        squares.skip(1) // the poisoned one
    }

    fn play(&self, rows: &[u8; 8], (row, stay): (usize, u8)) -> [u8; 8] {
        std::array::from_fn(|r| if r < row { rows[r] } else { rows[r].min(stay) })
    }
}

fn main() -> Result<(), EngineError> {
    let answer = balpan::solve(Chomp)?;
    assert_eq!(answer.verdict().and_then(|verdict| verdict.remoteness), Some(15)); // won in 15 plies
    assert_eq!(answer.best_moves().collect::<Vec<_>>(), [(1, 1)]); // by leaving one row and one column
    Ok(())
}
