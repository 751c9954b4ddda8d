//! A certificate, from a question to its bytes.

use std::fmt::Write;

use balpan::{Ask, Engine, Outcome, Value, Watch};
use balpan_check::answers::Failure;
use balpan_check::header::{FIRST_LINE, Header};
use balpan_games::{AnyGame, MakeEngine};

use crate::answers::Prover;
use crate::error::ProveError;
use crate::head;
use crate::know::Asked;
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
    /// That somebody wins within so many plies.
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

/// What somebody is told who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<'p> {
    /// What was found, and is to be proved.
    Found(&'p str),
    /// The number of claims so far.
    Claims(u64),
}

/// Finds an answer, and writes its certificate. `name` is what the game is called, and `position`
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
    told: &mut dyn FnMut(Progress<'_>),
) -> Result<Certificate, ProveError> {
    let rules = head::rules(game);
    let of = Of { name, rules: &rules, position, plan, make, watch };
    match game {
        AnyGame::Walkers(game) => of.prove(game, told),
        AnyGame::Placement(game) => of.prove(game, told),
        AnyGame::Wide(game) => of.prove(game, told),
        AnyGame::Lines(game) => of.prove(game, told),
        AnyGame::Heaps(game) => of.prove(game, told),
    }
}

struct Of<'p> {
    name: &'p str,
    rules: &'p str,
    position: Option<&'p str>,
    plan: Plan,
    make: MakeEngine,
    watch: &'p Watch,
}

impl Of<'_> {
    fn prove<G: Positions>(self, game: &G, told: &mut dyn FnMut(Progress<'_>)) -> Result<Certificate, ProveError> {
        let Self { name, rules, position, plan, make, watch } = self;
        let root = position.map_or_else(|| Ok(game.start()), |text| game.parse(text))?;
        let mut engine = make.engine(game);
        let (claim, is_draw) = found(&mut engine, &root, plan.what, watch)?;
        told(Progress::Found(&claim));
        let by_nimbers = plan.what == What::Nimber || plan.what == What::Outcome && game.is_impartial();
        let settle = plan.settle.unwrap_or(match plan.what {
            _ if by_nimbers => 12,
            _ if is_draw => 100,
            _ => 300,
        });
        let answers = if plan.is_text { "text" } else { "packed" };
        let head = |claims: u64| {
            let mut head = format!("{FIRST_LINE}\ngame: {name}\n{rules}position: {}\n", game.for_checker(&root));
            let _ = writeln!(head, "claim: {claim}\nsettle: {settle}\nclaims: {claims}\nanswers: {answers}");
            head
        };
        let header = Header::parse(&head(u64::MAX)).map_err(ProveError::Checker)?;
        let family = &*header.family;
        let mut know = Asked { engine: &mut engine, root: root.clone(), watch };
        let mut prover = Prover {
            family,
            know: &mut know,
            plays: Plays::new(family, settle),
            numbers: Numbers::new(family),
            by_nimbers,
            sink: Sink::new(plan.is_text),
            claims: 0,
            report: &mut |claims| told(Progress::Claims(claims)),
            stopped: None,
        };
        let walked = balpan_check::walk(&header, &mut prover, 1);
        if let Some(stopped) = prover.stopped {
            return Err(stopped.into());
        }
        let claims = walked.map_err(|failure| match failure {
            Failure::NotProved(why) => ProveError::NotTrue(why),
            Failure::NotACertificate(why) => ProveError::Checker(why),
        })?;
        let mut bytes = (head(claims) + "\n").into_bytes();
        bytes.extend(prover.sink.bytes());
        Ok(Certificate { claim, claims, bytes })
    }
}

/// What is true of the position, in the checker's words; and whether it is a draw.
fn found<G: Positions>(
    engine: &mut Engine<G>,
    root: &G::Position,
    what: What,
    watch: &Watch,
) -> Result<(String, bool), ProveError> {
    if what == What::Nimber {
        let nimber = engine.nimber(root, watch)?;
        return Ok((format!("the nimber is {nimber}"), false));
    }
    let plies = matches!(what, What::Value | What::Within(_));
    let ask = if plies { Ask::Value } else { Ask::Winner };
    let answer = engine.ask(root, ask, watch, |_| {})?;
    let bounds = answer.bounds;
    let Some(outcome) = bounds.outcome().filter(|_| answer.complete) else {
        return Err(balpan::Stopped.into());
    };
    let [mover, other] = checkers_names(&**engine.game(), root);
    let winner = match outcome {
        Outcome::Draw => return Ok(("it is a draw".into(), true)),
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
    Ok((claim, false))
}

/// The player to move and the other, as the checker calls them.
fn checkers_names<G: Positions>(game: &G, root: &G::Position) -> [&'static str; 2] {
    let names = game.players(root);
    if names[0] == "first player" { ["the player to move", "the other player"] } else { names }
}
