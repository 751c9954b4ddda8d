//! Games with scores and kept turns, each against a second implementation of its rules and a search of its own, by what is
//! still to be won instead of by the end.

#[path = "../examples/dots_and_boxes.rs"]
#[allow(dead_code, unreachable_pub, reason = "an example is a program of its own")]
mod dots_and_boxes;

use std::collections::HashMap;

use balpan::{
    AlphaBeta, Bounds, BrokenPromise, Budget, DfPn, Engine, EngineError, Game, Goal, Outcome, Solver, SplitMix, Value,
    Watch, laws, minimax,
};
use dots_and_boxes::DotsAndBoxes;

/// Checks every solver on up to `count` positions of random games against `expected`, the score of the player to move.
fn check<G: Game<Position: std::fmt::Debug> + Clone>(
    game: &G,
    count: usize,
    mut expected: impl FnMut(&G::Position) -> i32,
) {
    assert_eq!(laws::check(game, 20, 51).map_err(|broken| broken.to_string()), Ok(()));
    let mut random = SplitMix(51);
    let watch = Watch::default();
    let mut solver = AlphaBeta::new(game, 16 << 20, &watch);
    let mut two_threads = AlphaBeta::new(game, 16 << 20, &watch).with_threads(2).with_parallel_threshold(0);
    let mut proofs = DfPn::new(game, 16 << 20, &watch);
    let mut engine = Engine::new(game.clone(), Budget::default());
    let mut checked = 0;
    while checked < count {
        let mut line = vec![game.start()];
        loop {
            let moves: Vec<_> = game.moves(&line[line.len() - 1]).collect();
            let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
            line.push(game.play(&line[line.len() - 1], mv));
        }
        for (n, position) in line.iter().rev().enumerate() {
            let value = Value::from_score(expected(position));
            assert_eq!(solver.value(position), Ok(value), "{position:?}");
            assert_eq!(two_threads.value(position), Ok(value), "{position:?}");
            assert_eq!(proofs.outcome(position), Ok(value.outcome()), "{position:?}");
            let answer = engine.solve(position, Goal::MoveValues, &watch, |_| {}).unwrap();
            assert_eq!(answer.bounds, Bounds::exact(value), "{position:?}");
            let verdict = answer.verdict().unwrap();
            assert_eq!((verdict.score.unwrap_or(0), verdict.remoteness), (value.score().unwrap(), None));
            for &(mv, bounds) in &answer.moves {
                let after = game.play(position, mv);
                let of_move = game.turn(position, mv, &after).to_parent(Value::from_score(expected(&after)));
                assert_eq!(bounds, Bounds::exact(of_move), "{position:?}");
            }
            // The line leads to an end with that score.
            let (mut at, mut at_value) = (position.clone(), value);
            for &mv in &answer.line {
                let after = game.play(&at, mv);
                at_value = match game.turn(&at, mv, &after) {
                    balpan::Turn::Passes => at_value.to_parent(),
                    balpan::Turn::Kept => at_value,
                };
                at = after;
            }
            assert!(game.is_over(&at) && game.end_value(&at) == at_value, "{position:?}");
            if n < 5 {
                assert_eq!(minimax(game, position), Ok(value), "{position:?}");
            }
            checked += 1;
        }
    }
}

/// How numbers are taken from a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Take {
    /// One from either end (LeetCode 486 and 877).
    End,
    /// One from either end, or two from one end are discarded (AlgoSpot NUMBERGAME).
    EndOrDiscardTwo,
    /// At most twice as many from the left as the most that were taken before, two at first (LeetCode 1140).
    UpToDouble,
    /// One to three from the left (LeetCode 1406).
    UpToThree,
}

#[derive(Clone)]
struct Row {
    numbers: Vec<i32>,
    take: Take,
}

/// The numbers that are left, the most that were taken at once, and the lead of the player to move.
type RowPosition = (usize, usize, usize, i32);

impl Game for Row {
    type Position = RowPosition;
    type Move = (usize, usize, bool); // how many from the left and from the right, and whether they count

    fn start(&self) -> RowPosition {
        (0, self.numbers.len(), 1, 0)
    }

    fn moves(&self, &(from, to, most, _): &RowPosition) -> impl Iterator<Item = Self::Move> {
        let left = to - from;
        let most = match self.take {
            Take::End | Take::EndOrDiscardTwo => 1,
            Take::UpToDouble => 2 * most,
            Take::UpToThree => 3,
        };
        let ends = matches!(self.take, Take::End | Take::EndOrDiscardTwo);
        let takes = (1..=most.min(left)).map(|n| (n, 0, true)).chain((ends && left > 1).then_some((0, 1, true)));
        let discards = [(2, 0, false), (0, 2, false)].into_iter().take(if left == 2 { 1 } else { 2 });
        takes.chain(discards.filter(move |_| self.take == Take::EndOrDiscardTwo && left >= 2))
    }

    fn play(&self, &(from, to, most, lead): &RowPosition, (left, right, counts): Self::Move) -> RowPosition {
        let taken = self.numbers[from..from + left].iter().chain(&self.numbers[to - right..to]);
        let sum = if counts { taken.sum() } else { 0 };
        let most = if self.take == Take::UpToDouble { most.max(left) } else { 1 };
        (from + left, to - right, most, -(lead + sum))
    }

    fn score(&self, &(.., lead): &RowPosition) -> Option<i32> {
        Some(lead)
    }

    fn max_score(&self) -> u32 {
        self.numbers.iter().map(|number| number.unsigned_abs()).sum()
    }

    fn layer(&self, &(from, to, ..): &RowPosition) -> Option<u32> {
        Some((to - from) as u32)
    }
}

/// What the player to move gains on the other one, by the numbers that are left.
fn gain(numbers: &[i32], take: Take, most: usize, known: &mut HashMap<(Vec<i32>, usize), i32>) -> i32 {
    if let Some(gain) = known.get(&(numbers.to_vec(), most)) {
        return *gain;
    }
    let mut best = None;
    let mut consider = |sum: i32, rest: &[i32], most| best = best.max(Some(sum - gain(rest, take, most, known)));
    if let [first, rest @ ..] = numbers {
        match take {
            Take::End | Take::EndOrDiscardTwo => {
                consider(*first, rest, 1);
                consider(numbers[numbers.len() - 1], &numbers[..numbers.len() - 1], 1);
                if take == Take::EndOrDiscardTwo && numbers.len() > 1 {
                    consider(0, &numbers[2..], 1);
                    consider(0, &numbers[..numbers.len() - 2], 1);
                }
            }
            Take::UpToDouble => {
                for n in 1..=numbers.len().min(2 * most) {
                    consider(numbers[..n].iter().sum(), &numbers[n..], most.max(n));
                }
            }
            Take::UpToThree => {
                for n in 1..=numbers.len().min(3) {
                    consider(numbers[..n].iter().sum(), &numbers[n..], 1);
                }
            }
        }
    }
    known.insert((numbers.to_vec(), most), best.unwrap_or(0));
    best.unwrap_or(0)
}

fn score(numbers: &[i32], take: Take) -> i32 {
    let answer = balpan::solve(Row { numbers: numbers.to_vec(), take }).unwrap();
    answer.bounds.value().unwrap().score().unwrap()
}

#[test]
fn numbers_taken_from_a_row() {
    let mut random = SplitMix(877);
    for take in [Take::End, Take::EndOrDiscardTwo, Take::UpToDouble, Take::UpToThree] {
        for _ in 0..12 {
            let numbers: Vec<_> = (0..2 + random.below(8)).map(|_| random.below(41) as i32 - 20).collect();
            let mut known = HashMap::new();
            let game = Row { numbers: numbers.clone(), take };
            check(&game, 30, |&(from, to, most, lead)| lead + gain(&numbers[from..to], take, most, &mut known));
        }
    }
    // The examples of the problems.
    assert!(score(&[1, 5, 2], Take::End) < 0 && score(&[1, 5, 233, 7], Take::End) >= 0);
    assert_eq!((2 + 7 + 9 + 4 + 4 + score(&[2, 7, 9, 4, 4], Take::UpToDouble)) / 2, 10);
    let [bob, alice, tie] = [&[1, 2, 3, 7], &[1, 2, 3, -9], &[1, 2, 3, 6]].map(|row| score(row, Take::UpToThree));
    assert!(bob < 0 && alice > 0 && tie == 0);
}

#[test]
fn large_scores_are_exact() {
    for max in [1 << 10, 1 << 20, Value::MAX_SCORE / 4] {
        let numbers = [max, -max / 3, max / 7, -5, max - 1, 3];
        let mut known = HashMap::new();
        assert_eq!(score(&numbers, Take::End), gain(&numbers, Take::End, 1, &mut known));
    }
}

/// The boxes that the player to move gains on the other one, on a board of edges by name.
fn boxes_to_gain(rows: i32, cols: i32, drawn: &mut Vec<(i32, i32)>, known: &mut HashMap<Vec<(i32, i32)>, i32>) -> i32 {
    let mut sorted = drawn.clone();
    sorted.sort_unstable();
    if let Some(gain) = known.get(&sorted) {
        return *gain;
    }
    // Dots have even coordinates, boxes odd ones, and edges one of each.
    let is_closed = |drawn: &[(i32, i32)], row: i32, col: i32| {
        [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)].iter().all(|edge| drawn.contains(edge))
    };
    let count = |drawn: &[(i32, i32)]| {
        let boxes = (0..rows).flat_map(|row| (0..cols).map(move |col| (2 * row + 1, 2 * col + 1)));
        boxes.filter(|&(row, col)| is_closed(drawn, row, col)).count() as i32
    };
    let before = count(drawn);
    let mut best = None;
    for edge in (0..=2 * rows).flat_map(|row| (0..=2 * cols).map(move |col| (row, col))) {
        if (edge.0 + edge.1) % 2 == 1 && !drawn.contains(&edge) {
            drawn.push(edge);
            let closed = count(drawn) - before;
            let rest = boxes_to_gain(rows, cols, drawn, known);
            drawn.pop();
            best = best.max(Some(if closed > 0 { closed + rest } else { -rest }));
        }
    }
    known.insert(sorted, best.unwrap_or(0));
    best.unwrap_or(0)
}

#[test]
fn dots_and_boxes() {
    for (rows, cols, count) in [(1, 1, 50), (1, 2, 200), (1, 3, 300), (2, 2, 300)] {
        let edge = |edge: i32| {
            let level = (rows + 1) * cols;
            if edge < level {
                (2 * (edge / cols), 2 * (edge % cols) + 1)
            } else {
                (2 * ((edge - level) / (cols + 1)) + 1, 2 * ((edge - level) % (cols + 1)))
            }
        };
        let mut known = HashMap::new();
        check(&DotsAndBoxes::new(rows as u32, cols as u32), count, |position| {
            let mut drawn: Vec<_> = (0..64).filter(|n| position.drawn >> n & 1 == 1).map(edge).collect();
            position.lead + boxes_to_gain(rows, cols, &mut drawn, &mut known)
        });
    }
}

/// Othello on a board of 16 cells: the discs of the player to move and of the other.
#[derive(Clone)]
struct Othello;

const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

impl Othello {
    fn flipped((own, other): (u16, u16), cell: i32) -> u16 {
        let mut flipped = 0;
        for (down, right) in DIRECTIONS {
            let (mut row, mut col, mut run) = (cell / 4 + down, cell % 4 + right, 0);
            while (0..4).contains(&row) && (0..4).contains(&col) {
                let bit = 1 << (4 * row + col);
                if other & bit == 0 {
                    flipped |= if own & bit == 0 { 0 } else { run };
                    break;
                }
                run |= bit;
                (row, col) = (row + down, col + right);
            }
        }
        flipped
    }

    fn placements((own, other): (u16, u16)) -> Vec<i32> {
        (0..16).filter(|cell| (own | other) >> cell & 1 == 0 && Self::flipped((own, other), *cell) != 0).collect()
    }
}

impl Game for Othello {
    type Position = (u16, u16);
    type Move = i32; // a cell, or -1 for a pass

    fn start(&self) -> (u16, u16) {
        (1 << 6 | 1 << 9, 1 << 5 | 1 << 10)
    }

    fn moves(&self, &(own, other): &(u16, u16)) -> impl Iterator<Item = i32> {
        let mut moves = Self::placements((own, other));
        if moves.is_empty() && !Self::placements((other, own)).is_empty() {
            moves.push(-1);
        }
        moves.into_iter()
    }

    fn play(&self, &(own, other): &(u16, u16), cell: i32) -> (u16, u16) {
        let flipped = if cell < 0 { 0 } else { Self::flipped((own, other), cell) };
        let placed = if cell < 0 { 0 } else { 1 << cell };
        (other & !flipped, own | placed | flipped)
    }

    fn score(&self, &(own, other): &(u16, u16)) -> Option<i32> {
        Some(own.count_ones() as i32 - other.count_ones() as i32)
    }

    fn max_score(&self) -> u32 {
        16
    }

    fn key_bits(&self) -> u32 {
        32
    }

    fn key(&self, &(own, other): &(u16, u16)) -> u128 {
        u128::from(own) << 16 | u128::from(other)
    }
}

type Grid = [[char; 4]; 4];

/// Flips what a disc of `player` encloses, if it may be placed.
fn place(grid: &Grid, player: char, row: usize, col: usize) -> Option<Grid> {
    if grid[row][col] != '.' {
        return None;
    }
    let mut after = *grid;
    for down in -1..=1_i32 {
        for right in -1..=1_i32 {
            let ray: Vec<_> = (1..4)
                .map(|n| (row as i32 + n * down, col as i32 + n * right))
                .take_while(|(row, col)| (0..4).contains(row) && (0..4).contains(col))
                .map(|(row, col)| (row as usize, col as usize))
                .collect();
            let enclosed = ray.iter().take_while(|(row, col)| !['.', player].contains(&grid[*row][*col])).count();
            if enclosed > 0 && ray.get(enclosed).is_some_and(|(row, col)| grid[*row][*col] == player) {
                ray[..enclosed].iter().for_each(|(row, col)| after[*row][*col] = player);
            }
        }
    }
    let is_legal = after != *grid;
    after[row][col] = player;
    is_legal.then_some(after)
}

/// The final lead of `x` in discs, with `player` to move.
fn lead_of_x(grid: &Grid, player: char, known: &mut HashMap<(Grid, char), i32>) -> i32 {
    if let Some(lead) = known.get(&(*grid, player)) {
        return *lead;
    }
    let other = if player == 'x' { 'o' } else { 'x' };
    let placed = |player| (0..16).filter_map(move |cell| place(grid, player, cell / 4, cell % 4)).collect::<Vec<_>>();
    let leads: Vec<_> = placed(player).iter().map(|after| lead_of_x(after, other, known)).collect();
    let lead = if leads.is_empty() {
        if placed(other).is_empty() {
            let count = |player| grid.iter().flatten().filter(|disc| **disc == player).count() as i32;
            count('x') - count('o')
        } else {
            lead_of_x(grid, other, known)
        }
    } else if player == 'x' {
        leads.into_iter().max().unwrap()
    } else {
        leads.into_iter().min().unwrap()
    };
    known.insert((*grid, player), lead);
    lead
}

#[test]
fn othello_on_16_cells_is_won_by_the_second_player_by_8() {
    let answer = balpan::solve(Othello).unwrap();
    assert_eq!(answer.to_string().split(" by ").take(2).collect::<Vec<_>>(), ["loss", "8"]);
    let mut known = HashMap::new();
    check(&Othello, 400, |&(own, other)| {
        let disc = |cell: usize| ['.', 'x', 'o'][usize::from(own >> cell & 1) + 2 * usize::from(other >> cell & 1)];
        let grid = std::array::from_fn(|row| std::array::from_fn(|col| disc(4 * row + col)));
        lead_of_x(&grid, 'x', &mut known)
    });
}

/// Kalah: houses of the player to move, then those of the other, and the lead of the player to move in stores.
#[derive(Clone)]
struct Kalah {
    houses: usize,
    seeds: u8,
}

type KalahPosition = (Vec<u8>, i32);

impl Game for Kalah {
    type Position = KalahPosition;
    type Move = usize;

    fn start(&self) -> KalahPosition {
        (vec![self.seeds; 2 * self.houses], 0)
    }

    /// Play ends if the player to move has no seeds; the other player keeps what is left.
    fn moves(&self, (houses, _): &KalahPosition) -> impl Iterator<Item = usize> {
        (0..self.houses).filter(|house| houses[*house] > 0)
    }

    fn play(&self, position: &KalahPosition, house: usize) -> KalahPosition {
        let (mut houses, lead, keeps) = self.sow(position, house);
        if keeps {
            return (houses, lead);
        }
        houses.rotate_left(self.houses);
        (houses, -lead)
    }

    fn score(&self, (houses, lead): &KalahPosition) -> Option<i32> {
        Some(lead - houses.iter().map(|seeds| i32::from(*seeds)).sum::<i32>())
    }

    fn max_score(&self) -> u32 {
        2 * self.houses as u32 * u32::from(self.seeds)
    }

    const TURNS_ALTERNATE: bool = false;

    fn keeps_turn(&self, position: &KalahPosition, house: usize, _after: &KalahPosition) -> bool {
        self.sow(position, house).2
    }
}

impl Kalah {
    /// The houses and the lead as the player who sows sees them, and whether the last seed falls into the own store.
    fn sow(&self, (houses, lead): &KalahPosition, house: usize) -> (Vec<u8>, i32, bool) {
        let (mut houses, mut lead, m) = (houses.clone(), *lead, self.houses);
        let (mut at, mut seeds) = (house, std::mem::take(&mut houses[house]));
        // The own store is place `m`, behind the own houses; the other one is left out.
        while seeds > 0 {
            at = (at + 1) % (2 * m + 1);
            match at {
                at if at == m => lead += 1,
                at => houses[at - usize::from(at > m)] += 1,
            }
            seeds -= 1;
        }
        if at < m && houses[at] == 1 && houses[2 * m - 1 - at] > 0 {
            lead += i32::from(houses[2 * m - 1 - at]) + 1;
            (houses[at], houses[2 * m - 1 - at]) = (0, 0);
        }
        (houses, lead, at == m)
    }
}

/// Kalah by a ring of all pits as on a table: `m` houses and a store for each player. Returns the final lead of the south.
fn lead_of_south(pits: &[u8], m: usize, south: bool, known: &mut HashMap<(Vec<u8>, bool), i32>) -> i32 {
    if let Some(lead) = known.get(&(pits.to_vec(), south)) {
        return *lead;
    }
    let (first, store, other_store) = if south { (0, m, 2 * m + 1) } else { (m + 1, 2 * m + 1, m) };
    let mut leads = Vec::new();
    for house in (first..first + m).filter(|house| pits[*house] > 0) {
        let mut after = pits.to_vec();
        let mut at = house;
        for _ in 0..std::mem::take(&mut after[house]) {
            at = (at + 1) % (2 * m + 2);
            if at == other_store {
                at = (at + 1) % (2 * m + 2);
            }
            after[at] += 1;
        }
        let opposite = 2 * m - at.min(2 * m);
        if (first..first + m).contains(&at) && after[at] == 1 && after[opposite] > 0 {
            after[store] += 1 + std::mem::take(&mut after[opposite]);
            after[at] = 0;
        }
        leads.push(lead_of_south(&after, m, if at == store { south } else { !south }, known));
    }
    let lead = if leads.is_empty() {
        let half = |from: usize| pits[from..=from + m].iter().map(|seeds| i32::from(*seeds)).sum::<i32>();
        half(0) - half(m + 1)
    } else if south {
        leads.into_iter().max().unwrap()
    } else {
        leads.into_iter().min().unwrap()
    };
    known.insert((pits.to_vec(), south), lead);
    lead
}

#[test]
fn kalah() {
    for (houses, seeds, count) in [(1, 3, 20), (2, 2, 100), (2, 3, 200), (3, 2, 300), (3, 3, 200)] {
        let mut known = HashMap::new();
        let game = Kalah { houses, seeds };
        check(&game, count, |(pits, lead)| {
            let ring = [&pits[..houses], &[0], &pits[houses..], &[0]].concat();
            lead + lead_of_south(&ring, houses, true, &mut known)
        });
    }
}

/// A game of one move that leads to an end with a score beyond `max_score`, or keeps the turn though turns alternate.
#[derive(Clone)]
struct Undeclared {
    score: i32,
    keeps_turn: bool,
}

impl Game for Undeclared {
    type Position = bool;
    type Move = ();

    fn start(&self) -> bool {
        false
    }

    fn moves(&self, &is_over: &bool) -> impl Iterator<Item = ()> {
        (!is_over).then_some(()).into_iter()
    }

    fn play(&self, _position: &bool, _mv: ()) -> bool {
        true
    }

    fn score(&self, _position: &bool) -> Option<i32> {
        Some(self.score)
    }

    fn max_score(&self) -> u32 {
        5
    }

    fn keeps_turn(&self, _position: &bool, _mv: (), _after: &bool) -> bool {
        self.keeps_turn
    }
}

#[test]
fn what_is_not_declared_is_found() {
    assert_eq!(laws::check(&Undeclared { score: 5, keeps_turn: false }, 1, 1), Ok(()));
    let too_large = Undeclared { score: -6, keeps_turn: false };
    assert!(matches!(
        laws::check(&too_large, 1, 1),
        Err(laws::BrokenLaw::ScoreTooLarge { score: -6, max_score: 5, .. })
    ));
    // It takes longer, and is exact.
    assert_eq!(balpan::solve(too_large).map(|answer| answer.bounds), Ok(Bounds::exact(Value::from_score(6))));
    let kept = Undeclared { score: 2, keeps_turn: true };
    assert!(matches!(laws::check(&kept, 1, 1), Err(laws::BrokenLaw::TurnKept { .. })));
}

/// A game that claims to be impartial, and ends with a score.
#[derive(Clone)]
struct ImpartialWithScores;

impl Game for ImpartialWithScores {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        3
    }

    fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> {
        1..=heap
    }

    fn play(&self, heap: &u32, taken: u32) -> u32 {
        heap - taken
    }

    fn score(&self, _heap: &u32) -> Option<i32> {
        Some(1)
    }

    fn max_score(&self) -> u32 {
        1
    }

    fn is_impartial(&self) -> bool {
        true
    }
}

#[test]
fn nimbers_of_a_game_with_scores_are_refused() {
    let mut engine = Engine::new(ImpartialWithScores, Budget::default());
    let nimber = engine.nimber(&3, &Watch::default());
    assert_eq!(nimber, Err(EngineError::Broken(BrokenPromise::ImpartialEnd)));
    let broken = laws::check(&ImpartialWithScores, 1, 1);
    assert!(matches!(broken, Err(laws::BrokenLaw::NotNormal { outcome: Outcome::Win, .. })));
}
