//! Answers as bits, each in space according to its probability: an adaptive binary range coder.
//!
//! Source: G. N. N. Martin, "Range encoding" (1979); the carry-less decoder and the adaptive bits
//! are those of I. Pavlov's LZMA.

use super::answers::{Method, Question, Refutation};
use crate::trusted::board::each;
use crate::trusted::game::{Game, Position};
use crate::trusted::strategy::{Goal, NodeClaim};
use crate::{CheckError, Result};

/// The probability that a bit is 0, in 4096ths.
pub type Model = u16;

/// The initial model of a bit.
pub const EVEN: Model = 2048;

/// The learning rate of models: the shift of the error by which they are corrected.
pub const RATE: u32 = 4;

/// A reader or a writer of bits.
pub trait Coder {
    /// Codes a bit. A writer writes `bit` and returns it; a reader ignores it and returns the bit read.
    fn bit(&mut self, model: &mut Model, bit: bool) -> Result<bool>;

    /// Checks that everything was read.
    fn end(&mut self) -> Result<()>;
}

/// A reader of bits.
#[derive(Debug)]
pub struct Decoder<'b> {
    bytes: std::slice::Iter<'b, u8>,
    range: u32,
    code: u32,
}

impl<'b> Decoder<'b> {
    /// Begins to read: the first of five bytes is 0.
    pub fn new(bytes: &'b [u8]) -> Result<Self> {
        let mut decoder = Self { bytes: bytes.iter(), range: u32::MAX, code: 0 };
        for n in 0..5 {
            let byte = decoder.byte()?;
            if n == 0 && byte != 0 {
                return Err(CheckError::NotACertificate("the answers do not begin with a byte of 0".into()));
            }
            decoder.code = decoder.code << 8 | byte;
        }
        Ok(decoder)
    }

    fn byte(&mut self) -> Result<u32> {
        let byte = self.bytes.next().ok_or_else(|| CheckError::NotACertificate("the answers are cut short".into()))?;
        Ok((*byte).into())
    }
}

impl Coder for Decoder<'_> {
    fn bit(&mut self, model: &mut Model, _: bool) -> Result<bool> {
        let bound = (self.range >> 12) * u32::from(*model);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
            *model -= *model >> RATE;
        } else {
            self.range = bound;
            *model += (4096 - *model) >> RATE;
        }
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.code = self.code << 8 | self.byte()?;
        }
        Ok(bit)
    }

    fn end(&mut self) -> Result<()> {
        match self.bytes.len() {
            0 => Ok(()),
            more => Err(CheckError::NotACertificate(format!("{more} bytes follow, which answer nothing"))),
        }
    }
}

/// The encoding of answers in bits. Each method returns the answer read; a writer passes the answer to write as
/// `answer`.
#[derive(Debug)]
pub struct Packed<C> {
    /// The reader or the writer of the bits.
    pub coder: C,
    /// How claims are shown, by layer.
    methods: Vec<[Model; 2]>,
    /// Whether a reply is the last one again.
    again: [Model; 3],
    /// Trees of models for numbers below a power of two.
    replies: Vec<Vec<Model>>,
    options: Vec<Vec<Model>>,
    smaller: Vec<Model>,
    nimbers: Vec<Vec<Model>>,
    pairs: Vec<Vec<Model>>,
    /// Whether claims of strategies are searched, where the other player and where the claimer is to move; the plies that a
    /// claim has to spare; the claimer's moves.
    searched: [Model; 2],
    spare: Vec<Vec<Model>>,
    choices: Vec<Vec<Model>>,
    /// The number of the last reply within a claim, and whether it was the one before again.
    last: Option<u32>,
    was_again: usize,
}

/// The bits of a nimber that is named.
const NIMBER_BITS: usize = 8;

impl<C: Coder> Packed<C> {
    /// Begins with initial models.
    pub fn new(coder: C) -> Self {
        let none = Vec::new;
        Self {
            coder,
            methods: initial_models(256),
            again: [EVEN; 3],
            replies: none(),
            options: none(),
            smaller: vec![EVEN; 1 << NIMBER_BITS],
            nimbers: none(),
            pairs: none(),
            searched: [EVEN; 2],
            spare: none(),
            choices: none(),
            last: None,
            was_again: 0,
        }
    }

    /// How a claim is shown.
    pub fn method(&mut self, game: &dyn Game, at: &Position, answer: &Method) -> Result<Method> {
        (self.last, self.was_again) = (None, 0);
        let layer = (game.layer(at) as usize).min(self.methods.len() - 1);
        let models = &mut self.methods[layer];
        if !self.coder.bit(&mut models[0], *answer != Method::Moves)? {
            return Ok(Method::Moves);
        }
        let Some(lines) = game.open_lines(at) else { return Ok(Method::Search) };
        if !self.coder.bit(&mut models[1], matches!(answer, Method::Pairs(_)))? {
            return Ok(Method::Search);
        }
        // For each cell of a line, the other cell of its pair; itself if it has none.
        let cells: Vec<usize> = each(lines.iter().fold(0, |all, line| all | line)).collect();
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (n, &cell) in cells.iter().enumerate() {
            if pairs.iter().any(|pair| pair.1 == cell) {
                continue;
            }
            let is_its =
                |&other: &usize| matches!(answer, Method::Pairs(pairs) if pairs.contains(&(cell, cells[other])));
            let answer = (n..cells.len()).find(is_its).unwrap_or(n) - n;
            let found = number(&mut self.coder, &mut self.pairs, cells.len() - n, answer)?;
            if found > 0 {
                pairs.push((cell, cells[n + found]));
            }
        }
        Ok(Method::Pairs(pairs))
    }

    /// Codes the index of a reply.
    pub fn reply(&mut self, question: &Question<'_>, answer: usize) -> Result<usize> {
        let replies = question.replies;
        let again = self.last.and_then(|last| replies.iter().position(|reply| reply.number == last));
        if let Some(again) = again {
            let model = &mut self.again[self.was_again];
            if self.coder.bit(model, again == answer)? {
                self.was_again = 1;
                return Ok(again);
            }
            self.was_again = 2;
        }
        let index = number(&mut self.coder, &mut self.replies, replies.len(), answer)?;
        self.last = replies.get(index).map(|reply| reply.number);
        Ok(index)
    }

    /// Codes how an option is shown not to have the nimber.
    pub fn refutation(&mut self, nimber: u32, replies: usize, answer: Refutation) -> Result<Refutation> {
        let (has, value, reply) = match answer {
            Refutation::Has(value) => (true, value, 0),
            Refutation::Reply(reply) => (false, 0, reply),
        };
        let model = &mut self.smaller[(nimber as usize).min((1 << NIMBER_BITS) - 1)];
        if nimber > 0 && (replies == 0 || self.coder.bit(model, has)?) {
            let value = number(&mut self.coder, &mut self.nimbers, nimber as usize, value as usize)?;
            return Ok(Refutation::Has(value as u32));
        }
        Ok(Refutation::Reply(number(&mut self.coder, &mut self.options, replies, reply)?))
    }

    /// Codes within how many plies a goal is reached, and whether a search shows it.
    pub fn node(&mut self, claim: &NodeClaim, (plies, is_searched): (u32, bool)) -> Result<(u32, bool)> {
        let searched = self.coder.bit(&mut self.searched[usize::from(claim.node.is_claimer)], is_searched)?;
        if !matches!(claim.goal, Goal::Reach(_)) {
            return Ok((0, searched));
        }
        let spare = claim.plies.saturating_sub(plies) as usize;
        let spare = number(&mut self.coder, &mut self.spare, claim.plies.max(1) as usize, spare)?;
        Ok((claim.plies - spare as u32, searched))
    }

    /// Codes the index of the claimer's move.
    pub fn choice(&mut self, moves: usize, answer: usize) -> Result<usize> {
        number(&mut self.coder, &mut self.choices, moves, answer)
    }

    /// Codes a nimber.
    pub fn nimber(&mut self, answer: u32) -> Result<u32> {
        Ok(number(&mut self.coder, &mut self.nimbers, 1 << NIMBER_BITS, answer as usize)? as u32)
    }
}

fn initial_models(count: usize) -> Vec<[Model; 2]> {
    vec![[EVEN; 2]; count]
}

/// Codes a number less than `below`, highest bit first; each bit has a model for every sequence of bits before it.
fn number<C: Coder>(coder: &mut C, trees: &mut Vec<Vec<Model>>, below: usize, answer: usize) -> Result<usize> {
    let bits = below.next_power_of_two().trailing_zeros() as usize;
    if trees.len() <= bits {
        trees.resize(bits + 1, Vec::new());
    }
    trees[bits].resize(1 << bits, EVEN);
    let mut node = 1;
    for bit in (0..bits).rev() {
        let bit = coder.bit(&mut trees[bits][node], answer >> bit & 1 == 1)?;
        node = node << 1 | usize::from(bit);
    }
    let number = node - (1 << bits);
    if number >= below {
        return Err(CheckError::NotACertificate(format!("an answer is {number}, of {below}")));
    }
    Ok(number)
}
