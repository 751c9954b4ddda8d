//! Boards as graphs: directions, the lines that cells lie on, and sets of cells.

use crate::board::{Board, CellSet, Cells};
use crate::symmetry::Permutation;

/// The shape of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Grid,
    Torus,
    Hex,
    Graph,
}

/// The names of shapes, as rules files have them.
pub(super) const SHAPES: [(&str, Shape); 4] =
    [("grid", Shape::Grid), ("torus", Shape::Torus), ("hex", Shape::Hex), ("graph", Shape::Graph)];

/// The directions, clockwise from north, as rows down and columns to the right.
pub(super) const DIRECTIONS: [(&str, (i8, i8)); 8] = [
    ("n", (-1, 0)),
    ("ne", (-1, 1)),
    ("e", (0, 1)),
    ("se", (1, 1)),
    ("s", (1, 0)),
    ("sw", (1, -1)),
    ("w", (0, -1)),
    ("nw", (-1, -1)),
];

/// A set of [`DIRECTIONS`], one bit each.
pub(super) type Directions = u8;

/// A board: its cells and the straight lines through them.
#[derive(Clone, Debug)]
pub(super) struct Geometry<W> {
    pub(super) board: Board,
    pub(super) shape: Shape,
    /// The cells that exist.
    pub(super) cells: W,
    /// The lines of a graph, from end to end.
    edges: Vec<Vec<u8>>,
}

impl<W: CellSet> Geometry<W> {
    /// Creates the geometry of a board without the `absent` cells. A graph has only the cells that its `edges` name, which are
    /// on the board.
    pub(super) fn new(board: Board, shape: Shape, absent: W, edges: Vec<Vec<u8>>) -> Self {
        let named = W::of_cells(edges.iter().flatten().map(|cell| (*cell).into()));
        let cells = if shape == Shape::Graph { named } else { board.full() };
        Self { board, shape, cells: cells & !absent, edges }
    }

    /// Returns the lines that join neighbours, as the cells along each: those of a graph, and of a hex board those between two
    /// cells; none of other boards.
    pub(super) fn edges(&self) -> Vec<Vec<usize>> {
        let exists = |cell: &usize| self.cells.contains(*cell);
        match self.shape {
            Shape::Grid | Shape::Torus => Vec::new(),
            Shape::Graph => {
                self.edges.iter().map(|edge| edge.iter().map(|cell| (*cell).into()).filter(exists).collect()).collect()
            }
            Shape::Hex => {
                let ahead =
                    |cell: usize| [(0, 1), (1, 0), (1, -1)].map(|offset| self.board.offset(cell, offset, false));
                let pairs =
                    |cell: usize| ahead(cell).into_iter().flatten().filter(exists).map(move |next| vec![cell, next]);
                Cells(self.cells).flat_map(pairs).collect()
            }
        }
    }

    /// Returns the image of each cell that exists.
    pub(super) fn cells_by(&self, image: impl Fn(usize) -> usize) -> Vec<usize> {
        Cells(self.cells).map(image).collect()
    }

    /// Returns the directions to the cells that are `adjacent`.
    pub(super) const fn adjacent(&self) -> Directions {
        match self.shape {
            Shape::Grid | Shape::Torus => 0b0101_0101,
            Shape::Hex => 0b0111_0111,
            Shape::Graph => 0b1111_1111,
        }
    }

    /// Returns the cells that one after the other follow `cell` along each line in these directions.
    pub(super) fn rays_from(&self, cell: usize, directions: Directions) -> Vec<Vec<u8>> {
        let exists = |cell: usize| self.cells.contains(cell);
        let mut rays = Vec::new();
        if self.shape == Shape::Graph {
            let (row, col) = self.board.row_col(cell);
            let mut push = |ray: Vec<u8>| {
                let Some(first) = ray.first() else { return };
                let (to_row, to_col) = self.board.row_col((*first).into());
                let sign = |from: usize, to: usize| (to as i8 - from as i8).signum();
                let towards = (sign(row, to_row), sign(col, to_col));
                let is_wanted =
                    |(n, (_, offset)): (usize, &(&str, (i8, i8)))| directions >> n & 1 == 1 && *offset == towards;
                if DIRECTIONS.iter().enumerate().any(is_wanted) && !rays.contains(&ray) {
                    rays.push(ray);
                }
            };
            for edge in &self.edges {
                for at in (0..edge.len()).filter(|at| usize::from(edge[*at]) == cell) {
                    push(edge[at + 1..].to_vec());
                    push(edge[..at].iter().rev().copied().collect());
                }
            }
            for ray in &mut rays {
                let stop = ray.iter().position(|cell| !exists((*cell).into())).unwrap_or(ray.len());
                ray.truncate(stop);
            }
            rays.retain(|ray| !ray.is_empty());
            return rays;
        }
        for (_, (_, offset)) in DIRECTIONS.iter().enumerate().filter(|(n, _)| directions >> n & 1 == 1) {
            let (mut ray, mut at) = (Vec::new(), cell);
            while let Some(next) = self.board.offset(at, *offset, self.shape == Shape::Torus)
                && exists(next)
                && next != cell
            {
                ray.push(next as u8);
                at = next;
            }
            if !ray.is_empty() && !rays.contains(&ray) {
                rays.push(ray);
            }
        }
        rays
    }

    /// Returns the rays from all cells.
    pub(super) fn rays(&self, directions: Directions) -> Rays {
        let of = |cell| if self.cells.contains(cell) { self.rays_from(cell, directions) } else { Vec::new() };
        Rays((0..self.board.cells()).map(|cell| sorted(of(cell))).collect())
    }

    /// Returns the steps in these directions.
    pub(super) fn steps(&self, directions: Directions) -> Relation<W> {
        let rays = self.rays(directions);
        let first =
            rays.0.iter().enumerate().flat_map(|(from, rays)| rays.iter().map(move |ray| (from, ray[0].into())));
        Relation::new(first)
    }

    /// Returns the rim: the cells that lack an adjacent one on some side. `None` for boards of other shapes than a grid and hexagons.
    pub(super) fn rim(&self) -> Option<W> {
        let sides = self.adjacent().count_ones() as usize;
        let lacks = |cell: &usize| self.rays_from(*cell, self.adjacent()).len() < sides;
        matches!(self.shape, Shape::Grid | Shape::Hex).then(|| W::of_cells(Cells(self.cells).filter(lacks)))
    }

    /// Returns the leaps by so many rows and columns, either first, each way.
    pub(super) fn leaps(&self, offsets: &[(i8, i8)]) -> Relation<W> {
        let mut pairs = Vec::new();
        for from in Cells(self.cells) {
            for &(a, b) in offsets {
                for (down, right) in [(a, b), (b, a)] {
                    for offset in [(down, right), (-down, right), (down, -right), (-down, -right)] {
                        let to = self.board.offset(from, offset, self.shape == Shape::Torus);
                        pairs.extend(to.filter(|to| self.cells.contains(*to) && *to != from).map(|to| (from, to)));
                    }
                }
            }
        }
        Relation::new(pairs)
    }

    /// Returns every `n` cells that follow each other on a line.
    pub(super) fn rows_of(&self, n: usize) -> Windows<W> {
        let mut windows = Vec::new();
        let mut push = |line: &[u8], ends: [Option<u8>; 2]| {
            let cells = W::of_cells(line.iter().map(|cell| (*cell).into()));
            let ends = W::of_cells(ends.into_iter().flatten().map(usize::from)) & !cells;
            if !cells.meets(!self.cells) && cells.count_ones() as usize == n {
                windows.push((cells, ends));
            }
        };
        if self.shape == Shape::Graph {
            for edge in &self.edges {
                for (at, line) in edge.windows(n).enumerate() {
                    push(line, [at.checked_sub(1).map(|before| edge[before]), edge.get(at + n).copied()]);
                }
            }
        } else {
            // One direction of each axis: e, se, s and sw. A hex board has no se.
            for axis in [2, 3, 4, 5].into_iter().filter(|axis| self.shape != Shape::Hex || *axis != 3) {
                for cell in Cells(self.cells) {
                    let ray = |direction: usize| self.rays_from(cell, 1 << direction).pop().unwrap_or_default();
                    let line: Vec<_> = [cell as u8].into_iter().chain(ray(axis)).collect();
                    if line.len() >= n {
                        push(&line[..n], [ray((axis + 4) % 8).first().copied(), line.get(n).copied()]);
                    }
                }
            }
        }
        Windows::new(windows)
    }

    /// Returns every four cells of two neighbouring rows and columns.
    pub(super) fn squares(&self) -> Windows<W> {
        let at = |cell, offset| self.board.offset(cell, offset, self.shape == Shape::Torus);
        let square = |cell| W::of_cells([(0, 0), (0, 1), (1, 0), (1, 1)].iter().filter_map(|offset| at(cell, *offset)));
        let all = Cells(self.cells).map(square).filter(|set| set.count_ones() == 4 && !set.meets(!self.cells));
        Windows::new(all.map(|set| (set, W::zero())).collect())
    }
}

/// Sets of cells that a pattern may be on, each with the cells just beyond its ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Windows<W>(Vec<(W, W)>);

impl<W: CellSet> Windows<W> {
    fn new(mut windows: Vec<(W, W)>) -> Self {
        windows.sort_unstable();
        windows.dedup();
        Self(windows)
    }

    /// Returns the windows that are in `set`, none of the cells beyond their ends being in it if `exactly`.
    #[inline]
    pub(super) fn within(&self, set: W, exactly: bool) -> impl Iterator<Item = W> {
        let is_in = move |(cells, ends): &&(W, W)| set & *cells == *cells && !(exactly && set.meets(*ends));
        self.0.iter().filter(is_in).map(|(cells, _)| *cells)
    }

    pub(super) fn image(&self, symmetry: &Permutation<W>) -> Self {
        Self::new(self.0.iter().map(|&(cells, ends)| (symmetry.set(cells), symmetry.set(ends))).collect())
    }
}

/// The lines from each cell in some directions: the cells one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rays(Vec<Vec<Vec<u8>>>);

impl Rays {
    #[inline]
    pub(super) fn from(&self, cell: usize) -> &[Vec<u8>] {
        &self.0[cell]
    }

    /// Returns the lines without what lies more steps away.
    pub(super) fn of_at_most(mut self, max_steps: usize) -> Self {
        for rays in &mut self.0 {
            rays.iter_mut().for_each(|ray| ray.truncate(max_steps));
            rays.retain(|ray| !ray.is_empty());
            rays.dedup();
        }
        self
    }

    pub(super) fn image<W: CellSet>(&self, symmetry: &Permutation<W>) -> Self {
        let mut image = vec![Vec::new(); self.0.len()];
        for (cell, rays) in self.0.iter().enumerate() {
            let to = |cell: &u8| symmetry.cell((*cell).into()) as u8;
            image[symmetry.cell(cell)] = sorted(rays.iter().map(|ray| ray.iter().map(to).collect()).collect());
        }
        Self(image)
    }
}

fn sorted(mut rays: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    rays.sort_unstable();
    rays
}

/// A relation between cells, such as the steps in some directions, as shifts of sets: for each distance between the numbers of
/// two cells, those that have a cell at this distance.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Relation<W>(pub(super) Vec<(i8, W)>);

impl<W: CellSet> Relation<W> {
    pub(super) fn new(pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut shifts: Vec<(i8, W)> = Vec::new();
        for (from, to) in pairs {
            let shift = to as i8 - from as i8;
            match shifts.iter_mut().find(|(other, _)| *other == shift) {
                Some((_, set)) => *set |= W::bit(from),
                None => shifts.push((shift, W::bit(from))),
            }
        }
        shifts.sort_unstable();
        Self(shifts)
    }

    /// Returns all pairs of a cell and one that it is related to.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let of = |&(shift, from): &(i8, W)| Cells(from).map(move |cell| (cell, (cell as i8 + shift) as usize));
        self.0.iter().flat_map(of)
    }

    /// Returns the cells that a cell of `set` is related to.
    #[inline]
    pub(super) fn image_of(&self, set: W) -> W {
        self.0.iter().fold(W::zero(), |image, &(by, from)| image | shifted(set & from, by))
    }

    /// Returns the cells that a cell of `set` is related to, and those that two are.
    #[inline]
    pub(super) fn image_counts(&self, set: W) -> (W, W) {
        self.0.iter().fold((W::zero(), W::zero()), |(once, twice), &(by, from)| {
            let image = shifted(set & from, by);
            (once | image, twice | once & image)
        })
    }

    /// Returns the cells that are related to a cell of `set`.
    #[inline]
    pub(super) fn origins_of(&self, set: W) -> W {
        self.0.iter().fold(W::zero(), |all, &(by, from)| all | shifted(set, -by) & from)
    }

    /// Returns `set` and all cells from which one step after the other leads to it.
    pub(super) fn all_origins_of(&self, set: W) -> W {
        let more = set | self.origins_of(set);
        if more == set { set } else { self.all_origins_of(more) }
    }

    /// Returns `set` and all cells that one step after the other leads to from it, over cells of `over`.
    #[inline]
    pub(super) fn closure(&self, set: W, over: W) -> W {
        let mut all = set;
        loop {
            let more = all | self.image_of(all) & over;
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// Returns the groups of `set`, cells joined by the relation, that have a cell which a cell of `others` is related to.
    #[inline]
    pub(super) fn groups_touching(&self, set: W, others: W) -> W {
        self.closure(set & self.image_of(others), set)
    }

    /// Returns a group of `set`, cells joined by the relation, that has a cell in at least `count` of the regions; 0 if there is none.
    pub(super) fn connection(&self, set: W, count: usize, regions: &[W]) -> W {
        if count < regions.len() {
            return self.connection_of_some(set, count, regions);
        }
        let [first, others @ ..] = regions else { return W::zero() };
        let mut seeds = set & *first;
        // Groups that do not reach the next region are of no use; those that do are taken apart only if there are more.
        while !seeds.is_zero() {
            let seed = if others.len() == 1 { seeds } else { seeds.first() };
            let group = self.closure(seed, set);
            if others.iter().all(|region| group.meets(*region)) {
                return group;
            }
            seeds &= !group;
        }
        W::zero()
    }

    /// As [`connection`](Self::connection), for fewer than all regions.
    #[inline(never)]
    fn connection_of_some(&self, mut set: W, count: usize, regions: &[W]) -> W {
        while !set.is_zero() {
            let group = self.closure(set.first(), set);
            if regions.iter().filter(|region| group.meets(**region)).count() >= count {
                return group;
            }
            set &= !group;
        }
        W::zero()
    }

    /// Returns the cells of `set` around those of `inner` from which no steps over cells outside `set` lead to the rim; 0 if there are
    /// no such cells.
    pub(super) fn enclosure(&self, set: W, inner: W, rim: W) -> W {
        let outside = self.closure(rim & !set, !set);
        let inside = inner & !(rim | outside | self.image_of(outside));
        self.image_of(self.closure(inside, !set)) & set
    }

    pub(super) fn image(&self, symmetry: &Permutation<W>) -> Self {
        Self::new(self.pairs().map(|(from, to)| (symmetry.cell(from), symmetry.cell(to))))
    }
}

/// Returns the cells `by` further on, or further back if that is negative. None may leave the word.
#[inline]
pub(super) fn shifted<W: CellSet>(set: W, by: i8) -> W {
    if by >= 0 { set << by as usize } else { set >> by.unsigned_abs().into() }
}
