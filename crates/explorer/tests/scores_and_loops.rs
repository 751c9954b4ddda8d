//! Two families defined here, registered strangers to all crates: Dots and Boxes, with scores and kept turns, and Pong Hau
//! K'i, whose play may repeat. Both are driven through what a game can do, and compared with plain minimax.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use balpan::reach::Count;
use balpan::{Budget, EngineError, Game, Outcome, Turn, Value, Watch};
use balpan_app::words::no_win_within;
use balpan_app::{CensusError, CensusQuery};
use balpan_contest::custom::{AnswerKind, CustomGame};
use balpan_contest::puzzle::{PlyRange, PuzzleQuery, puzzles};
use balpan_explorer::{Answers, Limits, router};
use balpan_games::error::CustomError;
use balpan_games::presets::preset;
use balpan_games::sum::{SumObstacle, SumReport};
use balpan_games::{
    Annotation, Answer, AnyGame, Board, EngineCache, EngineOptions, Family, FamilyGame, FamilyRules, Lang, Notation,
    PlayerName, Query, Record, ReportedBounds, ReportedValue, Review, RulesFile, RulesSource, Task, TextError,
    register,
};
use balpan_pictures::review::{mark, points_lost, standing, summary};
use balpan_pictures::tree::{TreeOptions, ViewOptions, build_tree};
use balpan_pictures::words::name;
use balpan_pictures::{census_histogram, review_graph};
use http_body_util::BodyExt;
use serde::Deserialize;
use serde_json::Value as Json;
use toml::Spanned;
use tower::ServiceExt;

/// Dots and Boxes. Cells of even row and column are dots, of odd ones boxes, the others edges. Whoever draws the last edge of
/// a box owns it and moves again.
#[derive(Clone, Copy, Debug)]
struct Boxes {
    board: Board,
    start: Drawn,
}

/// The edges drawn, one bit a cell, and the boxes of the player to move less those of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Drawn {
    edges: u32,
    lead: i8,
}

impl Boxes {
    fn on(board: Board) -> Self {
        Self { board, start: Drawn { edges: 0, lead: 0 } }
    }

    fn cells(&self, rest: [usize; 2]) -> impl Iterator<Item = usize> + use<> {
        let board = self.board;
        (0..board.cells()).filter(move |cell| {
            let (row, col) = board.row_col(*cell);
            [row % 2, col % 2] == rest
        })
    }

    fn edges(&self) -> impl Iterator<Item = usize> + use<> {
        let mut edges: Vec<_> = self.cells([0, 1]).chain(self.cells([1, 0])).collect();
        edges.sort_unstable();
        edges.into_iter()
    }

    fn full_boxes(&self, edges: u32) -> i8 {
        let is_full = |cell: &usize| {
            let (row, col) = self.board.row_col(*cell);
            let is_inside = row + 1 < self.board.rows() && col + 1 < self.board.cols();
            let around = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)];
            is_inside && around.iter().all(|(row, col)| edges >> self.board.cell(*row, *col) & 1 == 1)
        };
        self.cells([1, 1]).filter(is_full).count() as i8
    }
}

impl Game for Boxes {
    type Position = Drawn;
    type Move = usize;

    const TURNS_ALTERNATE: bool = false;

    fn start(&self) -> Drawn {
        self.start
    }

    fn moves(&self, drawn: &Drawn) -> impl Iterator<Item = usize> {
        let edges = drawn.edges;
        self.edges().filter(move |edge| edges >> edge & 1 == 0)
    }

    fn play(&self, drawn: &Drawn, edge: usize) -> Drawn {
        let edges = drawn.edges | 1 << edge;
        match self.full_boxes(edges) - self.full_boxes(drawn.edges) {
            0 => Drawn { edges, lead: -drawn.lead },
            won => Drawn { edges, lead: drawn.lead + won },
        }
    }

    fn score(&self, drawn: &Drawn) -> Option<i32> {
        Some(drawn.lead.into())
    }

    fn max_score(&self) -> u32 {
        self.full_boxes(u32::MAX) as u32
    }

    fn keeps_turn(&self, before: &Drawn, _edge: usize, after: &Drawn) -> bool {
        self.full_boxes(before.edges) < self.full_boxes(after.edges)
    }

    fn layer(&self, drawn: &Drawn) -> Option<u32> {
        Some(self.moves(drawn).count() as u32)
    }

    fn key_bits(&self) -> u32 {
        40
    }

    fn key(&self, drawn: &Drawn) -> u128 {
        u128::from(drawn.edges) << 8 | u128::from(drawn.lead as u8)
    }
}

fn wrong(text: &str, found: &str, expected: &str) -> TextError {
    let (found, expected) = (found.to_owned(), expected.to_owned());
    TextError::in_position(text, 0..text.len(), CustomError { found, expected })
}

/// Reads `o#o.o/.-.-./o.o.o 0`: the rows, and the lead of the player to move.
fn read_boxes(text: &str) -> Result<Boxes, TextError> {
    let (rows, lead) = text.trim().split_once(' ').unwrap_or((text.trim(), "0"));
    let lines: Vec<_> = rows.split('/').collect();
    let board = Board::new(lines.len(), lines[0].len()).ok().filter(|board| board.cells() <= 25);
    let board = board.ok_or_else(|| wrong(text, "no board", "rows such as o.o/.-./o.o"))?;
    let mut boxes = Boxes::on(board);
    boxes.start.lead = lead.parse().map_err(|_| wrong(text, "no lead", "a number after the rows"))?;
    for cell in boxes.edges() {
        let (row, col) = board.row_col(cell);
        match lines[row].as_bytes().get(col) {
            Some(b'#') => boxes.start.edges |= 1 << cell,
            Some(b'.') => {}
            _ => return Err(wrong(text, "no edge", "`#` or `.` between dots")),
        }
    }
    Ok(boxes)
}

impl Notation for Boxes {
    fn describe(&self, lang: Lang) -> Vec<String> {
        vec![lang.pick("Whoever closes a box moves again.", "상자를 닫으면 한 번 더 둡니다.").to_owned()]
    }

    fn board(&self) -> Option<Board> {
        Some(self.board)
    }

    fn parse(&self, text: &str) -> Result<Drawn, TextError> {
        let read = read_boxes(text)?;
        if read.board == self.board { Ok(read.start) } else { Err(wrong(text, "another board", &self.size())) }
    }

    fn text(&self, drawn: &Drawn) -> String {
        let row = |row: usize| (0..self.board.cols()).map(|col| self.glyph(drawn, self.board.cell(row, col))).collect();
        format!("{} {}", (0..self.board.rows()).map(row).collect::<Vec<String>>().join("/"), drawn.lead)
    }

    fn move_text(&self, _drawn: &Drawn, edge: usize) -> String {
        let (row, col) = self.board.row_col(edge);
        format!("{row},{col}")
    }

    fn glyph(&self, drawn: &Drawn, cell: usize) -> char {
        match self.board.row_col(cell) {
            (row, col) if row % 2 == 0 && col % 2 == 0 => 'o',
            (row, col) if row % 2 == 1 && col % 2 == 1 => '-',
            _ => ['.', '#'][(drawn.edges >> cell & 1) as usize],
        }
    }

    fn move_cells(&self, _drawn: &Drawn, edge: usize) -> u128 {
        1 << edge
    }

    fn players(&self, _drawn: &Drawn) -> [PlayerName; 2] {
        PlayerName::BY_TURN
    }
}

impl FamilyGame for Boxes {
    fn family(&self) -> &'static str {
        "boxes"
    }
}

/// Pong Hau K'i: two tokens each on five points, one of which is free. Whoever cannot move to it loses.
#[derive(Clone, Copy, Debug)]
struct Pong(Points);

/// The owner of each point, 0 for `X`, 1 for `O`, 2 if it is free; and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Points {
    owners: [u8; 5],
    mover: u8,
}

/// The cell of each point on a board of 3x3, and the points that are joined.
const CELLS: [usize; 5] = [0, 2, 4, 6, 8];
const JOINED: [(usize, usize); 7] = [(0, 2), (1, 2), (3, 2), (4, 2), (0, 3), (1, 4), (3, 4)];

const PONG_START: Points = Points { owners: [0, 0, 2, 1, 1], mover: 0 };

impl Game for Pong {
    type Position = Points;
    /// The point that a token leaves.
    type Move = usize;

    fn start(&self) -> Points {
        self.0
    }

    fn moves(&self, points: &Points) -> impl Iterator<Item = usize> {
        let Points { owners, mover } = *points;
        let is_joined = move |from: usize| {
            JOINED.iter().any(|&(a, b)| (a == from && owners[b] == 2) || (b == from && owners[a] == 2))
        };
        (0..5).filter(move |from| owners[*from] == mover && is_joined(*from))
    }

    fn play(&self, points: &Points, from: usize) -> Points {
        let mut owners = points.owners.map(|owner| if owner == 2 { points.mover } else { owner });
        owners[from] = 2;
        Points { owners, mover: 1 - points.mover }
    }

    fn may_repeat(&self) -> bool {
        true
    }
}

fn read_pong(text: &str) -> Result<Points, TextError> {
    let (rows, mover) = text.trim().split_once(' ').unwrap_or((text.trim(), "x"));
    let rows: Vec<u8> = rows.bytes().filter(|byte| *byte != b'/').collect();
    let owner = |byte: u8| b"XO.".iter().position(|glyph| *glyph == byte).map(|owner| owner as u8);
    let owners: Option<Vec<u8>> = CELLS.iter().map(|cell| owner(*rows.get(*cell)?)).collect();
    let owners = owners.filter(|_| rows.len() == 9).and_then(|owners| <[u8; 5]>::try_from(owners).ok());
    let owners =
        owners.filter(|owners| [0, 1].iter().all(|of| owners.iter().filter(|owner| *owner == of).count() == 2));
    let mover = ["x", "o"].iter().position(|name| *name == mover).map(|mover| mover as u8);
    match owners.zip(mover) {
        Some((owners, mover)) => Ok(Points { owners, mover }),
        None => Err(wrong(text, "no position", "two X, two O and a free point: X#X/#.#/O#O x")),
    }
}

impl Notation for Pong {
    fn board(&self) -> Option<Board> {
        Board::new(3, 3).ok()
    }

    fn parse(&self, text: &str) -> Result<Points, TextError> {
        read_pong(text)
    }

    fn text(&self, points: &Points) -> String {
        let row = |row: usize| (0..3).map(|col| self.glyph(points, 3 * row + col)).collect();
        let rows: [String; 3] = std::array::from_fn(row);
        format!("{} {}", rows.join("/"), ["x", "o"][usize::from(points.mover)])
    }

    fn move_text(&self, _points: &Points, from: usize) -> String {
        format!("{},{}", CELLS[from] / 3, CELLS[from] % 3)
    }

    fn glyph(&self, points: &Points, cell: usize) -> char {
        CELLS.iter().position(|of| *of == cell).map_or('#', |point| ['X', 'O', '.'][usize::from(points.owners[point])])
    }

    /// All moves go to the free point.
    fn move_cells(&self, points: &Points, _from: usize) -> u128 {
        points.owners.iter().position(|owner| *owner == 2).map_or(0, |free| 1 << CELLS[free])
    }

    fn players(&self, points: &Points) -> [PlayerName; 2] {
        if points.mover == 0 { [PlayerName::X, PlayerName::O] } else { [PlayerName::O, PlayerName::X] }
    }
}

impl FamilyGame for Pong {
    fn family(&self) -> &'static str {
        "pong"
    }
}

#[derive(Debug)]
struct BoxesRules;

impl FamilyRules for BoxesRules {
    fn max_cells(&self) -> usize {
        25
    }

    fn game_on(&self, board: Board) -> Result<AnyGame, TextError> {
        Ok(Boxes::on(board).into())
    }

    fn game_at(&self, _board: Board, text: &str) -> Result<AnyGame, TextError> {
        Ok(read_boxes(text)?.into())
    }
}

#[derive(Debug)]
struct PongRules;

impl FamilyRules for PongRules {
    fn game_on(&self, _board: Board) -> Result<AnyGame, TextError> {
        Ok(Pong(PONG_START).into())
    }

    fn game_at(&self, _board: Board, text: &str) -> Result<AnyGame, TextError> {
        Ok(Pong(read_pong(text)?).into())
    }
}

#[derive(Deserialize)]
struct File {
    about: Option<String>,
    board: Option<Spanned<String>>,
    start: Option<Spanned<String>>,
}

static BOXES: Family = Family {
    name: "boxes",
    keys: &["family", "about", "board", "start"],
    required: &[],
    read: &|source: RulesSource<'_>| {
        let File { about, board, start } = source.read()?;
        source.rules_file(about, BoxesRules, board.as_ref(), start.as_ref())
    },
    presets: &[("boxes", "family = \"boxes\"\nabout = \"Dots and Boxes\"\nboard = \"3x5\"\n")],
};

static PONG: Family = Family {
    name: "pong",
    keys: &["family", "about", "board", "start"],
    required: &[],
    read: &|source: RulesSource<'_>| {
        let File { about, board, start } = source.read()?;
        source.rules_file(about, PongRules, board.as_ref(), start.as_ref())
    },
    presets: &[("pong", "family = \"pong\"\nabout = \"Pong Hau K'i\"\nboard = \"3x3\"\n")],
};

fn rules(name: &str) -> RulesFile {
    register(&BOXES);
    register(&PONG);
    preset(name).unwrap().unwrap()
}

fn game(name: &str) -> AnyGame {
    rules(name).game().unwrap()
}

fn options() -> EngineOptions {
    EngineOptions::new(Budget { memory: 1 << 26, threads: 1 })
}

fn ask(name: &str, position: &str) -> Answer {
    let mut engines = EngineCache::new(rules(name), options());
    engines.ask(position, Query::default(), &Watch::default(), &mut |_| {}).unwrap()
}

/// All positions that play can reach.
fn reachable<G: Game>(game: &G) -> Vec<G::Position> {
    let (mut found, mut seen) = (vec![game.start()], HashSet::from([game.start()]));
    let mut next = 0;
    while next < found.len() {
        let position = found[next].clone();
        next += 1;
        for mv in game.moves(&position) {
            let after = game.play(&position, mv);
            if seen.insert(after.clone()) {
                found.push(after);
            }
        }
    }
    found
}

/// The score of a position by plain minimax, for the player to move.
fn minimax(boxes: &Boxes, drawn: Drawn, known: &mut HashMap<Drawn, i32>) -> i32 {
    if let Some(score) = known.get(&drawn) {
        return *score;
    }
    let score = |edge: usize| {
        let after = boxes.play(&drawn, edge);
        let score = minimax(boxes, after, known);
        if boxes.keeps_turn(&drawn, edge, &after) { score } else { -score }
    };
    let best = boxes.moves(&drawn).map(score).max().unwrap_or(drawn.lead.into());
    known.insert(drawn, best);
    best
}

/// The values of all positions by plain iteration: what is no win and no loss in any number of plies is a draw.
fn iterated_values(pong: &Pong) -> HashMap<Points, Value> {
    let positions = reachable(pong);
    let mut values: HashMap<Points, Value> = HashMap::new();
    for plies in 0..2 * positions.len() as u32 {
        for position in &positions {
            let after: Vec<_> = pong.moves(position).map(|mv| values.get(&pong.play(position, mv)).copied()).collect();
            let is = |value: &Option<Value>, outcome| value.is_some_and(|value| value.outcome() == outcome);
            if values.contains_key(position) {
                continue;
            }
            let in_time = |value: &Option<Value>| value.is_none_or(|value| value.remoteness() < Some(plies));
            if !after.iter().all(in_time) {
                continue;
            }
            if after.iter().any(|value| is(value, Outcome::Loss)) {
                values.insert(*position, Value::win(plies));
            } else if after.iter().all(|value| is(value, Outcome::Win)) {
                values.insert(*position, Value::loss(plies));
            }
        }
    }
    positions.into_iter().map(|position| (position, values.get(&position).copied().unwrap_or(Value::DRAW))).collect()
}

#[test]
fn answers_are_those_of_minimax() {
    let boxes: Boxes = game("boxes").downcast().unwrap();
    let mut known = HashMap::new();
    let mut engines = EngineCache::new(rules("boxes"), options());
    let mut kept = 0;
    for position in reachable(&boxes) {
        let answer = engines.ask(&boxes.text(&position), Query::default(), &Watch::default(), &mut |_| {}).unwrap();
        let score = minimax(&boxes, position, &mut known);
        assert_eq!(
            (answer.complete, answer.score, answer.remoteness),
            (true, Some(score), None),
            "{}",
            answer.position
        );
        assert_eq!(answer.outcome, Some(Value::from_score(score).outcome()));
        for (mv, edge) in answer.moves.iter().zip(boxes.moves(&position)) {
            let after = boxes.play(&position, edge);
            let keeps_turn = boxes.keeps_turn(&position, edge, &after);
            let score = minimax(&boxes, after, &mut known) * if keeps_turn { 1 } else { -1 };
            assert_eq!((mv.score, mv.keeps_turn), (Some(score), keeps_turn), "{} {}", answer.position, mv.text);
            assert_eq!(answer.is_best(mv), Some(score) == answer.score);
            kept += usize::from(keeps_turn);
        }
    }
    assert!(kept > 50, "{kept}");
    let pong: Pong = game("pong").downcast().unwrap();
    let values = iterated_values(&pong);
    assert_eq!(values[&PONG_START], Value::DRAW);
    assert!(values.values().any(|value| *value > Value::DRAW) && values.values().any(|value| *value < Value::DRAW));
    let mut engines = EngineCache::new(rules("pong"), options());
    for (position, value) in &values {
        let answer = engines.ask(&pong.text(position), Query::default(), &Watch::default(), &mut |_| {}).unwrap();
        assert_eq!(answer.verdict(), Some((*value).into()), "{}", answer.position);
        assert_eq!((answer.score, answer.complete), (None, true));
        assert_eq!(answer.repeats, *value == Value::DRAW);
        let best = pong.moves(position).filter(|mv| values[&pong.play(position, *mv)].to_parent() == *value);
        assert_eq!(answer.best, best.map(|mv| pong.move_text(position, mv)).collect::<Vec<_>>());
    }
}

#[test]
fn a_game_behind_a_table_of_functions_has_the_same_ends_and_turns() {
    struct Walk;

    impl Task for Walk {
        /// For each position in the order of a walk: its text, its end, and whether each move keeps the turn.
        type Output = Vec<(String, Option<Value>, Vec<bool>)>;

        fn run<G: Notation>(self, game: &G) -> Self::Output {
            let (mut waiting, mut seen) = (VecDeque::from([game.start()]), Vec::new());
            while let Some(position) = waiting.pop_front() {
                let end = game.is_over(&position).then(|| game.end_value(&position));
                let mut kept = Vec::new();
                for mv in game.moves(&position).take(3) {
                    let after = game.play(&position, mv);
                    kept.push(game.turn(&position, mv, &after) == Turn::Kept);
                    if seen.len() + waiting.len() < 500 {
                        waiting.push_back(after);
                    }
                }
                seen.push((game.text(&position), end, kept));
            }
            seen
        }
    }

    let boxes = game("boxes");
    assert_eq!(boxes.run(Walk), Walk.run(&boxes.downcast::<Boxes>().unwrap()));
    let pong = game("pong");
    assert_eq!(pong.run(Walk), Walk.run(&pong.downcast::<Pong>().unwrap()));
    assert_eq!((boxes.max_score(), boxes.may_repeat(), boxes.keeps_turns()), (2, false, true));
    assert_eq!((pong.max_score(), pong.may_repeat(), pong.keeps_turns()), (0, true, false));
    assert!(!game_of_nim().keeps_turns());
}

fn game_of_nim() -> AnyGame {
    preset("nim").unwrap().unwrap().game().unwrap()
}

#[test]
fn json_has_scores_turns_and_repetition() {
    // Whoever is to move closes both boxes, one after the other.
    let answer = serde_json::to_value(ask("boxes", "o#o#o/#-.-#/o#o.o 0")).unwrap();
    assert_eq!((&answer["outcome"], &answer["score"], &answer["remoteness"]), (&"win".into(), &2.into(), &Json::Null));
    assert_eq!(answer["winner"], "first player");
    assert_eq!(answer["line_turns"], serde_json::json!([0, 0]));
    assert_eq!((&answer["moves"][0]["score"], &answer["moves"][0]["keeps_turn"]), (&2.into(), &true.into()));
    assert_eq!(answer.get("repeats"), None);
    let drawn = serde_json::to_value(ask("boxes", "o#o#o/#-#-#/o.o#o -1")).unwrap();
    assert_eq!((&drawn["outcome"], &drawn["score"], &drawn["winner"]), (&"draw".into(), &0.into(), &Json::Null));
    let pong = serde_json::to_value(ask("pong", "X#X/#.#/O#O x")).unwrap();
    assert_eq!((&pong["outcome"], &pong["repeats"]), (&"draw".into(), &true.into()));
    for key in ["score", "line_turns", "keeps_turn"] {
        assert_eq!((pong.get(key), pong["moves"][0].get(key)), (None, None));
    }
    let nim = {
        let mut engines = EngineCache::new(preset("nim").unwrap().unwrap(), options());
        engines.ask("1 2", Query::default(), &Watch::default(), &mut |_| {}).unwrap()
    };
    let nim = serde_json::to_string(&nim).unwrap();
    assert!(["score", "line_turns", "keeps_turn", "repeats"].iter().all(|key| !nim.contains(key)), "{nim}");
}

fn review(name: &str, at: &str, moves: &str) -> Review {
    let game = rules(name).game_at(at).unwrap();
    let record = Record::read(&game, moves).unwrap();
    let answers: Vec<_> = record.positions.iter().map(|position| ask(name, position)).collect();
    Review::new(name, Vec::new(), &record, &answers.iter().map(Some).collect::<Vec<_>>())
}

#[test]
fn reviews_follow_the_turns_and_count_points() {
    // The first player closes a box and moves again, then gives the other one away.
    let review = review("boxes", "o#o#o/#-.-./o#o.o 0", "1,2; 1,4; 2,3");
    let players: Vec<_> = review.moves.iter().map(|mv| mv.player).collect();
    assert_eq!(players, [PlayerName::First, PlayerName::First, PlayerName::Second]);
    assert_eq!(review.turns, [0, 0, 1, 1]);
    assert!(review.over && review.winner.is_none() && review.complete);
    let boxes: Boxes = rules("boxes").game_at("o#o#o/#-.-./o#o.o 0").unwrap().downcast().unwrap();
    let mut known = HashMap::new();
    let mut position = boxes.start();
    for (mv, edge) in review.moves.iter().zip([7, 9, 13]) {
        assert_eq!(mv.before.unwrap().score, Some(minimax(&boxes, position, &mut known)));
        let after = boxes.play(&position, edge);
        let sign = if boxes.keeps_turn(&position, edge, &after) { 1 } else { -1 };
        assert_eq!(mv.worth.unwrap().score, Some(sign * minimax(&boxes, after, &mut known)), "{}", mv.text);
        let lost = mv.before.unwrap().score.unwrap() - mv.worth.unwrap().score.unwrap();
        assert_eq!(mv.points_lost(), (lost > 0).then_some(lost as u32));
        position = after;
    }
    assert_eq!(summary(Lang::En, &review)[0], "A draw, after 3 moves.");
    assert!(review_graph(Lang::En, &review).starts_with("<svg "));
}

#[test]
fn a_move_that_wins_by_less_gives_points_away() {
    // On 2x2 boxes, where the difference may be larger.
    let at = "o.o.o/.-.-./o.o.o/.-.-./o.o.o 0";
    let boxes: Boxes = rules("boxes").game_at(at).unwrap().downcast().unwrap();
    let mut known = HashMap::new();
    let mut found = None;
    for position in reachable(&boxes) {
        let best = minimax(&boxes, position, &mut known);
        for edge in boxes.moves(&position) {
            let after = boxes.play(&position, edge);
            let sign = if boxes.keeps_turn(&position, edge, &after) { 1 } else { -1 };
            let worth = sign * minimax(&boxes, after, &mut known);
            if 0 < worth && worth < best {
                found = Some((position, edge, best, worth));
            }
        }
    }
    let (position, edge, best, worth) = found.unwrap();
    let review = review("boxes", &boxes.text(&position), &boxes.move_text(&position, edge));
    let mv = &review.moves[0];
    assert_eq!((mv.mark, mv.points_lost()), (Some(Annotation::Dubious), Some(best.abs_diff(worth))));
    assert_eq!(standing(Lang::En, &review, 0), format!("First wins by {best}"));
    assert_eq!(standing(Lang::Ko, &review, 1), format!("선공 {worth}점 차로 승"));
    assert_eq!(mark(Lang::En, &review, Annotation::Dubious), "gives away points");
    let unit = if best - worth == 1 { "point" } else { "points" };
    assert_eq!(points_lost(Lang::En, best.abs_diff(worth)), format!("gave away {} {unit}", best - worth));
    let turning: Vec<_> = review.turning_points().collect();
    assert_eq!(turning, [0; 0]);
}

#[test]
fn a_game_that_repeats_is_recorded_and_reviewed() {
    let review = review("pong", "X#X/#.#/O#O x", "0,0; 2,0; 1,1; 0,0");
    assert_eq!(review.turns, [0, 1, 0, 1, 0]);
    assert!(!review.over && review.complete);
    assert_eq!(review.worth.map(|worth| worth.outcome), Some(Outcome::Draw));
    let pong: Pong = game("pong").downcast().unwrap();
    let values = iterated_values(&pong);
    for mv in &review.moves {
        let after = values[&read_pong(&mv.position).unwrap()];
        assert_eq!(mv.worth.and_then(ReportedValue::value), Some(after.to_parent()), "{}", mv.text);
    }
}

fn tree_options(depth: usize) -> TreeOptions {
    TreeOptions {
        depth: Some(depth),
        alpha_beta: true,
        max_positions: 5_000,
        memory: 1 << 24,
        threads: 1,
        oracle: None,
    }
}

#[test]
fn trees_take_the_best_of_the_player_to_move() {
    let at = "o#o#o/#-.-./o.o.o 0";
    let small = rules("boxes").game_at(at).unwrap();
    let tree = build_tree(&small, "boxes", tree_options(9), &Watch::default()).unwrap();
    let json = serde_json::to_value(tree.json(&ViewOptions::default())).unwrap();
    let boxes: Boxes = small.downcast().unwrap();
    let mut known = HashMap::new();
    let nodes = json["nodes"].as_array().unwrap();
    let mut same_mover = 0;
    for node in nodes {
        let score = minimax(&boxes, boxes.parse(node["position"].as_str().unwrap()).unwrap(), &mut known);
        assert_eq!(node["score"], score, "{node}");
        if let Some(parent) = node["parent"].as_u64() {
            let (mine, others) = (&nodes[parent as usize]["to_move"], &node["to_move"]);
            let is_kept = mine == others;
            same_mover += usize::from(is_kept);
            let worth = if is_kept { score } else { -score };
            assert_eq!(node["best"], worth == nodes[parent as usize]["score"], "{node}");
        }
    }
    assert!(same_mover > 0);
    // Alpha-beta returns the same value.
    let steps = json["alpha_beta"]["steps"].as_array().unwrap();
    assert_eq!(steps.last().unwrap()["score"], nodes[0]["score"]);
    let text = tree.text(&ViewOptions::default());
    assert!(text.starts_with("Boxes 3x5, the first player to move: "), "{text}");
    assert!(text.contains("1st by 1") || text.contains("1st by 2"), "{text}");
    let svg = tree.svg(&ViewOptions::default());
    assert!(svg.contains("→ 1st") && svg.contains("→ 2nd"), "{svg}");
    let swapped =
        build_tree(&rules("boxes").game_at(at).unwrap(), "boxes", tree_options(9), &Watch::default()).unwrap();
    let swapped = swapped.with_turn(1);
    assert!(swapped.text(&ViewOptions::default()).contains("2nd by"));
    assert!(tree.dot(&ViewOptions::default()).starts_with("digraph"));

    let pong = build_tree(&game("pong"), "pong", tree_options(4), &Watch::default()).unwrap();
    let json = serde_json::to_value(pong.json(&ViewOptions::default())).unwrap();
    let values = iterated_values(&Pong(PONG_START));
    for node in json["nodes"].as_array().unwrap() {
        let value = values[&read_pong(node["position"].as_str().unwrap()).unwrap()];
        assert_eq!(
            (node["outcome"].as_str(), node["remoteness"].as_u64()),
            (Some(&*value.outcome().to_string()), value.remoteness().map(u64::from))
        );
    }
}

#[test]
fn a_census_has_scores_and_draws_by_repetition() {
    let watch = Watch::default();
    let query =
        |games| CensusQuery { name: "", symmetry: false, nimbers: false, games, memory: 1 << 24, watch: &watch };
    let boxes: Boxes = game("boxes").downcast().unwrap();
    let census = query(true).count(&game("boxes")).unwrap();
    let (mut known, mut counts) = (HashMap::new(), BTreeMap::<i32, u64>::new());
    for position in reachable(&boxes) {
        *counts.entry(minimax(&boxes, position, &mut known)).or_default() += 1;
    }
    assert_eq!(census.scores.iter().map(|row| (row.score, row.positions)).collect::<Vec<_>>(), Vec::from_iter(counts));
    assert!(census.remoteness.is_empty() && !census.repeats);
    // Seven edges in any order.
    assert_eq!(census.games.unwrap().total, 5_040);
    let svg = census_histogram(Lang::En, &census);
    assert!(svg.contains("score") && svg.contains("<title>+2: "), "{svg}");

    let census = query(false).count(&game("pong")).unwrap();
    let values = iterated_values(&Pong(PONG_START));
    let count = |outcome| values.values().filter(|value| value.outcome() == outcome).count() as u64;
    let outcomes = [census.outcomes.win, census.outcomes.draw, census.outcomes.loss];
    assert_eq!(outcomes, [Outcome::Win, Outcome::Draw, Outcome::Loss].map(count));
    assert!(census.repeats && census.scores.is_empty());
    assert!(matches!(query(true).count(&game("pong")), Err(CensusError::EndlessPlay)));
    let symmetric = balpan::reach::values(&Pong(PONG_START), &PONG_START, Count::Classes, 1 << 20, &watch).unwrap();
    assert_eq!(symmetric.len() as u64, census.positions);
}

#[test]
fn puzzles_have_one_winning_move() {
    let query = PuzzleQuery {
        plies: PlyRange::at_least(1),
        limit: None,
        all: true,
        sample: false,
        seed: 1,
        tries: None,
        memory: 1 << 24,
        oracle: None,
    };
    let watch = Watch::default();
    let found = puzzles(&game("boxes"), "boxes", &query, &watch).unwrap();
    assert!(found.exhaustive && !found.puzzles.is_empty());
    let boxes: Boxes = game("boxes").downcast().unwrap();
    let mut known = HashMap::new();
    for puzzle in &found.puzzles {
        let position = boxes.parse(&puzzle.position).unwrap();
        assert_eq!(puzzle.score, Some(minimax(&boxes, position, &mut known)));
        let winning = |edge: &usize| {
            let after = boxes.play(&position, *edge);
            let sign = if boxes.keeps_turn(&position, *edge, &after) { 1 } else { -1 };
            sign * minimax(&boxes, after, &mut known) > 0
        };
        let winning: Vec<_> = boxes.moves(&position).filter(winning).collect();
        assert_eq!(
            winning.iter().map(|edge| boxes.move_text(&position, *edge)).collect::<Vec<_>>(),
            [&*puzzle.winning]
        );
        assert!(puzzle.task(Lang::En).starts_with("win by "), "{}", puzzle.task(Lang::En));
    }
    let sampled =
        puzzles(&game("boxes"), "boxes", &PuzzleQuery { sample: true, tries: Some(300), ..query.clone() }, &watch);
    assert!(!sampled.unwrap().puzzles.is_empty());

    let found = puzzles(&game("pong"), "pong", &query, &watch).unwrap();
    let pong: Pong = game("pong").downcast().unwrap();
    let values = iterated_values(&pong);
    let is_puzzle = |(position, value): &(&Points, &Value)| {
        let winning = pong.moves(position).filter(|mv| values[&pong.play(position, *mv)] < Value::DRAW).count();
        **value > Value::DRAW && winning == 1 && pong.moves(position).count() > 1
    };
    let expected = values.iter().filter(is_puzzle).count();
    assert!(found.exhaustive && expected > 0);
    assert_eq!(found.puzzles.len(), expected);
}

#[test]
fn sums_and_nimbers_are_refused() {
    for (name, obstacle) in [("boxes", SumObstacle::Scores), ("pong", SumObstacle::Repeats)] {
        assert_eq!(SumObstacle::new(&game(name)), Some(obstacle));
        for lang in Lang::ALL {
            let reason = obstacle.explain(lang);
            assert!(!reason.message.is_empty() && !reason.help.is_empty());
        }
        let mut parts = [options().summand(&game(name)), options().summand(&game_of_nim())];
        let names = [name, "nim"].map(str::to_owned);
        let refused = SumReport::find(&names, &mut parts, true, &Watch::default()).unwrap_err();
        assert_eq!(refused, EngineError::NotImpartial);
        let watch = Watch::default();
        let query = CensusQuery { name, symmetry: false, nimbers: true, games: false, memory: 1 << 20, watch: &watch };
        assert!(matches!(query.count(&game(name)), Err(CensusError::NotImpartial)));
    }
    assert_eq!(SumObstacle::new(&game_of_nim()), None);
}

#[test]
fn test_data_has_scores() {
    let watch = Watch::default();
    let answers = |name: &str, kind, input: &str| {
        let judge = CustomGame::new(rules(name), kind, true, &watch).unwrap();
        let mut output = Vec::new();
        balpan_contest::answer_all(&judge, input.as_bytes(), &mut output, &watch).unwrap();
        String::from_utf8(output).unwrap()
    };
    let input = "2\no#o#o/#-.-#/o#o.o 0\no#o#o/#-#-#/o.o#o -1\n";
    assert_eq!(answers("boxes", AnswerKind::Outcome, input), "win\ndraw\n");
    assert_eq!(answers("boxes", AnswerKind::Value, input), "win by 2\ndraw\n");
    assert_eq!(answers("pong", AnswerKind::Value, "1\nX#X/#.#/O#O x\n"), "draw\n");
    assert!(CustomGame::new(rules("boxes"), AnswerKind::Nimber, true, &watch).is_err());
}

#[test]
fn bounds_say_within_how_many_plies_nobody_wins() {
    let names = PlayerName::BY_TURN.map(|player| name(Lang::En, player, player.index()));
    let bound = |value: Value| Some(ReportedValue::from(value));
    let said = |at_least, at_most| no_win_within(Lang::En, ReportedBounds { at_least, at_most }, names);
    assert_eq!(said(None, bound(Value::win(7))).unwrap(), "First has no win within 6 plies.");
    assert_eq!(said(bound(Value::loss(2)), None).unwrap(), "Second has no win within 1 ply.");
    assert_eq!(said(bound(Value::loss(6)), bound(Value::win(9))).unwrap(), "There is no win within 5 plies.");
    assert_eq!(said(bound(Value::DRAW), None), None);
    let names = PlayerName::BY_TURN.map(|player| name(Lang::Ko, player, player.index()));
    let within = ReportedBounds { at_least: None, at_most: bound(Value::win(7)) };
    assert_eq!(no_win_within(Lang::Ko, within, names).unwrap(), "선공이 6수 안에 이기지 못합니다.");
}

fn explorer() -> Router {
    rules("boxes");
    let limits = Limits { patience: Duration::from_secs(5), ..Limits::default() };
    router(Arc::new(Answers::new(limits)))
}

async fn get(explorer: &Router, path: &str) -> (StatusCode, String) {
    let response = explorer.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
    let status = response.status();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8_lossy(&body).into_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn there_are_pages() {
    let explorer = explorer();
    let closed = "at=o%23o%23o/%23-.-./o%23o.o";
    for (path, has) in [
        ("/games/boxes", "moves again"),
        ("/play/boxes", "data-score=\""),
        ("/play/boxes?moves=0,1", "Second to move"),
        (&format!("/play/boxes?{closed}&moves=1,2"), "First to move again"),
        (&format!("/play/boxes?{closed}&moves=1,2;1,4"), "Second to move"),
        (&format!("/play/boxes?{closed}"), "+n: wins by n"),
        (&format!("/play/boxes?{closed}&lang=ko"), "점 차로 승리"),
        (&format!("/play/boxes?{closed}&as=first&moves=1,2"), "First to move again"),
        (&format!("/tree/boxes?{closed}"), "→ 1st"),
        ("/census/boxes", "the largest score is 2"),
        (&format!("/review/boxes?{closed}&moves=1,2;1,4;2,3"), "A draw, after 3 moves."),
        ("/edit/boxes", "boxes"),
        ("/play/pong", "A draw: play can go on for ever."),
        ("/play/pong?lang=ko", "끝없이"),
        ("/play/pong?moves=0,0;2,0;1,1;0,0", "data-move=\""),
        ("/play/pong?moves=0,0;2,0;1,1;0,0;2,0;1,1", "This position has come back: it was there 6 moves ago."),
        ("/tree/pong?depth=3", "draw"),
        ("/census/pong", "draws are play without end, too"),
        ("/review/pong?moves=0,0;2,0", "a draw"),
    ] {
        let (status, page) = get(&explorer, path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {page}");
        assert!(page.contains(has), "{path}: {has}: {page}");
    }
    // After the second move it is the perfect player's turn, which it takes.
    let (status, _) = get(&explorer, &format!("/play/boxes?{closed}&as=first&moves=1,2;1,4")).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    for (path, reason) in [
        ("/parts/boxes", "this game has no nimbers: play ends with a score"),
        ("/parts/pong", "this game has no nimbers: play may go on for ever"),
        ("/parts/pong?lang=ko", "끝없이 이어질 수 있는 게임입니다"),
        ("/sum?of=boxes+%2B+nim+3", "play ends with a score"),
    ] {
        let (status, page) = get(&explorer, path).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path}: {page}");
        assert!(page.contains(reason), "{path}: {page}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_json_interface_has_scores() {
    let explorer = explorer();
    let json = async |path: &str| {
        let (status, text) = get(&explorer, path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {text}");
        serde_json::from_str::<Json>(&text).unwrap()
    };
    let at = "at=o%23o%23o/%23-.-%23/o%23o.o";
    let answer = json(&format!("/api/v1/solve/boxes?{at}")).await;
    assert_eq!((&answer["score"], &answer["moves"][0]["score"]), (&2.into(), &2.into()));
    let tree = json(&format!("/api/v1/tree/boxes?{at}&prune=yes")).await;
    assert_eq!((&tree["nodes"][0]["score"], &tree["nodes"][1]["to_move"]), (&2.into(), &"first player".into()));
    let review = json(&format!("/api/v1/review/boxes?{at}&moves=1,2;2,3")).await;
    assert_eq!((&review["worth"]["score"], &review["moves"][1]["player"]), (&2.into(), &"first player".into()));
    assert_eq!(json("/api/v1/solve/pong").await["repeats"], true);
    let description = json("/api/v1/openapi.json").await;
    for schema in ["Answer", "WorthOfMove", "Worth", "ValueJson"] {
        let text = description["components"]["schemas"][schema].to_string();
        assert!(text.contains("\"score\""), "{schema}: {text}");
    }
}
