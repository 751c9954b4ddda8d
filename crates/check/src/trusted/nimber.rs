//! Claims about nimbers: a part of a position has this nimber.
//!
//! No option of the part has the nimber: either the option's parts are claimed to have nimbers that add up to a
//! smaller one, or one of the option's own options is claimed to have the nimber, so that the option has another. And
//! every smaller nimber is some option's. Parts are checked layer by layer, from the highest; each claim rests on lower ones.

use std::collections::{BTreeMap, HashMap};

use super::claim::{Guarantee, Header};
use super::game::{Game, Move, Position};
use crate::untrusted::answers::{Answers, Question, Refutation};
use crate::untrusted::explain::not_the_nimber;
use crate::untrusted::meter::{Held, Meter};
use crate::{CheckError, Result};

/// Checks that the position has this nimber; `None` for one other than 0. Returns the number of claims made.
///
/// # Errors
/// The first claim that fails, or an invalid answer.
pub(crate) fn check(header: &Header, nimber: Option<u32>, answers: &mut dyn Answers, meter: &Meter) -> Result<u64> {
    let (game, root) = (&*header.game, header.position);
    let (open, small, held) = (BTreeMap::new(), HashMap::new(), meter.held());
    let mut known = NimberClaims { header, meter, layer: u32::MAX, open, small, count: 0, held };
    let mut at = root;
    if nimber.is_none() {
        let mut replies = Vec::new();
        game.moves(&root, meter, &mut replies)?;
        let question = Question { at: &root, guarantee: Guarantee::WIN, mv: None, replies: &replies };
        let index = if replies.is_empty() { 0 } else { answers.reply(&question)? };
        at = replies.get(index).ok_or_else(|| not_the_nimber(game, &root, 0, "there is no such move"))?.after;
    }
    let parts = known.parts(&at)?;
    known.claim(&parts, nimber.unwrap_or(0), answers, &at)?;
    while let Some((number, layer)) = known.open.pop_last() {
        known.layer = number;
        let mut layer: Vec<(Position, u32)> = layer.into_iter().collect();
        layer.sort_unstable();
        for (part, nimber) in layer {
            answers.part(&part, nimber, &mut known)?;
            let mut is_met = vec![false; nimber as usize];
            for (option, parts) in known.options(&part)? {
                // A known sum needs no answer.
                let value = match known.sum(&parts)? {
                    Some(value) => Some(value),
                    None => known.refute(nimber, &option, &parts, answers)?,
                };
                match value {
                    Some(value) if value == nimber => {
                        let why = format!("the option {} has it", game.write_move(option.number));
                        return Err(not_the_nimber(game, &part, nimber, &why));
                    }
                    Some(value) if value < nimber => is_met[value as usize] = true,
                    _ => {}
                }
            }
            if let Some(less) = is_met.iter().position(|is_met| !is_met) {
                return Err(not_the_nimber(game, &part, nimber, &format!("no option is shown to have {less}")));
            }
        }
    }
    Ok(known.count)
}

/// The parts of a position, sorted, without pairs of the same part: those add up to 0.
///
/// # Errors
/// If the game has no nimbers, or the meter has nothing left.
pub fn odd_parts(game: &dyn Game, at: &Position, meter: &Meter) -> Result<Vec<Position>> {
    let no_parts = || CheckError::NotACertificate("such a game has no nimbers".into());
    let mut parts = game.parts(at, meter)?.ok_or_else(no_parts)?;
    meter.spend(64 + 256 * parts.len() as u64)?;
    parts.iter_mut().for_each(|part| *part = game.canonical_part(part));
    parts.sort_unstable();
    let mut odd = 0;
    for n in 0..parts.len() {
        if odd > 0 && parts[odd - 1] == parts[n] {
            odd -= 1;
        } else {
            parts[odd] = parts[n];
            odd += 1;
        }
    }
    parts.truncate(odd);
    Ok(parts)
}

/// Parts with their nimbers, claimed or found by the checker itself.
#[derive(Debug)]
pub struct NimberClaims<'h> {
    header: &'h Header,
    meter: &'h Meter,
    /// The layer of the claims that are being checked.
    layer: u32,
    /// Claims about parts still to be checked, by layer.
    open: BTreeMap<u32, HashMap<Position, u32>>,
    /// The nimbers of small parts that the checker has found by itself.
    small: HashMap<Position, u32>,
    /// The number of claims made.
    count: u64,
    held: Held,
}

/// The largest number of parts whose nimbers the checker finds.
const MAX_SMALL: u64 = 1 << 18;

/// Claimed nimbers are below this.
const MAX_NIMBER: u32 = 256;

/// Bytes of a part with its nimber in a hash map that has room for twice as many and grows.
const ENTRY_BYTES: u64 = 3 * size_of::<(Position, u32)>() as u64;

impl NimberClaims<'_> {
    /// As [`odd_parts`].
    ///
    /// # Errors
    /// As [`odd_parts`].
    pub fn parts(&self, at: &Position) -> Result<Vec<Position>> {
        odd_parts(&*self.header.game, at, self.meter)
    }

    /// The moves that lead to different sums, with the parts of each.
    ///
    /// # Errors
    /// As [`odd_parts`].
    pub fn options(&self, at: &Position) -> Result<Vec<(Move, Vec<Position>)>> {
        let mut moves = Vec::with_capacity(64);
        self.header.game.moves(at, self.meter, &mut moves)?;
        let layer = self.header.game.layer(at);
        let with_parts = |mv: Move| {
            let parts = self.parts(&mv.after)?;
            parts.iter().try_for_each(|part| self.require_lower(part, layer))?;
            Ok((mv, parts))
        };
        let mut options = moves.into_iter().map(with_parts).collect::<Result<Vec<_>>>()?;
        options.sort_by(|one, other| one.1.cmp(&other.1));
        options.dedup_by(|one, other| one.1 == other.1);
        Ok(options)
    }

    /// Fails unless a part is of a lower layer.
    fn require_lower(&self, part: &Position, layer: u32) -> Result<()> {
        let game = &*self.header.game;
        if game.layer(part) < layer {
            return Ok(());
        }
        let why = "a move takes away neither an empty cell nor a piece: nothing shows that play ends";
        Err(CheckError::NotACertificate(format!("{why}, at {}", game.write(part))))
    }

    /// The sum of the nimbers of parts, if all are known.
    ///
    /// # Errors
    /// If too many parts are small, or the meter has nothing left.
    pub fn sum(&mut self, parts: &[Position]) -> Result<Option<u32>> {
        let mut sum = Some(0);
        for part in parts {
            sum = self.nimber(part)?.zip(sum).map(|(nimber, sum)| nimber ^ sum);
        }
        Ok(sum)
    }

    /// The nimber of a part, if it is known.
    ///
    /// # Errors
    /// As [`sum`](Self::sum).
    pub fn nimber(&mut self, part: &Position) -> Result<Option<u32>> {
        let layer = self.header.game.layer(part);
        if u64::from(layer) <= self.header.settle {
            return self.nimber_of_small(part).map(Some);
        }
        Ok(self.open.get(&layer).and_then(|layer| layer.get(part)).copied())
    }

    /// The nimber of a small part: the least that no option has.
    fn nimber_of_small(&mut self, part: &Position) -> Result<u32> {
        if let Some(&nimber) = self.small.get(part) {
            return Ok(nimber);
        }
        let options = self.options(part)?;
        let bytes = options.iter().map(|(_, parts)| 96 + size_of_val(&parts[..]) as u64).sum();
        let _held = self.meter.hold(bytes)?;
        let mut met = Vec::new();
        for (_, parts) in options {
            let mut sum = 0;
            for part in parts {
                sum ^= self.nimber_of_small(&part)?;
            }
            met.push(sum);
        }
        met.sort_unstable();
        met.dedup();
        let nimber = (0..).zip(&met).find(|(n, met)| n != *met).map_or(met.len() as u32, |(n, _)| n);
        if self.small.len() as u64 >= MAX_SMALL {
            return Err(CheckError::TooLarge(format!("more than {MAX_SMALL} parts of `settle:` cells or less")));
        }
        self.held.grow(ENTRY_BYTES)?;
        self.small.insert(*part, nimber);
        Ok(nimber)
    }

    /// Has the answers show that an option has another nimber. Returns that nimber if it is claimed.
    fn refute(&mut self, nimber: u32, mv: &Move, parts: &[Position], answers: &mut dyn Answers) -> Result<Option<u32>> {
        let mut replies = Vec::new();
        self.header.game.moves(&mv.after, self.meter, &mut replies)?;
        match answers.refutation(nimber, mv, &replies, self)? {
            Refutation::Has(value) => {
                self.claim(parts, value, answers, &mv.after)?;
                Ok(Some(value))
            }
            Refutation::Reply(index) => {
                let no_reply = || not_the_nimber(&*self.header.game, &mv.after, nimber, "there is no such reply");
                let after = replies.get(index).ok_or_else(no_reply)?.after;
                let parts = self.parts(&after)?;
                self.claim(&parts, nimber, answers, &after)?;
                Ok(None)
            }
        }
    }

    /// Claims that the nimbers of the parts add up to this one.
    fn claim(&mut self, parts: &[Position], nimber: u32, answers: &mut dyn Answers, at: &Position) -> Result<()> {
        let mut unknown = Vec::new();
        let mut rest = nimber;
        for part in parts {
            match self.nimber(part)? {
                Some(known) => rest ^= known,
                None => unknown.push(*part),
            }
        }
        let Some(last) = unknown.pop() else {
            let other = || not_the_nimber(&*self.header.game, at, nimber, "its parts are claimed to add up to another");
            return if rest == 0 { Ok(()) } else { Err(other()) };
        };
        for part in unknown {
            let nimber = answers.nimber(&part)?;
            rest ^= nimber;
            self.open(part, nimber)?;
        }
        self.open(last, rest)
    }

    fn open(&mut self, part: Position, nimber: u32) -> Result<()> {
        let max = self.header.claims;
        self.count += 1;
        if self.count > max || nimber >= MAX_NIMBER {
            let what = format!("more claims than the {max} announced, or too large a nimber");
            return Err(CheckError::NotACertificate(what));
        }
        self.require_lower(&part, self.layer)?;
        self.held.grow(ENTRY_BYTES)?;
        self.open.entry(self.header.game.layer(&part)).or_default().insert(part, nimber);
        Ok(())
    }
}
