//! Conditions between the values of an input, such as `sum(piles) is odd` or `max(a) <= k`.

use std::fmt;

use super::values::{Kind, Shape, Value};

/// A condition that holds in every case.
pub(super) struct Condition {
    text: String,
    left: Term,
    test: Test,
}

enum Test {
    /// Whether the remainder by 2 is 0.
    Parity {
        even: bool,
    },
    Comparison(&'static Relation, Term),
}

struct Relation {
    sign: &'static str,
    /// The same sign in Python and C++.
    operator: &'static str,
    holds: fn(i128, i128) -> bool,
}

/// The relations; a sign comes before those it begins with.
static RELATIONS: [Relation; 6] = [
    Relation { sign: "<=", operator: "<=", holds: |left, right| left <= right },
    Relation { sign: ">=", operator: ">=", holds: |left, right| left >= right },
    Relation { sign: "!=", operator: "!=", holds: |left, right| left != right },
    Relation { sign: "<", operator: "<", holds: |left, right| left < right },
    Relation { sign: ">", operator: ">", holds: |left, right| left > right },
    Relation { sign: "=", operator: "==", holds: |left, right| left == right },
];

enum Term {
    Constant(i64),
    /// The value of this index, which is a number.
    Number(usize),
    /// A function of the list of this index.
    Function(&'static Function, usize),
}

struct Function {
    name: &'static str,
    /// The name in Python.
    python: &'static str,
    /// `None` where an empty list has no such number.
    evaluate: fn(&[i64]) -> Option<i128>,
}

static FUNCTIONS: [Function; 4] = [
    Function { name: "count", python: "len", evaluate: |list| i128::try_from(list.len()).ok() },
    Function { name: "sum", python: "sum", evaluate: |list| Some(list.iter().copied().map(i128::from).sum()) },
    Function { name: "min", python: "min", evaluate: |list| list.iter().copied().min().map(i128::from) },
    Function { name: "max", python: "max", evaluate: |list| list.iter().copied().max().map(i128::from) },
];

/// A language of validators.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// The dictionary `known` has the values by name.
    Python,
    /// The variables `v0`, `v1` and so on have the values; [`CPP_FUNCTIONS`] are the functions.
    Cpp,
}

impl Condition {
    /// Reads a condition between values of these kinds; or returns what is wrong with it.
    pub(super) fn parse(text: &str, kinds: &[Kind]) -> Result<Self, String> {
        let text = &*text.split_whitespace().collect::<Vec<_>>().join(" ");
        let term = |text: &str| Term::parse(text.trim(), kinds);
        let parity = [(" is even", true), (" is odd", false)];
        let (left, test) = if let Some((left, even)) =
            parity.iter().find_map(|(words, even)| Some((text.strip_suffix(words)?, *even)))
        {
            (term(left)?, Test::Parity { even })
        } else if let Some((left, relation, right)) = RELATIONS.iter().find_map(|relation| {
            let (left, right) = text.split_once(relation.sign)?;
            Some((left, relation, right))
        }) {
            (term(left)?, Test::Comparison(relation, term(right)?))
        } else {
            return Err(format!("`{text}` compares nothing"));
        };
        Ok(Self { text: text.to_owned(), left, test })
    }

    /// Whether the condition holds. One on `min` or `max` of an empty list does.
    pub(super) fn holds(&self, values: &[Value]) -> bool {
        let Some(left) = self.left.number(values) else { return true };
        match &self.test {
            Test::Parity { even } => (left % 2 == 0) == *even,
            Test::Comparison(relation, right) => right.number(values).is_none_or(|right| (relation.holds)(left, right)),
        }
    }

    /// Writes the condition as an expression.
    pub(super) fn code(&self, language: Language, kinds: &[Kind]) -> String {
        let left = self.left.code(language, kinds);
        let (test, right) = match &self.test {
            // A negative remainder in C++ is not 1.
            Test::Parity { even } => (format!("{left} % 2 {} 0", if *even { "==" } else { "!=" }), None),
            Test::Comparison(relation, right) => {
                (format!("{left} {} {}", relation.operator, right.code(language, kinds)), Some(right))
            }
        };
        let lists = [Some(&self.left), right].into_iter().flatten().filter_map(Term::may_be_empty);
        let (not, or) = if language == Language::Python { ("not ", "or") } else { ("!", "||") };
        let empty =
            lists.map(|list| format!("{not}{} {or} ", Term::Function(&FUNCTIONS[0], list).code(language, kinds)));
        empty.collect::<String>() + &test
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Term {
    fn parse(text: &str, kinds: &[Kind]) -> Result<Self, String> {
        if text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            let number = text.replace('_', "").parse();
            return number.map(Self::Constant).map_err(|_| format!("`{text}` is no whole number of 64 bits"));
        }
        let find_kind = |name: &str, what: &str, fits: fn(&Shape) -> bool| {
            let found = kinds.iter().position(|kind| kind.name == name);
            let n = found.ok_or_else(|| format!("there is no value `{name}`"))?;
            if fits(&kinds[n].shape) { Ok(n) } else { Err(format!("`{name}` is no {what}")) }
        };
        match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            Some((name, list)) => {
                let function = FUNCTIONS.iter().find(|function| function.name == name.trim());
                let function = function.ok_or_else(|| format!("there is no function `{}`", name.trim()))?;
                let is_list = |shape: &Shape| matches!(shape, Shape::Numbers { .. });
                Ok(Self::Function(function, find_kind(list.trim(), "list of numbers", is_list)?))
            }
            None => Ok(Self::Number(find_kind(text, "number", |shape| matches!(shape, Shape::Number(_)))?)),
        }
    }

    fn number(&self, values: &[Value]) -> Option<i128> {
        match self {
            Self::Constant(number) => Some(i128::from(*number)),
            Self::Number(n) => match &values[*n] {
                Value::Number(number) => Some(i128::from(*number)),
                _ => None,
            },
            Self::Function(function, n) => match &values[*n] {
                Value::Numbers(list) => (function.evaluate)(list),
                _ => None,
            },
        }
    }

    /// Returns the list that has no such number if it is empty.
    fn may_be_empty(&self) -> Option<usize> {
        match self {
            Self::Function(function, list) if (function.evaluate)(&[]).is_none() => Some(*list),
            _ => None,
        }
    }

    fn code(&self, language: Language, kinds: &[Kind]) -> String {
        let value = |n: usize| match language {
            Language::Python => format!("known[{}]", serde_json::Value::from(kinds[n].name.as_str())),
            Language::Cpp => format!("v{n}"),
        };
        match (self, language) {
            (Self::Constant(number), Language::Python) => number.to_string(),
            (Self::Constant(number), Language::Cpp) => super::package::cpp_literal(*number),
            (Self::Number(n), _) => value(*n),
            (Self::Function(function, n), Language::Python) => format!("{}({})", function.python, value(*n)),
            (Self::Function(function, n), Language::Cpp) => format!("{}_of({})", function.name, value(*n)),
        }
    }
}

/// The functions of lists in C++. Conditions check that a list is not empty before they ask for its smallest or largest element.
pub(super) const CPP_FUNCTIONS: &str = "
using List = std::vector<long long>;
[[maybe_unused]] static long long count_of(const List& all) { return all.size(); }
[[maybe_unused]] static __int128 sum_of(const List& all) { return std::accumulate(all.begin(), all.end(), (__int128)0); }
[[maybe_unused]] static long long min_of(const List& all) { return *std::min_element(all.begin(), all.end()); }
[[maybe_unused]] static long long max_of(const List& all) { return *std::max_element(all.begin(), all.end()); }
";
