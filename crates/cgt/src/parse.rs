//! Parser of expressions.

use std::ops::Range;

use super::expression::{Expression, Relation, Term, TermKind};
use super::{Dyadic, NumberUpStar};

/// A syntax error in an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct ExpressionError {
    /// The bytes in question; may be empty, for instance at the end.
    pub span: Range<usize>,
    /// The kind of error.
    pub kind: ExpressionErrorKind,
}

/// The kinds of syntax errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExpressionErrorKind {
    /// Something else where a value is expected.
    #[error("no value here")]
    NoValue,
    /// A fraction whose denominator is no power of two.
    #[error("no dyadic fraction: the denominator is a power of two")]
    NotDyadic,
    /// A number that is too large or too fine.
    #[error("a number beyond 2^30, or finer than 1/2^30")]
    TooLarge,
    /// An unclosed parenthesis or brace.
    #[error("this is not closed")]
    Unclosed,
    /// Braces without a bar.
    #[error("no `|` between what Left and what Right can move to")]
    NoBar,
    /// Two bars of equal length, none longer.
    #[error("two bars of the same length: which comes first?")]
    EqualBars,
    /// A second comparison.
    #[error("a second comparison")]
    TwoRelations,
    /// Text after the end.
    #[error("neither an operator nor the end")]
    Rest,
    /// A fraction of a game.
    #[error("a fraction of a game: only whole multiples are games")]
    NotWhole,
    /// Nesting beyond the limit.
    #[error("nested too deeply")]
    TooDeep,
}

/// Levels of nested values.
const MAX_DEPTH: usize = 60;

type Parsed<T> = Result<T, ExpressionError>;

impl Expression {
    /// Reads a value, or a comparison of two.
    ///
    /// | written | is |
    /// |---|---|
    /// | `-3`, `3/4`, `0.75` | a number |
    /// | `*`, `*3` | a nimber |
    /// | `↑` `^`, `⇑` `^^`, `↑3*` `^3*`, `3·↑`; `↓` `v` | a multiple of up, and a nimber |
    /// | `+_2` `tiny(2)`, `-_2` `miny(2)` | a tiny, a miny |
    /// | `±1` `+-1`, `±(1,{2\|0})` | a switch: right options are the negatives of the left options |
    /// | `{1,*\|0}`, `{2\|\|1\|0}` | a game by its left and right options |
    /// | `domineering(../..)`, `domineering` | a position of a game, or its start |
    /// | `a + b`, `a - b`, `-a`, `3·a`, `3(a)` | sums, negatives, multiples |
    /// | `a < b`, `<=`, `=`, `>=`, `>`, `\|\|`, `<\|`, `\|>`, `!=` | a comparison |
    ///
    /// # Errors
    /// [`ExpressionError`], with the bytes in question.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let value = parser.sum()?;
        let Some((relation, _)) = parser.relation() else {
            parser.end()?;
            return Ok(Self { value, comparison: None });
        };
        let other = parser.sum()?;
        if let Some((_, second)) = parser.relation() {
            return Err(ExpressionError { span: second, kind: ExpressionErrorKind::TwoRelations });
        }
        parser.end()?;
        Ok(Self { value, comparison: Some((relation, other)) })
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Returns the next character after blanks.
    fn peek(&mut self) -> Option<char> {
        self.skip_blanks();
        self.rest().chars().next()
    }

    /// Skips blanks and then this text, if it comes next, and returns whether it does.
    fn take(&mut self, what: &str) -> bool {
        self.skip_blanks();
        let is_next = self.rest().starts_with(what);
        if is_next {
            self.at += what.len();
        }
        is_next
    }

    fn error<T>(&self, span: Range<usize>, kind: ExpressionErrorKind) -> Parsed<T> {
        Err(ExpressionError { span, kind })
    }

    /// Returns the span of the next character; an empty span at the end.
    fn here(&mut self) -> Range<usize> {
        let wide = self.peek().map_or(0, char::len_utf8);
        self.at..self.at + wide
    }

    fn end(&mut self) -> Parsed<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => {
                let span = self.here();
                self.error(span, ExpressionErrorKind::Rest)
            }
        }
    }

    fn relation(&mut self) -> Option<(Relation, Range<usize>)> {
        self.skip_blanks();
        let from = self.at;
        let (_, relation) = Relation::SPELLINGS.into_iter().find(|(written, _)| self.take(written))?;
        Some((relation, from..self.at))
    }

    /// Parses values joined by `+` and `-`.
    fn sum(&mut self) -> Parsed<Term> {
        self.skip_blanks();
        let from = self.at;
        let mut terms = vec![self.product()?];
        loop {
            let is_negative = match self.peek() {
                Some('+') => false,
                Some('-' | '−') => true,
                _ => break,
            };
            let at = self.at;
            self.at = self.here().end;
            let term = self.product()?;
            terms.push(if is_negative { negative(at, term) } else { term });
        }
        Ok(match terms.pop() {
            Some(term) if terms.is_empty() => term,
            last => {
                terms.extend(last);
                Term { span: from..self.last_end(), kind: TermKind::Sum(terms) }
            }
        })
    }

    /// Returns the end of the text read last, without blanks.
    fn last_end(&self) -> usize {
        self.text[..self.at].trim_end().len()
    }

    /// Parses a value, a negative or a multiple, one level deeper.
    fn product(&mut self) -> Parsed<Term> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let span = self.here();
            return self.error(span, ExpressionErrorKind::TooDeep);
        }
        let term = self.unary();
        self.depth -= 1;
        term
    }

    fn unary(&mut self) -> Parsed<Term> {
        let found = self.peek();
        let from = self.at;
        let term = |parser: &Self, kind| Ok(Term { span: from..parser.last_end(), kind });
        if self.take("+_") || self.take("⧾_") {
            let size = Box::new(self.atom()?);
            return term(self, TermKind::Tiny(size));
        }
        if self.take("-_") || self.take("⧿_") {
            let size = Box::new(self.atom()?);
            let tiny = Term { span: from..self.last_end(), kind: TermKind::Tiny(size) };
            return term(self, TermKind::Negative(Box::new(tiny)));
        }
        if self.take("±") || self.take("+-") {
            let options = self.switch_options()?;
            return term(self, TermKind::Switch(options));
        }
        if self.take("-") || self.take("−") {
            // `-1↑` is up plus -1, not the negative of `1↑`.
            if self.rest().starts_with(|c: char| c.is_ascii_digit()) {
                return self.numeric(from);
            }
            let term = self.product()?;
            return Ok(negative(from, term));
        }
        match found {
            Some(c) if c.is_ascii_digit() => self.numeric(from),
            _ => self.atom(),
        }
    }

    /// Parses a number, whose sign, if any, stands at `from`, and what follows it immediately.
    fn numeric(&mut self, from: usize) -> Parsed<Term> {
        let is_negative = self.at > from;
        let number = self.number()?;
        let number = if is_negative { -number } else { number };
        let times = |parser: &Self| match number.as_integer() {
            Some(n) => Ok(n),
            None => parser.error(from..parser.at, ExpressionErrorKind::NotWhole),
        };
        let dotted = ['·', '.', '⋅'].into_iter().find(|dot| self.rest().starts_with(*dot));
        if let Some(dot) = dotted {
            let n = times(self)?;
            self.at += dot.len_utf8();
            // In `3·↑*` the nimber is not multiplied.
            if let Some(ups) = self.arrows()? {
                let Some(ups) =
                    i32::try_from(n).ok().and_then(|n| n.checked_mul(ups)).filter(|n| n.unsigned_abs() < 1 << 20)
                else {
                    return self.error(from..self.at, ExpressionErrorKind::TooLarge);
                };
                let nimber = self.star()?.unwrap_or(0);
                let nus = NumberUpStar { number: Dyadic::ZERO, ups, nimber };
                return Ok(Term { span: from..self.at, kind: TermKind::NumberUpStar(nus) });
            }
            let term = self.product()?;
            return Ok(Term { span: from..self.last_end(), kind: TermKind::Multiple(n, Box::new(term)) });
        }
        let ups = self.arrows()?.unwrap_or(0);
        let nimber = self.star()?.unwrap_or(0);
        let nus = Term { span: from..self.at, kind: TermKind::NumberUpStar(NumberUpStar { number, ups, nimber }) };
        if (ups, nimber) != (0, 0) {
            return Ok(nus);
        }
        match self.peek() {
            Some(c) if c == '(' || c == '{' || c == '±' || c.is_alphabetic() => {
                let n = times(self)?;
                let term = self.product()?;
                Ok(Term { span: from..self.last_end(), kind: TermKind::Multiple(n, Box::new(term)) })
            }
            _ => Ok(nus),
        }
    }

    /// Parses `3`, `3/4` or `0.75`.
    fn number(&mut self) -> Parsed<Dyadic> {
        let from = self.at;
        let too_large = |parser: &Self| ExpressionError { span: from..parser.at, kind: ExpressionErrorKind::TooLarge };
        let whole = self.digits();
        let whole: i64 = whole.parse().ok().filter(|n| *n < 1 << 30).ok_or_else(|| too_large(self))?;
        let follows = |parser: &Self, sign: char| {
            parser.rest().strip_prefix(sign).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        if follows(self, '/') {
            self.at += 1;
            let under: i64 = self.digits().parse().map_err(|_| too_large(self))?;
            if under <= 0 || under.count_ones() != 1 {
                return self.error(from..self.at, ExpressionErrorKind::NotDyadic);
            }
            if under > 1 << 30 {
                return Err(too_large(self));
            }
            return Ok(Dyadic::new(whole, under.trailing_zeros()));
        }
        if follows(self, '.') {
            self.at += 1;
            let decimals = self.digits();
            let tens = 10_i64.checked_pow(decimals.len() as u32).filter(|_| decimals.len() <= 15);
            let (Some(tens), Ok(above)) = (tens, decimals.parse::<i64>()) else {
                return Err(too_large(self));
            };
            // The denominator is a power of ten: its factors of five have to cancel.
            let fives = 5_i64.pow(decimals.len() as u32);
            if above % fives != 0 {
                return self.error(from..self.at, ExpressionErrorKind::NotDyadic);
            }
            let part = Dyadic::new(above / fives, (tens / fives).trailing_zeros());
            return Ok(Dyadic::integer(whole) + part);
        }
        Ok(Dyadic::integer(whole))
    }

    fn digits(&mut self) -> &'t str {
        let rest = self.rest();
        let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
        self.at += digits.len();
        digits
    }

    /// Parses an optional count.
    fn count(&mut self) -> Parsed<Option<i32>> {
        let from = self.at;
        match self.digits() {
            "" => Ok(None),
            digits => match digits.parse() {
                Ok(n) if n < 1 << 20 => Ok(Some(n)),
                _ => self.error(from..self.at, ExpressionErrorKind::TooLarge),
            },
        }
    }

    /// Parses `↑`, `⇓`, `^^` or `v3`, and returns the multiple of up.
    fn arrows(&mut self) -> Parsed<Option<i32>> {
        let from = self.at;
        let mut ups = 0_i32;
        while let Some(c) = self.rest().chars().next() {
            let step = match c {
                '↑' | '^' => 1,
                '⇑' => 2,
                '↓' => -1,
                '⇓' => -2,
                // The letter alone, not a name that begins with it.
                'v' if !self.rest()[1..].starts_with(|c: char| c.is_alphabetic() && c != 'v' || c == '_') => -1,
                _ => break,
            };
            self.at += c.len_utf8();
            ups = ups.saturating_add(step);
        }
        if self.at == from {
            return Ok(None);
        }
        let times = self.count()?.unwrap_or(1);
        match ups.checked_mul(times).filter(|ups| ups.unsigned_abs() < 1 << 20) {
            Some(ups) => Ok(Some(ups)),
            None => self.error(from..self.at, ExpressionErrorKind::TooLarge),
        }
    }

    /// Parses `*` or `*3`.
    fn star(&mut self) -> Parsed<Option<u32>> {
        if !self.rest().starts_with(['*', '∗', '⋆']) {
            return Ok(None);
        }
        self.at = self.here().end;
        Ok(Some(self.count()?.map_or(1, i32::unsigned_abs)))
    }

    /// Parses a value without sign or operator.
    fn atom(&mut self) -> Parsed<Term> {
        let found = self.peek();
        let from = self.at;
        let term = |parser: &Self, kind| Ok(Term { span: from..parser.at, kind });
        match found {
            Some(c) if c.is_ascii_digit() => {
                let number = self.number()?;
                term(self, TermKind::NumberUpStar(NumberUpStar::number(number)))
            }
            Some('(') => {
                self.at += 1;
                let inside = self.sum()?;
                self.close(from, ")")?;
                Ok(Term { span: from..self.at, ..inside })
            }
            Some('{') => self.braces(),
            Some(_) => {
                let (ups, nimber) = (self.arrows()?, self.star()?);
                if ups.is_some() || nimber.is_some() {
                    let nus = NumberUpStar { number: Dyadic::ZERO, ups: ups.unwrap_or(0), nimber: nimber.unwrap_or(0) };
                    return term(self, TermKind::NumberUpStar(nus));
                }
                self.position()
            }
            None => self.error(self.text.len()..self.text.len(), ExpressionErrorKind::NoValue),
        }
    }

    fn close(&mut self, from: usize, with: &str) -> Parsed<()> {
        if self.take(with) {
            return Ok(());
        }
        match self.peek() {
            None => self.error(from..from + 1, ExpressionErrorKind::Unclosed),
            Some(_) => {
                let span = self.here();
                self.error(span, ExpressionErrorKind::Rest)
            }
        }
    }

    /// Parses the options after `±`.
    fn switch_options(&mut self) -> Parsed<Vec<Term>> {
        let from = self.here().start;
        if !self.take("(") {
            return Ok(vec![self.product()?]);
        }
        let options = self.list()?;
        self.close(from, ")")?;
        if options.is_empty() { self.error(from..self.at, ExpressionErrorKind::NoValue) } else { Ok(options) }
    }

    /// Parses values separated by commas, possibly none.
    fn list(&mut self) -> Parsed<Vec<Term>> {
        let mut list = Vec::new();
        if matches!(self.peek(), Some('|' | '}' | ')')) {
            return Ok(list);
        }
        loop {
            list.push(self.sum()?);
            if !self.take(",") {
                return Ok(list);
            }
        }
    }

    /// Parses `{a,b|c}` or `{a||b|c}`: the longest bar separates the options, shorter ones those of their options.
    fn braces(&mut self) -> Parsed<Term> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let span = self.here();
            return self.error(span, ExpressionErrorKind::TooDeep);
        }
        let from = self.at;
        self.at += 1;
        let mut lists = vec![self.list()?];
        let mut bars = Vec::new();
        while self.peek() == Some('|') {
            let at = self.at;
            self.at += self.rest().len() - self.rest().trim_start_matches('|').len();
            bars.push(at..self.at);
            lists.push(self.list()?);
        }
        self.close(from, "}")?;
        self.depth -= 1;
        if bars.is_empty() {
            return self.error(from..self.at, ExpressionErrorKind::NoBar);
        }
        let kind = split_at_longest_bar(&mut lists, &bars)?;
        Ok(Term { span: from..self.at, kind })
    }

    /// Parses a game's name and an optional position in parentheses.
    fn position(&mut self) -> Parsed<Term> {
        let from = self.at;
        let is_first = |c: char| c.is_alphabetic() || matches!(c, '.' | '/' | '_' | '~');
        let rest = self.rest();
        if !rest.starts_with(is_first) {
            let span = self.here();
            return self.error(span, ExpressionErrorKind::NoValue);
        }
        let mut is_path = false;
        let end = rest.find(|c: char| {
            is_path |= matches!(c, '.' | '/' | '~');
            !(c.is_alphanumeric() || matches!(c, '.' | '/' | '_' | '~') || c == '-' && is_path)
        });
        let game = &rest[..end.unwrap_or(rest.len())];
        self.at += game.len();
        let open = self.at;
        if !self.rest().starts_with('(') {
            return Ok(Term { span: from..self.at, kind: TermKind::Position { game: game.to_owned(), text: None } });
        }
        if matches!(game, "tiny" | "miny") {
            self.at += 1;
            let size = Box::new(self.sum()?);
            self.close(open, ")")?;
            let tiny = Term { span: from..self.at, kind: TermKind::Tiny(size) };
            let is_tiny = game == "tiny";
            return Ok(if is_tiny { tiny } else { negative(from, tiny) });
        }
        let Some(close) = self.rest().find(')') else {
            return self.error(open..open + 1, ExpressionErrorKind::Unclosed);
        };
        let position = open + 1..open + close;
        self.at = open + close + 1;
        let text = Some(self.text[position].to_owned());
        Ok(Term { span: from..self.at, kind: TermKind::Position { game: game.to_owned(), text } })
    }
}

fn negative(from: usize, term: Term) -> Term {
    Term { span: from..term.span.end, kind: TermKind::Negative(Box::new(term)) }
}

/// Returns the game with these lists of options, separated by these bars.
fn split_at_longest_bar(lists: &mut [Vec<Term>], bars: &[Range<usize>]) -> Parsed<TermKind> {
    let longest = bars.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
    let mut of_length = (0..bars.len()).filter(|bar| bars[*bar].len() == longest);
    let (Some(bar), second) = (of_length.next(), of_length.next()) else {
        return Err(ExpressionError { span: 0..0, kind: ExpressionErrorKind::NoBar });
    };
    if let Some(second) = second {
        return Err(ExpressionError { span: bars[second].clone(), kind: ExpressionErrorKind::EqualBars });
    }
    let (left, right) = lists.split_at_mut(bar + 1);
    let side = |lists: &mut [Vec<Term>], bars: &[Range<usize>]| -> Parsed<Vec<Term>> {
        match lists {
            [options] => Ok(std::mem::take(options)),
            lists => {
                let span = bars.first().map_or(0, |bar| bar.start)..bars.last().map_or(0, |bar| bar.end);
                Ok(vec![Term { span, kind: split_at_longest_bar(lists, bars)? }])
            }
        }
    };
    Ok(TermKind::Game { left: side(left, &bars[..bar])?, right: side(right, &bars[bar + 1..])? })
}
