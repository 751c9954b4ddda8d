//! Rectangles of at most 128 cells. Cells are numbered row by row from the top left, from 0; a set of
//! cells is a word in which these bits are set.

/// A rectangle of at most 128 cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
}

impl Board {
    /// Whether there are cells, and a word has a bit for each.
    pub(crate) fn is_valid(self) -> bool {
        (1..=128).contains(&self.cells())
    }

    pub(crate) fn cells(self) -> usize {
        self.rows * self.cols
    }

    /// The set of all cells.
    pub(crate) fn all(self) -> u128 {
        u128::MAX >> (128 - self.cells())
    }

    /// The cell so far down and to the right of another one, if it is on the board.
    pub(crate) fn step(self, cell: usize, (down, right): (i32, i32), torus: bool) -> Option<usize> {
        let (rows, cols) = (self.rows as i32, self.cols as i32);
        let (mut row, mut col) = (cell as i32 / cols + down, cell as i32 % cols + right);
        if torus {
            (row, col) = (row.rem_euclid(rows), col.rem_euclid(cols));
        }
        ((0..rows).contains(&row) && (0..cols).contains(&col)).then(|| (row * cols + col) as usize)
    }

    /// The cell that each cell goes to when the board is [turned](turned). Where that exchanges rows and columns of a
    /// board that is not square, it is the square in the top left corner that is turned.
    fn turn(self, way: u8) -> Vec<Option<u8>> {
        let side =
            if way & 4 == 0 { (self.rows, self.cols) } else { (self.rows.min(self.cols), self.rows.min(self.cols)) };
        let image = |cell: usize| {
            let (row, col) = (cell / self.cols, cell % self.cols);
            let (row, col) = (row < side.0 && col < side.1).then(|| turned((row as i32, col as i32), way))?;
            // What is reflected has negative numbers, from the far side.
            let (row, col) = (row.rem_euclid(side.0 as i32), col.rem_euclid(side.1 as i32));
            Some((row as usize * self.cols + col as usize) as u8)
        };
        (0..self.cells()).map(image).collect()
    }

    /// The turns and reflections of the whole board but for the identity: the cell that each cell goes to.
    pub(crate) fn symmetries(self) -> Vec<Vec<u8>> {
        (1..8).filter_map(|way| self.turn(way).into_iter().collect()).collect()
    }

    /// The set moved up and to the left as far as it goes.
    pub(crate) fn cornered(self, cells: u128) -> u128 {
        let Self { rows, cols } = self;
        if cells == 0 {
            return 0;
        }
        let top = cells.trailing_zeros() as usize / cols;
        // Cells of lower rows come behind the first row, whose lowest bit is the leftmost column.
        let in_one_row = (top..rows).fold(0, |row, n| row | cells >> (n * cols));
        cells >> (top * cols + in_one_row.trailing_zeros() as usize)
    }

    /// Rows of characters with `/` between them.
    pub(crate) fn write(self, glyph: impl Fn(usize) -> char) -> String {
        let row = |row| (row * self.cols..(row + 1) * self.cols).map(&glyph).collect::<String>();
        (0..self.rows).map(row).collect::<Vec<_>>().join("/")
    }
}

/// A cell or vector with rows and columns exchanged (4), rows reflected (1) and columns reflected (2), as the bits of `way` say:
/// a reflected number `n` becomes `-1 - n`. An even number of bits makes a turn, an odd one a reflection.
fn turned((row, col): (i32, i32), way: u8) -> (i32, i32) {
    let (row, col) = if way & 4 != 0 { (col, row) } else { (row, col) };
    (if way & 1 != 0 { -1 - row } else { row }, if way & 2 != 0 { -1 - col } else { col })
}

/// A shape turned in one of eight ways, with its top row and leftmost column 0, sorted.
pub(crate) fn turned_shape(cells: &[(i32, i32)], way: u8) -> Vec<(i32, i32)> {
    let mut cells: Vec<_> = cells.iter().map(|cell| turned(*cell, way)).collect();
    let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
    let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
    cells.iter_mut().for_each(|cell| *cell = (cell.0 - top, cell.1 - left));
    cells.sort_unstable();
    cells
}

/// A turn of sets of cells in the top left corner, with a table for each eight cells: most of the check of
/// nimbers would go into moving cells one by one.
#[derive(Debug)]
pub(crate) struct Turn {
    /// The cells whose images are on the board.
    fitting: u128,
    images: Vec<[u128; 256]>,
}

impl Turn {
    pub(crate) fn new(board: Board, way: u8) -> Self {
        let of_cells = board.turn(way);
        let of_eight = |cells: &[Option<u8>]| {
            let images = |set: usize| each(set as u128).filter_map(|n| cells.get(n).copied().flatten());
            std::array::from_fn(|set| images(set).fold(0, |image, cell| image | 1 << cell))
        };
        let fitting = (0..board.cells()).filter(|cell| of_cells[*cell].is_some()).fold(0, |set, cell| set | 1 << cell);
        Self { fitting, images: of_cells.chunks(8).map(of_eight).collect() }
    }

    /// The image of a set in the top left corner, in that corner; `None` if it does not fit.
    pub(crate) fn image_of(&self, board: Board, cells: u128) -> Option<u128> {
        if cells & !self.fitting != 0 {
            return None;
        }
        let mut image = 0;
        for (eight, images) in cells.to_le_bytes().into_iter().zip(&self.images) {
            image |= images[usize::from(eight)];
        }
        Some(board.cornered(image))
    }
}

/// The cells of a set, from the lowest.
pub(crate) fn each(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

/// The set that a symmetry takes another one to.
pub(crate) fn image(set: u128, symmetry: &[u8]) -> u128 {
    each(set).fold(0, |image, cell| image | 1 << symmetry[cell])
}
