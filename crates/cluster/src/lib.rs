//! Strong solutions built by many processes, on [timely dataflow](https://docs.rs/timely).
//!
//! Positions are sharded by a hash of the high bits of their keys. In the forward pass, a layer's
//! positions are expanded where they are, and their successors are sent to their owners, who keep
//! the requests of each sender. In the backward pass, the codes go back in the same order, so that
//! no key is sent twice. The shards have the same bytes for any number of processes.

mod agree;
mod backwards;
mod beat;
mod build;
mod connect;
mod done;
mod exchange;
mod forwards;
mod hello;
mod hosts;
mod job;
mod link;
mod message;
mod moves;
mod outbox;
mod parts;
mod progress;
mod trouble;
mod wants;
mod work;

pub use build::{MAX_WORKERS, Plan, build};
pub use hosts::{DEFAULT_FIRST_PORT, Hosts, HostsError, MAX_PROCESSES};
pub use outbox::Traffic;
pub use parts::shard_path;
pub use progress::Progress;
pub use trouble::{AbortFn, ClusterError};
