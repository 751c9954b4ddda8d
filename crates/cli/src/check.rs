//! `balpan check`: checking certificates, by the checker that depends on no solver.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use balpan_check::untrusted::meter::Interrupt;
use balpan_check::{CheckError, Limits, Proved, check, printable, read};
use balpan_games::presets::preset;
use balpan_prove::checker_rules;
use serde::Serialize;

use crate::args::CheckArgs;
use crate::error::{CliError, Diagnostic, harmless, print, print_json, report};
use crate::numbers::{counted, grouped};
use crate::progress::{StopCause, available_threads, deadline, run_with_status, stop_cause};
use crate::words::count;
use crate::words::lang;

/// The verdict on a certificate as JSON.
#[derive(Serialize)]
struct CheckReport<'c> {
    file: String,
    proved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<&'c [String]>,
    /// The rules that differ from those of the preset of this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_rules: Option<&'c [String]>,
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

pub(crate) fn run(args: &CheckArgs) -> Result<(), CliError> {
    let threads = args.threads.map_or_else(available_threads, usize::from);
    let limits =
        Limits { memory: args.memory as u64, positions: args.positions, threads, interrupt: Interrupt::default() };
    let mut code = 0;
    for file in &args.files {
        code = code.max(match check_file(file, &limits, args.json) {
            Ok(is_proved) => u8::from(!is_proved),
            Err(CliError::Input(diagnostic)) => {
                report(&diagnostic, 2);
                2
            }
            Err(other) => return Err(other),
        });
    }
    if code == 0 { Ok(()) } else { Err(CliError::Reported(code)) }
}

/// Checks a file and prints the verdict. Returns whether the claim is proved.
fn check_file(path: &Path, limits: &Limits, json: bool) -> Result<bool, CliError> {
    let file = harmless(&path.display().to_string());
    let no_certificate = |why: &str| {
        let message = format!("{file} is not a certificate: {}", printable(why));
        CliError::input(message, "expected a file that `balpan prove` has written")
    };
    let too_large = |why: &str| {
        CliError::input(
            format!("{file} is not checked: {why}"),
            "a certificate is checked with what it needs, about a millisecond a byte",
        )
    };
    let opened = File::open(path).map_err(|e| CliError::input(format!("{file}: {e}"), "expected a certificate"))?;
    let bytes = match read(opened, limits) {
        Ok(bytes) => bytes,
        Err(CheckError::TooLarge(why)) => return Err(too_large(&why)),
        Err(CheckError::NotProved(why) | CheckError::NotACertificate(why)) => return Err(no_certificate(&why)),
        Err(CheckError::Interrupted) => return Err(unchecked_error(&file)),
    };
    let status = |_: &balpan::Watch, elapsed: Duration| format!("{} s; Ctrl-C stops", elapsed.as_secs());
    let (checked, time) = run_with_status(status, |watch| {
        let watch = watch.clone();
        check(&bytes, &Limits { interrupt: Interrupt::new(move || watch.is_stopping()), ..limits.clone() })
    });
    let seconds = time.as_secs_f64();
    let blake3 = blake3::hash(&bytes).to_string();
    let mut verdict = CheckReport {
        file: file.clone(),
        proved: false,
        game: None,
        rules: None,
        changed_rules: None,
        position: None,
        claim: None,
        claims: None,
        why: None,
        bytes: bytes.len(),
        blake3,
        seconds,
    };
    match checked {
        Ok(proved) => {
            let (game, changed) = (printable(&proved.game), changed_rules(&proved));
            if json {
                verdict.game = Some(&game);
                verdict.rules = Some(&proved.rules);
                verdict.changed_rules = changed.as_deref();
                verdict.position = Some(&proved.position);
                verdict.claim = Some(&proved.claim);
                print_json(&CheckReport { proved: true, claims: Some(proved.claims), ..verdict })?;
            } else {
                let by_rules = match &changed {
                    Some(changed) if changed.is_empty() => String::new(),
                    Some(changed) => format!("  by other rules than the preset's: {}\n", changed.join(", ")),
                    None => format!("  by the rules {}\n", proved.rules.join(", ")),
                };
                let claims = counted(proved.claims, "claim", "claims");
                let bytes = grouped(bytes.len() as u64);
                print(&format!(
                    "{file}: proved, {game}: {}\n  in {}\n{by_rules}  by {claims}, {bytes} bytes, {seconds:.2} s\n  BLAKE3 {}\n",
                    proved.claim, proved.position, verdict.blake3
                ))?;
            }
            Ok(true)
        }
        Err(CheckError::NotProved(why)) => {
            let why = printable(&why);
            if json {
                print_json(&CheckReport { why: Some(why.trim_end()), ..verdict })?;
            } else {
                print(&format!("{file}: not proved: {why}"))?;
            }
            Ok(false)
        }
        Err(CheckError::NotACertificate(why)) => Err(no_certificate(&why)),
        Err(CheckError::TooLarge(why)) => Err(too_large(&why)),
        Err(CheckError::Interrupted) => Err(unchecked_error(&file)),
    }
}

/// Returns the rules in which the proved game differs from the preset of its name; `None` if there is no such preset.
fn changed_rules(proved: &Proved) -> Option<Vec<String>> {
    let game = preset(&proved.game)?.ok()?.game().ok()?;
    let usual = checker_rules(&game)?;
    let added = proved.rules.iter().filter(|rule| !usual.contains(rule)).cloned();
    // A changed parameter is listed with its new value above; a piece may be missing altogether.
    let key = |rule: &str| rule.split(':').next().unwrap_or_default().to_owned();
    let is_missing =
        |rule: &&String| !proved.rules.contains(rule) && !proved.rules.iter().any(|other| key(other) == key(rule));
    let missing = usual.iter().filter(is_missing).map(|rule| format!("no {rule}"));
    Some(added.chain(missing).collect())
}

/// Reports a file whose check was stopped; the files after it are not checked either. At a deadline the file counts as not
/// proved, which is "no".
fn unchecked_error(file: &str) -> CliError {
    let message = match stop_cause() {
        Some(StopCause::Signal) | None => lang().pick(
            format!("Interrupted: {file} is not checked."),
            format!("중단했습니다: {file}은 검사하지 않았습니다."),
        ),
        Some(StopCause::Memory) => return CliError::Stopped(0),
        Some(StopCause::Deadline) => {
            let time = count::time(lang(), deadline().unwrap_or_default());
            lang().pick(
                format!("After {time}, {file} is not checked, and so not proved."),
                format!("{time} 안에 {file}을 다 검사하지 못했으므로 증명되지 않았습니다."),
            )
        }
    };
    let code = if stop_cause() == Some(StopCause::Deadline) { 1 } else { 130 };
    report(&Diagnostic::new(message, ""), code);
    CliError::Reported(code)
}
