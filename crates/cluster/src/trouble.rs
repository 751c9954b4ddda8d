//! Errors that end a build in all its processes.

use std::time::Duration;

use balpan_strong::BuildError;

/// Why this process cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Trouble {
    /// Its own part of the build has failed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// It cannot listen where the others expect it.
    #[error("process {process} cannot listen at {address}: {source}")]
    Listen {
        /// This process.
        process: usize,
        /// Where.
        address: String,
        /// Why not.
        source: std::io::Error,
    },
    /// Another process was not there in time.
    #[error("process {process} at {address} was not there within {waited:?}{why}")]
    NotThere {
        /// The process.
        process: usize,
        /// Where it was expected.
        address: String,
        /// How long.
        waited: Duration,
        /// What was tried last, and has failed.
        why: String,
    },
    /// Another process and this one do not belong together.
    #[error("process {process} at {address}: {why}")]
    Refused {
        /// The process.
        process: usize,
        /// Where it is.
        address: String,
        /// Why.
        why: String,
    },
    /// Another process has ended.
    #[error("process {0} has ended, or cannot be reached any more")]
    Ended(usize),
    /// Another process has not been heard of.
    #[error("process {process} has not been heard of for {silent:?}")]
    Silent {
        /// The process.
        process: usize,
        /// For how long.
        silent: Duration,
    },
}

/// Ends the process. It is called from whatever thread finds that it cannot go on: workers that
/// wait for others cannot be ended alone.
pub type End = fn(Trouble) -> !;
