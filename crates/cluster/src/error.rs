//! Errors that end a build in all its processes.

use std::time::Duration;

use balpan_strong::BuildError;

/// Why this process cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// This process's part of the build failed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// This process cannot listen where the others expect it.
    #[error("process {process} cannot listen at {address}: {source}")]
    Listen {
        /// This process.
        process: usize,
        /// Where.
        address: String,
        /// Why not.
        source: std::io::Error,
    },
    /// Another process did not appear in time.
    #[error("process {process} at {address} was not there within {waited:?}{why}")]
    NotThere {
        /// The process.
        process: usize,
        /// Where it was expected.
        address: String,
        /// How long.
        waited: Duration,
        /// The error of the last attempt.
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
    /// Another process is silent.
    #[error("process {process} has not been heard of for {silent:?}")]
    Silent {
        /// The process.
        process: usize,
        /// For how long.
        silent: Duration,
    },
}

/// Ends the process. Any thread that finds that it cannot go on calls this: workers that wait for
/// others cannot be ended alone.
pub type AbortFn = fn(ClusterError) -> !;
