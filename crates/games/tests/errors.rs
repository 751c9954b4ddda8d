//! Every kind of input error: its place, and its message in both languages. The place that
//! an error has to point at stands between `«` and `»`.

use std::collections::BTreeSet;
use std::ops::Range;

use balpan_games::calculator::ParsedExpression;
use balpan_games::presets::preset;
use balpan_games::{
    ChangeError, Explanation, InputError, Lang, Notation, Query, Record, RulesFile, Task, TextError, TextKind,
};

/// The text without its marks, and the range between them.
fn marked(text: &str) -> (String, Range<usize>) {
    let (before, rest) = text.split_once('«').expect("a mark");
    let (wrong, after) = rest.split_once('»').expect("its end");
    (format!("{before}{wrong}{after}"), before.len()..before.len() + wrong.len())
}

/// Checks that these are words for people who read this language.
fn check_words(lang: Lang, Explanation { message, help }: &Explanation) {
    let is_hangul = |c| matches!(c, '가'..='힣');
    for text in [message, help] {
        assert!(!text.trim().is_empty(), "{message:?}, {help:?}");
        assert_eq!(text.contains(is_hangul), lang == Lang::Ko, "{text}");
        // The command has words of its own.
        assert!(!text.contains("balpan") && !text.contains("--"), "{text}");
    }
}

/// Checks an error's kind, place and message.
fn check(error: &TextError, text: &str, span: &Range<usize>, kind: &str, message: &str) {
    assert_eq!(error.cause.kind(), kind, "{text}: {error}");
    assert_eq!((error.text.as_str(), &error.span), (text, span), "{error}");
    assert_eq!(error.cause.to_string(), message, "{text}");
    assert_eq!(error.to_string(), error.explain(Lang::En).message, "{text}");
    for lang in Lang::ALL {
        check_words(lang, &error.cause.explain(lang));
    }
}

/// Games, positions and their errors.
const POSITIONS: &[(&str, &str, &str, &str)] = &[
    ("platforms", "A.B«/»", "no_row", "no row beside this `/`"),
    ("platforms", "« »", "no_board", "no board"),
    ("platforms", "A.B «b»/...", "between_rows", "`b` between rows"),
    ("platforms", "A.B/.«é».", "no_cell", "`é` is not a cell"),
    ("morris3", "w../.../... «:q»", "language_none_in_hand", "`q` cannot be in hand"),
    ("checkers", "..../..../.b../.... «>0,0»", "language_cannot_go_on", "no piece can go on from there"),
    ("platforms", "A.B/«..»", "uneven_rows", "a row of 2 cells after one of 3"),
    ("platforms", "A.B «c»", "no_side", "`c` is not a side"),
    ("tictactoe", ".X. «b»", "no_side", "`b` is not a side"),
    ("notakto", ".X. «x»", "not_after_board", "`x` after the board"),
    ("cram", "... «l»", "not_after_board", "`l` after the board"),
    ("platforms", "A.B a «b»", "too_many_words", "`b`, one word too many"),
    ("domineering", "... l «r»", "too_many_words", "`r`, one word too many"),
    ("platforms", "A../«A».B/...", "second_token", "a second token `A`"),
    ("kings", ".../.«*»./...", "shared_tile", "both tokens on one tile"),
    ("platforms", "*.«!»", "third_token", "a third token"),
    ("platforms", "AB«!»", "third_token", "a third token"),
    ("platforms", "«..B»", "no_token", "no token `A`"),
    ("platforms", "«A..» ", "no_token", "no token `B`"),
    ("platforms", "A«!» a", "wrong_vanished", "a vanished tile under the token that has just moved"),
    // In the judge's form.
    ("platforms", r#"{"board":[[1]],"aloc":[0,0]«}»"#, "json", "JSON that is not a position: missing field `bloc`"),
    (
        "platforms",
        "{\"board\":[[1]],\n\"aloc\": [0,0],\n\"turn«\"»: 1}",
        "json",
        "JSON that is not a position: unknown field `turn`, expected one of `board`, `aloc`, `bloc`",
    ),
    (
        "platforms",
        r#"{"board":[[1],«5»],"aloc":[0,0],"bloc":[0,0]}"#,
        "json",
        "JSON that is not a position: invalid type: integer `5`, expected a sequence",
    ),
    ("platforms", r#"{"board":[«é»]}"#, "json", "JSON that is not a position: expected value"),
    (
        "platforms",
        r#"{"board":«[]»,"aloc":[0,0],"bloc":[0,0]}"#,
        "board_size",
        "a board needs a row and a column at least",
    ),
    (
        "platforms",
        r#"{"board":[[1,1],«[1]»],"aloc":[0,0],"bloc":[0,0]}"#,
        "uneven_rows",
        "a row of 1 cell after one of 2",
    ),
    ("platforms", r#"{"board":[[1,«2»]],"aloc":[0,0],"bloc":[0,0]}"#, "no_tile", "`2` is not a tile"),
    ("platforms", r#"{"board":[[1]],"aloc":[0,«-1»],"bloc":[0,0]}"#, "no_number", "`-1` is not a row or column"),
    (
        "platforms",
        r#"{"board":[[1,0]],"aloc":[0,0],"bloc":«[0,1]»}"#,
        "off_tiles",
        "B at [0, 1], where there is no tile",
    ),
    ("kings", r#"{"board":[[1]],"aloc":[0,0],"bloc":«[0,0]»}"#, "shared_tile", "both tokens on one tile"),
    ("pentominoes", "..... «-F»", "too_few_filled", "pieces of 5 cells, where 0 are filled"),
    ("pentominoes", "##### -«Q»", "no_such_piece", "`Q` is not a piece with a supply"),
    ("pentominoes", "##### -F«F»", "used_up", "more `F` than there are: the supply is 1"),
    ("connect4", "1212121«3»", "after_end", "a move to column 3 after the game has ended"),
    ("connect4", "44«x»4", "not_a_column", "`x` is not a column"),
    ("connect4", "4«8»", "no_column", "no column 8"),
    ("connect4", "111111«1»", "full_column", "column 1 is full"),
    ("connect4", "«X»../.../O..", "floating", "a mark with a free cell below it"),
    ("tictactoe", "«XX./.../...»", "counts", "2 X and 0 O"),
    ("tictactoe", "«XXX/OO./... x»", "line_of_mover", "a line of X, who is to move"),
    ("tictactoe", "«XXX/.../XXX o»", "too_many_lines", "more lines of X than one move can complete"),
    ("notakto", "«XXX/.../XXX»", "too_many_lines", "more lines of X than one move can complete"),
    // In the judge's form.
    ("tictactoe", "xx. o«q». ...", "no_cell", "`q` is not a cell"),
    ("tictactoe", "xo. ... «..»", "uneven_rows", "a row of 2 cells after one of 3"),
    ("tictactoe", "«xx. ... ...»\n", "counts", "2 X and 0 O"),
    ("notakto", "x.x ... .«o».", "no_cell", "`o` is not a cell"),
    ("connect4", "... «xo.»", "no_side", "`xo.` is not a side"),
    ("nim", "3 «x»", "no_heap", "`x` is not a heap"),
    ("nim", "3 «65536»", "heap_too_large", "a heap of 65536 tokens"),
    ("nim", "3«+»", "no_heap_beside_plus", "no heap beside this `+`"),
    ("nim", "« »", "no_heaps", "no heap"),
    ("fibonacci", "«x»", "no_pile", "`x` is not a number of tokens"),
    ("fibonacci", "«501»", "pile_too_large", "a heap of 501 tokens"),
    ("fibonacci", "20 «6»", "no_limit", "`6` after the heap"),
];

/// Games, and positions of other games of the family.
const OF_OTHER_GAMES: &[(&str, &str, &str, &str)] = &[
    ("tictactoe", "«.../...»", "other_board", "a board of 2x3"),
    ("platforms", "«{\"board\":[[1]],\"aloc\":[0,0],\"bloc\":[0,0]}» ", "other_board", "a board of 1x1"),
    ("nim", "«9 9 9 9»", "out_of_play", "heaps that play cannot reach"),
];

/// Games, and illegal moves.
const RECORDS: &[(&str, &str, &str, &str)] = &[
    ("tictactoe", "1,1;«1,1»", "illegal_move", "`1,1`, move 2, cannot be made"),
    ("connect4", "4 4«9»", "illegal_move", "`9`, move 3, cannot be made"),
    ("nim", "1. 3>0\n2. «é»", "illegal_move", "`é`, move 2, cannot be made"),
    ("connect4", "1212121«3»4", "move_after_end", "`3`, move 8, after the game has ended"),
];

/// Rules files.
const RULES: &[(&str, &str, &str)] = &[
    ("family = \"lines\"\nk = «\"3\"»\nboard = \"3x3\"", "toml", "invalid type: string \"3\", expected a whole number"),
    ("family = \"lines\"\nk = 3\nboard = «3»", "toml", "invalid type: integer `3`, expected text in quotes"),
    (
        "family = \"lines\"\nk = 3\nboard = \"3x3\"\nmisere = «1»",
        "toml",
        "invalid type: integer `1`, expected true or false",
    ),
    ("«»board = \"3x3\"", "language_players", "the players' tables do not make a game"),
    (
        "board = \"3x3\"\n[white]\nmoves = [\"w step «up» onto empty\"]\npieces = \"w\"\n[black]\nmirror = \"white\"\npieces = \"b\"",
        "language_word",
        "`up`, where a direction was expected",
    ),
    (
        "board = \"3x3\"\n[both]\nmoves = [\"place x on «»\"]",
        "language_word",
        "the sentence ends where a set of cells was expected",
    ),
    (
        "board = \"3x3\"\nfirst = «\"red\"»\n[both]\nmoves = [\"pass\"]",
        "language_other_player",
        "`red` is not a player of this game",
    ),
    ("board = \"3x3\"\n«»[both]\npieces = \"x\"", "language_no_moves", "[both] has no moves"),
    (
        "board = \"3x3\"\n[a]\nmoves = [\"pass\"]\n[b]\nmoves = [\"pass\"]\nmirror = «\"a\"»",
        "language_mirror",
        "a mirror of a mirror, or beside other rules",
    ),
    (
        "board = \"3x3\"\n[both]\npieces = «\".\"»\nmoves = [\"pass\"]",
        "language_no_piece",
        "`.` cannot be a piece here",
    ),
    (
        "«»board = \"3x3\"\n[both]\npieces = \"abcdefghijklmnop\"\nmoves = [\"pass\"]",
        "language_many_pieces",
        "more than 15 kinds of pieces",
    ),
    (
        "board = \"3x3\"\nstuck = «\"win\"»\n[both]\nmoves = [\"pass\"]",
        "language_none_of",
        "`win` is none of `loses`, `wins`, `draws`, `passes`, `scores`",
    ),
    (
        "board = \"3x3\"\n[regions]\n«edge» = \"0,0\"\n[both]\nmoves = [\"place x on empty\"]",
        "language_region_name",
        "`edge` cannot be a name of your own",
    ),
    (
        "board = \"1x3\"\n[weights]\nvalue = \"«1 2»\"\n[both]\nmoves = [\"place x on empty\"]",
        "language_weights",
        "weights for another size than the board's",
    ),
    (
        "board = \"1x3\"\n[weights]\nvalue = \"1 «-500000» 2\"\n[both]\nmoves = [\"place x on empty\"]",
        "language_heavy_board",
        "weights that add up to more than 400000 without their signs",
    ),
    (
        "board = \"3x3\"\n[regions]\nhome = «\"x./..\"»\n[both]\nmoves = [\"place x on empty\"]",
        "language_picture",
        "a picture of another size than the board",
    ),
    (
        "board = \"3x3\"\nedges = [«\"0,0 0,1\"»]\n[both]\nmoves = [\"place x on empty\"]",
        "language_not_here",
        "`edges` has no place in this game",
    ),
    (
        "«»board = \"3x3\"\n[both]\npieces = \"x\"\nmoves = [\"x step n onto empty\"]",
        "language_empty_board",
        "an empty board, on which nothing can be placed",
    ),
    (
        "«»board = \"3x3\"\n[a]\npieces = \"x\"\nmoves = [\"place x on empty\"]\ncaptures = { y = \"x\" }\n[b]\npieces = \"y\"\n\
         mirror = \"a\"",
        "language_endless_hand",
        "captured pieces go to a hand, and pieces are placed from nowhere",
    ),
    (
        "board = \"3x3\"\n[a]\npieces = \"x\"\nmoves = [\"drop x on empty\"]\nhand = { x = «16» }\n[b]\npieces = \"y\"\nmirror = \"a\"",
        "language_many_in_hand",
        "more than 15 pieces",
    ),
    ("family = «\"line\"»", "other_family", "`line` is not a family"),
    (
        "family = \"heaps\"\n«board» = \"3x3\"",
        "other_key",
        "unknown field `board`, expected one of `family`, `about`, `code`, `take`, `split`, `start`, `misere`",
    ),
    ("«»family = \"lines\"\nboard = \"3x3\"", "missing_key", "missing field `k`"),
    ("«»family = \"lines\"\nk = 3", "neither_board_nor_start", "no board"),
    ("family = \"lines\"\nk = 3\nboard = \"3x3\"\nstart = «\"...\"»", "board_and_start", "a board and a start"),
    ("family = \"lines\"\nk = 3\nboard = «\"9x9\"»", "rules_board_size", "9x9 is 81 cells; a board has 64 at most"),
    ("family = \"lines\"\nk = 3\nboard = «\"3\"»", "rules_board_size", "expected rows x columns, such as 5x9"),
    ("family = \"lines\"\nk = 3\nstart = \"..«Q»\"", "no_cell", "`Q` is not a cell"),
    (
        "family = \"walkers\"\nsteps = \"king\"\nshare = false\nboard = «\"1x1\"»",
        "one_tile",
        "two tokens on one tile that they may not share",
    ),
    ("family = \"walkers\"\nsteps = «\"bishop\"»", "other_steps", "`bishop` is not a set of steps"),
    ("family = \"walkers\"\nsteps = «[[0, 1], [0, 0]]»", "no_step", "a step of no length, [0, 0]"),
    ("family = \"walkers\"\nsteps = «[[0, 100]]»", "long_step", "a step beyond any board, [0, 100]"),
    ("family = \"lines\"\nk = 3\nmarks = «\"mine\"»", "other_marks", "`mine` is not a kind of marks"),
    ("family = \"lines\"\nboard = \"3x3\"\nk = «0»", "small_k", "k = 0"),
    ("family = \"lines\"\nboard = \"3x3\"\nk = «4»", "large_k", "k = 4 on a board of 3x3"),
    ("family = \"heaps\"\nstart = \"3\"\ncode = «1.8»", "no_code", "`1.8` is not a code"),
    (
        "family = \"heaps\"\nstart = \"3\"\ntake = \"1, «x», 3\"",
        "no_take",
        "`take = \"1, x, 3\"` is not understood here",
    ),
    ("family = \"heaps\"\nstart = \"3\"\ntake = 1\nsplit = «\"in two\"»", "no_split", "`split = \"in two\"`"),
    ("family = \"heaps\"\nstart = \"3\"\ncode = 0.7\ntake = «1»", "code_and_take", "both `code` and `take` or `split`"),
    ("«»family = \"placement\"\nboard = \"3x3\"", "no_pieces", "no pieces"),
    ("family = \"placement\"\n«[left]»\nI = \"##\"", "one_player_only", "pieces for one player only"),
    (
        "family = \"placement\"\npieces = { I = \"##\" }\nleft = «{ I = \"##\" }»",
        "both_and_one",
        "pieces for both players and for one",
    ),
    ("family = \"placement\"\npieces = «{}»", "empty_table", "no piece"),
    (
        "family = \"placement\"\npieces = { I = «\"#x\"» }",
        "no_shape",
        "`x` in a piece; its cells are `#`, the free ones around them `.`",
    ),
    ("family = \"placement\"\npieces = { I = «\"..\"» }", "no_shape", "a piece without a cell (`#`)"),
    (
        "family = \"placement\"\npieces = { I = \"##\", J = «\"#/#\"» }",
        "same_piece_twice",
        "the same piece as I, given twice",
    ),
    (
        "family = \"placement\"\nboard = \"1x2\"\npieces = { I = «\"###\"» }",
        "piece_too_large",
        "the piece I does not fit on a board of 1x2",
    ),
    ("family = \"placement\"\npieces = { I = \"##\" }\nsupply = { I = «16» }", "supply", "a supply of 16"),
    (
        "family = \"placement\"\npieces = { I = \"##\" }\nsupply = { «L» = 1 }",
        "no_supply_for",
        "a supply for L, which is not a piece",
    ),
    (
        "family = \"placement\"\npieces = { bar = \"##\" }\nsupply = { «bar» = 1 }",
        "no_supply_for",
        "a supply for bar, whose name is not one letter",
    ),
    (
        "family = \"placement\"\nleft = { I = \"##\" }\nright = { I = \"###\" }\nsupply = { «I» = 1 }",
        "no_supply_for",
        "a supply for I, which each player has",
    ),
    ("family = \"row\"\nstart = \"5 «x» 8\"", "no_number_in_row", "`x` is not part of a row"),
    ("family = \"row\"\nstart = \"5 3 «M=0»\"", "no_number_in_row", "`M=0` is not part of a row"),
    (
        "family = \"row\"\nstart = \"«10000000 10000000 -3»\"",
        "row_too_large",
        "3 numbers, of 20000003 in all without signs, the lead included",
    ),
    ("family = \"row\"\nstart = \"5 3\"\ntake = «\"3-1\"»", "no_take_from_row", "`3-1` is not how many to take"),
    (
        "family = \"row\"\nstart = \"5 3\"\nfrom = «\"back\"»",
        "no_end_of_row",
        "`back` is not where numbers can be taken",
    ),
    ("family = \"row\"\nstart = \"5 3\"\ntake = «\"1-2M\"»", "growing_from_both_ends", "`1-2M` from both ends"),
    ("family = \"pile\"\nstart = 20\ntimes = «0»", "no_times", "`times = 0`"),
];

/// Parses a position on a game's own board.
struct Parse<'t>(&'t str);

impl Task for Parse<'_> {
    type Output = TextError;

    fn run<G: Notation>(self, game: &G) -> TextError {
        game.parse(self.0).err().expect("no position")
    }
}

fn game(name: &str) -> RulesFile {
    preset(name).unwrap().unwrap()
}

#[test]
fn every_kind_has_a_place_and_messages_in_both_languages() {
    let mut found = BTreeSet::new();
    let mut check = |error: &TextError, text: &str, span: &Range<usize>, kind: &'static str, message: &str| {
        check(error, text, span, kind, message);
        found.insert(kind);
    };
    for &(name, text, kind, message) in POSITIONS {
        let (text, span) = marked(text);
        let error = game(name).game_at(&text).expect_err(&text);
        assert_eq!((&error.kind, error.name(Lang::Ko)), (&TextKind::Position, "국면"));
        check(&error, &text, &span, kind, message);
    }
    for &(name, text, kind, message) in OF_OTHER_GAMES {
        let (text, span) = marked(text);
        check(&game(name).game().unwrap().run(Parse(&text)), &text, &span, kind, message);
    }
    for &(name, text, kind, message) in RECORDS {
        let (text, span) = marked(text);
        let error = Record::read(&game(name).game().unwrap(), &text).expect_err(&text);
        assert_eq!((&error.kind, error.name(Lang::Ko)), (&TextKind::Record, "수순"));
        check(&error, &text, &span, kind, message);
    }
    let tokens = game("nim").with_change("start=300").unwrap().game().unwrap();
    let moves: String = (44..300).rev().map(|left| format!("{}>{left} ", left + 1)).collect();
    let (text, at) = (moves.clone() + "44>43", moves.len());
    let error = Record::read(&tokens, &text).unwrap_err();
    check(&error, &text, &(at..at + 5), "long_record", "more than 256 moves");
    let large = "........./".repeat(14) + "A.......B";
    let error = game("platforms").game_at(&large).unwrap_err();
    check(&error, &large, &(0..large.len()), "board_size", "15x9 is 135 cells; a board has 128 at most");
    let squares = game("nim").with_change("take=squares").unwrap();
    let error = squares.large_answer("7 999999999999", Query::default()).unwrap().unwrap_err();
    check(&error, "7 999999999999", &(2..14), "heap_without_theory", "a heap of 999999999999 tokens");
    let row = RulesFile::parse("mine", "family = \"row\"\nstart = \"5 3 8\"").unwrap().game().unwrap();
    check(&row.run(Parse("5 8")), "5 8", &(0..3), "no_part_of_row", "a row that is not left of the first one");
    let heaps = "1 ".repeat(257);
    let error = game("nim").game_at(&heaps).unwrap_err();
    check(&error, &heaps, &(512..513), "too_many_heaps", "more than 256 heaps");
    let asked = game("tictactoe").with_board("4x4").unwrap().game_at(".../.../...").unwrap_err();
    check(&asked, ".../.../...", &(0..11), "board_not_asked", "a board of 3x3, where 4x4 was asked for");
    for &(text, kind, message) in RULES {
        let (text, span) = marked(text);
        let error = RulesFile::parse("mine", &text).expect_err(&text);
        assert_eq!((&error.kind, error.name(Lang::Ko)), (&TextKind::Rules("mine".to_owned()), "mine"));
        check(&error, &text, &span, kind, message);
    }
    let (text, span) = marked(
        "board = \"3x3\"\nsetup = [\"w on bottom row\"]\n[both]\npieces = \"wk\"\nmoves = [\"w step n onto empty\", \"«k step n onto empty»\"]",
    );
    let warnings = RulesFile::parse("mine", &text).unwrap().warnings();
    check(&warnings[0], &text, &span, "language_never", "this sentence never gives a move, whatever is played");
    let (text, span) = marked(
        "start = \".b.\"\n[x]\npieces = \"w\"\nmoves = [\"drop w on empty\"]\nhand = { «w» = 2 }\n[o]\npieces = \"b\"\nmoves = [\"b step e onto empty\"]",
    );
    let warnings = RulesFile::parse("mine", &text).unwrap().warnings();
    let message = "`start` names all pieces in hand, and these are not among them";
    check(warnings.last().unwrap(), &text, &span, "language_hand_beside_start", message);
    let pieces: String = (1..=65).map(|n| format!("p{n} = \"{}\"\n", "#".repeat(n))).collect();
    let many = format!("family = \"placement\"\nboard = \"1x65\"\n[pieces]\n{pieces}");
    let error = RulesFile::parse("mine", &many).unwrap_err();
    check(&error, &many, &(0..0), "too_many_pieces", "65 pieces");
    for (text, kind, message) in [
        ("«1/3»", "no_expression", "no dyadic fraction: the denominator is a power of two"),
        ("1 + «domino»(..)", "no_such_game", "`domino` is neither a value nor a game nor a file"),
        (
            "«kayles(3)»",
            "misere_game",
            "kayles is played by the misère convention: its positions have no values that add up",
        ),
        ("«platforms»", "no_values", "platforms has no values that add up"),
    ] {
        let (text, span) = marked(text);
        let rules = |name: &str| -> Result<_, TextError> {
            let rules = preset(name).transpose()?;
            Ok(rules.map(|rules| if name == "kayles" { rules.with_change("misere=true").unwrap() } else { rules }))
        };
        let error = ParsedExpression::read(&text, rules).unwrap_err();
        assert_eq!(error.kind, TextKind::Expression);
        check(&error, &text, &span, kind, message);
    }
    let kinds: Vec<_> = InputError::kinds().collect();
    assert_eq!(kinds.iter().copied().collect::<BTreeSet<_>>(), found);
    assert_eq!(kinds.len(), found.len(), "two kinds of one name");
}

#[test]
fn refused_changes_have_messages_in_both_languages() {
    for (change, kind, message) in [
        ("k", "no_change", "`k` changes nothing; expected key=value, such as k=5"),
        ("k.x=1", "no_table", "`k.x=1` changes nothing: `k` is not a table"),
        ("k=9", "large_k", "tictactoe: k = 9 on a board of 3x3"),
    ] {
        let error = game("tictactoe").with_change(change).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message), "{change}");
        assert_eq!(matches!(error, ChangeError::Text(_)), change == "k=9");
        assert!(error.message(Lang::Ko).contains(|c| matches!(c, '가'..='힣')), "{change}");
    }
}

#[test]
fn a_similar_name_is_suggested() {
    let help = |changed: Result<RulesFile, ChangeError>, lang| match changed {
        Err(ChangeError::Text(error)) => error.explain(lang).help,
        other => panic!("{other:?}"),
    };
    for (name, change, meant) in [
        ("tictactoe", "mark=shared", "marks"),
        ("tictactoe", "marks=sharde", "shared"),
        ("joust", "steps=knigth", "knight"),
        ("joust", "step=king", "steps"),
        ("cram", "family=placment", "placement"),
        ("nim", "Misère=true", "misere"),
    ] {
        let changed = || game(name).with_change(change);
        // The family is read first, so it does not matter that other families have other keys.
        assert!(help(changed(), Lang::En).starts_with(&format!("did you mean `{meant}`? ")), "{change}");
        assert!(help(changed(), Lang::Ko).starts_with(&format!("혹시 `{meant}`인가요? ")), "{change}");
    }
    for (name, change) in [("tictactoe", "colour=red"), ("joust", "steps=bishop"), ("nim", "board=3x3")] {
        assert!(!help(game(name).with_change(change), Lang::En).contains("did you mean"), "{change}");
    }
}

#[test]
fn every_listed_key_is_read() {
    let files = [
        "family = \"walkers\"\nabout = \"\"\nboard = \"3x3\"\nsteps = \"king\"\nshare = true\ntorus = false\n",
        "family = \"placement\"\nabout = \"\"\nboard = \"3x3\"\npieces = { I = \"##\" }\nsupply = { I = 3 }\nrotate = true\n\
         reflect = true\nmisere = true\n",
        "family = \"placement\"\nstart = \"...\"\nleft = { I = \"##\" }\nright = { J = \"##\" }\n",
        "family = \"lines\"\nabout = \"\"\nstart = \"...\"\nk = 3\ngravity = true\nmarks = \"own\"\noverlines = false\n\
         misere = true\n",
        "family = \"heaps\"\nabout = \"\"\ncode = \"nim\"\nstart = \"3\"\nmisere = true\n",
    ];
    for text in files {
        let made = RulesFile::parse("mine", text).map(|rules| rules.game().map(|game| game.family() == "heaps"));
        assert_eq!(made.map(|game| game.is_ok()), Ok(true), "{text}");
    }
}
