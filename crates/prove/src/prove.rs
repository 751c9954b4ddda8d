//! A certificate, from a question to its bytes.

use std::fmt::Write;
use std::sync::Arc;

use balpan::{Engine, Goal, Outcome, Value, Watch};
use balpan_check::trusted::claim::Header;
use balpan_check::untrusted::FIRST_LINE;
use balpan_games::{AnyGame, MakeEngine};

use crate::answers::Prover;
use crate::error::ProveError;
use crate::head;
use crate::know::AskedEngine;
use crate::numbers::Numbers;
use crate::plays::Plays;
use crate::positions::Positions;
use crate::write::Sink;

/// What is to be proved of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Who wins, or that it is a draw.
    Outcome,
    /// In exactly how many plies.
    Value,
    /// That the winner wins within this number of plies.
    Within(u32),
    /// The nimber.
    Nimber,
}

/// How a certificate is written.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What is to be proved.
    pub what: What,
    /// What is left to the checker: positions of a search, or for nimbers cells or tokens of a
    /// part. `None` for what suits the game.
    pub settle: Option<u64>,
    /// Whether it is text.
    pub is_text: bool,
}

/// A certificate.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// What it claims, in words.
    pub claim: String,
    /// The number of claims that it makes, about positions or parts.
    pub claims: u64,
    /// The file's bytes.
    pub bytes: Vec<u8>,
}

/// Progress of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<'p> {
    /// What was found, and is to be proved.
    Found(&'p str),
    /// The number of claims so far.
    Claims(u64),
    /// A certificate is written: the number of its claims, and its bytes.
    Written {
        /// Claims.
        claims: u64,
        /// Bytes.
        bytes: usize,
    },
}

/// Whether to look for a smaller certificate, where one is [written](Progress::Written). What is
/// returned at other times does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoOn {
    /// Write another one, and keep the smaller.
    Yes,
    /// Be done with the smallest so far.
    No,
}

/// A function that is called with the progress.
pub type Told<'t> = &'t mut (dyn FnMut(Progress<'_>) -> GoOn + Send);

/// Finds an answer, and writes its certificate; and others, as long as `told` says to go on, each
/// with what was learnt from those before, of which the smallest is returned. `name` is what the game is called, and `position`
/// a text of it; without one the game's start is meant.
///
/// Memory: the engine's, and some 100 bytes a claim. Time: that of the answer, and of what the
/// engine has to find again about the replies.
///
/// # Errors
/// See [`ProveError`].
pub fn prove(
    game: &AnyGame,
    name: &str,
    position: Option<&str>,
    plan: Plan,
    make: MakeEngine,
    watch: &Watch,
    told: Told<'_>,
) -> Result<Certificate, ProveError> {
    let rules = head::rules(game);
    let of = Of { name, rules: &rules, position, plan, make, watch };
    match game {
        AnyGame::Walkers(game) => of.prove(game, told),
        AnyGame::WideWalkers(game) => of.prove(game, told),
        AnyGame::Placement(game) => of.prove(game, told),
        AnyGame::WidePlacement(game) => of.prove(game, told),
        AnyGame::Lines(game) => of.prove(game, told),
        AnyGame::Heaps(game) => of.prove(game, told),
    }
}

/// Positions that the checker searches for a claim, and cells or tokens of the parts whose nimbers
/// it finds. With these numbers, checking takes no longer than finding what was proved.
const SETTLE: u64 = 1000;
/// The first of these that does: the checker keeps all parts of so few cells that it meets, and of some
/// games there are too many.
const SETTLE_PARTS: [u64; 3] = [14, 12, 10];

struct Of<'p> {
    name: &'p str,
    rules: &'p str,
    position: Option<&'p str>,
    plan: Plan,
    make: MakeEngine,
    watch: &'p Watch,
}

impl Of<'_> {
    fn prove<G: Positions>(&self, game: &G, told: Told<'_>) -> Result<Certificate, ProveError> {
        let root = self.position.map_or_else(|| Ok(game.start()), |text| game.parse(text))?;
        let mut engine = self.make.clone().engine(game);
        let claim = found(&mut engine, &root, self.plan.what, self.watch)?;
        told(Progress::Found(&claim));
        let by_nimbers = self.plan.what == What::Nimber || self.plan.what == What::Outcome && game.is_impartial();
        let (settle, fewer) = match self.plan.settle {
            Some(settle) => (settle, [].as_slice()),
            None if by_nimbers => (SETTLE_PARTS[0], &SETTLE_PARTS[1..]),
            None => (SETTLE, [].as_slice()),
        };
        let mut write = |settle| self.write(&mut engine, &root, &claim, by_nimbers, settle, &mut *told);
        let mut written = write(settle);
        for &settle in fewer {
            if matches!(written, Err(ProveError::Checker(_))) {
                written = write(settle);
            }
        }
        written
    }

    /// The certificate that leaves so much to the checker.
    fn write<G: Positions>(
        &self,
        engine: &mut Engine<G>,
        root: &G::Position,
        claim: &str,
        by_nimbers: bool,
        settle: u64,
        told: Told<'_>,
    ) -> Result<Certificate, ProveError> {
        let Self { name, rules, plan, watch, .. } = *self;
        let game = Arc::clone(engine.game());
        let game = &*game;
        let answers = if plan.is_text { "text" } else { "packed" };
        let head = |claims: u64| {
            let mut head = format!("{FIRST_LINE}\ngame: {name}\n{rules}position: {}\n", game.for_checker(root));
            let _ = writeln!(head, "claim: {claim}\nsettle: {settle}\nclaims: {claims}\nanswers: {answers}");
            head
        };
        let header = Header::parse(&head(u64::MAX)).map_err(ProveError::Checker)?;
        let family = &*header.game;
        let contests = if by_nimbers { None } else { game.contests(self.make.budget, watch) };
        let mut know = AskedEngine { engine, root: root.clone(), watch, contests };
        let mut prover = Prover {
            family,
            know: &mut know,
            plays: Plays::new(family, settle),
            numbers: Numbers::new(family),
            by_nimbers,
            sink: Sink::new(plan.is_text),
            claims: 0,
            told,
            stopped: None,
        };
        let mut best: Option<Certificate> = None;
        loop {
            let (claims, answers) = match prover.run(&header, plan.is_text) {
                Ok(done) => done,
                // What was written before is whole.
                Err(ProveError::Stopped(stopped)) => return best.ok_or(stopped.into()),
                Err(error) => return Err(error),
            };
            let mut bytes = (head(claims) + "\n").into_bytes();
            bytes.extend(answers);
            let goes_on = (prover.told)(Progress::Written { claims, bytes: bytes.len() });
            if best.as_ref().is_none_or(|best| bytes.len() < best.bytes.len()) {
                best = Some(Certificate { claim: claim.to_owned(), claims, bytes });
            }
            if let Some(best) = best.take_if(|_| goes_on == GoOn::No) {
                return Ok(best);
            }
            prover.learn();
        }
    }
}

/// What is true of the position, in the checker's words.
fn found<G: Positions>(
    engine: &mut Engine<G>,
    root: &G::Position,
    what: What,
    watch: &Watch,
) -> Result<String, ProveError> {
    if what == What::Nimber {
        let nimber = engine.nimber(root, watch)?;
        return Ok(format!("the nimber is {nimber}"));
    }
    let plies = matches!(what, What::Value | What::Within(_));
    let ask = if plies { Goal::Value } else { Goal::Winner };
    let answer = engine.solve(root, ask, watch, |_| {})?;
    let bounds = answer.bounds;
    let Some(outcome) = bounds.outcome().filter(|_| answer.complete) else {
        return Err(balpan::Stopped::Interrupted.into());
    };
    let [mover, other] = checkers_names(&**engine.game(), root);
    let winner = match outcome {
        Outcome::Draw => return Ok("it is a draw".into()),
        Outcome::Win => mover,
        Outcome::Loss => other,
    };
    let remoteness = bounds.value().and_then(Value::remoteness);
    let claim = match (what, remoteness) {
        (What::Value, Some(plies)) => format!("{winner} wins in exactly {plies} plies"),
        (What::Within(most), Some(plies)) if plies > most => {
            return Err(ProveError::NotTrue(format!("{winner} wins in {plies} plies, not within {most}")));
        }
        (What::Within(most), _) => format!("{winner} wins within {most} plies"),
        _ => format!("{winner} wins"),
    };
    Ok(claim)
}

/// The player to move and the other, as the checker calls them.
fn checkers_names<G: Positions>(game: &G, root: &G::Position) -> [&'static str; 2] {
    let names = game.players(root);
    if names[0] == "first player" { ["the player to move", "the other player"] } else { names }
}
