//! Random rules and positions.

use balpan::SplitMix;
use balpan_games::AnyGame;

use super::{chance, game_at, one};

/// Returns a random game from a random start, on a board of at most `max_size` cells or with at
/// most `max_size` tokens, and the texts of its rules and of the start.
pub(crate) fn game(random: &mut SplitMix, max_size: usize) -> (AnyGame, String, String) {
    loop {
        let (rules, start) = match random.below(4) {
            0 => walkers(random, max_size.min(64)),
            1 => placement(random, max_size),
            2 => lines(random, max_size.min(64)),
            _ => heaps(random, max_size),
        };
        if let Some(game) = game_at(&rules, &start) {
            return (game, rules, start);
        }
    }
}

fn board(random: &mut SplitMix, max_size: usize) -> (usize, usize) {
    loop {
        let max_side = if chance(random, 10) { max_size } else { max_size.isqrt() + 2 };
        let (rows, cols) = (1 + random.below(max_side), 1 + random.below(max_side));
        if rows * cols <= max_size && rows * cols > 1 {
            return (rows, cols);
        }
    }
}

fn rows(glyphs: &[char], cols: usize) -> String {
    glyphs.chunks(cols).map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
}

fn walkers(random: &mut SplitMix, max_size: usize) -> (String, String) {
    let steps = match random.below(6) {
        0 => "\"orthogonal\"".into(),
        1 => "\"king\"".into(),
        2 => "\"knight\"".into(),
        3 => "\"queen\"".into(),
        _ => {
            let far = if chance(random, 20) { 9 } else { 2 };
            let mut by = || random.below(2 * far + 1) as i32 - far as i32;
            let steps: Vec<String> = (0..5).map(|_| format!("[{}, {}]", by(), by())).collect();
            format!("[{}]", steps[random.below(4)..].join(", "))
        }
    };
    let (share, torus) = (chance(random, 50), chance(random, 40));
    let (row, cols) = board(random, max_size);
    let cells = row * cols;
    let holes = random.below(50);
    let mut glyphs: Vec<char> = (0..cells).map(|_| if chance(random, holes) { '#' } else { '.' }).collect();
    let (a, b) = (random.below(cells), random.below(cells));
    (glyphs[a], glyphs[b]) = ('A', 'B');
    if a == b {
        glyphs[a] = '*';
    } else if share && chance(random, 5) {
        glyphs[a] = '!';
    }
    let turn = one(random, &["", " a", " b"]);
    (
        format!("family = \"walkers\"\nboard = \"5x5\"\nsteps = {steps}\nshare = {share}\ntorus = {torus}\n"),
        rows(&glyphs, cols) + turn,
    )
}

const DRAWINGS: [&str; 16] = [
    "#",
    "##",
    "##",
    "#/#",
    "##/#.",
    "###",
    "#.#",
    "##/##",
    "#./.#",
    ".##/##.",
    "####",
    "#.#/.#.",
    ".##/##./.#.",
    "#..#",
    "#../.../..#",
    "##../.###",
];

fn placement(random: &mut SplitMix, max_size: usize) -> (String, String) {
    let (rotate, reflect, misere) = (chance(random, 50), chance(random, 50), chance(random, 25));
    let mut text =
        format!("family = \"placement\"\nboard = \"9x9\"\nrotate = {rotate}\nreflect = {reflect}\nmisere = {misere}\n");
    let titles: &[&str] = if chance(random, 40) { &["left", "right"] } else { &["pieces"] };
    let supplied = if chance(random, 35) { 60 } else { 0 };
    let (mut supply, mut drawn, mut used) = (String::new(), String::new(), String::new());
    let mut names = 'A'..='Z';
    for title in titles {
        drawn += &format!("[{title}]\n");
        for _ in 0..=random.below(3) {
            let Some(name) = names.next() else { break };
            drawn += &format!("{name} = \"{}\"\n", one(random, &DRAWINGS));
            if chance(random, supplied) {
                let few = 1 + random.below(3);
                supply += &format!("{name} = {few}\n");
                used += &name.to_string().repeat(random.below(few + 1));
            }
        }
    }
    if !supply.is_empty() {
        text += &format!("[supply]\n{supply}");
    }
    text += &drawn;
    let (row, cols) = board(random, max_size);
    let filled = random.below(60);
    let glyphs: Vec<char> = (0..row * cols).map(|_| if chance(random, filled) { '#' } else { '.' }).collect();
    let mut start = rows(&glyphs, cols);
    if titles.len() == 2 {
        start += one(random, &["", " l", " r"]);
    }
    if !used.is_empty() {
        start += &format!(" -{used}");
    }
    (text, start)
}

fn lines(random: &mut SplitMix, max_size: usize) -> (String, String) {
    let (row, cols) = board(random, max_size);
    let k = 1 + random.below(row.max(cols).min(5));
    let (gravity, shared) = (chance(random, 40), chance(random, 35));
    let (overlines, misere) = (chance(random, 60), chance(random, 35));
    let marks = if shared { "shared" } else { "own" };
    let (marked, mut glyphs) = (random.below(70), vec!['.'; row * cols]);
    for cell in (0..row * cols).rev() {
        let floats = gravity && glyphs.get(cell + cols) == Some(&'.');
        if !floats && chance(random, marked) {
            glyphs[cell] = if shared || chance(random, 50) { 'X' } else { 'O' };
        }
    }
    let turn = if shared { "" } else { one(random, &["", " x", " o"]) };
    (
        format!(
            "family = \"lines\"\nboard = \"{row}x{cols}\"\nk = {k}\ngravity = {gravity}\nmarks = \"{marks}\"\n\
             overlines = {overlines}\nmisere = {misere}\n"
        ),
        rows(&glyphs, cols) + turn,
    )
}

fn heaps(random: &mut SplitMix, max_size: usize) -> (String, String) {
    let code = match random.below(12) {
        0..3 => "nim".into(),
        3 => "0.77".into(),
        4 => "0.07".into(),
        5 => "0.137".into(),
        6 => "4.7".into(),
        7 => "4.0077".into(),
        8 => "4.".into(),
        _ => {
            let first = if chance(random, 30) { 4 } else { 0 };
            let digits: String = (0..=random.below(4)).map(|_| random.below(8).to_string()).collect();
            format!("{first}.{digits}")
        }
    };
    let misere = chance(random, 35);
    let mut left = max_size.min(32);
    let mut heaps = Vec::new();
    for _ in 0..=random.below(5) {
        let heap = random.below(left + 1);
        left -= heap;
        heaps.push(heap.to_string());
    }
    (format!("family = \"heaps\"\ncode = \"{code}\"\nstart = \"1\"\nmisere = {misere}\n"), heaps.join(" "))
}
