//! Boards of the language: at most [`MAX_CELLS`] cells, numbered row by row from the top left, and the lines on them.

/// A set of cells: cell `n` is bit `n`.
pub(crate) type Set = u128;

/// The largest number of cells.
pub(crate) const MAX_CELLS: usize = Set::BITS as usize;

/// The directions, in the order of the compass: rows down and columns right. A set of them is a byte.
pub(crate) const DIRECTIONS: [(&str, (i32, i32)); 8] = [
    ("n", (-1, 0)),
    ("ne", (-1, 1)),
    ("e", (0, 1)),
    ("se", (1, 1)),
    ("s", (1, 0)),
    ("sw", (1, -1)),
    ("w", (0, -1)),
    ("nw", (-1, -1)),
];

/// How cells touch each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Grid,
    Torus,
    Hex,
    Graph,
}

/// A board.
#[derive(Debug)]
pub(crate) struct Map {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) shape: Shape,
    /// All cells but `_`.
    pub(crate) all: Set,
    /// For each cell and direction, the lines that begin there, without that cell and without what comes after it again.
    rays: Vec<[Vec<Vec<u8>>; 8]>,
    /// The lines along which pieces stand in a row, and whether the last cell of one is followed by its first.
    lines: Vec<(Vec<u8>, bool)>,
}

impl Map {
    /// A board of at most [`MAX_CELLS`] cells; `edges` are the lines of a graph.
    pub(crate) fn new(rows: usize, cols: usize, all: Set, shape: Shape, edges: &[Vec<u8>]) -> Self {
        assert!((1..=MAX_CELLS).contains(&(rows * cols)), "cells have bits");
        let mut map = Self { rows, cols, shape, all, rays: Vec::new(), lines: Vec::new() };
        map.rays.resize_with(rows * cols, Default::default);
        if shape == Shape::Graph {
            for edge in edges {
                let back: Vec<u8> = edge.iter().rev().copied().collect();
                for line in [edge, &back] {
                    for n in 1..line.len() {
                        let way = map.way(usize::from(line[n - 1]), usize::from(line[n]));
                        map.add_ray(usize::from(line[n - 1]), way, line[n..].iter().copied());
                    }
                }
                map.lines.push((edge.clone(), false));
            }
            return map;
        }
        for (from, way) in (0..rows * cols).flat_map(|from| (0..8).map(move |way| (from, way))) {
            if map.has_way(way) {
                let next = |at: &usize| map.by(*at, DIRECTIONS[way].1);
                let ray: Vec<u8> =
                    std::iter::successors(next(&from), next).take(MAX_CELLS).map(|cell| cell as u8).collect();
                map.add_ray(from, way, ray.into_iter());
            }
        }
        // East, south-east, south, south-west; a hex board has no south-east.
        for (_, by) in DIRECTIONS[2..6].iter().filter(|(_, by)| shape != Shape::Hex || by.0 != by.1) {
            let mut seen: Set = 0;
            for from in 0..rows * cols {
                let is_first = map.by(from, (-by.0, -by.1)).is_none();
                if seen >> from & 1 == 0 && (is_first || shape == Shape::Torus) {
                    let mut line = vec![from as u8];
                    let next = |at: &usize| map.by(*at, *by).filter(|next| *next != from);
                    line.extend(std::iter::successors(next(&from), next).map(|cell| cell as u8));
                    line.iter().for_each(|cell| seen |= 1 << cell);
                    map.lines.push((line, shape == Shape::Torus));
                }
            }
        }
        map
    }

    /// The cell so many rows down and columns to the right, `_` included.
    fn by(&self, cell: usize, (down, right): (i32, i32)) -> Option<usize> {
        let (rows, cols) = (self.rows as i32, self.cols as i32);
        let (mut row, mut col) = (cell as i32 / cols + down, cell as i32 % cols + right);
        if self.shape == Shape::Torus {
            (row, col) = (row.rem_euclid(rows), col.rem_euclid(cols));
        }
        ((0..rows).contains(&row) && (0..cols).contains(&col)).then(|| (row * cols + col) as usize)
    }

    /// The direction on the board's drawing.
    fn way(&self, from: usize, to: usize) -> usize {
        let side = |n: usize| [n / self.cols, n % self.cols].map(|n| n as i32);
        let ([row, col], [to_row, to_col]) = (side(from), side(to));
        let by = ((to_row - row).signum(), (to_col - col).signum());
        DIRECTIONS.iter().position(|(_, way)| *way == by).unwrap_or(0)
    }

    /// Adds a line that begins at a cell, as far as there are cells other than that one.
    fn add_ray(&mut self, from: usize, way: usize, ray: impl Iterator<Item = u8>) {
        let is_open = |cell: &u8| usize::from(*cell) != from && self.all >> cell & 1 == 1;
        let ray: Vec<u8> = ray.take_while(is_open).collect();
        if !ray.is_empty() && !self.rays[from][way].contains(&ray) {
            self.rays[from][way].push(ray);
        }
    }

    /// Whether the board has such a direction.
    pub(crate) fn has_way(&self, way: usize) -> bool {
        let (_, by) = DIRECTIONS[way];
        self.shape != Shape::Hex || by.0 != by.1
    }

    /// The directions in which cells are adjacent.
    pub(crate) fn adjacent(&self) -> u8 {
        match self.shape {
            Shape::Grid | Shape::Torus => 0b0101_0101,
            Shape::Hex => 0b0111_0111,
            Shape::Graph => 0xff,
        }
    }

    /// The lines from a cell in some directions.
    pub(crate) fn rays(&self, from: usize, ways: u8) -> impl Iterator<Item = &[u8]> {
        let of_ways = (0..8).filter(move |way| ways >> way & 1 == 1);
        of_ways.flat_map(move |way| self.rays[from][way].iter().map(Vec::as_slice))
    }

    /// The cells one step in some directions from a cell of a set.
    pub(crate) fn step(&self, set: Set, ways: u8) -> Set {
        let first = |from| self.rays(from, ways).map(|ray| 1 << ray[0]);
        each(set).flat_map(first).fold(0, |found, cell: Set| found | cell)
    }

    /// The cells that a leap leads to: so many rows and columns, either number first.
    pub(crate) fn leap(&self, from: usize, (a, b): (i32, i32)) -> Set {
        let all = [(a, b), (a, -b), (-a, b), (-a, -b), (b, a), (b, -a), (-b, a), (-b, -a)];
        let set = all.iter().filter_map(|by| self.by(from, *by)).fold(0, |set: Set, cell| set | 1 << cell);
        set & self.all & !(1 << from)
    }

    /// Each so many cells of a set that follow each other along a line; if `exactly`, without more of it before or after.
    pub(crate) fn rows_in(&self, set: Set, count: usize, exactly: bool) -> Vec<Set> {
        let mut rows = Vec::new();
        let cells = |run: &[u8]| run.iter().fold(0, |set: Set, cell| set | 1 << cell);
        for (line, is_closed) in &self.lines {
            let is_in = |cell: &u8| set >> cell & 1 == 1;
            // A closed line is read from a cell that is not in the set; if there is none, it goes round.
            let outside = line.iter().position(|cell| !is_in(cell));
            let begin = if *is_closed { outside.unwrap_or(0) } else { 0 };
            let mut turned: Vec<u8> = line[begin..].iter().chain(&line[..begin]).copied().collect();
            if *is_closed && outside.is_none() {
                turned.extend(line);
            }
            for run in turned.split(|cell| !is_in(cell)) {
                let of_run = run.windows(count).map(cells).filter(|row| row.count_ones() as usize == count);
                let is_wanted = !exactly || cells(run).count_ones() as usize == count;
                rows.extend(of_run.filter(|_| is_wanted));
            }
        }
        rows
    }

    /// The number of cells of all lines along which pieces stand in a row.
    pub(crate) fn cells_of_lines(&self) -> u64 {
        self.lines.iter().map(|line| line.0.len() as u64).sum()
    }

    /// All four cells of two neighbouring rows and columns, where a set has them.
    pub(crate) fn squares_in(&self, set: Set) -> Vec<Set> {
        let square = |cell: usize| {
            let corners = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|by| self.by(cell, by));
            corners.iter().flatten().fold(0, |set: Set, cell| set | 1 << cell)
        };
        let all = (0..self.rows * self.cols).map(square);
        all.filter(|corners| corners.count_ones() == 4 && corners & !set == 0).collect()
    }

    /// Whether the board has a rim.
    pub(crate) const fn has_rim(&self) -> bool {
        matches!(self.shape, Shape::Grid | Shape::Hex)
    }

    /// The cells that have no neighbour in one of the directions in which cells are adjacent.
    pub(crate) fn rim(&self) -> Set {
        let lacks = |cell: usize| (0..8).any(|way| self.adjacent() >> way & 1 == 1 && self.rays[cell][way].is_empty());
        each(self.all).filter(|cell| lacks(*cell)).fold(0, |rim: Set, cell| rim | 1 << cell)
    }

    /// The cells whose row and column are so.
    pub(crate) fn cells_where(&self, is_so: impl Fn(usize, usize) -> bool) -> Set {
        let cells = (0..self.rows * self.cols).filter(|cell| is_so(cell / self.cols, cell % self.cols));
        cells.fold(0, |set: Set, cell| set | 1 << cell)
    }

    /// All cells of the rectangle, those that are `_` among them.
    pub(crate) fn board(&self) -> Set {
        Set::MAX >> (MAX_CELLS - self.rows * self.cols)
    }

    /// The set seen from the other side of the board.
    pub(crate) fn half_turn(&self, set: Set) -> Set {
        set.reverse_bits() >> (MAX_CELLS - self.rows * self.cols)
    }
}

/// The cells of a set, from the lowest.
pub(crate) fn each(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}
