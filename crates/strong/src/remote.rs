//! Solutions that explorers on other machines serve.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use balpan::{Oracle, Value};
use serde::de::DeserializeOwned;
use ureq::Agent;

use crate::codes::Metric;
use crate::format::VERSION;
use crate::served::{ServedList, ServedPosition, ServedSolution};

/// The time limits of a connection, and then of a reply.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const REPLY_TIMEOUT: Duration = Duration::from_secs(5);

/// The largest list of solutions and the largest reply about a position that are read, in bytes.
const MAX_LIST_BYTES: u64 = 1 << 26;
const MAX_REPLY_BYTES: u64 = 1 << 16;

/// The number of probes skipped after the first of several failures in a row. It doubles after each
/// further one, up to the maximum.
const FIRST_PAUSE_PROBES: u32 = 64;
const MAX_PAUSE_PROBES: u32 = 1 << 16;

/// Why another machine does not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// The address is malformed.
    #[error("`{0}` is not an address of an explorer")]
    Address(String),
    /// The machine cannot be reached, or takes too long.
    #[error("it does not answer: {0}")]
    Silent(String),
    /// The machine answers with an HTTP error.
    #[error("it answers with status {0}")]
    Refused(u16),
    /// The reply is not what an explorer sends.
    #[error("its answer cannot be understood: {0}")]
    Inconsistent(String),
    /// The machine has another version of the format, in which keys may mean other positions.
    #[error("its solutions are of version {0} of their format; this is version {VERSION}")]
    OtherVersion(u32),
}

/// An explorer on another machine, reached by plain HTTP.
#[derive(Clone, Debug)]
pub struct Remote {
    agent: Agent,
    /// Its address, without `/` at the end.
    base: String,
}

impl Remote {
    /// Connects to the explorer at `http://HOST:PORT`, and returns it with the solutions that it
    /// serves. Takes one request.
    ///
    /// # Errors
    /// If the address is malformed, or nothing there answers as an explorer does within three
    /// seconds for the connection and five for the reply.
    pub fn open(address: &str) -> Result<(Self, ServedList), RemoteError> {
        let wrong = || RemoteError::Address(address.to_owned());
        let base = address.trim_end_matches('/');
        let host = base.strip_prefix("http://").ok_or_else(wrong)?;
        let (host, _) = host.split_once('/').unwrap_or((host, ""));
        let is_port = |port: &str| port.is_empty() || port.parse::<u16>().is_ok();
        // A colon within brackets belongs to an IPv6 address.
        let has_port = host.rsplit_once(':').filter(|(_, port)| !port.ends_with(']'));
        let is_wrong = |c: char| matches!(c, '?' | '#' | '@') || c.is_whitespace();
        if host.is_empty() || base.contains(is_wrong) || has_port.is_some_and(|(_, port)| !is_port(port)) {
            return Err(wrong());
        }
        let config = Agent::config_builder()
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_global(Some(CONNECT_TIMEOUT + REPLY_TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .user_agent("balpan")
            .build();
        let remote = Self { agent: config.into(), base: base.to_owned() };
        let list: ServedList = remote.get("", MAX_LIST_BYTES)?;
        if let Some(other) = list.solutions.iter().find(|served| served.version != VERSION) {
            return Err(RemoteError::OtherVersion(other.version));
        }
        Ok((remote, list))
    }

    /// Gets and parses the JSON at a path.
    fn get<T: DeserializeOwned>(&self, path: &str, max_bytes: u64) -> Result<T, RemoteError> {
        let silent = |e: ureq::Error| match e {
            ureq::Error::BadUri(_) | ureq::Error::Http(_) => RemoteError::Address(self.base.clone()),
            ureq::Error::BodyExceedsLimit(_) => RemoteError::Inconsistent("it is too long".to_owned()),
            e => RemoteError::Silent(e.to_string()),
        };
        let mut answer = self.agent.get(format!("{}/api/v1/strong{path}", self.base)).call().map_err(silent)?;
        if answer.status() != 200 {
            return Err(RemoteError::Refused(answer.status().as_u16()));
        }
        let bytes = answer.body_mut().with_config().limit(max_bytes).read_to_vec().map_err(silent)?;
        serde_json::from_slice(&bytes).map_err(|e| RemoteError::Inconsistent(e.to_string()))
    }
}

/// A remote solution as an oracle: one request a position. Where the other machine fails, the
/// position is unknown, and some of the next probes are skipped.
pub(crate) struct RemoteOracle {
    remote: Remote,
    id: String,
    metric: Metric,
    folded: bool,
    /// The first error.
    error: OnceLock<RemoteError>,
    /// The number of probes still to skip, and the pause after the next failure.
    skips_left: AtomicU32,
    pause: AtomicU32,
}

impl RemoteOracle {
    pub(crate) fn new(remote: Remote, served: &ServedSolution) -> Self {
        Self {
            remote,
            id: served.id.clone(),
            metric: served.subject.metric,
            folded: served.subject.folded,
            error: OnceLock::new(),
            skips_left: AtomicU32::new(0),
            pause: AtomicU32::new(FIRST_PAUSE_PROBES),
        }
    }

    pub(crate) fn error(&self) -> Option<&RemoteError> {
        self.error.get()
    }

    fn probe<T>(&self, layer: u32, key: u128, read: impl FnOnce(ServedPosition) -> Result<T, ()>) -> Option<T> {
        // The count need not be exact between threads.
        let left = self.skips_left.load(Ordering::Relaxed);
        if left > 0 {
            self.skips_left.store(left - 1, Ordering::Relaxed);
            return None;
        }
        let reply = self.remote.get(&format!("/{}/{layer}/{key:x}", self.id), MAX_REPLY_BYTES);
        let senseless = |()| RemoteError::Inconsistent("a value that cannot be".to_owned());
        match reply.and_then(|reply| read(reply).map_err(senseless)) {
            Ok(reply) => {
                self.pause.store(FIRST_PAUSE_PROBES, Ordering::Relaxed);
                Some(reply)
            }
            Err(error) => {
                let pause = self.pause.load(Ordering::Relaxed);
                self.skips_left.store(pause, Ordering::Relaxed);
                self.pause.store(pause.saturating_mul(2).min(MAX_PAUSE_PROBES), Ordering::Relaxed);
                // Only the first error is kept.
                let _ = self.error.set(error);
                None
            }
        }
    }
}

impl Oracle for RemoteOracle {
    fn value(&self, layer: u32, key: u128) -> Option<Value> {
        if self.metric != Metric::Value {
            return None;
        }
        self.probe(layer, key, |reply| reply.value())?
    }

    fn nimber(&self, layer: u32, key: u128) -> Option<u32> {
        if self.metric != Metric::Nimber {
            return None;
        }
        self.probe(layer, key, |reply| Ok(reply.nimber))?
    }

    fn uses_canonical_keys(&self) -> bool {
        self.folded
    }

    /// Never: a search visits a million positions in the time of a few hundred requests.
    fn should_probe_at(&self, _layer: u32) -> bool {
        false
    }
}

impl fmt::Debug for RemoteOracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteOracle").field("base", &self.remote.base).field("id", &self.id).finish_non_exhaustive()
    }
}
