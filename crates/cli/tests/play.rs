//! Games against the perfect player, through the command's standard input and output.

use std::io::{Read, Write};
use std::process::{Child, Command, Output, Stdio};

use balpan::{Minimax, Outcome, Solver, Value, Watch};
use balpan_games::presets::preset;
use balpan_games::{Notation, Task};

fn start(words: &[&str]) -> Child {
    let mut balpan = Command::new(env!("CARGO_BIN_EXE_balpan"));
    balpan.arg("play").args(words).env("NO_COLOR", "1").env("LC_ALL", "C");
    balpan.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Plays a game with this input. Returns the exit code, the output and the errors.
fn played(words: &[&str], typed: impl AsRef<[u8]>) -> (Option<i32>, String, String) {
    let mut child = start(words);
    // A process that has ended reads no more.
    let _ = child.stdin.take().unwrap().write_all(typed.as_ref());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (printed, error) = (text(stdout), text(stderr));
    for line in printed.lines() {
        assert!(line.chars().count() <= 80 && !line.contains('\u{1b}'), "{words:?}: {line:?}");
    }
    (status.code(), printed, error)
}

/// Returns the output of a game with exit code 0.
fn transcript(words: &[&str], typed: impl AsRef<[u8]>) -> String {
    let (code, printed, error) = played(words, typed);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{printed}");
    printed
}

#[test]
fn whole_games_of_each_family_end_as_they_must() {
    let games = [
        (&["platforms", ".../A#B/...", "--as", "b"][..], "0,2\n0,1\n", "after 4 plies: B wins.\nNo move could have"),
        (&["tictactoe", "XX./OO./..."], "0,2\n", "after 1 ply: X wins.\nNo move could have been better.\n"),
        (&["tictactoe", "XX./OO./...", "--set", "misere=true"], "2 0\n2,1\n1,2\n", "plies: a draw.\nNo move could"),
        (
            &["connect4", "--board", "3x3", "--set", "k=3", "112"],
            "2\n",
            "Move 1 (2) lost in 2 plies; 3 would have held out for 6.\n",
        ),
        (&["cram", ".../..."], "0,0 + 1,0\n1,1+1,2\n", "after 3 plies: the first player wins.\nNo move could have"),
        (&["domineering", "../..", "--as", "left"], "1,0+0,0\n", "after 1 ply: Left wins."),
        (&["kayles", "7"], "7 > 1+4\n4>1+1\n1>0\n", "after 5 plies: the first player wins.\nNo move could have"),
        (&["nim", "1", "1", "--as", "SECOND"], "1>0\n", "after 2 plies: the second player wins."),
    ];
    for (words, typed, end) in games {
        let printed = transcript(words, typed);
        assert!(printed.contains(end), "{words:?}: {printed}");
    }
}

#[test]
fn mistakes_of_the_reader_are_reviewed() {
    let games = [
        (&["tictactoe"][..], "0,0\n0,1\n2,1\n", "You had a draw until move 5 (2,1), which lost it; 2,0 kept it.\n"),
        (
            &["cram", ".../..."],
            "0,0+0,1\n1,1+1,2\n",
            "You had a win until move 1 (0,0+0,1), which lost it; 0,0+1,0 kept it",
        ),
        (&["nim", "1", "2", "2", "1"], "", "You leave the game after 0 plies. The position:\n1 1 2 2\n"),
    ];
    for (words, typed, told) in games {
        let printed = transcript(words, typed);
        assert!(printed.contains(told), "{words:?}: {printed}");
    }
    // A win that could have come sooner: in one ply instead of three.
    let printed = transcript(&["tictactoe", "XX./O../..O x"], "1,1\n2,1\n");
    assert!(printed.contains("Move 1 (1,1) won in 3 plies; 0,2 would have won in 1.\n"), "{printed}");
}

#[test]
fn wrong_moves_lose_nothing() {
    let typed = b"9,9\nfoo\n\n\xff\xfe\n\x1b[2J\n1,1,1\n99999999999999999999\n0,2\n";
    let printed = transcript(&["tictactoe", "XX./OO./..."], typed);
    assert!(printed.contains("`9,9` cannot be played here. What can: 0,2; 1,2; 2,0; 2,1; 2,2.\n"), "{printed}");
    assert!(printed.contains("`foo` is neither a move nor a word: type a move, such as 0,2, or a word"), "{printed}");
    assert!(printed.ends_with("The game is over after 1 ply: X wins.\nNo move could have been better.\n"), "{printed}");
    let long = [&b"0,2 ".repeat(100_000)[..], b"\n0,2"].concat();
    let printed = transcript(&["tictactoe", "XX./OO./..."], long);
    assert!(printed.contains("after 1 ply: X wins.") && printed.len() < 2_000, "{printed}");
}

#[test]
fn undo_goes_back_to_the_readers_previous_turn() {
    let printed = transcript(&["tictactoe"], "undo\n0,0\n0,1\nu\nUNDO\nu\n1,1\nq\n");
    assert_eq!(printed.matches("There is nothing to undo.").count(), 2, "{printed}");
    assert!(printed.ends_with("You leave the game after 2 plies. The position:\nO../.X./...\n"), "{printed}");
    // If the reader moves second, the first reply stays.
    let printed = transcript(&["tictactoe", "--as", "O"], "u\n1,1\nu\nu\n");
    assert_eq!(printed.matches("There is nothing to undo.").count(), 2, "{printed}");
    assert!(printed.ends_with("You leave the game after 1 ply. The position:\nX../.../...\n"), "{printed}");
}

#[test]
fn hints_are_what_solve_says() {
    let words = ["tictactoe", "XX./OO./...", "--set", "misere=true"];
    let printed = transcript(&words, "hint\nm\n?\nquit\n");
    assert!(printed.contains("* draw  2,0  2,1  2,2\n"), "{printed}");
    let table = "The moves of X, best first:\n\n* draw       2,0  2,1  2,2\n  loss in 5  1,2\n  loss in 1  0,2\n";
    assert!(printed.contains(table) && printed.contains("  undo   back to your previous turn\n"), "{printed}");
    let hinted = transcript(&[&words[..], &["--hints"]].concat(), "2,0\n");
    assert_eq!(hinted.matches("* draw").count(), 2, "{hinted}");
    assert!(!transcript(&words, "2,0\n").contains('*'));
}

#[test]
fn either_side_is_the_readers() {
    for (side, you) in [("first", "X"), ("x", "X"), ("SECOND", "O"), ("O", "O")] {
        let printed = transcript(&["tictactoe", "--as", side], "");
        assert!(printed.starts_with(&format!("tictactoe 3x3: you are {you}.\n")), "{side}: {printed}");
        assert!(printed.contains(&format!("\n{you}, your move: \nYou leave the game")), "{side}: {printed}");
    }
    // `first` is the player to move in the position, O.
    let printed = transcript(&["tictactoe", "X../.../...", "--as", "second"], "");
    assert!(printed.starts_with("tictactoe 3x3: you are X.\n"), "{printed}");
    let wrong = [
        (&["tictactoe", "--as", "A"][..], "first, second, X, O"),
        (&["cram", "--as", "left"], "first, second"),
        (&["tictactoe", "--json"], "--json"),
        (&["nim", "+", "nim"], "only `solve` adds games up"),
    ];
    for (words, why) in wrong {
        let (code, printed, error) = played(words, "");
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{words:?}");
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn games_are_left_politely() {
    for typed in ["", "quit\n", "q", "0,0\nQ\n"] {
        assert!(transcript(&["gomoku"], typed).contains("You leave the game after "), "{typed:?}");
    }
    let over = transcript(&["tictactoe", "XXX/OO./..."], "0,0\n");
    assert!(over.ends_with("The game is over: X wins.\n") && !over.contains("your move"), "{over}");
    // The output is closed.
    let mut child = start(&["tictactoe"]);
    drop(child.stdout.take());
    drop(child.stdin.take());
    let Output { status, stderr, .. } = child.wait_with_output().unwrap();
    assert_eq!((status.code(), stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn the_last_move_is_marked_by_a_sign() {
    assert!(transcript(&["tictactoe"], "0,0\n").contains("\n  0  X  .  .\n  1  . (O) .\n"));
    assert!(transcript(&["platforms", ".../A#B/..."], "0,0\n").contains("\n  0  A  . (B)\n"));
    assert!(transcript(&["connect4", "--board", "3x4", "--set", "k=3"], "1\n").contains("(O)"));
    let placed = transcript(&["domineering", "--board", "3x3", "--as", "Right"], "");
    assert!(placed.contains("(#)"), "{placed}");
    let mut balpan = Command::new(env!("CARGO_BIN_EXE_balpan"));
    balpan
        .args(["play", "tictactoe", "--as", "O"])
        .env_remove("NO_COLOR")
        .env("CLICOLOR_FORCE", "1")
        .env("LC_ALL", "C");
    let printed = balpan.stdin(Stdio::null()).output().unwrap().stdout;
    assert!(String::from_utf8(printed).unwrap().contains('\u{1b}'));
}

#[test]
fn wide_boards_keep_to_the_terminal() {
    let heaps = ["nim", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17"];
    let games = [
        &["cram", "--board", "2x40", "--as", "second"][..],
        &["domineering", "--board", "2x20"],
        &["nim", "100", "3", "4", "5"],
        &[&heaps[..], &["18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30"]].concat(),
    ];
    for words in games {
        let printed = transcript(words, "x\n77,77+88,88\n?\n");
        assert!(printed.contains("You leave the game"), "{printed}");
    }
}

#[test]
fn boards_too_large_for_plies_are_played_by_who_wins() {
    let printed = transcript(&["cram", "--board", "3x13"], "0,0+0,1\nhint\nundo\nhint\n");
    assert!(printed.contains("wins (in how many plies "), "{printed}");
    assert!(printed.contains("* win") || printed.contains("* loss"), "{printed}");
}

/// Random games against the command.
struct Series<'a> {
    words: &'a [&'a str],
    games: u64,
}

impl Task for Series<'_> {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        let mut seed = 0x9e37_79b9_7f4a_7c15;
        for number in 0..self.games {
            one_game(game, self.words, (number % 2) as usize, &mut seed);
        }
    }
}

/// Reads the output up to the prompt, or to the end.
fn answer(from: &mut impl Read) -> String {
    let mut printed = Vec::new();
    let mut byte = [0];
    while !printed.ends_with(b"your move: ") && from.read(&mut byte).unwrap() == 1 {
        printed.push(byte[0]);
    }
    String::from_utf8(printed).unwrap()
}

fn one_game<G: Notation>(game: &G, words: &[&str], reader: usize, seed: &mut u64) {
    let value = |position: &G::Position| -> Value { Minimax::new(game, &Watch::default()).value(position).unwrap() };
    let mut child = start(&[words, &["--as", ["first", "second"][reader]]].concat());
    let (mut typed, mut read) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut position = game.start();
    let at_first = value(&position);
    let mut plies = 0;
    let mut printed = answer(&mut read);
    while !game.is_over(&position) {
        let moves: Vec<G::Move> = game.moves(&position).collect();
        let mv = if plies % 2 == reader {
            *seed ^= *seed << 13;
            *seed ^= *seed >> 7;
            *seed ^= *seed << 17;
            let mv = moves[(*seed % moves.len() as u64) as usize];
            writeln!(typed, "{}", game.move_text(&position, mv)).unwrap();
            printed = answer(&mut read);
            mv
        } else {
            let said = printed.split_once("plays ").unwrap_or_else(|| panic!("{words:?}: {printed}")).1;
            let text = said.split_whitespace().next().unwrap().trim_end_matches([':', '.']);
            let named = |mv: &&G::Move| game.move_text(&position, **mv) == text;
            let mv = *moves.iter().find(named).unwrap_or_else(|| panic!("{words:?}: {printed}"));
            let (before, after) = (value(&position), value(&game.play(&position, mv)));
            assert_eq!(after.to_parent(), before, "{words:?}: {text} in {}", game.text(&position));
            if let (Some(left @ 1..), true) = (after.remoteness(), said.contains(": ")) {
                assert!(said.contains(&format!(" wins in {left} pl")), "{words:?}: {printed}");
            }
            mv
        };
        position = game.play(&position, mv);
        plies += 1;
    }
    drop(typed);
    let result = game.end(&position);
    // The perfect player's outcome at the first and at the last position.
    let seen = |outcome: Outcome, to_move: usize| if to_move == reader { outcome.reversed() } else { outcome };
    assert!(seen(result, plies % 2) >= seen(at_first.outcome(), 0), "{words:?}: {printed}");
    let names = game.players(&game.start());
    let winner = match result {
        Outcome::Draw => "a draw".to_owned(),
        Outcome::Win => format!("{} wins", names[plies % 2]),
        Outcome::Loss => format!("{} wins", names[1 - plies % 2]),
    };
    assert!(printed.contains(&format!("The game is over after {plies} pl")), "{words:?}: {printed}");
    assert!(printed.contains(&format!("{winner}.")), "{words:?}: {winner}: {printed}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn the_perfect_player_never_gives_anything_away() {
    let series = [
        (&["tictactoe"][..], 30),
        (&["tictactoe", ".../.../...", "--set", "misere=true"], 10),
        (&["platforms", "A../.../..B"], 40),
        (&["joust", "A.../..../...B"], 20),
        (&["blockgame", "..../#.../...."], 30),
        (&["domineering", "..../..../...."], 20),
        (&["kayles", "9"], 20),
        (&["nim", "2", "3", "3"], 20),
    ];
    for (words, games) in series {
        let rules = preset(words[0]).unwrap().unwrap();
        let set: Vec<_> = words.iter().filter(|word| word.contains('=')).map(|word| (*word).to_owned()).collect();
        let rules = if set.is_empty() { rules } else { rules.with_changes(&set).unwrap() };
        let position: Vec<_> =
            words[1..].iter().filter(|word| !word.starts_with('-') && !word.contains('=')).copied().collect();
        let game =
            if position.is_empty() { rules.game().unwrap() } else { rules.game_at(&position.join(" ")).unwrap() };
        game.run(Series { words, games });
    }
}
