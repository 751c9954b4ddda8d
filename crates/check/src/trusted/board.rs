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

    /// The cell so many rows down and columns to the right of another one, if it is on the board.
    pub(crate) fn step(self, cell: usize, (down, right): (i32, i32), torus: bool) -> Option<usize> {
        let (rows, cols) = (self.rows as i32, self.cols as i32);
        let (mut row, mut col) = (cell as i32 / cols + down, cell as i32 % cols + right);
        if torus {
            (row, col) = (row.rem_euclid(rows), col.rem_euclid(cols));
        }
        ((0..rows).contains(&row) && (0..cols).contains(&col)).then(|| (row * cols + col) as usize)
    }

    /// The set moved up and to the left as far as possible.
    pub(crate) fn move_to_corner(self, cells: u128) -> u128 {
        let Self { rows, cols } = self;
        if cells == 0 {
            return 0;
        }
        let top = cells.trailing_zeros() as usize / cols;
        // Cells of lower rows are shifted onto the first row: the lowest bit is the leftmost column.
        let lower = (top..rows).map(|row| cells >> (row * cols)).take_while(|lower| *lower != 0);
        let in_one_row = lower.fold(0, |row, lower| row | lower);
        cells >> (top * cols + in_one_row.trailing_zeros() as usize)
    }

    /// Formats rows of characters with `/` between them.
    pub(crate) fn write(self, glyph: impl Fn(usize) -> char) -> String {
        let row = |row| (row * self.cols..(row + 1) * self.cols).map(&glyph).collect::<String>();
        (0..self.rows).map(row).collect::<Vec<_>>().join("/")
    }
}

/// A cell or vector with rows and columns exchanged (4), rows reflected (1) and columns reflected (2), as the bits of `way` say:
/// a reflected number `n` becomes `-1 - n`. An even number of bits makes a turn, an odd one a reflection.
fn turn_cell((row, col): (i32, i32), way: u8) -> (i32, i32) {
    let (row, col) = if way & 4 != 0 { (col, row) } else { (row, col) };
    (if way & 1 != 0 { -1 - row } else { row }, if way & 2 != 0 { -1 - col } else { col })
}

/// A shape turned in one of eight ways, with its top row and leftmost column 0, sorted.
pub(crate) fn turn_shape(cells: &[(i32, i32)], way: u8) -> Vec<(i32, i32)> {
    let mut cells: Vec<_> = cells.iter().map(|cell| turn_cell(*cell, way)).collect();
    let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
    let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
    cells.iter_mut().for_each(|cell| *cell = (cell.0 - top, cell.1 - left));
    cells.sort_unstable();
    cells
}

/// A turn or reflection of a board. Where it exchanges rows and columns of a board that is not square, it is the square
/// in the top left corner that is turned.
#[derive(Debug)]
pub struct Turn {
    /// The cells whose images are on the board.
    fitting: u128,
    /// The image of each set of six cells: moving cells one by one would take most of a check of nimbers.
    images: Vec<[u128; 64]>,
}

impl Turn {
    /// The board [turned] this way.
    pub(crate) fn new(board: Board, way: u8) -> Self {
        let Board { rows, cols } = board;
        let (height, width) = if way & 4 == 0 { (rows, cols) } else { (rows.min(cols), rows.min(cols)) };
        let (mut fitting, mut images) = (0, vec![[0; 64]; board.cells().div_ceil(6)]);
        for cell in (0..board.cells()).filter(|cell| cell / cols < height && cell % cols < width) {
            let (row, col) = turn_cell(((cell / cols) as i32, (cell % cols) as i32), way);
            // Reflected numbers are negative, and count from the far side.
            let (row, col) = (row.rem_euclid(height as i32) as usize, col.rem_euclid(width as i32) as usize);
            fitting |= 1 << cell;
            images[cell / 6][1 << (cell % 6)] = 1 << (row * cols + col);
        }
        for images in &mut images {
            (1..64_usize).for_each(|set| images[set] = images[set & (set - 1)] | images[set & set.wrapping_neg()]);
        }
        Self { fitting, images }
    }

    /// The turns and reflections of the whole board, without the identity, that `kept` accepts.
    pub(crate) fn symmetries(board: Board, kept: impl Fn(&Self) -> bool) -> Vec<Self> {
        let all = (1..8).map(|way| Self::new(board, way));
        all.filter(|turn| turn.fitting == board.all() && kept(turn)).collect()
    }

    /// Whether all cells of a set have images.
    pub(crate) fn fits(&self, cells: u128) -> bool {
        cells & !self.fitting == 0
    }

    /// The image of a set of cells that have images.
    pub(crate) fn image(&self, cells: u128) -> u128 {
        let (mut image, mut left) = (0, cells);
        for images in &self.images {
            if left == 0 {
                break;
            }
            image |= images[left as usize & 63];
            left >>= 6;
        }
        image
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
