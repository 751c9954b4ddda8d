//! The backward pass of a layer whose moves may lead to positions of the same layer.
//!
//! First the moves of all positions are made, once, and those within the layer are written as *edges*: the rank of the
//! position after the move, the rank of the one before it, and whether the turn is kept, sorted by the position after. What
//! the moves out of the layer lead to is one *exit* for each position: a win and its plies, a draw, or a loss and its plies,
//! the best of those moves. Ends that are not lost are exits, too.
//!
//! Then values pass back along the edges, ply by ply. Each position has a state of two bytes in memory: its value, or how
//! many of its moves are not yet known to lose. At ply `n`, the states are scanned for positions won or lost in `n`, and
//! the edges to these, and only these, are read, in order: a move that wins makes the position before it won in `n + 1`; a
//! move that loses is counted, and the last one makes the position before it lost in `n + 1`. What has no value in the end
//! is a draw. So each edge is used once, whatever the plies, and the values do not depend on the order within a ply: a
//! position that has a winning move is never counted down to 0.
//!
//! Source: retrograde analysis by counting moves, K. Thompson, "Retrograde analysis of certain endgames" (1986).

use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use balpan::MAX_PLIES;

use crate::build::backward::{Lower, SolveBatch, join, missing};
use crate::build::forward::{BuildContext, map_on_threads, merge, run_on_threads};
use crate::build::keyfile::{KeyFileSummary, KeyWriter};
use crate::build::layer::{LayerCodes, LayerKeys, ReadBuffers, SolvedLayer};
use crate::build::scratch::{BuildManifest, LayerFiles, LayerGraph, OpenLayer, Scratch};
use crate::build::sort::Word;
use crate::error::BuildError;
use crate::format::codes::Scale;

/// The flag of a state that is a value: its plies, times 2, plus 1 for a win.
const SOLVED: u16 = 1 << 15;

/// The bytes of a state.
const STATE_BYTES: usize = 2;

/// The ranks that a thread scans at a time.
const RANKS_PER_TASK: usize = 1 << 14;

/// The largest share of the time that is spent on saving states: one in this number.
const SAVE_TIME_SHARE: u32 = 20;

/// The bits of the plies of an exit.
const PLY_BITS: u32 = 14;

/// A layer whose moves may lead to positions of the same layer.
pub(crate) struct LoopyLayer<'a, W> {
    pub(crate) context: BuildContext<'a>,
    pub(crate) number: u32,
    pub(crate) layer: LayerKeys<W>,
    pub(crate) lower: &'a Lower<SolvedLayer<W>>,
    pub(crate) scale: Scale,
}

impl<W: Word> LoopyLayer<'_, W> {
    /// Finds the codes of the layer's positions. Returns the file of the codes, and the plies of the longest value.
    pub(crate) fn solve(self, scratch: &mut Scratch<BuildManifest>) -> Result<(String, u16), BuildError> {
        let needed = self.layer.positions.saturating_mul(STATE_BYTES as u64);
        let allowed = self.context.resources.memory;
        if needed > allowed as u64 {
            return Err(BuildError::NoMemory { allowed, needed: usize::try_from(needed).unwrap_or(usize::MAX) });
        }
        if EdgeLayout::new(&self).bits() <= u64::BITS {
            self.solve_with::<u64>(scratch)
        } else {
            self.solve_with::<u128>(scratch)
        }
    }

    fn solve_with<E: Word>(self, scratch: &mut Scratch<BuildManifest>) -> Result<(String, u16), BuildError> {
        let layout = EdgeLayout::new(&self);
        let mut graph = match scratch.manifest.open.take() {
            Some(OpenLayer::Solving(graph)) => graph,
            _ => LayerGraph::default(),
        };
        let save = |graph: &LayerGraph, scratch: &mut Scratch<BuildManifest>| {
            scratch.manifest.open = Some(OpenLayer::Solving(graph.clone()));
            scratch.commit_if_due()
        };
        while graph.blocks < self.layer.blocks() {
            self.list_edges::<E>(layout, &mut graph, scratch)?;
            save(&graph, scratch)?;
        }
        if !graph.is_merged {
            let resources = self.context.resources;
            graph.edges = merge::<E>(layout.bits(), resources, self.number, &graph.edges, &[], scratch)?;
            graph.exits = merge::<u64>(layout.exit_bits(), resources, self.number, &graph.exits, &[], scratch)?;
            graph.is_merged = true;
            save(&graph, scratch)?;
        }
        let open = |keys: &[KeyFileSummary]| LayerFiles { layer: self.number, keys: keys.to_vec(), codes: None };
        let exits = LayerKeys::<u64>::open(&scratch.folder, &open(&graph.exits))?;
        let mut states = States {
            layer: &self,
            layout,
            edges: LayerKeys::<E>::open(&scratch.folder, &open(&graph.edges))?,
            states: (0..self.layer.positions).map(|_| AtomicU16::new(0)).collect(),
            plies: 0,
        };
        match &graph.states {
            Some((name, plies)) => {
                states.load(&LayerCodes::open(&scratch.folder, name, STATE_BYTES)?)?;
                states.plies = *plies;
            }
            None => states.count_moves(&exits)?,
        }
        let mut exits = Exits::new(&exits, layout, states.plies)?;
        let mut saving = Duration::ZERO;
        let mut saved = Instant::now();
        while states.pass_back(&mut exits)? {
            if scratch.is_due() && saved.elapsed() >= saving * SAVE_TIME_SHARE {
                let begin = Instant::now();
                let name = scratch.name("codes", self.number);
                states.save(&LayerCodes::create(&scratch.folder, &name, STATE_BYTES)?, |state| state)?;
                graph.states = Some((name, states.plies));
                save(&graph, scratch)?;
                (saving, saved) = (begin.elapsed(), Instant::now());
            }
        }
        let name = scratch.name("codes", self.number);
        let scale = self.scale;
        states.save(&LayerCodes::create(&scratch.folder, &name, STATE_BYTES)?, |state| match state & !SOLVED {
            _ if state & SOLVED == 0 => scale.top() / 2,
            value if value % 2 == 1 => scale.top() - value / 2,
            value => value / 2,
        })?;
        Ok((name, states.longest()))
    }

    /// Lists the edges and exits of as many positions as fit in memory.
    fn list_edges<E: Word>(
        &self,
        layout: EdgeLayout,
        graph: &mut LayerGraph,
        scratch: &Scratch<BuildManifest>,
    ) -> Result<(), BuildError> {
        let BuildContext { game, scheme, resources } = self.context;
        let next = AtomicUsize::new(graph.blocks);
        let found = run_on_threads(resources.threads, || {
            let memory = resources.memory / resources.threads;
            let mut batch = SolveBatch::new(game, scheme.metric, self.scale, game.bits(), memory);
            let (mut blocks, mut places, mut keys, mut bytes) = (Vec::new(), 0, Vec::new(), Vec::new());
            while !batch.is_full() {
                let block = next.fetch_add(1, Relaxed);
                if block >= self.layer.blocks() {
                    break;
                }
                keys.clear();
                self.layer.keys(block, &mut bytes, &mut keys)?;
                resources.watch.count(keys.len() as u64)?;
                batch.add(game, scheme, self.number, &keys, W::from_key, |key| key.as_())?;
                blocks.push((places, self.layer.range(block).0));
                places += keys.len();
            }
            self.find_successors::<E>(layout, batch, &blocks, scratch)
        })?;
        graph.blocks = next.into_inner().min(self.layer.blocks());
        for files in found {
            let [edges, exits] = files.map(|file| Some(file).filter(|file| file.keys > 0));
            graph.edges.extend(edges);
            graph.exits.extend(exits);
        }
        Ok(())
    }

    /// Finds the successors of a batch of positions. `blocks` are its blocks: their first places in the batch and their
    /// first ranks. Returns the files of the edges and of the exits.
    fn find_successors<E: Word>(
        &self,
        layout: EdgeLayout,
        mut batch: SolveBatch<W>,
        blocks: &[(usize, u64)],
        scratch: &Scratch<BuildManifest>,
    ) -> Result<[KeyFileSummary; 2], BuildError> {
        let Self { number, layer, lower, scale, .. } = self;
        let place_bits = SolveBatch::<W>::place_bits(self.context.game.bits());
        let places = (W::one() << place_bits as usize) - W::one();
        let rank = |place: usize| {
            let (first_place, first_rank) = blocks[blocks.partition_point(|&(first, _)| first <= place) - 1];
            first_rank + (place - first_place) as u64
        };
        let mut edges = KeyWriter::create(&scratch.folder, scratch.name("run", *number))?;
        let mut buffers = ReadBuffers::default();
        batch.drain_requests(|of, words, found| {
            let place = |word: W| -> usize { (word & places).as_() };
            if of != *number {
                let solved = lower.get(&of).ok_or_else(missing)?;
                return join(solved, words, place_bits, &mut buffers, |word, code: u16| {
                    found.accumulate(place(word), code);
                });
            }
            // Requests for one position are in no order.
            let (mut last, mut to_last, mut written) = (0, Vec::<E>::new(), Ok(()));
            join(layer, words, place_bits, &mut buffers, |word, after: u64| {
                let (place, turn) = (place(word) >> layout.turn_bits, place(word) & layout.turn_bits as usize);
                if after != last && written.is_ok() {
                    to_last.sort_unstable();
                    written = edges.write(&to_last);
                    to_last.clear();
                }
                last = after;
                to_last.push(layout.edge(after, rank(place), turn));
            })?;
            to_last.sort_unstable();
            written.and_then(|()| edges.write(&to_last))
        })?;
        let mut exits: Vec<u64> =
            (0..).zip(batch.take_codes()).filter_map(|(place, code)| layout.exit(rank(place), code, *scale)).collect();
        exits.sort_unstable();
        Ok([edges.finish()?, KeyWriter::write_all(&scratch.folder, scratch.name("run", *number), &exits)?])
    }
}

/// The layout of edges and exits as words.
#[derive(Clone, Copy)]
struct EdgeLayout {
    /// The bits of a rank.
    rank_bits: u32,
    /// 1 if a bit of an edge says whether the turn is kept.
    turn_bits: u32,
}

/// The value after a move out of the layer, or at the end of play.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exit {
    Loss,
    Draw,
    Win,
}

impl EdgeLayout {
    fn new<W: Word>(LoopyLayer { context, layer, .. }: &LoopyLayer<'_, W>) -> Self {
        let rank_bits = u64::BITS - layer.positions.leading_zeros();
        Self { rank_bits, turn_bits: SolveBatch::<W>::turn_bits(context.game, context.scheme.metric) }
    }

    /// The bits of an edge.
    const fn bits(self) -> u32 {
        2 * self.rank_bits + self.turn_bits
    }

    /// The bits of an edge below the rank of the position after the move.
    const fn bits_below(self) -> usize {
        (self.rank_bits + self.turn_bits) as usize
    }

    fn edge<E: Word>(self, after: u64, before: u64, turn: usize) -> E {
        let before = before << self.turn_bits | turn as u64;
        E::from_key(after.into()) << self.bits_below() | E::from_key(before.into())
    }

    /// The rank of the position before the move of an edge, and whether the move keeps the turn.
    fn before<E: Word>(self, edge: E) -> (usize, bool) {
        let before: u64 = edge.as_();
        let before = before & ((1 << (self.rank_bits + self.turn_bits)) - 1);
        ((before >> self.turn_bits) as usize, before & u64::from(self.turn_bits) == 1)
    }

    const fn exit_bits(self) -> u32 {
        PLY_BITS + self.rank_bits + 2
    }

    /// Returns the exit of a position as a word, from the best code of a move out of the layer. Positions without one, and
    /// ends that are lost, have code 0 and no exit.
    fn exit(self, rank: u64, code: u16, scale: Scale) -> Option<u64> {
        let draw = scale.top() / 2;
        let (plies, exit) = match code {
            0 => return None,
            _ if code < draw => (code, Exit::Loss),
            _ if code == draw => (0, Exit::Draw),
            _ => (scale.top() - code, Exit::Win),
        };
        Some((u64::from(plies) << self.rank_bits | rank) << 2 | exit as u64)
    }

    /// The plies, the rank and the kind of an exit.
    const fn decode_exit(self, word: u64) -> (u16, usize, Exit) {
        let exit = match word & 3 {
            0 => Exit::Loss,
            1 => Exit::Draw,
            _ => Exit::Win,
        };
        let rank = word >> 2 & ((1 << self.rank_bits) - 1);
        ((word >> (2 + self.rank_bits)) as u16, rank as usize, exit)
    }
}

/// The exits of a layer, read in the order of their plies.
struct Exits<'e> {
    exits: &'e LayerKeys<u64>,
    layout: EdgeLayout,
    /// The words of the block before this one, and how many of them were taken.
    block: usize,
    words: Vec<u64>,
    taken: usize,
}

impl<'e> Exits<'e> {
    /// Begins at the exits of at least `plies` plies.
    fn new(exits: &'e LayerKeys<u64>, layout: EdgeLayout, plies: u16) -> Result<Self, BuildError> {
        let from = u64::from(plies) << (layout.rank_bits + 2);
        let mut new = Self { exits, layout, block: exits.block_of(0, from), words: Vec::new(), taken: 0 };
        new.refill()?;
        new.taken = new.words.partition_point(|&word| word < from);
        new.refill()?;
        Ok(new)
    }

    /// Reads the next block if all words are taken.
    fn refill(&mut self) -> Result<(), BuildError> {
        if self.taken == self.words.len() && self.block < self.exits.blocks() {
            self.words.clear();
            self.exits.keys(self.block, &mut Vec::new(), &mut self.words)?;
            (self.taken, self.block) = (0, self.block + 1);
        }
        Ok(())
    }

    /// The plies of the next exit.
    fn next_plies(&self) -> Option<u16> {
        self.words.get(self.taken).map(|&word| self.layout.decode_exit(word).0)
    }

    /// Takes the next exit.
    fn next(&mut self) -> Result<Option<(usize, Exit)>, BuildError> {
        let Some(&word) = self.words.get(self.taken) else { return Ok(None) };
        self.taken += 1;
        self.refill()?;
        let (_, rank, exit) = self.layout.decode_exit(word);
        Ok(Some((rank, exit)))
    }
}

/// The states of a layer's positions while their values are found.
struct States<'l, W, E> {
    layer: &'l LoopyLayer<'l, W>,
    layout: EdgeLayout,
    edges: LayerKeys<E>,
    /// By rank: a value, marked by [`SOLVED`], or the number of moves that are not known to lose.
    states: Vec<AtomicU16>,
    /// The plies of the values to be passed back next.
    plies: u16,
}

impl<W: Word, E: Word> States<'_, W, E> {
    /// Counts the moves of all positions; those to lower layers together are one.
    fn count_moves(&self, exits: &LayerKeys<u64>) -> Result<(), BuildError> {
        let count = |rank: usize| match self.states.get(rank).map(|state| state.fetch_add(1, Relaxed)) {
            Some(count) if count < SOLVED - 2 => Ok(()),
            _ => Err(BuildError::Law("a position has too many moves")),
        };
        let threads = self.layer.context.resources.threads;
        let buffers = || Ok((Vec::new(), Vec::new()));
        map_on_threads(threads, self.edges.blocks(), buffers, |(bytes, words), block| {
            words.clear();
            self.edges.keys(block, bytes, words)?;
            words.iter().try_for_each(|&edge| count(self.layout.before(edge).0))
        })?;
        let buffers = || Ok((Vec::new(), Vec::new()));
        map_on_threads(threads, exits.blocks(), buffers, |(bytes, words), block| {
            words.clear();
            exits.keys(block, bytes, words)?;
            words.iter().try_for_each(|&word| count(self.layout.decode_exit(word).1))
        })?;
        // A lost end has neither moves nor an exit.
        self.states.iter().filter(|state| state.load(Relaxed) == 0).for_each(|state| state.store(SOLVED, Relaxed));
        Ok(())
    }

    /// Takes a move whose value for the position of this rank is a win or a loss in `plies`.
    fn take_move(&self, rank: usize, wins: bool, plies: u16) {
        let _ = self.states[rank].fetch_update(Relaxed, Relaxed, |state| match state {
            _ if state & SOLVED != 0 => None,
            _ if wins => Some(SOLVED | plies << 1 | 1),
            0 | 1 => Some(SOLVED | plies << 1),
            more => Some(more - 1),
        });
    }

    /// Passes the values of the next number of plies back. Returns whether there may be longer ones.
    fn pass_back(&mut self, exits: &mut Exits<'_>) -> Result<bool, BuildError> {
        let plies = self.plies;
        while exits.next_plies() == Some(plies) {
            if let Some((rank, exit)) = exits.next()?
                && exit != Exit::Draw
            {
                self.take_move(rank, exit == Exit::Win, plies);
            }
        }
        let resources = self.layer.context.resources;
        let tasks = self.states.len().div_ceil(RANKS_PER_TASK);
        let solved = map_on_threads(
            resources.threads,
            tasks,
            || Ok(EdgeCursor::default()),
            |cursor, task| {
                let (first, mut solved) = (task * RANKS_PER_TASK, 0);
                cursor.rewind();
                for (rank, state) in (first..).zip(&self.states[first..]).take(RANKS_PER_TASK) {
                    let state = state.load(Relaxed);
                    if state & !1 == SOLVED | plies << 1 {
                        solved += 1;
                        self.pass_to_moves(rank, state & 1 == 1, cursor)?;
                    }
                }
                resources.watch.count(solved)?;
                Ok::<_, BuildError>(solved)
            },
        )?;
        let next = if solved.into_iter().sum::<u64>() > 0 { Some(plies + 1) } else { exits.next_plies() };
        match next {
            Some(plies) if plies > MAX_PLIES as u16 + 1 => Err(BuildError::TooLong(u32::from(plies) - 1)),
            Some(plies) => {
                self.plies = plies;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Passes the value of a position to the positions before the moves that lead to it.
    fn pass_to_moves(&self, rank: usize, is_win: bool, cursor: &mut EdgeCursor<E>) -> Result<(), BuildError> {
        cursor.visit(&self.edges, rank, self.layout.bits_below(), |edge| {
            let (before, keeps_turn) = self.layout.before(edge);
            self.take_move(before, is_win == keeps_turn, self.plies + 1);
        })
    }

    /// Returns the plies of the longest value.
    fn longest(&self) -> u16 {
        let states = self.states.iter().map(|state| state.load(Relaxed));
        states.filter(|state| state & SOLVED != 0).map(|state| (state & !SOLVED) >> 1).max().unwrap_or(0)
    }

    /// Reads the states from a file.
    fn load(&self, file: &LayerCodes) -> Result<(), BuildError> {
        let layer = &self.layer.layer;
        let buffers = || Ok((Vec::new(), Vec::new()));
        let load = |(bytes, codes): &mut (Vec<u8>, Vec<u16>), block| {
            codes.clear();
            file.read(block, layer.range(block), bytes, codes)?;
            let states = &self.states[layer.range(block).0 as usize..];
            states.iter().zip(codes.iter()).for_each(|(state, &code)| state.store(code, Relaxed));
            Ok::<_, BuildError>(())
        };
        map_on_threads(self.layer.context.resources.threads, layer.blocks(), buffers, load).map(drop)
    }

    /// Writes the states, converted, to a file.
    fn save(&self, file: &LayerCodes, convert: impl Fn(u16) -> u16 + Sync) -> Result<(), BuildError> {
        let layer = &self.layer.layer;
        let save = |bytes: &mut Vec<u8>, block| {
            let (first, count) = layer.range(block);
            let states = self.states[first as usize..].iter().take(count);
            let codes: Vec<u16> = states.map(|state| convert(state.load(Relaxed))).collect();
            file.write(block, first, &codes, bytes)
        };
        map_on_threads(self.layer.context.resources.threads, layer.blocks(), || Ok(Vec::new()), save).map(drop)
    }
}

/// A reader of the edges to positions of ascending ranks.
struct EdgeCursor<E> {
    /// The block that was read, the next of its edges, and the edges.
    block: Option<usize>,
    next: usize,
    edges: Vec<E>,
    bytes: Vec<u8>,
}

impl<E> Default for EdgeCursor<E> {
    fn default() -> Self {
        Self { block: None, next: 0, edges: Vec::new(), bytes: Vec::new() }
    }
}

impl<E: Word> EdgeCursor<E> {
    /// Begins anew, at any rank.
    const fn rewind(&mut self) {
        self.block = None;
    }

    /// Calls `found` for the edges to the position of a rank, which have `bits_below` bits below the rank.
    fn visit(
        &mut self,
        all: &LayerKeys<E>,
        rank: usize,
        bits_below: usize,
        mut found: impl FnMut(E),
    ) -> Result<(), BuildError> {
        if all.blocks() == 0 {
            return Ok(());
        }
        let from = E::from_key(rank as u128) << bits_below;
        let mut block = all.block_of(self.block.unwrap_or(0), from);
        loop {
            if self.block != Some(block) {
                self.edges.clear();
                all.keys(block, &mut self.bytes, &mut self.edges)?;
                (self.block, self.next) = (Some(block), 0);
            }
            self.next += self.edges[self.next..].partition_point(|&edge| edge < from);
            while let Some(&edge) = self.edges.get(self.next) {
                let after: usize = (edge >> bits_below).as_();
                if after != rank {
                    return Ok(());
                }
                found(edge);
                self.next += 1;
            }
            block += 1;
            let goes_on = all.first(block).is_some_and(|first| -> bool {
                let after: usize = (first >> bits_below).as_();
                after == rank
            });
            if !goes_on {
                return Ok(());
            }
        }
    }
}
