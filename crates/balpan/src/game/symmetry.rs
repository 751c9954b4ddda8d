//! Symmetries of boards.

/// Symmetries of a board, with which a game finds [canonical forms](crate::Game::canonical).
///
/// A symmetry is a permutation of the cells. The symmetries of one value form a group: any two of them, one after the
/// other, are one as well.
///
/// ```
/// use balpan::Symmetries;
///
/// let square = Symmetries::for_rectangle(2, 2);
/// assert_eq!(square.canonical(&[1, 0, 0, 0]), [0, 0, 0, 1]);
/// assert_eq!(square.canonical(&[0, 2, 1, 0]), [0, 1, 2, 0]);
/// ```
#[derive(Clone, Debug)]
pub struct Symmetries {
    /// For each symmetry but the identity, the cell that each cell's content comes from.
    sources: Vec<Box<[u16]>>,
}

impl Symmetries {
    /// Creates the group of these permutations: for each, the cell that the content of each cell comes from. The
    /// identity may be left out.
    pub fn new(permutations: impl IntoIterator<Item: IntoIterator<Item = u16>>) -> Self {
        Self { sources: permutations.into_iter().map(|sources| sources.into_iter().collect()).collect() }
    }

    /// Creates the rotations and reflections that map a rectangle of cells, numbered row by row, onto itself: eight of a
    /// square, four of any other.
    #[must_use]
    pub fn for_rectangle(rows: u16, cols: u16) -> Self {
        let turns = 1..if rows == cols { 8 } else { 4 };
        Self::new(turns.map(|turn| {
            (0..rows * cols).map(move |cell| {
                let (row, col) = (cell / cols, cell % cols);
                let row = if turn & 1 > 0 { rows - 1 - row } else { row };
                let col = if turn & 2 > 0 { cols - 1 - col } else { col };
                if turn & 4 > 0 { col * cols + row } else { row * cols + col }
            })
        }))
    }

    /// Returns the least image of the cells, in lexicographic order: the same for all images of a board.
    ///
    /// # Panics
    /// If the board has another number of cells.
    #[inline]
    #[must_use]
    pub fn canonical<T: Copy + Ord, const N: usize>(&self, cells: &[T; N]) -> [T; N] {
        let mut least: Option<&[u16]> = None;
        for image in &self.sources {
            assert_eq!(image.len(), N, "a symmetry is of all cells of the board");
            let content = |sources: Option<&[u16]>, cell: usize| {
                sources.map_or(cells[cell], |sources| cells[usize::from(sources[cell])])
            };
            let differing = (0..N).map(|cell| content(Some(image), cell).cmp(&content(least, cell)));
            if differing.into_iter().find(|order| order.is_ne()) == Some(std::cmp::Ordering::Less) {
                least = Some(image);
            }
        }
        least.map_or(*cells, |sources| std::array::from_fn(|cell| cells[usize::from(sources[cell])]))
    }
}
