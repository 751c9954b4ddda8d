//! Move generation: steps from a cell, steps from a set of cells, and flood fill.

use super::Steps;
use crate::board::{Board, CellSet, Cells};

/// The eight directions, orthogonal ones first.
pub(super) const DIRECTIONS: [(i8, i8); 8] = [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];

const KNIGHT: [(i8, i8); 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

/// The cells of the largest board.
const MAX_CELLS: usize = u128::CELLS;

/// Precomputed steps on a board.
#[derive(Clone, Debug)]
pub(super) struct MoveGenerator<W> {
    /// The leaps from each cell on a board full of tiles; for a queen, the neighbouring cells.
    leaps: Box<[W; MAX_CELLS]>,
    rays: Option<Rays<W>>,
    shape: Shape<W>,
    /// The leaps of all cells by their distance: a rotation of the set, and the cells that
    /// have this leap.
    shifts: Vec<(u32, W)>,
    is_reversible: bool,
    /// One colour class, if the graph of leaps is bipartite.
    dark: Option<W>,
}

/// The leaps as shifts of a whole bitboard; `cols` is one row.
#[derive(Clone, Debug)]
enum Shape<W> {
    Orthogonal { cols: usize, inner: Inner<W> },
    King { cols: usize, inner: Inner<W> },
    Knight { cols: usize, inner: Inner<W> },
    Listed,
}

/// The cells without the first column, the last, the first two and the last two.
#[derive(Clone, Debug)]
struct Inner<W> {
    first: W,
    last: W,
    first_two: W,
    last_two: W,
}

impl<W: CellSet> MoveGenerator<W> {
    pub(super) fn new(steps: &Steps, board: Board, torus: bool) -> Self {
        let offsets = match steps {
            Steps::Orthogonal => &DIRECTIONS[..4],
            Steps::King | Steps::Queen => &DIRECTIONS,
            Steps::Knight => &KNIGHT,
            Steps::Offsets(offsets) => offsets,
        };
        let mut leaps = Box::new([W::zero(); MAX_CELLS]);
        let mut sources = vec![W::zero(); W::CELLS];
        for from in 0..board.cells() {
            let to = offsets.iter().filter_map(|&by| board.offset(from, by, torus));
            leaps[from] = to.fold(W::zero(), |set, to| set | W::bit(to)) & !W::bit(from);
            for to in Cells(leaps[from]) {
                sources[to.wrapping_sub(from) % W::CELLS] |= W::bit(from);
            }
        }
        let shifts = (0..).zip(sources).filter(|(_, sources): &(u32, W)| !sources.is_zero()).collect();
        let slides = *steps == Steps::Queen;
        let leads = |from: usize, to: usize| !(leaps[from] & W::bit(to)).is_zero();
        let is_reversible = (0..board.cells()).all(|from| Cells(leaps[from]).all(|to| leads(to, from))) && !slides;
        Self {
            rays: slides.then(|| Rays::new(board, torus)),
            shape: Shape::new(steps, board, torus),
            shifts,
            is_reversible,
            dark: if slides { None } else { dark(&leaps) },
            leaps,
        }
    }

    /// Whether tokens slide, and so can be blocked from afar.
    #[inline]
    pub(super) const fn is_sliding(&self) -> bool {
        self.rays.is_some()
    }

    /// The neighbours of each cell: the cells a leap away.
    pub(super) fn leaps(&self, board: Board) -> &[W] {
        &self.leaps[..board.cells()]
    }

    /// The cells that a token on `from` can step to, if it may stand on `free` only.
    #[inline]
    pub(super) fn destinations(&self, from: usize, free: W) -> W {
        match &self.rays {
            None => self.neighbours(from) & free,
            Some(rays) => rays.destinations(from, free),
        }
    }

    /// The cells a leap away; for a queen, the neighbouring ones.
    #[inline]
    pub(super) fn neighbours(&self, cell: usize) -> W {
        self.leaps[cell % MAX_CELLS]
    }

    /// The neighbours of all cells of a set. The result may also contain cells of the set
    /// itself and bits beyond the board.
    #[inline]
    pub(super) fn neighbours_of(&self, set: W) -> W {
        match &self.shape {
            Shape::Orthogonal { cols, inner } => (set << *cols) | (set >> *cols) | beside(set, inner),
            Shape::King { cols, inner } => {
                let row = set | beside(set, inner);
                row | (row << *cols) | (row >> *cols)
            }
            Shape::Knight { cols, inner } => {
                let one = beside(set, inner);
                let two = (set & inner.last_two) << 2 | (set & inner.first_two) >> 2;
                (one << (2 * cols)) | (one >> (2 * cols)) | (two << *cols) | (two >> *cols)
            }
            Shape::Listed => self.shifts.iter().fold(W::zero(), |to, &(by, from)| to | (set & from).rotate_left(by)),
        }
    }

    /// All cells that a token on `from` can ever reach over `free` (flood fill).
    #[inline]
    pub(super) fn flood_fill(&self, from: usize, free: W) -> W {
        let mut reached = self.neighbours(from) & free;
        loop {
            let further = reached | self.neighbours_of(reached) & free;
            if further == reached {
                return reached;
            }
            reached = further;
        }
    }

    /// One colour class, if the graph of leaps is bipartite.
    #[inline]
    pub(super) const fn dark(&self) -> Option<W> {
        self.dark
    }

    /// Whether every step can be reversed.
    #[inline]
    pub(super) const fn is_reversible(&self) -> bool {
        self.is_reversible
    }

    /// The cells of a set with at most one neighbour in it, if every step is reversible;
    /// otherwise none.
    #[inline]
    pub(super) fn dead_ends(&self, set: W) -> W {
        if !self.is_reversible {
            return W::zero();
        }
        let (mut once, mut twice) = (W::zero(), W::zero());
        for &(by, from) in &self.shifts {
            let to = (set & from).rotate_left(by);
            twice |= once & to;
            once |= to;
        }
        set & !twice
    }
}

#[inline]
fn beside<W: CellSet>(set: W, inner: &Inner<W>) -> W {
    (set & inner.last) << 1 | (set & inner.first) >> 1
}

impl<W: CellSet> Shape<W> {
    fn new(steps: &Steps, board: Board, torus: bool) -> Self {
        let cols = board.cols();
        if torus || 2 * cols >= W::CELLS {
            return Self::Listed;
        }
        let without = |gone: &[usize]| {
            (0..board.cells())
                .filter(|&cell| !gone.contains(&board.row_col(cell).1))
                .fold(W::zero(), |set, cell| set | W::bit(cell))
        };
        let inner = Inner {
            first: without(&[0]),
            last: without(&[cols - 1]),
            first_two: without(&[0, 1]),
            last_two: without(&[cols - 1, cols.saturating_sub(2)]),
        };
        match steps {
            Steps::Orthogonal => Self::Orthogonal { cols, inner },
            Steps::King | Steps::Queen => Self::King { cols, inner },
            Steps::Knight => Self::Knight { cols, inner },
            Steps::Offsets(_) => Self::Listed,
        }
    }
}

/// One colour class of the graph of leaps, if it is bipartite.
fn dark<W: CellSet>(leaps: &[W; MAX_CELLS]) -> Option<W> {
    let mut both_ways = *leaps;
    for (from, &to) in leaps.iter().enumerate() {
        for to in Cells(to) {
            both_ways[to] |= W::bit(from);
        }
    }
    let next = |set: W| Cells(set).fold(W::zero(), |next, cell| next | both_ways[cell]);
    let (mut light, mut dark) = (W::zero(), W::zero());
    while let Some(cell) = Cells(!(light | dark)).next() {
        light |= W::bit(cell);
        loop {
            let (more_dark, more_light) = (dark | next(light), light | next(dark));
            if (more_light, more_dark) == (light, dark) {
                break;
            }
            (light, dark) = (more_light, more_dark);
            if !(light & dark).is_zero() {
                return None;
            }
        }
    }
    Some(dark)
}

/// The cells of each ray from each cell.
#[derive(Clone, Debug)]
pub(super) enum Rays<W> {
    /// Rays up to the edge: those in the four directions towards lower cell numbers, and in
    /// the four towards higher ones.
    Edged(Vec<[[W; 4]; 2]>),
    /// Rays of a torus, in order, up to the starting cell.
    Endless(Vec<Vec<Vec<u8>>>),
}

impl<W: CellSet> Rays<W> {
    pub(super) fn new(board: Board, torus: bool) -> Self {
        let cells = 0..board.cells();
        if torus {
            return Self::Endless(cells.map(|from| DIRECTIONS.map(|by| ray(board, from, by, true)).to_vec()).collect());
        }
        let masks = |from, lower: bool| {
            let mut by = DIRECTIONS.into_iter().filter(|&direction| (direction < (0, 0)) == lower);
            std::array::from_fn(|_| {
                let ray = by.next().map_or(Vec::new(), |by| ray(board, from, by, false));
                ray.into_iter().fold(W::zero(), |set, cell| set | W::bit(cell.into()))
            })
        };
        Self::Edged(cells.map(|from| [masks(from, true), masks(from, false)]).collect())
    }

    /// The cells that a queen on `from` can reach, if she may stand on `free` only.
    #[inline]
    pub(super) fn destinations(&self, from: usize, free: W) -> W {
        let mut to = W::zero();
        match self {
            Self::Edged(rays) => {
                let [lower, higher] = &rays[from];
                for ray in lower {
                    // The highest blocker is the nearest.
                    let blockers = *ray & !free;
                    let beyond =
                        if blockers.is_zero() { blockers } else { W::max_value() >> blockers.leading_zeros() as usize };
                    to |= *ray & !beyond;
                }
                for ray in higher {
                    let blockers = *ray & !free;
                    let nearer = if blockers.is_zero() { !blockers } else { blockers - W::one() };
                    to |= *ray & nearer & !blockers;
                }
            }
            Self::Endless(rays) => {
                for ray in &rays[from] {
                    for &cell in ray {
                        if (free & W::bit(cell.into())).is_zero() {
                            break;
                        }
                        to |= W::bit(cell.into());
                    }
                }
            }
        }
        to
    }
}

/// The cells from `from` on in one direction, up to the edge, or on a torus back to
/// `from`.
fn ray(board: Board, from: usize, direction: (i8, i8), torus: bool) -> Vec<u8> {
    let next = |&cell: &usize| board.offset(cell, direction, torus).filter(|&cell| cell != from);
    std::iter::successors(next(&from), next).map(|cell| cell as u8).collect()
}
