//! What a certificate answers, asked in a fixed order: from bytes, or from text.

use std::collections::VecDeque;

use crate::coder::{Coder, Packed};
use crate::family::{Family, Move, Position};
use crate::nimber::Sums;
use crate::sure::Sure;

/// Why nothing is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The claim is not proved.
    NotProved(String),
    /// It is not a certificate.
    NotACertificate(String),
}

/// How a claim is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Each move is answered.
    Moves,
    /// The checker searches all that can follow.
    Search,
    /// Whenever one cell of a pair is marked, the other player marks the other one.
    Pairs(Vec<(usize, usize)>),
}

/// How an option of a part is shown not to have the part's nimber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotIt {
    /// It has this smaller one.
    Has(u32),
    /// One of its own options, the n-th, has the part's nimber.
    Reply(usize),
}

/// A claim, and a move to be answered.
#[derive(Debug)]
pub struct Question<'q> {
    /// The position that the claim is about; where it is the claimer's turn, that position.
    pub at: &'q Position,
    /// What is claimed of it.
    pub sure: Sure,
    /// The move to be answered, unless it is the claimer's turn.
    pub mv: Option<&'q Move>,
    /// The replies to choose from. None of them ends play as claimed.
    pub replies: &'q [Move],
}

/// Somebody who answers.
pub trait Answers {
    /// How it is shown that the player who is not to move can force `sure`.
    fn way(&mut self, at: &Position, sure: Sure) -> Result<Way, Failure>;

    /// Which reply makes sure of it.
    fn reply(&mut self, question: &Question<'_>) -> Result<usize, Failure>;

    /// A part whose options are to be shown not to have its nimber, which is new.
    fn part(&mut self, part: &Position, nimber: u32, sums: &mut Sums<'_>) -> Result<(), Failure>;

    /// How an option is shown not to have the nimber. What is claimed so far does not tell its own.
    fn not_it(&mut self, nimber: u32, option: &Move, replies: &[Move], sums: &mut Sums<'_>) -> Result<NotIt, Failure>;

    /// The nimber of a part that none was claimed of.
    fn nimber(&mut self, part: &Position) -> Result<u32, Failure>;

    /// That nothing is left to answer.
    fn end(&mut self) -> Result<(), Failure>;

    /// Whether what the answers leave to a search was searched before.
    fn has_searched(&self) -> bool {
        false
    }
}

/// Answers from bytes.
#[derive(Debug)]
pub struct FromBytes<'f, C> {
    /// The rules.
    pub family: &'f dyn Family,
    /// The bits.
    pub packed: Packed<C>,
}

impl<C: Coder> Answers for FromBytes<'_, C> {
    fn way(&mut self, at: &Position, _: Sure) -> Result<Way, Failure> {
        self.packed.way(self.family, at, &Way::Moves)
    }

    fn reply(&mut self, question: &Question<'_>) -> Result<usize, Failure> {
        self.packed.reply(question, 0)
    }

    fn part(&mut self, _: &Position, _: u32, _: &mut Sums<'_>) -> Result<(), Failure> {
        Ok(())
    }

    fn not_it(&mut self, nimber: u32, _: &Move, replies: &[Move], _: &mut Sums<'_>) -> Result<NotIt, Failure> {
        self.packed.not_it(nimber, replies.len(), NotIt::Reply(0))
    }

    fn nimber(&mut self, _: &Position) -> Result<u32, Failure> {
        self.packed.nimber(0)
    }

    fn end(&mut self) -> Result<(), Failure> {
        self.packed.coder.end()
    }
}

/// Answers from text: a line for each claim, the position, ` : ` and its answers.
#[derive(Debug)]
pub struct FromText<'f> {
    family: &'f dyn Family,
    lines: std::iter::Enumerate<std::str::Lines<'f>>,
    /// The number of the line that is read.
    line: usize,
    /// What is not read of it.
    words: VecDeque<&'f str>,
}

impl<'f> FromText<'f> {
    /// Begins with the first line.
    pub fn new(family: &'f dyn Family, text: &'f str) -> Self {
        Self { family, lines: text.lines().enumerate(), line: 0, words: VecDeque::new() }
    }

    fn wrong<T>(&self, what: &str) -> Result<T, Failure> {
        Err(Failure::NotACertificate(format!("line {} of the answers: {what}", self.line)))
    }

    fn begin_line(&mut self, expected: &str) -> Result<(), Failure> {
        self.end_line()?;
        let Some((line, text)) = self.lines.next() else {
            return self.wrong(&format!("nothing follows; expected `{expected} :`"));
        };
        self.line = line + 1;
        match text.split_once(" :") {
            Some((found, answers)) if found == expected => self.words = answers.split_whitespace().collect(),
            _ => return self.wrong(&format!("found `{text}`, expected `{expected} : ` and answers")),
        }
        Ok(())
    }

    fn end_line(&self) -> Result<(), Failure> {
        self.words.front().map_or(Ok(()), |word| self.wrong(&format!("found `{word}`, to which nothing was asked")))
    }

    /// The next word without what it is to begin with.
    fn word(&mut self, begin: &str) -> Result<&'f str, Failure> {
        match self.words.pop_front() {
            None => self.wrong(&format!("expected `{begin}` and an answer")),
            Some(word) => match word.strip_prefix(begin) {
                Some(rest) => Ok(rest),
                None => self.wrong(&format!("found `{word}`, expected `{begin}` and an answer")),
            },
        }
    }

    fn index(&self, moves: &[Move], name: &str) -> Result<usize, Failure> {
        match moves.iter().position(|mv| self.family.write_move(mv.number) == name) {
            Some(index) => Ok(index),
            None => self.wrong(&format!("`{name}` is not a move there")),
        }
    }
}

impl Answers for FromText<'_> {
    fn way(&mut self, at: &Position, _: Sure) -> Result<Way, Failure> {
        self.begin_line(&self.family.write(at))?;
        match self.words.front() {
            Some(&"searched") => {
                self.words.pop_front();
                Ok(Way::Search)
            }
            Some(&"pairs") => {
                let words: Vec<&str> = self.words.drain(..).skip(1).collect();
                let pair = |word: &str| {
                    let (a, b) = word.split_once('+')?;
                    Some((a.parse().ok().filter(|cell| *cell < 128)?, b.parse().ok().filter(|cell| *cell < 128)?))
                };
                match words.into_iter().map(pair).collect() {
                    Some(pairs) => Ok(Way::Pairs(pairs)),
                    None => self.wrong("expected pairs of cells, such as `0+1`"),
                }
            }
            _ => Ok(Way::Moves),
        }
    }

    fn reply(&mut self, question: &Question<'_>) -> Result<usize, Failure> {
        let begin = match question.mv {
            Some(mv) => self.family.write_move(mv.number) + "=>",
            None => {
                self.begin_line(&self.family.write(question.at))?;
                String::new()
            }
        };
        let name = self.word(&begin)?;
        self.index(question.replies, name)
    }

    fn part(&mut self, part: &Position, nimber: u32, _: &mut Sums<'_>) -> Result<(), Failure> {
        self.begin_line(&format!("{} = {nimber}", self.family.write(part)))
    }

    fn not_it(&mut self, _: u32, option: &Move, replies: &[Move], _: &mut Sums<'_>) -> Result<NotIt, Failure> {
        let answer = self.word(&format!("{}=", self.family.write_move(option.number)))?;
        match (answer.strip_prefix('>'), answer.parse()) {
            (Some(name), _) => Ok(NotIt::Reply(self.index(replies, name)?)),
            (None, Ok(value)) => Ok(NotIt::Has(value)),
            _ => self.wrong(&format!("found `{answer}`, expected a nimber or `>` and a reply")),
        }
    }

    fn nimber(&mut self, part: &Position) -> Result<u32, Failure> {
        // The parts of the position itself come before all claims, on a line of their own.
        if self.line == 0
            && let Some((_, text)) = self.lines.next()
        {
            self.line = 1;
            self.words = text.split_whitespace().collect();
        }
        let answer = self.word(&format!("{}=", self.family.write(part)))?;
        answer.parse().or_else(|_| self.wrong(&format!("found `{answer}`, expected a nimber")))
    }

    fn end(&mut self) -> Result<(), Failure> {
        self.end_line()?;
        match self.lines.next() {
            Some((_, line)) => self.wrong(&format!("`{line}` follows, which answers nothing")),
            None => Ok(()),
        }
    }
}
