//! Claims about nimbers: a part of a position has this nimber.
//!
//! No option of the part has the nimber: its own parts are claimed to have nimbers that add up to
//! a smaller one, or one of its options is claimed to have that nimber, so that it is another. And
//! every smaller nimber is some option's. Parts are taken layer by layer, from the highest.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicU64;

use crate::answers::{Answers, Failure, NotIt, Question};
use crate::family::{Family, Move, Position};
use crate::header::Header;
use crate::sure::Sure;
use crate::take;

/// Checks that the position has this nimber; `None` for one other than 0. Adds to `claims` the number of claims that this took.
///
/// # Errors
/// The first claim that fails, or what is not an answer.
pub fn check(
    header: &Header,
    nimber: Option<u32>,
    answers: &mut dyn Answers,
    allowed: &AtomicU64,
    claims: &mut u64,
) -> Result<(), Failure> {
    let mut sums = Sums { header, allowed, open: BTreeMap::new(), small: HashMap::new(), waiting: 0 };
    let (family, root, is_told) = (&*header.family, &header.position, nimber.is_some());
    let (mut at, nimber) = (*root, nimber.unwrap_or(0));
    if !is_told {
        let mut replies = Vec::new();
        family.moves(root, &mut replies);
        if replies.is_empty() {
            return Err(refuted(family, root, 0, "there is no move"));
        }
        let question = Question { at: root, sure: Sure::WIN, mv: None, replies: &replies };
        at = replies[answers.reply(&question)?].after;
    }
    let parts = sums.parts(&at)?;
    sums.claim(&parts, nimber, answers, &at)?;
    while let Some((_, layer)) = sums.open.pop_last() {
        let mut layer: Vec<(Position, u32)> = layer.into_iter().collect();
        layer.sort_unstable();
        for (part, nimber) in layer {
            *claims += 1;
            answers.part(&part, nimber, &mut sums)?;
            let mut is_met = vec![false; nimber as usize];
            for (option, parts) in sums.options(&part)? {
                // What is known already needs no answer.
                let value = match sums.known(&parts)? {
                    Some(value) => Some(value),
                    None => sums.not_it(nimber, &option, &parts, answers)?,
                };
                match value {
                    Some(value) if value == nimber => {
                        let how = format!("the option {} has it", family.write_move(option.number));
                        return Err(refuted(family, &part, nimber, &how));
                    }
                    Some(value) if value < nimber => is_met[value as usize] = true,
                    _ => {}
                }
            }
            if let Some(less) = is_met.iter().position(|is_met| !is_met) {
                return Err(refuted(family, &part, nimber, &format!("no option is shown to have {less}")));
            }
        }
    }
    Ok(())
}

fn refuted(family: &dyn Family, at: &Position, nimber: u32, how: &str) -> Failure {
    let rows = family.write(at).replace('/', "\n  ");
    Failure::NotProved(format!("the nimber is not shown to be {nimber}: {how}, in\n\n  {rows}\n"))
}

/// The parts of a position, sorted, without pairs of the same part: those add up to 0. `None` if the
/// game has none.
#[must_use]
pub fn odd_parts(family: &dyn Family, at: &Position) -> Option<Vec<Position>> {
    let mut parts = family.parts(at)?;
    parts.iter_mut().for_each(|part| *part = family.canonical_part(part));
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
    Some(parts)
}

/// Parts and their nimbers, as far as they are claimed or the checker has found them itself.
#[derive(Debug)]
pub struct Sums<'h> {
    header: &'h Header,
    /// Positions that may be looked at.
    allowed: &'h AtomicU64,
    /// What is claimed of parts and still to be shown, by layer.
    open: BTreeMap<u32, HashMap<Position, u32>>,
    /// The nimbers of parts that the checker has found by itself.
    small: HashMap<Position, u32>,
    /// The number of claims that were made.
    waiting: u64,
}

impl Sums<'_> {
    /// The parts of a position, sorted, without pairs of the same part: those add up to 0.
    ///
    /// # Errors
    /// If the game has none.
    pub fn parts(&self, at: &Position) -> Result<Vec<Position>, Failure> {
        let parts = odd_parts(&*self.header.family, at);
        parts.ok_or_else(|| Failure::NotACertificate("such a game has no nimbers".into()))
    }

    /// The moves that lead to different sums, with the parts of those.
    ///
    /// # Errors
    /// If the game has none.
    pub fn options(&self, at: &Position) -> Result<Vec<(Move, Vec<Position>)>, Failure> {
        let mut moves = Vec::new();
        self.header.family.moves(at, &mut moves);
        take(self.allowed, moves.len() as u64 * self.header.family.work())?;
        let with_parts = |mv: Move| Ok((mv, self.parts(&mv.after)?));
        let mut options = moves.into_iter().map(with_parts).collect::<Result<Vec<_>, _>>()?;
        options.sort_by(|one, other| one.1.cmp(&other.1));
        options.dedup_by(|one, other| one.1 == other.1);
        Ok(options)
    }

    /// The sum of the nimbers of parts, if all are known.
    ///
    /// # Errors
    /// If too many parts are small.
    pub fn known(&mut self, parts: &[Position]) -> Result<Option<u32>, Failure> {
        let mut sum = Some(0);
        for part in parts {
            sum = self.known_part(part)?.zip(sum).map(|(nimber, sum)| nimber ^ sum);
        }
        Ok(sum)
    }

    /// The nimber of a part, if it is known.
    ///
    /// # Errors
    /// If too many parts are small.
    pub fn known_part(&mut self, part: &Position) -> Result<Option<u32>, Failure> {
        let layer = self.header.family.layer(part);
        if u64::from(layer) <= self.header.settle {
            return self.of_small(part).map(Some);
        }
        Ok(self.open.get(&layer).and_then(|layer| layer.get(part)).copied())
    }

    /// The nimber of a small part: the least that no option has.
    fn of_small(&mut self, part: &Position) -> Result<u32, Failure> {
        if let Some(&nimber) = self.small.get(part) {
            return Ok(nimber);
        }
        let mut met = Vec::new();
        for (_, parts) in self.options(part)? {
            let mut sum = 0;
            for part in parts {
                sum ^= self.of_small(&part)?;
            }
            met.push(sum);
        }
        met.sort_unstable();
        met.dedup();
        let nimber = (0..).zip(&met).find(|(n, met)| n != *met).map_or(met.len() as u32, |(n, _)| n);
        if self.small.len() as u64 >= MOST_SMALL {
            return Err(Failure::NotACertificate(format!("more than {MOST_SMALL} parts of `settle:` cells or less")));
        }
        self.small.insert(*part, nimber);
        Ok(nimber)
    }

    /// Has it answered how an option is shown not to have the nimber: the nimber that it has, if
    /// that is claimed.
    fn not_it(
        &mut self,
        nimber: u32,
        option: &Move,
        parts: &[Position],
        answers: &mut dyn Answers,
    ) -> Result<Option<u32>, Failure> {
        let mut replies = Vec::new();
        self.header.family.moves(&option.after, &mut replies);
        take(self.allowed, replies.len() as u64 * self.header.family.work())?;
        match answers.not_it(nimber, option, &replies, self)? {
            NotIt::Has(value) => {
                self.claim(parts, value, answers, &option.after)?;
                Ok(Some(value))
            }
            NotIt::Reply(reply) => {
                let after = replies[reply].after;
                let parts = self.parts(&after)?;
                self.claim(&parts, nimber, answers, &after)?;
                Ok(None)
            }
        }
    }

    /// Claims that the nimbers of the parts add up to this one.
    fn claim(
        &mut self,
        parts: &[Position],
        nimber: u32,
        answers: &mut dyn Answers,
        at: &Position,
    ) -> Result<(), Failure> {
        let mut unknown = Vec::new();
        let mut rest = nimber;
        for part in parts {
            match self.known_part(part)? {
                Some(known) => rest ^= known,
                None => unknown.push(*part),
            }
        }
        let Some(last) = unknown.pop() else {
            let family = &*self.header.family;
            return if rest == 0 {
                Ok(())
            } else {
                Err(refuted(family, at, nimber, "its parts are claimed to add up to another"))
            };
        };
        for part in unknown {
            let nimber = answers.nimber(&part)?;
            rest ^= nimber;
            self.open(part, nimber)?;
        }
        self.open(last, rest)
    }

    fn open(&mut self, part: Position, nimber: u32) -> Result<(), Failure> {
        let most = self.header.claims;
        self.waiting += 1;
        if self.waiting > most || nimber >= MOST_NIMBERS {
            return Err(Failure::NotACertificate(format!(
                "more claims than the {most} announced, or too large a nimber"
            )));
        }
        self.open.entry(self.header.family.layer(&part)).or_default().insert(part, nimber);
        Ok(())
    }
}

/// Small parts that the checker finds the nimbers of.
const MOST_SMALL: u64 = 1 << 18;

/// Nimbers that a claim may tell.
const MOST_NIMBERS: u32 = 256;
