//! Every known misunderstanding gives a wrong answer somewhere, and differs from every other.

use crate::naive;

use balpan::{SplitMix, Watch};
use balpan_contest::{BlockGame, Judge, Mistake, Platforms, TicTacToe};

/// Returns all cases of at most `max_cells` cells with their right answers.
fn answered_cases<J: Judge>(judge: &J, max_cells: usize) -> Vec<(J::Case, J::Answer)> {
    let watch = Watch::default();
    let mut reference = judge.reference(&watch);
    let cases = (0..=max_cells).flat_map(|cells| judge.cases_of_size(cells));
    cases.map(|case| (case.clone(), reference(&case).unwrap())).collect()
}

/// Writes a case on one line.
fn text<J: Judge>(judge: &J, case: &J::Case) -> String {
    judge.write(std::slice::from_ref(case)).trim_end().replace('\n', "/")
}

/// Describes for each mistake the smallest case with a wrong answer: cells, case, right answer and wrong answer.
fn first_differences<J: Judge>(judge: &J, max_cells: usize) -> Vec<String> {
    let cases = answered_cases(judge, max_cells);
    let difference = |mistake: Mistake<J>| {
        let mut wrong = cases.iter().filter_map(|(case, right)| {
            let theirs = mistake.answer(judge, case).filter(|theirs| theirs != right)?;
            Some(format!("{}: {}, {}: {right}, not {theirs}", mistake.name, judge.size(case).cells, text(judge, case)))
        });
        wrong.next().unwrap_or_else(|| format!("{}: never", mistake.name))
    };
    judge.mistakes().into_iter().map(difference).collect()
}

/// Returns the pairs of mistakes that give the same answers to all cases of at most `max_cells` cells.
fn indistinguishable_pairs<J: Judge>(judge: &J, max_cells: usize) -> Vec<(String, String)> {
    let cases: Vec<_> = (0..=max_cells).flat_map(|cells| judge.cases_of_size(cells)).collect();
    let answers = |mistake: &Mistake<J>| cases.iter().map(|case| mistake.answer(judge, case)).collect::<Vec<_>>();
    let all: Vec<_> = judge.mistakes().into_iter().map(|mistake| (answers(&mistake), mistake.name)).collect();
    let mut pairs = Vec::new();
    for (n, one) in all.iter().enumerate() {
        let same = all[..n].iter().filter(|other| other.0 == one.0);
        pairs.extend(same.map(|other| (other.1.clone(), one.1.clone())));
    }
    pairs
}

/// Checks that names are distinct and that remedies are sentences without a full stop.
fn check_names<J: Judge>(judge: &J) {
    let mut names: Vec<_> = judge.mistakes().into_iter().map(|mistake| mistake.name).collect();
    assert!(judge.mistakes().iter().all(|mistake| mistake.remedy.len() > 20 && !mistake.remedy.ends_with('.')));
    names.sort();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn platforms_mistakes_are_distinct() {
    check_names(&Platforms);
    let differences = first_differences(&Platforms, 7);
    let (first_win, others): (Vec<_>, Vec<_>) = differences.iter().partition(|line| line.starts_with("taking"));
    assert_eq!(
        others,
        [
            r#"a memo without the tiles: 7, {"board":[[1,1,1,1],[1,1,1,0]],"aloc":[1,0],"bloc":[0,3]}: 5, not 6"#,
            r#"a memo without the other token: 4, {"board":[[1,1],[1,1]],"aloc":[0,0],"bloc":[1,0]}: 3, not 2"#,
            r#"the loser hurrying, too: 5, {"board":[[1,1,1],[1,1,0]],"aloc":[1,0],"bloc":[0,0]}: 4, not 2"#,
            r#"forgetting that the shared tile vanishes: 2, {"board":[[1,1]],"aloc":[0,0],"bloc":[0,0]}: 1, not 2"#,
            r#"maximising for both sides, whoever wins: 5, {"board":[[1,1,1],[1,1,0]],"aloc":[0,0],"bloc":[0,2]}: 3, not 4"#,
            r#"maximising for both sides, outcomes right: 6, {"board":[[1,1,1],[1,1,1]],"aloc":[0,1],"bloc":[0,0]}: 3, not 5"#,
            r#"greedy nearest win: 5, {"board":[[1,1,1],[1,1,0]],"aloc":[1,0],"bloc":[0,0]}: 4, not 2"#,
            r#"counting rounds in place of plies, rounded up: 3, {"board":[[1,1,1]],"aloc":[0,0],"bloc":[0,1]}: 2, not 1"#,
            r#"counting rounds in place of plies, rounded down: 2, {"board":[[1,1]],"aloc":[0,0],"bloc":[0,0]}: 1, not 0"#,
            r#"rows and columns of the tokens exchanged: 2, {"board":[[1,1]],"aloc":[0,1],"bloc":[0,0]}: 1, not 0"#,
        ]
    );
    // Every order of directions fails on a full board of 2×3 or 3×2.
    assert_eq!(first_win.len(), 24);
    for line in first_win {
        let [wide, tall] =
            [r#", in this order: 6, {"board":[[1,1,1],[1,1,1]],"#, r#"6, {"board":[[1,1],[1,1],[1,1]],"#];
        assert!(line.contains(wide) || line.contains(tall), "{line}");
        assert!(line.ends_with(": 3, not 5"), "{line}");
    }
    assert!(
        differences.contains(
            &"taking the first winning move in place of the fastest: up, down, left, right, in this order: \
          6, {\"board\":[[1,1],[1,1],[1,1]],\"aloc\":[1,0],\"bloc\":[0,0]}: 3, not 5"
                .to_owned()
        )
    );
    assert_eq!(indistinguishable_pairs(&Platforms, 7), []);
}

#[test]
fn block_game_mistakes_are_distinct() {
    check_names(&BlockGame);
    assert_eq!(
        first_differences(&BlockGame, 5),
        [
            "a misère ending: 0, 1/#####/#####/#####/#####/#####: LOSING, not WINNING",
            "a missing orientation: `##`: 2, 1/..###/#####/#####/#####/#####: WINNING, not LOSING",
            "a missing orientation: `#/#`: 2, 1/.####/.####/#####/#####/#####: WINNING, not LOSING",
            "a missing orientation: `##/#.`: 5, 1/#...#/..###/#####/#####/#####: WINNING, not LOSING",
            "a missing orientation: `##/.#`: 5, 1/...##/##..#/#####/#####/#####: WINNING, not LOSING",
            "a missing orientation: `#./##`: 5, 1/..###/#...#/#####/#####/#####: WINNING, not LOSING",
            "a missing orientation: `.#/##`: 5, 1/##..#/...##/#####/#####/#####: WINNING, not LOSING",
            "L-trominoes without mirror: only `##/#.` and `##/.#`: 5, 1/##..#/...##/#####/#####/#####: WINNING, not LOSING",
            "L-trominoes without mirror: only `##/#.` and `#./##`: 5, 1/##..#/...##/#####/#####/#####: WINNING, not LOSING",
            "L-trominoes without mirror: only `##/#.` and `.#/##`: 5, 1/...##/##..#/#####/#####/#####: WINNING, not LOSING",
            "L-trominoes without mirror: only `##/.#` and `#./##`: 5, 1/#...#/..###/#####/#####/#####: WINNING, not LOSING",
            "L-trominoes without mirror: only `##/.#` and `.#/##`: 5, 1/#...#/..###/#####/#####/#####: WINNING, not LOSING",
            "L-trominoes without mirror: only `#./##` and `.#/##`: 5, 1/#...#/..###/#####/#####/#####: WINNING, not LOSING",
            "L-trominoes in one rotation: only `##/#.`: 5, 1/..###/...##/#####/#####/#####: WINNING, not LOSING",
            "L-trominoes in one rotation: only `##/.#`: 5, 1/#..##/...##/#####/#####/#####: WINNING, not LOSING",
            "L-trominoes in one rotation: only `#./##`: 5, 1/...##/..###/#####/#####/#####: WINNING, not LOSING",
            "L-trominoes in one rotation: only `.#/##`: 5, 1/...##/#..##/#####/#####/#####: WINNING, not LOSING",
            "dominoes only: 4, 1/..###/..###/#####/#####/#####: WINNING, not LOSING",
            "a domino that goes on in the next row: 4, 1/.##../.####/#####/#####/#####: LOSING, not WINNING",
            "pieces that go on in the next row: 4, 1/.##../.####/#####/#####/#####: LOSING, not WINNING",
            "a memo by the number of free cells: 4, 1/....#/#####/#####/#####/#####: WINNING, not LOSING",
        ]
    );
    assert_eq!(indistinguishable_pairs(&BlockGame, 6), []);
}

#[test]
fn tic_tac_toe_mistakes_are_distinct() {
    check_names(&TicTacToe);
    assert_eq!(
        first_differences(&TicTacToe, 9),
        [
            "a full board with a line called TIE: 0, 1/xxx/xoo/xoo: x, not TIE",
            "the turn mistaken: counts read the wrong way round: 1, 1/xxo/xxo/oo.: x, not o",
            "the turn mistaken: x always taken to move: 2, 1/xxo/xxo/o..: o, not x",
            "a diagonal forgotten: from the top left: 0, 1/xxo/xxo/oox: x, not TIE",
            "a diagonal forgotten: from the top right: 0, 1/oxx/xxo/xoo: x, not TIE",
            "both diagonals forgotten: 0, 1/oxx/xxo/xoo: x, not TIE",
            "a memo by the free cells alone: 3, 1/oxx/x.o/o..: TIE, not x",
        ]
    );
    assert_eq!(indistinguishable_pairs(&TicTacToe, 9), []);
}

/// A memo that is kept between cases is right for single cases and wrong after others.
#[test]
fn stateful_mistakes_depend_on_earlier_cases() {
    let named = |name: &str| {
        let mistakes = Platforms.more_mistakes().into_iter();
        mistakes.filter(|mistake| mistake.is_stateful()).find(|mistake| mistake.name == name).unwrap()
    };
    let cases = |text: &str| Platforms.read(text.as_bytes()).collect::<Result<Vec<_>, _>>().unwrap();
    let answers = |name, text| {
        let answers = named(name).answers(&Platforms, &cases(text));
        answers.into_iter().map(|answer| answer.unwrap().0).collect::<Vec<_>>()
    };
    // The same bits, on boards of two widths: A is stuck, or steps down.
    let wide = "{\"board\":[[1,0,1,1]],\"aloc\":[0,0],\"bloc\":[0,3]}\n";
    let square = "{\"board\":[[1,0],[1,1]],\"aloc\":[0,0],\"bloc\":[1,1]}\n";
    let kept = "a memo kept between cases";
    assert_eq!(answers(kept, wide), [0]);
    assert_eq!(answers(kept, square), answers("a memo kept between cases, without the turn", square));
    assert_ne!(answers(kept, square), [0]);
    assert_eq!(answers(kept, &(wide.to_owned() + square)), [0, 0]);
    // Each case alone is answered rightly.
    let right: Vec<_> = answered_cases(&Platforms, 5);
    for (case, right) in right {
        assert_eq!(named(kept).answer(&Platforms, &case), Some(right), "{case:?}");
    }
}

/// The reference, with which mistakes are compared, agrees with naive solvers.
#[test]
fn the_reference_agrees_with_naive_solvers() {
    for (case, answer) in answered_cases(&Platforms, 6) {
        assert_eq!(naive::platforms(&Platforms.write(&[case])), answer.to_string(), "{case:?}");
    }
    for (case, answer) in answered_cases(&BlockGame, 6) {
        assert_eq!(naive::block_game(&BlockGame.write(&[case])), answer.to_string(), "{case:?}");
    }
    for (case, answer) in answered_cases(&TicTacToe, 9) {
        assert_eq!(naive::tic_tac_toe(&TicTacToe.write(&[case])), answer.to_string(), "{case:?}");
    }
}

/// The plain solvers decline cases that would take too long.
#[test]
fn large_cases_have_no_answer() {
    let mut random = SplitMix(1);
    for _ in 0..500 {
        let case = Platforms.random_case(&mut random, 25);
        let small = Platforms.size(&case).cells <= 16;
        assert!(Platforms.mistakes().iter().all(|mistake| mistake.answer(&Platforms, &case).is_some() == small));
        let case = BlockGame.random_case(&mut random, 25);
        let small = BlockGame.size(&case).cells <= 16;
        assert!(BlockGame.mistakes().iter().all(|mistake| mistake.answer(&BlockGame, &case).is_some() == small));
    }
}
