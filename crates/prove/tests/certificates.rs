//! Certificates of small positions of all families: true claims are accepted, and no others.
//!
//! `BALPAN_CERTIFICATES` is the number of certificates.

use crate::common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use balpan::{Outcome, SplitMix, Value};
use balpan_check::CheckError;
use balpan_check::untrusted::meter::{Interrupt, Meter};
use balpan_check::{Limits, Proved, check, parse, walk};
use balpan_games::{AnyGame, FamilyGame, Task};
use balpan_prove::{Certificate, ClaimKind, Plan, ProveError};

use crate::common::liar::Liar;
use crate::common::mutation::{change_head, join, mutate, split};
use crate::common::referee::{claim_holds, is_true};
use crate::common::{Exhaustive, chance, prove_small};

/// The number of certificates: the default, or that of the variable.
fn certificates() -> u64 {
    std::env::var("BALPAN_CERTIFICATES").map_or(300, |n| n.parse().unwrap())
}

/// Plays until the position is small, and solves it.
struct Small<'r>(&'r mut SplitMix);

/// A position and its exact results.
struct Truth {
    text: String,
    value: Value,
    nimber: Option<u32>,
    names: [&'static str; 2],
}

impl Task for Small<'_> {
    type Output = Truth;

    fn run<G: FamilyGame>(self, game: &G) -> Truth {
        let mut exhaustive = Exhaustive::new(game, 4_000);
        let mut position = game.start();
        loop {
            let moves: Vec<_> = game.moves(&position).collect();
            let known = exhaustive.value(&position);
            let is_too_small = known.is_some() && moves.len() < 2 && !chance(self.0, 30);
            if let Some(value) = known.filter(|_| !is_too_small || moves.is_empty()) {
                let names = game.players(&position);
                return Truth {
                    text: game.text(&position),
                    value,
                    nimber: if game.is_impartial() { exhaustive.nimber(&position) } else { None },
                    names: if names[0].is_by_turn() {
                        ["the player to move", "the other player"]
                    } else {
                        names.map(balpan_games::PlayerName::as_str)
                    },
                };
            }
            position = game.play(&position, moves[self.0.below(moves.len())]);
        }
    }
}

fn plan(random: &mut SplitMix, value: Value) -> Plan {
    let plies = value.remoteness().unwrap_or(3);
    let what = match random.below(4) {
        0 => ClaimKind::Outcome,
        1 => ClaimKind::Value,
        2 => ClaimKind::Within((plies + random.below(4) as u32).saturating_sub(1)),
        _ => ClaimKind::Nimber,
    };
    let settle = [Some(0), Some(3), Some(20), None][random.below(4)];
    Plan { what, settle, is_text: chance(random, 50) }
}

/// Proves a claim; `None` if there is rightly no certificate.
fn certificate(game: &AnyGame, truth: &Truth, plan: Plan, about: &str) -> Option<Certificate> {
    let is_false = matches!(plan.what, ClaimKind::Within(plies)
        if truth.value.outcome() != Outcome::Draw && truth.value.remoteness().unwrap() > plies);
    match prove_small(game, &truth.text, plan) {
        Ok(certificate) => {
            assert!(!is_false, "{about}: {}", certificate.claim);
            Some(certificate)
        }
        Err(ProveError::NotTrue(_)) if is_false => None,
        Err(ProveError::Engine(_)) if plan.what == ClaimKind::Nimber && truth.nimber.is_none() => None,
        // A line anywhere ends play everywhere: such positions have no parts.
        Err(ProveError::Checker(_)) if plan.what == ClaimKind::Nimber && game.family() == "lines" => None,
        Err(error) => panic!("{about}: {error}"),
    }
}

fn checked(bytes: &[u8], threads: usize) -> Result<Proved, CheckError> {
    check(bytes, &Limits { memory: 16 << 20, threads, ..Limits::default() })
}

/// Saves an offending file, and fails.
fn fail(bytes: &[u8], about: &str) -> ! {
    let file = format!("{}/wrong.certificate", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, bytes).unwrap();
    panic!("{about}\n{}\nkept in {file}", String::from_utf8_lossy(bytes));
}

/// True claims with all kinds of options.
#[test]
fn certificates_are_accepted_and_true() {
    let (mut random, mut written) = (SplitMix(1), 0);
    while written < certificates() {
        let (game, rules, _) = common::chance::game(&mut random, 14);
        let truth = game.run(Small(&mut random));
        let plan = plan(&mut random, truth.value);
        let about = format!("{rules}{} {plan:?}", truth.text);
        let Some(certificate) = certificate(&game, &truth, plan, &about) else { continue };
        written += 1;
        let claim = &certificate.claim;
        let is_right = match claim.strip_prefix("the nimber is ") {
            Some(nimber) => truth.nimber.is_some_and(|known| nimber == known.to_string()),
            None => claim_holds(truth.value, truth.names, claim),
        };
        assert!(is_right, "{about}: {claim}");
        for threads in [1, 2] {
            let found = checked(&certificate.bytes, threads);
            let found = found.unwrap_or_else(|e| panic!("{about} {claim}: {e:?}"));
            assert_eq!((&found.claim, found.claims), (claim, certificate.claims), "{about}");
        }
        // The referee agrees from the head alone.
        let (head, _) = split(&certificate.bytes);
        assert_eq!(is_true(head, claim), Some(true), "{about}");
    }
}

/// A changed certificate that is accepted all the same is still true.
#[test]
fn changed_certificates_fail_or_are_true() {
    let (mut random, mut written) = (SplitMix(2), 0);
    let [mut accepted, mut too_large] = [0, 0];
    while written < certificates() {
        let (game, rules, _) = common::chance::game(&mut random, 14);
        let truth = game.run(Small(&mut random));
        let plan = plan(&mut random, truth.value);
        let about = format!("{rules}{} {plan:?}", truth.text);
        let Some(certificate) = certificate(&game, &truth, plan, &about) else { continue };
        written += 1;
        for _ in 0..12 {
            let bytes = mutate(&certificate.bytes, &mut random);
            let found = catch_unwind(AssertUnwindSafe(|| checked(&bytes, 1)));
            let Ok(found) = found else { fail(&bytes, &format!("{about}: a panic")) };
            let Ok(Proved { claim, .. }) = found else { continue };
            accepted += 1;
            match is_true(split(&bytes).0, &claim) {
                Some(true) => {}
                Some(false) => fail(&bytes, &format!("{about}: {claim}")),
                None => too_large += 1,
            }
        }
    }
    println!("{accepted} of {} are accepted, {too_large} too large to tell", 12 * written);
    assert!(accepted > written / 4 && too_large < accepted / 20, "{accepted} {too_large}");
}

/// No answers make the checker accept a false claim: neither random ones nor those of an adversary
/// that exploits whatever its rules allow.
#[test]
fn adversaries_are_not_believed() {
    let (mut random, mut written) = (SplitMix(3), 0);
    let [mut believed, mut is_false, mut too_large] = [0, 0, 0];
    while written < certificates() {
        let (game, rules, _) = common::chance::game(&mut random, 14);
        let truth = game.run(Small(&mut random));
        let plan = Plan { is_text: true, ..plan(&mut random, truth.value) };
        let about = format!("{rules}{} {plan:?}", truth.text);
        let Some(certificate) = certificate(&game, &truth, plan, &about) else { continue };
        written += 1;
        let (head, _) = split(&certificate.bytes);
        for _ in 0..12 {
            let mut head = change_head(head, &mut random);
            if chance(&mut random, 40) {
                head = change_head(&head, &mut random);
            }
            let many = head.lines().map(|line| if line.starts_with("claims:") { "claims: 3000" } else { line });
            let head = many.collect::<Vec<_>>().join("\n");
            let Ok((header, _)) = parse(&join(&head, &[b' '; 9])) else { continue };
            if header.settle > 500 {
                continue;
            }
            let mut seeds = (0..3).map(|_| random.next_u64());
            let is_believed = seeds.any(|seed| {
                walk(
                    &header,
                    &mut Liar::new(&*header.game, seed),
                    &Meter::new(1_000_000, 1 << 30, Interrupt::default()),
                    1,
                )
                .is_ok()
            });
            match is_true(&head, &header.claim.words(header.game.players(&header.position))) {
                Some(false) if is_believed => fail(
                    head.as_bytes(),
                    &format!("{about}: {}", header.claim.words(header.game.players(&header.position))),
                ),
                Some(false) => is_false += 1,
                None => too_large += 1,
                Some(true) => {}
            }
            believed += u64::from(is_believed);
        }
    }
    println!("{believed} true claims are believed, {is_false} false ones are not, {too_large} are too large to tell");
    assert!(believed > written && is_false > written, "{believed} {is_false}");
}
