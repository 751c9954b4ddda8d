//! The strong solutions at hand: files, the books built into the crate, and those that other
//! machines serve.

pub(crate) mod remote;

use std::collections::BTreeMap;
use std::sync::Arc;

use balpan::{Oracle, Value};
use balpan_games::{AnyGame, RulesFile, SizedOracle, TextError};

use crate::format::header::Header;
use crate::probe::oracle::{FileOracle, OracleChain};
use crate::probe::table::{Table, TableError};
use crate::tablebase::remote::{Remote, RemoteError, RemoteOracle, ServedList, ServedPosition, ServedSolution};

/// The books built into the crate; `books/README.md` says how each was made.
const BOOKS: [&[u8]; 1] = [include_bytes!("../../books/connect4.strong")];

/// Strong solutions and books, of any games.
#[derive(Clone, Debug, Default)]
pub struct Tablebase {
    files: Vec<StoredSolution>,
}

/// A solution in files, or one that another machine serves.
#[derive(Clone, Debug)]
struct StoredSolution {
    name: String,
    /// Its rules in the form of [`RulesFile::identity`].
    rules_text: String,
    served: ServedSolution,
    is_remote: bool,
    oracle: Arc<dyn SolutionOracle>,
}

/// Why a solution does not answer.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum TablebaseError<'a> {
    /// The file is damaged. It is not probed any more.
    #[error("{0}")]
    File(&'a TableError),
    /// The other machine does not answer as it should. It is tried again after a while.
    #[error("{0}")]
    Remote(&'a RemoteError),
}

/// An oracle that reports its errors.
trait SolutionOracle: Oracle {
    fn error(&self) -> Option<TablebaseError<'_>>;

    /// The header, if the solution is one file.
    fn header(&self) -> Option<&Header> {
        None
    }
}

impl<B: AsRef<[u8]> + Send + Sync> SolutionOracle for FileOracle<B> {
    fn error(&self) -> Option<TablebaseError<'_>> {
        self.damage().map(TablebaseError::File)
    }

    fn header(&self) -> Option<&Header> {
        FileOracle::header(self).filter(|_| self.is_whole())
    }
}

impl SolutionOracle for RemoteOracle {
    fn error(&self) -> Option<TablebaseError<'_>> {
        self.error().map(TablebaseError::Remote)
    }
}

impl Tablebase {
    /// Opens the books built into the crate.
    #[must_use]
    pub fn with_books() -> Self {
        let mut tablebase = Self::default();
        for book in BOOKS {
            // A test opens all of them.
            if let Ok(table) = Table::open(book) {
                let _ = tablebase.add("a book of balpan's own", table);
            }
        }
        tablebase
    }

    /// Adds a file. It takes precedence over the files of the same game added before. `name`
    /// identifies it in messages.
    ///
    /// # Errors
    /// If the rules in its header cannot be read.
    pub fn add<B: AsRef<[u8]> + Send + Sync + 'static>(
        &mut self,
        name: impl Into<String>,
        table: Table<B>,
    ) -> Result<(), TextError> {
        let of = table.header().subject.clone();
        self.put(name.into(), ServedSolution::new(of), false, Arc::new(FileOracle::new(table)))
    }

    /// Adds the shards of one solution. Those of another solution than the first are left out.
    ///
    /// # Errors
    /// If the rules in their headers cannot be read.
    pub fn add_shards<B: AsRef<[u8]> + Send + Sync + 'static>(
        &mut self,
        name: impl Into<String>,
        tables: Vec<Table<B>>,
    ) -> Result<(), TextError> {
        let Some(of) = tables.first().map(|table| table.header().subject.clone()) else { return Ok(()) };
        match FileOracle::with_shards(tables.into_iter().filter(|table| table.header().subject == of)) {
            Some(shards) => self.put(name.into(), ServedSolution::new(of), false, Arc::new(shards)),
            None => Ok(()),
        }
    }

    /// Adds a solution that another machine [serves](Self::served). It is probed after all files.
    ///
    /// # Errors
    /// If its rules cannot be read.
    pub fn add_remote(
        &mut self,
        name: impl Into<String>,
        remote: &Remote,
        served: ServedSolution,
    ) -> Result<(), TextError> {
        let oracle = Arc::new(RemoteOracle::new(remote.clone(), &served));
        self.put(name.into(), served, true, oracle)
    }

    fn put(
        &mut self,
        name: String,
        served: ServedSolution,
        is_remote: bool,
        oracle: Arc<dyn SolutionOracle>,
    ) -> Result<(), TextError> {
        let rules_text = served.subject.identity()?;
        self.files.push(StoredSolution { name, rules_text, served, is_remote, oracle });
        Ok(())
    }

    /// Returns an oracle of this game: all its solutions that agree with the one added last on
    /// whether symmetric positions are folded. `None` if there are none.
    #[must_use]
    pub fn find(&self, rules: &RulesFile, game: &AnyGame) -> Option<SizedOracle> {
        let rules_text = rules.identity(&game.size()).ok()?;
        let last = self.files.iter().rfind(|file| file.rules_text == rules_text)?;
        let is_of_game = |file: &&StoredSolution| {
            file.rules_text == rules_text && file.served.subject.folded == last.served.subject.folded
        };
        let (remote, mut files): (Vec<_>, Vec<_>) =
            self.files.iter().rev().filter(is_of_game).partition(|file| file.is_remote);
        files.extend(remote);
        let oracle: Arc<dyn Oracle> = match files[..] {
            [file] => Arc::<dyn SolutionOracle>::clone(&file.oracle),
            _ => Arc::new(OracleChain(
                files.iter().map(|file| Arc::<dyn SolutionOracle>::clone(&file.oracle) as _).collect(),
            )),
        };
        Some(SizedOracle { size: last.served.subject.size.clone(), oracle })
    }

    /// The solutions that other machines may probe: those in local files. Remote ones are not
    /// passed on, so that no two machines ask each other in a circle.
    #[must_use]
    pub fn served(&self) -> ServedList {
        let mut list = ServedList::default();
        for file in self.files.iter().filter(|file| !file.is_remote) {
            if !list.solutions.contains(&file.served) {
                list.solutions.push(file.served.clone());
            }
        }
        list
    }

    /// Probes the solution with this id; `None` if no such solution is served. Takes a few
    /// microseconds, or a read of the disk.
    ///
    /// # Errors
    /// If no file has the position and one is damaged.
    pub fn serve(&self, id: &str, layer: u32, key: u128) -> Option<Result<ServedPosition, TablebaseError<'_>>> {
        let files = || self.files.iter().rev().filter(|file| !file.is_remote && file.served.id == id);
        let metric = files().next()?.served.subject.metric;
        let value = files().find_map(|file| file.oracle.value(layer, key));
        let nimber = files().find_map(|file| file.oracle.nimber(layer, key));
        let error = files().find_map(|file| file.oracle.error());
        Some(match error {
            Some(error) if value.is_none() && nimber.is_none() => Err(error),
            _ => Ok(ServedPosition::new(metric, value, nimber)),
        })
    }

    /// Returns the number of positions of each value among all that play reaches from this
    /// position, as a complete solution counts them, and whether symmetric positions are folded
    /// there. Books and shards have no such counts.
    #[must_use]
    pub fn counts(&self, rules: &RulesFile, game: &AnyGame, position: &str) -> Option<(BTreeMap<Value, u64>, bool)> {
        let rules_text = rules.identity(&game.size()).ok()?;
        let of_rules =
            self.files.iter().rev().filter(|file| file.rules_text == rules_text && file.oracle.error().is_none());
        let mut headers = of_rules.filter_map(|file| file.oracle.header());
        headers.find_map(|header| Some((header.counts_from(position)?, header.subject.folded)))
    }

    /// Returns the names of the damaged files and of the machines that failed, with the first error
    /// of each. Clones share this state.
    pub fn errors(&self) -> impl Iterator<Item = (&str, TablebaseError<'_>)> {
        self.files.iter().filter_map(|file| Some((file.name.as_str(), file.oracle.error()?)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use balpan_games::presets::preset;

    use super::*;

    #[test]
    fn books_are_whole_and_found() {
        let tablebase = Tablebase::with_books();
        assert_eq!((tablebase.files.len(), tablebase.errors().count()), (BOOKS.len(), 0));
        let rules = preset("connect4").unwrap().unwrap();
        assert!(tablebase.find(&rules, &rules.game().unwrap()).is_some());
        let small = rules.with_board("4x5").unwrap();
        assert!(tablebase.find(&small, &small.game().unwrap()).is_none());
        let misere = rules.with_change("misere=true").unwrap();
        assert!(tablebase.find(&misere, &misere.game().unwrap()).is_none());
    }
}
