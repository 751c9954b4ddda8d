//! The values of an input: numbers, lists of numbers, words, grids and graphs. A kind of value reads and writes its values,
//! enumerates them by size, draws them at random and makes smaller ones.

use std::ops::{Range, RangeInclusive};

use balpan::SplitMix;
use serde::Deserialize;

/// A value of the input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Number(i64),
    Numbers(Vec<i64>),
    /// A word, which is one row, or the rows of a grid.
    Rows(Vec<String>),
    Graph(Graph),
}

/// An undirected graph in which each node has a neighbour.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Graph {
    nodes: usize,
    /// Pairs of different nodes, the smaller one first, in ascending order.
    edges: Vec<[usize; 2]>,
}

/// A value's description in a problem file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Description {
    from: Option<i64>,
    to: Option<i64>,
    count: Option<Extent>,
    #[serde(default)]
    increasing: bool,
    letters: Option<String>,
    /// The game's name for each letter.
    #[serde(rename = "as")]
    named: Option<String>,
    length: Option<Extent>,
    rows: Option<Extent>,
    columns: Option<Extent>,
    /// Whether there are blanks between the letters of a row.
    #[serde(default)]
    spaced: bool,
    /// Whether the rows of a grid follow each other without a break.
    #[serde(default)]
    joined: bool,
    /// The letters that a grid has once each.
    once: Option<String>,
    /// The nodes of a graph, which is stated as the list of each node's neighbours.
    nodes: Option<Extent>,
}

/// How many there are of something: a number, a range such as `1..20`, or the value of that name.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(untagged, expecting = "a number, a range such as `1..20` or the name of a number")]
pub(super) enum Extent {
    Number(usize),
    Text(String),
}

/// The values that are allowed.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) shape: Shape,
    /// The value that says how many elements or rows there are, and the one that says how many columns.
    pub(super) counted_by: [Option<String>; 2],
    /// The game's name for each letter.
    named: Option<(Vec<char>, Vec<char>)>,
    /// Whether there are blanks between the letters of a row.
    pub(super) spaced: bool,
    /// Whether rows follow each other without a break.
    pub(super) joined: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Shape {
    Number(RangeInclusive<i64>),
    Numbers {
        count: RangeInclusive<usize>,
        each: RangeInclusive<i64>,
        increasing: bool,
    },
    Word {
        letters: Vec<char>,
        length: RangeInclusive<usize>,
    },
    /// `once` are the letters that stand on one cell each.
    Grid {
        letters: Vec<char>,
        rows: RangeInclusive<usize>,
        columns: RangeInclusive<usize>,
        once: Vec<char>,
    },
    Graph {
        nodes: RangeInclusive<usize>,
    },
}

/// The most values that are enumerated of one size.
pub(super) const MAX_VALUES: usize = 20_000;

/// The most elements of a list, letters of a word or cells.
const MAX_EXTENT: usize = 100_000;

/// The most nodes of a graph.
const MAX_NODES: usize = 1_000;

impl Kind {
    /// Checks a description. `number` returns the range of another value that is a number.
    pub(super) fn new(
        name: &str,
        description: &Description,
        number: impl Fn(&str) -> Option<RangeInclusive<i64>>,
    ) -> Result<Self, String> {
        let Description {
            from,
            to,
            count,
            increasing,
            letters,
            named,
            length,
            rows,
            columns,
            spaced,
            joined,
            once,
            nodes,
        } = description;
        let mut counted_by = [None, None];
        let mut extent = |extent: &Extent, which: usize| -> Result<RangeInclusive<usize>, String> {
            let wrong = |found: &str| {
                format!("`{found}` where a number, a range such as `1..20` or the name of a number is expected")
            };
            let range = match extent {
                Extent::Number(number) => *number..=*number,
                Extent::Text(text) => match text.split_once("..") {
                    Some((first, last)) => {
                        let bound = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong(text));
                        bound(first)?..=bound(last)?
                    }
                    None => {
                        let range = number(text).ok_or_else(|| wrong(text))?;
                        counted_by[which] = Some(text.clone());
                        let bound = |bound: i64| {
                            usize::try_from(bound).map_err(|_| format!("`{text}` counts and may be negative"))
                        };
                        bound(*range.start())?..=bound(*range.end())?
                    }
                },
            };
            if range.is_empty() || *range.end() > MAX_EXTENT {
                return Err(format!(
                    "a count of {}..{} where at most {MAX_EXTENT} is allowed",
                    range.start(),
                    range.end()
                ));
            }
            Ok(range)
        };
        let each = || -> Result<RangeInclusive<i64>, String> {
            let (Some(from), Some(to)) = (from, to) else { return Err("no `from` and `to`".to_owned()) };
            let range = *from..=*to;
            if range.is_empty() { Err(format!("an empty range, {from}..{to}")) } else { Ok(range) }
        };
        let letters = letters.as_ref().map(|letters| letters.chars().collect::<Vec<_>>());
        if letters.as_ref().is_some_and(|letters| letters.len() < 2 || letters.iter().any(|c| c.is_whitespace())) {
            return Err("two or more letters are needed, and none of them a blank".to_owned());
        }
        let shape = match (count, &letters, length, rows, columns, nodes) {
            (None, None, None, None, None, None) => Shape::Number(each()?),
            (None, None, None, None, None, Some(nodes)) => Shape::Graph { nodes: extent(nodes, 0)? },
            (Some(count), None, None, None, None, None) => {
                Shape::Numbers { count: extent(count, 0)?, each: each()?, increasing: *increasing }
            }
            (None, Some(letters), Some(length), None, None, None) => {
                Shape::Word { letters: letters.clone(), length: extent(length, 0)? }
            }
            (None, Some(letters), None, Some(rows), Some(columns), None) => {
                let once = once.iter().flat_map(|once| once.chars()).collect();
                Shape::Grid { letters: letters.clone(), rows: extent(rows, 0)?, columns: extent(columns, 1)?, once }
            }
            _ => {
                return Err(
                    "keys that do not belong together: a number has `from` and `to`, a list `count` besides, a word \
                            `letters` and `length`, a grid `letters`, `rows` and `columns`, a graph `nodes`"
                        .to_owned(),
                );
            }
        };
        let (kind, own_keys): (_, &[&str]) = match &shape {
            Shape::Number(_) => ("a number", &["from", "to"]),
            Shape::Numbers { .. } => ("a list", &["from", "to", "increasing"]),
            Shape::Word { .. } => ("a word", &["as"]),
            Shape::Grid { .. } => ("a grid", &["as", "spaced", "joined", "once"]),
            Shape::Graph { .. } => ("a graph", &[]),
        };
        let given = [
            ("from", from.is_some()),
            ("to", to.is_some()),
            ("increasing", *increasing),
            ("as", named.is_some()),
            ("spaced", *spaced),
            ("joined", *joined),
            ("once", once.is_some()),
        ];
        if let Some((key, _)) = given.iter().find(|(key, is_given)| *is_given && !own_keys.contains(key)) {
            return Err(format!("`{key}`, which {kind} does not have"));
        }
        if let Shape::Grid { letters, rows, columns, once } = &shape {
            let is_wrong = |(n, letter): (usize, &char)| !letters[1..].contains(letter) || once[..n].contains(letter);
            if once.iter().enumerate().any(is_wrong) || rows.end().saturating_mul(*columns.end()) < once.len() {
                return Err("`once` has to name different letters, not the first, for which a grid has room".to_owned());
            }
        }
        if let Shape::Grid { rows, columns, .. } = &shape
            && rows.end().saturating_mul(*columns.end()) > MAX_EXTENT
        {
            return Err(format!(
                "a grid of {} by {} where at most {MAX_EXTENT} cells are allowed",
                rows.end(),
                columns.end()
            ));
        }
        if let Shape::Grid { columns, .. } = &shape
            && *joined
            && (*spaced || columns.start() != columns.end() && counted_by[1].is_none())
        {
            return Err("`joined` rows need a number of columns, and have no blanks".to_owned());
        }
        if let Shape::Graph { nodes } = &shape
            && *nodes.end() > MAX_NODES
        {
            return Err(format!("a graph of {} nodes where at most {MAX_NODES} are allowed", nodes.end()));
        }
        let letters = letters.unwrap_or_default();
        let named = named.as_ref().map(|named| named.chars().collect::<Vec<_>>());
        if named.as_ref().is_some_and(|named| named.len() != letters.len()) {
            return Err("`as` has to have as many letters as `letters`".to_owned());
        }
        Ok(Self {
            name: name.to_owned(),
            shape,
            counted_by,
            named: named.map(|named| (letters, named)),
            spaced: *spaced,
            joined: *joined,
        })
    }

    /// Describes what is expected: "n, a whole number from 1 to 1000".
    pub(super) fn expected(&self) -> String {
        let name = &self.name;
        let list = |letters: &[char]| letters.iter().map(|letter| format!("`{letter}`")).collect::<Vec<_>>().join(", ");
        let range = |range: &RangeInclusive<usize>| {
            if range.start() == range.end() {
                range.start().to_string()
            } else {
                format!("{} to {}", range.start(), range.end())
            }
        };
        match &self.shape {
            Shape::Number(each) => format!("{name}, a whole number from {} to {}", each.start(), each.end()),
            Shape::Numbers { count, each, increasing } => format!(
                "{name}, {} whole numbers from {} to {}{}",
                range(count),
                each.start(),
                each.end(),
                if *increasing { ", each larger than the one before" } else { "" }
            ),
            Shape::Word { letters, length } => format!("{name}, {} of {}", range(length), list(letters)),
            Shape::Grid { letters, rows, columns, once } => {
                let spaced = match self {
                    Self { spaced: true, .. } => ", with blanks between them",
                    Self { joined: true, .. } => ", one after the other on one line",
                    _ => "",
                };
                let cells = format!("{name}, {} rows of {} of {}{spaced}", range(rows), range(columns), list(letters));
                if once.is_empty() { cells } else { format!("{cells}, with {} once each", list(once)) }
            }
            Shape::Graph { nodes } => {
                format!("{name}, a graph of {} nodes as the list of each node's neighbours, at least one", range(nodes))
            }
        }
    }

    /// Whether the value is one of this kind, apart from other values that count its elements.
    pub(super) fn allows(&self, value: &Value) -> bool {
        match (&self.shape, value) {
            (Shape::Number(each), Value::Number(number)) => each.contains(number),
            (Shape::Numbers { count, each, increasing }, Value::Numbers(numbers)) => {
                count.contains(&numbers.len())
                    && numbers.iter().all(|number| each.contains(number))
                    && (!increasing || numbers.is_sorted_by(|a, b| a < b))
            }
            (Shape::Word { letters, length }, Value::Rows(rows)) => {
                rows.len() == 1
                    && length.contains(&rows[0].chars().count())
                    && rows[0].chars().all(|letter| letters.contains(&letter))
            }
            (Shape::Grid { letters, rows: count, columns, once }, Value::Rows(rows)) => {
                let width = rows.first().map_or(0, |row| row.chars().count());
                let count_of = |letter: &char| rows.iter().flat_map(|row| row.chars()).filter(|l| l == letter).count();
                once.iter().all(|letter| count_of(letter) == 1)
                    && count.contains(&rows.len())
                    && columns.contains(&width)
                    && rows.iter().all(|row| row.chars().count() == width)
                    && rows.iter().flat_map(|row| row.chars()).all(|letter| letters.contains(&letter))
            }
            (Shape::Graph { nodes }, Value::Graph(graph)) => {
                nodes.contains(&graph.nodes) && graph.has_no_isolated_node()
            }
            _ => false,
        }
    }

    /// Returns the value whose size is 0: 0, or the number next to it.
    fn base(each: &RangeInclusive<i64>) -> i64 {
        0.clamp(*each.start(), *each.end())
    }

    /// Returns the size of a value: how far a number is from 0, the letters of a word, the cells of a grid with the first
    /// letter and the cells that it has more than the smallest grid, the edges of a graph; of a list, its length and the sizes of its numbers.
    pub(super) fn size(&self, value: &Value) -> usize {
        let distance = |number: i64, each: &RangeInclusive<i64>| {
            usize::try_from(number.abs_diff(Self::base(each))).unwrap_or(usize::MAX)
        };
        match (&self.shape, value) {
            (Shape::Number(each), Value::Number(number)) => distance(*number, each),
            (Shape::Numbers { each, .. }, Value::Numbers(numbers)) => {
                numbers.iter().fold(numbers.len(), |size, number| size.saturating_add(distance(*number, each)))
            }
            (Shape::Word { .. }, Value::Rows(rows)) => rows[0].chars().count(),
            (Shape::Grid { letters, rows: count, columns, .. }, Value::Rows(rows)) => {
                let cells = rows.iter().flat_map(|row| row.chars());
                let first = cells.clone().filter(|letter| *letter == letters[0]).count();
                first + cells.count().saturating_sub(count.start() * columns.start())
            }
            (_, Value::Graph(graph)) => graph.edges.len(),
            _ => 0,
        }
    }

    /// Returns the largest size.
    pub(super) fn max_size(&self) -> usize {
        let furthest = |each: &RangeInclusive<i64>| {
            let base = Self::base(each);
            usize::try_from(each.start().abs_diff(base).max(each.end().abs_diff(base))).unwrap_or(usize::MAX)
        };
        match &self.shape {
            Shape::Number(each) => furthest(each),
            Shape::Numbers { count, each, .. } => count.end().saturating_mul(furthest(each).saturating_add(1)),
            Shape::Word { length, .. } => *length.end(),
            Shape::Grid { rows, columns, once, .. } => {
                let cells = rows.end().saturating_mul(*columns.end());
                (cells - once.len()).saturating_add(cells - rows.start() * columns.start())
            }
            Shape::Graph { nodes } => nodes.end().saturating_mul(nodes.end().saturating_sub(1)) / 2,
        }
    }

    /// Enumerates the values of this size; `None` if there are more than [`MAX_VALUES`].
    pub(super) fn of_size(&self, size: usize) -> Option<Vec<Value>> {
        let mut found = Vec::new();
        let numbers_at = |distance: usize, each: &RangeInclusive<i64>| {
            let base = Self::base(each);
            let distance = i64::try_from(distance).ok();
            let both = [
                distance.and_then(|d| base.checked_add(d)),
                distance.filter(|d| *d > 0).and_then(|d| base.checked_sub(d)),
            ];
            both.into_iter().flatten().filter(|number| each.contains(number)).collect::<Vec<_>>()
        };
        match &self.shape {
            Shape::Number(each) => found.extend(numbers_at(size, each).into_iter().map(Value::Number)),
            Shape::Numbers { count, each, increasing } => {
                for length in (*count.start()..=*count.end()).take_while(|length| *length <= size) {
                    let mut open = vec![(Vec::new(), size - length)];
                    while let Some((list, left)) = open.pop() {
                        if list.len() == length {
                            if left == 0 {
                                found.push(Value::Numbers(list));
                            }
                            continue;
                        }
                        if found.len() + open.len() > MAX_VALUES {
                            return None;
                        }
                        // The last takes what is left.
                        let first = if list.len() + 1 == length { left } else { 0 };
                        for distance in (first..=left).rev() {
                            for number in numbers_at(distance, each).into_iter().rev() {
                                if !increasing || list.last().is_none_or(|last| *last < number) {
                                    let mut longer = list.clone();
                                    longer.push(number);
                                    open.push((longer, left - distance));
                                }
                            }
                        }
                    }
                }
            }
            Shape::Word { letters, length } if length.contains(&size) => {
                let count = u32::try_from(size).ok().and_then(|size| letters.len().checked_pow(size));
                let count = count.filter(|count| *count <= MAX_VALUES)?;
                found.extend((0..count).map(|n| Value::Rows(vec![word(n, size, letters)])));
            }
            Shape::Word { .. } => {}
            Shape::Graph { nodes } => {
                for nodes in nodes.clone().take_while(|nodes| nodes.div_ceil(2) <= size) {
                    let pairs = Graph::pairs(nodes);
                    // Sets of pairs are words of 64 bits.
                    if pairs.len() > 63 {
                        return None;
                    }
                    for (n, set) in crate::judge::subsets(size, pairs.len()).enumerate() {
                        if n >= MAX_VALUES || found.len() >= MAX_VALUES {
                            return None;
                        }
                        let edges = pairs.iter().enumerate().filter(|(n, _)| set >> n & 1 == 1);
                        let graph = Graph { nodes, edges: edges.map(|(_, edge)| *edge).collect() };
                        found.extend(graph.has_no_isolated_node().then_some(Value::Graph(graph)));
                    }
                }
            }
            Shape::Grid { letters, rows, columns, .. } => {
                let mut boards: Vec<_> = rows
                    .clone()
                    .flat_map(|rows| columns.clone().map(move |columns| (rows * columns, columns)))
                    .collect();
                boards.sort_unstable();
                let (smallest, mut tried) = (rows.start() * columns.start(), 0);
                let boards = boards.into_iter().filter_map(|(cells, columns)| {
                    let first = size.checked_sub(cells - smallest)?;
                    (first <= cells).then_some((cells, columns, first))
                });
                for (cells, columns, first) in boards {
                    // Sets of cells are words of 64 bits.
                    if cells > 63 {
                        return None;
                    }
                    for set in crate::judge::subsets(first, cells) {
                        let others = u32::try_from(cells - first).ok().and_then(|n| (letters.len() - 1).checked_pow(n));
                        for n in 0..others.unwrap_or(usize::MAX) {
                            tried += 1;
                            if tried > MAX_VALUES {
                                return None;
                            }
                            let mut rest = n;
                            let cell = |cell| {
                                if set >> cell & 1 == 1 {
                                    return letters[0];
                                }
                                let letter = letters[1 + rest % (letters.len() - 1)];
                                rest /= letters.len() - 1;
                                letter
                            };
                            let cells: Vec<char> = (0..cells).map(cell).collect();
                            let rows = cells.chunks(columns.max(1)).map(|row| row.iter().collect()).collect();
                            found.push(Value::Rows(rows));
                        }
                    }
                }
                found.retain(|value| self.allows(value));
            }
        }
        Some(found)
    }

    /// Returns the least and the largest number of a range within a size.
    fn extremes(each: &RangeInclusive<i64>, size: usize) -> [i64; 2] {
        let (base, distance) = (Self::base(each), i64::try_from(size).unwrap_or(i64::MAX));
        [base.saturating_sub(distance).max(*each.start()), base.saturating_add(distance).min(*each.end())]
    }

    /// Returns the number that is farthest from the [base](Self::base) within a size; `None` for other values.
    pub(super) fn farthest(&self, size: usize) -> Option<Value> {
        let Shape::Number(each) = &self.shape else { return None };
        let (base, [low, high]) = (Self::base(each), Self::extremes(each, size));
        Some(Value::Number(if base.abs_diff(low) > base.abs_diff(high) { low } else { high }))
    }

    /// Draws a value of at most this size, if there is one.
    pub(super) fn draw(&self, size: usize, random: &mut SplitMix) -> Value {
        // The maximum of two draws favors large values.
        fn large(random: &mut SplitMix, range: RangeInclusive<usize>) -> usize {
            let room = range.end().saturating_sub(*range.start()).saturating_add(1);
            range.start() + random.below(room).max(random.below(room))
        }
        fn number(random: &mut SplitMix, each: &RangeInclusive<i64>, size: usize) -> i64 {
            let [low, high] = Kind::extremes(each, size);
            let room = usize::try_from(high.abs_diff(low)).unwrap_or(usize::MAX).saturating_add(1);
            low.saturating_add(i64::try_from(random.below(room)).unwrap_or(0))
        }
        let extent =
            |range: &RangeInclusive<usize>, max: usize| *range.start()..=*range.end().min(&max.max(*range.start()));
        match &self.shape {
            Shape::Number(each) => Value::Number(number(random, each, size)),
            Shape::Numbers { count, each, increasing } => {
                let length = large(random, extent(count, size));
                let mut left = size.saturating_sub(length);
                let mut numbers = Vec::new();
                for n in (1..=length).rev() {
                    let next = number(random, each, left.min(left.saturating_mul(2) / n));
                    left = left.saturating_sub(usize::try_from(next.abs_diff(Self::base(each))).unwrap_or(usize::MAX));
                    numbers.push(next);
                }
                for n in (1..numbers.len()).rev() {
                    numbers.swap(n, random.below(n + 1));
                }
                if *increasing {
                    numbers.sort_unstable();
                    numbers.dedup();
                }
                Value::Numbers(numbers)
            }
            Shape::Word { letters, length } => {
                let length = large(random, extent(length, size));
                Value::Rows(vec![(0..length).map(|_| letters[random.below(letters.len())]).collect()])
            }
            Shape::Grid { letters, rows, columns, once } => {
                let smallest = rows.start() * columns.start();
                // A third of the size or more is left for cells with the first letter.
                let (height, room) = (large(random, extent(rows, size)), smallest + size * 2 / 3);
                let width = large(random, extent(columns, room / height.max(1)));
                let is_small = height * width < once.len();
                let (rows, columns) = if is_small { (*rows.end(), *columns.end()) } else { (height, width) };
                let cells = rows * columns;
                let first = large(random, 0..=cells.min(size.saturating_sub(cells - smallest)));
                let others: Vec<_> = letters[1..].iter().filter(|letter| !once.contains(letter)).collect();
                let mut other = || if others.is_empty() { letters[0] } else { *others[random.below(others.len())] };
                let mut cells: Vec<_> = (0..cells).map(|n| if n < first { letters[0] } else { other() }).collect();
                cells.iter_mut().rev().zip(once).for_each(|(cell, letter)| *cell = *letter);
                for n in (1..cells.len()).rev() {
                    cells.swap(n, random.below(n + 1));
                }
                Value::Rows(cells.chunks(columns.max(1)).map(|row| row.iter().collect()).collect())
            }
            Shape::Graph { nodes } => {
                let nodes = large(random, extent(nodes, size)).max(2);
                let mut pair = |node: usize| {
                    let other = (node + 1 + random.below(nodes - 1)) % nodes;
                    [node.min(other), node.max(other)]
                };
                let mut edges: Vec<_> = (0..nodes).map(&mut pair).collect();
                let more = size.min(nodes * (nodes - 1) / 2).saturating_sub(nodes);
                edges.extend((0..more).map(|n| pair(n % nodes)));
                let keep = nodes + random.below(more + 1);
                edges.truncate(keep);
                Value::Graph(Graph::new(nodes, edges))
            }
        }
    }

    /// Returns values of smaller size, or no larger, that differ little from this one.
    pub(super) fn smaller(&self, value: &Value) -> Vec<Value> {
        let towards = |number: i64, each: &RangeInclusive<i64>| {
            let base = Self::base(each);
            let step = if number > base { -1 } else { 1 };
            let mut nearer = vec![base, base + (number - base) / 2, number + step];
            nearer.retain(|next| number != base && *next != number);
            nearer.dedup();
            nearer
        };
        let mut smaller = Vec::new();
        match (&self.shape, value) {
            (Shape::Number(each), Value::Number(number)) => {
                smaller.extend(towards(*number, each).into_iter().map(Value::Number))
            }
            (Shape::Numbers { each, .. }, Value::Numbers(numbers)) => {
                for block in blocks(numbers.len()) {
                    smaller.push(Value::Numbers([&numbers[..block.start], &numbers[block.end..]].concat()));
                    let nearer: Vec<_> = numbers[block.clone()].iter().map(|number| towards(*number, each)).collect();
                    // Each way to come nearer is that of all numbers of the block.
                    for way in 0..nearer.iter().map(Vec::len).max().unwrap_or(0) {
                        let mut changed = numbers.clone();
                        for (number, nearer) in changed[block.clone()].iter_mut().zip(&nearer) {
                            *number = nearer.get(way).copied().unwrap_or(*number);
                        }
                        smaller.push(Value::Numbers(changed));
                    }
                }
            }
            (Shape::Word { .. }, Value::Rows(rows)) => {
                let letters: Vec<_> = rows[0].chars().collect();
                let without = |block: Range<usize>| [&letters[..block.start], &letters[block.end..]].concat();
                smaller.extend(blocks(letters.len()).map(|block| Value::Rows(vec![without(block).iter().collect()])));
            }
            (Shape::Grid { letters, .. }, Value::Rows(rows)) => {
                let cells: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
                let text = |cells: &[Vec<char>]| Value::Rows(cells.iter().map(|row| row.iter().collect()).collect());
                smaller.extend((0..cells.len()).map(|n| text(&[&cells[..n], &cells[n + 1..]].concat())));
                for column in 0..cells.first().map_or(0, Vec::len) {
                    let without = |row: &Vec<char>| [&row[..column], &row[column + 1..]].concat();
                    smaller.push(text(&cells.iter().map(without).collect::<Vec<_>>()));
                }
                for (row, column) in
                    (0..cells.len()).flat_map(|row| (0..cells[row].len()).map(move |column| (row, column)))
                {
                    for letter in letters[1..].iter().filter(|_| cells[row][column] == letters[0]) {
                        let mut changed = cells.clone();
                        changed[row][column] = *letter;
                        smaller.push(text(&changed));
                    }
                }
                smaller.retain(|value| self.allows(value));
            }
            (Shape::Graph { .. }, Value::Graph(graph)) => {
                smaller.extend((0..graph.nodes).map(|node| graph.without_node(node)));
                smaller.extend(graph.edges.iter().map(|edge| graph.without_edge(*edge)));
                smaller.retain(|value| self.allows(value));
            }
            _ => {}
        }
        smaller
    }

    /// Returns the number of words that the value takes in an input, where others count its elements or rows, and its columns.
    pub(super) fn word_count(&self, counts: [Option<usize>; 2]) -> usize {
        match &self.shape {
            Shape::Numbers { count, .. } => counts[0].unwrap_or(*count.end()),
            Shape::Grid { .. } if self.joined => 1,
            Shape::Grid { rows, columns, .. } => {
                counts[0].unwrap_or(*rows.end()) * if self.spaced { counts[1].unwrap_or(*columns.end()) } else { 1 }
            }
            _ => 1,
        }
    }

    /// Whether a value may take no words.
    pub(super) fn may_be_empty(&self) -> bool {
        match &self.shape {
            Shape::Numbers { count, .. } => *count.start() == 0,
            Shape::Word { length: extent, .. } | Shape::Grid { rows: extent, .. } => *extent.start() == 0,
            Shape::Number(_) | Shape::Graph { .. } => false,
        }
    }

    /// Whether a value may begin with this word.
    pub(super) fn may_begin_with(&self, word: &str) -> bool {
        match &self.shape {
            Shape::Number(_) | Shape::Numbers { .. } => word.parse::<i64>().is_ok(),
            Shape::Word { letters, .. } | Shape::Grid { letters, .. } => {
                word.chars().all(|letter| letters.contains(&letter))
            }
            Shape::Graph { .. } => false,
        }
    }

    /// Parses the words of a value.
    pub(super) fn parse(&self, words: &[String], counts: [Option<usize>; 2]) -> Option<Value> {
        let value = match &self.shape {
            Shape::Number(_) => Value::Number(words.first()?.parse().ok()?),
            Shape::Numbers { .. } => Value::Numbers(words.iter().map(|word| word.parse().ok()).collect::<Option<_>>()?),
            Shape::Grid { columns, .. } if self.spaced => {
                Value::Rows(words.chunks(counts[1].unwrap_or(*columns.end()).max(1)).map(<[String]>::concat).collect())
            }
            Shape::Grid { columns, .. } if self.joined => {
                let letters: Vec<char> = words.first()?.chars().collect();
                let rows = letters.chunks(counts[1].unwrap_or(*columns.end()).max(1));
                Value::Rows(rows.map(|row| row.iter().collect()).collect())
            }
            Shape::Word { .. } | Shape::Grid { .. } => Value::Rows(words.to_vec()),
            Shape::Graph { .. } => return None,
        };
        self.allows(&value).then_some(value)
    }

    /// Returns how many elements, letters or rows there are, and how many columns.
    pub(super) fn counts(&self, value: &Value) -> [usize; 2] {
        match value {
            Value::Number(_) => [1, 1],
            Value::Numbers(numbers) => [numbers.len(), 1],
            Value::Graph(graph) => [graph.nodes, 1],
            Value::Rows(rows) => {
                let columns = rows.first().map_or(0, |row| row.chars().count());
                if matches!(self.shape, Shape::Word { .. }) { [columns, 1] } else { [rows.len(), columns] }
            }
        }
    }

    /// Writes a value as lines of words.
    pub(super) fn to_words(&self, value: &Value) -> String {
        let row = |row: &String| {
            if self.spaced { row.chars().map(String::from).collect::<Vec<_>>().join(" ") } else { row.clone() }
        };
        match value {
            Value::Number(number) => number.to_string(),
            Value::Numbers(numbers) => numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" "),
            Value::Rows(rows) => rows.iter().map(row).collect::<Vec<_>>().join(if self.joined { "" } else { "\n" }),
            Value::Graph(_) => self.to_json(value).to_string(),
        }
    }

    /// Reads a value of JSON.
    pub(super) fn parse_json(&self, json: &serde_json::Value) -> Option<Value> {
        let letter = |json: &serde_json::Value| match json {
            serde_json::Value::Number(digit) => Some(digit.to_string()),
            serde_json::Value::String(letter) => Some(letter.clone()),
            _ => None,
        };
        let row = |json: &serde_json::Value| match json {
            serde_json::Value::String(row) => Some(row.clone()),
            json => json.as_array()?.iter().map(letter).collect::<Option<String>>(),
        };
        let value = match &self.shape {
            Shape::Number(_) => Value::Number(json.as_i64()?),
            Shape::Numbers { .. } => {
                Value::Numbers(json.as_array()?.iter().map(serde_json::Value::as_i64).collect::<Option<_>>()?)
            }
            Shape::Word { .. } => Value::Rows(vec![row(json)?]),
            Shape::Grid { .. } => Value::Rows(json.as_array()?.iter().map(row).collect::<Option<_>>()?),
            Shape::Graph { .. } => Value::Graph(Graph::from_neighbors(&Vec::deserialize(json).ok()?)?),
        };
        self.allows(&value).then_some(value)
    }

    /// Writes a value as JSON: a grid of digits as lists of numbers, others as a list of strings.
    pub(super) fn to_json(&self, value: &Value) -> serde_json::Value {
        match (&self.shape, value) {
            (_, Value::Number(number)) => (*number).into(),
            (_, Value::Numbers(numbers)) => numbers.clone().into(),
            (Shape::Grid { letters, .. }, Value::Rows(rows)) if letters.iter().all(char::is_ascii_digit) => {
                let row = |row: &String| row.chars().filter_map(|digit| digit.to_digit(10)).collect::<Vec<_>>();
                rows.iter().map(row).collect::<Vec<_>>().into()
            }
            (Shape::Grid { .. }, Value::Rows(rows)) => rows.clone().into(),
            (_, Value::Rows(rows)) => rows[0].clone().into(),
            (_, Value::Graph(graph)) => graph.neighbors().into(),
        }
    }

    /// Whether [`render`](Self::render) has this form of the value.
    pub(super) fn has_form(&self, form: &str) -> bool {
        match (form, &self.shape) {
            ("" | ":json", _) | (",", Shape::Numbers { .. }) | (":edges", Shape::Graph { .. }) => true,
            (form, Shape::Word { .. } | Shape::Grid { .. }) => form.starts_with(':') && form.chars().count() == 2,
            _ => false,
        }
    }

    /// Formats a value as a game's rules and positions have it. `form` is what follows the name of the value: `,` puts commas
    /// between numbers, `:json` writes what a function gets, `:X` counts the letters of each run of X, and `:edges` lists those of a graph, whose nodes are the cells of a row.
    pub(super) fn render(&self, value: &Value, form: &str) -> String {
        let join = |numbers: &mut dyn Iterator<Item = String>| {
            let joined = numbers.collect::<Vec<_>>().join(if form == "," { ", " } else { " " });
            if joined.is_empty() { "0".to_owned() } else { joined }
        };
        if form == ":json" {
            return self.to_json(value).to_string();
        }
        match value {
            Value::Graph(graph) if form == ":edges" => {
                graph.edges.iter().map(|[a, b]| format!("\"0,{a} 0,{b}\"")).collect::<Vec<_>>().join(", ")
            }
            Value::Graph(graph) => graph.nodes.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Numbers(numbers) => join(&mut numbers.iter().map(i64::to_string)),
            Value::Rows(rows) => match form.strip_prefix(':').and_then(|letter| letter.chars().next()) {
                Some(letter) => {
                    let runs = rows.iter().flat_map(|row| row.split(|other| other != letter));
                    join(&mut runs.map(|run| run.chars().count().to_string()).filter(|count| count != "0"))
                }
                None => {
                    let name = |letter: char| match &self.named {
                        Some((letters, names)) => {
                            letters.iter().position(|other| *other == letter).map_or(letter, |n| names[n])
                        }
                        None => letter,
                    };
                    rows.iter().map(|row| row.chars().map(name).collect()).collect::<Vec<String>>().join("/")
                }
            },
        }
    }
}

impl Graph {
    /// All pairs of nodes, in ascending order.
    fn pairs(nodes: usize) -> Vec<[usize; 2]> {
        (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| [a, b])).collect()
    }

    fn new(nodes: usize, mut edges: Vec<[usize; 2]>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        Self { nodes, edges }
    }

    /// Reads the lists of neighbours, in any order; `None` if they are not those of a graph.
    fn from_neighbors(lists: &[Vec<usize>]) -> Option<Self> {
        let ends = lists.iter().enumerate().flat_map(|(a, list)| list.iter().map(move |b| [a, *b]));
        let graph = Self::new(lists.len(), ends.filter(|[a, b]| a < b).collect());
        let sorted = |list: &Vec<usize>| {
            let mut list = list.clone();
            list.sort_unstable();
            list
        };
        let is_valid = graph.edges.iter().all(|[_, b]| *b < graph.nodes);
        (is_valid && lists.iter().map(sorted).eq(graph.neighbors())).then_some(graph)
    }

    /// The neighbours of each node, in ascending order.
    fn neighbors(&self) -> Vec<Vec<usize>> {
        let mut lists = vec![Vec::new(); self.nodes];
        for [a, b] in &self.edges {
            lists[*a].push(*b);
            lists[*b].push(*a);
        }
        lists.iter_mut().for_each(|list| list.sort_unstable());
        lists
    }

    fn has_no_isolated_node(&self) -> bool {
        self.neighbors().iter().all(|list| !list.is_empty())
    }

    /// The graph without a node; later nodes have the number before theirs.
    fn without_node(&self, node: usize) -> Value {
        let edges = self.edges.iter().filter(|edge| !edge.contains(&node));
        let edges = edges.map(|edge| edge.map(|end| end - usize::from(end > node))).collect();
        Value::Graph(Self { nodes: self.nodes - 1, edges })
    }

    fn without_edge(&self, edge: [usize; 2]) -> Value {
        let edges = self.edges.iter().filter(|other| **other != edge).copied().collect();
        Value::Graph(Self { nodes: self.nodes, edges })
    }
}

/// Parts a list into blocks that are removed or changed together: its elements, or 64 parts of a long one.
fn blocks(length: usize) -> impl Iterator<Item = Range<usize>> {
    const MAX_BLOCKS: usize = 64;
    let size = length.div_ceil(MAX_BLOCKS).max(1);
    (0..length).step_by(size).map(move |start| start..(start + size).min(length))
}

/// Returns the word of this length that is the `n`th in the order of the last letters.
fn word(mut n: usize, length: usize, letters: &[char]) -> String {
    let letter = |_| {
        let letter = letters[n % letters.len()];
        n /= letters.len();
        letter
    };
    (0..length).map(letter).collect()
}
