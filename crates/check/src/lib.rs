//! A checker of certificates: files from which anybody can check who wins a game, without trusting whoever found it.
//!
//! It implements the rules of four families of games and a plain interpreter of the rules language, and knows nothing of how they are solved. It has no
//! dependencies. `docs/certificates.md` describes the format, and proves that what passes is true.
//!
//! [`trusted`] is what a proof rests on: the rules, the claims, the induction and the lemmas. The proved statement is
//! written from what was checked. [`untrusted`] reads files and meters the work: an error there can refuse a true
//! claim, or prove another claim than intended, but not a false one.
//!
//! ```
//! let text = "balpan certificate 1\n\
//!     game: tictactoe\nfamily: lines\nk: 3\ngravity: no\nmarks: own\noverlines: yes\nmisere: no\n\
//!     position: XX./OO./... x\nclaim: X wins within 1 plies\nsettle: 0\nclaims: 0\nanswers: text\n\n";
//! let proved = balpan_check::check(text.as_bytes(), &Default::default()).unwrap();
//! assert_eq!(proved.claim, "X wins within 1 plies");
//! ```

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]
#![forbid(unsafe_code)]

pub mod elaborate;
pub mod language;
pub mod trusted;
pub mod untrusted;

pub use trusted::{Proved, walk, walk_unsearched};
pub use untrusted::{Limits, check, parse, printable, read};

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// The claim is not proved.
    NotProved(String),
    /// The file is not a certificate.
    NotACertificate(String),
    /// The check takes more work or memory than is allowed.
    TooLarge(String),
    /// The check was interrupted.
    Interrupted,
}

/// A result of the checker.
pub type Result<T> = std::result::Result<T, CheckError>;
