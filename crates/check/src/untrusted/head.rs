//! The head of a certificate: the rules, the position and the claim, in words.

use std::collections::BTreeMap;

use super::meter::Meter;
use super::notation::read_rows;
use crate::trusted::claim::{Claim, Guarantee, Header, MAX_SCORE};
use crate::trusted::game::Game;
use crate::trusted::heaps::Heaps;
use crate::trusted::language::Language;
use crate::trusted::lines::{self, Lines};
use crate::trusted::placement::{self, MAX_COUNTED, Piece, Placement};
use crate::trusted::walkers::{self, Walkers};

/// The first line of every certificate.
pub const FIRST_LINE: &str = "balpan certificate 1";

/// The largest number of positions that a claim may leave to a search.
const MAX_SETTLE: u64 = 100_000;

type Result<T> = std::result::Result<T, String>;

/// The lines of a head; each must be read once.
struct Keys<'t>(BTreeMap<&'t str, Vec<&'t str>>);

impl<'t> Keys<'t> {
    fn one(&mut self, key: &str) -> Result<&'t str> {
        match self.0.remove(key).as_deref() {
            Some([value]) => Ok(value),
            Some(_) => Err(format!("more than one line `{key}:`")),
            None => Err(format!("no line `{key}:`")),
        }
    }

    fn number(&mut self, key: &str) -> Result<u64> {
        let value = self.one(key)?;
        value.parse().map_err(|_| format!("`{key}: {value}`: expected a number"))
    }

    fn yes(&mut self, key: &str) -> Result<bool> {
        self.choice(key, ["no", "yes"]).map(|choice| choice == 1)
    }

    fn choice<const N: usize>(&mut self, key: &str, choices: [&str; N]) -> Result<usize> {
        let value = self.one(key)?;
        let expected = || format!("`{key}: {value}`: expected {}", choices.join(" or "));
        choices.iter().position(|choice| *choice == value).ok_or_else(expected)
    }
}

impl Header {
    /// Reads a head: the lines up to the first empty one.
    ///
    /// # Errors
    /// A description of the first error in the head.
    pub fn parse(text: &str) -> Result<Self> {
        let mut lines = text.lines();
        if lines.next() != Some(FIRST_LINE) {
            return Err(format!("the first line is not `{FIRST_LINE}`"));
        }
        let mut keys = Keys(BTreeMap::new());
        for line in lines.clone() {
            let (key, value) = line.split_once(':').ok_or_else(|| format!("`{line}`: expected a key and `:`"))?;
            keys.0.entry(key.trim()).or_default().push(value.trim());
        }
        let (text, words) = (keys.one("position")?, keys.one("claim")?);
        let game = match keys.0.get("family").map(Vec::as_slice) {
            Some(["language"]) => language(&mut keys, lines, text)?,
            _ => game(&mut keys, text.split_whitespace().next().unwrap_or(""))?,
        };
        let position = game.read(text).map_err(|wrong| format!("`position: {text}`: {wrong}"))?;
        let falls_apart = !game.is_one_part() && matches!(game.parts(&position, &Meter::unlimited()), Ok(Some(_)));
        let has_nimbers = falls_apart || game.is_one_part();
        let claim = read_claim(words, game.players(&position), falls_apart, game.has_scores())?;
        match claim {
            Claim::Play(_) => game.check_room(&position)?,
            Claim::Nimber(_) if !has_nimbers => {
                return Err("only impartial games by the normal convention have nimbers".into());
            }
            Claim::Nimber(_) | Claim::WinsByNimber(_) => {}
        }
        let (name, settle, claims) = (keys.one("game")?.to_owned(), keys.number("settle")?, keys.number("claims")?);
        if settle > MAX_SETTLE {
            return Err(format!("`settle: {settle}`: expected at most {MAX_SETTLE}"));
        }
        let is_text = keys.choice("answers", ["packed", "text"])? == 1;
        if let Some(key) = keys.0.keys().next() {
            return Err(format!("the line `{key}:` says nothing to such a game"));
        }
        Ok(Self { name, game, position, claim, settle, claims, is_text })
    }
}

/// Reads the rules of a game in the language: all lines that are not of every head, in their order.
fn language<'t>(keys: &mut Keys<'_>, lines: impl Iterator<Item = &'t str>, position: &str) -> Result<Box<dyn Game>> {
    let of_all = ["family", "game", "position", "claim", "settle", "claims", "answers"];
    let is_rule = |line: &&str| line.split_once(':').is_none_or(|(key, _)| !of_all.contains(&key.trim()));
    keys.0.retain(|key, _| of_all.contains(key) && *key != "family");
    Ok(Box::new(Language::new(&lines.filter(is_rule).collect::<Vec<_>>(), position)?))
}

/// Reads the rules of a game on the board of the position's rows.
fn game(keys: &mut Keys<'_>, rows: &str) -> Result<Box<dyn Game>> {
    let choice = keys.choice("family", ["walkers", "placement", "lines", "heaps"])?;
    if choice == 3 {
        return Ok(Box::new(Heaps::new(code(keys.one("code")?)?, keys.yes("misere")?)));
    }
    let (board, _) = read_rows(rows)?;
    Ok(match choice {
        0 => {
            let (steps, slide) = steps(keys.one("steps")?)?;
            let rules = walkers::Rules { steps, slide, share: keys.yes("share")?, torus: keys.yes("torus")? };
            Box::new(Walkers::new(board, rules))
        }
        1 => {
            let pieces = pieces(keys)?;
            let [rotate, reflect, misere] = [keys.yes("rotate")?, keys.yes("reflect")?, keys.yes("misere")?];
            Box::new(Placement::new(board, placement::Rules { pieces, rotate, reflect, misere }))
        }
        _ => {
            let k = keys.number("k")? as usize;
            if !(1..=128).contains(&k) {
                return Err(format!("`k: {k}`: expected 1 to 128"));
            }
            let rules = lines::Rules {
                k,
                gravity: keys.yes("gravity")?,
                shared: keys.choice("marks", ["own", "shared"])? == 1,
                overlines: keys.yes("overlines")?,
                misere: keys.yes("misere")?,
            };
            if board.cells() > Lines::MAX_CELLS {
                return Err(format!("a board of {} cells: expected at most {}", board.cells(), Lines::MAX_CELLS));
            }
            Box::new(Lines::new(board, rules))
        }
    })
}

/// Reads how tokens step: rows down and columns to the right, and whether they slide.
fn steps(text: &str) -> Result<(Vec<(i32, i32)>, bool)> {
    let square = |wanted: fn(i32, i32) -> bool| {
        let all = (-2..=2).flat_map(|down| (-2..=2).map(move |right| (down, right)));
        all.filter(|&(down, right): &(i32, i32)| wanted(down.abs(), right.abs())).collect()
    };
    Ok(match text {
        "orthogonal" => (square(|a, b| a + b == 1), false),
        "king" => (square(|a, b| a.max(b) == 1), false),
        "knight" => (square(|a, b| a * b == 2), false),
        "queen" => (square(|a, b| a.max(b) == 1), true),
        _ => {
            let number = |word: &str| word.parse().ok().filter(|by: &i32| by.abs() <= 128);
            let step = |word: &str| {
                let step = word.split_once(',').and_then(|(down, right)| number(down).zip(number(right)));
                step.ok_or_else(|| format!("the step `{word}`: expected rows down and columns right, such as `1,2`"))
            };
            (text.split_whitespace().map(step).collect::<Result<_>>()?, false)
        }
    })
}

/// Reads lines such as `piece: ##/#.`, `left: #/#` and `right: ## x 3`, in this order.
fn pieces(keys: &mut Keys<'_>) -> Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    for (key, of) in [("piece", [true, true]), ("left", [true, false]), ("right", [false, true])] {
        for text in keys.0.remove(key).unwrap_or_default() {
            let (shape, supply) = text.split_once(" x ").map_or((text, None), |(shape, supply)| (shape, Some(supply)));
            let (board, glyphs) = read_rows(shape)?;
            let cell = |cell: usize| ((cell / board.cols) as i32, (cell % board.cols) as i32);
            let cells: Vec<_> = (0..glyphs.len()).filter(|at| glyphs[*at] == '#').map(cell).collect();
            let is_supply = |supply: &u32| (1..=15).contains(supply);
            let supply = match supply.map(|supply| supply.parse().ok().filter(is_supply)) {
                Some(None) => return Err(format!("the piece `{text}`: expected 1 to 15 of it")),
                supply => supply.flatten(),
            };
            if cells.is_empty() || glyphs.iter().any(|glyph| !"#.".contains(*glyph)) {
                return Err(format!("the piece `{text}`: expected rows of `#` and `.`"));
            }
            pieces.push(Piece { cells, supply, of });
        }
    }
    let is_counted = pieces.iter().any(|piece| piece.supply.is_some());
    if pieces.is_empty() || pieces.len() > if is_counted { MAX_COUNTED } else { 64 } {
        return Err(format!("{} pieces: expected 1 to 64, or {MAX_COUNTED} with supplies", pieces.len()));
    }
    Ok(pieces)
}

/// Reads the digits of an octal code, the first for no tokens taken; `None` for Nim.
fn code(text: &str) -> Result<Option<Vec<u8>>> {
    if text == "nim" {
        return Ok(None);
    }
    let digits = text.split_once('.').filter(|(first, _)| matches!(*first, "0" | "4"));
    let digits = digits.map(|(first, others)| first.bytes().chain(others.bytes()).map(|c| c.wrapping_sub(b'0')));
    let digits = digits.map(Iterator::collect).filter(|digits: &Vec<u8>| digits.iter().all(|digit| *digit < 8));
    let expected = || format!("the code `{text}`: expected `nim` or an octal code such as `0.77`");
    digits.ok_or_else(expected).map(Some)
}

/// Reads a claim. The first of the `players` is to move; in games that fall into parts, nimbers decide who wins. Where there are
/// scores, plies are not counted.
fn read_claim(words: &str, players: [&str; 2], falls_apart: bool, has_scores: bool) -> Result<Claim> {
    let score = |text: &str| text.parse().ok().filter(|score: &i32| score.abs() <= MAX_SCORE);
    let plies = |text: &str| text.strip_suffix(" plies").and_then(|n| n.parse().ok()).filter(|n| *n < 1 << 16);
    if let Some(n) = words.strip_prefix("the nimber is ").and_then(|n| n.parse().ok()) {
        return Ok(Claim::Nimber(n));
    }
    if words == "it is a draw" {
        return Ok(Claim::Play(vec![(true, Guarantee::DRAW), (false, Guarantee::DRAW)]));
    }
    for (player, moves) in players.into_iter().zip([true, false]) {
        let Some(does) = words.strip_prefix(player) else { continue };
        if does == " wins" && falls_apart {
            return Ok(Claim::WinsByNimber(moves));
        }
        if does == " wins" {
            return Ok(Claim::Play(vec![(moves, Guarantee::WIN)]));
        }
        if does == " draws or wins" {
            return Ok(Claim::Play(vec![(moves, Guarantee::DRAW)]));
        }
        if has_scores {
            if let Some(n) = does.strip_prefix(" gets at least ").and_then(score) {
                return Ok(Claim::Play(vec![(moves, Guarantee::at_least(n))]));
            }
            if let Some(n) = does.strip_prefix(" gets at most ").and_then(score) {
                return Ok(Claim::Play(vec![(!moves, Guarantee::at_least(-n))]));
            }
            if let Some(n) = does.strip_prefix(" gets exactly ").and_then(score) {
                // The player who gets more stands first.
                let (first, n) = if n > 0 || n == 0 && moves { (moves, n) } else { (!moves, -n) };
                return Ok(Claim::Play(vec![(first, Guarantee::at_least(n)), (!first, Guarantee::at_least(-n))]));
            }
            continue;
        }
        if let Some(n) = does.strip_prefix(" wins within ").and_then(plies) {
            return Ok(Claim::Play(vec![(moves, Guarantee::win_within(n))]));
        }
        if let Some(n) = does.strip_prefix(" does not lose before ").and_then(plies) {
            return Ok(Claim::Play(vec![(moves, Guarantee::no_loss_before(n))]));
        }
        if let Some(n) = does.strip_prefix(" wins in exactly ").and_then(plies) {
            return Ok(Claim::Play(vec![(moves, Guarantee::win_within(n)), (!moves, Guarantee::no_loss_before(n))]));
        }
    }
    Err(format!("`claim: {words}`: expected such as `{} wins`", players[0]))
}
