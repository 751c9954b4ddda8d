//! Words collected by layer, within a limit of memory.

use crate::word::Word;

/// Words by layer, with room for a limited number.
#[derive(Debug)]
pub struct Room<W> {
    /// One list for each layer, the one last added to at `last`.
    lists: Vec<(u32, Vec<W>)>,
    last: usize,
    left: usize,
    most: usize,
    /// For sorting.
    spare: Vec<W>,
}

impl<W: Word> Room<W> {
    /// Room within this number of bytes: a list that grows is copied into one twice as long, and
    /// sorting takes as much again.
    pub const fn new(bytes: usize) -> Self {
        let most = bytes / size_of::<W>() / 3;
        Self { lists: Vec::new(), last: 0, left: most, most, spare: Vec::new() }
    }

    /// Adds a word, even if there is no room left.
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

    /// Whether the words are to be taken out before more come.
    pub const fn is_full(&self) -> bool {
        self.left == 0
    }

    /// Takes the words out, layer by layer from the highest, with spare ones for sorting.
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
        // Layers that no more words come to would keep their memory.
        self.lists.retain(|(_, words)| words.capacity() >= self.most / 4);
        (self.last, self.left) = (0, self.most);
        Ok(())
    }
}
