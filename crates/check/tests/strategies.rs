//! Certificates of games in the rules language: kept turns, scores, and play that comes back to positions.
//!
//! What is true is found by fixpoints over all positions of small games.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "strategies/graph.rs"]
mod graph;
#[path = "strategies/players.rs"]
mod players;
#[path = "strategies/random.rs"]
mod random;

use balpan_check::trusted::claim::Header;
use balpan_check::trusted::game::WON;
use balpan_check::trusted::strategy::{Goal, Node, NodeClaim};
use balpan_check::untrusted::FIRST_LINE;
use balpan_check::untrusted::meter::{Interrupt, Meter, Unmetered};
use balpan_check::{Limits, check, parse, walk};

use graph::{Graph, is_true};
use players::{Honest, Liar, certificate};
use random::{Random, random_rules};

const TICTACTOE: &str = "player: x\npieces: x\nmoves: place x on empty\nwins: 3 x in a row\nplayer: o\npieces: o\nmirror: x\ndraws: no empty";
const HEXAPAWN: &str = "player: white\npieces: w\nmoves: w step n onto empty\nmoves: w step ne nw onto enemy\n\
    wins: w on top row\nplayer: black\npieces: b\nmirror: white";
const CLOBBER: &str =
    "player: white\npieces: w\nmoves: w step adjacent onto enemy\nplayer: black\npieces: b\nmirror: white";
const PONG_HAU_KI: &str = "shape: graph\nedges: 0,0 1,1 2,2\nedges: 0,2 1,1 2,0\nedges: 0,0 2,0\nedges: 0,2 2,2\n\
    edges: 2,0 2,2\nplayer: white\npieces: w\nmoves: w step adjacent onto empty\n\
    player: black\npieces: b\nmirror: white";
const PONG_HAU_KI_START: &str = "b_b/_._/w_w";
/// What a places takes the pieces around it; b goes on placing as long as it leaves the left column.
const COUNTED: &str = "score: a - b\nplayer: a\npieces: a\nmoves: place a on empty, then next to here and enemy becomes a\n\
    player: b\npieces: b\nmoves: place b on empty, then again if no empty on left column";
/// A king and a rook against a king on a small board.
const ROOK: &str = "player: white\npieces: k r\nmoves: k step queen onto empty or enemy, if no k on attacked\n\
    moves: r slide adjacent over empty onto empty or enemy\nwins: no K\nplayer: black\npieces: K\n\
    moves: K step queen onto empty or enemy\nstuck: draws";

/// Rules with the lines of the game before those of the players.
fn in_order(rules: &str) -> String {
    let is_head =
        |line: &&str| ["draws", "stuck", "score", "shape", "edges", "first"].contains(&line.split(':').next().unwrap());
    let (head, players): (Vec<&str>, Vec<&str>) = rules.lines().partition(is_head);
    [head, players].concat().join("\n")
}

/// A head, up to the number of claims.
fn head(rules: &str, position: &str, claim: &str, settle: u64) -> String {
    let rules = in_order(rules);
    format!(
        "{FIRST_LINE}\ngame: test\nfamily: language\n{rules}\nposition: {position}\nclaim: {claim}\nsettle: {settle}\n"
    )
}

fn header(head: &str) -> Result<Header, String> {
    Header::parse(&format!("{head}claims: 9\nanswers: text"))
}

#[test]
fn known_answers_are_proved() {
    for (rules, position, claim) in [
        (TICTACTOE, ".../.../...", "it is a draw"),
        (TICTACTOE, "x.o/.../x.. o", "X wins"),
        (HEXAPAWN, "bbb/.../www", "Black wins"),
        (HEXAPAWN, "bbb/.../www", "Black wins in exactly 6 plies"),
        (CLOBBER, "wb/bw", "White wins in exactly 3 plies"),
        (CLOBBER, "wb", "White wins in exactly 1 plies"),
        (PONG_HAU_KI, PONG_HAU_KI_START, "it is a draw"),
        (PONG_HAU_KI, PONG_HAU_KI_START, "White draws or wins"),
        (ROOK, "k../r../..K/... b", "White wins"),
    ] {
        for settle in [0, 3, 1000] {
            let head = head(rules, position, claim, settle);
            let mut header = header(&head).unwrap_or_else(|e| panic!("{e}"));
            let mut graph = Graph::new(&*header.game, &header.position, 100_000).unwrap();
            let text = certificate(&head, &mut header, &mut graph).unwrap_or_else(|| panic!("{claim} in {position}"));
            let proved = check(text.as_bytes(), &Limits::default()).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
            assert_eq!((proved.claim.as_str(), proved.position.as_str()), (claim, position));
            assert_eq!(proved.rules, in_order(rules).lines().collect::<Vec<_>>());
        }
    }
}

/// Files as a person would write them.
#[test]
fn certificates_by_hand_are_read() {
    let claims = |head: String, claims: u64, answers: &str| {
        check(format!("{head}claims: {claims}\nanswers: text\n\n{answers}").as_bytes(), &Limits::default())
    };
    // After the first capture black takes back, and white takes the last piece.
    let wins = head(CLOBBER, "wb/bw", "White wins within 3 plies", 0);
    let answers = "wb/bw within 3 : 0,0>0,1\n.w/bw b within 2 :\n";
    assert_eq!(claims(wins.clone(), 2, answers).unwrap().claim, "White wins within 3 plies");
    for (answers, why) in [
        ("wb/bw within 3 : 0,0>0,1\n.w/bw b within 1 :\n", "1,0>1,1 is one ply too many"),
        ("wb/bw within 2 : 0,0>0,1\n.w/bw b within 2 :\n", "more plies than that are named"),
        ("wb/bw : 0,0>0,1\n.w/bw b within 2 :\n", "expected such as `wb/bw within 9 : ` and answers"),
        ("wb/bw within 3 : 0,0>1,1\n", "`0,0>1,1` is not a move there"),
        ("wb/bw within 3 : searched\n.w/bw b within 2 :\n", "a search of 0 positions is not enough"),
    ] {
        let wrong = claims(wins.clone(), 2, answers).unwrap_err();
        assert!(format!("{wrong:?}").contains(why), "{wrong:?}");
    }
    let proved = claims(head(CLOBBER, "wb", "White wins", 0), 0, "");
    assert_eq!(proved.unwrap().claim, "White wins");
    let end = claims(head(CLOBBER, "w.b", "Black wins", 0), 0, "");
    assert_eq!(end.unwrap().claim, "Black wins");
    // Two pieces that go to and fro.
    let fro = "player: x\npieces: x\nmoves: x step e w onto empty\nplayer: o\npieces: o\nmirror: x";
    let (never, answers) = (
        head(fro, "x./.o", "X draws or wins", 0),
        "\
        x./.o : 0,0>0,1\n.x/.o o :\n.x/o. : 0,1>0,0\nx./o. o :\n",
    );
    assert_eq!(claims(never.clone(), 4, answers).unwrap().claim, "X draws or wins");
    let wins = head(fro, "x./.o", "X wins", 0);
    let answers = "x./.o within 9 : 0,0>0,1\n.x/.o o within 8 :\n.x/o. within 7 : 0,1>0,0\nx./o. o within 6 :\n";
    let circle = claims(wins, 4, answers).unwrap_err();
    assert!(format!("{circle:?}").contains("something else is claimed of it"), "{circle:?}");
}

#[test]
fn scores_are_proved() {
    for position in [".../.../...", "a../.a./.b.", ".b./b../..."] {
        let mut first = header(&head(COUNTED, position, "A gets exactly 0", 20)).unwrap();
        first.claims = 0;
        let mut graph = Graph::new(&*first.game, &first.position, 100_000).unwrap();
        let node = Node { at: first.position, is_claimer: true };
        let goal = |score| if score > 0 { Goal::Reach(score) } else { Goal::Keep(score) };
        let gets = (-9..=9).rev().find(|score| graph.is_true(&NodeClaim { node, goal: goal(*score), plies: 65_535 }));
        let gets = gets.unwrap();
        let at_least = |player: &str, other: &str, score: i32| match score {
            0 => format!("{player} draws or wins"),
            1 => format!("{player} wins"),
            2.. => format!("{player} gets at least {score}"),
            _ => format!("{other} gets at most {}", -score),
        };
        let exactly = match gets {
            0 => "it is a draw".into(),
            1.. => format!("A gets exactly {gets}"),
            _ => format!("B gets exactly {}", -gets),
        };
        for (claim, words, expected) in [
            (format!("A gets at least {gets}"), at_least("A", "B", gets), true),
            (format!("A gets at least {}", gets + 1), String::new(), false),
            (format!("A gets at most {gets}"), at_least("B", "A", -gets), true),
            (format!("A gets at most {}", gets - 1), String::new(), false),
            (format!("A gets exactly {gets}"), exactly.clone(), true),
            (format!("A gets exactly {}", gets + 1), String::new(), false),
            (format!("B gets exactly {}", -gets), exactly, true),
            ("A wins".into(), "A wins".into(), gets > 0),
            ("B draws or wins".into(), "B draws or wins".into(), gets <= 0),
        ] {
            let head = head(COUNTED, position, &claim, 20);
            let mut header = header(&head).unwrap();
            assert_eq!(is_true(&header, 100_000), Some(expected), "{claim}");
            match certificate(&head, &mut header, &mut graph) {
                Some(text) => {
                    assert!(expected, "{claim}");
                    assert_eq!(check(text.as_bytes(), &Limits::default()).unwrap().claim, words, "{claim}");
                }
                None => assert!(!expected, "{claim}"),
            }
        }
    }
    // The largest score that a claim may have, and one more.
    assert!(header(&head(COUNTED, "...", "A gets at least 800000", 0)).is_ok());
    for (rules, claim) in
        [(COUNTED, "A wins within 3 plies"), (CLOBBER, "White gets at least 1"), (COUNTED, "A gets at least 800001")]
    {
        let position = if rules == CLOBBER { "wb" } else { "..." };
        assert!(header(&head(rules, position, claim, 0)).is_err(), "{claim}");
    }
}

/// All claims that may be made about a position.
fn claims_about(graph: &Graph, has_scores: bool) -> Vec<NodeClaim> {
    let mut all = Vec::new();
    for (at, is_claimer) in graph.positions.iter().flat_map(|at| [(*at, false), (*at, true)]) {
        let node = Node { at, is_claimer };
        for goal in (-3..=4).map(|n| if n > 0 { Goal::Reach(n) } else { Goal::Keep(n) }) {
            let is_score = !matches!(goal, Goal::Reach(1) | Goal::Keep(0));
            if has_scores || !is_score {
                all.push(NodeClaim { node, goal, plies: if matches!(goal, Goal::Reach(_)) { 65_535 } else { 0 } });
            }
        }
        for plies in 1..8 {
            all.extend([Goal::Reach(WON), Goal::Delay].map(|goal| NodeClaim { node, goal, plies }));
        }
    }
    all
}

/// Every claim about every position of small random games: a true one is proved by its certificate, and a false one is not,
/// whatever is answered.
#[test]
fn all_claims_of_small_games_are_proved_or_refused() {
    let mut random = Random(3);
    let [mut games, mut proved, mut refused, mut loops, mut kept] = [0; 5];
    while games < 300 {
        let (rules, position) = random_rules(&mut random);
        let text = head(&rules, &position, "it is a draw", [0, 0, 4][random.below(3)]);
        let mut header = header(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        if Unmetered::new(&*header.game).end(&header.position).is_some() {
            continue;
        }
        let Some(mut graph) = Graph::new(&*header.game, &header.position, 150) else { continue };
        games += 1;
        header.claims = u64::MAX;
        for least in -3..=1 {
            let kept = graph.keep(least);
            let broken = graph.reach(1 - least).clone();
            let is_other = |role: usize| {
                move |(kept, broken): (&[bool; 2], &[u32; 2])| kept[role] == (broken[1 - role] == u32::MAX)
            };
            assert!(kept.iter().zip(&broken).all(is_other(0)) && kept.iter().zip(&broken).all(is_other(1)), "{text}");
        }
        loops += usize::from(graph.repeats());
        let has_scores = header.game.has_scores();
        let rules = Unmetered::new(&*header.game);
        kept += usize::from(graph.positions.iter().any(|at| rules.moves(at).iter().any(|mv| mv.keeps_turn)));
        drop(rules);
        for claim in claims_about(&graph, has_scores) {
            if random.below(4) > 0 {
                continue;
            }
            header.position = claim.node.at;
            header.claim = balpan_check::trusted::claim::Claim::Play(vec![(claim.node.is_claimer, guarantee(&claim))]);
            let about = || format!("{claim:?} in {}\n{text}", header.game.write(&claim.node.at));
            if graph.is_true(&claim) {
                let settle = header.settle;
                let mut honest = Honest { graph: &mut graph, settle, text: String::new() };
                let found = walk(&header, &mut honest, &Meter::unlimited(), 1);
                assert!(found.is_ok(), "{found:?} {}", about());
                proved += 1;
            } else {
                for _ in 0..6 {
                    let mut liar = Liar { random: &mut random, met: Vec::new(), left: 300 };
                    let meter = Meter::new(1_000_000, 1 << 28, Interrupt::default());
                    assert!(walk(&header, &mut liar, &meter, 1).is_err(), "{}", about());
                }
                refused += 1;
            }
        }
    }
    println!("{games} games, {loops} with loops, {kept} with kept turns: {proved} claims proved, {refused} refused");
    assert!(proved > 5_000 && refused > 5_000 && loops > 20 && kept > 20);
}

fn guarantee(claim: &NodeClaim) -> balpan_check::trusted::claim::Guarantee {
    use balpan_check::trusted::claim::Guarantee;
    match claim.goal {
        Goal::Reach(WON) => Guarantee::win_within(claim.plies),
        Goal::Reach(score) | Goal::Keep(score) => Guarantee::at_least(score),
        Goal::Delay => Guarantee::no_loss_before(claim.plies),
    }
}

/// Another certificate, changed in one place or several.
fn mutate(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.below(2) {
        let n = if random.below(3) == 0 { random.below(14) } else { random.below(lines.len()) };
        let (n, other) = (n.min(lines.len() - 1), random.below(lines.len()));
        let line = lines[n].clone();
        let key = line.split(": ").next().unwrap_or("").to_owned();
        lines[n] = match (key.as_str(), random.below(9)) {
            ("claim", _) => {
                let (player, k) = (
                    random.one_of(&["A", "B", "X", "O", "White", "Black", "the player to move", "the other player"]),
                    random.below(7),
                );
                let words = [
                    "wins",
                    "draws or wins",
                    "wins within 5 plies",
                    "wins in exactly 3 plies",
                    "does not lose before 4 plies",
                    "gets at least 1",
                    "gets exactly 2",
                ];
                let claim = random.one_of(&words).replace(|c: char| c.is_ascii_digit(), &k.to_string());
                if random.below(6) == 0 { "claim: it is a draw".into() } else { format!("claim: {player} {claim}") }
            }
            ("claims", _) => format!("claims: {}", random.below(40)),
            (_, 0) => lines[other].clone(),
            (_, 1) => line.replace("a", "b").replace('w', "b"),
            (_, 2) => line.replacen("x", "o", 1),
            (_, 3) => line.replace("empty", random.one_of(&["enemy", "own", "all", "not enemy"])),
            (_, 4) => line.replace(|c: char| c.is_ascii_digit(), &random.below(4).to_string()),
            (_, 5) => format!("{} : searched", line.split(" :").next().unwrap_or("")),
            _ => {
                let mut bytes = line.clone().into_bytes();
                let at = random.below(bytes.len().max(1));
                match random.below(4) {
                    0 if !bytes.is_empty() => _ = bytes.remove(at),
                    1 => bytes.insert(at.min(bytes.len()), b"0123 abwx./:,>_"[random.below(15)]),
                    _ if !bytes.is_empty() => bytes[at] = b"0123456789 abwxo./#:,>_"[random.below(23)],
                    _ => {}
                }
                String::from_utf8_lossy(&bytes).into_owned()
            }
        };
        if random.below(12) == 0 {
            lines.swap(n, other);
        }
    }
    lines.join("\n") + "\n"
}

/// A changed certificate that is accepted all the same is still true.
#[test]
fn changed_certificates_fail_or_are_true() {
    let mut random = Random(9);
    let limits = Limits { memory: 16 << 20, positions: 2_000, ..Limits::default() };
    let [mut changed, mut accepted, mut is_false, mut too_large] = [0; 4];
    while changed < 12_000 {
        let (rules, position) = random_rules(&mut random);
        let claim = random.one_of(&[
            "A wins",
            "B wins",
            "A draws or wins",
            "B draws or wins",
            "it is a draw",
            "A gets at least 2",
            "B gets exactly 2",
            "A wins within 4 plies",
            "B wins in exactly 3 plies",
            "the player to move wins",
            "the other player draws or wins",
        ]);
        let text = head(&rules, &position, claim, [0, 5][random.below(2)]);
        let Ok(mut header) = header(&text) else { continue };
        if Unmetered::new(&*header.game).end(&header.position).is_some() && random.below(9) > 0 {
            continue;
        }
        let Some(mut graph) = Graph::new(&*header.game, &header.position, 150) else { continue };
        let Some(text) = certificate(&text, &mut header, &mut graph) else { continue };
        check(text.as_bytes(), &limits).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        for _ in 0..40 {
            let other = mutate(&text, &mut random);
            changed += 1;
            let Ok(proved) = check(other.as_bytes(), &limits) else { continue };
            accepted += 1;
            let (header, _) = parse(other.as_bytes()).unwrap();
            assert_eq!(proved.position, header.game.write(&header.position));
            match is_true(&header, 3_000) {
                Some(true) => {}
                Some(false) => is_false += 1,
                None => too_large += 1,
            }
            assert_eq!(is_false, 0, "{other}");
        }
    }
    println!("{accepted} of {changed} are accepted, {too_large} too large to tell");
    assert!(accepted > 500 && too_large * 10 < accepted, "{accepted} {too_large}");
}
