//! The progress of a process as JSON lines, for the process that follows it.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use balpan_cluster::Progress;
use balpan_strong::Phase;
use serde::{Deserialize, Serialize};

/// Time between two lines.
const PRINT_INTERVAL: Duration = Duration::from_millis(250);

/// The progress of a process.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct ProgressLine {
    /// 1 forwards, 2 backwards, 3 writing.
    pub(super) phase: u8,
    pub(super) layer: u32,
    pub(super) known: u64,
    pub(super) done: u64,
    pub(super) sent: u64,
    pub(super) on_the_way: u64,
}

impl ProgressLine {
    fn new(progress: &Progress) -> Self {
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

/// Starts a thread that prints the progress until the process ends.
pub(super) fn print_progress(progress: &Arc<Progress>) {
    let progress = Arc::clone(progress);
    thread::spawn(move || {
        loop {
            // Without the process that follows it, this one ends, too.
            if crate::failure::print_json(&ProgressLine::new(&progress)).is_err() {
                std::process::exit(1);
            }
            thread::sleep(PRINT_INTERVAL);
        }
    });
}
