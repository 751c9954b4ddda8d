//! Certificates of answers: files from which anybody can check who wins, in how many plies, or
//! which nimber a position has.
//!
//! A certificate is written by running the checker on the claim ([`balpan_check::walk`]): an
//! [`Engine`](balpan::Engine) answers each of its questions, and the certificate stores the
//! answers. `docs/certificates.md` describes the format.

mod answers;
mod contests;
mod encoder;
mod error;
mod head;
mod know;
mod numbers;
mod pairs;
mod plays;
mod positions;
mod prove;
mod shares;
mod write;

pub use error::ProveError;
pub use head::{checker_rules, header_rules};
pub use positions::Positions;
pub use prove::{Certificate, ClaimKind, Improve, Plan, Progress, ProgressFn, prove};
