//! Strong solutions built by many processes, on [timely dataflow](https://docs.rs/timely).
//!
//! Positions are shared out by a hash of the high bits of their keys. Forwards, a layer's
//! positions are expanded where they are, and what they lead to is sent to whom it belongs, who
//! keeps what each sender asked for. Backwards, the codes go back in the same order, so that no
//! key is sent twice. The files of the shares have the same bytes for any number of processes.

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
mod moves;
mod outbox;
mod parcel;
mod parts;
mod progress;
mod trouble;
mod wants;
mod work;

pub use build::{MOST_WORKERS, Plan, build};
pub use hosts::{FIRST_PORT, Hosts, HostsError, MOST_PROCESSES};
pub use outbox::Sent;
pub use parts::path_of;
pub use progress::Progress;
pub use trouble::{End, Trouble};
