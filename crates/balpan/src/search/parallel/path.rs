//! The nodes on a worker's path, which the worker leaves once another one has answered them.

use super::Interrupt;

/// The number of positions between two checks of the path.
const CHECK_INTERVAL: u64 = 1 << 8;

/// Returns whether a worker is to check its path after this number of positions.
#[inline]
pub(crate) const fn is_path_check_due(positions: u64) -> bool {
    positions.is_multiple_of(CHECK_INTERVAL)
}

/// The nodes from the root to the current one that have a slot in the table.
#[derive(Debug)]
pub(crate) struct Path<Node, Answer> {
    nodes: Vec<Node>,
    /// The first node that another worker has answered, by its index, and the answer.
    answered: Option<(usize, Answer)>,
}

impl<Node, Answer> Default for Path<Node, Answer> {
    fn default() -> Self {
        Self { nodes: Vec::new(), answered: None }
    }
}

impl<Node, Answer> Path<Node, Answer> {
    /// Appends a node, if it has a slot. Returns its index, which [`leave`](Self::leave) takes.
    #[inline]
    pub(crate) fn enter(&mut self, node: Option<Node>) -> usize {
        let index = self.nodes.len();
        self.nodes.extend(node);
        index
    }

    /// Looks for a node that another worker has answered.
    ///
    /// # Errors
    /// [`Interrupt::Answered`] if there is one. The first such node takes that answer.
    #[cold]
    pub(crate) fn check(&mut self, probe: impl FnMut(&Node) -> Option<Answer>) -> Result<(), Interrupt> {
        let mut answers = self.nodes.iter().map(probe).enumerate();
        self.answered = answers.find_map(|(index, answer)| Some((index, answer?)));
        if self.answered.is_some() { Err(Interrupt::Answered) } else { Ok(()) }
    }

    /// Removes the nodes from `index` on. Returns the answer of another worker, if that is why the search of the first
    /// of these nodes was interrupted.
    #[inline]
    pub(crate) fn leave<T>(&mut self, index: usize, result: &Result<T, Interrupt>) -> Option<Answer> {
        let has_node = self.nodes.len() > index;
        self.nodes.truncate(index);
        if !has_node || !matches!(result, Err(Interrupt::Answered)) {
            return None;
        }
        self.answered.take_if(|(at, _)| *at == index).map(|(_, answer)| answer)
    }
}
