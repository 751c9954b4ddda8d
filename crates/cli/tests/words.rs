//! Unusual command lines.

use std::process::{Command, Output};

fn balpan(words: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_balpan")).args(words).env("NO_COLOR", "1").env("LC_ALL", "C").output();
    let Output { status, stdout, stderr } = output.expect("the command runs");
    let text = |bytes| String::from_utf8(bytes).expect("it prints text");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn long_lists_of_moves_are_folded_unless_asked_for() {
    let (code, page, error) = balpan(&["solve", "blockgame", "--winner"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(page.contains("and 96 more (--ask moves)") && page.lines().count() < 20, "{page}");
    let (_, page, _) = balpan(&["solve", "blockgame", "--board", "4x4", "--ask", "moves"]);
    assert!(!page.contains("more (--ask"), "{page}");
    let (_, page, _) = balpan(&["solve", "connect4", "--winner", "--board", "4x5"]);
    assert!(!page.contains("Moves that do it"), "{page}");
}

#[test]
fn a_score_is_that_of_each_move_too() {
    let words = ["solve", "connect4", "--board", "4x4", "--set", "k=3", "--score"];
    let (code, page, error) = balpan(&words);
    assert_eq!(code, Some(0), "{error}");
    assert!(page.contains("Its score is +4.") && page.contains("* win in 9 (+4)"), "{page}");
    let (_, printed, _) = balpan(&[&words[..], &["--json"]].concat());
    let answer: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(answer["score"], 4);
    assert!(answer["moves"].as_array().unwrap().iter().all(|mv| mv["score"].is_i64()), "{printed}");
}

#[test]
fn a_mistake_far_along_a_line_is_shown_with_its_surroundings() {
    let long = ".".repeat(70_000) + "x";
    let set = format!("start={long}");
    for words in [&["solve", "tictactoe", &long][..], &["solve", "tictactoe", "--set", &set]] {
        let (code, printed, error) = balpan(words);
        assert_eq!((code, printed.as_str()), (Some(2), ""));
        assert!(error.contains("`x` is not a cell") && error.len() < 1_000, "{error}");
    }
}

#[test]
fn changes_are_taken_together() {
    let orders = [
        ["solve", "gomoku", "--outcome", "--board", "4x4", "--set", "k=4"],
        ["solve", "gomoku", "--outcome", "--set", "k=4", "--board", "4x4"],
        ["solve", "gomoku", "--outcome", "--set", "k=4", "--set", "board=4x4"],
    ];
    for words in orders {
        let (code, printed, error) = balpan(&words);
        assert_eq!(code, Some(0), "{error}");
        assert!(printed.starts_with("gomoku 4x4") && printed.contains("A draw"), "{printed}");
    }
}

#[test]
fn a_board_that_was_asked_for_is_not_passed_over() {
    let contradictions = [
        ["solve", "tictactoe", "--board", "4x4", "--set", "start=.../.../..."],
        ["solve", "tictactoe", "--set", "board=4x4", "--json", ".../.../..."],
        ["solve", "tictactoe", "--board", "4x4", "--json", ".../.../..."],
    ];
    for words in contradictions {
        assert_eq!(balpan(&words).0, Some(2), "{words:?}");
    }
}

#[test]
fn nothing_in_the_words_steers_the_terminal() {
    let steering = "\u{1b}[2J\u{202e}";
    let position = format!("A.B {steering}");
    let set = format!("steps={steering}");
    for words in [
        &["solve", steering][..],
        &["games", steering],
        &["solve", "platforms", steering],
        &["solve", "platforms", &position],
        &["solve", "platforms", "--set", &set],
    ] {
        let mut balpan = Command::new(env!("CARGO_BIN_EXE_balpan"));
        // With colours forced, nothing is stripped on the way out.
        let output = balpan.args(words).env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").env("LC_ALL", "C").output();
        let Output { status, stderr, .. } = output.expect("the command runs");
        let error = String::from_utf8(stderr).expect("it prints text");
        assert_eq!(status.code(), Some(2));
        assert!(!error.contains("\u{1b}[2J") && !error.contains('\u{202e}'), "{words:?}: {error:?}");
    }
}

#[test]
fn all_solvers_agree() {
    let positions = [
        &["solve", "platforms", "--board", "3x4"][..],
        &["solve", "domineering", "--board", "3x4"],
        &["solve", "tictactoe", "X../.O./..."],
        &["solve", "connect4", "--board", "3x4", "--set", "k=3", "--outcome"],
    ];
    let answer = |words: &[&str], solver: &str| {
        let (code, printed, error) = balpan(&[words, &["--solver", solver]].concat());
        assert_eq!(code, Some(0), "{error}");
        printed
    };
    for words in positions {
        let expected = answer(words, "minimax");
        for solver in ["alpha-beta", "df-pn"] {
            assert_eq!(answer(words, solver), expected, "{words:?} {solver}");
        }
    }
}

#[test]
fn nimbers_and_winners_agree_with_the_plain_search() {
    let field = |words: &[&str], name: &str| {
        let (code, printed, error) = balpan(&[words, &["--json"]].concat());
        assert_eq!(code, Some(0), "{words:?}: {error}");
        let found = printed.split_once(&format!("\"{name}\":")).map(|(_, rest)| rest.to_owned());
        found.map(|rest| rest[..rest.find([',', '}']).unwrap_or(rest.len())].to_owned())
    };
    let games = [
        (&["solve", "cram", "--board", "3x6"][..], "nimber", "4"),
        (&["solve", "cram", "--board", "4x7"], "nimber", "3"),
        (&["solve", "blockgame", "--board", "2x12"], "nimber", "0"),
        (&["solve", "blockgame", "--board", "4x4", "--set", "misere=true"], "misere_value", "1"),
        (&["solve", "cram", "...\n#..\n..."], "nimber", "1"),
        (&["solve", "nim", "3 5 7"], "nimber", "1"),
        (&["solve", "notakto", "--set", "misere=false"], "nimber", "1"),
    ];
    for (words, name, expected) in games {
        let outcome = if expected == "0" { "\"loss\"" } else { "\"win\"" };
        for flags in [
            &["--nimber"][..],
            &["--nimber", "--winner"],
            &["--nimber", "--winner", "--threads", "2", "--memory", "1M"],
        ] {
            let words = [words, flags].concat();
            assert_eq!(field(&words, name).as_deref(), Some(expected), "{words:?}");
            assert_eq!(field(&words, "outcome").as_deref(), Some(outcome), "{words:?}");
        }
        for flags in
            [&["--winner"][..], &["--outcome"], &["--winner", "--solver", "df-pn"], &["--solver", "alpha-beta"]]
        {
            let words = [words, flags].concat();
            assert_eq!(field(&words, "outcome").as_deref(), Some(outcome), "{words:?}");
            assert_eq!(field(&words, name), None, "{words:?}");
        }
    }
    // Boards of more cells than a word has bits.
    assert_eq!(field(&["solve", "cram", "--board", "2x50"], "outcome").as_deref(), Some("\"loss\""));
    let without = [
        (&["domineering", "--nimber"][..], "no nimber"),
        (&["tictactoe", "--solver", "nimber"], "no nimber"),
        (&["pentominoes", "--nimber", "--board", "2x5"], ""),
        (&["cram", "--board", "12x11"], "128 at most"),
        (&["kings", "--board", "12x12"], "128 at most"),
        (&["gomoku", "--board", "9x9"], "64 at most"),
        (&["cram", "--cgt", "--set", "misere=true"], ""),
    ];
    for (words, why) in without {
        let (code, printed, error) = balpan(&[&["solve"], words].concat());
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{words:?}");
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn the_table_agrees_where_there_is_one() {
    let positions = [
        &["solve", "blockgame", "#.#../...../..#../...../....#"][..],
        &["solve", "cram", "--board", "4x4", "--set", "misere=true"],
        &["solve", "cram", "--board", "2x9", "--outcome", "--threads", "2"],
        &["solve", "cram", "##/##"],
    ];
    for words in positions {
        let answers = ["table", "alpha-beta", "auto"].map(|solver| {
            let (code, printed, error) = balpan(&[words, &["--solver", solver]].concat());
            assert_eq!(code, Some(0), "{error}");
            printed
        });
        assert_eq!(answers[0], answers[1], "{words:?}");
        assert_eq!(answers[0], answers[2], "{words:?}");
    }
    let without = [
        (&["domineering"][..], "more to a position than its filled cells"),
        (&["pentominoes"], "more to a position than its filled cells"),
        (&["tictactoe"], "no table of all positions"),
        (&["cram", "--board", "8x9"], "not enough memory for a table of all boards of 72 cells"),
        (&["cram", "--board", "6x6"], "--memory"),
    ];
    for (words, why) in without {
        let (code, printed, error) = balpan(&[&["solve"], words, &["--solver", "table"]].concat());
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{words:?}");
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn reachable_positions_are_counted_by_nimber_or_misere_value() {
    let census = ["census", "cram", "--board", "3x3", "--nimber", "--json"];
    let (code, normal, error) = balpan(&census);
    assert_eq!(code, Some(0), "{error}");
    let counted: serde_json::Value = serde_json::from_str(&normal).unwrap();
    let of = |number: &str| -> Vec<u64> {
        let rows = counted[number].as_array().unwrap();
        assert!((0..).zip(rows).all(|(n, row)| row[number] == n), "{normal}");
        rows.iter().map(|row| row["positions"].as_u64().unwrap()).collect()
    };
    let nimbers = of("nimber");
    assert_eq!(nimbers.iter().sum::<u64>(), counted["positions"].as_u64().unwrap());
    assert_eq!(nimbers[0], counted["outcomes"]["loss"].as_u64().unwrap());
    let (code, misere, error) = balpan(&[&census[..], &["--set", "misere=true"]].concat());
    assert_eq!(code, Some(0), "{error}");
    assert!(misere.contains(r#""misere_value":[{"misere_value":0,"#), "{misere}");
    let (code, page, error) = balpan(&["census", "kayles", "3", "5", "--nimber", "--symmetry"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(page.contains("\n    nimber 0  "), "{page}");
    let (code, _, error) = balpan(&["census", "tictactoe", "--nimber"]);
    assert!(code == Some(2) && error.contains("tictactoe has no nimber"), "{error}");
    let (code, _, error) = balpan(&["census", "tictactoe", "--strong", "."]);
    assert!(code == Some(2) && error.contains("it is a folder"), "{error}");
}

#[test]
fn all_boards_are_counted_by_nimber_or_misere_value() {
    let census = ["census", "blockgame", "--board", "2x3", "--all-boards", "--nimber", "--json"];
    let (code, normal, error) = balpan(&census);
    assert_eq!(code, Some(0), "{error}");
    assert!(normal.contains(r#""empty_board":{"outcome":"win","nimber":3},"nimber":[{"nimber":0,"#), "{normal}");
    let misere = [&census[..], &["--set", "misere=true", "--threads", "2"]].concat();
    let (code, printed, error) = balpan(&misere);
    assert_eq!(code, Some(0), "{error}");
    let values = r#""empty_board":{"outcome":"win","misere_value":3},"misere_value":[{"misere_value":0,"#;
    assert!(printed.contains(values) && !printed.contains("nimber"), "{printed}");
    let (code, page, error) = balpan(&misere.into_iter().filter(|word| *word != "--json").collect::<Vec<_>>());
    assert_eq!(code, Some(0), "{error}");
    assert!(page.contains("\n  value 1 ") && page.ends_with("wins; its misère value is 3.\n"), "{page}");
}

#[test]
fn the_cost_of_a_solve_is_estimated() {
    let (code, printed, error) = balpan(&["solve", "domineering", "--board", "5x6", "--threads", "1", "--estimate"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(
        printed.starts_with("domineering 5x6: ") && printed.contains(" on one thread of this machine."),
        "{printed}"
    );
    let (code, printed, error) = balpan(&["solve", "tictactoe", "--estimate", "--json"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(printed.contains(r#""exact":true"#), "{printed}");
}

#[test]
fn misere_games_have_a_winner_and_a_winning_move() {
    let words = ["solve", "blockgame", "--board", "3x4", "--set", "misere=true", "--winner"];
    let (code, page, error) = balpan(&words);
    assert_eq!(code, Some(0), "{error}");
    assert!(page.contains("The first player wins.") && page.contains("* win "), "{page}");
    let (code, json, error) = balpan(&[&words[..], &["--json"]].concat());
    assert_eq!(code, Some(0), "{error}");
    assert!(json.contains(r#""outcome":"win""#) && !json.contains(r#""best":[]"#), "{json}");
}

#[test]
fn games_without_a_nimber_are_not_solved_first() {
    // To solve this would take years.
    let (code, printed, error) = balpan(&["solve", "domineering", "--board", "11x11", "--nimber"]);
    assert_eq!((code, printed.as_str()), (Some(2), ""));
    assert!(error.contains("domineering has no nimber"), "{error}");
}
