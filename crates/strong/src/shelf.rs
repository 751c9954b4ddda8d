//! The strong solutions available: files, the books built into the crate, and those of other machines.

use std::fmt;
use std::sync::Arc;

use balpan::{Oracle, Value};
use balpan_games::{AnyGame, KnownOf, RulesFile, TextError};

use crate::format::{Header, Subject};
use crate::known::FileOracle;
use crate::remote::{Remote, RemoteError, RemoteKnown};
use crate::served::{Served, ServedList, ServedPosition};
use crate::several::Several;
use crate::shares::Shares;
use crate::table::{Table, TableError};

/// The books that are part of the crate; `books/README.md` says how each was made.
const BOOKS: [&[u8]; 1] = [include_bytes!("../books/connect4.strong")];

/// Strong solutions and books, of whatever games.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    files: Vec<File>,
}

/// A file at hand, or what another machine has.
#[derive(Clone, Debug)]
struct File {
    name: String,
    /// The rules that it is of, as [`RulesFile::told`] has them.
    told: String,
    what: Served,
    is_remote: bool,
    known: Arc<dyn ShelvedOracle>,
}

/// What is wrong with a file or another machine.
#[derive(Clone, Copy, Debug)]
pub enum Trouble<'a> {
    /// The file is damaged. It is not asked any more.
    File(&'a TableError),
    /// The machine does not answer as it should. It is asked again after a while.
    Remote(&'a RemoteError),
}

impl fmt::Display for Trouble<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Remote(error) => error.fmt(f),
        }
    }
}

/// A file that is asked, whatever its bytes are in.
trait ShelvedOracle: Oracle {
    fn trouble(&self) -> Option<Trouble<'_>>;

    /// What the file says of itself, if it is one file.
    fn header(&self) -> Option<&Header> {
        None
    }
}

impl<B: AsRef<[u8]> + Send + Sync> ShelvedOracle for FileOracle<B> {
    fn trouble(&self) -> Option<Trouble<'_>> {
        self.damage().map(Trouble::File)
    }

    fn header(&self) -> Option<&Header> {
        Some(self.table().header())
    }
}

impl<B: AsRef<[u8]> + Send + Sync> ShelvedOracle for Shares<B> {
    fn trouble(&self) -> Option<Trouble<'_>> {
        self.damage().map(Trouble::File)
    }
}

impl ShelvedOracle for RemoteKnown {
    fn trouble(&self) -> Option<Trouble<'_>> {
        self.trouble().map(Trouble::Remote)
    }
}

impl Shelf {
    /// The books that are part of the crate.
    #[must_use]
    pub fn with_books() -> Self {
        let mut shelf = Self::default();
        for book in BOOKS {
            // A test opens them all.
            if let Ok(table) = Table::open(book) {
                let _ = shelf.add("a book of balpan's own", table);
            }
        }
        shelf
    }

    /// Adds a file, which is asked rather than those before it that are of the same game. Its
    /// name is for whoever is told of it.
    ///
    /// # Errors
    /// If the rules in it cannot be read.
    pub fn add<B: AsRef<[u8]> + Send + Sync + 'static>(
        &mut self,
        name: impl Into<String>,
        table: Table<B>,
    ) -> Result<(), TextError> {
        let of = table.header().of.clone();
        self.put(name.into(), Served::new(of), false, Arc::new(FileOracle::new(table)))
    }

    /// Adds files of shares of a solution, as one file. Those that are of something else than the
    /// first are left out.
    ///
    /// # Errors
    /// If the rules in them cannot be read.
    pub fn add_shares<B: AsRef<[u8]> + Send + Sync + 'static>(
        &mut self,
        name: impl Into<String>,
        tables: Vec<Table<B>>,
    ) -> Result<(), TextError> {
        let Some(of) = tables.first().map(|table| table.header().of.clone()) else { return Ok(()) };
        match Shares::new(tables.into_iter().filter(|table| table.header().of == of)) {
            Some(shares) => self.put(name.into(), Served::new(of), false, Arc::new(shares)),
            None => Ok(()),
        }
    }

    /// Adds a solution that another machine [serves](Self::served). It is asked after all files.
    ///
    /// # Errors
    /// If its rules cannot be read.
    pub fn add_remote(&mut self, name: impl Into<String>, remote: &Remote, served: Served) -> Result<(), TextError> {
        let known = Arc::new(RemoteKnown::new(remote.clone(), &served));
        self.put(name.into(), served, true, known)
    }

    fn put(
        &mut self,
        name: String,
        what: Served,
        is_remote: bool,
        known: Arc<dyn ShelvedOracle>,
    ) -> Result<(), TextError> {
        let told = told(&what.of)?;
        self.files.push(File { name, told, what, is_remote, known });
        Ok(())
    }

    /// Who knows values of this game: all files of it that agree with the last on whether
    /// symmetric positions are one.
    #[must_use]
    pub fn find(&self, rules: &RulesFile, game: &AnyGame) -> Option<KnownOf> {
        let told = rules.told(&game.size()).ok()?;
        let last = self.files.iter().rfind(|file| file.told == told)?;
        let is_of_game = |file: &&File| file.told == told && file.what.of.folded == last.what.of.folded;
        let (remote, mut files): (Vec<_>, Vec<_>) =
            self.files.iter().rev().filter(is_of_game).partition(|file| file.is_remote);
        files.extend(remote);
        let oracle: Arc<dyn Oracle> = match files[..] {
            [file] => Arc::<dyn ShelvedOracle>::clone(&file.known),
            _ => {
                Arc::new(Several(files.iter().map(|file| Arc::<dyn ShelvedOracle>::clone(&file.known) as _).collect()))
            }
        };
        Some(KnownOf { size: last.what.of.size.clone(), oracle })
    }

    /// The solutions that other machines may ask for: those in files here. What is asked of
    /// another machine is not passed on, so that no two ask each other.
    #[must_use]
    pub fn served(&self) -> ServedList {
        let mut list = ServedList::default();
        for file in self.files.iter().filter(|file| !file.is_remote) {
            if !list.solutions.contains(&file.what) {
                list.solutions.push(file.what.clone());
            }
        }
        list
    }

    /// What the solution with this id has of a position; `None` if no such solution is served.
    /// A few microseconds, or a read of the disk.
    ///
    /// # Errors
    /// If the position is not known and a file is damaged.
    pub fn serve(&self, id: &str, layer: u32, key: u128) -> Option<Result<ServedPosition, Trouble<'_>>> {
        let files = || self.files.iter().rev().filter(|file| !file.is_remote && file.what.id == id);
        let tells = files().next()?.what.of.tells;
        let value = files().find_map(|file| file.known.value(layer, key));
        let nimber = files().find_map(|file| file.known.nimber(layer, key));
        let trouble = files().find_map(|file| file.known.trouble());
        Some(match trouble {
            Some(trouble) if value.is_none() && nimber.is_none() => Err(trouble),
            _ => Ok(ServedPosition::new(tells, value, nimber)),
        })
    }

    /// How many positions have each value, of all that play reaches from this position, as a strong
    /// solution of it counts them; and whether positions that a symmetry turns into each other are one
    /// there. Books, and solutions in shares, count nothing.
    #[must_use]
    pub fn counts(&self, rules: &RulesFile, game: &AnyGame, position: &str) -> Option<(Vec<(Value, u64)>, bool)> {
        let told = rules.told(&game.size()).ok()?;
        let has_all = |header: &&Header| {
            let of = &header.of;
            of.is_complete() && header.share.is_none() && of.starts.len() == 1 && of.starts[0] == position
        };
        let of_rules = self.files.iter().rev().filter(|file| file.told == told && file.known.trouble().is_none());
        let header = of_rules.filter_map(|file| file.known.header()).find(has_all)?;
        let counts = header.layers.iter().flat_map(|layer| &layer.counts);
        let counts = counts.map(|(code, count)| Some((header.value(*code)?, *count)));
        Some((counts.collect::<Option<_>>()?, header.of.folded))
    }

    /// The names of the files that have turned out to be damaged since they were added, here or
    /// on a copy of this shelf, and of the machines that did not answer, and what was found first.
    pub fn troubles(&self) -> impl Iterator<Item = (&str, Trouble<'_>)> {
        self.files.iter().filter_map(|file| Some((file.name.as_str(), file.known.trouble()?)))
    }
}

/// The rules of what is solved, as [`RulesFile::told`] has them.
fn told(of: &Subject) -> Result<String, TextError> {
    RulesFile::parse(&of.game, &of.rules)?.told(&of.size)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use balpan_games::presets::preset;

    use super::*;

    #[test]
    fn books_are_whole_and_found() {
        let shelf = Shelf::with_books();
        assert_eq!((shelf.files.len(), shelf.troubles().count()), (BOOKS.len(), 0));
        let rules = preset("connect4").unwrap().unwrap();
        assert!(shelf.find(&rules, &rules.game().unwrap()).is_some());
        let small = rules.on_board("4x5").unwrap();
        assert!(shelf.find(&small, &small.game().unwrap()).is_none());
        let misere = rules.set("misere=true").unwrap();
        assert!(shelf.find(&misere, &misere.game().unwrap()).is_none());
    }
}
