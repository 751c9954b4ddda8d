//! Games of lines: moves, ends, symmetries, dead lines and pairings.

use std::time::Instant;

use crate::board::Board;
use crate::checker::{Checker, Words};
use crate::game::{Game, check_game, report, values};

/// The rules of a game of lines.
#[derive(Clone, Copy, Debug)]
struct Rules {
    k: usize,
    gravity: bool,
    shared: bool,
    overlines: bool,
    misere: bool,
}

impl Rules {
    /// A game in which each player's own marks in a row win.
    const fn own(k: usize, gravity: bool, overlines: bool) -> Self {
        Self { k, gravity, shared: false, overlines, misere: false }
    }

    /// Returns all rules for rows of `k` marks.
    fn all(k: usize) -> impl Iterator<Item = Self> {
        (0..16).map(move |n| {
            let bit = |bit| n >> bit & 1 == 1;
            Self { k, gravity: bit(0), shared: bit(1), overlines: bit(2), misere: bit(3) }
        })
    }

    fn checker(self, board: Board) -> Checker {
        let Self { k, gravity, shared, overlines, misere } = self;
        let yes = |is| if is { "yes" } else { "no" };
        let (gravity, overlines, misere) = (yes(gravity), yes(overlines), yes(misere));
        let (marks, turn) = if shared { ("shared", "") } else { ("own", " x") };
        let rules = format!(
            "family: lines; k: {k}; gravity: {gravity}; marks: {marks}; overlines: {overlines}; misere: {misere}"
        );
        Checker::new(&rules, &(board.write_empty() + turn))
    }
}

/// A game of lines on a board.
struct Lines {
    board: Board,
    rules: Rules,
    /// For each set of cells, whether marks there have a line.
    has_line: Vec<bool>,
    /// For each set of cells, the number with these digits 1 and the others 0, in base 3.
    base_3: Vec<u32>,
}

const O_TO_MOVE: u128 = 1 << 127;

impl Lines {
    fn new(board: Board, rules: Rules) -> Self {
        let sets = 0..1_usize << board.cells();
        let digit = |set: usize, cell: usize| (set >> cell & 1) as u32 * 3_u32.pow(cell as u32);
        let base_3 = sets.clone().map(|set| (0..board.cells()).map(|cell| digit(set, cell)).sum()).collect();
        let has_line = sets.map(|set| has_line(board, rules, set)).collect();
        Self { board, rules, has_line, base_3 }
    }

    /// Returns the marks of the player to move, and of the other one.
    fn marks(&self, at: Words) -> (usize, usize) {
        let (x, o) = (at.0 as usize, (at.1 & !O_TO_MOVE) as usize);
        match (self.rules.shared, at.1 & O_TO_MOVE) {
            (true, _) => (x, x),
            (_, 0) => (x, o),
            _ => (o, x),
        }
    }

    fn all_cells(&self) -> usize {
        (1 << self.board.cells()) - 1
    }
}

/// Returns whether marks have `k` in a row, or more if overlines count.
fn has_line(board: Board, rules: Rules, marks: usize) -> bool {
    let is_marked = |row, col| board.cell(row, col).is_some_and(|cell| marks >> cell & 1 == 1);
    (0..board.cells()).any(|cell| {
        let (row, col) = board.row_col(cell);
        [(0, 1), (1, 0), (1, 1), (1, -1)].iter().any(|(down, right)| {
            let is_start = !is_marked(row - down, col - right);
            let length = (0..).take_while(|n| is_marked(row + n * down, col + n * right)).count();
            is_start && (length == rules.k || length > rules.k && rules.overlines)
        })
    })
}

impl Game for Lines {
    /// Visits all marks, those that play cannot lead to included, but for those where the player to move has a line.
    fn for_each_position(&self, visit: &mut dyn FnMut(Words)) {
        for marked in (0..=self.all_cells()).rev() {
            let under = marked >> self.board.cols;
            let floats = marked & !under & self.all_cells() >> self.board.cols != 0;
            if self.rules.gravity && floats {
                continue;
            }
            if self.rules.shared {
                visit((marked as u128, 0));
                continue;
            }
            let mut x = marked;
            loop {
                let o = marked & !x;
                for (own, turn) in [(x, 0), (o, O_TO_MOVE)] {
                    if !self.has_line[own] {
                        visit((x as u128, o as u128 | turn));
                    }
                }
                if x == 0 {
                    break;
                }
                x = (x - 1) & marked;
            }
        }
    }

    fn end(&self, at: Words) -> Option<i32> {
        let (own, others) = self.marks(at);
        if self.has_line[others] {
            return Some(if self.rules.misere { 1 } else { -1 });
        }
        (own | others == self.all_cells()).then_some(0)
    }

    fn for_each_move(&self, at: Words, visit: &mut dyn FnMut(Words)) {
        let (own, others) = self.marks(at);
        let mut free = self.all_cells() & !(own | others);
        while free != 0 {
            let cell = free.trailing_zeros() as usize;
            free &= free - 1;
            let below = cell + self.board.cols;
            if self.rules.gravity && below < self.board.cells() && (own | others) >> below & 1 == 0 {
                continue;
            }
            let mark = 1 << cell;
            visit(match (self.rules.shared, at.1 & O_TO_MOVE) {
                (true, _) => (at.0 | mark, 0),
                (_, 0) => (at.0 | mark, at.1 | O_TO_MOVE),
                _ => (at.0, at.1 & !O_TO_MOVE | mark),
            });
        }
    }

    fn size(&self) -> usize {
        2 * 3_usize.pow(self.board.cells() as u32)
    }

    fn index(&self, at: Words) -> Option<usize> {
        let (x, o) = (at.0 as usize, (at.1 & !O_TO_MOVE) as usize);
        Some((self.base_3[x] + 2 * self.base_3[o]) as usize * 2 + usize::from(at.1 & O_TO_MOVE != 0))
    }
}

/// Returns whether cells can be paired off so that each line has both cells of a pair.
fn has_pairing(lines: &[u128], paired: u128, pairs: &mut Vec<u128>) -> bool {
    let open = lines.iter().filter(|line| pairs.iter().all(|pair| pair & *line != *pair));
    let Some(line) = open.map(|line| line & !paired).min_by_key(|line| line.count_ones()) else { return true };
    let cells = || (0..128).map(|cell| 1_u128 << cell).filter(|cell| cell & line != 0);
    for pair in cells().flat_map(|one| cells().filter(move |other| one < *other).map(move |other| one | other)) {
        pairs.push(pair);
        if has_pairing(lines, paired | pair, pairs) {
            return true;
        }
        pairs.pop();
    }
    false
}

/// What the lemmas of dead lines and of pairings settle.
#[derive(Default)]
struct Tally {
    positions: u64,
    mover_wins: u64,
    dead: u64,
    paired: u64,
}

impl Tally {
    /// Tests the lemmas on a position in which play has not ended. Where the player to move does not win they are
    /// tried only to count, if `counts_all`.
    fn add(&mut self, checker: &Checker, at: Words, mover_wins: bool, counts_all: bool) {
        self.positions += 1;
        self.mover_wins += u64::from(mover_wins);
        if mover_wins || counts_all {
            let is_dead = checker.mover_cannot_win(at);
            let is_paired = checker.open_lines(at).is_some_and(|lines| has_pairing(&lines, 0, &mut Vec::new()));
            assert!(!mover_wins || !is_dead, "dead lines: the player to move wins {}", checker.write(at));
            assert!(!mover_wins || !is_paired, "pairing: the player to move wins {}", checker.write(at));
            self.dead += u64::from(is_dead);
            self.paired += u64::from(is_paired);
        }
    }

    fn report(&self, test: &str, start: Instant) {
        let Self { positions, mover_wins, dead, paired } = self;
        let counts =
            format!("{positions} positions, {mover_wins} won by the player to move; {dead} dead, {paired} paired");
        report(test, &counts, start);
    }
}

fn check_lines(test: &str, boards: impl Iterator<Item = Board>, rules: impl Fn() -> Vec<Rules>) {
    let (start, mut tally) = (Instant::now(), Tally::default());
    for board in boards {
        for rules in rules() {
            let (checker, game) = (rules.checker(board), Lines::new(board, rules));
            let values = values(&game);
            game.for_each_position(&mut |at| {
                let value = values[game.index(at).unwrap()];
                if game.end(at).is_none() {
                    tally.add(&checker, at, value > 0, board.cells() <= 12);
                }
            });
        }
    }
    tally.report(test, start);
}

/// Returns rules with each player's own marks.
fn own_rules() -> Vec<Rules> {
    let all = [2, 3, 4].into_iter().flat_map(Rules::all);
    all.filter(|rules| !rules.shared && !rules.misere).collect()
}

fn check_moves(boards: impl Iterator<Item = Board>, min_k: usize, max_k: usize) {
    let (start, mut count) = (Instant::now(), 0);
    for board in boards {
        for rules in (min_k..=max_k).flat_map(Rules::all) {
            count += check_game(&rules.checker(board), &Lines::new(board, rules));
        }
    }
    report("moves and symmetries of lines", &format!("{count} positions"), start);
}

#[test]
fn lines_moves_and_symmetries() {
    check_moves(Board::all(1..=9), 1, 4);
}

#[test]
#[ignore = "long"]
fn lines_moves_and_symmetries_long() {
    check_moves(Board::all(10..=12), 2, 4);
}

#[test]
fn dead_lines_and_pairings() {
    check_lines("dead lines and pairings", Board::all(1..=9), own_rules);
}

#[test]
#[ignore = "long"]
fn dead_lines_and_pairings_long() {
    check_lines("dead lines and pairings", Board::all(10..=14), own_rules);
    let large = || vec![Rules::own(3, false, true), Rules::own(3, false, false), Rules::own(4, false, true)];
    check_lines("dead lines and pairings", Board::all(15..=16), large);
}

/// Two sets of positions in which play has not ended, for a board too large for exact values.
struct Outcomes {
    /// Two bits for each position, by the marks of the player to move and of the other one in base 3: whether the player
    /// to move wins, and whether that player loses.
    bits: Vec<u64>,
}

impl Outcomes {
    fn get(&self, index: usize) -> u64 {
        self.bits[index / 32] >> (index % 32 * 2) & 3
    }

    fn set(&mut self, index: usize, outcome: u64) {
        self.bits[index / 32] |= outcome << (index % 32 * 2);
    }
}

/// Tests the lemmas on all positions in which both players have as many marks, or the one to move has one less.
fn check_large(board: Board, rules: Rules) {
    const WINS: u64 = 1;
    const LOSES: u64 = 2;
    let (start, mut tally) = (Instant::now(), Tally::default());
    let (checker, game) = (rules.checker(board), Lines::new(board, rules));
    let index = |own: usize, others: usize| (game.base_3[own] as usize) + 2 * game.base_3[others] as usize;
    let mut outcomes = Outcomes { bits: vec![0; game.size().div_ceil(64)] };
    for marked in (0..game.all_cells()).rev() {
        // Gosper's hack: all sets of `n` of the cells marked, as sets of `n` of the first bits.
        let count = marked.count_ones();
        let cells: Vec<usize> = (0..board.cells()).filter(|cell| marked >> cell & 1 == 1).collect();
        let mut set = (1_usize << (count / 2)) - 1;
        while set < 1 << count {
            let own = cells.iter().enumerate().fold(0, |own, (n, cell)| own | (set >> n & 1) << cell);
            let others = marked & !own;
            let low = set & set.wrapping_neg();
            set = if set == 0 { usize::MAX } else { ((((set + low) ^ set) >> 2) / low) | (set + low) };
            if game.has_line[own] || game.has_line[others] {
                continue;
            }
            let (mut free, mut outcome) = (game.all_cells() & !marked, LOSES);
            while free != 0 {
                let after = own | free & free.wrapping_neg();
                free &= free - 1;
                // A full board without a line is a draw: its bits are 0.
                let reply = if game.has_line[after] { LOSES } else { outcomes.get(index(others, after)) };
                if reply == LOSES {
                    outcome = WINS;
                    break;
                } else if reply != WINS {
                    outcome = 0;
                }
            }
            outcomes.set(index(own, others), outcome);
            tally.add(&checker, (own as u128, others as u128), outcome == WINS, false);
        }
    }
    tally.report(&format!("dead lines and pairings, {board:?} {rules:?}"), start);
}

#[test]
#[ignore = "long"]
fn dead_lines_and_pairings_4x5_3_in_a_row_long() {
    check_large(Board { rows: 4, cols: 5 }, Rules::own(3, false, true));
}

#[test]
#[ignore = "long"]
fn dead_lines_and_pairings_4x5_4_in_a_row_long() {
    check_large(Board { rows: 4, cols: 5 }, Rules::own(4, false, true));
}
