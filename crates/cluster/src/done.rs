//! The finished layers of a worker's part of a build.

use balpan_strong::working::{Finished, Finishes, Run};
use serde::{Deserialize, Serialize};

/// What is finished after a step that all workers have finished. What was so before the step is
/// kept, with its files, until all are known to have got so far: whoever is killed in between can
/// go back.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Done {
    pub(crate) now: Snapshot,
    before: Snapshot,
}

/// What is finished after a step.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    /// How often what is finished was written before.
    pub(crate) step: u64,
    /// Layers whose positions are all known, the highest first.
    pub(crate) layers: Vec<LayerDone>,
    /// Positions of lower layers that were found on the way.
    pub(crate) runs: Vec<Run>,
}

/// A layer whose positions are all known.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LayerDone {
    pub(crate) finished: Finished,
    /// The file of what others want to know when their positions of this layer are given their
    /// codes.
    pub(crate) wants: Option<String>,
    /// The layer's positions in the parts that they are expanded in.
    pub(crate) batches: Vec<Batch>,
}

/// Positions that are expanded together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Batch {
    /// The number of the block after its last.
    pub(crate) end: usize,
    /// The codes that it wants from each worker.
    pub(crate) wanted: Vec<u64>,
}

impl Snapshot {
    fn names(&self) -> impl Iterator<Item = &str> {
        let layers = self.layers.iter();
        let files = layers.flat_map(|layer| layer.finished.names().chain(layer.wants.as_deref()));
        files.chain(self.runs.iter().map(|run| run.keys.name.as_str()))
    }
}

impl Finishes for Done {
    fn names(&self) -> impl Iterator<Item = &str> {
        self.now.names().chain(self.before.names())
    }
}

impl Done {
    /// The next step begins.
    pub(crate) fn step(&mut self) {
        self.before = self.now.clone();
        self.now.step += 1;
    }

    /// Goes back to what was finished after a step that is not later.
    pub(crate) fn back_to(&mut self, step: u64) {
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
