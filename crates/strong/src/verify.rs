//! Verifying a file: the value of every position is computed again from the rules and the values of
//! its successors.

use std::sync::{Mutex, PoisonError};

use balpan::{Budget, Game, SplitMix, Watch};

use crate::build::backward::{LayerTask, Lower, fit_in_64_bits};
use crate::build::forward::{BuildContext, Resources};
use crate::build::layer::{LayerReader, ReadBuffers};
use crate::build::sort::Word;
use crate::build::start_keys;
use crate::build::successors::{KeyGame, Scheme, code_from_successors};
use crate::error::BuildError;
use crate::format::codes::Scale;
use crate::format::header::Header;
use crate::probe::table::{Prober, Table, TableError};

/// Why a file failed verification.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The game does not fit the file, or the work was stopped.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The file is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file is wrong at a position.
    #[error("{0}")]
    Mismatch(Mismatch),
}

/// A position at which a file is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("layer {layer}, key {key:#x}: {what}")]
pub struct Mismatch {
    /// Its layer.
    pub layer: u32,
    /// Its key.
    pub key: u128,
    /// The kind of error.
    pub what: MismatchKind,
}

/// A kind of error at a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MismatchKind {
    /// The file has another code than follows from the successors.
    #[error("the file has code {found}; {follows} follows from its moves")]
    Code {
        /// The code in the file.
        found: u16,
        /// The code that follows.
        follows: u16,
    },
    /// The file has another code than follows from the successors: a value of more plies than any in the file.
    #[error("the file has code {found}; a value of more than {max_plies} plies follows from its moves")]
    TooLong {
        /// The code in the file.
        found: u16,
        /// The plies of the longest value in the file.
        max_plies: u16,
    },
    /// A start is not in the file.
    #[error("play begins there, and it is not in the file")]
    NoStart,
    /// A move leads to a position that is not in the file.
    #[error("a move leads to a position that is not in the file")]
    NoSuccessor,
    /// The key is that of no position.
    #[error("there is no such position")]
    NoPosition,
    /// The file has the position in another layer than its own.
    #[error("the position is of layer {belongs}")]
    OtherLayer {
        /// Its own layer.
        belongs: u32,
    },
    /// The position is not the canonical one of its symmetric images.
    #[error("key {canonical:#x} stands for this position, by a symmetry")]
    NotCanonical {
        /// The key of the canonical one.
        canonical: u128,
    },
}

/// Computes every position's value again from its successors, by the rules alone, and checks that
/// the starts are in the file. Returns the number of positions.
///
/// Values follow from those of lower layers, and those of ends from the rules: a file that passes
/// is right about all positions that it has. That is so as well where play may repeat, since a win or a loss follows from
/// values of fewer plies: see `docs/strong.md`. Every key is that of a position in its own layer, and
/// the canonical one of its symmetric images.
///
/// # Errors
/// The first mismatch, by layers from the lowest.
pub fn verify<G: Game, B: AsRef<[u8]> + Sync>(
    game: &G,
    starts: &[G::Position],
    table: &Table<B>,
    budget: Budget,
    watch: &Watch,
) -> Result<u64, VerifyError> {
    check_starts(game, starts, table)?;
    verify_keys(game, table, budget, watch)
}

pub(crate) fn verify_keys<B: AsRef<[u8]> + Sync>(
    game: &dyn KeyGame,
    table: &Table<B>,
    budget: Budget,
    watch: &Watch,
) -> Result<u64, VerifyError> {
    if fit_in_64_bits(game.bits()) {
        verify_by::<B, u64>(game, table, budget, watch)
    } else {
        verify_by::<B, u128>(game, table, budget, watch)
    }
}

fn verify_by<B: AsRef<[u8]> + Sync, W: Word>(
    game: &dyn KeyGame,
    table: &Table<B>,
    Budget { memory, threads }: Budget,
    watch: &Watch,
) -> Result<u64, VerifyError> {
    let header = table.header();
    let scheme = header.subject.scheme();
    let context = BuildContext { game, scheme, resources: Resources { memory, threads, watch } };
    let wrong = Mutex::new(None);
    let found_wrong = |found: Mismatch| {
        wrong.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(found);
        BuildError::Law("the file is wrong")
    };
    let failed = Mutex::new(None);
    let mut lower: Lower<TableLayer<'_, B>> = Lower::new();
    for at in (0..header.layers.len()).rev() {
        let open = || TableLayer { table, at, failed: &failed };
        let (layer, number) = (open(), header.layers[at].layer);
        if header.may_repeat {
            lower.insert(number, open());
        }
        let task = LayerTask {
            number,
            blocks: layer.blocks(),
            keys: |block, buffers: &mut ReadBuffers, keys: &mut Vec<W>| {
                let before = keys.len();
                layer.keys(block, buffers, keys)?;
                // Keys are checked first: moves from what is not a position are meaningless.
                let mut checked = keys[before..].iter().map(|&key| -> u128 { key.as_() });
                let found = checked.find_map(|key| wrong_key(game, scheme, number, key).map(|what| (key, what)));
                found.map_or(Ok(()), |(key, what)| Err(found_wrong(Mismatch { layer: number, key, what })))
            },
            done: |block, follows: &[u16], buffers: &mut ReadBuffers| {
                let (mut keys, mut found) = (Vec::<W>::new(), Vec::new());
                layer.read(block, buffers, &mut keys, &mut found)?;
                for ((&key, &found), &follows) in keys.iter().zip(&found).zip(follows) {
                    if found != follows {
                        let what = wrong_code(header, found, follows);
                        return Err(found_wrong(Mismatch { layer: number, key: key.as_(), what }));
                    }
                }
                Ok(())
            },
            scale: verification_scale(header),
        };
        let done = task.solve::<W, _>(&context, &lower);
        if let Some(wrong) = wrong.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(VerifyError::Mismatch(wrong));
        }
        if let Some(error) = failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(VerifyError::Table(error));
        }
        done?;
        lower.insert(number, layer);
    }
    Ok(header.positions())
}

/// Returns the scale in which codes are compared. Where play may repeat, it has one ply more than the file's, so that no value
/// that follows from the longest one in the file has the code of a draw.
const fn verification_scale(header: &Header) -> Scale {
    let scale = header.scale();
    Scale::new(scale.max_plies + header.may_repeat as u16, scale.max_score)
}

/// Converts a code of the file to the [`verification_scale`].
fn widen(header: &Header, code: u16) -> u16 {
    if !header.may_repeat {
        return code;
    }
    header.scale().convert(code, verification_scale(header)).unwrap_or(code)
}

/// Returns the mismatch of two codes of the [`verification_scale`].
fn wrong_code(header: &Header, found: u16, follows: u16) -> MismatchKind {
    let narrow = |code| verification_scale(header).convert(code, header.scale());
    match (header.may_repeat, narrow(found), narrow(follows)) {
        (true, Some(found), Some(follows)) => MismatchKind::Code { found, follows },
        (true, Some(found), None) => MismatchKind::TooLong { found, max_plies: header.max_plies },
        _ => MismatchKind::Code { found, follows },
    }
}

/// Verifies a random sample (number of positions and seed) of a file, or all positions of a book.
/// Positions at the end of a book, which do not follow from others, are not verified. Returns the
/// number of positions that were.
///
/// # Errors
/// The first mismatch.
pub fn verify_sample<G: Game, B: AsRef<[u8]>>(
    game: &G,
    starts: &[G::Position],
    table: &Table<B>,
    sample: Option<(u64, u64)>,
    watch: &Watch,
) -> Result<u64, VerifyError> {
    check_starts(game, starts, table)?;
    verify_sampled_keys(game, table, sample, watch)
}

pub(crate) fn verify_sampled_keys<B: AsRef<[u8]>>(
    game: &dyn KeyGame,
    table: &Table<B>,
    sample: Option<(u64, u64)>,
    watch: &Watch,
) -> Result<u64, VerifyError> {
    let header = table.header();
    let scheme = header.subject.scheme();
    let (count, mut random) = sample.map_or((header.positions(), None), |(count, seed)| (count, Some(SplitMix(seed))));
    let mut prober = Prober::new()?;
    let (mut keys, mut codes, mut read, mut checked) = (Vec::new(), Vec::new(), None, 0);
    for number in 0..count {
        watch.count(1).map_err(BuildError::from)?;
        let mut rank = random.as_mut().map_or(number, |random| random.next_u64() % header.positions().max(1));
        let at = header.layers.iter().position(|layer| {
            let is_in = rank < layer.positions;
            rank -= if is_in { 0 } else { layer.positions };
            is_in
        });
        let Some(at) = at else { break };
        let (layer, block) = (header.layers[at].layer, rank / u64::from(header.block));
        if read != Some((at, block)) {
            prober.read_block(table, at, block, &mut keys, &mut codes)?;
            read = Some((at, block));
        }
        let within = (rank % u64::from(header.block)) as usize;
        let (Some(&key), Some(&found)) = (keys.get(within), codes.get(within)) else { break };
        let wrong = |what| VerifyError::Mismatch(Mismatch { layer, key, what });
        if let Some(what) = wrong_key(game, scheme, layer, key) {
            return Err(wrong(what));
        }
        let found = widen(header, found);
        let probe = |layer, key| -> Result<_, VerifyError> {
            Ok(prober.probe(table, layer, key)?.map(|code| widen(header, code)))
        };
        match code_from_successors(game, scheme, verification_scale(header), (layer, key), probe)? {
            Some(follows) if follows != found => return Err(wrong(wrong_code(header, found, follows))),
            Some(_) => checked += 1,
            None if header.subject.plies.is_some() => {}
            None => return Err(wrong(MismatchKind::NoSuccessor)),
        }
    }
    Ok(checked)
}

/// Returns what is wrong with a key of a layer, whatever its code.
fn wrong_key(game: &dyn KeyGame, scheme: Scheme, layer: u32, key: u128) -> Option<MismatchKind> {
    match game.stored_key(scheme, key) {
        None => Some(MismatchKind::NoPosition),
        Some((Some(belongs), _)) if belongs != layer => Some(MismatchKind::OtherLayer { belongs }),
        Some((_, canonical)) => (canonical != key).then_some(MismatchKind::NotCanonical { canonical }),
    }
}

/// Checks that the file's keys have the length of the game's, and that the file has the starts.
pub(crate) fn check_starts<G: Game, B: AsRef<[u8]>>(
    game: &G,
    starts: &[G::Position],
    table: &Table<B>,
) -> Result<(), VerifyError> {
    if table.header().key_bits != game.key_bits() {
        return Err(TableError::Inconsistent("keys are of another length than the game's").into());
    }
    let mut prober = Prober::new()?;
    for (layer, key) in start_keys(game, starts, table.header().subject.scheme())? {
        if prober.probe(table, layer, key)?.is_none() {
            return Err(VerifyError::Mismatch(Mismatch { layer, key, what: MismatchKind::NoStart }));
        }
    }
    Ok(())
}

/// A layer of a file.
struct TableLayer<'t, B> {
    table: &'t Table<B>,
    at: usize,
    /// The first error in reading the file.
    failed: &'t Mutex<Option<TableError>>,
}

impl<B: AsRef<[u8]> + Sync> TableLayer<'_, B> {
    fn blocks(&self) -> usize {
        let header = self.table.header();
        header.layers[self.at].blocks(header.block) as usize
    }

    /// Adds the keys of a block to `keys`.
    fn keys<W: Word>(&self, block: usize, buffers: &mut ReadBuffers, keys: &mut Vec<W>) -> Result<(), BuildError> {
        self.read(block, buffers, keys, &mut Vec::new())
    }
}

impl<W: Word, B: AsRef<[u8]> + Sync> LayerReader<W> for TableLayer<'_, B> {
    fn block_of(&self, from: usize, key: W) -> usize {
        let (mut low, mut high) = (from + 1, self.blocks());
        while low < high {
            let middle = low.midpoint(high);
            let first = self.table.first_key(self.at, middle as u64);
            if first.is_some_and(|first| first <= key.as_()) { low = middle + 1 } else { high = middle }
        }
        low - 1
    }

    fn read(
        &self,
        block: usize,
        buffers: &mut ReadBuffers,
        keys: &mut Vec<W>,
        codes: &mut Vec<u16>,
    ) -> Result<(), BuildError> {
        let damaged = |error| {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            BuildError::Law("the file is damaged")
        };
        let prober = match &mut buffers.prober {
            Some(prober) => prober,
            none => none.insert(Prober::new().map_err(damaged)?),
        };
        let mut wide = Vec::new();
        prober.read_block(self.table, self.at, block as u64, &mut wide, codes).map_err(damaged)?;
        keys.extend(wide.into_iter().map(W::from_key));
        let header = self.table.header();
        if header.may_repeat {
            codes.iter_mut().for_each(|code| *code = widen(header, *code));
        }
        Ok(())
    }
}
