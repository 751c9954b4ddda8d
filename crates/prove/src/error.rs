//! Errors of writing a certificate.

use balpan::{EngineError, Stopped};
use balpan_games::TextError;

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The watch stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The engine has no such answer.
    #[error(transparent)]
    Engine(EngineError),
    /// The position cannot be read.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The claim is not true.
    #[error("the claim is not true: {0}")]
    NotTrue(String),
    /// The checker cannot read it.
    #[error("the checker cannot take this: {0}")]
    Checker(String),
}

impl From<EngineError> for ProveError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Stopped(stopped) => Self::Stopped(stopped),
            other => Self::Engine(other),
        }
    }
}
