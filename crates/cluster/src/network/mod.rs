//! Connections between the processes of a build.

pub(crate) mod connect;
pub(crate) mod handshake;
pub(crate) mod heartbeat;
