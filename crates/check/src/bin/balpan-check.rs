//! `balpan-check FILE`: says what a certificate proves.

use std::process::ExitCode;

use balpan_check::answers::Failure;
use balpan_check::{Limits, check};

const USAGE: &str = "usage: balpan-check [--memory MIB] [--positions N-A-BYTE] [--threads N] FILE...";

fn main() -> ExitCode {
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let mut limits = Limits { threads, ..Limits::default() };
    let mut files = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let number = |text: Option<String>| text.and_then(|text| text.parse::<u64>().ok()).filter(|n| *n > 0);
        match word.as_str() {
            "--memory" | "--positions" | "--threads" => match number(words.next()) {
                Some(n) if word == "--memory" => limits.memory = n.saturating_mul(1 << 20),
                Some(n) if word == "--positions" => limits.positions = n,
                Some(n) => limits.threads = n.min(1024) as usize,
                None => return usage(&format!("{word}: expected a number")),
            },
            "-h" | "--help" => {
                println!(
                    "{USAGE}\n\nExits with 0 if all is proved, 1 if a claim is not, 2 if a file is not a certificate."
                );
                return ExitCode::SUCCESS;
            }
            option if option.starts_with('-') => return usage(&format!("no such option: {option}")),
            _ => files.push(word),
        }
    }
    if files.is_empty() {
        return usage("expected a file");
    }
    let codes = files.iter().map(|file| one(file, &limits));
    codes.max().unwrap_or(0).into()
}

fn usage(what: &str) -> ExitCode {
    eprintln!("{what}\n{USAGE}");
    2.into()
}

/// Checks a file, says what came of it, and returns the exit code.
fn one(file: &str, limits: &Limits) -> u8 {
    let checked = match std::fs::read(file) {
        Ok(bytes) => check(&bytes, limits),
        Err(e) => Err(Failure::NotACertificate(e.to_string())),
    };
    match checked {
        Ok(proved) => {
            println!(
                "{file}: proved, {}: {}\n  in {}\n  by {} claims",
                proved.game, proved.claim, proved.position, proved.claims
            );
            0
        }
        Err(Failure::NotProved(why)) => {
            println!("{file}: not proved: {why}");
            1
        }
        Err(Failure::NotACertificate(why)) => {
            eprintln!("{file}: not a certificate: {why}");
            2
        }
    }
}
