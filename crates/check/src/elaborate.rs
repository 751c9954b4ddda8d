//! Certificates written out for the verified checker in `proofs`, which enumerates moves itself and searches nothing
//! but short endings. Nothing here has to be trusted. `proofs/README.md` describes the form.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use crate::trusted::board::each;
use crate::trusted::claim::{Claim, Guarantee};
use crate::trusted::game::{Game, Move, Position, canonical};
use crate::trusted::heaps;
use crate::trusted::nimber::{NimberClaims, odd_parts};
use crate::trusted::placement::Placement;
use crate::trusted::play::EndgameSearch;
use crate::untrusted::answers::{Answers, FromBytes, FromText, Method, Question, Refutation};
use crate::untrusted::coder::{Decoder, Packed};
use crate::untrusted::meter::Meter;
use crate::{CheckError, Limits, Result, parse, walk};

/// The first line of an elaborated certificate.
pub const FIRST_LINE: &str = "balpan elaborated 1";

/// Checks a certificate, and writes it out.
///
/// # Errors
/// Those of [`check`](crate::check); [`CheckError::TooLarge`] for games in the rules language and boards too wide to write out.
pub fn elaborate(bytes: &[u8], limits: &Limits) -> Result<String> {
    let (header, body) = parse(bytes)?;
    if !header.game.has_layers() {
        return Err(CheckError::TooLarge("claims of games in the rules language cannot be elaborated".into()));
    }
    let allowed = limits.work(bytes.len());
    let meter = Meter::new(allowed, limits.memory, limits.interrupt.clone());
    let text = std::str::from_utf8(body).ok().filter(|_| header.is_text);
    let inner: Box<dyn Answers + '_> = match text {
        Some(text) => Box::new(FromText::new(&*header.game, text)),
        None => Box::new(FromBytes { game: &*header.game, packed: Packed::new(Decoder::new(body)?) }),
    };
    let mut recorder = Recorder {
        inner,
        claims: BTreeMap::new(),
        part: header.position,
        replies: HashMap::new(),
        first: None,
        forced: HashMap::new(),
    };
    walk(&header, &mut recorder, &meter, limits.threads)?;
    let mut out = format!("{FIRST_LINE}\n");
    let head = String::from_utf8_lossy(&bytes[..bytes.len() - body.len()]);
    let is_kept = |line: &&str| !["settle:", "claims:", "answers:"].iter().any(|key| line.starts_with(key));
    head.lines().skip(1).filter(|line| !line.is_empty()).filter(is_kept).for_each(|line| out += &format!("{line}\n"));
    let (Recorder { claims, replies, first, forced, .. }, meter) = (recorder, Meter::unlimited());
    if let Claim::Play(halves) = &header.claim {
        let search = EndgameSearch::new(&*header.game, Meter::unlimited());
        let mut play =
            PlayElaborator { game: &*header.game, forced, search, meter, out: &mut out, ids: HashMap::new() };
        play.write(&header.position, halves)?;
        return Ok(out);
    }
    let nimbers = Nimbers { game: &*header.game, settle: header.settle, claims, small: HashMap::new(), meter };
    match header.game.placement() {
        None => write_table(nimbers, &header.position, &mut out)?,
        Some(game) => {
            let mut elaborator = Elaborator::new(game, nimbers, replies, &mut out)?;
            elaborator.write(&header.position, first)?;
        }
    }
    Ok(out)
}

/// Writes the nimbers of all heaps up to the largest.
fn write_table(mut nimbers: Nimbers<'_>, at: &Position, out: &mut String) -> Result<()> {
    *out += "\nt";
    for heap in 0..=heaps::heaps(at).max().unwrap_or(0) {
        let part = heaps::position([heap].into_iter()).unwrap_or(*at);
        write_to(out, format_args!(" {}", nimbers.nimber_of_small(&part)?));
    }
    *out += "\n";
    Ok(())
}

fn write_to(out: &mut String, args: std::fmt::Arguments<'_>) {
    out.write_fmt(args).unwrap_or_default();
}

/// Passes answers on, and keeps the claims and replies.
struct Recorder<'a> {
    inner: Box<dyn Answers + 'a>,
    /// The claimed nimbers.
    claims: BTreeMap<Position, u32>,
    /// The part that is asked about.
    part: Position,
    /// The position after the reply to each option of a part, by the words of both.
    replies: HashMap<(u128, u128), Position>,
    /// The position after the first player's move.
    first: Option<Position>,
    /// What the player who is not to move can force, at least.
    forced: HashMap<Position, Guarantee>,
}

impl Answers for Recorder<'_> {
    fn method(&mut self, at: &Position, guarantee: Guarantee) -> Result<Method> {
        let strongest = self.forced.get(at).map_or(guarantee, |known| guarantee.max(*known));
        self.forced.insert(*at, strongest);
        self.inner.method(at, guarantee)
    }

    fn reply(&mut self, question: &Question<'_>) -> Result<usize> {
        let index = self.inner.reply(question)?;
        self.first = question.replies.get(index).map(|reply| reply.after);
        Ok(index)
    }

    fn part(&mut self, part: &Position, nimber: u32, nimbers: &mut NimberClaims<'_>) -> Result<()> {
        self.part = *part;
        self.claims.insert(*part, nimber);
        self.inner.part(part, nimber, nimbers)
    }

    fn refutation(
        &mut self,
        nimber: u32,
        option: &Move,
        replies: &[Move],
        nimbers: &mut NimberClaims<'_>,
    ) -> Result<Refutation> {
        let refutation = self.inner.refutation(nimber, option, replies, nimbers)?;
        if let Refutation::Reply(index) = refutation
            && let Some(reply) = replies.get(index)
        {
            self.replies.insert((self.part.0, option.after.0), reply.after);
        }
        Ok(refutation)
    }

    fn nimber(&mut self, part: &Position) -> Result<u32> {
        self.inner.nimber(part)
    }

    fn end(&mut self) -> Result<()> {
        self.inner.end()
    }
}

/// The nimbers of parts: those claimed, and those of small parts.
struct Nimbers<'h> {
    game: &'h dyn Game,
    settle: u64,
    claims: BTreeMap<Position, u32>,
    small: HashMap<Position, u32>,
    meter: Meter,
}

impl Nimbers<'_> {
    fn moves(&self, at: &Position) -> Result<Vec<Move>> {
        let mut moves = Vec::new();
        self.game.moves(at, &self.meter, &mut moves)?;
        Ok(moves)
    }

    /// The nimber of a canonical part, if it is known.
    fn nimber(&mut self, part: &Position) -> Result<Option<u32>> {
        let is_small = u64::from(self.game.layer(part)) <= self.settle;
        if is_small { self.nimber_of_small(part).map(Some) } else { Ok(self.claims.get(part).copied()) }
    }

    fn nimber_of_small(&mut self, part: &Position) -> Result<u32> {
        if let Some(nimber) = self.small.get(part) {
            return Ok(*nimber);
        }
        let mut met = Vec::new();
        for mv in self.moves(part)? {
            let parts = odd_parts(self.game, &mv.after, &self.meter)?;
            met.push(parts.iter().try_fold(0, |sum, part| Ok::<u32, CheckError>(sum ^ self.nimber_of_small(part)?))?);
        }
        let nimber = (0..).find(|nimber| !met.contains(nimber)).unwrap_or(0);
        self.small.insert(*part, nimber);
        Ok(nimber)
    }

    /// The nimber of a position, if those of its parts are known.
    fn sum(&mut self, at: &Position) -> Result<Option<u32>> {
        let mut sum = 0;
        for part in odd_parts(self.game, at, &self.meter)? {
            let Some(nimber) = self.nimber(&part)? else { return Ok(None) };
            sum ^= nimber;
        }
        Ok(Some(sum))
    }
}

/// Writes the claims of a game of placement. Cells are on a line, with so much room between rows that no shape reaches
/// from one end of a row to another row.
struct Elaborator<'h, 'o> {
    game: &'h Placement,
    nimbers: Nimbers<'h>,
    replies: HashMap<(u128, u128), Position>,
    out: &'o mut String,
    /// The cells from the beginning of a row to that of the next.
    width: usize,
    /// The shapes on the line, from cell 0.
    shapes: Vec<u128>,
    /// The numbers of the sets written so far, each moved to cell 0.
    ids: HashMap<u128, usize>,
}

impl<'h, 'o> Elaborator<'h, 'o> {
    fn new(
        game: &'h Placement,
        nimbers: Nimbers<'h>,
        replies: HashMap<(u128, u128), Position>,
        out: &'o mut String,
    ) -> Result<Self> {
        let column = |cell: usize| cell % game.board.cols;
        let columns =
            |cells: u128| each(cells).map(column).max().unwrap_or(0) - each(cells).map(column).min().unwrap_or(0);
        let width = game.board.cols + game.places.iter().map(|place| columns(place.cells)).max().unwrap_or(0);
        if game.board.rows * width > 128 {
            return Err(CheckError::TooLarge(format!(
                "{} rows of {width} cells: expected at most 128",
                game.board.rows
            )));
        }
        let mut this = Self { game, nimbers, replies, out, width, shapes: Vec::new(), ids: HashMap::new() };
        this.shapes = game.places.iter().map(|place| to_start(this.on_line(place.cells)).0).collect();
        this.shapes.sort_unstable();
        this.shapes.dedup();
        Ok(this)
    }

    fn write(&mut self, root: &Position, first: Option<Position>) -> Result<()> {
        write_to(self.out, format_args!("width: {}\n", self.width));
        for shape in &self.shapes {
            let others: Vec<String> = each(shape & !1).map(|cell| cell.to_string()).collect();
            write_to(self.out, format_args!("shape: {}\n", others.join(" ")));
        }
        *self.out += "\n";
        for turn in &self.game.turns {
            let cells = (0..self.game.board.cells()).filter(|cell| turn.fits(1 << cell));
            let pair = |cell: usize| [1 << cell, turn.image(1 << cell)].map(|set| self.on_line(set).trailing_zeros());
            let pairs: Vec<String> = cells.map(pair).map(|[from, to]| format!("{from}>{to}")).collect();
            write_to(self.out, format_args!("s {}\n", pairs.join(" ")));
        }
        let mut claims: Vec<(Position, u32)> = self.nimbers.claims.iter().map(|(part, n)| (*part, *n)).collect();
        claims.sort_by_key(|(part, _)| self.game.layer(part));
        for (part, nimber) in claims {
            self.write_claim(&part, nimber)?;
        }
        let last = match first {
            None => self.sum_words(root, 0)?,
            Some(after) => self.reply_words(root, &after, 0)?,
        };
        write_to(self.out, format_args!("e {}\n", last.unwrap_or_default()));
        Ok(())
    }

    /// A set of cells of the board on the line.
    fn on_line(&self, cells: u128) -> u128 {
        let cols = self.game.board.cols;
        each(cells).fold(0, |set, cell| set | 1 << (cell / cols * self.width + cell % cols))
    }

    /// The free cells on the line, moved to cell 0, and by how much.
    fn free(&self, at: &Position) -> (u128, u32) {
        to_start(self.on_line(self.game.board.all() & !at.0))
    }

    /// Writes that a part has a nimber.
    fn write_claim(&mut self, part: &Position, nimber: u32) -> Result<()> {
        let mut options = Vec::new();
        for mv in self.nimbers.moves(part)? {
            options.push((self.placed(part, &mv.after), mv.after));
        }
        options.sort_unstable();
        options.dedup();
        let (free, base) = self.free(part);
        let mut words = String::new();
        for (_, after) in options {
            let option = match self.nimbers.sum(&after)? {
                Some(_) => self.sum_words(&after, base)?,
                None => match self.reply(part, &after, nimber)? {
                    Some(reply) => self.reply_words(&after, &reply, base)?,
                    None => None,
                },
            };
            words += " ";
            words += &option.ok_or_else(|| CheckError::NotProved("an option has no answer".into()))?;
        }
        self.ids.insert(free, self.ids.len() + 1);
        write_to(self.out, format_args!("c {free:x} {nimber}{words}\n"));
        Ok(())
    }

    /// The position after a reply to a position that has the nimber.
    fn reply(&mut self, part: &Position, at: &Position, nimber: u32) -> Result<Option<Position>> {
        if let Some(reply) = self.replies.get(&(part.0, at.0)) {
            return Ok(Some(*reply));
        }
        for mv in self.nimbers.moves(at)? {
            if self.nimbers.sum(&mv.after)? == Some(nimber) {
                return Ok(Some(mv.after));
            }
        }
        Ok(None)
    }

    /// The number of the shape of the cells filled, and the lowest of them.
    fn placed(&self, before: &Position, after: &Position) -> (usize, u32) {
        let (shape, lowest) = to_start(self.on_line(after.0 & !before.0));
        (self.shapes.binary_search(&shape).unwrap_or(0), lowest)
    }

    /// A move and the parts after it, where cell `base` is written as 0.
    fn reply_words(&mut self, before: &Position, after: &Position, base: u32) -> Result<Option<String>> {
        let (shape, lowest) = self.placed(before, after);
        Ok(self.sum_words(after, base)?.map(|words| format!("{shape}@{}:{words}", lowest - base)))
    }

    /// The parts of a position: the number of each, and by how much it is shifted from `base`.
    fn sum_words(&mut self, at: &Position, base: u32) -> Result<Option<String>> {
        let parts = self.game.parts(at, &self.nimbers.meter)?.unwrap_or_default();
        let words = parts.iter().map(|part| {
            let (free, by) = self.free(part);
            Ok(format!("{}.{}", self.id(free, &self.game.canonical_part(part))?, by - base))
        });
        let words = words.collect::<Result<Vec<String>>>()?;
        Ok(Some(if words.is_empty() { "-".into() } else { words.join(",") }))
    }

    /// The number of a set, which is written if it has not been.
    fn id(&mut self, free: u128, canonical: &Position) -> Result<usize> {
        if let Some(id) = self.ids.get(&free) {
            return Ok(*id);
        }
        let (standing, by) = self.free(canonical);
        if !self.ids.contains_key(&standing) {
            if let Some(nimber) = self.nimbers.nimber(canonical)? {
                self.write_claim(canonical, nimber)?;
            } else {
                self.ids.insert(standing, self.ids.len() + 1);
                write_to(self.out, format_args!("u {standing:x}\n"));
            }
        }
        if standing != free {
            let cells = self.game.board.all() & !canonical.0;
            let is_image = |turn: &crate::trusted::board::Turn| {
                turn.fits(cells) && to_start(self.on_line(turn.image(cells))).0 == free
            };
            let turn = self.game.turns.iter().position(is_image).map_or(0, |turn| turn + 1);
            let id = self.ids.get(&standing).copied().unwrap_or(0);
            self.ids.insert(free, self.ids.len() + 1);
            write_to(self.out, format_args!("i {id} {by} {turn}\n"));
        }
        Ok(self.ids.get(&free).copied().unwrap_or(0))
    }
}

/// The set moved to cell 0, and by how much.
fn to_start(cells: u128) -> (u128, u32) {
    let by = cells.trailing_zeros() & 127;
    (cells >> by, by)
}

/// The positions of the longest search for a reply.
const MAX_SEARCH: u64 = 10_000_000;

/// The positions of the longest search that is left to the verified checker, whose searches have no table.
const MAX_LEFT: u64 = 300;

/// Writes claims about play.
struct PlayElaborator<'h, 'o> {
    game: &'h dyn Game,
    forced: HashMap<Position, Guarantee>,
    search: EndgameSearch<'h>,
    meter: Meter,
    out: &'o mut String,
    /// The numbers of the claims written so far.
    ids: HashMap<(Position, Guarantee), usize>,
}

impl PlayElaborator<'_, '_> {
    fn write(&mut self, root: &Position, halves: &[(bool, Guarantee)]) -> Result<()> {
        *self.out += "\n";
        let end = self.game.end(root, &self.meter)?;
        let mut words = Vec::new();
        for &(is_mover, guarantee) in halves {
            words.push(match end {
                Some(_) => "-".into(),
                None if is_mover => self.reply(root, guarantee)?,
                None if guarantee.is_nothing() => "-".into(),
                None => self.claim(root, guarantee)?,
            });
        }
        write_to(self.out, format_args!("e {}\n", words.join(" ")));
        Ok(())
    }

    fn moves(&self, at: &Position) -> Result<Vec<Move>> {
        let mut moves = Vec::new();
        self.game.moves(at, &self.meter, &mut moves)?;
        Ok(moves)
    }

    /// The reply of the claimer, who is to move: its number, and that of the claim about the position after it.
    fn reply(&mut self, at: &Position, guarantee: Guarantee) -> Result<String> {
        if guarantee.is_nothing() {
            return Ok("-".into());
        }
        let (replies, then) = (self.moves(at)?, guarantee.after_a_ply());
        let is_enough = |reply: &Move| reply.end.map_or(then.is_nothing(), |end| then.is_met_by(-end));
        if let Some(index) = replies.iter().position(is_enough) {
            return Ok(index.to_string());
        }
        for is_searched in [false, true] {
            for (index, reply) in replies.iter().enumerate().filter(|(_, reply)| reply.end.is_none()) {
                let key = canonical(self.game, &reply.after, then, &self.meter)?;
                let does = self.ids.contains_key(&(reply.after, then))
                    || self.forced.get(&key).is_some_and(|known| *known >= then)
                    || is_searched && self.search.can_force(&reply.after, then, MAX_SEARCH)? == Some(true);
                if does {
                    return Ok(format!("{index}{}", self.claim(&reply.after, then)?));
                }
            }
        }
        Err(CheckError::NotProved("a move has no answer".into()))
    }

    /// That the player who is not to move can force a result: a short search, or the number of a claim.
    fn claim(&mut self, at: &Position, guarantee: Guarantee) -> Result<String> {
        let is_searched = self.search.can_force(at, guarantee, MAX_LEFT)? == Some(true);
        Ok(if is_searched { "?".into() } else { format!(".{}", self.id(at, guarantee)?) })
    }

    /// The number of the claim that the player who is not to move can force a result; it is written if it has not been.
    fn id(&mut self, at: &Position, guarantee: Guarantee) -> Result<usize> {
        if let Some(id) = self.ids.get(&(*at, guarantee)) {
            return Ok(*id);
        }
        let (moves, after) = (self.moves(at)?, guarantee.after_a_ply());
        let mut words = String::new();
        for mv in moves {
            let word = if mv.end.is_some() { "-".into() } else { self.reply(&mv.after, after)? };
            words = words + " " + &word;
        }
        let aim = match guarantee.plies() {
            None if guarantee == Guarantee::WIN => "w".into(),
            None => "d".into(),
            Some(plies) if guarantee > Guarantee::WIN => format!("w{plies}"),
            Some(plies) => format!("l{plies}"),
        };
        self.ids.insert((*at, guarantee), self.ids.len() + 1);
        write_to(self.out, format_args!("f {} {aim}{words}\n", self.game.write(at).replace(' ', "_")));
        Ok(self.ids.len())
    }
}
