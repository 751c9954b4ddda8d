//! The two forms of a certificate's answers: packed bytes and text.

use std::fmt::Write;

use balpan_check::CheckError;
use balpan_check::trusted::game::{Game, Move, Position};
use balpan_check::untrusted::answers::{Method, Question, Refutation};
use balpan_check::untrusted::coder::Packed;

use crate::encoder::Encoder;

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
