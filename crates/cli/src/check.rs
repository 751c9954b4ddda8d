//! `balpan check`: what certificates prove, said by the checker that knows no solver.

use std::fs;
use std::path::Path;

use balpan_check::answers::Failure as NoProof;
use balpan_check::{Limits, Proved, check};
use serde::Serialize;

use crate::args::CheckArgs;
use crate::failure::{Failure, harmless, print, print_json};
use crate::numbers::{counted, grouped};
use crate::progress::{all_cores, watched_in_words};

/// What came of a certificate, as programs read it.
#[derive(Serialize)]
struct Checked<'c> {
    file: String,
    proved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'c str>,
    bytes: usize,
    blake3: String,
    seconds: f64,
}

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let limits = Limits { memory: args.memory as u64, positions: args.positions, threads };
    let mut all_proved = true;
    for file in &args.files {
        all_proved &= one(file, &limits, args.json)?;
    }
    if all_proved { Ok(()) } else { Err(Failure::Told(1)) }
}

/// Whether a file proves its claim.
fn one(path: &Path, limits: &Limits, json: bool) -> Result<bool, Failure> {
    let file = harmless(&path.display().to_string());
    let bytes = fs::read(path).map_err(|e| Failure::input(format!("{file}: {e}"), "expected a certificate"))?;
    let told = |_: &balpan::Watch, elapsed: std::time::Duration| format!("{} s; Ctrl-C stops", elapsed.as_secs());
    let (checked, time) = watched_in_words(told, |_| check(&bytes, limits));
    let seconds = time.as_secs_f64();
    let nothing = Checked {
        file: file.clone(),
        proved: false,
        game: None,
        position: None,
        claim: None,
        claims: None,
        why: None,
        bytes: bytes.len(),
        blake3: blake3::hash(&bytes).to_string(),
        seconds,
    };
    match checked {
        Ok(Proved { game, position, claim, claims }) => {
            let (game, claim) = (harmless(&game), harmless(&claim));
            if json {
                let (game, position, claim) = (Some(&*game), Some(&*position), Some(&*claim));
                print_json(&Checked { proved: true, game, position, claim, claims: Some(claims), ..nothing })?;
            } else {
                let claims = counted(claims, "claim", "claims");
                let bytes = grouped(bytes.len() as u64);
                print(&format!(
                    "{file}: proved, {game}: {claim}\n  in {position}\n  by {claims}, {bytes} bytes, {seconds:.2} s\n  BLAKE3 {}\n",
                    nothing.blake3
                ))?;
            }
            Ok(true)
        }
        Err(NoProof::NotProved(why)) => {
            if json {
                print_json(&Checked { why: Some(why.trim_end()), ..nothing })?;
            } else {
                print(&format!("{file}: not proved: {why}"))?;
            }
            Ok(false)
        }
        Err(NoProof::NotACertificate(why)) => Err(Failure::input(
            format!("{file} is not a certificate: {why}"),
            "expected a file that `balpan prove` has written",
        )),
    }
}
