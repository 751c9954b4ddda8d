//! Expressions: numbers, switches, sums, positions of games, and comparisons.

use std::ops::Range;

use super::{CgtError, Form, FormStore, NumberUpStar};

/// A value or a comparison of two values, as read by [`parse`](Self::parse).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The value; in a comparison, the left-hand side.
    pub value: Term,
    /// The relation and the right-hand side of a comparison.
    pub comparison: Option<(Relation, Term)>,
}

/// A value in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its bytes in the text.
    pub span: Range<usize>,
    pub(super) kind: TermKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TermKind {
    NumberUpStar(NumberUpStar),
    /// The tiny `{0||0|-G}`.
    Tiny(Box<Term>),
    /// The game whose left options are these, and whose right options are their negatives.
    Switch(Vec<Term>),
    Game {
        left: Vec<Term>,
        right: Vec<Term>,
    },
    Position {
        game: String,
        text: Option<String>,
    },
    Negative(Box<Term>),
    Multiple(i64, Box<Term>),
    Sum(Vec<Term>),
}

/// A relation of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Less: better for Right.
    Less,
    /// Less or equal.
    AtMost,
    /// Equal.
    Equal,
    /// Not equal.
    Unequal,
    /// Greater or equal.
    AtLeast,
    /// Greater: better for Left.
    Greater,
    /// Confused (fuzzy): the first player wins the difference.
    Confused,
    /// Less or confused.
    LessOrConfused,
    /// Greater or confused.
    GreaterOrConfused,
}

impl Relation {
    /// All spellings. Of those with a common prefix, the longest comes first.
    pub(super) const SPELLINGS: [(&'static str, Self); 17] = [
        ("<=", Self::AtMost),
        ("≤", Self::AtMost),
        (">=", Self::AtLeast),
        ("≥", Self::AtLeast),
        ("<>", Self::Confused),
        ("<|", Self::LessOrConfused),
        ("⧏", Self::LessOrConfused),
        ("|>", Self::GreaterOrConfused),
        ("⧐", Self::GreaterOrConfused),
        ("||", Self::Confused),
        ("∥", Self::Confused),
        ("!=", Self::Unequal),
        ("≠", Self::Unequal),
        ("==", Self::Equal),
        ("=", Self::Equal),
        ("<", Self::Less),
        (">", Self::Greater),
    ];

    /// Returns the usual symbol.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Equal => "=",
            Self::Unequal => "!=",
            Self::AtLeast => ">=",
            Self::Greater => ">",
            Self::Confused => "||",
            Self::LessOrConfused => "<|",
            Self::GreaterOrConfused => "|>",
        }
    }

    /// Returns whether the relation holds between two values, by whether the first is at most, and at least, the
    /// second.
    #[must_use]
    pub const fn holds(self, at_most: bool, at_least: bool) -> bool {
        match self {
            Self::Less => at_most && !at_least,
            Self::AtMost => at_most,
            Self::Equal => at_most && at_least,
            Self::Unequal => !(at_most && at_least),
            Self::AtLeast => at_least,
            Self::Greater => at_least && !at_most,
            Self::Confused => !at_most && !at_least,
            Self::LessOrConfused => !at_least,
            Self::GreaterOrConfused => !at_most,
        }
    }

    /// Returns which of `<`, `=`, `>` and `||` holds.
    #[must_use]
    pub const fn from_order(at_most: bool, at_least: bool) -> Self {
        match (at_most, at_least) {
            (true, true) => Self::Equal,
            (true, false) => Self::Less,
            (false, true) => Self::Greater,
            (false, false) => Self::Confused,
        }
    }
}

/// A summand and its multiplicity; a negative multiplicity stands for copies of the negative. The term is no sum,
/// negative or multiple, unless its multiplicity would overflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component<'e> {
    /// The multiplicity.
    pub times: i64,
    /// The summand.
    pub term: &'e Term,
}

impl Term {
    /// Returns the name of the game and the position, if the term is one. The position is absent if it is the game's
    /// start.
    #[must_use]
    pub fn position(&self) -> Option<(&str, Option<&str>)> {
        match &self.kind {
            TermKind::Position { game, text } => Some((game, text.as_deref())),
            _ => None,
        }
    }

    /// Returns all positions of games in the term.
    pub fn positions(&self) -> Vec<&Self> {
        match &self.kind {
            TermKind::NumberUpStar(_) => Vec::new(),
            TermKind::Position { .. } => vec![self],
            TermKind::Tiny(term) | TermKind::Negative(term) | TermKind::Multiple(_, term) => term.positions(),
            TermKind::Switch(terms) | TermKind::Sum(terms) => terms.iter().flat_map(Self::positions).collect(),
            TermKind::Game { left, right } => left.iter().chain(right).flat_map(Self::positions).collect(),
        }
    }

    /// Returns the summands of the term.
    #[must_use]
    pub fn components(&self) -> Vec<Component<'_>> {
        let mut components = Vec::new();
        self.add_components(1, &mut components);
        components
    }

    fn add_components<'e>(&'e self, times: i64, components: &mut Vec<Component<'e>>) {
        match &self.kind {
            TermKind::Sum(terms) => terms.iter().for_each(|term| term.add_components(times, components)),
            TermKind::Negative(term) => term.add_multiple(times, -1, self, components),
            TermKind::Multiple(n, term) => term.add_multiple(times, *n, self, components),
            _ if times == 0 => {}
            _ => components.push(Component { times, term: self }),
        }
    }

    /// Adds `times · n` copies of this; or `times` copies of `whole`, which is `n` copies of this, if the product
    /// overflows.
    fn add_multiple<'e>(&'e self, times: i64, n: i64, whole: &'e Self, components: &mut Vec<Component<'e>>) {
        match times.checked_mul(n).filter(|product| *product > i64::MIN) {
            Some(product) => self.add_components(product, components),
            None => components.push(Component { times, term: whole }),
        }
    }

    /// Evaluates the term. `position_value` finds the values of positions of games.
    ///
    /// # Errors
    /// The errors of `position_value`, and [`CgtError`] if the watch stops it, the memory is used up or a game is too
    /// large.
    pub fn evaluate<E: From<CgtError>>(
        &self,
        forms: &mut FormStore,
        position_value: &mut impl FnMut(&Self, &mut FormStore) -> Result<Form, E>,
    ) -> Result<Form, E> {
        let mut list = |terms: &[Self], forms: &mut FormStore| {
            terms.iter().map(|term| term.evaluate(forms, position_value)).collect::<Result<Vec<_>, E>>()
        };
        Ok(match &self.kind {
            TermKind::NumberUpStar(nus) => forms.intern_number_up_star(*nus)?,
            TermKind::Position { .. } => position_value(self, forms)?,
            TermKind::Negative(term) => {
                let value = term.evaluate(forms, position_value)?;
                forms.negative(value)?
            }
            TermKind::Multiple(n, term) => {
                let value = term.evaluate(forms, position_value)?;
                forms.multiple(*n, value)?
            }
            TermKind::Sum(terms) => {
                let mut sum = forms.zero();
                for term in terms {
                    let value = term.evaluate(forms, position_value)?;
                    sum = forms.sum(sum, value)?;
                }
                sum
            }
            TermKind::Tiny(size) => {
                let size = size.evaluate(forms, position_value)?;
                let (zero, negative) = (forms.zero(), forms.negative(size)?);
                let threat = forms.canonical_form(&[zero], &[negative])?;
                forms.canonical_form(&[zero], &[threat])?
            }
            TermKind::Switch(options) => {
                let left = list(options, forms)?;
                let right = left.iter().map(|option| forms.negative(*option)).collect::<Result<Vec<_>, _>>()?;
                forms.canonical_form(&left, &right)?
            }
            TermKind::Game { left, right } => {
                let (left, right) = (list(left, forms)?, list(right, forms)?);
                forms.canonical_form(&left, &right)?
            }
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::{ExpressionErrorKind, FormStore};
    use balpan::Watch;

    fn evaluate_text(forms: &mut FormStore, text: &str) -> String {
        let expression = Expression::parse(text).unwrap_or_else(|e| panic!("{text}: {e} {:?}", e.span));
        let mut no_position = |term: &Term, _: &mut FormStore| -> Result<Form, CgtError> { panic!("{term:?}") };
        let value = expression.value.evaluate(forms, &mut no_position).unwrap();
        let Some((relation, other)) = expression.comparison else {
            return forms.text(value).unwrap();
        };
        let other = other.evaluate(forms, &mut no_position).unwrap();
        let (at_most, at_least) = (forms.is_at_most(value, other).unwrap(), forms.is_at_most(other, value).unwrap());
        relation.holds(at_most, at_least).to_string()
    }

    #[test]
    fn expressions_are_parsed_and_evaluated() {
        let watch = Watch::default();
        let mut forms = FormStore::new(1 << 24, &watch);
        for (text, value) in [
            ("0", "0"),
            ("-3", "-3"),
            ("3/4 - 1/4", "1/2"),
            ("0.75", "3/4"),
            ("-0.5", "-1/2"),
            ("1000000000", "1000000000"),
            ("*", "*"),
            ("*3 + *5", "*6"),
            ("*1000000", "*1000000"),
            ("^", "↑"),
            ("^^*", "⇑*"),
            ("^3*2", "3·↑*2"),
            ("4·↑*", "4·↑*"),
            ("v", "↓"),
            ("vv*", "⇓*"),
            ("v3", "3·↓"),
            ("1/2^*", "1/2↑*"),
            ("↑ + *", "↑*"),
            ("{0|*}", "↑"),
            ("{0,*|0}", "↑*"),
            ("{0|^*}", "⇑"),
            ("{0|^}", "⇑*"),
            ("{-1|^}", "0"),
            ("{|}", "0"),
            ("{ | }", "0"),
            ("{0|1}", "1/2"),
            ("{1|*}", "{1|*}"),
            ("{2||1|0}", "{2|{1|0}}"),
            ("{3|2||1|0}", "{{3|2}|{1|0}}"),
            ("{4|||3||2|1}", "{4|{3|{2|1}}}"),
            ("+-1", "±1"),
            ("±(1,{2|0})", "±(1,{2|0})"),
            ("+-1 +-1", "±1-1"),
            ("±1 + ±1", "0"),
            ("+_2", "tiny(2)"),
            ("-_2", "miny(2)"),
            ("tiny(2) + miny(2)", "0"),
            ("3·{1|0}", "{2|1}"),
            ("3(*)", "*"),
            ("2{1|0}", "1"),
            ("2.^", "⇑"),
            ("-(1 + *)", "-1*"),
            ("-1^", "-1↑"),
            ("-(1^)", "-1↓"),
            ("2 -1^", "1↓"),
            ("-2·{1|0}", "-1"),
            ("--1", "1"),
            ("0·{5|-5}", "0"),
        ] {
            let value = if value == "±1-1" { "{0|-2}" } else { value };
            assert_eq!(evaluate_text(&mut forms, text), value, "{text}");
            // The text of a value is read back as the value.
            assert_eq!(evaluate_text(&mut forms, value), value, "{value}");
        }
    }

    #[test]
    fn comparisons() {
        let watch = Watch::default();
        let mut forms = FormStore::new(1 << 24, &watch);
        for (text, holds) in [
            ("^ > 0", true),
            ("^ || *", true),
            ("^ <> *", true),
            ("^^ > *", true),
            ("* = 0", false),
            ("* || 0", true),
            ("* <| 0", true),
            ("0 <= +_2", true),
            ("+_2 < +_1", true),
            ("+_2 < ^", true),
            ("1 != 1", false),
            ("{1|-1} |> 1", true),
            ("{1|-1} || 1", true),
            ("{1|-1} < 2", true),
        ] {
            assert_eq!(evaluate_text(&mut forms, text), holds.to_string(), "{text}");
        }
    }

    #[test]
    fn errors_have_spans() {
        use ExpressionErrorKind as M;
        for (text, span, kind) in [
            ("", 0..0, M::NoValue),
            ("1 +", 3..3, M::NoValue),
            ("1/3", 0..3, M::NotDyadic),
            ("0.1", 0..3, M::NotDyadic),
            ("99999999999", 0..11, M::TooLarge),
            ("536870912.v4", 0..12, M::TooLarge),
            ("-536870912·^^^^", 0..16, M::TooLarge),
            ("{1|0", 0..1, M::Unclosed),
            ("(1", 0..1, M::Unclosed),
            ("cram(..", 4..5, M::Unclosed),
            ("{1}", 0..3, M::NoBar),
            ("{1|0|2}", 4..5, M::EqualBars),
            ("1 < 2 < 3", 6..7, M::TwoRelations),
            ("1)", 1..2, M::Rest),
            ("1/2·*", 0..3, M::NotWhole),
            ("?", 0..1, M::NoValue),
            ("1 + é?", 6..7, M::Rest),
        ] {
            let error = Expression::parse(text).unwrap_err();
            assert_eq!((error.span, error.kind), (span, kind), "{text}");
        }
        assert_eq!(Expression::parse(&"{".repeat(500)).unwrap_err().kind, M::TooDeep);
        assert_eq!(Expression::parse(&"-".repeat(500)).unwrap_err().kind, M::TooDeep);
        assert_eq!(Expression::parse(&"(".repeat(500)).unwrap_err().kind, M::TooDeep);
    }
}
