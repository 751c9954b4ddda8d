//! The head of a certificate: the rules, the position and the claim, in words.

use std::collections::BTreeMap;

use crate::family::{Board, Family, Position};
use crate::heaps::Heaps;
use crate::lines::{self, Lines};
use crate::placement::{MOST_COUNTED, Piece, Placement};
use crate::sure::Sure;
use crate::walkers::Walkers;

/// The first line of every certificate.
pub const FIRST_LINE: &str = "balpan certificate 1";

/// Positions of the longest search for one claim.
const MOST_SETTLED: u64 = 100_000;

/// What a certificate claims, and of what.
#[derive(Debug)]
pub struct Header {
    /// What the game is called. Nothing depends on it.
    pub game: String,
    /// The rules.
    pub family: Box<dyn Family>,
    /// The position that the claim is about.
    pub position: Position,
    /// The claim, in words.
    pub words: String,
    /// The claim.
    pub claim: Claim,
    /// What the checker is to settle by itself: the most positions searched for a claim, or, for
    /// nimbers, the most cells or tokens of a part.
    pub settle: u64,
    /// The number of claims that follow.
    pub claims: u64,
    /// Whether the answers are text.
    pub is_text: bool,
}

/// What is claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// What players can force: for each, whether it is the one to move, and the result.
    Play(Vec<(bool, Sure)>),
    /// That this is the nimber.
    Nimber(u32),
    /// That the nimber is not 0: the player to move wins.
    NotZero,
}

/// The lines of a head, each of which is to be read once.
struct Keys<'t>(BTreeMap<&'t str, Vec<&'t str>>);

impl<'t> Keys<'t> {
    fn one(&mut self, key: &str) -> Result<&'t str, String> {
        match self.0.remove(key).as_deref() {
            Some([value]) => Ok(value),
            Some(_) => Err(format!("more than one line `{key}:`")),
            None => Err(format!("no line `{key}:`")),
        }
    }

    fn number(&mut self, key: &str) -> Result<u64, String> {
        let value = self.one(key)?;
        value.parse().map_err(|_| format!("`{key}: {value}`: expected a number"))
    }

    fn yes(&mut self, key: &str) -> Result<bool, String> {
        self.choice(key, ["no", "yes"]).map(|choice| choice == 1)
    }

    fn choice<const N: usize>(&mut self, key: &str, choices: [&str; N]) -> Result<usize, String> {
        let value = self.one(key)?;
        let expected = || format!("`{key}: {value}`: expected {}", choices.join(" or "));
        choices.iter().position(|choice| *choice == value).ok_or_else(expected)
    }
}

impl Header {
    /// Reads the lines up to the first empty one.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        if lines.next() != Some(FIRST_LINE) {
            return Err(format!("the first line is not `{FIRST_LINE}`"));
        }
        let mut keys = Keys(BTreeMap::new());
        for line in lines {
            let (key, value) = line.split_once(':').ok_or_else(|| format!("`{line}`: expected a key and `:`"))?;
            keys.0.entry(key.trim()).or_default().push(value.trim());
        }
        let text = keys.one("position")?;
        let (family, position) = family(&mut keys, text)?;
        let game = keys.one("game")?.to_owned();
        let words = keys.one("claim")?.to_owned();
        let claim = Claim::parse(&words, &*family, &position)?;
        match &claim {
            Claim::Play(_) => family.check_room(&position)?,
            Claim::Nimber(_) | Claim::NotZero if family.parts(&position).is_some() => {}
            _ => return Err("only impartial games by the normal convention have nimbers".into()),
        }
        let (settle, claims) = (keys.number("settle")?, keys.number("claims")?);
        if settle > MOST_SETTLED {
            return Err(format!("`settle: {settle}`: expected at most {MOST_SETTLED}"));
        }
        let is_text = keys.choice("answers", ["packed", "text"])? == 1;
        if let Some(key) = keys.0.keys().next() {
            return Err(format!("the line `{key}:` says nothing to such a game"));
        }
        Ok(Self { game, family, position, words, claim, settle, claims, is_text })
    }
}

/// The rules, and the position that a text shows.
fn family(keys: &mut Keys<'_>, text: &str) -> Result<(Box<dyn Family>, Position), String> {
    let choice = keys.choice("family", ["walkers", "placement", "lines", "heaps"])?;
    let family: Box<dyn Family> = if choice == 3 {
        Box::new(Heaps::new(keys.one("code")?, keys.yes("misere")?)?)
    } else {
        let (board, _, _) = Board::read(text.split(" used ").next().unwrap_or(text))?;
        match choice {
            0 => {
                let (steps, slide) = steps(keys.one("steps")?)?;
                Box::new(Walkers::new(board, &steps, slide, keys.yes("share")?, keys.yes("torus")?))
            }
            1 => {
                let pieces = pieces(keys)?;
                Box::new(Placement::new(board, &pieces, keys.yes("rotate")?, keys.yes("reflect")?, keys.yes("misere")?))
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
                if board.cells() > Lines::MOST_CELLS {
                    return Err(format!("a board of {} cells: expected at most {}", board.cells(), Lines::MOST_CELLS));
                }
                Box::new(Lines::new(board, rules))
            }
        }
    };
    let position = family.read(text).map_err(|wrong| format!("`position: {text}`: {wrong}"))?;
    Ok((family, position))
}

/// How tokens step: rows down and columns to the right, and whether they slide.
fn steps(text: &str) -> Result<(Vec<(i32, i32)>, bool), String> {
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
            (text.split_whitespace().map(step).collect::<Result<_, _>>()?, false)
        }
    })
}

/// Lines such as `piece: ##/#.`, `left: #/#` and `right: ## x 3`, in this order.
fn pieces(keys: &mut Keys<'_>) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    for (key, of) in [("piece", [true, true]), ("left", [true, false]), ("right", [false, true])] {
        for text in keys.0.remove(key).unwrap_or_default() {
            let (shape, supply) = text.split_once(" x ").map_or((text, None), |(shape, supply)| (shape, Some(supply)));
            let (board, glyphs, _) = Board::read(shape)?;
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
    if pieces.is_empty()
        || pieces.len() > 64
        || pieces.len() > MOST_COUNTED && pieces.iter().any(|piece| piece.supply.is_some())
    {
        return Err(format!("{} pieces: expected 1 to 64, or 31 with supplies", pieces.len()));
    }
    Ok(pieces)
}

impl Claim {
    fn parse(words: &str, family: &dyn Family, position: &Position) -> Result<Self, String> {
        let plies = |text: &str| text.strip_suffix(" plies").and_then(|n| n.parse().ok()).filter(|n| *n < 1 << 16);
        if let Some(n) = words.strip_prefix("the nimber is ").and_then(|n| n.parse().ok()) {
            return Ok(Self::Nimber(n));
        }
        if words == "it is a draw" {
            return Ok(Self::Play(vec![(true, Sure::DRAW), (false, Sure::DRAW)]));
        }
        for (player, moves) in family.players(position).into_iter().zip([true, false]) {
            let Some(does) = words.strip_prefix(player) else { continue };
            if does == " wins" && family.parts(position).is_some() {
                return Ok(if moves { Self::NotZero } else { Self::Nimber(0) });
            }
            if does == " wins" {
                return Ok(Self::Play(vec![(moves, Sure::WIN)]));
            }
            if does == " draws or wins" {
                return Ok(Self::Play(vec![(moves, Sure::DRAW)]));
            }
            if let Some(n) = does.strip_prefix(" wins within ").and_then(plies) {
                return Ok(Self::Play(vec![(moves, Sure::win_within(n))]));
            }
            if let Some(n) = does.strip_prefix(" does not lose before ").and_then(plies) {
                return Ok(Self::Play(vec![(moves, Sure::no_loss_before(n))]));
            }
            if let Some(n) = does.strip_prefix(" wins in exactly ").and_then(plies) {
                return Ok(Self::Play(vec![(moves, Sure::win_within(n)), (!moves, Sure::no_loss_before(n))]));
            }
        }
        Err(format!("`claim: {words}`: expected such as `{} wins`", family.players(position)[0]))
    }
}
