//! The head of a certificate, from a game's rules.

use std::fmt::Write;

use balpan::Game;
use balpan_check::trusted::claim::Header;
use balpan_check::untrusted::FIRST_LINE;
use balpan_games::heaps::Code;
use balpan_games::lines::Marks;
use balpan_games::placement::{self, Piece, Pieces};
use balpan_games::walkers::Steps;
use balpan_games::{AnyGame, FamilyRules};

use crate::positions::Positions;

/// Returns the lines of a head that state the rules, without the position.
#[must_use]
pub fn header_rules(game: &AnyGame) -> String {
    match game.rules() {
        FamilyRules::Walkers(rules) => {
            let steps = match &rules.steps {
                Steps::Orthogonal => "orthogonal".into(),
                Steps::King => "king".into(),
                Steps::Knight => "knight".into(),
                Steps::Queen => "queen".into(),
                Steps::Offsets(offsets) => {
                    let step = |(down, right): &(i8, i8)| format!("{down},{right}");
                    offsets.iter().map(step).collect::<Vec<_>>().join(" ")
                }
            };
            let (share, torus) = (yes(rules.share), yes(rules.torus));
            format!("family: walkers\nsteps: {steps}\nshare: {share}\ntorus: {torus}\n")
        }
        FamilyRules::Placement(rules) => placement(rules),
        FamilyRules::Lines(rules) => {
            let marks = if rules.marks == Marks::Own { "own" } else { "shared" };
            format!(
                "family: lines\nk: {}\ngravity: {}\nmarks: {marks}\noverlines: {}\nmisere: {}\n",
                rules.k,
                yes(rules.gravity),
                yes(rules.overlines),
                yes(rules.misere)
            )
        }
        FamilyRules::Heaps(rules) => {
            let code = match &rules.code {
                Code::Nim => "nim".into(),
                Code::Octal(digits) => {
                    let others: String = digits[1..].iter().map(u8::to_string).collect();
                    format!("{}.{others}", digits[0])
                }
            };
            format!("family: heaps\ncode: {code}\nmisere: {}\n", yes(rules.misere))
        }
    }
}

/// Returns the rules of a game as the checker states them; `None` if the checker does not support
/// the game.
#[must_use]
pub fn checker_rules(game: &AnyGame) -> Option<Vec<String>> {
    let start = match game {
        AnyGame::Walkers(game) => game.for_checker(&game.start()),
        AnyGame::WideWalkers(game) => game.for_checker(&game.start()),
        AnyGame::Placement(game) => game.for_checker(&game.start()),
        AnyGame::WidePlacement(game) => game.for_checker(&game.start()),
        AnyGame::Lines(game) => game.for_checker(&game.start()),
        AnyGame::Heaps(game) => game.for_checker(&game.start()),
    };
    let rules = header_rules(game);
    let rest = "claim: it is a draw\nsettle: 0\nclaims: 0\nanswers: text";
    let header = Header::parse(&format!("{FIRST_LINE}\ngame: \n{rules}position: {start}\n{rest}")).ok()?;
    Some(header.game.rules())
}

fn placement(rules: &placement::Rules) -> String {
    let mut lines = String::from("family: placement\n");
    let mut add = |key: &str, pieces: &[Piece]| {
        for piece in pieces {
            let supply = piece.supply.map_or(String::new(), |supply| format!(" x {supply}"));
            let _ = writeln!(lines, "{key}: {}{supply}", piece.shape);
        }
    };
    match &rules.pieces {
        Pieces::Shared(pieces) => add("piece", pieces),
        Pieces::Own { left, right } => {
            add("left", left);
            add("right", right);
        }
    }
    let _ = writeln!(
        lines,
        "rotate: {}\nreflect: {}\nmisere: {}",
        yes(rules.rotate),
        yes(rules.reflect),
        yes(rules.misere)
    );
    lines
}

const fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}
