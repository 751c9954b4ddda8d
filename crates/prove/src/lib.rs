//! Certificates of answers: files from which anybody can check who wins, in how many plies, or
//! which nimber a position has.
//!
//! A certificate is written by running the checker on the claim ([`balpan_check::walk`]): an
//! [`Engine`](balpan::Engine) answers each of its questions, and the certificate stores the
//! answers. `docs/certificates.md` describes the format.
//!
//! Nothing here decides whether a certificate proves its claim: the checker does.

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod answers;
mod costs;
mod encode;
mod prove;
mod refutations;
mod replies;
mod source;
mod strategies;

pub use prove::{
    Certificate, ClaimKind, Improve, Plan, Progress, ProgressFn, ProveError, checker_rules, prove, prove_game,
};
