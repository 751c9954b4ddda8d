//! The in-memory buffer of the external sort: words by layer, within a limit of memory.

use crate::word::Word;

/// Words by layer. Once the buffer is full, it is drained: sorted and spilled to runs, or looked
/// up.
#[derive(Debug)]
pub struct SpillBuffer<W> {
    /// One list a layer; the one appended to last is at `last`.
    lists: Vec<(u32, Vec<W>)>,
    last: usize,
    left: usize,
    most: usize,
    /// Scratch space of [`sort`](crate::sort::sort()).
    spare: Vec<W>,
}

impl<W: Word> SpillBuffer<W> {
    /// Creates a buffer that takes at most this many bytes, with a third of them for words: a
    /// growing list is copied into one twice as long, and sorting needs a copy.
    pub const fn new(bytes: usize) -> Self {
        let most = bytes / size_of::<W>() / 3;
        Self { lists: Vec::new(), last: 0, left: most, most, spare: Vec::new() }
    }

    /// Adds a word. A full buffer still accepts it.
    #[inline]
    pub fn push(&mut self, layer: u32, word: W) {
        self.left = self.left.saturating_sub(1);
        match self.lists.get_mut(self.last) {
            Some((of, list)) if *of == layer => list.push(word),
            _ => self.push_elsewhere(layer, word),
        }
    }

    fn push_elsewhere(&mut self, layer: u32, word: W) {
        self.last = self.lists.iter().position(|&(of, _)| of == layer).unwrap_or_else(|| {
            self.lists.push((layer, Vec::new()));
            self.lists.len() - 1
        });
        self.lists[self.last].1.push(word);
    }

    /// Whether the buffer must be drained before more words are added.
    pub const fn is_full(&self) -> bool {
        self.left == 0
    }

    /// Passes the words of each layer to `take`, from the highest layer, with a spare list for
    /// sorting, and empties the buffer.
    ///
    /// # Errors
    /// Those of `take`.
    pub fn drain<E>(&mut self, mut take: impl FnMut(u32, &mut Vec<W>, &mut Vec<W>) -> Result<(), E>) -> Result<(), E> {
        self.lists.sort_unstable_by_key(|&(layer, _)| std::cmp::Reverse(layer));
        for (layer, words) in &mut self.lists {
            if !words.is_empty() {
                take(*layer, words, &mut self.spare)?;
                words.clear();
            }
        }
        // Layers that get no more words must not keep their memory.
        self.lists.retain(|(_, words)| words.capacity() >= self.most / 4);
        (self.last, self.left) = (0, self.most);
        Ok(())
    }
}
