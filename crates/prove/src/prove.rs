//! Proving an answer: from a question to the bytes of a certificate.

use std::sync::Arc;

use balpan::{Engine, EngineError, Goal, Outcome, Stopped, Value, Watch};
use balpan_check::Limits;
use balpan_check::trusted::claim::{Claim, Header};
use balpan_check::untrusted::{FIRST_LINE, MIN_BYTES};
use balpan_games::{AnyGame, Checked, EngineOptions, FamilyGame, Notation, Task, TextError};

use crate::answers::Prover;
use crate::encode::Sink;
use crate::refutations::RefutationChooser;
use crate::replies::ReplyChooser;
use crate::source::EngineSource;
use crate::strategies::StrategyProver;

/// The kind of claim to prove about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// The winner, or a draw.
    Outcome,
    /// The winner, and the exact number of plies.
    Value,
    /// That the winner wins within this number of plies.
    Within(u32),
    /// The nimber.
    Nimber,
}

/// Options of a proof.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The kind of claim.
    pub what: ClaimKind,
    /// The limit of what the checker finds by itself: for play, claims that a search of this many
    /// positions settles; for nimbers, parts of this many cells or tokens. `None` for a default
    /// that suits the game.
    pub settle: Option<u64>,
    /// Whether the certificate is text.
    pub is_text: bool,
}

/// A certificate.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// Its claim in words.
    pub claim: String,
    /// The number of claims that it makes, about positions or parts.
    pub claims: u64,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// The [work](Limits::positions) that a check takes for each byte, if that is more than the default allows.
    pub positions: Option<u64>,
}

/// Progress of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<'p> {
    /// The answer was found: this claim is to be proved.
    Found(&'p str),
    /// The number of claims so far.
    Claims(u64),
    /// A certificate is written.
    Written {
        /// Claims.
        claims: u64,
        /// Bytes.
        bytes: usize,
    },
}

/// Whether to look for a smaller certificate after one is [written](Progress::Written). At other
/// times the value is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Improve {
    /// Write another one, and keep the smaller.
    Yes,
    /// Return the smallest so far.
    No,
}

/// A callback with the progress.
pub type ProgressFn<'t> = &'t mut (dyn FnMut(Progress<'_>) -> Improve + Send);

/// Finds an answer and writes its certificate, then others as long as `on_progress` says so, each with
/// costs learnt from those before, and returns the smallest. `name` is the name of the game, and
/// `position` its text; without one, the game's start.
///
/// Memory: the engine's, and some 100 bytes a claim. Time: that of the answer, and of the searches
/// about replies that the engine has not kept.
///
/// # Errors
/// See [`ProveError`].
pub fn prove(
    game: &AnyGame,
    name: &str,
    position: Option<&str>,
    plan: Plan,
    make: EngineOptions,
    watch: &Watch,
    on_progress: ProgressFn<'_>,
) -> Result<Certificate, ProveError> {
    game.run(ProofJob { name, position, plan, make, watch, on_progress })
}

/// The same as [`prove`], of a game whose type is known.
///
/// # Errors
/// See [`ProveError`].
pub fn prove_game<G: FamilyGame>(
    game: &G,
    name: &str,
    position: Option<&str>,
    plan: Plan,
    make: EngineOptions,
    watch: &Watch,
    on_progress: ProgressFn<'_>,
) -> Result<Certificate, ProveError> {
    ProofJob { name, position, plan, make, watch, on_progress }.run(game)
}

/// Returns the rules of a game as the checker states them; `None` if the checker does not support
/// the game.
#[must_use]
pub fn checker_rules(game: &AnyGame) -> Option<Vec<String>> {
    let (rules, start) = game.checker_text()?;
    let rest = "claim: it is a draw\nsettle: 0\nclaims: 0\nanswers: text";
    let header = Header::parse(&format!("{FIRST_LINE}\ngame: \n{rules}position: {start}\n{rest}")).ok()?;
    Some(header.game.rules())
}

/// The default number of positions that the checker searches for a claim. With this default and
/// that of parts, checking takes no longer than finding the answer.
const DEFAULT_SETTLE: u64 = 1000;
/// The same for a game in the rules language, whose rules the checker interprets.
const DEFAULT_SETTLE_OF_LANGUAGE: u64 = 20;
/// The default sizes of the parts whose nimbers the checker finds, to be tried in order: the
/// checker keeps all parts of so few cells that it meets, and in some games there are too many.
const DEFAULT_SETTLE_PARTS: [u64; 3] = [14, 12, 10];
/// The same of positions that do not fall into parts.
const DEFAULT_SETTLE_WHOLE: [u64; 2] = [8, 0];

struct ProofJob<'p> {
    name: &'p str,
    position: Option<&'p str>,
    plan: Plan,
    make: EngineOptions,
    watch: &'p Watch,
    on_progress: ProgressFn<'p>,
}

/// What the head of a certificate says, but for its sizes.
struct Statement<'p> {
    name: &'p str,
    rules: String,
    position: String,
    claim: String,
    is_text: bool,
}

impl Statement<'_> {
    fn head(&self, settle: u64, claims: u64) -> String {
        let Self { name, rules, position, claim, is_text } = self;
        let answers = if *is_text { "text" } else { "packed" };
        format!(
            "{FIRST_LINE}\ngame: {name}\n{rules}position: {position}\nclaim: {claim}\nsettle: {settle}\nclaims: {claims}\n\
             answers: {answers}\n"
        )
    }
}

impl Task for ProofJob<'_> {
    type Output = Result<Certificate, ProveError>;

    fn run<G: FamilyGame>(mut self, game: &G) -> Result<Certificate, ProveError> {
        let checked = game.checked().ok_or_else(|| ProveError::UncheckedFamily(game.family()))?;
        let root = self.position.map_or_else(|| Ok(game.start()), |text| game.parse(text))?;
        let mut engine = self.make.clone().build(game);
        let claim = solve_claim(&mut engine, &root, self.plan.what, self.watch)?;
        (self.on_progress)(Progress::Found(&claim));
        let statement = Statement {
            name: self.name,
            rules: checked.checker_rules(),
            position: checked.checker_text(&root),
            claim,
            is_text: self.plan.is_text,
        };
        let header = Header::parse(&statement.head(0, 0)).map_err(ProveError::Checker)?;
        let is_language = statement.rules.starts_with("family: language\n");
        let by_nimbers = matches!(header.claim, Claim::Nimber(_) | Claim::WinsByNimber(_));
        let (settle, fewer) = match self.plan.settle {
            Some(settle) => (settle, [].as_slice()),
            None if by_nimbers && !header.game.is_one_part() => (DEFAULT_SETTLE_PARTS[0], &DEFAULT_SETTLE_PARTS[1..]),
            None if by_nimbers => (DEFAULT_SETTLE_WHOLE[0], &DEFAULT_SETTLE_WHOLE[1..]),
            None if is_language => (DEFAULT_SETTLE_OF_LANGUAGE, [].as_slice()),
            None => (DEFAULT_SETTLE, [].as_slice()),
        };
        let mut write = |settle| self.write(&mut engine, checked, &root, &statement, by_nimbers, settle);
        let mut written = write(settle);
        for &settle in fewer {
            if matches!(written, Err(ProveError::Checker(_))) {
                written = write(settle);
            }
        }
        written
    }
}

impl ProofJob<'_> {
    /// Writes the certificate with this limit of what the checker finds by itself.
    fn write<G: FamilyGame>(
        &mut self,
        engine: &mut Engine<G>,
        checked: &dyn Checked<Position = G::Position>,
        root: &G::Position,
        statement: &Statement<'_>,
        by_nimbers: bool,
        settle: u64,
    ) -> Result<Certificate, ProveError> {
        let Self { plan, watch, .. } = *self;
        let claim = &statement.claim;
        let header = Header::parse(&statement.head(settle, u64::MAX)).map_err(ProveError::Checker)?;
        let family = &*header.game;
        let with_answers =
            |claims: u64, answers: Vec<u8>| [(statement.head(settle, claims) + "\n").into_bytes(), answers].concat();
        if !family.has_layers() && !by_nimbers {
            let game = Arc::clone(engine.game());
            // Another one would be the same.
            let (claims, answers, work) =
                StrategyProver::new(&*game, engine, &header, watch, &mut *self.on_progress).run(&header)?;
            let bytes = with_answers(claims, answers);
            (self.on_progress)(Progress::Written { claims, bytes: bytes.len() });
            let positions = work.div_ceil(MIN_BYTES.max(bytes.len() as u64));
            let positions = Some(positions).filter(|positions| *positions > Limits::default().positions);
            return Ok(Certificate { claim: claim.clone(), claims, bytes, positions });
        }
        let domino_solver =
            if by_nimbers { None } else { checked.solver_with_moves_elsewhere(self.make.budget, watch) };
        let mut source =
            EngineSource { engine, checked, family, root: root.clone(), watch, domino_solver, stopped: None };
        let mut prover = Prover {
            family,
            source: &mut source,
            replies: ReplyChooser::new(family, settle),
            refutations: RefutationChooser::new(family),
            by_nimbers,
            sink: Sink::new(plan.is_text),
            claims: 0,
            on_progress: &mut *self.on_progress,
        };
        let mut best: Option<Certificate> = None;
        loop {
            let (claims, answers) = match prover.run(&header, plan.is_text) {
                Ok(done) => done,
                // Certificates written before are complete.
                Err(ProveError::Stopped(stopped)) => return best.ok_or(stopped.into()),
                Err(error) => return Err(error),
            };
            let bytes = with_answers(claims, answers);
            let goes_on = (prover.on_progress)(Progress::Written { claims, bytes: bytes.len() });
            if best.as_ref().is_none_or(|best| bytes.len() < best.bytes.len()) {
                best = Some(Certificate { claim: claim.clone(), claims, bytes, positions: None });
            }
            if let Some(best) = best.take_if(|_| goes_on == Improve::No) {
                return Ok(best);
            }
            prover.update_costs();
        }
    }
}

/// Solves the position, and returns the claim in the checker's words.
fn solve_claim<G: Notation>(
    engine: &mut Engine<G>,
    root: &G::Position,
    what: ClaimKind,
    watch: &Watch,
) -> Result<String, ProveError> {
    if what == ClaimKind::Nimber {
        let nimber = engine.nimber(root, watch)?;
        return Ok(format!("the nimber is {nimber}"));
    }
    let plies = matches!(what, ClaimKind::Value | ClaimKind::Within(_));
    let ask = if plies { Goal::Value } else { Goal::Winner };
    let has_scores = engine.game().max_score() > 0;
    let answer = engine.solve(root, ask, watch, |_| {})?;
    let bounds = answer.bounds;
    let Some(outcome) = bounds.outcome().filter(|_| answer.complete) else {
        return Err(balpan::Stopped::Interrupted.into());
    };
    let [mover, other] = checker_players(&**engine.game(), root);
    let winner = match outcome {
        Outcome::Draw => return Ok("it is a draw".into()),
        Outcome::Win => mover,
        Outcome::Loss => other,
    };
    // Where there are scores, plies are not counted.
    let remoteness = bounds.value().and_then(Value::remoteness).filter(|_| !has_scores);
    let score = bounds.value().and_then(Value::score).filter(|_| what == ClaimKind::Value && has_scores);
    let claim = match (what, remoteness) {
        _ if score.is_some() => format!("{winner} gets exactly {}", score.unwrap_or(0).abs()),
        (ClaimKind::Value, Some(plies)) => format!("{winner} wins in exactly {plies} plies"),
        (ClaimKind::Within(max_plies), Some(plies)) if plies > max_plies => {
            return Err(ProveError::NotTrue(format!("{winner} wins in {plies} plies, not within {max_plies}")));
        }
        (ClaimKind::Within(max_plies), _) => format!("{winner} wins within {max_plies} plies"),
        _ => format!("{winner} wins"),
    };
    Ok(claim)
}

/// The checker's names of the player to move and the other.
fn checker_players<G: Notation>(game: &G, root: &G::Position) -> [&'static str; 2] {
    let names = game.players(root);
    if names[0].is_by_turn() {
        ["the player to move", "the other player"]
    } else {
        names.map(balpan_games::PlayerName::as_str)
    }
}

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The watch stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The engine has no such answer.
    #[error(transparent)]
    Engine(EngineError),
    /// The position cannot be read.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The claim is not true.
    #[error("the claim is not true: {0}")]
    NotTrue(String),
    /// The checker does not know the game's family.
    #[error("the checker knows no games of {0}")]
    UncheckedFamily(&'static str),
    /// The checker cannot read it.
    #[error("the checker cannot take this: {0}")]
    Checker(String),
}

impl From<EngineError> for ProveError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Stopped(stopped) => Self::Stopped(stopped),
            other => Self::Engine(other),
        }
    }
}
