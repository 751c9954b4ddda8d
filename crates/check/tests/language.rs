//! The interpreter of the rules language: what each phrase of `docs/language.md` means, by examples.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{HashMap, VecDeque};

use balpan_check::language::{End, Rules};

/// The texts of the moves of a position.
fn moves(rules: &str, position: &str) -> Vec<String> {
    let rules = Rules::new(rules, position).unwrap_or_else(|e| panic!("{e}"));
    rules.moves(position).unwrap().into_iter().map(|play| play.text).collect()
}

/// The position after a move.
fn after(rules: &str, position: &str, mv: &str) -> String {
    let rules = Rules::new(rules, position).unwrap_or_else(|e| panic!("{e}"));
    let found = rules.moves(position).unwrap().into_iter().find(|play| play.text == mv);
    found.unwrap_or_else(|| panic!("{mv} in {position}")).after
}

fn end(rules: &str, position: &str) -> Option<End> {
    Rules::new(rules, position).unwrap_or_else(|e| panic!("{e}")).end(position).unwrap()
}

/// Rules in which white has these sentences, and black has one piece `b` that steps.
fn white(sentences: &[&str]) -> String {
    let moves: String = sentences.iter().map(|sentence| format!("moves: {sentence}\n")).collect();
    format!(
        "stuck: draws\nplayer: white\npieces: w v\n{moves}player: black\npieces: b c\nmoves: b step queen onto empty"
    )
}

/// Whether white has a move that a condition allows.
fn holds(head: &str, condition: &str, position: &str) -> bool {
    let rules = head.to_owned() + &white(&["pass", &format!("place v on corner, when {condition}")]);
    moves(&rules, position).len() > 1
}

/// The cells of a set, as white sees it; `v` is put on them.
fn set(head: &str, cells: &str, position: &str) -> String {
    after(&(head.to_owned() + &white(&[&format!("pass, then {cells} becomes v")])), position, "pass").replace(" b", "")
}

#[test]
fn sets_have_their_cells() {
    let at = "w.b/.#./..v";
    for (cells, found) in [
        ("w", "v.b/.#./..v"),
        ("#", "w.b/.v./..v"),
        ("empty", "wvb/v#v/vvv"),
        ("own", "v.b/.#./..v"),
        ("enemy", "w.v/.#./..v"),
        ("black", "w.v/.#./..v"),
        ("all", "vvv/vvv/vvv"),
        ("top row", "vvv/.#./..v"),
        ("bottom 2 rows", "w.b/vvv/vvv"),
        ("left column", "v.b/v#./v.v"),
        ("right 2 columns", "wvv/.vv/.vv"),
        ("row 1", "w.b/vvv/..v"),
        ("column 2", "w.v/.#v/..v"),
        ("even rows", "vvv/.#./vvv"),
        ("odd columns", "wvb/.v./.vv"),
        ("even cells", "v.v/.v./v.v"),
        ("edge", "vvv/v#v/vvv"),
        ("corner", "v.v/.#./v.v"),
        ("next to #", "wvb/v#v/.vv"),
        ("n of #", "wvb/.#./..v"),
        ("ne sw of #", "w.v/.#./v.v"),
        ("s e from w", "vvv/vvv/vvv"),
        ("e from w", "vvv/.#./..v"),
        ("not #", "vvv/v#v/vvv"),
        ("own and left column", "v.b/.#./..v"),
        ("empty on top row", "wvb/.#./..v"),
        ("empty and not next to w or corner", "v.v/.#v/vvv"),
        ("empty and (left column or right column)", "w.b/v#v/v.v"),
        ("not next to w", "v.v/.vv/vvv"),
        ("home", "w.b/v#./.vv"),
        ("home and not attacked", "w.b/v#./.vv"),
        ("attacked", "wvb/.#v/..v"),
    ] {
        assert_eq!(set("region home: 1,0 2,1\n", cells, at), found, "{cells}");
    }
    // No cell is in no set.
    assert_eq!(set("", "all", "w_b/..."), "v_v/vvv");
    assert_eq!(set("shape: torus\n", "next to w", "w../.../..."), "wvv/v../v..");
    assert_eq!(set("shape: hex\n", "next to w", ".../.w./..."), ".vv/vwv/vv.");
    let graph = "shape: graph\nedges: 0,0 1,1 2,2\nedges: 0,2 1,1\n";
    assert_eq!(set(graph, "next to w", ".../.w./..."), "v.v/.w./..v");
    assert_eq!(set(graph, "ne of w", ".../.w./..."), "..v/.w./...");
    // The cells of rows and squares.
    assert_eq!(set("", "(2 b in a row)", "bb.b/..b./b..."), "vv.v/..v./b...");
    assert_eq!(set("", "(exactly 2 b in a row)", "bbb."), "bbb.");
    assert_eq!(set("", "(4 b in a square)", "bbb/bb./b.."), "vvb/vv./b..");
    assert_eq!(set("", "(2 all in a row sum to 5)", "23.5/...."), "vvvv/..vv");
    assert_eq!(set("shape: torus\n", "(2 all in a row sum to 5)", "2..3"), "v..v");
}

#[test]
fn conditions_hold() {
    for (condition, position, expected) in [
        ("w on top row", "w../...", true),
        ("w on bottom row", "w../...", false),
        ("no b", "w../...", true),
        ("no b", "w../b..", false),
        ("at least 2 w", "w../w..", true),
        ("at least 2 w", "w../...", false),
        ("at most 1 w or b", "w../b..", false),
        ("exactly 2 w or b", "w../b..", true),
        ("3 w in a row", "www/...", true),
        ("3 w in a row", "ww./w..", false),
        ("3 w in a row", "w..../.w.../..w..", true),
        ("exactly 3 w in a row", "wwww/....", false),
        ("exactly 3 w in a row", "www./....", true),
        ("4 w in a square", ".ww/.ww", true),
        ("4 w in a square", "www/w..", false),
        ("w connects left column to right column", "ww./.ww", true),
        ("w connects left column to right column", "ww./..w", false),
        ("own connects top row to bottom row to right column", "wwv/w..", true),
        ("w connects 2 of top row to 1,1 to right column", "ww./w..", false),
        ("w connects 2 of top row to bottom row to right column", "ww./.ww", true),
        ("w connects 3 of left column to bottom row to right column", "ww./.w.", false),
        ("w connects 1 of 0,0 to 1,2", ".../..w", true),
        ("w encloses all", ".w./w.w/.w.", true),
        ("w encloses all", ".w./wbw/.w.", true),
        ("w encloses b", ".w./w.w/.w.", false),
        ("w encloses w", ".w./www/.w.", true),
        ("w encloses all", ".w./ww./.w.", false),
        ("w encloses all", ".w./w#./.w.", false),
        ("w encloses all", "www/www", false),
        // Beside a cell that does not exist, the middle one is on the rim.
        ("w encloses all", ".w./w._/.w.", false),
        ("w encloses empty", ".ww./w..w/.ww.", true),
        ("w encloses 1,1", ".ww./w..w/.w..", false),
        ("every group of w touches empty", "w#./#.w", false),
        ("every group of w touches empty", "w../..w", true),
        ("white to move", "w../...", true),
        ("black to move", "w../...", false),
        ("w on top row, no b", "w../b..", false),
    ] {
        assert_eq!(holds("", condition, position), expected, "{condition} in {position}");
    }
    assert!(holds("", "3 not w in a row sum to 15", "w../456"));
    assert!(!holds("", "3 not w in a row sum to 15", "6../..9"));
    assert!(holds("shape: torus\n", "3 w in a row", "w.ww/...."));
    assert!(!holds("", "3 w in a row", "w.ww/...."));
    assert!(holds("shape: torus\n", "4 w in a square", "w.w/w.w"));
    assert!(holds("shape: hex\n", "w encloses all", ".ww/w.w/ww."));
    // Of the six neighbours of the middle, the last is missing; on a grid all four are there.
    assert!(!holds("shape: hex\n", "w encloses all", ".ww/w.w/w.."));
    assert!(!holds("shape: hex\n", "w encloses all", ".w./w.w/.w."));
    assert!(holds("shape: hex\n", "3 w in a row", "..w/.w./w.."));
    assert!(!holds("shape: hex\n", "3 w in a row", "w../.w./..w"));
    let graph = "shape: graph\nedges: 0,0 1,2 0,2\n";
    assert!(holds(graph, "3 w in a row", "w.w/..w"));
    assert!(!holds("shape: graph\nedges: 0,0 1,2\nedges: 1,2 0,2\n", "3 w in a row", "w.w/..w"));
}

#[test]
fn pieces_go_where_sentences_say() {
    for (sentence, position, expected) in [
        ("w step n ne onto empty", ".../.w./...", "1,1>0,1 1,1>0,2"),
        ("w step n onto empty or enemy", ".b./.w./...", "1,1>0,1"),
        ("w step n onto #", ".#./.w./...", ""),
        ("w step n onto empty", "._./.w./...", ""),
        ("w slide e over empty", "w..b.", "0,0>0,1 0,0>0,2"),
        ("w slide e over empty onto enemy", "w..b.", "0,0>0,3"),
        ("w slide e over empty onto empty or enemy", "w..b.", "0,0>0,1 0,0>0,2 0,0>0,3"),
        ("w slide e over all", "w.#..", "0,0>0,1"),
        ("w leap knight onto empty", "w../.../...", "0,0>1,2 0,0>2,1"),
        ("w leap 0,2 onto empty", "w../.../...", "0,0>0,2 0,0>2,0"),
        ("w hop e over enemy onto empty", "wb.b.", "0,0>0,2"),
        ("w hop e over enemy onto empty, repeatedly", "wb.b.", "0,0>0,2 0,0>0,4"),
        ("w hop e over # onto empty", "w#.", ""),
        ("w/v step e onto empty", "w.v.", "0,0>0,1 0,2>0,3"),
        ("place w on empty", "w.b/...", "0,1 1,0 1,1 1,2"),
        ("place w/v on corner", "..", "w0,0 w0,1 v0,0 v0,1"),
        ("pass", "..", "pass"),
        (
            "push v adjacent from edge and not b",
            "w.b/...",
            "0,0>0,2 0,0>1,0 0,1>0,2 0,1>1,1 0,1>0,0 1,0>0,0 1,0>1,2 1,1>0,1 1,1>1,2 1,1>1,0 1,2>0,2 1,2>1,0",
        ),
        ("push v e w from all", ".#./...", "1,0>1,2 1,1>1,2 1,1>1,0 1,2>1,0"),
        ("place w on empty and edge, then one of enemy becomes empty", "wb/b.", "1,1*0,1 1,1*1,0"),
        ("w step e onto empty, then shoot w over empty leaving #", "w.", "0,0>0,1*0,0"),
        ("w step e onto empty, if no w on edge", ".w../....", ""),
        ("w step e onto empty, unless here on right column", ".w.w.", "0,1>0,2"),
        ("w step e onto empty, when origin on left column", "w..w.", "0,0>0,1"),
    ] {
        assert_eq!(moves(&white(&[sentence]), position).join(" "), expected, "{sentence} in {position}");
    }
    let otherwise = white(&["w hop e over enemy onto empty", "otherwise w step e onto empty", "otherwise pass"]);
    assert_eq!(moves(&otherwise, "wb.w.").join(" "), "0,0>0,2");
    assert_eq!(moves(&otherwise, "wbbw.").join(" "), "0,3>0,4");
    assert_eq!(moves(&otherwise, "wbbw").join(" "), "pass");
    let or = white(&["w hop e over enemy onto empty", "otherwise w step e onto empty", "or v step e onto empty"]);
    assert_eq!(moves(&or, "wb.v.").join(" "), "0,0>0,2");
    assert_eq!(moves(&or, "bw.v.").join(" "), "0,1>0,2 0,3>0,4");
    // The same move by two sentences is one; another result has a mark.
    let alike = white(&["w step e onto empty", "w slide e over empty", "w step e onto empty, then leave v"]);
    assert_eq!(moves(&alike, "w..").join(" "), "0,0>0,1 0,0>0,2 0,0>0,1'");
    let torus = format!("shape: torus\n{}", white(&["w slide queen over empty"]));
    assert_eq!(
        moves(&torus, "w../.../..."),
        ["0,0>2,0", "0,0>1,0", "0,0>2,1", "0,0>1,2", "0,0>0,1", "0,0>0,2", "0,0>1,1", "0,0>2,2"]
    );
    let graph = format!(
        "shape: graph\nedges: 0,0 1,1 2,2\nedges: 1,1 0,2\n{}",
        white(&["w slide se over empty", "w hop adjacent over b onto empty"])
    );
    assert_eq!(moves(&graph, "w../.../...").join(" "), "0,0>1,1 0,0>2,2");
    assert_eq!(moves(&graph, "w../.b./...").join(" "), "0,0>2,2");
}

#[test]
fn moves_change_what_they_say() {
    for (sentence, position, mv, expected) in [
        ("w hop e over enemy onto empty, capturing", "wb.", "0,0>0,2", "..w b"),
        ("w hop e over enemy onto empty, capturing, repeatedly", "wb.b.", "0,0>0,4", "....w b"),
        ("w step e onto empty, then leave #", "w.", "0,0>0,1", "#w b"),
        ("w step e onto empty, then leave empty", "w.", "0,0>0,1", ".w b"),
        ("w step e onto empty, then here becomes v", "w.", "0,0>0,1", ".v b"),
        ("w step e onto empty, then w on right column becomes v", "w.w", "0,0>0,1", ".wv b"),
        ("w step e onto empty, then enemy and next to here becomes empty", "w.b", "0,0>0,1", ".w. b"),
        ("place w on empty, then flip queen", ".bbw/b.../w...", "0,0", "wwww/w.../w... b"),
        ("w step e onto empty, then again", "w..", "0,0>0,1", ".w."),
        ("w step e onto empty, then again if here on right column", "w..", "0,0>0,1", ".w. b"),
        ("w step e onto empty, then again if here on right column", ".w.", "0,1>0,2", "..w"),
        ("w step e onto empty, then shoot w e over empty leaving #", "w..", "0,0>0,1*0,2", ".w# b"),
        ("w step e onto enemy", "wb", "0,0>0,1", ".w b"),
        ("push v e from all", "wbw", "0,0>0,2", "bwv b"),
        ("push v e from all", "wbw", "0,1>0,2", "wwv b"),
        ("w step e onto empty, then one of next to here becomes v", "w..", "0,0>0,1*0,2", ".wv b"),
        ("w hop e over b onto empty, capturing, then go on", "wb.b.", "0,0>0,2", "..wb. >0,2"),
        ("w hop e over b onto empty, capturing, then go on", "wb..b", "0,0>0,2", "..w.b b"),
        ("w hop e over b onto empty, capturing, then go on if here on edge", "wb.b.", "0,0>0,2", "..wb. >0,2"),
        ("w hop e over b onto empty, capturing, then go on if no b", "wb.b.", "0,0>0,2", "..wb. b"),
    ] {
        assert_eq!(after(&white(&[sentence]), position, mv), expected, "{sentence} in {position}");
    }
    assert!(moves(&white(&["place w on empty, then flip queen"]), ".bbb/....").is_empty());
    let on = white(&["w hop e s over b onto empty, capturing, then go on", "w step e onto empty"]);
    assert_eq!(moves(&on, "..wb./wb... >0,2").join(" "), "0,2>0,4");
    let sows =
        |sentence: &str, position: &str, mv: &str| after(&format!("numbers: 12\n{}", white(&[sentence])), position, mv);
    assert_eq!(sows("sow from 0,0 along 0,0 0,1 0,2", "2.9", "0,0"), ".1a b");
    assert_eq!(sows("sow from 0,0 along 0,0 0,1 0,2", "4.c", "0,0"), "12c b");
    assert_eq!(sows("sow from 0,0 along 0,0 0,1 0,2, then again if here on 0,1", "1..", "0,0"), ".1.");
    assert_eq!(sows("sow from 0,0 along 0,0 0,1, then collect here or next to here into 0,2", "1.3", "0,0"), "..4 b");
    let kalah = "numbers: 9\nscore: bottom row - top row\nplayer: white\nmoves: sow from 1,1 along 1,1 0,1\nplayer: black\nmirror: white\n";
    assert_eq!(moves(kalah, "31/.2 b").join(" "), "0,0");
    assert_eq!((end(kalah, "31/3. b"), end(kalah, "31/3.")), (None, Some(End::Score(-1))));
    let hands = "stuck: draws\nplayer: white\npieces: w g\nmoves: w step adjacent onto empty or enemy\nmoves: drop g on empty, when g in hand\n\
                 captures: B g\nplayer: black\npieces: B G\nmirror: white\n";
    assert_eq!(after(hands, "w.B :gG", "g@0,1"), "wgB b :G");
    assert_eq!(after(hands, "wB", "0,0>0,1"), ".w b :g");
    assert_eq!(after(hands, "wB b", "0,1>0,0"), "B. :G");
    assert_eq!(moves(hands, "w.B b :gGG").join(" "), "0,2>0,1 G@0,1");
}

#[test]
fn mirrors_turn_the_board() {
    let rules = "region gate: 0,1\nplayer: white\npieces: w v\nmoves: w step n ne onto empty\nmoves: v step w onto gate\n\
                 wins: w on top row\nplayer: black\npieces: b c\nmirror: white\n";
    assert_eq!(moves(rules, ".../.b./... b").join(" "), "1,1>2,1 1,1>2,0");
    assert_eq!(moves(rules, ".../.../c.. b").join(" "), "2,0>2,1");
    assert_eq!(end(rules, ".../.../b.. "), Some(End::Loss));
    assert_eq!(end(rules, "w../.../b.. b"), Some(End::Loss));
    assert_eq!(end(rules, "w../.../b.. w"), Some(End::Loss));
}

#[test]
fn play_ends_as_it_is_said() {
    let both = "player: both\npieces: x\nmoves: place x on empty\nloses: 2 x in a row\n";
    assert_eq!(end(both, "x.x"), None);
    assert_eq!(end(both, "xx."), Some(End::Win));
    assert_eq!(Rules::new(both, "x.x").unwrap().players("x.x").unwrap(), ["the player to move", "the other player"]);
    let score =
        "score: w - b\nplayer: white\npieces: w\nmoves: place w on empty\nplayer: black\npieces: b\nmirror: white";
    assert_eq!(end(score, "wwb"), Some(End::Score(1)));
    assert_eq!(end(score, "wwb b"), Some(End::Score(-1)));
    assert_eq!(end(score, "wb."), None);
    let last = Rules::new(score, "w.b").unwrap();
    assert_eq!(last.moves("w.b").unwrap()[0].end, Some(End::Score(-1)));
    let passes = "stuck: passes\nscore: w - b\nplayer: white\npieces: w\nmoves: w step e onto empty\nplayer: black\npieces: b\nmoves: b step w onto empty";
    assert_eq!(moves(passes, "..w.#b").join(" "), "0,2>0,3");
    assert_eq!(moves(passes, "w#.b").join(" "), "pass");
    assert_eq!(end(passes, "w#b"), Some(End::Score(0)));
    let draws =
        "draws: no w\nstuck: wins\nplayer: white\npieces: w\nmoves: w step e onto empty\nplayer: black\npieces: b";
    assert_eq!((end(draws, "b.."), end(draws, "w"), end(draws, "w.")), (Some(End::Score(0)), Some(End::Win), None));
    // Conditions are those of the player who is not to move, also where the turn was kept.
    let kept = "player: both\npieces: x\nmoves: place x on empty, then again if at least 2 x\nwins: at least 2 x\n";
    assert_eq!(Rules::new(kept, "..").unwrap().moves("x.").unwrap()[0].end, Some(End::Loss));
}

#[test]
fn mistakes_are_named() {
    let fine = white(&["pass"]);
    for (rules, position, expected) in [
        (white(&["w step onto empty"]), "..", "`moves: w step onto empty`: `onto` at word 3: expected a direction"),
        (white(&["w walk n onto empty"]), "..", "expected `step`, `slide`, `leap` or `hop`"),
        (white(&["w step n onto here"]), "..", "`here` at word 5: expected no `here`, which says nothing here"),
        (white(&["pass, then leave w"]), "..", "expected a set of cells"),
        (white(&["w step n onto empty twice"]), "..", "`twice` after the sentence, at word 6"),
        (white(&["pass, capturing"]), "..", "expected a clause of such a move"),
        (white(&[&format!("place w on {}w", "not ".repeat(99))]), "..", "expected fewer words of sets in one another"),
        (white(&[&format!("place w on {}w", "(".repeat(99))]), "..", "expected fewer"),
        (fine.clone(), "wbcvdefghijklmnopq", "18 kinds of pieces: expected at most 15"),
        (fine.clone(), "..é", "`é` in the position"),
        (fine.clone(), "../.", "not as long as the first"),
        (fine.clone(), &".".repeat(129), "a board of 129 cells: expected 1 to 128"),
        (fine.clone(), &".".repeat(85), "a board of 85 cells with 4 kinds of pieces: expected at most 84 cells"),
        (
            fine.clone(),
            &format!("defgh{}", ".".repeat(60)),
            "a board of 65 cells with 9 kinds of pieces: expected at most 64",
        ),
        (format!("shape: cube\n{fine}"), "..", "`shape: cube`"),
        (format!("shape: graph\n{fine}"), "..", "lines `edges:` are expected"),
        (format!("shape: graph\nedges: 0,0 7,7\n{fine}"), "..", "`7,7`: expected a cell of the board"),
        (format!("region here: 0,0\n{fine}"), "..", "`region here`: expected a new name"),
        (format!("speed: 9\n{fine}"), "..", "the line `speed:` says nothing"),
        (format!("draws: no own\n{fine}"), "..", "`own` at word 2: expected no `own`"),
        (format!("{fine}\nmirror: white"), "..", "the line `moves:` of `black` says nothing"),
        ("player: white\npieces: w".into(), "..", "the players `white`: expected two"),
        ("player: x\npieces: é\nplayer: o".into(), "..", "the pieces of `x`"),
        ("player: both\npieces: x\nmoves: drop y on empty".into(), "..", "`y` in hand"),
        ("shape hex".into(), "..", "`shape hex`: expected a key and `:`"),
        (format!("shape: hex\n{}", white(&["w step se onto empty"])), "..", "expected a direction of a hex board"),
    ] {
        let wrong = Rules::new(&rules, position).unwrap_err();
        assert!(wrong.contains(expected), "{wrong}");
    }
}

/// Counts the positions that play can reach.
fn count(rules: &str, start: &str) -> usize {
    let rules = Rules::new(rules, start).unwrap_or_else(|e| panic!("{e}"));
    let start = rules.normalize(start).unwrap();
    let (mut seen, mut queue) = (HashMap::from([(start.clone(), ())]), VecDeque::from([start]));
    while let Some(position) = queue.pop_front() {
        for play in rules.moves(&position).unwrap() {
            if seen.insert(play.after.clone(), ()).is_none() && play.end.is_none() {
                queue.push_back(play.after);
            }
        }
    }
    seen.len()
}

/// The numbers of positions of known games.
#[test]
fn known_games_have_their_positions() {
    let tictactoe =
        "player: x\npieces: x\nmoves: place x on empty\nwins: 3 x in a row\nplayer: o\npieces: o\nmirror: x";
    assert_eq!(count(tictactoe, ".../.../..."), 5478);
    let dobutsu = "player: white\npieces: l g e c h\nmoves: l step queen onto empty or enemy\nmoves: g step adjacent onto empty or enemy\n\
        moves: e step diagonal onto empty or enemy\nmoves: c step n onto empty or enemy, unless here on top row\n\
        moves: c step n onto empty or enemy, if here on top row, then here becomes h\n\
        moves: h step adjacent ne nw onto empty or enemy\nmoves: drop g/e/c on empty\n\
        captures: G g\ncaptures: E e\ncaptures: C c\ncaptures: H c\nwins: no L\nwins: l on top row and not attacked\n\
        player: black\npieces: L G E C H\nmirror: white";
    let rules = Rules::new(dobutsu, "GLE/.C./.c./elg").unwrap();
    assert_eq!(rules.moves("GLE/.C./.c./elg").unwrap().len(), 4);
    let taken = rules.moves("GLE/.C./.c./elg").unwrap().into_iter().find(|play| play.text == "2,1>1,1").unwrap();
    assert_eq!(taken.after, "GLE/.c./.../elg b :c");
}
