//! The two forms of a certificate: bytes and text.

use std::fmt::Write;

use balpan_check::answers::{Failure, NotIt, Question, Way};
use balpan_check::coder::Packed;
use balpan_check::family::{Family, Move, Position};

use crate::encoder::Encoder;

/// Where answers go.
pub(crate) enum Sink {
    /// Bytes.
    Packed(Box<Packed<Encoder>>),
    /// Lines.
    Text(String),
}

impl Sink {
    pub(crate) fn new(is_text: bool) -> Self {
        if is_text { Self::Text(String::new()) } else { Self::Packed(Box::new(Packed::new(Encoder::new()))) }
    }

    pub(crate) fn way(&mut self, family: &dyn Family, at: &Position, way: &Way) -> Result<(), Failure> {
        match self {
            Self::Packed(packed) => packed.way(family, at, way).map(|_| ()),
            Self::Text(text) => {
                begin(text, &family.write(at));
                match way {
                    Way::Moves => {}
                    Way::Search => text.push_str(" searched"),
                    Way::Pairs(pairs) => {
                        text.push_str(" pairs");
                        pairs.iter().for_each(|(a, b)| push(text, format_args!(" {a}+{b}")));
                    }
                }
                Ok(())
            }
        }
    }

    pub(crate) fn reply(&mut self, family: &dyn Family, question: &Question<'_>, reply: usize) -> Result<(), Failure> {
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

    pub(crate) fn part(&mut self, family: &dyn Family, part: &Position, nimber: u32) {
        if let Self::Text(text) = self {
            begin(text, &format!("{} = {nimber}", family.write(part)));
        }
    }

    pub(crate) fn not_it(
        &mut self,
        family: &dyn Family,
        nimber: u32,
        option: &Move,
        replies: &[Move],
        answer: NotIt,
    ) -> Result<(), Failure> {
        match self {
            Self::Packed(packed) => packed.not_it(nimber, replies.len(), answer).map(|_| ()),
            Self::Text(text) => {
                push(text, format_args!(" {}=", family.write_move(option.number)));
                match answer {
                    NotIt::Has(value) => push(text, format_args!("{value}")),
                    NotIt::Reply(reply) => {
                        push(text, format_args!(">{}", family.write_move(replies[reply].number)));
                    }
                }
                Ok(())
            }
        }
    }

    pub(crate) fn nimber(&mut self, family: &dyn Family, part: &Position, nimber: u32) -> Result<(), Failure> {
        match self {
            Self::Packed(packed) => packed.nimber(nimber).map(|_| ()),
            Self::Text(text) => {
                // Those of the position itself come first, on a line of their own.
                let blank = if text.is_empty() { "" } else { " " };
                push(text, format_args!("{blank}{}={nimber}", family.write(part)));
                Ok(())
            }
        }
    }

    /// What was written.
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
    // Strings take all that is written.
    let _ = text.write_fmt(what);
}
