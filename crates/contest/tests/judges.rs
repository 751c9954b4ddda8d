//! What every judge promises: it reads what it writes, and its order of size is one.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::HashSet;

use balpan::{SplitMix, Watch};
use balpan_contest::{BlockGame, Judge, Platforms, TicTacToe, answer_all};

fn read_back<J: Judge>(judge: &J, cases: &[J::Case]) {
    let text = judge.write(cases);
    let read: Result<Vec<_>, _> = judge.read(text.as_bytes()).collect();
    assert_eq!(read.unwrap(), cases, "{text}");
}

fn cases<J: Judge>(judge: &J, cells: std::ops::RangeInclusive<usize>) -> Vec<J::Case> {
    cells.flat_map(|cells| judge.of_size(cells)).collect()
}

fn keeps_its_promises<J: Judge>(judge: &J, most: usize) {
    let small = cases(judge, 0..=most);
    assert!(small.is_sorted_by_key(|case| judge.size(case)), "in the order of size");
    assert_eq!(small.iter().collect::<HashSet<_>>().len(), small.len(), "each once");
    assert!(cases(judge, judge.about().most_cells + 1..=judge.about().most_cells + 1).is_empty());
    read_back(judge, &small);
    read_back(judge, &[]);
    let mut random = SplitMix(1);
    for most in 0..=judge.about().most_cells {
        for _ in 0..20 {
            let case = judge.random(&mut random, most.max(1));
            assert!(judge.size(&case).cells <= most.max(1));
            read_back(judge, std::slice::from_ref(&case));
            for smaller in judge.smaller(&case) {
                assert!(judge.size(&smaller) < judge.size(&case), "{smaller:?} of {case:?}");
            }
        }
    }
    // The reference answers as the stream does, and its answers are read back.
    let mut output = Vec::new();
    let watch = Watch::default();
    answer_all(judge, judge.write(&small).as_bytes(), &mut output, &watch).unwrap();
    let mut reference = judge.reference(&watch);
    let lines = String::from_utf8(output).unwrap();
    assert_eq!(lines.lines().count(), small.len());
    for (line, case) in lines.lines().zip(&small) {
        assert_eq!(judge.read_answer(line), Some(reference(case).unwrap()));
    }
    for wrong in ["", " ", "winning", "X", "tie", "-1", "+1", "01", "1.5", "4294967296"] {
        assert_eq!(judge.read_answer(wrong), None, "{wrong}");
    }
}

#[test]
fn of_platforms() {
    keeps_its_promises(&Platforms, 4);
    // Counted by another program.
    assert_eq!([1, 2, 3, 4, 5].map(|tiles| Platforms.of_size(tiles).count()), [1, 84, 566, 3056, 14151]);
}

#[test]
fn of_the_block_game() {
    keeps_its_promises(&BlockGame, 4);
    // No board, 40 dominoes, 30 straight and 4 * 16 bent trominoes.
    assert_eq!([0, 1, 2, 3].map(|free| BlockGame.of_size(free).count()), [1, 0, 40, 2 * 15 + 4 * 16]);
}

#[test]
fn of_tic_tac_toe() {
    keeps_its_promises(&TicTacToe, 9);
    assert_eq!(cases(&TicTacToe, 0..=9).len(), 5478);
}
