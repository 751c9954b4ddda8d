//! Strong solutions in files.

use std::path::PathBuf;

use balpan::{Budget, Game, Watch};
use balpan_app::{EntryValue, SolutionReport};
use balpan_games::{AnyGame, Notation};
use balpan_strong::{AnyKeyGame, Metric, Plan, Prober, Progress, Solution, Subject, Table, TableError};
use memmap2::Mmap;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pythonize::pythonize;

use crate::errors::{error, text_error};
use crate::game::{TextGame, open_file};
use crate::waiting::{RunControl, run_interruptible};

/// The code for a position that is not in the file.
const MISSING_CODE: u16 = u16::MAX;

#[pymethods]
impl TextGame {
    /// Writes the values of all positions that play can reach from one to a file. Working files stand in a folder beside it,
    /// from which the same call goes on if this one is interrupted.
    fn build(
        &self,
        py: Python<'_>,
        output: PathBuf,
        position: Option<&str>,
        nimber: bool,
        folded: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let refused = |message: &str, help: &str| error(py, "StrongError", message, help);
        let (shared, name) = (&self.0, &self.0.rules.name);
        if shared.is_own() {
            let message = format!("{name} is written in Python: its positions have no keys that a file could hold");
            return Err(refused(&message, "state it as a rules file, or in Rust with `position_from_key`"));
        }
        if output.exists() {
            let message = format!("{} exists", output.display());
            return Err(refused(&message, "open it, give another path, or move the file away: it is left as it is"));
        }
        let mut scratch = output.clone().into_os_string();
        scratch.push(".scratch");
        let game = shared.at(py, position)?;
        let subject = Subject {
            game: name.clone(),
            rules: shared.rules.text.clone(),
            size: game.size(),
            starts: vec![game.start_text()],
            metric: if nimber { Metric::Nimber } else { Metric::Value },
            // Splitting the game into parts already folds them.
            folded: nimber || folded,
            plies: None,
        };
        let Budget { memory, threads } = shared.make.budget;
        let plan = Plan { subject, output, scratch: scratch.into(), memory, threads };
        let control = RunControl::new(py, None, progress)?;
        let built = run_interruptible(py, control, |watch| {
            AnyKeyGame::new(&game).build(&[game.erased().start()], &plan, watch, &Progress::default())
        })?;
        let help = "take a smaller board, allow more memory or disk, or give a path where files can be written";
        built.map_err(|e| refused(&e.to_string(), help)).map(drop)
    }
}

/// A memory-mapped strong solution.
#[pyclass(frozen, module = "balpan._balpan")]
pub(crate) struct StrongFile {
    path: String,
    solution: Solution<Mmap>,
    game: AnyGame,
}

#[pymethods]
impl StrongFile {
    #[new]
    fn new(py: Python<'_>, path: String) -> PyResult<Self> {
        let solution = open_file(py, &path, Solution::open)?;
        let game = solution.header().subject.load_game().map_err(|error| text_error(py, &error))?;
        Ok(Self { path, solution, game })
    }

    /// Describes the file, with the fields of `balpan strong info --json`. Also returns the codes of its values.
    fn about<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Vec<u16>)> {
        let report = SolutionReport::new(&self.solution);
        Ok((pythonize(py, &report)?, report.values.iter().map(|of| of.code).collect()))
    }

    /// Looks up a position; `None` if the file does not have it.
    fn look_up<'py>(&self, py: Python<'py>, position: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let game = self.game.erased();
        let position = game.parse(position).map_err(|error| text_error(py, &error))?;
        let code = self.solution.code_of(&game, &position).map_err(|e| self.file_error(py, &e))?;
        code.map(|code| Ok(pythonize(py, &EntryValue::new(self.solution.header(), code))?)).transpose()
    }

    /// Returns the layer and the key of a position in the file.
    fn place_of(&self, py: Python<'_>, position: &str) -> PyResult<(Option<u32>, u128)> {
        let game = self.game.erased();
        let position = game.parse(position).map_err(|error| text_error(py, &error))?;
        let position = if self.solution.header().subject.folded { game.canonical(&position) } else { position };
        Ok((game.stored_layer(&position), game.key(&position)))
    }

    /// Returns the text of the position with this key, if there is one.
    fn position_of(&self, key: u128) -> Option<String> {
        let game = self.game.erased();
        game.position_from_key(key).map(|position| game.text(&position))
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
        self.game.erased().key_bits()
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
        Solution::Table(table) => Some((table, Prober::new()?)),
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
            Some((table, prober)) => prober.probe(table, layer, key)?,
            None => solution.code(layer, key)?,
        };
        codes.extend_from_slice(&code.unwrap_or(MISSING_CODE).to_le_bytes());
    }
    Ok(codes)
}
