//! `balpan prove`: a certificate of an answer.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use balpan::{Budget, Watch};
use balpan_games::MakeEngine;
use balpan_prove::{Certificate, ClaimKind, Improve, Plan, Progress, ProveError, prove};
use serde::Serialize;

use crate::args::ProveArgs;
use crate::failure::{Failure, harmless, print, print_bytes, print_json};
use crate::files;
use crate::keeping;
use crate::numbers::{counted, grouped, rough_time};
use crate::progress::{Viewer, all_cores, watched_by};
use crate::source;
use crate::strong::known;

pub(crate) fn run(args: &ProveArgs) -> Result<(), Failure> {
    let (name, game) = source::game(&args.game)?;
    let what = match (args.exact, args.within, args.nimber) {
        (true, ..) => ClaimKind::Value,
        (_, Some(plies), _) => ClaimKind::Within(plies),
        (.., true) => ClaimKind::Nimber,
        _ => ClaimKind::Outcome,
    };
    let plan = Plan { what, settle: args.settle, is_text: args.text };
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let budget = Budget { memory: args.game.memory, threads };
    let known = known(&args.strong, &args.game, &game)?;
    let kept = args.keep.as_deref().map(|path| keeping::open(path, &args.game, &game)).transpose()?;
    let keeper = kept.as_ref().map(|of| Arc::clone(&of.kept.sink));
    let make = MakeEngine { known, kept, ..MakeEngine::within(budget) };
    let state = Mutex::new(State::default());
    let set = |change: &dyn Fn(&mut State)| {
        if let Ok(mut state) = state.lock() {
            change(&mut state);
        }
    };
    let begin = Instant::now();
    let mut told = |progress: Progress<'_>| {
        match progress {
            Progress::Found(claim) => set(&|state| state.claim = harmless(claim)),
            Progress::Claims(claims) => set(&|state| state.claims = claims),
            Progress::Written { bytes, .. } => set(&|state| {
                state.best = Some(state.best.map_or(bytes, |best| best.min(bytes)));
            }),
        }
        let goes_on = args.minimize.is_some_and(|most| begin.elapsed() < most);
        if goes_on { Improve::Yes } else { Improve::No }
    };
    let mut viewer = Watching(&state);
    let (proved, time, printed) =
        watched_by(&mut viewer, None, |watch, _| prove(&game, &name, None, plan, make, watch, &mut told));
    printed?;
    // A certificate that is not written is begun again with what was found.
    let is_kept = keeping::close(keeper.as_ref());
    let certificate = proved.map_err(failure)?;
    match &args.output {
        Some(output) => {
            files::write(output, &certificate.bytes).map_err(|e| {
                let help = "expected the path of a file that can be written";
                Failure::input(format!("{}: {e}", output.display()), help)
            })?;
            tell(&name, output, &certificate, time, args.json)
        }
        None => print_bytes(&certificate.bytes),
    }?;
    is_kept
}

/// A certificate that was written, as programs read it.
#[derive(Serialize)]
struct ProofReport<'a> {
    game: &'a str,
    claim: &'a str,
    file: String,
    claims: u64,
    bytes: usize,
    seconds: f64,
}

fn tell(game: &str, output: &Path, certificate: &Certificate, time: Duration, json: bool) -> Result<(), Failure> {
    let Certificate { claim, claims, bytes } = certificate;
    let file = harmless(&output.display().to_string());
    let (bytes, seconds) = (bytes.len(), time.as_secs_f64());
    if json {
        return print_json(&ProofReport { game, claim, file, claims: *claims, bytes, seconds });
    }
    let claims = counted(*claims, "claim", "claims");
    let bytes = grouped(bytes as u64);
    print(&format!("{game}: {claim}\n{file}: {claims}, {bytes} bytes; {}\n", rough_time(seconds)))
}

/// How far it is.
#[derive(Default)]
struct State {
    claim: String,
    claims: u64,
    /// Bytes of the smallest certificate so far.
    best: Option<usize>,
}

struct Watching<'a>(&'a Mutex<State>);

impl Viewer for Watching<'_> {
    fn told(&mut self, watch: &Watch, elapsed: Duration) -> String {
        let seconds = elapsed.as_secs();
        let Ok(state) = self.0.lock() else { return String::new() };
        let State { claim, claims, best } = &*state;
        if claim.is_empty() {
            return format!("{seconds} s, 1 of 2: {} positions searched; Ctrl-C stops", grouped(watch.positions()));
        }
        let best = best.map_or_else(String::new, |best| format!(", {} bytes so far", grouped(best as u64)));
        format!("{seconds} s, 2 of 2, {claim}: {} claims{best}; Ctrl-C stops", grouped(*claims))
    }
}

fn failure(error: ProveError) -> Failure {
    match error {
        ProveError::Stopped(stopped) => Failure::stopped(stopped, 0),
        ProveError::Text(error) => error.into(),
        ProveError::Engine(error) => Failure::input(error.to_string(), "leave out --nimber, or take a smaller board"),
        ProveError::NotTrue(why) => Failure::input(why, "leave out --within to prove who wins"),
        ProveError::Checker(why) => Failure::input(why, "take a smaller board, smaller heaps, or a smaller `--settle`"),
        other => Failure::input(other.to_string(), ""),
    }
}
