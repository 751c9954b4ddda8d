//! Games in the rules language as sums: independent parts, nimbers and values of positions.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::HashMap;

use balpan::laws;
use balpan::{AlphaBeta, Budget, Engine, Game, Goal, Method, Outcome, Solver, SplitMix, Value, Watch};
use balpan_cgt::{FormStore, Partizan, PartizanSolver, Player, SumGame};
use balpan_games::calculator::{Calculator, ParsedExpression};
use balpan_games::language::{BoardGame, Position};
use balpan_games::presets::preset;
use balpan_games::{EngineOptions, FamilyGame, Notation, RulesFile};

fn language(text: &str) -> BoardGame {
    match RulesFile::parse("test", text) {
        Ok(rules) => rules.game().unwrap().downcast().unwrap(),
        Err(error) => panic!("{}: {error}", &text[error.span.clone()]),
    }
}

/// A preset on a board, or at a position.
fn of_preset(name: &str, at: &str) -> BoardGame {
    let rules = preset(name).unwrap().unwrap();
    let game = if at.contains('x') { rules.with_board(at).unwrap().game() } else { rules.game_at(at) };
    game.unwrap().downcast().unwrap()
}

/// A game without its own parts and symmetries.
struct Whole(BoardGame);

impl Partizan for Whole {
    type Position = Position;

    fn options(&self, position: &Position, player: Player) -> impl Iterator<Item = Position> {
        self.0.options(position, player)
    }
}

/// Returns the nimber of a position by its moves alone.
fn plain_nimber(game: &BoardGame, position: &Position, known: &mut HashMap<Position, u32>) -> u32 {
    if let Some(nimber) = known.get(position) {
        return *nimber;
    }
    let moves: Vec<_> = game.moves(position).collect();
    let after: Vec<_> = moves.into_iter().map(|mv| plain_nimber(game, &game.play(position, mv), known)).collect();
    let nimber = (0..).find(|nimber| !after.contains(nimber)).unwrap();
    known.insert(*position, nimber);
    nimber
}

/// Sentences of which some speak of cells far away.
fn random_file(random: &mut SplitMix, is_impartial: bool) -> String {
    fn one(random: &mut SplitMix, of: &[&str]) -> String {
        of[random.below(of.len())].to_owned()
    }
    fn set(random: &mut SplitMix, depth: usize, has_here: bool) -> String {
        if depth == 0 || random.below(3) == 0 {
            let mut words = vec!["empty", "p", "q", "s", "own", "enemy", "even cells", "top row", "all", "0,1", "#"];
            words.extend(["here", "here"].iter().filter(|_| has_here));
            return one(random, &words);
        }
        let directions = ["n", "e", "ne sw", "adjacent", "queen", "w s"];
        let inner = set(random, depth - 1, has_here);
        match random.below(7) {
            0 => format!("not ({inner})"),
            1 | 2 => format!("next to ({inner})"),
            3 => format!("{} of ({inner})", one(random, &directions)),
            4 => format!("{} from ({inner})", one(random, &directions)),
            5 => format!("({inner} or {})", set(random, depth - 1, has_here)),
            _ => format!("({inner} and {})", set(random, depth - 1, has_here)),
        }
    }
    fn sentence(random: &mut SplitMix) -> String {
        let directions = one(random, &["adjacent", "queen", "n", "e", "s e"]);
        let onto = [one(random, &["empty", "enemy", "own or enemy", "q"]), set(random, 2, false)];
        let onto = if random.below(2) == 0 { onto[0].clone() } else { format!("{} and ({})", onto[0], onto[1]) };
        let mut sentence = match random.below(8) {
            0..=2 => format!("place {} on empty and ({})", one(random, &["p", "q", "s", "#"]), set(random, 3, false)),
            3 | 4 => format!("{} step {directions} onto {onto}", one(random, &["p", "q", "p/s"])),
            5 => format!("p slide {directions} over {}", one(random, &["empty", "empty or s"])),
            6 => format!(
                "p hop {directions} over {onto} onto empty{}",
                one(random, &["", ", capturing", ", capturing, repeatedly"])
            ),
            _ => format!("q leap knight onto {onto}"),
        };
        if !sentence.starts_with("place") && random.below(3) > 0 {
            sentence += &format!(", then leave {}", one(random, &["#", "s", "s"]));
        }
        for _ in 0..random.below(3) {
            sentence += &match random.below(6) {
                0 => format!(", then {} becomes {}", set(random, 2, true), one(random, &["#", "s", "empty"])),
                1 => format!(", if {}", set(random, 2, true)),
                2 => format!(", unless at least 2 {}", set(random, 2, true)),
                3 => format!(", when {}", set(random, 2, false)),
                4 if !sentence.contains("shoot") => ", then shoot adjacent over empty leaving #".to_owned(),
                _ => format!(", if no (enemy and next to {})", "here"),
            };
        }
        sentence
    }
    /// Sentences under conditions on groups that all of them leave true.
    fn touching(random: &mut SplitMix) -> Vec<String> {
        let test = if random.below(2) == 0 {
            let second = ["every group of q touches empty", "every group of q touches s", "every group of s touches p"];
            let first = one(random, &["p touches empty", "p touches q", "p or s touches empty"]);
            format!("every group of {first}, {}", one(random, &second))
        } else {
            let groups = one(random, &["p", "q", "p or q", "s", "p or s"]);
            format!(
                "every group of ({groups}) touches ({})",
                one(random, &["empty", "empty", "empty or s", "q", "q or s"])
            )
        };
        let count = 1 + random.below(2);
        (0..count)
            .map(|_| format!("place {} on empty, if {test}", one(random, &["p", "q", "s", "p/q", "q/s"])))
            .collect()
    }
    let sentences: Vec<_> = if is_impartial && random.below(5) == 0 {
        touching(random)
    } else {
        (0..1 + random.below(2)).map(|_| sentence(random)).collect()
    };
    let both = |sentence: &String| sentence.replace("own or enemy", "p or q").replace("enemy", "q").replace("own", "p");
    if is_impartial {
        let sentences: Vec<_> = sentences.iter().map(both).collect();
        format!("board = \"3x3\"\n[both]\npieces = \"pq\"\nmoves = {sentences:?}\n")
    } else {
        format!(
            "board = \"3x3\"\n[left]\npieces = \"p\"\nmoves = {sentences:?}\n[right]\npieces = \"q\"\nmirror = \"left\"\n"
        )
    }
}

/// Positions of random files are the sums of their parts: as nimbers, or as values.
#[test]
fn random_games_are_the_sums_of_their_parts() {
    let mut random = SplitMix(8);
    // `.ci/long` sets the number.
    let files = std::env::var("BALPAN_FILES").map_or(300, |files| files.parse().unwrap());
    let (mut tried, mut split) = (0, 0);
    let watch = Watch::default();
    while tried < files {
        let is_impartial = random.below(2) == 0;
        let text = random_file(&mut random, is_impartial);
        let Ok(rules) = RulesFile::parse("random", &text) else { continue };
        for board in ["3x3", "2x4", "1x7", "3x4"] {
            let game: BoardGame = rules.clone().with_board(board).unwrap().game().unwrap().downcast().unwrap();
            if game.may_repeat() {
                continue;
            }
            tried += 1;
            for _ in 0..6 {
                let (rows, cols) = board.split_once('x').unwrap();
                let (rows, cols): (usize, usize) = (rows.parse().unwrap(), cols.parse().unwrap());
                let glyphs: Vec<char> = game.cell_glyphs().chars().filter(|glyph| *glyph != '_').collect();
                let empty = random.below(3);
                let mut cell = |_| if random.below(3) < empty { '.' } else { glyphs[random.below(glyphs.len())] };
                let rows: Vec<String> = (0..rows).map(|_| (0..cols).map(&mut cell).collect()).collect();
                let at = rows.join("/");
                let position = game.parse(&at).unwrap();
                let mut parts = Vec::new();
                Partizan::split(&game, &position, &mut parts);
                split += u32::from(parts.len() > 1);
                let shown: Vec<_> = parts.iter().map(|part| game.text(part)).collect();
                if is_impartial {
                    if !game.is_impartial() {
                        continue;
                    }
                    let mut known = HashMap::new();
                    let whole = plain_nimber(&game, &position, &mut known);
                    let sum = parts.iter().fold(0, |sum, part| sum ^ plain_nimber(&game, part, &mut known));
                    assert_eq!(whole, sum, "{text}\n{at}\n{shown:?}");
                    let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 20, threads: 1 });
                    assert_eq!(engine.nimber(&position, &watch).unwrap(), whole, "{text}\n{at}");
                } else {
                    let mut forms = FormStore::new(1 << 28, &watch);
                    let whole = PartizanSolver::new(Whole(game.clone())).value(&position, &mut forms).unwrap();
                    let found = PartizanSolver::new(game.clone()).value(&position, &mut forms).unwrap();
                    assert_eq!(forms.text(whole).unwrap(), forms.text(found).unwrap(), "{text}\n{at}\n{shown:?}");
                    let outcomes = forms.outcomes(whole).unwrap();
                    for (player, outcome) in Player::BOTH.into_iter().zip(outcomes) {
                        let sums = SumGame::new(game.clone(), &position, player, 1 << 20);
                        let found = AlphaBeta::new(&sums, 1 << 16, &watch).outcome(&sums.start()).unwrap();
                        assert_eq!(found, outcome, "{text}\n{at}\n{player:?} first");
                    }
                }
            }
        }
    }
    assert!(split > tried / 8, "{split} of {tried} games were split");
    println!("{split} positions of {tried} games were split");
}

/// Nothing hops over a blocked cell: what is on either side of one in a row adds up.
#[test]
fn blocked_cells_part_the_pieces_that_hop() {
    let mut random = SplitMix(21);
    let watch = Watch::default();
    for (name, glyphs) in [("toads", ['t', 'f']), ("konane", ['w', 'b'])] {
        let mut parted = 0;
        for _ in 0..100 {
            // Stones hop over others only every second cell.
            let piece = |cell: usize, random: &mut SplitMix| match random.below(6) {
                0 => '#',
                1 | 2 => '.',
                _ if name == "konane" => glyphs[cell % 2],
                _ => glyphs[random.below(2)],
            };
            let row: String = (0..16).map(|cell| piece(cell, &mut random)).collect();
            let game = of_preset(name, &row);
            let mut parts = Vec::new();
            Partizan::split(&game, &game.start(), &mut parts);
            let shown: Vec<_> = parts.iter().map(|part| game.text(part)).collect();
            let in_one = |part: &&String| !part.trim_matches('#').contains('#');
            assert_eq!(shown.iter().find(|part| !in_one(part)), None, "{name} {row}");
            parted += usize::from(parts.len() > 1);
            let mut forms = FormStore::new(1 << 28, &watch);
            let whole = PartizanSolver::new(Whole(game.clone())).value(&game.start(), &mut forms).unwrap();
            let found = PartizanSolver::new(game.clone()).value(&game.start(), &mut forms).unwrap();
            assert_eq!(forms.text(whole).unwrap(), forms.text(found).unwrap(), "{name} {row} {shown:?}");
        }
        assert!(parted > 15, "{name}: {parted} rows have parts");
    }
}

/// Stones of unlike colours part what is on either side of them, where every group keeps a liberty; not where one has none.
#[test]
fn stones_part_those_with_liberties() {
    let mut random = SplitMix(5);
    let watch = Watch::default();
    let mut parted = 0;
    for _ in 0..200 {
        let game = of_preset("nogo", ["1x14", "3x4", "2x6"][random.below(3)]);
        let Some(position) = game.random_position(3 + random.below(6), &mut random) else { continue };
        let mut parts = Vec::new();
        Partizan::split(&game, &position, &mut parts);
        parted += usize::from(parts.len() > 1);
        let shown: Vec<_> = parts.iter().map(|part| game.text(part)).collect();
        let mut forms = FormStore::new(1 << 28, &watch);
        let whole = PartizanSolver::new(Whole(game.clone())).value(&position, &mut forms).unwrap();
        let found = PartizanSolver::new(game.clone()).value(&position, &mut forms).unwrap();
        assert_eq!(forms.text(whole).unwrap(), forms.text(found).unwrap(), "{} {shown:?}", game.text(&position));
    }
    assert!(parted > 20, "{parted} positions have parts");
    let parts = |rows: &str| {
        let game = of_preset("nogo", rows);
        let mut parts = Vec::new();
        Partizan::split(&game, &game.start(), &mut parts);
        let mut shown: Vec<_> = parts.iter().map(|part| game.text(part)).collect();
        shown.sort();
        shown
    };
    assert_eq!(parts("..bw.."), ["###w..", "..b###"]);
    assert_eq!(parts("..bb.."), ["..bb.."]);
    // Nobody can ever fill the cell in the middle, so both of the stones beside it are safe.
    assert_eq!(parts("..wb.bw.."), ["######w..", "..w######"]);
    // Black has no liberty: moves are judged on the whole board.
    assert_eq!(parts("wbw...b.."), ["wbw...b.."]);
}

/// A slide goes no further than a cell that it cannot pass over, even if it can land there: what says so is in its part.
#[test]
fn what_stops_a_slide_is_in_its_part() {
    let text = "start = \"wb./#x#\"
        [white]\npieces = \"wx\"\nmoves = [\"w slide e over empty and not next to x onto enemy\"]
        [black]\npieces = \"b\"\nmoves = [\"b step e onto empty\"]";
    let game = language(text);
    let watch = Watch::default();
    for rows in ["wb./#x#", "wb../..x#", "w.b./.x.#", "w..b./..x.#"] {
        let game: BoardGame = RulesFile::parse("slide", text).unwrap().game_at(rows).unwrap().downcast().unwrap();
        let mut forms = FormStore::new(1 << 28, &watch);
        let whole = PartizanSolver::new(Whole(game.clone())).value(&game.start(), &mut forms).unwrap();
        let found = PartizanSolver::new(game.clone()).value(&game.start(), &mut forms).unwrap();
        assert_eq!(forms.text(whole).unwrap(), forms.text(found).unwrap(), "{rows}");
    }
    let mut forms = FormStore::new(1 << 28, &watch);
    let value = PartizanSolver::new(game.clone()).value(&game.start(), &mut forms).unwrap();
    assert_eq!(forms.text(value).unwrap(), "*");
}

/// Games with the same rules whose players have other names, or of which another begins, add up: the text of a position is read by its own
/// game.
#[test]
fn games_with_other_players_are_added() {
    let game = |first: &str, players: [&str; 2]| {
        let [one, other] = players;
        format!(
            "start = \"w.b.\"\n{first}\n[{one}]\npieces = \"w\"\nmoves = [\"w step e onto empty or enemy\"]\n[{other}]\n\
             pieces = \"b\"\nmoves = [\"b step w onto empty or enemy\"]\n"
        )
    };
    let load = |name: &str| {
        let text = match name {
            "whites" => game("", ["white", "black"]),
            "xs" => game("", ["x", "o"]),
            _ => game("first = \"black\"", ["white", "black"]),
        };
        RulesFile::parse(name, &text).map(Some)
    };
    let watch = Watch::default();
    let value = |expression: &str| {
        let parsed = ParsedExpression::read(expression, load).unwrap();
        let make = EngineOptions::new(Budget { memory: 1 << 26, threads: 1 });
        Calculator::new(make, &watch).evaluate(&parsed).unwrap().value.unwrap()
    };
    let alone = value("whites(w.b.)");
    for other in ["whites(w.b. b)", "xs(w.b.)", "xs(w.b. o)", "blacks(w.b.)", "blacks(w.b. w)"] {
        assert_eq!(value(other), alone, "{other}");
        assert_eq!(value(&format!("{other} - whites(w.b.)")), "0", "{other}");
        assert_eq!(value(&format!("whites(w.b.) - {other}")), "0", "{other}");
    }
}

/// The nimbers of Node Kayles on a path are those of the octal game 0.137, beyond 64 cells as well, and blocked cells around a position change
/// nothing.
#[test]
fn large_boards_are_sums_as_well() {
    let octal = preset("nim").unwrap().unwrap().with_changes(&["code=0.137".to_owned()]).unwrap();
    let watch = Watch::default();
    for cells in [64, 65, 90, 127, 128] {
        let rules = preset("nodekayles").unwrap().unwrap().with_board(&format!("1x{cells}")).unwrap();
        let mut path = EngineOptions::new(Budget { memory: 1 << 24, threads: 1 }).summand(&rules.game().unwrap());
        let heap = octal.game_at(&cells.to_string()).unwrap();
        let mut heap = EngineOptions::new(Budget { memory: 1 << 24, threads: 1 }).summand(&heap);
        let nimbers = [path.nimber_at(&".".repeat(cells), &watch), heap.nimber_at(&cells.to_string(), &watch)];
        let [path, heap] = nimbers.map(Result::unwrap);
        assert_eq!(path, heap, "{cells} cells");
    }
    let blocked = "#".repeat(40);
    for (name, one, other) in
        [("toads", "tt..ff", "t.tff"), ("clobber", "wbwbwb", "wbw"), ("konane", "wbw.bwb", "w.wb")]
    {
        let [large, small] = [format!("{blocked}{one}{blocked}{other}"), format!("{one}#{other}")];
        assert_eq!(value(&format!("{name}({large})")), value(&format!("{name}({small})")), "{name}");
        assert_eq!(value(&format!("{name}({large}) - {name}({small})")), "0", "{name}");
    }
}

/// Returns the value of an expression, as text.
fn value(expression: &str) -> String {
    let watch = Watch::default();
    let parsed = ParsedExpression::read(expression, |name| preset(name).transpose()).unwrap();
    let make = EngineOptions::new(Budget { memory: 1 << 28, threads: 1 });
    Calculator::new(make, &watch).evaluate(&parsed).unwrap().value.unwrap()
}

#[test]
fn published_values() {
    for (expression, expected) in [
        // Berlekamp, Conway, Guy, Winning Ways, chapters 1 and 2, and combinatorialgames.wordpress.com: Toads and Frogs.
        ("toads(tftf.)", "0"),
        ("toads(tf.tf)", "0"),
        ("toads(tft.f)", "*"),
        ("toads(t.tff)", "↑"),
        ("toads(tt.ff)", "*"),
        // J. Erickson, New Toads and Frogs Results, 1996, whose conjectures T. Thanatipanonda proved (arXiv 0804.0640): a toads,
        // two empty cells and b frogs; three empty cells and two frogs; three and three.
        ("toads(ttt..ff) - {{0|1}|{*|1}}", "0"),
        ("toads(tttt..ff) - {{1|2}|{*|1}}", "0"),
        ("toads(tttt..fff) - {{1|1}|{*|0}}", "0"),
        ("toads(ttttt..fff) - {{2|2}|{*|0}}", "0"),
        ("toads(tt...ff)", "*"),
        ("toads(ttt...ff)", "1*"),
        ("toads(tttt...ff)", "2*"),
        ("toads(ttttt...fff)", "3/2"),
        // Col, Winning Ways, chapter 2: rows. Every position is a number, perhaps with a star.
        ("col(1x1)", "*"),
        ("col(1x2)", "0"),
        ("col(1x3)", "0"),
        ("col(b..)", "-1/2"),
        // Snort, Winning Ways, chapter 6: rows.
        ("snort(1x1)", "*"),
        ("snort(1x2)", "±1"),
        ("snort(1x3)", "±2"),
        // Clobber: M. Albert, J. Grossman, R. Nowakowski, D. Wolfe, An Introduction to Clobber, 2005.
        ("clobber(wb)", "*"),
        ("clobber(wbb)", "↓"),
        ("clobber(wwb)", "↑"),
        // MCGS, cgt_tests/nogo/empty.test.
        ("nogo(1x1)", "0"),
        ("nogo(1x2)", "*"),
        ("nogo(1x3)", "±1"),
        ("nogo(1x4)", "0"),
        ("nogo(1x5)", "*"),
        ("nogo(1x6)", "±1"),
        ("nogo(1x7)", "±(1*)"),
        ("nogo(1x8)", "*"),
        ("nogo(1x10)", "±(1*)"),
        // Sums of positions, of values and of both.
        ("toads(t.tff) + toads(tft.f) - ^", "*"),
        ("snort(1x2) + domineering(2x2) - clobber(wwb)", "↓"),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

/// Returns whether White and Black win a position by moving first.
fn wins(game: &BoardGame, rows: &str) -> [bool; 2] {
    ['w', 'b'].map(|letter| {
        let position = game.parse(&format!("{rows} {letter}")).unwrap();
        let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 26, threads: 1 });
        let answer = engine.solve(&position, Goal::Winner, &Watch::default(), |_| {}).unwrap();
        answer.outcome() == Some(Outcome::Win)
    })
}

/// Outcomes in the test files of MCGS (T. Folkersen, M. Muller, H. Du): its X is Black, its O is White. The search and the value of
/// each position agree with them.
#[test]
fn published_outcomes() {
    // Who wins moving first: White, Black.
    for (name, positions) in [
        // input/autotests/clobber_autotests/clobber_nxn_alternating.test
        ("clobber", &[("bw/wb", [true, true]), ("bwb/wbw/bwb", [true, true])][..]),
        // input/autotests/amazons_autotests/4x4.test
        (
            "amazons",
            &[
                (".#../b.#./#b#./#..#", [false, true]),
                (".w.#/#.../#..w/#.##", [true, false]),
                ("w##./.###/..../#.w#", [true, false]),
                ("b.w#/w##w/#.../bb#.", [true, true]),
                (".b.#/wbw./#w##/..#b", [true, false]),
                ("..#./..#./##.#/..#.", [false, false]),
                ("##w./..w#/b#.w/..#.", [true, true]),
            ],
        ),
        // input/autotests/cannibal_clobber/4x4.test
        (
            "cannibal",
            &[
                ("wbbb/wbww/wwb./b.bw", [true, true]),
                ("bwbw/b.bw/wb.w/.wbb", [false, true]),
                (".w.b/wwbw/bw.b/.bwb", [true, true]),
            ],
        ),
    ] {
        for &(rows, expected) in positions {
            let game = of_preset(name, rows);
            assert_eq!(wins(&game, rows), expected, "{name} {rows}");
            let watch = Watch::default();
            let mut forms = FormStore::new(1 << 29, &watch);
            let mut values = PartizanSolver::new(game.clone());
            let form = values.value(&game.parse(&format!("{rows} w")).unwrap(), &mut forms).unwrap();
            let outcomes = forms.outcomes(form).unwrap().map(|outcome| outcome == Outcome::Win);
            assert_eq!(outcomes, expected, "{name} {rows}");
        }
    }
    // Clobber on rows, alternating: the first player wins but on six cells (Albert and others, conjecture 11, here to 14 cells).
    for cells in (2..=14).step_by(2) {
        let rows = "wb".repeat(cells / 2);
        assert_eq!(wins(&of_preset("clobber", &rows), &rows), [cells != 6; 2], "{cells}");
    }
    // Clobber from the checkerboard, who wins moving first (T. Folkersen and others, results of MCGS, 2026): on two rows not if 3 divides
    // the columns, on three not if they are even.
    for (rows, cols, first_wins) in (1..=9)
        .map(|cols| (2, cols, cols % 3 != 0))
        .chain((2..=6).map(|cols| (3, cols, cols % 2 == 1)))
        .chain([(4, 4, true), (4, 5, true)])
    {
        let game = of_preset("clobber", &format!("{rows}x{cols}"));
        let rows = game.text(&game.start());
        assert_eq!(wins(&game, &rows)[0], first_wins, "{rows}");
    }
    // NoGo: webdocs.cs.ualberta.ca/~mmueller/nogo/solving.html, M. Muller.
    for (rows, first_wins) in [(".../.../...", true), ("..../..../..../....", false)] {
        assert_eq!(wins(&of_preset("nogo", rows), rows), [first_wins; 2], "{rows}");
    }
}

#[test]
fn sums_keep_the_laws_of_games() {
    let kings = "start = \"A../.../..B\"\n[a]\npieces = \"A\"\nmoves = [\"A step queen onto empty, then leave #\"]\n\
        [b]\npieces = \"B\"\nmoves = [\"B step queen onto empty, then leave #\"]\n";
    let presets = [
        ("clobber", "3x4"),
        ("col", "3x3"),
        ("snort", "3x3"),
        ("nogo", "3x3"),
        ("konane", "4x4"),
        ("amazons", ".w/b./.."),
    ];
    for game in presets.map(|(name, at)| of_preset(name, at)).into_iter().chain([language(kings)]) {
        let sums = SumGame::new(game.clone(), &game.start(), Player::Left, 1 << 24);
        laws::check(&sums, 30, 1).unwrap_or_else(|broken| panic!("{}: {broken}", game.text(&game.start())));
    }
}

/// Searches by sums of parts have the winners of searches of whole positions, from random positions of larger boards.
#[test]
fn sums_have_the_winners_of_whole_positions() {
    let mut random = SplitMix(3);
    let domineering = "board = \"4x5\"\n[left]\npieces = \"l\"\n\
        moves = [\"place l on empty and n of empty, then n of here becomes l\"]\n[right]\npieces = \"r\"\n\
        moves = [\"place r on empty and w of empty, then w of here becomes r\"]\n";
    let presets = [
        ("clobber", "4x4"),
        ("clobber", "3x6"),
        ("cannibal", "3x4"),
        ("col", "4x5"),
        ("snort", "4x5"),
        ("toads", "tt..ff"),
    ];
    for game in presets.map(|(name, at)| of_preset(name, at)).into_iter().chain([language(domineering)]) {
        let make = || Engine::new(game.clone(), Budget { memory: 1 << 24, threads: 1 });
        let (mut by_sums, mut whole) = (make(), make().with_method(Method::AlphaBeta));
        for _ in 0..60 {
            let left = random.below(20);
            let Some(position) = game.random_position(left, &mut random) else { continue };
            let winners = |engine: &mut Engine<BoardGame>| {
                engine.solve(&position, Goal::MoveOutcomes, &Watch::default(), |_| {}).unwrap()
            };
            let (found, expected) = (winners(&mut by_sums), winners(&mut whole));
            assert_eq!(found.outcome(), expected.outcome(), "{}", game.text(&position));
            for (mv, bounds) in &found.moves {
                let (_, expected) = expected.moves.iter().find(|(other, _)| other == mv).unwrap();
                assert_eq!(bounds.outcome(), expected.outcome(), "{}", game.move_text(&position, *mv));
            }
        }
    }
}

/// Where a group has to touch pieces that have to touch something themselves, a move depends on what is beside those pieces.
#[test]
fn conditions_that_lead_to_others_keep_positions_whole() {
    for (start, conditions, nimber) in [
        ("*./..", "every group of k touches *, every group of * touches empty", Some(0)),
        (".*..", "every group of k touches *, every group of * touches empty", Some(2)),
        (".k.*.", "every group of * touches x, every group of x touches k", None),
    ] {
        let pieces = if conditions.contains('x') { "kx" } else { "k" };
        let moves = format!("place {} on empty, if {conditions}", pieces.replace("kx", "k/x"));
        let game = language(&format!("start = \"{start}\"\n[both]\npieces = \"{pieces}\"\nmoves = [\"{moves}\"]"));
        let whole = plain_nimber(&game, &game.start(), &mut HashMap::new());
        let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 20, threads: 1 });
        assert_eq!(engine.nimber(&game.start(), &Watch::default()).unwrap(), whole, "{start}: {conditions}");
        assert!(nimber.is_none_or(|nimber| nimber == whole), "{start}: {whole}");
    }
}

/// A shot, or a cell chosen, may be the one that the piece left, which `leave` fills again.
#[test]
fn a_cell_that_is_filled_twice_is_counted_once() {
    let place = "\"place k on empty\"";
    for (start, moves, plies) in [
        (
            "..",
            format!("\"k step adjacent onto k, then shoot adjacent over empty leaving #, then leave #\", {place}"),
            3,
        ),
        ("..", format!("\"k step adjacent onto k, then one of empty becomes #, then leave #\", {place}"), 3),
        ("kk", "\"k step adjacent onto k, then one of empty becomes #, then leave #\"".to_owned(), 1),
    ] {
        let game = language(&format!("start = \"{start}\"\n[both]\npieces = \"k\"\nmoves = [{moves}]"));
        let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 20, threads: 1 });
        assert_eq!(engine.value(&game.start()), Ok(Value::win(plies)), "{start}: {moves}");
    }
}

#[test]
fn published_nimbers() {
    let nimber = |game: &BoardGame| {
        let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 26, threads: 1 });
        engine.nimber(&game.start(), &Watch::default()).unwrap()
    };
    // Winning Ways, chapter 4: octal 0.137 (Dawson's Chess) is Node Kayles on rows; its nimbers have period 34.
    let games: Vec<_> = (1..=20).map(|n| nimber(&of_preset("nodekayles", &format!("1x{n}")))).collect();
    assert_eq!(games, [1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0]);
    let far = |from: usize| -> Vec<_> {
        (from..from + 4).map(|n| nimber(&of_preset("nodekayles", &format!("1x{n}")))).collect()
    };
    assert_eq!(far(57), far(57 - 34));
    // MCGS, computational results: impartial NoGo on rows and on boards.
    let nogo = |board: &str| {
        let text = "[both]\npieces = \"bw\"\n\
            moves = [\"place b/w on empty, if every group of b touches empty, every group of w touches empty\"]";
        nimber(&language(&format!("board = \"{board}\"\n{text}")))
    };
    let rows: Vec<_> = (1..=16).map(|n| nogo(&format!("1x{n}"))).collect();
    assert_eq!(rows, [0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 3, 1, 0, 3, 1, 0]);
    let boards = ["2x2", "2x3", "2x4", "2x5", "2x6", "3x3", "3x4"].map(nogo);
    assert_eq!(boards, [1, 1, 0, 0, 0, 0, 0]);
}
