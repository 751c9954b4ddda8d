//! Games in which each player has own pieces, against exhaustive minimax over the checker's rules:
//! reduced positions, and the lemma of places.

use std::collections::HashMap;

use balpan::SplitMix;
use balpan_check::trusted::claim::Guarantee;
use balpan_check::trusted::claim::Header;
use balpan_check::trusted::game::{Game, Position};
use balpan_check::untrusted::meter::Unmetered;
use balpan_games::RulesFile;

use crate::common::{chance, header};

/// Whether the player to move wins.
fn wins(family: &dyn Game, at: &Position, known: &mut HashMap<Position, bool>) -> bool {
    if let Some(&wins) = known.get(at) {
        return wins;
    }
    let rules = Unmetered::new(family);
    let moves = if rules.end(at).is_none() { rules.moves(at) } else { Vec::new() };
    let wins = moves.iter().any(|mv| !wins(family, &mv.after, known));
    known.insert(*at, wins);
    wins
}

/// A game in which each player has own pieces.
fn game(pieces: &str, board: &str, random: &mut SplitMix) -> Header {
    let rules = RulesFile::parse("test", &format!("family = \"placement\"\nboard = \"{board}\"\n{pieces}")).unwrap();
    header(&rules.game().unwrap(), random)
}

const DOMINEERING: &str = "rotate = false\n[left]\na = \"#/#\"\n[right]\na = \"##\"\n";

/// Tests random positions. Returns the numbers of lost ones, of those won by the lemma, and of
/// reduced ones.
fn test_positions(family: &dyn Game, (rows, cols): (usize, usize), random: &mut SplitMix, count: usize) -> [usize; 3] {
    let (mut lost, mut won, mut reduced) = (0, 0, 0);
    for _ in 0..count {
        let filled = [5, 20, 40, 60][random.below(4)];
        let row = |random: &mut SplitMix| (0..cols).map(|_| if chance(random, filled) { '#' } else { '.' }).collect();
        let board: Vec<String> = (0..rows).map(|_| row(random)).collect();
        let turn = ["l", "r"][random.below(2)];
        let at = family.read(&format!("{} {turn}", board.join("/"))).unwrap();
        let mut known = HashMap::new();
        let is_win = wins(family, &at, &mut known);
        let text = family.write(&at);
        let chosen = Unmetered::new(family).canonical(&at, Guarantee::WIN);
        assert_eq!(wins(family, &chosen, &mut known), is_win, "{text} as {}", family.write(&chosen));
        assert!(family.layer(&chosen) <= family.layer(&at), "{text}");
        assert_eq!(family.read(&family.write(&chosen)), Ok(chosen), "{text}");
        for one in [at, chosen] {
            if Unmetered::new(family).outlasts_by(&one).unwrap() >= 0 {
                assert!(!is_win, "{text}");
                won += 1;
            }
        }
        lost += usize::from(!is_win);
        reduced += usize::from(chosen != at);
    }
    [lost, won, reduced]
}

#[test]
fn dominoes_are_reduced_and_outlast() {
    let mut random = SplitMix(7);
    let header = game(DOMINEERING, "4x5", &mut random);
    let [lost, won, reduced] = test_positions(&*header.game, (4, 5), &mut random, 2_000);
    // The lemma settles most lost positions; each is tested twice.
    assert!(won > lost && reduced > 1_000, "{lost} {won} {reduced}");
}

#[test]
fn larger_boards_keep_their_winners() {
    let mut random = SplitMix(8);
    let header = game(DOMINEERING, "5x5", &mut random);
    test_positions(&*header.game, (5, 5), &mut random, 100);
}

#[test]
fn other_pieces_keep_their_winners() {
    let mut random = SplitMix(9);
    for (left, right) in [
        ("##", "#/#"),
        ("#.#", "#/#"),
        ("##", "#.#"),
        ("#/#/#", "##"),
        ("##/#.", "##"),
        ("##", "##/#."),
        ("#", "##"),
        ("##", "#"),
        ("#", "#"),
    ] {
        let header = game(
            &format!("rotate = {}\n[left]\na = \"{left}\"\n[right]\na = \"{right}\"\n", left.len() % 2 == 0),
            "4x5",
            &mut random,
        );
        test_positions(&*header.game, (4, 5), &mut random, 200);
    }
}
