//! A game of your own, from ten lines to a fast solver.
//!
//! This guide takes Chomp from three methods to keys, symmetry, bounds, candidates and an order of moves. Each step is
//! optional, none changes an answer, and each gives the positions searched before and after: for the value of the start
//! (`Goal::Value`), and for the value of every first move (`Goal::MoveValues`).
//!
//! | step | methods | value | every move |
//! |---|---|---|---|
//! | [The rules](#the-rules) | [`Game`](crate::Game): `start`, `moves`, `play` | 1466 | 5666 |
//! | [Keys](#keys) | [`Keyed`](crate::Keyed): `key_bits`, `key`, `layer` | 1466 | 5666 |
//! | [Symmetry](#symmetry) | `Keyed`: `canonical` | 736 | 2397 |
//! | [Bounds](#bounds) | [`Hints`](crate::Hints): `bounds`, `looks_ahead` | 290 | 1633 |
//! | [Candidates](#candidates) | `Hints`: `candidates` | 279 | 1622 |
//! | [The order of moves](#the-order-of-moves) | `Hints`: `rank` | 129 | 944 |
//!
//! # The rules
//!
//! A game is a value of a type that implements [`Game`](crate::Game): where play begins, the moves, and the position after
//! a move. By default, whoever cannot move loses; [`Game::end`](crate::Game::end) says otherwise. A position is everything
//! that the rest of the game depends on. Make it small and cheap to clone.
//!
//! ```
//! use balpan::Game;
//!
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
//!
//! # fn searched<G: balpan::Expert>(game: fn() -> G) -> [u64; 2] {
//! #     use balpan::{Budget, Engine, Goal, Watch};
//! #     [Goal::Value, Goal::MoveValues].map(|goal| {
//! #         let mut engine = Engine::new(game(), Budget::default());
//! #         engine.solve(&game().start(), goal, &Watch::default(), |_| {}).unwrap().positions
//! #     })
//! # }
//! use balpan::Plain;
//!
//! assert_eq!(searched(|| Plain(Chomp)), [1466, 5666]);
//! ```
//!
//! [`Plain`](crate::Plain) supplies the defaults of all other traits. [`Engine`](crate::Engine) answers any question about
//! any position; its docs say how to set the goal, to stop and to report.
//!
//! # Keys
//!
//! Solvers store positions in tables: whole, by their `Hash`. A key is the position as a number of at most
//! [103 bits](crate::MAX_KEY_BITS), and different positions have different keys. With keys, further positions take a few
//! bytes each once whole ones have filled a quarter of the memory, and the best of them stay when the rest is full, too.
//! Several threads share a table of keys from the beginning, and are several times faster with them. For a game of a million
//! positions and one thread, keys gain little.
//!
//! [`layer`](crate::Keyed::layer) is a number that every move lowers. It bounds how long play can last.
//!
//! From here on the game implements the other traits itself; those without methods of their own are empty.
//!
//! ```
//! # use balpan::Game;
//! #
//! # /// Eat a square of an 8x8 bar, with all squares below it and to its right.
//! # /// The top left one is poisoned: whoever has nothing else to eat loses.
//! # struct Chomp;
//! #
//! # impl Game for Chomp {
//! #     type Position = [u8; 8]; // the squares left in each row, from the top
//! #     type Move = (usize, u8); // a row, and how many of its squares stay
//! #
//! #     fn start(&self) -> [u8; 8] {
//! #         [8; 8]
//! #     }
//! #
//! #     fn moves(&self, rows: &[u8; 8]) -> impl Iterator<Item = (usize, u8)> {
//! #         let squares = (0..8).flat_map(|row| (0..rows[row]).map(move |stay| (row, stay)));
//! #         squares.skip(1) // the poisoned one
//! #     }
//! #
//! #     fn play(&self, rows: &[u8; 8], (row, stay): (usize, u8)) -> [u8; 8] {
//! #         std::array::from_fn(|r| if r < row { rows[r] } else { rows[r].min(stay) })
//! #     }
//! # }
//! #
//! # fn searched<G: balpan::Expert>(game: fn() -> G) -> [u64; 2] {
//! #     use balpan::{Budget, Engine, Goal, Watch};
//! #     [Goal::Value, Goal::MoveValues].map(|goal| {
//! #         let mut engine = Engine::new(game(), Budget::default());
//! #         engine.solve(&game().start(), goal, &Watch::default(), |_| {}).unwrap().positions
//! #     })
//! # }
//! use balpan::{Expert, Hints, Impartial, Keyed};
//!
//! impl Keyed for Chomp {
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
//!
//! impl Hints for Chomp {}
//! impl Impartial for Chomp {}
//! impl Expert for Chomp {}
//!
//! assert_eq!(searched(|| Chomp), [1466, 5666]);
//! ```
//!
//! # Symmetry
//!
//! [`canonical`](crate::Keyed::canonical) chooses one position from all those that a symmetry turns into each other. Chomp
//! is symmetric in the diagonal. Solvers call it once for each move, so it gains most where moves take long to generate, and
//! nothing where it takes longer than they do. [`Symmetries`](crate::Symmetries) finds canonical forms of boards quickly.
//!
//! ```
//! # use balpan::Game;
//! #
//! # /// Eat a square of an 8x8 bar, with all squares below it and to its right.
//! # /// The top left one is poisoned: whoever has nothing else to eat loses.
//! # struct Chomp;
//! #
//! # impl Game for Chomp {
//! #     type Position = [u8; 8]; // the squares left in each row, from the top
//! #     type Move = (usize, u8); // a row, and how many of its squares stay
//! #
//! #     fn start(&self) -> [u8; 8] {
//! #         [8; 8]
//! #     }
//! #
//! #     fn moves(&self, rows: &[u8; 8]) -> impl Iterator<Item = (usize, u8)> {
//! #         let squares = (0..8).flat_map(|row| (0..rows[row]).map(move |stay| (row, stay)));
//! #         squares.skip(1) // the poisoned one
//! #     }
//! #
//! #     fn play(&self, rows: &[u8; 8], (row, stay): (usize, u8)) -> [u8; 8] {
//! #         std::array::from_fn(|r| if r < row { rows[r] } else { rows[r].min(stay) })
//! #     }
//! # }
//! #
//! # fn searched<G: balpan::Expert>(game: fn() -> G) -> [u64; 2] {
//! #     use balpan::{Budget, Engine, Goal, Watch};
//! #     [Goal::Value, Goal::MoveValues].map(|goal| {
//! #         let mut engine = Engine::new(game(), Budget::default());
//! #         engine.solve(&game().start(), goal, &Watch::default(), |_| {}).unwrap().positions
//! #     })
//! # }
//! # use balpan::{Expert, Hints, Impartial, Keyed};
//! /// The bar with rows and columns exchanged.
//! fn rotate_half_turn(rows: &[u8; 8]) -> [u8; 8] {
//!     std::array::from_fn(|col| rows.iter().filter(|row| usize::from(**row) > col).count() as u8)
//! }
//!
//! impl Keyed for Chomp {
//!     fn canonical(&self, rows: &[u8; 8]) -> [u8; 8] {
//!         (*rows).max(rotate_half_turn(rows))
//!     }
//!
//!     // key_bits, key and layer as before
//! #     fn key_bits(&self) -> u32 {
//! #         32
//! #     }
//! #
//! #     fn key(&self, rows: &[u8; 8]) -> u128 {
//! #         rows.iter().fold(0, |key, row| key << 4 | u128::from(*row))
//! #     }
//! #
//! #     fn layer(&self, rows: &[u8; 8]) -> Option<u32> {
//! #         Some(rows.iter().map(|row| u32::from(*row)).sum())
//! #     }
//! }
//! # impl Hints for Chomp {}
//! # impl Impartial for Chomp {}
//! # impl Expert for Chomp {}
//!
//! assert_eq!(searched(|| Chomp), [736, 2397]);
//! ```
//!
//! # Bounds
//!
//! [`bounds`](crate::Hints::bounds) returns bounds on a value that follow from the rules alone. Here a bar of one row and one
//! column is decided, and a longer argument covers every bar whose first row and first column are equal.
//!
//! A search asks for them when it searches a position. If they take less time than a look-up in a table, and so do
//! [`is_over`](crate::Game::is_over) and the test for a single move, as on small boards of bits, it may
//! [look ahead](crate::Hints::looks_ahead) and ask all three for each move beforehand. Where moves are collected in vectors, that is slower.
//!
//! ```
//! # use balpan::Game;
//! #
//! # /// Eat a square of an 8x8 bar, with all squares below it and to its right.
//! # /// The top left one is poisoned: whoever has nothing else to eat loses.
//! # struct Chomp;
//! #
//! # impl Game for Chomp {
//! #     type Position = [u8; 8]; // the squares left in each row, from the top
//! #     type Move = (usize, u8); // a row, and how many of its squares stay
//! #
//! #     fn start(&self) -> [u8; 8] {
//! #         [8; 8]
//! #     }
//! #
//! #     fn moves(&self, rows: &[u8; 8]) -> impl Iterator<Item = (usize, u8)> {
//! #         let squares = (0..8).flat_map(|row| (0..rows[row]).map(move |stay| (row, stay)));
//! #         squares.skip(1) // the poisoned one
//! #     }
//! #
//! #     fn play(&self, rows: &[u8; 8], (row, stay): (usize, u8)) -> [u8; 8] {
//! #         std::array::from_fn(|r| if r < row { rows[r] } else { rows[r].min(stay) })
//! #     }
//! # }
//! #
//! # fn searched<G: balpan::Expert>(game: fn() -> G) -> [u64; 2] {
//! #     use balpan::{Budget, Engine, Goal, Watch};
//! #     [Goal::Value, Goal::MoveValues].map(|goal| {
//! #         let mut engine = Engine::new(game(), Budget::default());
//! #         engine.solve(&game().start(), goal, &Watch::default(), |_| {}).unwrap().positions
//! #     })
//! # }
//! # use balpan::{Bounds, Expert, Hints, Impartial, Keyed, Value};
//! # /// The bar with rows and columns exchanged.
//! # fn rotate_half_turn(rows: &[u8; 8]) -> [u8; 8] {
//! #     std::array::from_fn(|col| rows.iter().filter(|row| usize::from(**row) > col).count() as u8)
//! # }
//! #
//! # impl Keyed for Chomp {
//! #     fn canonical(&self, rows: &[u8; 8]) -> [u8; 8] {
//! #         (*rows).max(rotate_half_turn(rows))
//! #     }
//! #
//! #     fn key_bits(&self) -> u32 {
//! #         32
//! #     }
//! #
//! #     fn key(&self, rows: &[u8; 8]) -> u128 {
//! #         rows.iter().fold(0, |key, row| key << 4 | u128::from(*row))
//! #     }
//! #
//! #     fn layer(&self, rows: &[u8; 8]) -> Option<u32> {
//! #         Some(rows.iter().map(|row| u32::from(*row)).sum())
//! #     }
//! # }
//! impl Hints for Chomp {
//!     fn looks_ahead(&self) -> bool {
//!         true
//!     }
//!
//!     fn bounds(&self, rows: &[u8; 8], _threshold: Value) -> Bounds {
//!         // The squares of the first row and of the first column, without the poisoned one.
//!         let (right, down) = (u32::from(rows[0]) - 1, u32::from(rotate_half_turn(rows)[0]) - 1);
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
//! # impl Impartial for Chomp {}
//! # impl Expert for Chomp {}
//!
//! assert_eq!(searched(|| Chomp), [290, 1633]);
//! ```
//!
//! A wrong bound causes wrong answers. [`laws::check`](crate::laws::check) finds it: it plays random games and compares every
//! promise of the game with plain minimax. Call it in your tests.
//!
//! ```
//! # use balpan::Game;
//! #
//! # /// Eat a square of an 8x8 bar, with all squares below it and to its right.
//! # /// The top left one is poisoned: whoever has nothing else to eat loses.
//! # struct Chomp;
//! #
//! # impl Game for Chomp {
//! #     type Position = [u8; 8]; // the squares left in each row, from the top
//! #     type Move = (usize, u8); // a row, and how many of its squares stay
//! #
//! #     fn start(&self) -> [u8; 8] {
//! #         [8; 8]
//! #     }
//! #
//! #     fn moves(&self, rows: &[u8; 8]) -> impl Iterator<Item = (usize, u8)> {
//! #         let squares = (0..8).flat_map(|row| (0..rows[row]).map(move |stay| (row, stay)));
//! #         squares.skip(1) // the poisoned one
//! #     }
//! #
//! #     fn play(&self, rows: &[u8; 8], (row, stay): (usize, u8)) -> [u8; 8] {
//! #         std::array::from_fn(|r| if r < row { rows[r] } else { rows[r].min(stay) })
//! #     }
//! # }
//! #
//! # fn searched<G: balpan::Expert>(game: fn() -> G) -> [u64; 2] {
//! #     use balpan::{Budget, Engine, Goal, Watch};
//! #     [Goal::Value, Goal::MoveValues].map(|goal| {
//! #         let mut engine = Engine::new(game(), Budget::default());
//! #         engine.solve(&game().start(), goal, &Watch::default(), |_| {}).unwrap().positions
//! #     })
//! # }
//! # use balpan::{Bounds, Expert, Hints, Impartial, Keyed, Value};
//! # /// The bar with rows and columns exchanged.
//! # fn rotate_half_turn(rows: &[u8; 8]) -> [u8; 8] {
//! #     std::array::from_fn(|col| rows.iter().filter(|row| usize::from(**row) > col).count() as u8)
//! # }
//! #
//! # impl Keyed for Chomp {
//! #     fn canonical(&self, rows: &[u8; 8]) -> [u8; 8] {
//! #         (*rows).max(rotate_half_turn(rows))
//! #     }
//! #
//! #     fn key_bits(&self) -> u32 {
//! #         32
//! #     }
//! #
//! #     fn key(&self, rows: &[u8; 8]) -> u128 {
//! #         rows.iter().fold(0, |key, row| key << 4 | u128::from(*row))
//! #     }
//! #
//! #     fn layer(&self, rows: &[u8; 8]) -> Option<u32> {
//! #         Some(rows.iter().map(|row| u32::from(*row)).sum())
//! #     }
//! # }
//! # impl Hints for Chomp {
//! #     fn bounds(&self, rows: &[u8; 8], _threshold: Value) -> Bounds {
//! #         // Wrong: a single row is won at once.
//! #         Bounds { upper: if rows[1] == 0 { Value::win(3) } else { Bounds::ANY.upper }, ..Bounds::ANY }
//! #     }
//! # }
//! # impl Impartial for Chomp {}
//! # impl Expert for Chomp {}
//! use balpan::laws::{BrokenLaw, check};
//!
//! let broken = check(&Chomp, 100, 1); // bounds say that a single row takes three plies
//! assert!(matches!(broken, Err(BrokenLaw::OutOfBounds { .. })));
//! ```
//!
//! # Candidates
//!
//! [`candidates`](crate::Hints::candidates) are the moves that can matter: one of them has to reach the position's value. In
//! a symmetric position, one of two mirrored moves is enough. That saves little in Chomp. Where a threat has to be
//! answered, as in games of lines, it is what makes a search possible.
//!
//! ```
//! # use balpan::Game;
//! #
//! # /// Eat a square of an 8x8 bar, with all squares below it and to its right.
//! # /// The top left one is poisoned: whoever has nothing else to eat loses.
//! # struct Chomp;
//! #
//! # impl Game for Chomp {
//! #     type Position = [u8; 8]; // the squares left in each row, from the top
//! #     type Move = (usize, u8); // a row, and how many of its squares stay
//! #
//! #     fn start(&self) -> [u8; 8] {
//! #         [8; 8]
//! #     }
//! #
//! #     fn moves(&self, rows: &[u8; 8]) -> impl Iterator<Item = (usize, u8)> {
//! #         let squares = (0..8).flat_map(|row| (0..rows[row]).map(move |stay| (row, stay)));
//! #         squares.skip(1) // the poisoned one
//! #     }
//! #
//! #     fn play(&self, rows: &[u8; 8], (row, stay): (usize, u8)) -> [u8; 8] {
//! #         std::array::from_fn(|r| if r < row { rows[r] } else { rows[r].min(stay) })
//! #     }
//! # }
//! #
//! # fn searched<G: balpan::Expert>(game: fn() -> G) -> [u64; 2] {
//! #     use balpan::{Budget, Engine, Goal, Watch};
//! #     [Goal::Value, Goal::MoveValues].map(|goal| {
//! #         let mut engine = Engine::new(game(), Budget::default());
//! #         engine.solve(&game().start(), goal, &Watch::default(), |_| {}).unwrap().positions
//! #     })
//! # }
//! # use balpan::{Bounds, Expert, Hints, Impartial, Keyed, Value};
//! # /// The bar with rows and columns exchanged.
//! # fn rotate_half_turn(rows: &[u8; 8]) -> [u8; 8] {
//! #     std::array::from_fn(|col| rows.iter().filter(|row| usize::from(**row) > col).count() as u8)
//! # }
//! #
//! # impl Keyed for Chomp {
//! #     fn canonical(&self, rows: &[u8; 8]) -> [u8; 8] {
//! #         (*rows).max(rotate_half_turn(rows))
//! #     }
//! #
//! #     fn key_bits(&self) -> u32 {
//! #         32
//! #     }
//! #
//! #     fn key(&self, rows: &[u8; 8]) -> u128 {
//! #         rows.iter().fold(0, |key, row| key << 4 | u128::from(*row))
//! #     }
//! #
//! #     fn layer(&self, rows: &[u8; 8]) -> Option<u32> {
//! #         Some(rows.iter().map(|row| u32::from(*row)).sum())
//! #     }
//! # }
//! impl Hints for Chomp {
//!     // bounds and looks_ahead as before
//! #     fn looks_ahead(&self) -> bool {
//! #         true
//! #     }
//! #
//! #     fn bounds(&self, rows: &[u8; 8], _threshold: Value) -> Bounds {
//! #         // The squares of the first row and of the first column, without the poisoned one.
//! #         let (right, down) = (u32::from(rows[0]) - 1, u32::from(rotate_half_turn(rows)[0]) - 1);
//! #         if rows[1] <= 1 {
//! #             // One row and one column. Equal ones stay equal: the reply is the mirror image.
//! #             let equal = right == down;
//! #             return Bounds::exact(if equal { Value::loss(2 * down) } else { Value::win(2 * right.min(down) + 1) });
//! #         }
//! #         // Eating the square between an equal row and column leaves just those.
//! #         let lower = if right == down { Value::win(2 * down + 1) } else { Bounds::ANY.lower };
//! #         Bounds { lower, ..Bounds::ANY }
//! #     }
//!     fn candidates(&self, rows: &[u8; 8]) -> impl Iterator<Item = (usize, u8)> {
//!         let symmetric = *rows == rotate_half_turn(rows);
//!         self.moves(rows).filter(move |&(row, stay)| !symmetric || row <= usize::from(stay))
//!     }
//! }
//! # impl Impartial for Chomp {}
//! # impl Expert for Chomp {}
//!
//! assert_eq!(searched(|| Chomp), [279, 1622]);
//! ```
//!
//! # The order of moves
//!
//! Alpha-beta searches least if it tries the best move first. [`rank`](crate::Hints::rank) guesses: higher ranks are tried
//! first, and a bad guess costs time only. A search of a game that ranks its moves generates all of them before it searches
//! the first; otherwise it generates the next one only if it has to. Here the move that leaves the fewest squares comes first.
//!
//! ```
//! # use balpan::Game;
//! #
//! # /// Eat a square of an 8x8 bar, with all squares below it and to its right.
//! # /// The top left one is poisoned: whoever has nothing else to eat loses.
//! # struct Chomp;
//! #
//! # impl Game for Chomp {
//! #     type Position = [u8; 8]; // the squares left in each row, from the top
//! #     type Move = (usize, u8); // a row, and how many of its squares stay
//! #
//! #     fn start(&self) -> [u8; 8] {
//! #         [8; 8]
//! #     }
//! #
//! #     fn moves(&self, rows: &[u8; 8]) -> impl Iterator<Item = (usize, u8)> {
//! #         let squares = (0..8).flat_map(|row| (0..rows[row]).map(move |stay| (row, stay)));
//! #         squares.skip(1) // the poisoned one
//! #     }
//! #
//! #     fn play(&self, rows: &[u8; 8], (row, stay): (usize, u8)) -> [u8; 8] {
//! #         std::array::from_fn(|r| if r < row { rows[r] } else { rows[r].min(stay) })
//! #     }
//! # }
//! #
//! # fn searched<G: balpan::Expert>(game: fn() -> G) -> [u64; 2] {
//! #     use balpan::{Budget, Engine, Goal, Watch};
//! #     [Goal::Value, Goal::MoveValues].map(|goal| {
//! #         let mut engine = Engine::new(game(), Budget::default());
//! #         engine.solve(&game().start(), goal, &Watch::default(), |_| {}).unwrap().positions
//! #     })
//! # }
//! # use balpan::{Bounds, Expert, Hints, Impartial, Keyed, Value};
//! # /// The bar with rows and columns exchanged.
//! # fn rotate_half_turn(rows: &[u8; 8]) -> [u8; 8] {
//! #     std::array::from_fn(|col| rows.iter().filter(|row| usize::from(**row) > col).count() as u8)
//! # }
//! #
//! # impl Keyed for Chomp {
//! #     fn canonical(&self, rows: &[u8; 8]) -> [u8; 8] {
//! #         (*rows).max(rotate_half_turn(rows))
//! #     }
//! #
//! #     fn key_bits(&self) -> u32 {
//! #         32
//! #     }
//! #
//! #     fn key(&self, rows: &[u8; 8]) -> u128 {
//! #         rows.iter().fold(0, |key, row| key << 4 | u128::from(*row))
//! #     }
//! #
//! #     fn layer(&self, rows: &[u8; 8]) -> Option<u32> {
//! #         Some(rows.iter().map(|row| u32::from(*row)).sum())
//! #     }
//! # }
//! impl Hints for Chomp {
//!     // bounds, looks_ahead and candidates as before
//! #     fn looks_ahead(&self) -> bool {
//! #         true
//! #     }
//! #
//! #     fn bounds(&self, rows: &[u8; 8], _threshold: Value) -> Bounds {
//! #         // The squares of the first row and of the first column, without the poisoned one.
//! #         let (right, down) = (u32::from(rows[0]) - 1, u32::from(rotate_half_turn(rows)[0]) - 1);
//! #         if rows[1] <= 1 {
//! #             // One row and one column. Equal ones stay equal: the reply is the mirror image.
//! #             let equal = right == down;
//! #             return Bounds::exact(if equal { Value::loss(2 * down) } else { Value::win(2 * right.min(down) + 1) });
//! #         }
//! #         // Eating the square between an equal row and column leaves just those.
//! #         let lower = if right == down { Value::win(2 * down + 1) } else { Bounds::ANY.lower };
//! #         Bounds { lower, ..Bounds::ANY }
//! #     }
//! #     fn candidates(&self, rows: &[u8; 8]) -> impl Iterator<Item = (usize, u8)> {
//! #         let symmetric = *rows == rotate_half_turn(rows);
//! #         self.moves(rows).filter(move |&(row, stay)| !symmetric || row <= usize::from(stay))
//! #     }
//!     fn rank(&self, _rows: &[u8; 8], _mv: (usize, u8), after: &[u8; 8]) -> i32 {
//!         -after.iter().map(|row| i32::from(*row)).sum::<i32>()
//!     }
//! }
//! # impl Impartial for Chomp {}
//! # impl Expert for Chomp {}
//!
//! assert_eq!(searched(|| Chomp), [129, 944]);
//! assert!(balpan::laws::check(&Chomp, 100, 1).is_ok());
//! ```
//!
//! # Further
//!
//! - An impartial game (both players have the same moves) returns `true` from
//!   [`Impartial::is_impartial`](crate::Impartial::is_impartial) and then has nimbers. If positions split into independent parts, [`split`](crate::Impartial::split) lists them, and
//!   boards can be solved that no search for plies reaches.
//! - [`Hints::settle`](crate::Hints::settle) is for a small search of the game's own, [`Expert`](crate::Expert) for whole
//!   solvers that only this game has.
//! - If `Keyed::position_from_key` reads keys back, `balpan-strong` can build a strong solution on disk.
//! - `Notation` of `balpan-games` gives a game text, JSON answers, pictures and pages. It need not be one of the families of
//!   that crate: `crates/pictures/examples/chomp_page.rs` writes a page about Chomp.
