//! How far a process is, as the one who follows it reads it.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use balpan_cluster::Progress;
use balpan_strong::Phase;
use serde::{Deserialize, Serialize};

/// How often it is told.
const OFTEN: Duration = Duration::from_millis(250);

/// How far a process is.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Far {
    /// 1 forwards, 2 backwards, 3 writing.
    pub(super) phase: u8,
    pub(super) layer: u32,
    pub(super) known: u64,
    pub(super) done: u64,
    pub(super) sent: u64,
    pub(super) on_the_way: u64,
}

impl Far {
    fn of(progress: &Progress) -> Self {
        let (phase, layer) = progress.at();
        let (known, done) = progress.positions();
        let sent = progress.traffic();
        let phase = match phase {
            Phase::Forwards => 1,
            Phase::Backwards => 2,
            _ => 3,
        };
        Self { phase, layer, known, done, sent: sent.bytes, on_the_way: sent.peak }
    }
}

/// Prints how far the process is, a line at a time, as long as it goes on.
pub(super) fn print_each(progress: &Arc<Progress>) {
    let progress = Arc::clone(progress);
    thread::spawn(move || {
        loop {
            // Who followed it may be gone: then it is to go, too.
            if crate::failure::print_json(&Far::of(&progress)).is_err() {
                std::process::exit(1);
            }
            thread::sleep(OFTEN);
        }
    });
}
