//! The manifest of a worker's part of a build.

use balpan_strong::parts::{LayerFiles, Manifest, Run};
use serde::{Deserialize, Serialize};

/// What a worker has finished, at the last commit and at the one before. The working files of both
/// stay until all workers have reached the later one: workers that were killed in between can be
/// rolled back.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct WorkerManifest {
    pub(crate) now: Snapshot,
    before: Snapshot,
}

/// What is finished at a commit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    /// The number of commits before.
    pub(crate) step: u64,
    /// Layers whose positions are all listed, the highest first.
    pub(crate) layers: Vec<LayerState>,
    /// Runs of positions of lower layers.
    pub(crate) runs: Vec<Run>,
}

/// A layer whose positions are all listed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LayerState {
    pub(crate) finished: LayerFiles,
    /// The file of the codes that others request from this worker for their positions of the layer,
    /// until the layer is solved.
    #[serde(rename = "wants")]
    pub(crate) requests: Option<String>,
    /// The batches in which the layer was expanded.
    pub(crate) batches: Vec<Batch>,
}

/// Positions that are expanded together, and solved together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Batch {
    /// The index of the block after its last.
    pub(crate) end: usize,
    /// The number of codes that it requests from each worker.
    #[serde(rename = "wanted")]
    pub(crate) requested: Vec<u64>,
}

impl Snapshot {
    fn names(&self) -> impl Iterator<Item = &str> {
        let layers = self.layers.iter();
        let files = layers.flat_map(|layer| layer.finished.names().chain(layer.requests.as_deref()));
        files.chain(self.runs.iter().map(|run| run.keys.name.as_str()))
    }
}

impl Manifest for WorkerManifest {
    fn names(&self) -> impl Iterator<Item = &str> {
        self.now.names().chain(self.before.names())
    }
}

impl WorkerManifest {
    /// Begins the next step.
    pub(crate) fn step(&mut self) {
        self.before = self.now.clone();
        self.now.step += 1;
    }

    /// Rolls back to an earlier step, or to nothing if that step is not kept.
    pub(crate) fn roll_back_to(&mut self, step: u64) {
        if self.now.step == step {
            return;
        }
        if self.before.step == step {
            self.now = self.before.clone();
        } else {
            *self = Self::default();
        }
    }
}
