//! A referee: judges claims by the families' own rules and exhaustive minimax.

use std::collections::BTreeMap;

use balpan::{Outcome, Value};
use balpan_check::trusted::claim::Header;
use balpan_check::trusted::game::Position;
use balpan_games::heaps::{self, Code, Heaps};
use balpan_games::lines::{self, Lines, Marks};
use balpan_games::placement::{self, Piece, Pieces, Placement, Shape};
use balpan_games::walkers::{self, Steps, Walkers};
use balpan_games::{AnyGame, Board, FamilyGame, Task};

use super::{Exhaustive, Positions};

/// The largest number of positions visited to judge a claim.
const MAX_POSITIONS: usize = 50_000;

/// Whether a claim in words is true of the position by the rules of a head; `None` if the game is
/// too large, or its rules are none of the families'.
pub(crate) fn is_true(head: &str, claim: &str) -> Option<bool> {
    let mut keys: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in head.lines().skip(1) {
        let (key, value) = line.split_once(':')?;
        keys.entry(key.trim()).or_default().push(value.trim());
    }
    let (game, text) = game(&keys)?;
    // Positions that the families' parser rejects as unreachable are read by the checker.
    let words = Header::parse(head).ok()?.position;
    game.run(Judge { text: &text, words, claim })
}

struct Judge<'t> {
    text: &'t str,
    words: Position,
    claim: &'t str,
}

impl Task for Judge<'_> {
    type Output = Option<bool>;

    fn run<G: FamilyGame>(self, game: &G) -> Option<bool> {
        let Self { text, words, claim } = self;
        let position = game.parse(text).unwrap_or_else(|_| game.position_in(&words));
        let mut exhaustive = Exhaustive::new(game, MAX_POSITIONS);
        if let Some(nimber) = claim.strip_prefix("the nimber is ") {
            assert!(game.is_impartial(), "{text}: {claim}");
            return Some(exhaustive.nimber(&position)? == nimber.parse::<u32>().ok()?);
        }
        let value = exhaustive.value(&position)?;
        let names = game.players(&position);
        let names = if names[0].is_by_turn() {
            ["the player to move", "the other player"]
        } else {
            names.map(balpan_games::PlayerName::as_str)
        };
        Some(claim_holds(value, names, claim))
    }
}

/// Whether the claim is true of a position with this value for the first of the players.
pub(crate) fn claim_holds(value: Value, names: [&str; 2], claim: &str) -> bool {
    if claim == "it is a draw" {
        return value == Value::DRAW;
    }
    // No name is a prefix of another.
    let player = names.iter().position(|name| claim.starts_with(name)).expect("a player");
    let outcome = if player == 0 { value.outcome() } else { value.outcome().reversed() };
    let plies = value.remoteness().unwrap_or(0);
    let (wins, loses) = (outcome == Outcome::Win, outcome == Outcome::Loss);
    let does = &claim[names[player].len() + 1..];
    let number = || -> u32 { does.split(' ').rev().nth(1).expect("a number").parse().expect("a number") };
    match does {
        "wins" => wins,
        "draws or wins" => !loses,
        _ if does.starts_with("wins within ") => wins && plies <= number(),
        _ if does.starts_with("wins in exactly ") => wins && plies == number(),
        _ if does.starts_with("does not lose before ") => !loses || plies >= number(),
        other => panic!("the claim {other}"),
    }
}

/// Reads the game of a head, and its position in the families' notation.
fn game(keys: &BTreeMap<&str, Vec<&str>>) -> Option<(AnyGame, String)> {
    let one = |key: &str| keys.get(key).map(|values| values[0]);
    let yes = |key: &str| one(key).map(|value| value == "yes");
    let text = one("position")?.to_owned();
    if one("family")? == "heaps" {
        let rules = heaps::Rules { code: Code::parse(one("code")?)?, misere: yes("misere")? };
        let heaps = text.split_whitespace().map(|heap| heap.parse().ok()).collect::<Option<_>>()?;
        return Some((Heaps::new(rules, heaps).into(), text));
    }
    let board = text.split_whitespace().next()?;
    let board = Board::new(board.split('/').count(), board.split('/').next()?.chars().count()).ok()?;
    Some(match one("family")? {
        "walkers" => {
            let steps = match one("steps")? {
                "orthogonal" => Steps::Orthogonal,
                "king" => Steps::King,
                "knight" => Steps::Knight,
                "queen" => Steps::Queen,
                steps => {
                    let step =
                        |word: &str| word.split_once(',').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                    let mut steps = steps.split_whitespace().map(step).collect::<Option<Vec<(i8, i8)>>>()?;
                    // A step of zero is no move.
                    steps.retain(|step| *step != (0, 0));
                    Steps::Offsets(steps)
                }
            };
            let rules = walkers::Rules { steps, share: yes("share")?, torus: yes("torus")? };
            (Walkers::<u64>::new(rules, board).ok()?.into(), text)
        }
        "lines" => {
            let rules = lines::Rules {
                // No board here has a line of 64.
                k: one("k")?.parse::<u8>().ok()?.min(64),
                gravity: yes("gravity")?,
                marks: if one("marks")? == "own" { Marks::Own } else { Marks::Shared },
                overlines: yes("overlines")?,
                misere: yes("misere")?,
            };
            (Lines::new(rules, board).ok()?.into(), text)
        }
        _ => {
            let mut names = 'A'..='Z';
            let mut list = |key: &str| -> Option<Vec<Piece>> {
                let of = |text: &&str| {
                    let (shape, supply) = text.split_once(" x ").map_or((*text, None), |(shape, n)| (shape, Some(n)));
                    let supply = supply.map(|n| n.parse().ok());
                    let name = names.next()?.to_string();
                    let supply = if supply == Some(None) { return None } else { supply.flatten() };
                    Some(Piece { name, shape: Shape::parse(shape).ok()?, supply })
                };
                keys.get(key).map_or(Some(Vec::new()), |texts| texts.iter().map(of).collect())
            };
            let (shared, left, right) = (list("piece")?, list("left")?, list("right")?);
            let pieces = match (shared.is_empty(), left.is_empty() && right.is_empty()) {
                (false, true) => Pieces::Shared(shared),
                (true, false) => Pieces::Own { left, right },
                // The families have no rules with both shared and own pieces.
                _ => return None,
            };
            let (rows, used) = text.split_once(" used ").unwrap_or((&text, ""));
            let counts = used.split_whitespace().map(|count| count.parse().ok()).collect::<Option<Vec<usize>>>()?;
            let letters: String = pieces.all().zip(counts).map(|(piece, count)| piece.name.repeat(count)).collect();
            let text = if letters.is_empty() { rows.to_owned() } else { format!("{rows} -{letters}") };
            let rules =
                placement::Rules { pieces, rotate: yes("rotate")?, reflect: yes("reflect")?, misere: yes("misere")? };
            (Placement::<u64>::new(rules, board).ok()?.into(), text)
        }
    })
}
