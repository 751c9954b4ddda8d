//! Certificates of answers: files from which anybody can check who wins, in how many plies, or
//! which nimber a position has.
//!
//! A certificate is written by going the checker's own way through a claim
//! ([`balpan_check::walk`]): whatever it asks is answered by an [`Engine`](balpan::Engine), and the
//! answers are what the certificate holds. `docs/certificates.md` describes the format.

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
pub use head::{checker_rules, rules as rules_in_head};
pub use positions::Positions;
pub use prove::{Certificate, GoOn, Plan, Progress, Told, What, prove};
