//! Files at hand, and the books that are part of the crate.

use std::sync::Arc;

use balpan::Oracle;
use balpan_games::{AnyGame, KnownOf, RulesFile, TextError};

use crate::format::Subject;
use crate::known::Known;
use crate::shares::Shares;
use crate::table::{Table, TableError};

/// The books that are part of the crate; `books/README.md` says how each was made.
const BOOKS: [&[u8]; 1] = [include_bytes!("../books/connect4.strong")];

/// Strong solutions and books, of whatever games.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    files: Vec<File>,
}

/// A file at hand.
#[derive(Clone, Debug)]
struct File {
    name: String,
    /// The rules that it is of, as [`RulesFile::told`] has them.
    told: String,
    size: String,
    known: Arc<dyn Asked>,
}

/// A file that is asked, whatever its bytes are in.
trait Asked: Oracle {
    fn damage(&self) -> Option<&TableError>;
}

impl<B: AsRef<[u8]> + Send + Sync> Asked for Known<B> {
    fn damage(&self) -> Option<&TableError> {
        self.damage()
    }
}

impl<B: AsRef<[u8]> + Send + Sync> Asked for Shares<B> {
    fn damage(&self) -> Option<&TableError> {
        self.damage()
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
        self.put(name.into(), &of, Arc::new(Known::new(table)))
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
            Some(shares) => self.put(name.into(), &of, Arc::new(shares)),
            None => Ok(()),
        }
    }

    fn put(&mut self, name: String, of: &Subject, known: Arc<dyn Asked>) -> Result<(), TextError> {
        let rules = RulesFile::parse(&of.game, &of.rules)?;
        let (told, size) = (rules.told(&of.size)?, of.size.clone());
        self.files.push(File { name, told, size, known });
        Ok(())
    }

    /// Who knows values of this game.
    #[must_use]
    pub fn find(&self, rules: &RulesFile, game: &AnyGame) -> Option<KnownOf> {
        let told = rules.told(&game.size()).ok()?;
        let File { size, known, .. } = self.files.iter().rfind(|file| file.told == told)?;
        let oracle: Arc<dyn Oracle> = Arc::<dyn Asked>::clone(known);
        Some(KnownOf { size: size.clone(), oracle })
    }

    /// The names of the files that have turned out to be damaged since they were added, here or
    /// on a copy of this shelf, and what was found first. They are not asked any more.
    pub fn damaged(&self) -> impl Iterator<Item = (&str, &TableError)> {
        self.files.iter().filter_map(|file| Some((file.name.as_str(), file.known.damage()?)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use balpan_games::presets::preset;

    use super::*;

    #[test]
    fn books_are_whole_and_found() {
        let shelf = Shelf::with_books();
        assert_eq!((shelf.files.len(), shelf.damaged().count()), (BOOKS.len(), 0));
        let rules = preset("connect4").unwrap().unwrap();
        assert!(shelf.find(&rules, &rules.game().unwrap()).is_some());
        let small = rules.on_board("4x5").unwrap();
        assert!(shelf.find(&small, &small.game().unwrap()).is_none());
        let misere = rules.set("misere=true").unwrap();
        assert!(shelf.find(&misere, &misere.game().unwrap()).is_none());
    }
}
