//! `balpan prove`: writing a certificate of an answer.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use balpan::{Budget, Watch};
use balpan_games::EngineOptions;
use balpan_prove::{Certificate, ClaimKind, Improve, Plan, Progress, ProveError, prove};
use serde::Serialize;

use crate::args::ProveArgs;
use crate::checkpoint;
use crate::error::{CliError, harmless, print, print_bytes, print_json};
use crate::files;
use crate::load::LoadedGame;
use crate::numbers::{counted, grouped, rough_time};
use crate::progress::{ProgressView, available_threads, run_with_view};
use crate::strong::find_oracle;

pub(crate) fn run(args: &ProveArgs) -> Result<(), CliError> {
    let loaded = LoadedGame::load(&args.game)?;
    let LoadedGame { name, game, .. } = &loaded;
    let what = match (args.exact, args.within, args.nimber) {
        (true, ..) => ClaimKind::Value,
        (_, Some(plies), _) => ClaimKind::Within(plies),
        (.., true) => ClaimKind::Nimber,
        _ => ClaimKind::Outcome,
    };
    let plan = Plan { what, settle: args.settle, is_text: args.text };
    let threads = args.threads.map_or_else(available_threads, usize::from);
    let budget = Budget { memory: args.game.memory, threads };
    let known = find_oracle(&args.strong, &loaded)?;
    let kept = args.keep.as_deref().map(|path| checkpoint::open(path, &loaded)).transpose()?;
    let keeper = kept.as_ref().map(|of| Arc::clone(&of.checkpoint.sink));
    let make = EngineOptions { oracle: known, checkpoint: kept, ..EngineOptions::new(budget) };
    let state = Mutex::new(ProveState::default());
    let set = |change: &dyn Fn(&mut ProveState)| {
        if let Ok(mut state) = state.lock() {
            change(&mut state);
        }
    };
    let begin = Instant::now();
    let mut on_progress = |progress: Progress<'_>| {
        match progress {
            Progress::Found(claim) => set(&|state| state.claim = harmless(claim)),
            Progress::Claims(claims) => set(&|state| state.claims = claims),
            Progress::Written { bytes, .. } => set(&|state| {
                state.best = Some(state.best.map_or(bytes, |best| best.min(bytes)));
            }),
        }
        let goes_on = args.minimize.is_some_and(|limit| begin.elapsed() < limit);
        if goes_on { Improve::Yes } else { Improve::No }
    };
    let mut view = ProveProgress(&state);
    let (proved, time, printed) =
        run_with_view(&mut view, None, |watch, _| prove(game, name, None, plan, make, watch, &mut on_progress));
    printed?;
    // Also after an error: the next run continues from these results.
    let flushed = checkpoint::flush(keeper.as_ref());
    let certificate = proved.map_err(prove_error)?;
    match &args.output {
        Some(output) => {
            files::write(output, &certificate.bytes).map_err(|e| {
                let help = "expected the path of a file that can be written";
                CliError::input(format!("{}: {e}", output.display()), help)
            })?;
            print_report(name, output, &certificate, time, args.json)
        }
        None => print_bytes(&certificate.bytes),
    }?;
    flushed
}

/// A written certificate as JSON.
#[derive(Serialize)]
struct ProveReport<'a> {
    game: &'a str,
    claim: &'a str,
    file: String,
    claims: u64,
    bytes: usize,
    seconds: f64,
}

fn print_report(
    game: &str,
    output: &Path,
    certificate: &Certificate,
    time: Duration,
    json: bool,
) -> Result<(), CliError> {
    let Certificate { claim, claims, bytes } = certificate;
    let file = harmless(&output.display().to_string());
    let (bytes, seconds) = (bytes.len(), time.as_secs_f64());
    if json {
        return print_json(&ProveReport { game, claim, file, claims: *claims, bytes, seconds });
    }
    let claims = counted(*claims, "claim", "claims");
    let bytes = grouped(bytes as u64);
    print(&format!("{game}: {claim}\n{file}: {claims}, {bytes} bytes; {}\n", rough_time(seconds)))
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

struct ProveProgress<'a>(&'a Mutex<ProveState>);

impl ProgressView for ProveProgress<'_> {
    fn status_line(&mut self, watch: &Watch, elapsed: Duration) -> String {
        let seconds = elapsed.as_secs();
        let Ok(state) = self.0.lock() else { return String::new() };
        let ProveState { claim, claims, best } = &*state;
        if claim.is_empty() {
            return format!("{seconds} s, 1 of 2: {} positions searched; Ctrl-C stops", grouped(watch.positions()));
        }
        let best = best.map_or_else(String::new, |best| format!(", {} bytes so far", grouped(best as u64)));
        format!("{seconds} s, 2 of 2, {claim}: {} claims{best}; Ctrl-C stops", grouped(*claims))
    }
}

fn prove_error(error: ProveError) -> CliError {
    match error {
        ProveError::Stopped(stopped) => CliError::from_stopped(stopped, 0),
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
