//! The certificates in a folder. None is shown before the checker has proved it.

mod transcript;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use axum::body::Bytes;
use axum::http::{HeaderValue, StatusCode};
use balpan_check::CheckError;
use balpan_check::trusted::claim::{Claim, Guarantee, Header};
use balpan_check::untrusted::notation::Degree;
use balpan_check::{Limits, Proved, check, parse};
use balpan_games::AnyGame;

use crate::error::RequestError;
use crate::layers::tag;
use crate::scene::Scene;
use crate::words::error as say;
pub(crate) use transcript::{ClaimKind, ClaimRecord, MAX_CLAIMS, Transcript};

/// Files of a folder that are read.
const MAX_FILES: usize = 64;

/// Bytes of the largest file.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Characters of the longest name.
const MAX_NAME_CHARS: usize = 100;

/// Bytes that the check of one certificate may take.
const CHECK_MEMORY_BYTES: u64 = 256 << 20;

/// The certificates in a folder, shown once they are proved.
#[derive(Debug, Default)]
pub struct Certificates(RwLock<Files>);

#[derive(Debug, Default)]
struct Files {
    proved: BTreeMap<String, Arc<Certificate>>,
    /// The files that are not checked yet; the first one is being checked.
    unchecked: VecDeque<PathBuf>,
}

/// A file that is not shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedFile {
    /// The file.
    pub file: PathBuf,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for SkippedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is left out: {}", self.file.display(), self.reason)
    }
}

/// A proved certificate.
#[derive(Debug)]
pub(crate) struct Certificate {
    pub(crate) name: String,
    pub(crate) bytes: Bytes,
    pub(crate) tag: HeaderValue,
    pub(crate) proved: Proved,
    pub(crate) statement: Statement,
    /// The players of the position: the one to move, and the other.
    pub(crate) players: [&'static str; 2],
    /// The lines of the head about the rules.
    rules: String,
    /// The claims and answers; `None` if there are too many to show.
    pub(crate) transcript: Option<Transcript>,
}

impl Certificates {
    /// Lists the files of a folder that end in `.cert`, for [`check`](Self::check) to read. Also returns the first file
    /// beyond the limit on their number.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn from_folder(folder: &Path) -> io::Result<(Self, Option<SkippedFile>)> {
        let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
        let mut files = entries.collect::<io::Result<Vec<_>>>()?;
        files.retain(|file| file.extension().is_some_and(|end| end == "cert"));
        files.sort();
        let skipped = files.get(MAX_FILES).map(|first| {
            let more = files.len() - MAX_FILES;
            let reason =
                format!("{MAX_FILES} files of a folder are read; this one and all after it, {more}, are too many");
            SkippedFile { file: first.clone(), reason }
        });
        files.truncate(MAX_FILES);
        // The small ones are checked soon, and first.
        files.sort_by_key(|file| fs::metadata(file).map_or(0, |file| file.len()));
        let files = Files { unchecked: files.into(), ..Files::default() };
        Ok((Self(RwLock::new(files)), skipped))
    }

    /// Checks the files one after the other, on `threads` threads. Proved certificates are shown; `on_skipped` is called
    /// for each of the other files.
    pub fn check(&self, threads: usize, mut on_skipped: impl FnMut(SkippedFile)) {
        loop {
            let Some(file) = self.files().unchecked.front().cloned() else { return };
            let checked = Certificate::from_file(&file, threads);
            let mut files = self.0.write().unwrap_or_else(PoisonError::into_inner);
            files.unchecked.pop_front();
            match checked {
                Ok(certificate) => drop(files.proved.insert(certificate.name.clone(), Arc::new(certificate))),
                Err(reason) => {
                    drop(files);
                    on_skipped(SkippedFile { file, reason });
                }
            }
        }
    }

    fn files(&self) -> RwLockReadGuard<'_, Files> {
        // Each change is a single step, so that a panic leaves the files valid.
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the proved certificates by name.
    pub(crate) fn proved(&self) -> Vec<Arc<Certificate>> {
        self.files().proved.values().cloned().collect()
    }

    /// The number of files that are not checked yet.
    pub(crate) fn unchecked(&self) -> usize {
        self.files().unchecked.len()
    }

    /// Returns the proved certificate of this name.
    ///
    /// # Errors
    /// If it is not checked yet, or there is none.
    pub(crate) fn get(&self, name: &str) -> Result<Arc<Certificate>, RequestError> {
        let files = self.files();
        let is_it = |file: &PathBuf| file.file_stem().is_some_and(|stem| stem == name);
        match files.proved.get(name) {
            Some(certificate) => Ok(Arc::clone(certificate)),
            None if files.unchecked.iter().any(is_it) => {
                Err(RequestError::localized(StatusCode::SERVICE_UNAVAILABLE, say::certificate_unchecked))
            }
            None => Err(RequestError::not_found(say::no_certificate)),
        }
    }

    /// Returns the certificates about the scene's position and rules.
    pub(crate) fn about(&self, scene: &Scene) -> Vec<Arc<Certificate>> {
        let mut all = self.proved();
        if all.is_empty() {
            return all;
        }
        let Some((position, rules)) = checker_text(&scene.game) else { return Vec::new() };
        all.retain(|certificate| certificate.proved.position == position && certificate.rules == rules);
        all
    }
}

impl Certificate {
    /// Checks the certificate in a file. The error says why it is not proved.
    fn from_file(file: &Path, threads: usize) -> Result<Self, String> {
        let name = file.file_stem().and_then(|name| name.to_str()).filter(|name| is_name(name));
        let name = name.ok_or("expected a name of letters, digits, `_` and `-` alone, and `.cert`")?;
        let bytes = read(file)?;
        let limits = Limits { memory: CHECK_MEMORY_BYTES, threads, ..Limits::default() };
        let proved = check(&bytes, &limits).map_err(one_line)?;
        let (header, body) = parse(&bytes).map_err(one_line)?;
        let transcript = Transcript::new(&header, body);
        let (statement, players) = (Statement::new(&header), header.game.players(&header.position));
        let head = &bytes[..bytes.len() - body.len()];
        let rules = rules_in(&String::from_utf8_lossy(head));
        Ok(Self {
            name: name.to_owned(),
            tag: tag(&bytes),
            bytes: bytes.into(),
            proved,
            statement,
            players,
            rules,
            transcript,
        })
    }

    /// Returns the scene of a position of the game, if that is a preset with the same rules.
    pub(crate) fn scene(&self, position: &str) -> Option<Scene> {
        let link = crate::link::Link { game: self.proved.game.clone(), ..Default::default() };
        let scene = Scene::new(link.with_position(position)).ok()?;
        let (start, rules) = checker_text(&scene.game)?;
        (start == position && rules == self.rules).then_some(scene)
    }
}

/// A statement about a position. `mover` says whether it is about the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    /// The position has this nimber.
    Nimber(u32),
    /// The position is a draw.
    Draw,
    /// A player can force this result.
    Guarantee { mover: bool, guarantee: Guarantee },
    /// A player gets exactly this score.
    Score { mover: bool, score: i32 },
    /// A player wins in exactly this number of plies.
    WinInExactly { mover: bool, plies: u32 },
}

impl Statement {
    pub(crate) fn new(header: &Header) -> Self {
        let plies = |guarantee: Guarantee| match guarantee.degree() {
            Some(Degree::WinWithin(plies)) => plies,
            _ => 0,
        };
        match &header.claim {
            Claim::Nimber(nimber) => Self::Nimber(*nimber),
            Claim::WinsByNimber(mover) => Self::Guarantee { mover: *mover, guarantee: Guarantee::WIN },
            Claim::Play(halves) => match halves[..] {
                [(mover, guarantee)] => Self::Guarantee { mover, guarantee },
                [(mover, guarantee), _] => match guarantee.score() {
                    Some(0) => Self::Draw,
                    Some(score) => Self::Score { mover, score },
                    None => Self::WinInExactly { mover, plies: plies(guarantee) },
                },
                _ => Self::Draw,
            },
        }
    }
}

/// Whether a name is allowed: it is part of URLs.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (1..=MAX_NAME_CHARS).contains(&name.len()) && name.chars().all(is_plain)
}

/// Reads a regular file that is not too large. Other files, such as pipes, are not opened.
fn read(file: &Path) -> Result<Vec<u8>, String> {
    if !fs::metadata(file).map_err(|e| e.to_string())?.is_file() {
        return Err("it is not a file".into());
    }
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|e| e.to_string())?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("it is larger than {MAX_FILE_BYTES} bytes"));
    }
    Ok(bytes)
}

/// Formats an error of the checker in one line.
fn one_line(failure: CheckError) -> String {
    let (what, why) = match failure {
        CheckError::NotProved(why) => ("not proved", why),
        CheckError::NotACertificate(why) => ("not a certificate", why),
        CheckError::TooLarge(why) => ("not checked", why),
        CheckError::Interrupted => ("not checked", "interrupted".into()),
    };
    format!("{what}: {}", why.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the lines of a head about the rules.
fn rules_in(head: &str) -> String {
    const OTHERS: [&str; 6] = ["game", "position", "claim", "settle", "claims", "answers"];
    let is_rule = |line: &&str| line.split_once(':').is_some_and(|(key, _)| !OTHERS.contains(&key.trim()));
    normalize(&head.lines().filter(is_rule).collect::<Vec<_>>().join("\n"))
}

/// Removes the blanks that have no meaning.
fn normalize(rules: &str) -> String {
    let line = |line: &str| match line.split_once(':') {
        Some((key, value)) => format!("{}: {}\n", key.trim(), value.trim()),
        None => String::new(),
    };
    rules.lines().map(line).collect()
}

/// Returns the start and the rules of the game as the checker reads them, if it knows the game.
fn checker_text(game: &AnyGame) -> Option<(String, String)> {
    game.checker_text().map(|(rules, start)| (start, normalize(&rules)))
}
