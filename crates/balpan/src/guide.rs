//! A game of your own, from ten lines to a fast solver.
//!
//! This guide takes Chomp from three methods to keys, symmetry, bounds, candidates and an order of moves. Each step adds
//! methods to the same `impl` of [`Game`](crate::Game). Each is optional, none changes an answer, and each gives the
//! positions searched before and after: for the value of the start (`Goal::Value`), and for the value of every first move
//! (`Goal::MoveValues`).
//!
//! | step | methods | value | every move |
//! |---|---|---|---|
//! | [The rules](#the-rules) | `start`, `moves`, `play` | 1466 | 5666 |
//! | [Keys](#keys) | `key_bits`, `key`, `layer` | 1466 | 5666 |
//! | [Symmetry](#symmetry) | `canonical` | 736 | 2397 |
//! | [Bounds](#bounds) | `bounds`, `looks_ahead` | 290 | 1633 |
//! | [Candidates](#candidates) | `candidates` | 279 | 1622 |
//! | [The order of moves](#the-order-of-moves) | `rank` | 129 | 944 |
//!
//! # The rules
//!
//! A game is a value of a type that implements [`Game`](crate::Game): where play begins, the moves, and the position after
//! a move. By default, whoever cannot move loses; [`Game::end`](crate::Game::end) says otherwise. A position is everything
//! that the rest of the game depends on. Make it small and cheap to clone.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/guide/steps.rs"));
//! /// Eat a square of an 8x8 bar, with all squares below it and to its right.
//! /// The top left one is poisoned: whoever has nothing else to eat loses.
//! struct Chomp;
//!
//! impl Game for Chomp {
//!     type Position = [u8; 8]; // the squares left in each row, from the top
//!     type Move = (usize, u8); // a row, and how many of its squares stay
//!
//!     fn start(&self) -> [u8; 8] {
//!         [8; 8]
//!     }
//!
//!     fn moves(&self, rows: &[u8; 8]) -> impl Iterator<Item = (usize, u8)> {
//!         let squares = (0..8).flat_map(|row| (0..rows[row]).map(move |stay| (row, stay)));
//!         squares.skip(1) // the poisoned one
//!     }
//!
//!     fn play(&self, rows: &[u8; 8], (row, stay): (usize, u8)) -> [u8; 8] {
//!         std::array::from_fn(|r| if r < row { rows[r] } else { rows[r].min(stay) })
//!     }
//! }
//! # fn main() -> Result<(), balpan::EngineError> {
//!
//! let answer = balpan::solve(Chomp)?;
//! println!("{answer}"); // win in 15 by (1, 1)
//! # assert_eq!(answer.to_string(), "win in 15 by (1, 1)");
//! # assert_eq!(searched(|| Chomp), [1466, 5666]);
//! # Ok(())
//! # }
//! ```
//!
//! An [`Engine`](crate::Engine) answers any question about any position; its docs say how to set the goal, to stop and to
//! report.
//!
//! # Keys
//!
//! Solvers store positions in tables: whole, by their `Hash`. A key is the position as a number of at most
//! [103 bits](crate::MAX_KEY_BITS), and different positions have different keys. With keys, further positions take a few
//! bytes each once whole ones have filled a quarter of the memory, and the best of them stay when the rest is full, too.
//! Several threads share a table of keys from the beginning, and are several times faster with them. For a game of a million
//! positions and one thread, keys gain little.
//!
//! [`layer`](crate::Game::layer) is a number that every move lowers. It bounds how long play can last.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/guide/steps.rs"));
//! # struct Chomp;
//! impl Game for Chomp {
//! #   rules!();
//!     // the rules as before
//!
//!     fn key_bits(&self) -> u32 {
//!         32
//!     }
//!
//!     fn key(&self, rows: &[u8; 8]) -> u128 {
//!         rows.iter().fold(0, |key, row| key << 4 | u128::from(*row))
//!     }
//!
//!     fn layer(&self, rows: &[u8; 8]) -> Option<u32> {
//!         Some(rows.iter().map(|row| u32::from(*row)).sum())
//!     }
//! }
//! # fn main() {
//! # assert_eq!(searched(|| Chomp), [1466, 5666]);
//! # }
//! ```
//!
//! # Symmetry
//!
//! [`canonical`](crate::Game::canonical) chooses one position from all those that a symmetry turns into each other. Chomp
//! is symmetric in the diagonal. Solvers call it once for each move, so it gains most where moves take long to generate, and
//! nothing where it takes longer than they do. [`Symmetries`](crate::Symmetries) finds canonical forms of boards quickly.
//!
//! ```
//! # mod shown {
//! /// The bar with rows and columns exchanged.
//! fn transposed(rows: &[u8; 8]) -> [u8; 8] {
//!     std::array::from_fn(|col| rows.iter().filter(|row| usize::from(**row) > col).count() as u8)
//! }
//! # }
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/guide/steps.rs"));
//! # struct Chomp;
//!
//! impl Game for Chomp {
//! #   rules!();
//! #   keys!();
//!     fn canonical(&self, rows: &[u8; 8]) -> [u8; 8] {
//!         (*rows).max(transposed(rows))
//!     }
//! }
//! # fn main() {
//! # assert_eq!(searched(|| Chomp), [736, 2397]);
//! # }
//! ```
//!
//! # Bounds
//!
//! [`bounds`](crate::Game::bounds) returns bounds on a value that follow from the rules alone. Here a bar of one row and one
//! column is decided, and a longer argument covers every bar whose first row and first column are equal.
//!
//! A search asks for them when it searches a position. If they take less time than a look-up in a table, and so do
//! [`is_over`](crate::Game::is_over) and the test for a single move, as on small boards of bits, it may
//! [look ahead](crate::Game::looks_ahead) and ask all three for each move beforehand. Where moves are collected in vectors,
//! that is slower.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/guide/steps.rs"));
//! # struct Chomp;
//! impl Game for Chomp {
//! #   rules!();
//! #   keys!();
//! #   symmetry!();
//!     fn looks_ahead(&self) -> bool {
//!         true
//!     }
//!
//!     fn bounds(&self, rows: &[u8; 8], _threshold: Value) -> Bounds {
//!         // The squares of the first row and of the first column, without the poisoned one.
//!         let (right, down) = (u32::from(rows[0]) - 1, u32::from(transposed(rows)[0]) - 1);
//!         if rows[1] <= 1 {
//!             // One row and one column. Equal ones stay equal: the reply is the mirror image.
//!             let equal = right == down;
//!             return Bounds::exact(if equal { Value::loss(2 * down) } else { Value::win(2 * right.min(down) + 1) });
//!         }
//!         // Eating the square between an equal row and column leaves just those.
//!         let lower = if right == down { Value::win(2 * down + 1) } else { Bounds::ANY.lower };
//!         Bounds { lower, ..Bounds::ANY }
//!     }
//! }
//! # fn main() {
//! # assert_eq!(searched(|| Chomp), [290, 1633]);
//! # }
//! ```
//!
//! A wrong bound causes wrong answers. [`laws::check`](crate::laws::check) finds it: it plays random games and compares every
//! promise of the game with plain minimax. Call it in your tests.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/guide/steps.rs"));
//! # struct Chomp;
//! # impl Game for Chomp {
//! #   rules!();
//! #   fn bounds(&self, rows: &[u8; 8], _threshold: Value) -> Bounds {
//! #       if rows[1] == 0 && rows[0] > 1 { Bounds::exact(Value::win(3)) } else { Bounds::ANY }
//! #   }
//! # }
//! use balpan::laws::{BrokenLaw, check};
//!
//! # fn main() {
//! let broken = check(&Chomp, 100, 1); // if `bounds` said that a single row takes three plies
//! assert!(matches!(broken, Err(BrokenLaw::OutOfBounds { .. })));
//! # }
//! ```
//!
//! # Candidates
//!
//! [`candidates`](crate::Game::candidates) are the moves that can matter: one of them has to reach the position's value. In
//! a symmetric position, one of two mirrored moves is enough. That saves little in Chomp. Where a threat has to be
//! answered, as in games of lines, it is what makes a search possible.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/guide/steps.rs"));
//! # struct Chomp;
//! impl Game for Chomp {
//! #   rules!();
//! #   keys!();
//! #   symmetry!();
//! #   bounds!();
//!     fn candidates(&self, rows: &[u8; 8]) -> impl Iterator<Item = (usize, u8)> {
//!         let symmetric = *rows == transposed(rows);
//!         self.moves(rows).filter(move |&(row, stay)| !symmetric || row <= usize::from(stay))
//!     }
//! }
//! # fn main() {
//! # assert_eq!(searched(|| Chomp), [279, 1622]);
//! # }
//! ```
//!
//! # The order of moves
//!
//! Alpha-beta searches least if it tries the best move first. [`rank`](crate::Game::rank) guesses: higher ranks are tried
//! first, and a bad guess costs time only. A search of a game that ranks its moves generates all of them before it searches
//! the first; otherwise it generates the next one only if it has to. Here the move that leaves the fewest squares comes first.
//!
//! ```
//! # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/guide/steps.rs"));
//! # struct Chomp;
//! impl Game for Chomp {
//! #   rules!();
//! #   keys!();
//! #   symmetry!();
//! #   bounds!();
//! #   candidates!();
//!     fn rank(&self, _rows: &[u8; 8], _mv: (usize, u8), after: &[u8; 8]) -> i32 {
//!         -after.iter().map(|row| i32::from(*row)).sum::<i32>()
//!     }
//! }
//! # fn main() {
//! # assert_eq!(searched(|| Chomp), [129, 944]);
//! # assert!(balpan::laws::check(&Chomp, 100, 1).is_ok());
//! # }
//! ```
//!
//! # Further
//!
//! - An impartial game (both players have the same moves) returns `true` from
//!   [`is_impartial`](crate::Game::is_impartial) and then has nimbers. If positions split into independent parts,
//!   [`split`](crate::Game::split) lists them, and boards can be solved that no search for plies reaches.
//! - [`settle`](crate::Game::settle) is for a small search of the game's own.
//! - If `position_from_key` reads keys back, `balpan-strong` can build a strong solution on disk.
//! - `Notation` of `balpan-games` gives a game text, JSON answers, pictures and pages. It need not be one of the families of
//!   that crate: `crates/pictures/examples/chomp_page.rs` writes a page about Chomp.
