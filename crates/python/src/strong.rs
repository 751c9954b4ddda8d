//! Strong solutions in files.

use balpan::{Outcome, Value, Watch};
use balpan_games::{AnyGame, Notation, RulesFile, Task, TextError};
use balpan_strong::{Header, Metric, Solution, Table, TableError, VerifyError};
use memmap2::Mmap;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pythonize::pythonize;
use serde::Serialize;

use crate::errors::{error, text_error};
use crate::game::open_file;
use crate::waiting::{RunControl, run_interruptible};

/// The code for a position that is not in the file.
const MISSING_CODE: u16 = u16::MAX;

/// A memory-mapped strong solution.
#[pyclass(frozen, module = "balpan._balpan")]
pub(crate) struct StrongFile {
    path: String,
    solution: Solution<Mmap>,
    game: AnyGame,
}

/// The description of a file.
#[derive(Serialize)]
struct FileInfo<'a> {
    game: &'a str,
    rules: &'a str,
    size: &'a str,
    starts: &'a [String],
    tells: Metric,
    folded: bool,
    plies: Option<u32>,
    has_keys: bool,
    positions: u64,
    bytes: u64,
    /// The layers with their numbers of positions, the highest first.
    layers: Vec<(u32, u64)>,
    /// The codes with their meanings and numbers of positions.
    codes: Vec<CodeInfo>,
}

#[derive(Serialize)]
struct CodeInfo {
    code: u16,
    outcome: Option<String>,
    remoteness: Option<u32>,
    nimber: Option<u16>,
    positions: u64,
}

/// The meaning of a code: an outcome with a remoteness, or a nimber.
#[derive(Serialize)]
struct Meaning {
    outcome: Option<String>,
    remoteness: Option<u32>,
    nimber: Option<u16>,
}

#[pymethods]
impl StrongFile {
    #[new]
    fn new(py: Python<'_>, path: String) -> PyResult<Self> {
        let solution = open_file(py, &path, Solution::open)?;
        let subject = &solution.header().subject;
        let rules = RulesFile::parse(&subject.game, &subject.rules);
        let game = rules.and_then(|rules| match subject.starts.first() {
            Some(start) => rules.game_at(start),
            None => rules.game(),
        });
        let game = game.map_err(|error| text_error(py, &error))?;
        Ok(Self { path, solution, game })
    }

    /// Describes the file.
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let header = self.solution.header();
        let subject = &header.subject;
        let mut counts = std::collections::BTreeMap::new();
        for &(code, count) in header.layers.iter().flat_map(|layer| &layer.counts) {
            *counts.entry(code).or_insert(0) += count;
        }
        let code = |(code, positions)| {
            let Meaning { outcome, remoteness, nimber } = decode(header, code);
            CodeInfo { code, outcome, remoteness, nimber, positions }
        };
        let info = FileInfo {
            game: &subject.game,
            rules: &subject.rules,
            size: &subject.size,
            starts: &subject.starts,
            tells: subject.metric,
            folded: subject.folded,
            plies: subject.plies,
            has_keys: matches!(self.solution, Solution::Table(_)),
            positions: header.positions(),
            bytes: self.solution.bytes(),
            layers: header.layers.iter().map(|layer| (layer.layer, layer.positions)).collect(),
            codes: counts.into_iter().map(code).collect(),
        };
        Ok(pythonize(py, &info)?)
    }

    /// Looks up a position; `None` if the file does not have it.
    fn look_up<'py>(&self, py: Python<'py>, position: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        struct LookUp<'a>(&'a Solution<Mmap>, &'a str);

        impl Task for LookUp<'_> {
            type Output = Result<Result<Option<u16>, VerifyError>, TextError>;

            fn run<G: Notation>(self, game: &G) -> Self::Output {
                Ok(self.0.code_of(game, &game.parse(self.1)?))
            }
        }

        let found = self.game.run(LookUp(&self.solution, position)).map_err(|error| text_error(py, &error))?;
        let code = found.map_err(|e| self.file_error(py, &e))?;
        code.map(|code| Ok(pythonize(py, &decode(self.solution.header(), code))?)).transpose()
    }

    /// Returns the layer and the key of a position in the file.
    fn place_of(&self, py: Python<'_>, position: &str) -> PyResult<(Option<u32>, u128)> {
        struct Place<'a>(bool, &'a str);

        impl Task for Place<'_> {
            type Output = Result<(Option<u32>, u128), TextError>;

            fn run<G: Notation>(self, game: &G) -> Self::Output {
                let position = game.parse(self.1)?;
                let position = if self.0 { game.canonical(&position) } else { position };
                Ok((game.layer(&position), game.key(&position)))
            }
        }

        self.game.run(Place(self.solution.header().subject.folded, position)).map_err(|error| text_error(py, &error))
    }

    /// Returns the text of the position with this key, if there is one.
    fn position_of(&self, key: u128) -> Option<String> {
        struct Text(u128);

        impl Task for Text {
            type Output = Option<String>;

            fn run<G: Notation>(self, game: &G) -> Self::Output {
                game.position_from_key(self.0).map(|position| game.text(&position))
            }
        }

        self.game.run(Text(key))
    }

    /// Returns the codes of many keys of a layer. Keys have 8 or 16 bytes each and codes 2, all little-endian. The code
    /// of a missing key is 65535.
    fn codes<'py>(&self, py: Python<'py>, layer: u32, keys: &[u8], width: usize) -> PyResult<Bound<'py, PyBytes>> {
        let solution = &self.solution;
        let found =
            run_interruptible(py, RunControl::unlimited(), |watch| look_up_codes(solution, layer, keys, width, watch))?;
        let codes = found.map_err(|e| self.file_error(py, &e))?;
        Ok(PyBytes::new(py, &codes))
    }

    /// Returns the keys of a layer in ascending order and their codes, in the formats of [`codes`](Self::codes).
    fn layer<'py>(
        &self,
        py: Python<'py>,
        layer: u32,
        width: usize,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let table = self.table(py)?;
        let found = run_interruptible(py, RunControl::unlimited(), |watch| -> Result<_, TableError> {
            let (mut keys, mut codes) = (Vec::new(), Vec::new());
            for entry in table.walk(Some(layer))? {
                let entry = entry?;
                keys.extend_from_slice(&entry.key.to_le_bytes()[..width.min(16)]);
                codes.extend_from_slice(&entry.code.to_le_bytes());
                if watch.is_stopping() {
                    break;
                }
            }
            Ok((keys, codes))
        })?;
        let (keys, codes) = found.map_err(|e| self.file_error(py, &e))?;
        Ok((PyBytes::new(py, &keys), PyBytes::new(py, &codes)))
    }

    /// Returns the number of bits of a key.
    fn key_bits(&self) -> u32 {
        struct Bits;

        impl Task for Bits {
            type Output = u32;

            fn run<G: Notation>(self, game: &G) -> u32 {
                game.key_bits()
            }
        }

        self.game.run(Bits)
    }
}

impl StrongFile {
    fn table(&self, py: Python<'_>) -> PyResult<&Table<Mmap>> {
        match &self.solution {
            Solution::Table(table) => Ok(table),
            Solution::Values(_) => {
                let message = format!("{}: the file has no keys, and cannot list its positions", self.path);
                Err(error(py, "StrongError", &message, "take the file that it was made from"))
            }
        }
    }

    fn file_error(&self, py: Python<'_>, e: &dyn std::error::Error) -> PyErr {
        error(py, "StrongError", &format!("{}: {e}", self.path), "build the file again")
    }
}

/// Returns the meaning of a code.
fn decode(header: &Header, code: u16) -> Meaning {
    let value = header.value(code);
    Meaning {
        outcome: value.map(Value::outcome).map(|outcome: Outcome| outcome.to_string()),
        remoteness: value.and_then(Value::remoteness),
        nimber: value.is_none().then_some(code),
    }
}

/// See [`StrongFile::codes`].
fn look_up_codes(
    solution: &Solution<Mmap>,
    layer: u32,
    keys: &[u8],
    width: usize,
    watch: &Watch,
) -> Result<Vec<u8>, TableError> {
    let mut codes = Vec::with_capacity(keys.len() / width.max(1) * 2);
    let mut prober = match solution {
        Solution::Table(table) => Some(table.prober()?),
        Solution::Values(_) => None,
    };
    for (n, bytes) in keys.chunks_exact(width.clamp(1, 16)).enumerate() {
        if n % 4096 == 0 && watch.is_stopping() {
            break;
        }
        let mut key = [0; 16];
        key[..bytes.len()].copy_from_slice(bytes);
        let key = u128::from_le_bytes(key);
        let code = match &mut prober {
            Some(prober) => prober.probe(layer, key)?,
            None => solution.code(layer, key)?,
        };
        codes.extend_from_slice(&code.unwrap_or(MISSING_CODE).to_le_bytes());
    }
    Ok(codes)
}
