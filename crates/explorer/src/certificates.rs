//! Certificates of a folder, each checked before anything is said of it.

mod notes;
mod said;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use axum::body::Bytes;
use axum::http::HeaderValue;
use balpan::Game;
use balpan_check::CheckError;
use balpan_check::{Limits, Proved, check, parse};
use balpan_games::AnyGame;
use balpan_prove::{Positions, header_rules};

use crate::refusal::Refusal;
use crate::scene::Scene;
use crate::tags::tag;
pub(crate) use notes::{MOST_CLAIMS, Note, Notes, What};
pub(crate) use said::Said;

/// Files that are read of a folder.
const MOST_FILES: usize = 64;

/// Bytes of the largest file.
const LARGEST: u64 = 16 << 20;

/// Letters of the longest name.
const LONGEST_NAME: usize = 100;

/// Bytes that the check of one certificate may take.
const MEMORY: u64 = 256 << 20;

/// The certificates of a folder. They are shown once they are proved.
#[derive(Debug, Default)]
pub struct Certificates(RwLock<Found>);

#[derive(Debug, Default)]
struct Found {
    proved: BTreeMap<String, Arc<Certificate>>,
    /// Files that are still to be checked, the one in hand first.
    unchecked: VecDeque<PathBuf>,
}

/// Files that were left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The file.
    pub file: PathBuf,
    /// Why.
    pub why: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is left out: {}", self.file.display(), self.why)
    }
}

/// A certificate that is proved.
#[derive(Debug)]
pub(crate) struct Certificate {
    pub(crate) name: String,
    pub(crate) bytes: Bytes,
    pub(crate) tag: HeaderValue,
    pub(crate) proved: Proved,
    pub(crate) said: Said,
    /// The players of its position: the one to move, and the other.
    pub(crate) players: [&'static str; 2],
    /// The lines of its head about the rules.
    rules: String,
    /// What it answers; `None` if that is too much to be walked.
    pub(crate) notes: Option<Notes>,
}

impl Certificates {
    /// Lists the files of a folder that end in `.cert`, which [`check`](Self::check) reads. Returns one that is too many
    /// as well.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn of_folder(folder: &Path) -> io::Result<(Self, Option<LeftOut>)> {
        let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
        let mut files = entries.collect::<io::Result<Vec<_>>>()?;
        files.retain(|file| file.extension().is_some_and(|end| end == "cert"));
        files.sort();
        let left_out = files.get(MOST_FILES).map(|first| {
            let more = files.len() - MOST_FILES;
            let why =
                format!("{MOST_FILES} files of a folder are read; this one and all after it, {more}, are too many");
            LeftOut { file: first.clone(), why }
        });
        files.truncate(MOST_FILES);
        let found = Found { unchecked: files.into(), ..Found::default() };
        Ok((Self(RwLock::new(found)), left_out))
    }

    /// Checks the files one after the other, on `threads` threads, and keeps those that are proved. `left_out` is
    /// called for each of the others. Meanwhile, pages say which are still to be checked.
    pub fn check(&self, threads: usize, mut left_out: impl FnMut(LeftOut)) {
        loop {
            let Some(file) = self.found().unchecked.front().cloned() else { return };
            let checked = Certificate::of_file(&file, threads);
            let mut found = self.0.write().unwrap_or_else(PoisonError::into_inner);
            found.unchecked.pop_front();
            match checked {
                Ok(certificate) => drop(found.proved.insert(certificate.name.clone(), Arc::new(certificate))),
                Err(why) => {
                    drop(found);
                    left_out(LeftOut { file, why });
                }
            }
        }
    }

    fn found(&self) -> RwLockReadGuard<'_, Found> {
        // Each change is made at once.
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that are proved, by name.
    pub(crate) fn proved(&self) -> Vec<Arc<Certificate>> {
        self.found().proved.values().cloned().collect()
    }

    /// The number of files that are still to be checked.
    pub(crate) fn unchecked(&self) -> usize {
        self.found().unchecked.len()
    }

    /// The proved certificate of this name.
    ///
    /// # Errors
    /// If it is still to be checked, or there is none.
    pub(crate) fn named(&self, name: &str) -> Result<Arc<Certificate>, Refusal> {
        let found = self.found();
        let is_it = |file: &PathBuf| file.file_stem().is_some_and(|of| of == name);
        match found.proved.get(name) {
            Some(certificate) => Ok(Arc::clone(certificate)),
            None if found.unchecked.iter().any(is_it) => Err(Refusal::certificate_unchecked()),
            None => Err(Refusal::no_certificate()),
        }
    }

    /// Those about the position that the scene shows, by the same rules.
    pub(crate) fn about(&self, scene: &Scene) -> Vec<Arc<Certificate>> {
        let mut all = self.proved();
        if !all.is_empty() {
            let (position, rules) = (for_checker(&scene.game), lines_of(&header_rules(&scene.game)));
            all.retain(|of| of.proved.position == position && of.rules == rules);
        }
        all
    }
}

impl Certificate {
    /// The certificate in a file, if it is proved; or why it is not.
    fn of_file(file: &Path, threads: usize) -> Result<Self, String> {
        let name = file.file_stem().and_then(|name| name.to_str()).filter(|name| is_name(name));
        let name = name.ok_or("expected a name of letters, digits, `_` and `-` alone, and `.cert`")?;
        Self::of_bytes(name, read(file)?, threads)
    }

    /// The certificate in these bytes.
    pub(crate) fn of_bytes(name: &str, bytes: Vec<u8>, threads: usize) -> Result<Self, String> {
        let limits = Limits { memory: MEMORY, threads, ..Limits::default() };
        let proved = check(&bytes, &limits).map_err(in_a_line)?;
        let (header, body) = parse(&bytes).map_err(in_a_line)?;
        let notes = Notes::of(&header, body);
        let (said, players) = (Said::of(&header), header.game.players(&header.position));
        let head = &bytes[..bytes.len() - body.len()];
        let rules = rules_of(&String::from_utf8_lossy(head));
        Ok(Self { name: name.to_owned(), tag: tag(&bytes), bytes: bytes.into(), proved, said, players, rules, notes })
    }

    /// The scene that shows a position of it, if its game is a preset with these rules.
    pub(crate) fn scene(&self, position: &str) -> Option<Scene> {
        let link = crate::link::Link { game: self.proved.game.clone(), ..Default::default() };
        let scene = Scene::new(link.at_position(position)).ok()?;
        let is_it = for_checker(&scene.game) == position && lines_of(&header_rules(&scene.game)) == self.rules;
        is_it.then_some(scene)
    }
}

/// Whether a file may be called so: the name is part of addresses.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(is_plain)
}

/// Reads a file that is not too large. What is no plain file is not opened.
fn read(file: &Path) -> Result<Vec<u8>, String> {
    if !fs::metadata(file).map_err(|e| e.to_string())?.is_file() {
        return Err("it is not a file".into());
    }
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    read.map_err(|e| e.to_string())?;
    if bytes.len() as u64 > LARGEST {
        return Err(format!("it is larger than {LARGEST} bytes"));
    }
    Ok(bytes)
}

/// What the checker says, in one line.
fn in_a_line(failure: CheckError) -> String {
    let (what, why) = match failure {
        CheckError::NotProved(why) => ("not proved", why),
        CheckError::NotACertificate(why) => ("not a certificate", why),
        CheckError::TooLarge(why) => ("not checked", why),
        CheckError::Interrupted => ("not checked", "interrupted".into()),
    };
    format!("{what}: {}", why.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The lines of a head about the rules.
fn rules_of(head: &str) -> String {
    const OTHERS: [&str; 6] = ["game", "position", "claim", "settle", "claims", "answers"];
    let is_of_rules = |line: &&str| line.split_once(':').is_some_and(|(key, _)| !OTHERS.contains(&key.trim()));
    lines_of(&head.lines().filter(is_of_rules).collect::<Vec<_>>().join("\n"))
}

/// The same lines without blanks that do not count.
fn lines_of(rules: &str) -> String {
    let line = |line: &str| match line.split_once(':') {
        Some((key, value)) => format!("{}: {}\n", key.trim(), value.trim()),
        None => String::new(),
    };
    rules.lines().map(line).collect()
}

/// The position that the game starts from, as the checker writes it.
fn for_checker(game: &AnyGame) -> String {
    match game {
        AnyGame::Walkers(game) => game.for_checker(&game.start()),
        AnyGame::WideWalkers(game) => game.for_checker(&game.start()),
        AnyGame::Placement(game) => game.for_checker(&game.start()),
        AnyGame::WidePlacement(game) => game.for_checker(&game.start()),
        AnyGame::Lines(game) => game.for_checker(&game.start()),
        AnyGame::Heaps(game) => game.for_checker(&game.start()),
    }
}
