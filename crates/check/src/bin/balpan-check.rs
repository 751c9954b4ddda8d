//! `balpan-check FILE`: says what a certificate proves.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;

use balpan_check::elaborate::elaborate;
use balpan_check::{CheckError, Limits, check, printable, read};

const USAGE: &str = "usage: balpan-check [--memory MIB] [--positions N-A-BYTE] [--threads N] FILE...\n       balpan-check --elaborate FILE -o FILE";

fn main() -> ExitCode {
    match run() {
        Ok(code) => code.into(),
        // The reader of the output has closed it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(_) => 2.into(),
    }
}

fn run() -> io::Result<u8> {
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let mut limits = Limits { threads, ..Limits::default() };
    let (mut files, mut is_elaborated, mut output) = (Vec::new(), false, None);
    let mut words = std::env::args_os().skip(1);
    while let Some(word) = words.next() {
        let number = |text: Option<OsString>| text?.to_str()?.parse::<u64>().ok().filter(|n| *n > 0);
        match word.to_str() {
            Some(option @ ("--memory" | "--positions" | "--threads")) => match number(words.next()) {
                Some(n) if option == "--memory" => limits.memory = n.saturating_mul(1 << 20),
                Some(n) if option == "--positions" => limits.positions = n,
                Some(n) => limits.threads = n.min(1024) as usize,
                None => return usage(&format!("{option}: expected a number")),
            },
            Some("--elaborate") => is_elaborated = true,
            Some("-o") => match words.next() {
                Some(file) => output = Some(file),
                None => return usage("-o: expected a file"),
            },
            Some("-h" | "--help") => {
                let codes = "Exits with 0 if all is proved, 1 if a claim is not, 2 if a file is not a certificate.";
                writeln!(io::stdout(), "{USAGE}\n\n{codes}")?;
                return Ok(0);
            }
            Some(option) if option.starts_with('-') => return usage(&format!("no such option: {}", printable(option))),
            _ => files.push(word),
        }
    }
    if files.is_empty() {
        return usage("expected a file");
    }
    match (&files[..], is_elaborated, &output) {
        ([file], true, Some(output)) => return elaborate_file(file, output, &limits),
        (_, false, None) => {}
        _ => return usage("--elaborate: expected one file, and -o with another"),
    }
    files.iter().try_fold(0, |code, file| Ok(code.max(check_file(file, &limits)?)))
}

fn usage(what: &str) -> io::Result<u8> {
    writeln!(io::stderr(), "{what}\n{USAGE}")?;
    Ok(2)
}

/// Writes a certificate out for the verified checker, and returns the exit code.
fn elaborate_file(file: &OsStr, output: &OsStr, limits: &Limits) -> io::Result<u8> {
    let bytes = File::open(file).map_err(|e| CheckError::NotACertificate(e.to_string()));
    let text = bytes.and_then(|file| read(file, limits)).and_then(|bytes| elaborate(&bytes, limits));
    match text {
        Ok(text) => match std::fs::write(output, text) {
            Ok(()) => Ok(0),
            Err(error) => {
                writeln!(io::stderr(), "{}: {error}", printable(&output.to_string_lossy()))?;
                Ok(2)
            }
        },
        Err(error) => report(&printable(&file.to_string_lossy()), error),
    }
}

/// Checks a file, prints the result, and returns the exit code.
fn check_file(file: &OsStr, limits: &Limits) -> io::Result<u8> {
    let bytes = File::open(file).map_err(|e| CheckError::NotACertificate(e.to_string()));
    let checked = bytes.and_then(|file| read(file, limits)).and_then(|bytes| check(&bytes, limits));
    let file = printable(&file.to_string_lossy());
    match checked {
        Ok(proved) => {
            let (game, rules) = (printable(&proved.game), proved.rules.join(", "));
            writeln!(
                io::stdout(),
                "{file}: proved, {game}: {}\n  in {}\n  by the rules {rules}\n  by {} claims",
                proved.claim,
                proved.position,
                proved.claims
            )?;
            Ok(0)
        }
        Err(error) => report(&file, error),
    }
}

/// Prints why a file is not accepted, and returns the exit code.
fn report(file: &str, error: CheckError) -> io::Result<u8> {
    match error {
        CheckError::NotProved(why) => {
            writeln!(io::stdout(), "{file}: not proved: {}", printable(&why))?;
            Ok(1)
        }
        CheckError::NotACertificate(why) => {
            writeln!(io::stderr(), "{file}: not a certificate: {}", printable(&why))?;
            Ok(2)
        }
        CheckError::TooLarge(why) => {
            writeln!(io::stderr(), "{file}: not checked: {}", printable(&why))?;
            Ok(2)
        }
        // The default limits have no interrupt.
        CheckError::Interrupted => Ok(2),
    }
}
