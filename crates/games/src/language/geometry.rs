//! Boards as graphs: directions, the lines that cells lie on, and sets of cells.

use crate::board::{Board, Cells, bit};
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
pub(super) struct Geometry {
    pub(super) board: Board,
    pub(super) shape: Shape,
    /// The cells that exist.
    pub(super) cells: u64,
    /// The lines of a graph, from end to end.
    edges: Vec<Vec<u8>>,
}

impl Geometry {
    /// Creates the geometry of a board without the `absent` cells. A graph has only the cells that its `edges` name, which are
    /// on the board.
    pub(super) fn new(board: Board, shape: Shape, absent: u64, edges: Vec<Vec<u8>>) -> Self {
        let named = edges.iter().flatten().fold(0, |cells, cell| cells | bit((*cell).into()));
        let cells = if shape == Shape::Graph { named } else { board.all() };
        Self { board, shape, cells: cells & !absent, edges }
    }

    /// Returns the lines that join neighbours, as the cells along each: those of a graph, and of a hex board those between two
    /// cells; none of other boards.
    pub(super) fn edges(&self) -> Vec<Vec<usize>> {
        let exists = |cell: &usize| self.cells & bit(*cell) != 0;
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
        let exists = |cell: usize| self.cells & bit(cell) != 0;
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
        let of = |cell| if self.cells & bit(cell) == 0 { Vec::new() } else { self.rays_from(cell, directions) };
        Rays((0..self.board.cells()).map(|cell| sorted(of(cell))).collect())
    }

    /// Returns the steps in these directions.
    pub(super) fn steps(&self, directions: Directions) -> Relation {
        let rays = self.rays(directions);
        let first =
            rays.0.iter().enumerate().flat_map(|(from, rays)| rays.iter().map(move |ray| (from, ray[0].into())));
        Relation::new(first)
    }

    /// Returns the rim: the cells that lack an adjacent one on some side. `None` for boards of other shapes than a grid and hexagons.
    pub(super) fn rim(&self) -> Option<u64> {
        let sides = self.adjacent().count_ones() as usize;
        let lacks = |cell: &usize| self.rays_from(*cell, self.adjacent()).len() < sides;
        matches!(self.shape, Shape::Grid | Shape::Hex)
            .then(|| Cells(self.cells).filter(lacks).fold(0, |rim, cell| rim | bit(cell)))
    }

    /// Returns the leaps by so many rows and columns, either first, each way.
    pub(super) fn leaps(&self, offsets: &[(i8, i8)]) -> Relation {
        let mut pairs = Vec::new();
        for from in Cells(self.cells) {
            for &(a, b) in offsets {
                for (down, right) in [(a, b), (b, a)] {
                    for offset in [(down, right), (-down, right), (down, -right), (-down, -right)] {
                        let to = self.board.offset(from, offset, self.shape == Shape::Torus);
                        pairs.extend(to.filter(|to| self.cells & bit(*to) != 0 && *to != from).map(|to| (from, to)));
                    }
                }
            }
        }
        Relation::new(pairs)
    }

    /// Returns every `n` cells that follow each other on a line.
    pub(super) fn rows_of(&self, n: usize) -> Windows {
        let mut windows = Vec::new();
        let mut push = |line: &[u8], ends: [Option<u8>; 2]| {
            let set = |cells: &[u8]| cells.iter().fold(0, |set, cell| set | bit((*cell).into()));
            let cells = set(line);
            let ends = ends.into_iter().flatten().fold(0, |ends, cell| ends | bit(cell.into())) & !cells;
            if cells & !self.cells == 0 && cells.count_ones() as usize == n {
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
    pub(super) fn squares(&self) -> Windows {
        let at = |cell, offset| self.board.offset(cell, offset, self.shape == Shape::Torus).map_or(0, bit);
        let square = |cell| [(0, 1), (1, 0), (1, 1)].iter().fold(bit(cell), |set, offset| set | at(cell, *offset));
        let all = Cells(self.cells).map(square).filter(|set| set.count_ones() == 4 && set & !self.cells == 0);
        Windows::new(all.map(|set| (set, 0)).collect())
    }
}

/// Sets of cells that a pattern may be on, each with the cells just beyond its ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Windows(Vec<(u64, u64)>);

impl Windows {
    fn new(mut windows: Vec<(u64, u64)>) -> Self {
        windows.sort_unstable();
        windows.dedup();
        Self(windows)
    }

    /// Returns the windows that are in `set`, none of the cells beyond their ends being in it if `exactly`.
    #[inline]
    pub(super) fn within(&self, set: u64, exactly: bool) -> impl Iterator<Item = u64> {
        let is_in = move |(cells, ends): &&(u64, u64)| set & cells == *cells && !(exactly && set & ends != 0);
        self.0.iter().filter(is_in).map(|(cells, _)| *cells)
    }

    pub(super) fn image(&self, symmetry: &Permutation) -> Self {
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

    pub(super) fn image(&self, symmetry: &Permutation) -> Self {
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
pub(super) struct Relation(pub(super) Vec<(i8, u64)>);

impl Relation {
    pub(super) fn new(pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut shifts: Vec<(i8, u64)> = Vec::new();
        for (from, to) in pairs {
            let shift = to as i8 - from as i8;
            match shifts.iter_mut().find(|(other, _)| *other == shift) {
                Some((_, set)) => *set |= bit(from),
                None => shifts.push((shift, bit(from))),
            }
        }
        shifts.sort_unstable();
        Self(shifts)
    }

    /// Returns all pairs of a cell and one that it is related to.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let of = |&(shift, from): &(i8, u64)| Cells(from).map(move |cell| (cell, (cell as i8 + shift) as usize));
        self.0.iter().flat_map(of)
    }

    /// Returns the cells that a cell of `set` is related to.
    #[inline]
    pub(super) fn image_of(&self, set: u64) -> u64 {
        self.0.iter().fold(0, |image, &(by, from)| image | shifted(set & from, by))
    }

    /// Returns the cells that are related to a cell of `set`.
    #[inline]
    pub(super) fn origins_of(&self, set: u64) -> u64 {
        self.0.iter().fold(0, |all, &(by, from)| all | shifted(set, -by) & from)
    }

    /// Returns `set` and all cells from which one step after the other leads to it.
    pub(super) fn all_origins_of(&self, set: u64) -> u64 {
        let more = set | self.origins_of(set);
        if more == set { set } else { self.all_origins_of(more) }
    }

    /// Returns `set` and all cells that one step after the other leads to from it, over cells of `over`.
    #[inline]
    pub(super) fn closure(&self, set: u64, over: u64) -> u64 {
        let mut all = set;
        loop {
            let more = all | self.image_of(all) & over;
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// Returns a group of `set`, cells joined by the relation, that has a cell in at least `count` of the regions; 0 if there is none.
    pub(super) fn connection(&self, set: u64, count: usize, regions: &[u64]) -> u64 {
        if count < regions.len() {
            return self.connection_of_some(set, count, regions);
        }
        let [first, others @ ..] = regions else { return 0 };
        let mut seeds = set & first;
        // Groups that do not reach the next region are of no use; those that do are taken apart only if there are more.
        while seeds != 0 {
            let seed = if others.len() == 1 { seeds } else { seeds & seeds.wrapping_neg() };
            let group = self.closure(seed, set);
            if others.iter().all(|region| group & region != 0) {
                return group;
            }
            seeds &= !group;
        }
        0
    }

    /// As [`connection`](Self::connection), for fewer than all regions.
    #[inline(never)]
    fn connection_of_some(&self, mut set: u64, count: usize, regions: &[u64]) -> u64 {
        while set != 0 {
            let group = self.closure(set & set.wrapping_neg(), set);
            if regions.iter().filter(|region| group & **region != 0).count() >= count {
                return group;
            }
            set &= !group;
        }
        0
    }

    /// Returns the cells of `set` around those of `inner` from which no steps over cells outside `set` lead to the rim; 0 if there are
    /// no such cells.
    pub(super) fn enclosure(&self, set: u64, inner: u64, rim: u64) -> u64 {
        let outside = self.closure(rim & !set, !set);
        let inside = inner & !(rim | outside | self.image_of(outside));
        self.image_of(self.closure(inside, !set)) & set
    }

    pub(super) fn image(&self, symmetry: &Permutation) -> Self {
        Self::new(self.pairs().map(|(from, to)| (symmetry.cell(from), symmetry.cell(to))))
    }
}

/// Returns the cells `by` further on, or further back if that is negative. None may leave the word.
#[inline]
pub(super) const fn shifted(set: u64, by: i8) -> u64 {
    if by >= 0 { set << by } else { set >> -by }
}
