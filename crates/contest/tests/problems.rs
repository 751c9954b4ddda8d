//! The problems of the library: for each, a right program, which states the rules a second time, passes, and a wrong one is
//! caught. Problem files that are wrong are refused in words.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;
use std::time::Duration;

use balpan::{SplitMix, Watch};
use balpan_contest::problem::PROBLEMS;
use balpan_contest::stress::{StressOptions, Verdict, stress};
use balpan_contest::{BlockGame, Judge, Platforms, Problem, Program, TicTacToe, answer_all, find_problem};
use balpan_games::Lang;

use crate::naive;
use crate::programs::outputs;

/// The numbers and words of an input, in order.
struct Input<'i>(Box<dyn Iterator<Item = &'i str> + 'i>);

impl<'i> Input<'i> {
    fn new(text: &'i str) -> Self {
        Self(Box::new(
            text.split(|c: char| c.is_whitespace() || "{}[]\",:".contains(c)).filter(|word| !word.is_empty()),
        ))
    }

    fn word(&mut self) -> &'i str {
        self.0.next().unwrap()
    }

    fn number(&mut self) -> i64 {
        self.word().parse().unwrap()
    }

    /// All numbers that are left, without names.
    fn numbers(self) -> Vec<i64> {
        self.0.filter_map(|word| word.parse().ok()).collect()
    }
}

/// The nimber of each heap up to `largest`, where `options` lists what a move leaves.
fn nimbers(largest: usize, options: impl Fn(usize) -> Vec<Vec<usize>>) -> Vec<usize> {
    let mut nimbers = Vec::new();
    for heap in 0..=largest {
        let after: BTreeSet<usize> =
            options(heap).iter().map(|left| left.iter().fold(0, |sum, part| sum ^ nimbers[*part])).collect();
        nimbers.push((0..).find(|n| !after.contains(n)).unwrap());
    }
    nimbers
}

/// Whether the player to move wins when some stones are taken and who cannot move loses, or wins.
fn wins(stones: usize, takes: &[usize], misere: bool) -> bool {
    let mut wins: Vec<bool> = Vec::new();
    for n in 0..=stones {
        let mut moves = takes.iter().filter(|take| **take <= n).peekable();
        wins.push(if moves.peek().is_none() { misere } else { moves.any(|take| !wins[n - take]) });
    }
    wins[stones]
}

/// A move in a row: what it gains, the numbers that leave the front and the back, and the most taken at once so far.
type Taken = (i64, usize, usize, usize);

/// The moves from what is left of a row, by the most taken at once before.
type Moves<'m> = &'m dyn Fn(&[i64], usize) -> Vec<Taken>;

/// The best difference of sums, by plain recursion with a memo.
fn row(numbers: &[i64], moves: Moves<'_>) -> i64 {
    fn best(
        numbers: &[i64],
        [first, last, most]: [usize; 3],
        moves: Moves<'_>,
        memo: &mut HashMap<[usize; 3], i64>,
    ) -> i64 {
        if let Some(known) = memo.get(&[first, last, most]) {
            return *known;
        }
        let after = moves(&numbers[first..last], most)
            .into_iter()
            .map(|(gain, front, back, most)| gain - best(numbers, [first + front, last - back, most], moves, memo));
        let best = after.max().unwrap_or(0);
        memo.insert([first, last, most], best);
        best
    }
    best(numbers, [0, numbers.len(), 1], moves, &mut HashMap::new())
}

fn from_ends(numbers: &[i64]) -> i64 {
    row(numbers, &|left, most| match left {
        [] => Vec::new(),
        [one] => vec![(*one, 1, 0, most)],
        [first, .., last] => vec![(*first, 1, 0, most), (*last, 0, 1, most)],
    })
}

fn from_front(numbers: &[i64], max: impl Fn(usize) -> usize) -> i64 {
    row(numbers, &|left, most| {
        (1..=max(most).min(left.len())).map(|n| (left[..n].iter().sum(), n, 0, most.max(n))).collect()
    })
}

/// The cells of each line of tic-tac-toe.
const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The winner of tic-tac-toe for the player to move: 1, 0 or -1.
fn tictactoe(board: &mut [u8], mover: u8) -> i8 {
    let other = 3 - mover;
    if LINES.iter().any(|line| line.iter().all(|cell| board[*cell] == other)) {
        return -1;
    }
    let mut best = None;
    for cell in 0..9 {
        if board[cell] == 0 {
            board[cell] = mover;
            best = best.max(Some(-tictactoe(board, other)));
            board[cell] = 0;
        }
    }
    best.unwrap_or(0)
}

/// Returns who wins by the places of the mouse and the cat and whether the cat is to move: 1 for the mouse, 2 for the cat, 0 if play
/// goes on for ever. `over` says it where play is over, and 0 elsewhere. Finds who wins in one more move than before, until nothing
/// changes.
fn winners(
    over: impl Fn(usize, usize) -> u8,
    mouse_moves: &[Vec<usize>],
    cat_moves: &[Vec<usize>],
) -> Vec<Vec<[u8; 2]>> {
    let places = 0..mouse_moves.len();
    let mut winner: Vec<Vec<_>> =
        places.clone().map(|mouse| places.clone().map(|cat| [over(mouse, cat); 2]).collect()).collect();
    loop {
        let before = winner.clone();
        for (mouse, cat) in (0..winner.len()).flat_map(|mouse| (0..before.len()).map(move |cat| (mouse, cat))) {
            let by_mouse: Vec<u8> = mouse_moves[mouse].iter().map(|to| before[*to][cat][1]).collect();
            let by_cat: Vec<u8> = cat_moves[cat].iter().map(|to| before[mouse][*to][0]).collect();
            for (turn, after) in [by_mouse, by_cat].into_iter().enumerate() {
                let [own, others] = [1 + turn as u8, 2 - turn as u8];
                let place = &mut winner[mouse][cat][turn];
                if *place == 0 && after.contains(&own) {
                    *place = own;
                } else if *place == 0 && after.iter().all(|winner| *winner == others) {
                    *place = others;
                }
            }
        }
        if winner == before {
            return winner;
        }
    }
}

/// LeetCode 913: the mouse begins on node 1 and wants to node 0, which the cat, on node 2, may not enter.
fn cat_and_mouse(input: &str) -> String {
    let input: serde_json::Value = serde_json::from_str(input).unwrap();
    let graph: Vec<Vec<usize>> = serde_json::from_value(input["graph"].clone()).unwrap();
    let over = |mouse, cat| if mouse == cat { 2 } else { u8::from(mouse == 0) };
    let cat_moves: Vec<Vec<usize>> =
        graph.iter().map(|list| list.iter().copied().filter(|to| *to != 0).collect()).collect();
    winners(over, &graph, &cat_moves)[1][2][0].to_string()
}

/// LeetCode 1728: on a grid, where the mouse may jump over the cat, and without a winner the cat has won.
fn cat_and_mouse_on_a_grid(input: &str) -> String {
    let input: serde_json::Value = serde_json::from_str(input).unwrap();
    let grid: Vec<String> = serde_json::from_value(input["grid"].clone()).unwrap();
    let [cat_jump, mouse_jump] = ["catJump", "mouseJump"].map(|name| input[name].as_i64().unwrap());
    let columns = grid[0].len() as i64;
    let cells: Vec<u8> = grid.concat().into_bytes();
    let find = |letter| cells.iter().position(|other| *other == letter).unwrap();
    let (count, food) = (cells.len(), find(b'F'));
    let reached = |from: usize, jump: i64| {
        let (row, column) = (from as i64 / columns, from as i64 % columns);
        let mut all = vec![from];
        for (down, right) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            for n in 1..=jump {
                let (row, column) = (row + n * down, column + n * right);
                let is_inside = (0..columns).contains(&column) && (0..grid.len() as i64).contains(&row);
                if !is_inside || cells[(row * columns + column) as usize] == b'#' {
                    break;
                }
                all.push((row * columns + column) as usize);
            }
        }
        all
    };
    let by_jump = |jump| (0..count).map(|from| reached(from, jump)).collect::<Vec<_>>();
    let over = |mouse, cat| if mouse == cat || cat == food { 2 } else { u8::from(mouse == food) };
    let winner = winners(over, &by_jump(mouse_jump), &by_jump(cat_jump));
    (winner[find(b'M')][find(b'C')][0] == 1).to_string()
}

/// LeetCode 464: whether the player to move wins, by the numbers that are taken.
fn can_i_win(max: i64, taken: usize, left: i64, memo: &mut [Option<bool>]) -> bool {
    if let Some(known) = memo[taken] {
        return known;
    }
    let free: Vec<i64> = (1..=max).filter(|number| taken >> (number - 1) & 1 == 0).collect();
    let wins = |number: &i64| *number >= left || !can_i_win(max, taken | 1 << (number - 1), left - number, memo);
    let wins = free.iter().any(wins);
    memo[taken] = Some(wins);
    wins
}

/// Answers one case of a problem, of which the input is the rest of the words; `None` for a problem that is not known.
fn solve(problem: &str, mut input: Input<'_>) -> Option<String> {
    let first = |wins: bool, words: [&str; 2]| words[usize::from(!wins)].to_owned();
    let stones = ["SK", "CY"];
    let nim = |heaps: &[i64]| heaps.iter().fold(0, |sum, heap| sum ^ heap) != 0;
    // Large numbers would take a naive program too long.
    let small = |number: i64| usize::try_from(number).ok().filter(|number| *number < 10_000);
    let mut all = || std::mem::replace(&mut input, Input::new("")).numbers();
    Some(match problem {
        "boj9655" | "boj9659" => first(wins(small(all()[0])?, &[1, 3], false), stones),
        "boj9656" => first(wins(all()[0] as usize, &[1, 3], true), stones),
        "boj9657" | "boj9660" => first(wins(small(all()[0])?, &[1, 3, 4], false), stones),
        "boj9658" => first(wins(all()[0] as usize, &[1, 3, 4], true), stones),
        "boj9661" => first(wins(small(all()[0])?, &[1, 4, 16, 64, 256, 1024, 4096], false), stones),
        "boj11868" | "boj11869" => first(nim(&all()[1..]), ["koosaga", "cubelover"]),
        "boj11871" => {
            let heaps: Vec<_> = all()[1..].iter().map(|heap| small(*heap)).collect::<Option<_>>()?;
            let left = |n: usize| (0..n).filter(move |left| (n - left) % 2 == usize::from(*left == 0));
            let nimbers = nimbers(heaps.iter().copied().max()?.min(400), |n| left(n).map(|left| vec![left]).collect());
            let sum = heaps.iter().map(|heap| nimbers.get(*heap)).try_fold(0, |sum, nimber| Some(sum ^ nimber?))?;
            first(sum != 0, ["koosaga", "cubelover"])
        }
        "boj11872" => {
            // Lasker's Nim, by the options of small heaps.
            let heaps: Vec<_> = all()[1..].iter().map(|heap| small(*heap)).collect::<Option<_>>()?;
            let options = |n: usize| {
                let taken = (0..n).map(|left| vec![left]);
                taken.chain((1..n).map(move |a| vec![a, n - a])).collect()
            };
            let nimbers = nimbers(heaps.iter().copied().max()?.min(400), options);
            let sum = heaps.iter().map(|heap| nimbers.get(*heap)).try_fold(0, |sum, nimber| Some(sum ^ nimber?))?;
            first(sum != 0, ["koosaga", "cubelover"])
        }
        "leetcode292" => first(wins(small(all()[0])?, &[1, 2, 3], false), ["true", "false"]),
        "leetcode1025" => {
            let n = small(all()[0])?;
            let mut wins = vec![false];
            for n in 1..=n {
                wins.push((1..n).any(|x| n.is_multiple_of(x) && !wins[n - x]));
            }
            first(wins[n], ["true", "false"])
        }
        "leetcode1510" => {
            let squares: Vec<_> = (1..200).map(|root| root * root).collect();
            first(wins(small(all()[0])?, &squares, false), ["true", "false"])
        }
        "atcoder-dp-k" => {
            let numbers = all();
            let takes: Vec<_> = numbers[2..].iter().map(|take| *take as usize).collect();
            first(wins(numbers[1] as usize, &takes, false), ["First", "Second"])
        }
        "uva10561" => {
            fn wins(row: &mut Vec<bool>, memo: &mut HashMap<Vec<bool>, bool>) -> bool {
                if let Some(known) = memo.get(row) {
                    return *known;
                }
                let won = (0..row.len()).any(|cell| {
                    if row[cell] {
                        return false;
                    }
                    row[cell] = true;
                    let is_good = row.windows(3).any(|three| *three == [true; 3]) || !wins(row, memo);
                    row[cell] = false;
                    is_good
                });
                memo.insert(row.clone(), won);
                won
            }
            let mut row: Vec<_> = input.word().chars().map(|mark| mark == 'X').collect();
            if row.len() > 14 {
                return None;
            }
            let mut memo = HashMap::new();
            let mut cells = Vec::new();
            for cell in 0..row.len() {
                if !row[cell] {
                    row[cell] = true;
                    if row.windows(3).any(|three| *three == [true; 3]) || !wins(&mut row, &mut memo) {
                        cells.push((cell + 1).to_string());
                    }
                    row[cell] = false;
                }
            }
            format!("{}\n{}", if cells.is_empty() { "LOSING" } else { "WINNING" }, cells.join(" "))
        }
        "boj13034" => {
            let n = all()[0] as usize;
            let sides = |n: usize| (2..=n).map(|a| vec![a - 2, n - a]).collect();
            first(nimbers(n, sides)[n] != 0, ["1", "2"])
        }
        "boj16571" => {
            let mut board: Vec<u8> = all().into_iter().map(|mark| mark as u8).collect();
            let count = |mark| board.iter().filter(|other| **other == mark).count();
            let mover = if count(1) == count(2) { 1 } else { 2 };
            ["L", "D", "W"][(tictactoe(&mut board, mover) + 1) as usize].to_owned()
        }
        "boj7682" => {
            // All boards in which play ends, by playing.
            fn ends(board: &str, mover: char, found: &mut BTreeSet<String>) {
                let cells: Vec<char> = board.chars().collect();
                let has_line = LINES
                    .iter()
                    .any(|line| cells[line[0]] != '.' && line.iter().all(|cell| cells[*cell] == cells[line[0]]));
                if has_line || !board.contains('.') {
                    found.insert(board.to_owned());
                    return;
                }
                for cell in (0..9).filter(|cell| cells[*cell] == '.') {
                    let after = |at: usize| if at == cell { mover } else { cells[at] };
                    ends(&(0..9).map(after).collect::<String>(), if mover == 'X' { 'O' } else { 'X' }, found);
                }
            }
            static ENDS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
                let mut found = BTreeSet::new();
                ends(&".".repeat(9), 'X', &mut found);
                found
            });
            let words = input.0.take_while(|word| *word != "end");
            words.map(|board| first(ENDS.contains(board), ["valid", "invalid"])).collect::<Vec<_>>().join("\n")
        }
        "leetcode294" => {
            fn can_win(row: &[u8]) -> bool {
                (1..row.len()).any(|n| {
                    let mut after = row.to_vec();
                    let flips = row[n - 1] == b'+' && row[n] == b'+';
                    after[n - 1] = b'-';
                    after[n] = b'-';
                    flips && !can_win(&after)
                })
            }
            input.word();
            let word = input.word();
            if word.len() > 12 {
                return None;
            }
            first(can_win(word.as_bytes()), ["true", "false"])
        }
        "hackerrank-bowling-pins" => {
            let n = input.number() as usize;
            let runs = input.word().split('X').map(str::len).collect::<Vec<_>>();
            let kayles =
                |n: usize| (1..=2.min(n)).flat_map(|take| (0..=n - take).map(move |a| vec![a, n - take - a])).collect();
            let nimbers = nimbers(n, kayles);
            first(runs.iter().fold(0, |sum, run| sum ^ nimbers[*run]) != 0, ["WIN", "LOSE"])
        }
        "hackerrank-nim" | "hackerrank-misere-nim" => {
            let n = input.number();
            let heaps: Vec<_> = (0..n).map(|_| input.number()).collect();
            let is_misere = problem == "hackerrank-misere-nim" && heaps.iter().all(|heap| *heap <= 1);
            first(nim(&heaps) != is_misere, ["First", "Second"])
        }
        "leetcode464" => {
            let numbers = all();
            let (max, total) = (numbers[0], numbers[1]);
            let wins = || can_i_win(max, 0, total, &mut vec![None; 1 << max]);
            first(total == 0 || (1..=max).sum::<i64>() >= total && wins(), ["true", "false"])
        }
        "leetcode486" => first(from_ends(&all()) >= 0, ["true", "false"]),
        "leetcode877" => first(from_ends(&all()) > 0, ["true", "false"]),
        "leetcode1140" => {
            let piles = all();
            ((piles.iter().sum::<i64>() + from_front(&piles, |most| 2 * most)) / 2).to_string()
        }
        "leetcode1406" => {
            let lead = from_front(&all(), |_| 3);
            (if lead > 0 {
                "Alice"
            } else if lead < 0 {
                "Bob"
            } else {
                "Tie"
            })
            .to_owned()
        }
        "algospot-numbergame" => {
            let n = input.number();
            let numbers: Vec<_> = (0..n).map(|_| input.number()).collect();
            let moves = |left: &[i64], most: usize| {
                let mut moves = Vec::new();
                if let [first, .., last] = left {
                    moves.extend([(*first, 1, 0, most), (*last, 0, 1, most), (0, 2, 0, most), (0, 0, 2, most)]);
                } else if let [one] = left {
                    moves.push((*one, 1, 0, most));
                }
                moves
            };
            row(&numbers, &moves).to_string()
        }
        "atcoder-dp-l" => from_ends(&all()[1..]).to_string(),
        _ => return None,
    })
}

/// Answers an input as a program does: each case, after their number if there is one, or each line of JSON.
fn run(problem: &str, input: &str) -> Option<String> {
    let mut output = String::new();
    let mut rest = input;
    let has_count =
        ["uva10561", "hackerrank-bowling-pins", "hackerrank-nim", "hackerrank-misere-nim", "algospot-numbergame"];
    if let Some((lines, answer)) = match problem {
        "platforms" => Some((1, naive::platforms as fn(&str) -> String)),
        "blockgame" => Some((5, naive::block_game as fn(&str) -> String)),
        "tictactoe" => Some((3, naive::tic_tac_toe as fn(&str) -> String)),
        _ => None,
    } {
        let is_counted = lines > 1;
        let cases: Vec<_> = input.lines().skip(usize::from(is_counted)).collect();
        for case in cases.chunks(lines) {
            let first = if is_counted { "1\n" } else { "" };
            output += &(answer(&format!("{first}{}\n", case.join("\n"))) + "\n");
        }
    } else if problem.starts_with("leetcode") {
        for line in input.lines() {
            let answer = match problem {
                "leetcode913" => cat_and_mouse(line),
                "leetcode1728" => cat_and_mouse_on_a_grid(line),
                _ => solve(problem, Input::new(line))?,
            };
            output += &(answer + "\n");
        }
    } else if has_count.contains(&problem) {
        let lines: Vec<_> = input.lines().skip(1).collect();
        for case in lines.chunks(if problem == "uva10561" { 1 } else { 2 }) {
            output += &(solve(problem, Input::new(&case.join("\n")))? + "\n");
        }
    } else {
        rest = rest.trim();
        output = solve(problem, Input::new(rest))? + "\n";
    }
    Some(output)
}

const OPTIONS: StressOptions = StressOptions {
    seed: 1,
    cases: Some(40),
    time: Duration::from_secs(600),
    time_limit: Duration::from_secs(60),
    memory_limit: None,
    batch: None,
    threads: 1,
};

fn read(name: &str) -> Problem {
    let watch = Watch::default();
    let problem = Problem::from_library(name, &watch).and_then(|problem| problem.with_cases(&watch));
    problem.unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn each_problem_is_answered_as_a_naive_program_does() {
    let mut unknown = Vec::new();
    for (name, _) in PROBLEMS {
        let problem = read(name);
        let mut random = SplitMix(7);
        let small = (0..=problem.info().exhaustive_cells).flat_map(|cells| problem.cases_of_size(cells)).take(150);
        let drawn = (0..20).map(|n| problem.random_case(&mut random, 4 + 3 * n));
        let watch = Watch::default();
        let (mut reference, mut compared) = (problem.reference(&watch), 0);
        for case in small.chain(drawn) {
            let input = problem.write(std::slice::from_ref(&case));
            let Some(expected) = run(name, &input) else { continue };
            assert_eq!(format!("{}\n", reference(&case).unwrap()), expected, "{name}: {input}");
            // The same from the text of the input to that of the output, which sets up everything anew.
            if compared % 16 == 0 {
                let mut output = Vec::new();
                answer_all(&problem, input.as_bytes(), &mut output, &watch).unwrap();
                assert_eq!(String::from_utf8(output).unwrap(), expected, "{name}: {input}");
            }
            compared += 1;
        }
        println!(
            "{name}: {compared} cases, up to size {} of {}",
            problem.info().exhaustive_cells,
            problem.info().max_cells
        );
        if compared < 50 {
            unknown.push(name);
        }
    }
    assert!(unknown.is_empty(), "not compared: {unknown:?}");
}

/// Asserts that a program with one of the problem's mistakes is caught, and the mistake named.
fn assert_named(problem: &Problem, name: &str, n: usize) {
    let expected = problem.mistakes().swap_remove(n).name;
    let judge = Problem::from_library(name, &Watch::default()).unwrap();
    let wrong = Program::from_function("wrong", move |input, _, _| {
        let cases: Result<Vec<_>, _> = judge.read(input).collect();
        let answers = judge.mistakes()[n].answers(&judge, &cases.unwrap());
        outputs(
            answers.into_iter().map(|answer| answer.map_or_else(String::new, |answer| format!("{answer}\n"))).collect(),
        )
    });
    // Some mistakes show in few cases.
    let options = StressOptions { cases: Some(2_000), ..OPTIONS };
    let report = stress(problem, &wrong, &options, &Watch::default()).unwrap();
    let Some(difference) = report.difference else { panic!("{name}: {expected} is not caught") };
    let named = difference.suspects.iter().any(|suspect| suspect.mistake.name == expected);
    let others: Vec<_> = difference.suspects.iter().map(|suspect| &suspect.mistake.name).collect();
    assert!(named, "{name}: {expected} is taken for {others:?} by {:?}", difference.case);
}

#[test]
fn mistakes_are_named_where_play_may_repeat() {
    for name in ["leetcode913", "leetcode1728"] {
        assert_named(&read(name), name, 0);
    }
}

#[test]
#[ignore = "takes many minutes"]
fn right_programs_pass_and_each_mistake_is_caught_and_named() {
    for (name, _) in PROBLEMS {
        let problem = read(name);
        let right = Program::from_function("right", |input, _, _| {
            outputs(run(name, &String::from_utf8_lossy(input)).unwrap_or_default())
        });
        // Naive programs for these do not take large numbers.
        if ![
            "leetcode294",
            "uva10561",
            "boj11871",
            "boj11872",
            "leetcode292",
            "leetcode1510",
            "boj9659",
            "boj9660",
            "boj9661",
        ]
        .contains(name)
        {
            let report = stress(&problem, &right, &OPTIONS, &Watch::default()).unwrap();
            assert_eq!(report.verdict(), Verdict::Right, "{name}: {:?}", report.difference);
        }
        let mut random = SplitMix(3);
        let small = (0..=problem.info().exhaustive_cells).flat_map(|cells| problem.cases_of_size(cells)).take(150);
        let cases: Vec<_> = small.chain((0..40).map(|n| problem.random_case(&mut random, 3 + n))).collect();
        let watch = Watch::default();
        let mut reference = problem.reference(&watch);
        let answers: Vec<_> = cases.iter().map(|case| reference(case).unwrap()).collect();
        // The mistakes of any game are tried with some problems: a wrong answer, plies, scores, a board.
        let with_all = ["boj9655", "boj16571", "algospot-numbergame"].contains(name);
        let tried = if with_all { usize::MAX } else { problem.file_mistakes() };
        for (n, mistake) in problem.mistakes().into_iter().enumerate().take(tried) {
            let mistaken = mistake.answers(&problem, &cases);
            let is_visible = mistaken
                .iter()
                .zip(&answers)
                .any(|(theirs, right)| theirs.as_ref().is_some_and(|theirs| theirs != right));
            // A misreading may change no answer of this game.
            assert!(is_visible || n >= problem.file_mistakes(), "{name}: {} is never wrong", mistake.name);
            if !is_visible {
                continue;
            }
            assert_named(&problem, name, n);
        }
    }
}

#[test]
fn mistakes_have_korean_names() {
    // The names of a file's own mistakes are in the file.
    for (name, _) in PROBLEMS.iter().filter(|(_, text)| text.contains("[[mistake]]")) {
        for mistake in Problem::from_library(name, &Watch::default()).unwrap().mistakes() {
            let korean = |text: &str| text.chars().any(|c| ('가'..='힣').contains(&c));
            assert!(korean(&mistake.name_in(Lang::Ko)), "{name}: {}", mistake.name);
            assert!(korean(mistake.remedy_in(Lang::Ko)), "{name}: {}", mistake.remedy);
        }
    }
}

#[test]
fn wrong_files_are_refused_in_words() {
    let file = |change: (&str, &str)| {
        let text = r#"
about = "stones"
source = "here"
input = "n"
values.n = { from = 1, to = 10 }
game = """
family = "heaps"
code = "0.3"
start = "{n}"
"""
output = { win = "A", loss = "B" }

[[sample]]
input = "3"
output = "A"
"#;
        assert!(text.contains(change.0), "{change:?}");
        Problem::parse("stones", &text.replacen(change.0, change.1, 1), &Watch::default())
    };
    assert!(file(("", "")).is_ok());
    for (change, place, message) in [
        (("input = \"n\"", "input = \"m\""), "input", "`m` is not among the values"),
        (("source = \"here\"", ""), "line 1", "missing field `source`"),
        (("from = 1, ", ""), "values.n", "no `from` and `to`"),
        (("from = 1", "from = 11"), "values.n", "an empty range"),
        (("win = \"A\", ", ""), "output", "no words for the outcomes"),
        (("win = \"A\", loss = \"B\"", "answer = \"score\""), "output.answer", "the game has not a score"),
        (("0.3", "0.x"), "game", "0.x"),
        (("source =", "time = -1.0\nsource ="), "time", "-1 seconds"),
        (
            ("values.n = {", "values.g = { letters = \"ab\", rows = 90000, columns = 90000 }\nvalues.n = {"),
            "values.g",
            "a grid of 90000 by 90000",
        ),
        (
            ("values.n = {", "values.g = { nodes = \"2..100000\" }\nvalues.n = {"),
            "values.g",
            "a graph of 100000 nodes where at most 1000",
        ),
        (
            ("values.n = {", "values.g = { nodes = \"2..9\", from = 1 }\nvalues.n = {"),
            "values.g",
            "`from`, which a graph does not have",
        ),
        (
            ("values.n = {", "values.g = { letters = \".ab\", rows = 1, columns = 1, once = \"ab\" }\nvalues.n = {"),
            "values.g",
            "`once` has to name different letters",
        ),
        (
            ("values.n = {", "values.g = { letters = \".ab\", rows = 2, columns = 2, once = \"c\" }\nvalues.n = {"),
            "values.g",
            "`once` has to name different letters",
        ),
        (("heaps", "heap"), "game", "heap"),
        (("output = \"A\"", "output = \"B\""), "sample[0]", "the game's answer to this sample is `A`"),
        (("input = \"3\"", "input = \"11\""), "sample[0].input, line 1, column 1", "`11`"),
        (("{n}", "{k}"), "game", "{k}"),
        (("{n}", "{n:JSON}"), "game", "`{n:JSON}` is no way to write a value"),
        (("about = ", "abuot = "), "line", "unknown field `abuot`"),
        (("game = ", "conditions = [\"n\"]\ngame = "), "conditions[0]", "`n` compares nothing"),
        (("game = ", "conditions = [\"n > 0\", \"k is odd\"]\ngame = "), "conditions[1]", "there is no value `k`"),
        (("game = ", "conditions = [\"sum(n) = 1\"]\ngame = "), "conditions[0]", "`n` is no list of numbers"),
        (("game = ", "conditions = [\"mean(n) = 1\"]\ngame = "), "conditions[0]", "there is no function `mean`"),
        (("game = ", "conditions = [\"n < 3\"]\ngame = "), "sample[0].input", "`n < 3` does not hold"),
        (
            ("game = ", "conditions = [\"n < 99_999_999_999_999_999_999\"]\ngame = "),
            "conditions[0]",
            "no whole number of 64 bits",
        ),
    ] {
        let error = file(change).unwrap_err();
        assert!(error.place.starts_with(place) && error.message.contains(message), "{change:?}: {error:?}");
        assert!(!error.help.is_empty(), "{change:?}");
    }
}

/// The largest case has the largest number that the problem allows.
#[test]
fn the_largest_number_is_among_the_cases() {
    for (name, number) in [("boj9657", 1000), ("boj9659", 1_000_000_000_000_i64), ("boj13034", 1000)] {
        let problem = Problem::from_library(name, &Watch::default()).unwrap().with_cases(&Watch::default()).unwrap();
        let largest: Vec<_> = problem.cases_of_size(problem.info().max_cells).collect();
        assert_eq!(problem.write(&largest[..1]).trim(), number.to_string(), "{name}");
    }
}

/// The cases of a judge in Rust are those of the file, as are their answers, and those of the mistakes that both name.
fn assert_as_its_file<J: Judge>(judge: &J) {
    let (name, watch) = (judge.info().name.clone(), Watch::default());
    let problem = read(&name);
    let mistakes = |named: &str| judge.mistakes().into_iter().chain(judge.more_mistakes()).find(|m| m.name == named);
    let of_file = problem.mistakes_to_cover();
    let named: Vec<_> = of_file.iter().filter_map(|m| Some((m, mistakes(&m.name)?))).collect();
    assert_eq!(
        named.len(),
        [("platforms", 0), ("blockgame", 1), ("tictactoe", 0)].into_iter().find(|(n, _)| *n == name).unwrap().1
    );
    let mut random = SplitMix(54);
    let mut answers = (judge.reference(&watch), problem.reference(&watch));
    for n in 0..200 {
        let case = judge.random_case(&mut random, 4 + n % 12);
        let input = judge.write(std::slice::from_ref(&case));
        let found = problem.read(input.as_bytes()).next().unwrap();
        let found = found.unwrap_or_else(|e| panic!("{name}: {e}: {input}"));
        assert_eq!(answers.0(&case).unwrap().to_string(), answers.1(&found).unwrap().to_string(), "{name}: {input}");
        for (of_file, of_judge) in &named {
            let answers = (of_judge.answer(judge, &case), of_file.answer(&problem, &found));
            if let (Some(of_judge), Some(of_file)) = answers {
                assert_eq!(of_judge.to_string(), of_file.to_string(), "{name}: {input}");
            }
        }
        let drawn = problem.random_case(&mut random, problem.info().max_cells);
        let input = problem.write(std::slice::from_ref(&drawn));
        let found = judge.read(input.as_bytes()).next().unwrap();
        let found = found.unwrap_or_else(|e| panic!("{name}: {e}: {input}"));
        assert_eq!(answers.0(&found).unwrap().to_string(), answers.1(&drawn).unwrap().to_string(), "{name}: {input}");
        assert!(judge.excess(&found).is_none(), "{name}: {input}");
    }
    // Inputs that one refuses, the other refuses too.
    let counted = judge.info().max_cases.is_some();
    for wrong in [
        "",
        "{",
        "1\n...\n",
        "1\nooo\n...\n...\n",
        "{\"board\": [[1]], \"aloc\": [0, 1], \"bloc\": [0, 0]}\n",
        "2\n...\n...\n...\n",
    ] {
        let is_refused = |found: Option<bool>| found == Some(false);
        let of_judge = judge.read(wrong.as_bytes()).map(|case| case.is_ok()).last();
        let of_file = problem.read(wrong.as_bytes()).map(|case| case.is_ok()).last();
        assert_eq!(is_refused(of_judge), is_refused(of_file), "{name}: {wrong:?}");
        assert!(is_refused(of_judge) || (wrong.is_empty() && !counted), "{name}: {wrong:?}");
    }
}

#[test]
fn judges_in_rust_answer_as_their_files() {
    assert_as_its_file(&Platforms);
    assert_as_its_file(&BlockGame);
    assert_as_its_file(&TicTacToe);
}

/// The first player wins each case that the statement allows: an even number of piles, and an odd number of stones.
#[test]
fn the_shortest_right_program_for_the_stone_game_passes() {
    let problem = read("leetcode877");
    let program = Program::from_function("always true", |input, _, _| {
        outputs("true\n".repeat(String::from_utf8_lossy(input).lines().count()))
    });
    let options = StressOptions {
        seed: 1,
        cases: Some(500),
        time: Duration::from_secs(600),
        time_limit: Duration::from_secs(60),
        memory_limit: None,
        batch: None,
        threads: 1,
    };
    let report = stress(&problem, &program, &options, &Watch::default()).unwrap();
    assert_eq!(report.verdict(), Verdict::Right, "{:?}", report.difference);
}

/// Whether play can end on a board is asked of the board, whoever would be to move.
#[test]
fn mistakes_about_ends_answer_as_their_rules_do() {
    let problem = read("boj7682");
    let case = |board: &str| problem.read(format!("{board}\nend\n").as_bytes()).next().unwrap().unwrap();
    let [only_full, no_diagonals] = problem.mistakes_to_cover().try_into().unwrap();
    for (board, expected) in [
        ("XOXOXOXOX", ["valid", "valid", "valid"]),
        ("X.O.XO..X", ["valid", "invalid", "invalid"]),
        ("XXX.OO...", ["valid", "invalid", "valid"]),
        ("OXOXOXXOX", ["valid", "valid", "valid"]),
        ("XXXOOO...", ["invalid", "invalid", "invalid"]),
    ] {
        let right = problem.reference(&Watch::default())(&case(board)).unwrap();
        let wrong = [&only_full, &no_diagonals].map(|mistake| mistake.answer(&problem, &case(board)).unwrap());
        assert_eq!([right.to_string(), wrong[0].to_string(), wrong[1].to_string()], expected, "{board}");
    }
}

#[test]
fn a_word_after_the_last_case_is_told_from_cases() {
    let text = |values: &str, input: &str| {
        format!(
            "about = \"a\"\nsource = \"b\"\ninput = \"until {input}\"\n{values}\ngame = \"tictactoe\"\n\
             position = \"{{board}}\"\noutput = {{ answer = \"end\", win = \"yes\", loss = \"no\" }}\n"
        )
    };
    let board = "values.board = { letters = \".XO\", rows = 3, columns = 3, joined = true }";
    for (values, input, place) in [
        (board, "end\\nboard", None),
        (board, "X\\nboard", Some("input")),
        ("values.n = { from = 0, to = 3 }", "0\\nn", Some("input")),
        ("", "end", Some("input")),
        ("values.board = { letters = \"abc\", rows = 3, columns = 3, joined = true }", "end\\nboard", Some("position")),
    ] {
        let read = Problem::parse("ends", &text(values, input), &Watch::default());
        assert_eq!(read.as_ref().err().map(|e| &*e.place), place, "{values} {input}: {read:?}");
    }
}

#[test]
fn inputs_that_are_wrong_are_refused_at_their_place() {
    for (name, input, at) in [
        ("boj9655", "0", (1, 1)),
        ("boj9655", "5 6", (1, 3)),
        ("boj9655", "", (1, 1)),
        ("boj11868", "2\n3 x", (2, 3)),
        ("boj7682", "XXX.OO..\nend\n", (1, 1)),
        ("boj7682", "XXX.OO...\n", (2, 1)),
        ("boj7682", "XXX.OO...\nend\nend", (3, 1)),
        ("boj16571", "0 0 0\n0 3 0\n0 0 0", (3, 5)),
        ("boj16571", "1 1 1\n0 0 0\n0 0 0", (3, 5)),
        ("hackerrank-nim", "2\n1\n5\n", (4, 1)),
        ("leetcode486", "{\"numbers\": [1]}", (1, 1)),
        ("leetcode486", "{\"nums\": [1, \"a\"]}", (1, 1)),
        ("leetcode486", "[", (1, 1)),
        ("leetcode913", "{\"graph\": [[1], [0, 2], []]}", (1, 1)),
        ("leetcode913", "{\"graph\": [[1], [0, 2], [0]]}", (1, 1)),
        ("leetcode913", "{\"graph\": [[1, 9], [0, 2], [1]]}", (1, 1)),
        ("leetcode1728", "{\"grid\": [\"MC.\"], \"catJump\": 1, \"mouseJump\": 1}", (1, 1)),
        ("leetcode1728", "{\"grid\": [\"MCFM\"], \"catJump\": 1, \"mouseJump\": 1}", (1, 1)),
        ("leetcode877", "{\"piles\": [5, 3, 4]}", (1, 1)),
        ("leetcode877", "{\"piles\": [5, 3]}", (1, 1)),
        ("atcoder-dp-k", "1 3\n4\n", (2, 1)),
        // The cat could not move.
        ("leetcode913", "{\"graph\": [[1, 2], [0], [0]]}", (1, 1)),
    ] {
        let problem = Problem::from_library(name, &Watch::default()).unwrap();
        let error = problem.read(input.as_bytes()).find_map(Result::err);
        let Some(balpan_contest::JudgeError::Input { line, column, expected, .. }) = error else {
            panic!("{name}: {input} is read: {error:?}");
        };
        assert_eq!((line, column), at, "{name}: {input}");
        assert!(!expected.is_empty());
    }
}

#[test]
fn sources_and_numbers_find_a_problem() {
    for (text, name) in [
        ("boj9655", "boj9655"),
        ("BOJ 9655", "boj9655"),
        ("9655", "boj9655"),
        ("BOJ 7682", "boj7682"),
        ("LeetCode-486", "leetcode486"),
        ("hackerrank nim", "hackerrank-nim"),
        ("platforms", "platforms"),
        ("Programmers 92345", "platforms"),
        ("92345", "platforms"),
        ("AlgoSpot BLOCKGAME", "blockgame"),
        ("AlgoSpot tictactoe", "tictactoe"),
    ] {
        assert_eq!(find_problem(text), Some(name), "{text}");
    }
    assert_eq!(find_problem("9999"), None);
    assert_eq!(find_problem(""), None);
}
