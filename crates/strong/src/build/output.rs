//! Writing a solution file from solved layers.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use balpan::Watch;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};
use zstd::dict::EncoderDictionary;

use crate::build::forward::map_on_threads;
use crate::error::BuildError;
use crate::files;
use crate::format::blocks::{
    BlockCompressor, encode_block, encode_codes, encode_keys, encoder_dictionary, train_dictionary,
};
use crate::format::codes::Scale;
use crate::format::header::{
    BLOCK_POSITIONS, Form, Header, LayerHeader, PROLOGUE_BYTES, Section, Subject, hex_checksum, prologue,
};
use crate::shards::Shard;

/// The positions of a layer in ascending order of their keys.
pub trait LayerSource: Sync {
    /// The number of positions.
    fn positions(&self) -> u64;

    /// The bits that are set in all keys, and those that are set in any.
    fn bits(&self) -> (u128, u128);

    /// Appends the keys and codes of `count` positions, from the one of rank `from` on.
    fn read(&self, from: u64, count: usize, keys: &mut Vec<u128>, codes: &mut Vec<u16>) -> Result<(), BuildError>;
}

/// The number of blocks in the unit of work of a thread.
const BLOCKS_PER_TASK: u64 = 64;

/// The units of work of each thread between two writes.
const TASKS_PER_ROUND: usize = 32;

/// Bytes of samples for each byte of the dictionary trained on them.
const SAMPLE_BYTES_PER_DICTIONARY_BYTE: u64 = 16;

/// The largest dictionary, in bytes.
const MAX_DICTIONARY_BYTES: u64 = 112 << 10;

/// The smallest number of positions of a layer for each byte of its dictionary.
const MIN_POSITIONS_PER_DICTIONARY_BYTE: u64 = 24;

/// A writer of a solution file.
#[derive(Debug)]
pub struct SolutionWriter<'w> {
    form: Form,
    part: PendingFile,
    out: BufWriter<File>,
    at: u64,
    header: Header,
    index: Vec<u8>,
    threads: usize,
    watch: &'w Watch,
}

impl<'w> SolutionWriter<'w> {
    /// Begins a file, which is complete after [`finish`](Self::finish).
    pub fn create(
        part: PendingFile,
        form: Form,
        subject: Subject,
        key_bits: u32,
        scale: Scale,
        threads: usize,
        watch: &'w Watch,
    ) -> Result<Self, BuildError> {
        let mut out = BufWriter::with_capacity(1 << 20, part.truncate()?);
        out.write_all(&[0; PROLOGUE_BYTES]).map_err(BuildError::io(part.path()))?;
        let block = form.block() as u32;
        let header = Header {
            subject,
            shard: None,
            key_bits,
            max_plies: scale.max_plies,
            max_score: scale.max_score,
            may_repeat: false,
            block,
            index: 0,
            index_checksum: String::new(),
            layers: Vec::new(),
        };
        Ok(Self { form, part, out, at: PROLOGUE_BYTES as u64, header, index: Vec::new(), threads, watch })
    }

    /// Sets whether play may repeat.
    #[must_use]
    pub(crate) const fn with_may_repeat(mut self, may_repeat: bool) -> Self {
        self.header.may_repeat = may_repeat;
        self
    }

    /// Sets the shard that the file holds.
    #[must_use]
    pub fn with_shard(mut self, shard: Shard) -> Self {
        self.header.shard = Some(shard);
        self
    }

    /// Writes a layer, lower than the ones before.
    pub fn write_layer(&mut self, number: u32, source: &impl LayerSource) -> Result<(), BuildError> {
        let encoder = LayerEncoder::new(source, &self.header);
        let trained = map_on_threads(self.threads, 2, || Ok(()), |(), which| encoder.train(which == 0))?;
        self.write_layer_with(number, source, trained.try_into().unwrap_or_default())
    }

    /// Trains the dictionaries of some layers, which `open` opens, by several threads. That takes an eighth of the work of
    /// a build, and cannot be divided within a layer.
    pub(crate) fn train_dictionaries<S: LayerSource>(
        &self,
        layers: usize,
        open: impl Fn(usize) -> Result<S, BuildError> + Sync,
    ) -> Result<Vec<Dictionaries>, BuildError> {
        let trained = map_on_threads(
            self.threads,
            2 * layers,
            || Ok(()),
            |(), task| {
                self.watch.count(0)?;
                let source = open(task / 2)?;
                LayerEncoder::new(&source, &self.header).train(task % 2 == 0)
            },
        )?;
        let mut trained = trained.into_iter();
        Ok(std::iter::from_fn(|| Some([trained.next()?, trained.next()?])).collect())
    }

    /// As [`write_layer`](Self::write_layer), with its trained dictionaries.
    pub(crate) fn write_layer_with(
        &mut self,
        number: u32,
        source: &impl LayerSource,
        trained: Dictionaries,
    ) -> Result<(), BuildError> {
        let encoder = LayerEncoder::new(source, &self.header);
        let mut dictionaries = [None, None];
        let mut encoding: [Option<EncoderDictionary<'static>>; 2] = [None, None];
        for (which, dictionary) in trained.into_iter().enumerate() {
            if let Some(dictionary) = dictionary {
                dictionaries[which] = Some(self.section(&dictionary)?);
                encoding[which] = Some(encoder_dictionary(&dictionary));
            }
        }
        let first_block = self.block_count();
        let mut counts = Vec::new();
        let blocks = source.positions().div_ceil(BLOCK_POSITIONS as u64);
        let mut next = 0;
        while next < blocks {
            let begins: Vec<u64> =
                (next..blocks).step_by(BLOCKS_PER_TASK as usize).take(TASKS_PER_ROUND * self.threads).collect();
            next = begins.last().map_or(blocks, |last| last + BLOCKS_PER_TASK);
            for encoded in encoder.encode(&begins, &encoding, self.threads)? {
                self.watch.count(encoded.positions)?;
                for (code, count) in encoded.counts.into_iter().enumerate() {
                    *at(&mut counts, code) += count;
                }
                for (first, block) in encoded.blocks {
                    self.write_block(first, &block)?;
                }
            }
        }
        let [keys_dictionary, codes_dictionary] = dictionaries;
        self.push_layer(LayerHeader {
            layer: number,
            positions: source.positions(),
            counts: (0..).zip(counts).filter(|&(_, count)| count > 0).collect(),
            same_bits: encoder.same_bits,
            same: format!("{:x}", encoder.same),
            first_block,
            keys_dictionary,
            codes_dictionary,
            lengths: None,
        });
        Ok(())
    }

    /// Adds the header of a layer whose blocks are written.
    pub(crate) fn push_layer(&mut self, layer: LayerHeader) {
        self.header.layers.push(layer);
    }

    /// The number of blocks so far.
    pub(crate) fn block_count(&self) -> u64 {
        self.index.len() as u64 / self.header.entry() as u64
    }

    fn section(&mut self, bytes: &[u8]) -> Result<Section, BuildError> {
        let section = Section { at: self.at, bytes: bytes.len() as u64, checksum: hex_checksum(xxh3_64(bytes)) };
        self.write_bytes(bytes)?;
        Ok(section)
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), BuildError> {
        self.out.write_all(bytes).map_err(BuildError::io(self.part.path()))?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Writes a block, and its entry in the index.
    pub(crate) fn write_block(&mut self, first: u128, bytes: &[u8]) -> Result<(), BuildError> {
        let number = self.block_count();
        self.index.extend(&first.to_le_bytes()[..self.header.key_bytes()]);
        self.index.extend(&self.at.to_le_bytes()[..6]);
        self.index.extend(checksum(number, first, bytes).to_le_bytes());
        self.write_bytes(bytes)
    }

    /// Writes the index and the header, syncs the file, and gives it its final name.
    pub fn finish(mut self) -> Result<Header, BuildError> {
        let index = std::mem::take(&mut self.index);
        (self.header.index, self.header.index_checksum) = (self.at, hex_checksum(xxh3_64(&index)));
        self.write_bytes(&index)?;
        let header = serde_json::to_vec(&self.header).map_err(|e| BuildError::io(self.part.path())(e.into()))?;
        let at = self.at;
        self.write_bytes(&header)?;
        let Self { form, part, out, at: end, header: finished, .. } = self;
        let write = || {
            let mut file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&prologue(form, at, &header, end))?;
            file.sync_all()
        };
        write().map_err(BuildError::io(part.path()))?;
        part.persist()?;
        Ok(finished)
    }
}

/// The checksum of a block, its number and its first key.
pub(crate) fn checksum(number: u64, first: u128, bytes: &[u8]) -> u64 {
    let mut seed = [0; 24];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed[8..].copy_from_slice(&first.to_le_bytes());
    xxh3_64_with_seed(bytes, xxh3_64(&seed))
}

/// Returns the element at a place, growing the list if need be.
fn at(counts: &mut Vec<u64>, place: usize) -> &mut u64 {
    if counts.len() <= place {
        counts.resize(place + 1, 0);
    }
    &mut counts[place]
}

/// An encoder of the blocks of a layer.
struct LayerEncoder<'s, S> {
    source: &'s S,
    /// The number of lowest bits that all keys share, and these bits.
    same_bits: u32,
    same: u128,
    /// The bytes of a code.
    width: usize,
}

/// The dictionaries of a layer, of its keys and of its codes; `None` where none would help.
pub(crate) type Dictionaries = [Option<Vec<u8>>; 2];

/// Consecutive encoded blocks.
#[derive(Default)]
struct EncodedBlocks {
    positions: u64,
    /// The blocks with their first keys.
    blocks: Vec<(u128, Vec<u8>)>,
    /// The number of positions of each code.
    counts: Vec<u64>,
}

impl<'s, S: LayerSource> LayerEncoder<'s, S> {
    fn new(source: &'s S, header: &Header) -> Self {
        let (all, any) = source.bits();
        let same_bits = (any & !all).trailing_zeros().min(header.key_bits);
        let same = all & ((1 << same_bits) - 1);
        Self { source, same_bits, same, width: header.width() }
    }

    /// Reads the positions of some blocks into the lists, without the bits that all keys share.
    fn read(&self, from: u64, blocks: u64, keys: &mut Vec<u128>, codes: &mut Vec<u16>) -> Result<(), BuildError> {
        let from = from * BLOCK_POSITIONS as u64;
        let count = (blocks * BLOCK_POSITIONS as u64).min(self.source.positions() - from) as usize;
        keys.clear();
        codes.clear();
        self.source.read(from, count, keys, codes)?;
        keys.iter_mut().for_each(|key| *key >>= self.same_bits);
        Ok(())
    }

    /// Trains a dictionary, of the keys or of the codes, on blocks from all over the layer.
    fn train(&self, of_keys: bool) -> Result<Option<Vec<u8>>, BuildError> {
        let whole = self.source.positions() / BLOCK_POSITIONS as u64;
        // Encoded keys or codes take about a byte a position.
        let max_bytes =
            (self.source.positions() / MIN_POSITIONS_PER_DICTIONARY_BYTE).min(MAX_DICTIONARY_BYTES) as usize;
        let count = whole.min(SAMPLE_BYTES_PER_DICTIONARY_BYTE * max_bytes as u64 / BLOCK_POSITIONS as u64);
        let (mut samples, mut keys, mut codes) = (Vec::new(), Vec::new(), Vec::new());
        for sample in 0..count {
            self.read(whole * sample / count, 1, &mut keys, &mut codes)?;
            samples.push(if of_keys { encode_keys(&keys) } else { encode_codes(&codes, self.width) });
        }
        Ok(train_dictionary(&samples, max_bytes))
    }

    /// Encodes up to [`BLOCKS_PER_TASK`] blocks from each of `begins` on, by several threads.
    fn encode(
        &self,
        begins: &[u64],
        dictionaries: &[Option<EncoderDictionary<'static>>; 2],
        threads: usize,
    ) -> Result<Vec<EncodedBlocks>, BuildError> {
        let blocks = self.source.positions().div_ceil(BLOCK_POSITIONS as u64);
        let io = |e| BuildError::io(Path::new("zstd"))(e);
        let buffers = || {
            let [keys, codes] = dictionaries;
            let compressors = [BlockCompressor::new(keys.as_ref()), BlockCompressor::new(codes.as_ref())];
            let [keys, codes] = compressors.map(|compressor| compressor.map_err(io));
            Ok(([keys?, codes?], Vec::new(), Vec::new()))
        };
        map_on_threads(threads, begins.len(), buffers, |(compressors, keys, codes), task| {
            let begin = begins[task];
            self.read(begin, BLOCKS_PER_TASK.min(blocks - begin), keys, codes)?;
            let mut encoded = EncodedBlocks { positions: keys.len() as u64, ..EncodedBlocks::default() };
            for &code in codes.iter() {
                *at(&mut encoded.counts, code.into()) += 1;
            }
            for (keys, codes) in keys.chunks(BLOCK_POSITIONS).zip(codes.chunks(BLOCK_POSITIONS)) {
                let bytes = encode_block(&encode_keys(keys), &encode_codes(codes, self.width), compressors);
                encoded.blocks.push((keys[0], bytes.map_err(io)?));
            }
            Ok(encoded)
        })
    }
}

/// An output file under a temporary name. It is removed on drop, unless it was persisted.
#[derive(Debug)]
pub struct PendingFile {
    path: PathBuf,
    /// The final path, with symbolic links resolved.
    output: PathBuf,
    file: File,
    is_named: bool,
}

impl PendingFile {
    /// Creates and locks `output` with `.part` appended. Nothing is written yet: a path that cannot
    /// be written is reported before the work and not after it.
    pub fn open(output: &Path) -> Result<Self, BuildError> {
        let output = files::follow_links(output).map_err(BuildError::io(output))?;
        if fs::metadata(&output).is_ok_and(|there| !there.is_file()) {
            return Err(BuildError::io(&output)(io::Error::other("a folder, a device or a pipe, not a file")));
        }
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let path = output.with_file_name(name);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(BuildError::io(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(BuildError::OutputInUse { path }),
            Err(fs::TryLockError::Error(e)) => return Err(BuildError::io(&path)(e)),
        }
        // The build that held the lock may have ended meanwhile: then the opened file is its
        // output, renamed.
        if !files::is_at(&file, &path) {
            return Err(BuildError::OutputInUse { path });
        }
        Ok(Self { path, output, file, is_named: false })
    }

    /// The temporary path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Truncates the file and returns a handle to it.
    pub(crate) fn truncate(&self) -> Result<File, BuildError> {
        let empty = || -> io::Result<File> {
            self.file.set_len(0)?;
            self.file.try_clone()
        };
        empty().map_err(BuildError::io(&self.path))
    }

    /// Renames the file to its final path and syncs the folder.
    pub(crate) fn persist(mut self) -> Result<(), BuildError> {
        let output = &self.output;
        fs::rename(&self.path, output).map_err(BuildError::io(output))?;
        self.is_named = true;
        let folder = files::parent_folder(output);
        files::sync_folder(folder).map_err(BuildError::io(folder))
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if !self.is_named {
            // An incomplete file is of no use and takes up disk space.
            let _ = fs::remove_file(&self.path);
        }
    }
}
