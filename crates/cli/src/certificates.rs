//! `balpan prove` and `balpan check`: certificates of answers.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use balpan::Watch;
use balpan_check::untrusted::meter::Interrupt;
use balpan_check::{CheckError, Limits, Proved, check, printable, read};
use balpan_games::presets::preset;
use balpan_prove::{ClaimKind, Improve, Plan, Progress, ProveError, checker_rules, prove};
use serde::Serialize;

use crate::args::{CheckArgs, ProveArgs};
use crate::error::{CliError, Diagnostic, harmless, print_bytes, print_report, report};
use crate::files;
use crate::load::{LoadedGame, flush};
use crate::numbers::{counted, grouped, rough_time};
use crate::progress::{StopCause, lock, run_with_status, stop_cause, thread_count, time_limit_or};
use crate::words::{common as words, lang};

/// `balpan prove`: writes a certificate of an answer.
pub(crate) fn run_prove(args: &ProveArgs) -> Result<(), CliError> {
    let loaded = LoadedGame::load(&args.game)?;
    let LoadedGame { name, game, .. } = &loaded;
    let what = match (args.exact, args.within, args.nimber) {
        (true, ..) => ClaimKind::Value,
        (_, Some(plies), _) => ClaimKind::Within(plies),
        (.., true) => ClaimKind::Nimber,
        _ => ClaimKind::Outcome,
    };
    let plan = Plan { what, settle: args.settle, is_text: args.text };
    let make = loaded.engine_options(&args.strong, Some(&args.kept), args.game.memory, args.threads)?;
    let keeper = make.checkpoint.as_ref().map(|of| Arc::clone(&of.checkpoint.sink));
    let state = Mutex::new(ProveState::default());
    let begin = Instant::now();
    let mut on_progress = |progress: Progress<'_>| {
        let mut state = lock(&state);
        match progress {
            Progress::Found(claim) => state.claim = harmless(claim),
            Progress::Claims(claims) => state.claims = claims,
            Progress::Written { bytes, .. } => state.best = Some(state.best.map_or(bytes, |best| best.min(bytes))),
        }
        if args.minimize.is_some_and(|limit| begin.elapsed() < limit) { Improve::Yes } else { Improve::No }
    };
    let status = |watch: &Watch, elapsed: Duration| {
        let state = lock(&state);
        state.line(watch.positions(), elapsed.as_secs())
    };
    let (proved, time) = run_with_status(status, |watch| prove(game, name, None, plan, make, watch, &mut on_progress));
    // Also after an error: the next run continues from these results.
    let flushed = flush(keeper.as_ref());
    let certificate = proved.map_err(prove_error)?;
    match &args.output {
        Some(output) => {
            let help = "expected the path of a file that can be written";
            files::write(output, &certificate.bytes).map_err(|e| CliError::about(output.display(), e, help))?;
            let report = ProveReport {
                game: name,
                claim: &certificate.claim,
                file: harmless(&output.display().to_string()),
                claims: certificate.claims,
                bytes: certificate.bytes.len(),
                check_positions: certificate.positions,
                seconds: time.as_secs_f64(),
            };
            print_report(args.json, &report, ProveReport::page)
        }
        None => print_bytes(&certificate.bytes),
    }?;
    flushed
}

#[derive(Serialize)]
struct ProveReport<'a> {
    game: &'a str,
    claim: &'a str,
    file: String,
    claims: u64,
    bytes: usize,
    /// The `--positions` that checking it needs, if that is more than the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    check_positions: Option<u64>,
    seconds: f64,
}

impl ProveReport<'_> {
    fn page(&self) -> String {
        let Self { game, claim, file, .. } = self;
        let (claims, bytes) = (counted(self.claims, "claim", "claims"), grouped(self.bytes as u64));
        let time = rough_time(self.seconds);
        let check = self.check_positions.map_or_else(String::new, |positions| {
            format!(
                "To check it takes more work than is allowed by default: `balpan check --positions {positions} FILE`\n"
            )
        });
        format!("{game}: {claim}\n{file}: {claims}, {bytes} bytes; {time}\n{check}")
    }
}

/// The progress of a proof, shared with its view.
#[derive(Default)]
struct ProveState {
    /// The claim; empty until the answer is found.
    claim: String,
    claims: u64,
    /// Bytes of the smallest certificate so far.
    best: Option<usize>,
}

impl ProveState {
    fn line(&self, positions: u64, seconds: u64) -> String {
        let Self { claim, claims, best } = self;
        if claim.is_empty() {
            return format!("{seconds} s, 1 of 2: {} positions searched; Ctrl-C stops", grouped(positions));
        }
        let best = best.map_or_else(String::new, |best| format!(", {} bytes so far", grouped(best as u64)));
        format!("{seconds} s, 2 of 2, {claim}: {} claims{best}; Ctrl-C stops", grouped(*claims))
    }
}

fn prove_error(error: ProveError) -> CliError {
    match error {
        ProveError::Stopped(stopped) => stopped.into(),
        ProveError::Text(error) => error.into(),
        ProveError::Engine(error) => CliError::input(error.to_string(), "leave out --nimber, or take a smaller board"),
        ProveError::NotTrue(why) => CliError::input(why, "leave out --within to prove who wins"),
        ProveError::UncheckedFamily(_) => {
            CliError::input(error.to_string(), "docs/certificates.md says which games it knows")
        }
        ProveError::Checker(why) => {
            CliError::input(why, "take a smaller board, smaller heaps, or a smaller `--settle`")
        }
        other => CliError::input(other.to_string(), ""),
    }
}

#[derive(Default, Serialize)]
struct CheckReport {
    file: String,
    proved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<String>>,
    /// The rules that differ from those of the preset of this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_rules: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    bytes: usize,
    blake3: String,
    seconds: f64,
}

impl CheckReport {
    fn page(&self) -> String {
        let Self { file, position, claim, blake3, seconds, .. } = self;
        if let Some(why) = &self.why {
            return format!("{file}: not proved: {why}\n");
        }
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let by_rules = match (&self.changed_rules, &self.rules) {
            (Some(changed), _) if changed.is_empty() => String::new(),
            (Some(changed), _) => format!("  by other rules than the preset's: {}\n", changed.join(", ")),
            (None, rules) => format!("  by the rules {}\n", rules.as_deref().unwrap_or_default().join(", ")),
        };
        let (game, position, claim) = (text(&self.game), text(position), text(claim));
        let (claims, bytes) = (counted(self.claims.unwrap_or(0), "claim", "claims"), grouped(self.bytes as u64));
        format!(
            "{file}: proved, {game}: {claim}\n  in {position}\n{by_rules}  by {claims}, {bytes} bytes, {seconds:.2} s\n  \
             BLAKE3 {blake3}\n"
        )
    }
}

/// `balpan check`: checks certificates, by the checker that depends on no solver.
pub(crate) fn run_check(args: &CheckArgs) -> Result<(), CliError> {
    let threads = thread_count(args.threads);
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
            "a certificate is checked with what it needs, about a millisecond a byte, and no less than two seconds",
        )
    };
    let refused = |error: CheckError| match error {
        CheckError::TooLarge(why) => too_large(&why),
        CheckError::NotProved(why) | CheckError::NotACertificate(why) => no_certificate(&why),
        CheckError::Interrupted => unchecked_error(&file),
    };
    let opened = File::open(path).map_err(|e| CliError::about(&file, e, "expected a certificate"))?;
    let bytes = read(opened, limits).map_err(refused)?;
    let status = |_: &balpan::Watch, elapsed: Duration| format!("{} s; Ctrl-C stops", elapsed.as_secs());
    let (checked, time) = run_with_status(status, |watch| {
        let watch = watch.clone();
        check(&bytes, &Limits { interrupt: Interrupt::new(move || watch.is_stopping()), ..limits.clone() })
    });
    let verdict = CheckReport {
        file: file.clone(),
        bytes: bytes.len(),
        blake3: blake3::hash(&bytes).to_string(),
        seconds: time.as_secs_f64(),
        ..CheckReport::default()
    };
    let verdict = match checked {
        Ok(proved) => CheckReport {
            proved: true,
            game: Some(printable(&proved.game)),
            changed_rules: changed_rules(&proved),
            rules: Some(proved.rules),
            position: Some(proved.position),
            claim: Some(proved.claim),
            claims: Some(proved.claims),
            ..verdict
        },
        Err(CheckError::NotProved(why)) => CheckReport { why: Some(printable(&why).trim_end().to_owned()), ..verdict },
        Err(error) => return Err(refused(error)),
    };
    print_report(json, &verdict, CheckReport::page)?;
    Ok(verdict.proved)
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
    let (message, code) = match stop_cause() {
        Some(StopCause::Signal) | None => (words::unchecked_interrupted(lang(), file), 130),
        Some(StopCause::Memory) => return CliError::Stopped,
        Some(StopCause::Deadline) => (words::unchecked_in_time(lang(), &time_limit_or(Duration::default()), file), 1),
    };
    report(&Diagnostic::new(message, ""), code);
    CliError::Reported(code)
}
