//! The two forms of a certificate's answers: packed bytes and text.

use std::fmt::Write;

use balpan_check::CheckError;
use balpan_check::trusted::game::{Game, Move, Position};
use balpan_check::trusted::strategy::{Goal, NodeClaim};
use balpan_check::untrusted::answers::{Method, Question, Refutation};
use balpan_check::untrusted::coder::{Coder, Model, Packed, RATE};

/// A writer of answers.
pub(crate) enum Sink {
    /// Packed bytes.
    Packed(Box<Packed<Encoder>>),
    /// Lines of text.
    Text(String),
}

impl Sink {
    pub(crate) fn new(is_text: bool) -> Self {
        if is_text { Self::Text(String::new()) } else { Self::Packed(Box::new(Packed::new(Encoder::new()))) }
    }

    pub(crate) fn method(&mut self, family: &dyn Game, at: &Position, way: &Method) -> Result<(), CheckError> {
        match self {
            Self::Packed(packed) => packed.method(family, at, way).map(|_| ()),
            Self::Text(text) => {
                begin(text, &family.write(at));
                match way {
                    Method::Moves => {}
                    Method::Search => text.push_str(" searched"),
                    Method::Pairs(pairs) => {
                        text.push_str(" pairs");
                        pairs.iter().for_each(|(a, b)| push(text, format_args!(" {a}+{b}")));
                    }
                }
                Ok(())
            }
        }
    }

    pub(crate) fn reply(&mut self, family: &dyn Game, question: &Question<'_>, reply: usize) -> Result<(), CheckError> {
        match self {
            Self::Packed(packed) => packed.reply(question, reply).map(|_| ()),
            Self::Text(text) => {
                let name = family.write_move(question.replies[reply].number);
                match question.mv {
                    Some(mv) => push(text, format_args!(" {}=>{name}", family.write_move(mv.number))),
                    None => {
                        begin(text, &family.write(question.at));
                        push(text, format_args!(" {name}"));
                    }
                }
                Ok(())
            }
        }
    }

    pub(crate) fn part(&mut self, family: &dyn Game, part: &Position, nimber: u32) {
        if let Self::Text(text) = self {
            begin(text, &format!("{} = {nimber}", family.write(part)));
        }
    }

    pub(crate) fn refutation(
        &mut self,
        family: &dyn Game,
        nimber: u32,
        option: &Move,
        replies: &[Move],
        answer: Refutation,
    ) -> Result<(), CheckError> {
        match self {
            Self::Packed(packed) => packed.refutation(nimber, replies.len(), answer).map(|_| ()),
            Self::Text(text) => {
                push(text, format_args!(" {}=", family.write_move(option.number)));
                match answer {
                    Refutation::Has(value) => push(text, format_args!("{value}")),
                    Refutation::Reply(reply) => {
                        push(text, format_args!(">{}", family.write_move(replies[reply].number)));
                    }
                }
                Ok(())
            }
        }
    }

    pub(crate) fn nimber(&mut self, family: &dyn Game, part: &Position, nimber: u32) -> Result<(), CheckError> {
        match self {
            Self::Packed(packed) => packed.nimber(nimber).map(|_| ()),
            Self::Text(text) => {
                // The parts of the position itself come first, on a line of their own.
                let blank = if text.is_empty() { "" } else { " " };
                push(text, format_args!("{blank}{}={nimber}", family.write(part)));
                Ok(())
            }
        }
    }

    /// Within how many plies a goal is reached, and whether a search shows it.
    pub(crate) fn node(&mut self, family: &dyn Game, claim: &NodeClaim, answer: (u32, bool)) -> Result<(), CheckError> {
        match self {
            Self::Packed(packed) => packed.node(claim, answer).map(|_| ()),
            Self::Text(text) => {
                let within =
                    if matches!(claim.goal, Goal::Reach(_)) { format!(" within {}", answer.0) } else { String::new() };
                begin(text, &(family.write(&claim.node.at) + &within));
                text.push_str(if answer.1 { " searched" } else { "" });
                Ok(())
            }
        }
    }

    /// The claimer's move.
    pub(crate) fn choice(&mut self, family: &dyn Game, moves: &[Move], answer: usize) -> Result<(), CheckError> {
        match self {
            Self::Packed(packed) => packed.choice(moves.len(), answer).map(|_| ()),
            Self::Text(text) => {
                push(text, format_args!(" {}", family.write_move(moves[answer].number)));
                Ok(())
            }
        }
    }

    /// Returns the bytes written.
    pub(crate) fn bytes(self) -> Vec<u8> {
        match self {
            Self::Packed(packed) => packed.coder.bytes(),
            Self::Text(mut text) => {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.into_bytes()
            }
        }
    }
}

/// Begins a line.
fn begin(text: &mut String, what: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    push(text, format_args!("{what} :"));
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(what);
}

/// A binary range encoder.
#[derive(Default)]
pub(crate) struct Encoder {
    bytes: Vec<u8>,
    low: u64,
    /// One less than the range.
    range: u32,
    /// The last byte that a carry may still change, and the number of pending bytes: that one and
    /// the bytes of 255 after it.
    cache: u8,
    waiting: u64,
}

impl Encoder {
    pub(crate) fn new() -> Self {
        Self { range: u32::MAX, waiting: 1, ..Self::default() }
    }

    fn shift(&mut self) {
        if self.low < 0xff00_0000 || self.low > u64::from(u32::MAX) {
            let carry = (self.low >> 32) as u8;
            let mut byte = self.cache;
            for _ in 0..self.waiting {
                self.bytes.push(byte.wrapping_add(carry));
                byte = 0xff;
            }
            self.waiting = 0;
            self.cache = (self.low >> 24) as u8;
        }
        self.waiting += 1;
        self.low = self.low << 8 & 0xffff_ffff;
    }

    /// Flushes the encoder and returns its output.
    pub(crate) fn bytes(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.bytes
    }
}

impl Coder for Encoder {
    fn bit(&mut self, model: &mut Model, bit: bool) -> Result<bool, CheckError> {
        let bound = (self.range >> 12) * u32::from(*model);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
            *model -= *model >> RATE;
        } else {
            self.range = bound;
            *model += (4096 - *model) >> RATE;
        }
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
        Ok(bit)
    }

    fn end(&mut self) -> Result<(), CheckError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use balpan::SplitMix;
    use balpan_check::untrusted::coder::{Decoder, EVEN};

    use super::*;

    #[test]
    fn bits_are_read_as_they_were_written() {
        for likely in [2, 5, 100, 10_000] {
            let mut random = SplitMix(likely as u64);
            let bits: Vec<bool> = (0..200_000).map(|_| random.below(likely) == 0).collect();
            let mut models = [EVEN; 3];
            let mut encoder = Encoder::new();
            for (n, &bit) in bits.iter().enumerate() {
                encoder.bit(&mut models[n % 3], bit).unwrap();
            }
            let bytes = encoder.bytes();
            let mut models = [EVEN; 3];
            let mut decoder = Decoder::new(&bytes).unwrap();
            for (n, &bit) in bits.iter().enumerate() {
                assert_eq!(decoder.bit(&mut models[n % 3], false), Ok(bit));
            }
            assert_eq!(decoder.end(), Ok(()));
            assert!(Decoder::new(&bytes[..4]).is_err());
        }
    }
}
