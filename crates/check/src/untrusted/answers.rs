//! The answers of a certificate, in the fixed order of the questions: from bytes, or from text.

use std::collections::VecDeque;

use super::coder::{Coder, Packed};
use crate::trusted::claim::Guarantee;
use crate::trusted::game::{Game, Move, Position};
use crate::trusted::nimber::NimberClaims;
use crate::trusted::strategy::{Goal, NodeClaim};
use crate::{CheckError, Result};

/// How a claim is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// Each move is answered.
    Moves,
    /// The checker searches all continuations.
    Search,
    /// Whenever one cell of a pair is marked, the other player marks the other one.
    Pairs(Vec<(usize, usize)>),
}

/// How an option of a part is shown not to have the part's nimber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// The option has this smaller nimber.
    Has(u32),
    /// The n-th of the option's own options has the part's nimber.
    Reply(usize),
}

/// A claim, and a move to be answered.
#[derive(Debug)]
pub struct Question<'q> {
    /// The position that the claim is about; at the claimer's turn, that position.
    pub at: &'q Position,
    /// The guarantee.
    pub guarantee: Guarantee,
    /// The move to be answered, unless it is the claimer's turn.
    pub mv: Option<&'q Move>,
    /// The replies to choose from. None of them ends play as claimed.
    pub replies: &'q [Move],
}

/// A source of answers. By default there are none.
pub trait Answers {
    /// Returns how it is shown that the player who is not to move has a guarantee.
    fn method(&mut self, _at: &Position, _guarantee: Guarantee) -> Result<Method> {
        no_answer()
    }

    /// Returns the index of a reply that keeps the guarantee.
    fn reply(&mut self, _question: &Question<'_>) -> Result<usize> {
        no_answer()
    }

    /// Begins a part, about whose options the next questions are.
    fn part(&mut self, _part: &Position, _nimber: u32, _nimbers: &mut NimberClaims<'_>) -> Result<()> {
        no_answer()
    }

    /// Returns how an option is shown not to have the nimber. The claims so far do not tell the option's own.
    fn refutation(
        &mut self,
        _nimber: u32,
        _option: &Move,
        _replies: &[Move],
        _nimbers: &mut NimberClaims<'_>,
    ) -> Result<Refutation> {
        no_answer()
    }

    /// Returns the nimber of a part without a claim.
    fn nimber(&mut self, _part: &Position) -> Result<u32> {
        no_answer()
    }

    /// Returns within how many plies the goal of a claim is reached, if they are counted, and whether a search shows the
    /// claim.
    fn node(&mut self, _game: &dyn Game, _claim: &NodeClaim) -> Result<(u32, bool)> {
        no_answer()
    }

    /// Returns the index of the claimer's move.
    fn choice(&mut self, _game: &dyn Game, _claim: &NodeClaim, _moves: &[Move]) -> Result<usize> {
        no_answer()
    }

    /// Checks that no answers are left.
    fn end(&mut self) -> Result<()> {
        Ok(())
    }
}

fn no_answer<T>() -> Result<T> {
    Err(CheckError::NotACertificate("there are no such answers".into()))
}

/// Answers from bytes.
#[derive(Debug)]
pub struct FromBytes<'f, C> {
    /// The rules.
    pub game: &'f dyn Game,
    /// The bits.
    pub packed: Packed<C>,
}

impl<C: Coder> Answers for FromBytes<'_, C> {
    fn method(&mut self, at: &Position, _: Guarantee) -> Result<Method> {
        self.packed.method(self.game, at, &Method::Moves)
    }

    fn reply(&mut self, question: &Question<'_>) -> Result<usize> {
        self.packed.reply(question, 0)
    }

    fn part(&mut self, _: &Position, _: u32, _: &mut NimberClaims<'_>) -> Result<()> {
        Ok(())
    }

    fn refutation(&mut self, nimber: u32, _: &Move, replies: &[Move], _: &mut NimberClaims<'_>) -> Result<Refutation> {
        self.packed.refutation(nimber, replies.len(), Refutation::Reply(0))
    }

    fn nimber(&mut self, _: &Position) -> Result<u32> {
        self.packed.nimber(0)
    }

    fn node(&mut self, _: &dyn Game, claim: &NodeClaim) -> Result<(u32, bool)> {
        self.packed.node(claim, (0, false))
    }

    fn choice(&mut self, _: &dyn Game, _: &NodeClaim, moves: &[Move]) -> Result<usize> {
        self.packed.choice(moves.len(), 0)
    }

    fn end(&mut self) -> Result<()> {
        self.packed.coder.end()
    }
}

/// Answers from text: a line for each claim, the position, ` : ` and its answers.
#[derive(Debug)]
pub struct FromText<'f> {
    game: &'f dyn Game,
    lines: std::iter::Enumerate<std::str::Lines<'f>>,
    /// The number of the current line.
    line: usize,
    /// Its unread words.
    words: VecDeque<&'f str>,
}

impl<'f> FromText<'f> {
    /// Begins at the first line.
    pub fn new(game: &'f dyn Game, text: &'f str) -> Self {
        Self { game, lines: text.lines().enumerate(), line: 0, words: VecDeque::new() }
    }

    fn wrong<T>(&self, what: &str) -> Result<T> {
        Err(CheckError::NotACertificate(format!("line {} of the answers: {what}", self.line)))
    }

    fn begin_line(&mut self, expected: &str) -> Result<()> {
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

    fn end_line(&self) -> Result<()> {
        self.words.front().map_or(Ok(()), |word| self.wrong(&format!("found `{word}`, to which nothing was asked")))
    }

    /// Reads the next word without the expected prefix.
    fn word(&mut self, begin: &str) -> Result<&'f str> {
        match self.words.pop_front() {
            None => self.wrong(&format!("expected `{begin}` and an answer")),
            Some(word) => match word.strip_prefix(begin) {
                Some(rest) => Ok(rest),
                None => self.wrong(&format!("found `{word}`, expected `{begin}` and an answer")),
            },
        }
    }

    fn index(&self, moves: &[Move], name: &str) -> Result<usize> {
        match moves.iter().position(|mv| self.game.write_move(mv.number) == name) {
            Some(index) => Ok(index),
            None => self.wrong(&format!("`{name}` is not a move there")),
        }
    }
}

impl Answers for FromText<'_> {
    fn method(&mut self, at: &Position, _: Guarantee) -> Result<Method> {
        self.begin_line(&self.game.write(at))?;
        match self.words.front() {
            Some(&"searched") => {
                self.words.pop_front();
                Ok(Method::Search)
            }
            Some(&"pairs") => {
                let words: Vec<&str> = self.words.drain(..).skip(1).collect();
                let pair = |word: &str| {
                    let (a, b) = word.split_once('+')?;
                    Some((a.parse().ok().filter(|cell| *cell < 128)?, b.parse().ok().filter(|cell| *cell < 128)?))
                };
                match words.into_iter().map(pair).collect() {
                    Some(pairs) => Ok(Method::Pairs(pairs)),
                    None => self.wrong("expected pairs of cells, such as `0+1`"),
                }
            }
            _ => Ok(Method::Moves),
        }
    }

    fn reply(&mut self, question: &Question<'_>) -> Result<usize> {
        let begin = match question.mv {
            Some(mv) => self.game.write_move(mv.number) + "=>",
            None => {
                self.begin_line(&self.game.write(question.at))?;
                String::new()
            }
        };
        let name = self.word(&begin)?;
        self.index(question.replies, name)
    }

    fn part(&mut self, part: &Position, nimber: u32, _: &mut NimberClaims<'_>) -> Result<()> {
        self.begin_line(&format!("{} = {nimber}", self.game.write(part)))
    }

    fn refutation(&mut self, _: u32, option: &Move, replies: &[Move], _: &mut NimberClaims<'_>) -> Result<Refutation> {
        let answer = self.word(&format!("{}=", self.game.write_move(option.number)))?;
        match (answer.strip_prefix('>'), answer.parse()) {
            (Some(name), _) => Ok(Refutation::Reply(self.index(replies, name)?)),
            (None, Ok(value)) => Ok(Refutation::Has(value)),
            _ => self.wrong(&format!("found `{answer}`, expected a nimber or `>` and a reply")),
        }
    }

    fn nimber(&mut self, part: &Position) -> Result<u32> {
        // The parts of the position itself come before all claims, on a line of their own.
        if self.line == 0
            && let Some((_, text)) = self.lines.next()
        {
            self.line = 1;
            self.words = text.split_whitespace().collect();
        }
        let answer = self.word(&format!("{}=", self.game.write(part)))?;
        answer.parse().or_else(|_| self.wrong(&format!("found `{answer}`, expected a nimber")))
    }

    fn node(&mut self, game: &dyn Game, claim: &NodeClaim) -> Result<(u32, bool)> {
        self.end_line()?;
        let (expected, is_counted) = (game.write(&claim.node.at), matches!(claim.goal, Goal::Reach(_)));
        let Some((line, text)) = self.lines.next() else {
            return self.wrong(&format!("nothing follows; expected `{expected}`"));
        };
        self.line = line + 1;
        // A position may have a colon in it.
        let rest = text.strip_prefix(&expected).unwrap_or("");
        let (plies, answers) = match rest.strip_prefix(" within ").filter(|_| is_counted) {
            None => (None, rest.strip_prefix(" :").filter(|_| !is_counted)),
            Some(rest) => rest.split_once(" :").map_or((None, None), |(plies, rest)| (plies.parse().ok(), Some(rest))),
        };
        let Some(answers) = answers.filter(|_| plies.is_some() == is_counted) else {
            let within = if is_counted { " within 9" } else { "" };
            return self.wrong(&format!("found `{text}`, expected such as `{expected}{within} : ` and answers"));
        };
        self.words = answers.split_whitespace().collect();
        let is_searched = self.words.front() == Some(&"searched");
        self.words.drain(..usize::from(is_searched));
        Ok((plies.unwrap_or(0), is_searched))
    }

    fn choice(&mut self, _: &dyn Game, _: &NodeClaim, moves: &[Move]) -> Result<usize> {
        let name = self.word("")?;
        self.index(moves, name)
    }

    fn end(&mut self) -> Result<()> {
        self.end_line()?;
        match self.lines.next() {
            Some((_, line)) => self.wrong(&format!("`{line}` follows, which answers nothing")),
            None => Ok(()),
        }
    }
}
