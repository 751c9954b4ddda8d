//! Solutions that explorers on other machines serve, and the JSON in which they do.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use balpan::{MAX_PLIES, Oracle, Outcome, Value};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use ureq::Agent;
use xxhash_rust::xxh3::xxh3_128;

use crate::format::codes::Metric;
use crate::format::header::{Subject, VERSION};

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

/// All solutions that a machine serves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ServedList {
    /// One item for all files of one subject.
    pub solutions: Vec<ServedSolution>,
}

/// A solution that a machine serves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ServedSolution {
    /// Its identifier: 32 hexadecimal digits, the same for the same subject and version.
    pub id: String,
    /// The version of the format: keys of other versions may mean other positions.
    pub version: u32,
    /// The subject of the solution.
    #[serde(rename = "of")]
    pub subject: Subject,
}

/// The reply about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ServedPosition {
    /// Its outcome for the player to move: `win`, `draw` or `loss`; `null` if it is unknown.
    pub outcome: Option<ServedOutcome>,
    /// The plies to the end of a win or a loss.
    pub remoteness: Option<u32>,
    /// The score of a win or a loss by a score.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<i32>,
    /// Its nimber, in a solution with nimbers.
    pub nimber: Option<u32>,
}

/// An outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "as in `Outcome`")]
pub enum ServedOutcome {
    Win,
    Draw,
    Loss,
}

impl ServedSolution {
    pub(crate) fn new(subject: Subject) -> Self {
        let Subject { game, rules, size, starts, metric, folded, plies } = &subject;
        let words = (VERSION, game, rules, size, starts, metric, folded, plies);
        let text = serde_json::to_vec(&words).unwrap_or_default();
        Self { id: format!("{:032x}", xxh3_128(&text)), version: VERSION, subject }
    }
}

impl ServedPosition {
    pub(crate) fn new(metric: Metric, value: Option<Value>, nimber: Option<u32>) -> Self {
        match metric {
            Metric::Value => Self {
                outcome: value.map(|value| match value.outcome() {
                    Outcome::Win => ServedOutcome::Win,
                    Outcome::Draw => ServedOutcome::Draw,
                    Outcome::Loss => ServedOutcome::Loss,
                }),
                remoteness: value.and_then(Value::remoteness),
                score: value.and_then(Value::score).filter(|&score| score != 0),
                nimber: None,
            },
            Metric::Nimber => Self { nimber, ..Self::default() },
        }
    }

    /// Converts the reply to a value, if there is one; `Err` if it is inconsistent.
    pub(crate) fn value(&self) -> Result<Option<Value>, ()> {
        let plies = self.remoteness.filter(|&plies| plies <= MAX_PLIES);
        let score = self.score.filter(|score| score.unsigned_abs() <= u16::MAX.into()).map(Value::from_score);
        match (self.outcome, plies, score) {
            (None, ..) => Ok(None),
            (Some(ServedOutcome::Draw), ..) => Ok(Some(Value::DRAW)),
            (Some(ServedOutcome::Win), Some(plies), _) => Ok(Some(Value::win(plies))),
            (Some(ServedOutcome::Loss), Some(plies), _) => Ok(Some(Value::loss(plies))),
            (Some(ServedOutcome::Win), None, Some(value)) if value > Value::DRAW => Ok(Some(value)),
            (Some(ServedOutcome::Loss), None, Some(value)) if value < Value::DRAW => Ok(Some(value)),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn values_come_back_as_they_were() {
        let scores = [7, -1].map(Value::from_score);
        for value in [Value::DRAW, Value::win(1), Value::loss(0), Value::win(MAX_PLIES)].into_iter().chain(scores) {
            let reply = ServedPosition::new(Metric::Value, Some(value), None);
            let text = serde_json::to_string(&reply).unwrap();
            assert_eq!(serde_json::from_str::<ServedPosition>(&text).unwrap().value(), Ok(Some(value)), "{text}");
        }
        assert_eq!(ServedPosition::new(Metric::Value, None, None).value(), Ok(None));
        for lie in
            [r#"{"outcome":"win"}"#, r#"{"outcome":"loss","remoteness":4000000000}"#, r#"{"outcome":"win","score":-1}"#]
        {
            assert_eq!(serde_json::from_str::<ServedPosition>(lie).unwrap().value(), Err(()), "{lie}");
        }
    }
}
