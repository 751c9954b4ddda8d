// The methods of Chomp that the steps of `balpan::guide` add, for the examples after them: each macro has those of one
// step. The examples include this file.

#[allow(unused_imports)]
use balpan::{Bounds, Game, Value};

#[allow(unused_macros)]
macro_rules! rules {
    () => {
        type Position = [u8; 8];
        type Move = (usize, u8);

        fn start(&self) -> [u8; 8] {
            [8; 8]
        }

        fn moves(&self, rows: &[u8; 8]) -> impl Iterator<Item = (usize, u8)> {
            (0..8).flat_map(|row| (0..rows[row]).map(move |stay| (row, stay))).skip(1)
        }

        fn play(&self, rows: &[u8; 8], (row, stay): (usize, u8)) -> [u8; 8] {
            std::array::from_fn(|r| if r < row { rows[r] } else { rows[r].min(stay) })
        }
    };
}

#[allow(unused_macros)]
macro_rules! keys {
    () => {
        fn key_bits(&self) -> u32 {
            32
        }

        fn key(&self, rows: &[u8; 8]) -> u128 {
            rows.iter().fold(0, |key, row| key << 4 | u128::from(*row))
        }

        fn layer(&self, rows: &[u8; 8]) -> Option<u32> {
            Some(rows.iter().map(|row| u32::from(*row)).sum())
        }
    };
}

#[allow(unused_macros)]
macro_rules! symmetry {
    () => {
        fn canonical(&self, rows: &[u8; 8]) -> [u8; 8] {
            (*rows).max(transposed(rows))
        }
    };
}

#[allow(unused_macros)]
macro_rules! bounds {
    () => {
        fn looks_ahead(&self) -> bool {
            true
        }

        fn bounds(&self, rows: &[u8; 8], _threshold: Value) -> Bounds {
            let (right, down) = (u32::from(rows[0]) - 1, u32::from(transposed(rows)[0]) - 1);
            if rows[1] <= 1 {
                let equal = right == down;
                return Bounds::exact(if equal { Value::loss(2 * down) } else { Value::win(2 * right.min(down) + 1) });
            }
            let lower = if right == down { Value::win(2 * down + 1) } else { Bounds::ANY.lower };
            Bounds { lower, ..Bounds::ANY }
        }
    };
}

#[allow(unused_macros)]
macro_rules! candidates {
    () => {
        fn candidates(&self, rows: &[u8; 8]) -> impl Iterator<Item = (usize, u8)> {
            let symmetric = *rows == transposed(rows);
            self.moves(rows).filter(move |&(row, stay)| !symmetric || row <= usize::from(stay))
        }
    };
}

/// The bar with rows and columns exchanged.
#[allow(dead_code)]
fn transposed(rows: &[u8; 8]) -> [u8; 8] {
    std::array::from_fn(|col| rows.iter().filter(|row| usize::from(**row) > col).count() as u8)
}

/// The positions searched for the value of the start, and for the value of every first move.
#[allow(dead_code)]
fn searched<G: Game>(game: fn() -> G) -> [u64; 2] {
    use balpan::{Budget, Engine, Goal, Watch};
    [Goal::Value, Goal::MoveValues].map(|goal| {
        let mut engine = Engine::new(game(), Budget::default());
        engine.solve(&game().start(), goal, &Watch::default(), |_| {}).unwrap().positions
    })
}
