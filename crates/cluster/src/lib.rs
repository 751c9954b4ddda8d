//! Strong solutions built by many processes, on [timely dataflow](https://docs.rs/timely).
//!
//! Positions are sharded by a hash of the high bits of their keys. In the forward pass, a layer's
//! positions are expanded where they are, and their successors are sent to their owners, who keep
//! the requests of each sender. In the backward pass, the codes go back in the same order, so that
//! no key is sent twice. The shards have the same bytes for any number of processes.
//!
//! Nothing here knows a family of games, or the format of a block: both are those of `balpan-strong`.

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod backward;
mod build;
mod error;
mod exchange;
mod forward;
mod hosts;
mod job;
mod message;
mod network;
mod shards;
mod worker;

pub use build::{MAX_WORKERS, Plan, Progress, build};
pub use error::{AbortFn, ClusterError};
pub use exchange::Traffic;
pub use hosts::{DEFAULT_FIRST_PORT, Hosts, HostsError, MAX_PROCESSES};
pub use shards::shard_path;
