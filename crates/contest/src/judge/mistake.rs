//! Known misunderstandings of problems, with their names and remedies in English and Korean.

use std::fmt::{self, Debug};
use std::hash::Hash;

use std::borrow::Cow;

use balpan_games::Lang;
use rustc_hash::FxHashMap;

use super::Judge;

/// A known misunderstanding of a problem, with a small solver that has it.
pub struct Mistake<J: Judge> {
    /// A short description: "the loser hurrying, too". Variants of a mistake share their first words.
    pub name: String,
    /// One sentence that states the problem's rule.
    pub remedy: Cow<'static, str>,
    /// The name and the remedy in Korean, if they are not among the messages.
    korean: Option<[String; 2]>,
    /// Answers the cases of a run in order.
    solver: Box<Solver<J>>,
    is_stateful: bool,
    /// Whether it can be made in any game.
    pub(crate) is_common: bool,
    count_offset: Option<isize>,
}

type Solver<J> = dyn Fn(&J, &[<J as Judge>::Case]) -> Vec<Option<<J as Judge>::Answer>> + Send + Sync;

impl<J: Judge> Mistake<J> {
    /// A mistake that shows in single cases, which `solver` answers.
    pub fn new(
        name: impl Into<String>,
        remedy: impl Into<Cow<'static, str>>,
        solver: impl Fn(&J::Case) -> Option<J::Answer> + Send + Sync + 'static,
    ) -> Self {
        let solver = move |_: &J, cases: &[J::Case]| cases.iter().map(&solver).collect();
        Self { is_common: false, ..Self::by_judge(name, remedy, false, solver) }
    }

    /// A mistake that carries state from one case of a run to the next. `solver` answers all cases
    /// of a run.
    pub fn stateful(
        name: impl Into<String>,
        remedy: impl Into<Cow<'static, str>>,
        solver: impl Fn(&[J::Case]) -> Vec<Option<J::Answer>> + Send + Sync + 'static,
    ) -> Self {
        Self { is_common: false, ..Self::by_judge(name, remedy, true, move |_, cases| solver(cases)) }
    }

    /// A mistake that can be made in any game: `solver` answers the cases of a run by the judge's games.
    pub(super) fn by_judge(
        name: impl Into<String>,
        remedy: impl Into<Cow<'static, str>>,
        is_stateful: bool,
        solver: impl Fn(&J, &[J::Case]) -> Vec<Option<J::Answer>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            remedy: remedy.into(),
            korean: None,
            solver: Box::new(solver),
            is_stateful,
            is_common: true,
            count_offset: None,
        }
    }

    /// Returns the answer of a program with this mistake to a case that is alone in its run; `None`
    /// if there is no such answer, or if the plain solver would take too long.
    #[must_use]
    pub fn answer(&self, judge: &J, case: &J::Case) -> Option<J::Answer> {
        self.answers(judge, std::slice::from_ref(case)).pop().flatten()
    }

    /// Returns the answers of a program with this mistake to the cases of one run.
    #[must_use]
    pub fn answers(&self, judge: &J, cases: &[J::Case]) -> Vec<Option<J::Answer>> {
        (self.solver)(judge, cases)
    }

    /// Returns the first two words of the name, which variants of a mistake share.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.name.match_indices(' ').nth(1).map_or(&self.name, |(end, _)| &self.name[..end])
    }

    /// Whether an answer may depend on earlier cases of the run.
    #[must_use]
    pub const fn is_stateful(&self) -> bool {
        self.is_stateful
    }

    /// How many more cases are read than there are, or fewer if negative, if that is the mistake.
    #[must_use]
    pub const fn count_offset(&self) -> Option<isize> {
        self.count_offset
    }
}

impl<J: Judge> Debug for Mistake<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mistake").field(&self.name).finish()
    }
}

/// Evaluates a position by plain recursion, as a learner would write it. `value` computes a position's value from those of
/// its successors; `key` returns the key under which the memo keeps it, if it does.
pub(super) fn evaluate<P: Copy, K: Eq + Hash, V: Copy>(
    position: P,
    memo: &mut FxHashMap<K, V>,
    key: &impl Fn(P) -> Option<K>,
    value: &impl Fn(P, &mut dyn FnMut(P) -> V) -> V,
) -> V {
    let key_here = key(position);
    if let Some(known) = key_here.as_ref().and_then(|key| memo.get(key)) {
        return *known;
    }
    let found = value(position, &mut |next| evaluate(next, memo, key, value));
    memo.extend(key_here.map(|key| (key, found)));
    found
}

/// The remedy for a wrongly read number of cases.
const COUNT_REMEDY: &str = "the first line is the number of cases, and each of them has its answer";

/// The mistakes in reading the number of cases.
pub(super) fn count_mistakes<J: Judge>() -> [Mistake<J>; 2] {
    [(-1, "reading one case fewer than the count says"), (1, "reading one case more than the count says")]
        .map(|(offset, name)| Mistake { count_offset: Some(offset), ..Mistake::new(name, COUNT_REMEDY, |_| None) })
}

impl<J: Judge> Mistake<J> {
    /// Returns the name in `lang`.
    #[must_use]
    pub fn name_in(&self, lang: Lang) -> String {
        match (&self.korean, lang) {
            (_, Lang::En) => self.name.clone(),
            (Some([name, _]), Lang::Ko) if !name.is_empty() => name.clone(),
            (_, Lang::Ko) => name_in_korean(&self.name),
        }
    }

    /// Returns the remedy in `lang`: a sentence without its full stop.
    #[must_use]
    pub fn remedy_in(&self, lang: Lang) -> &str {
        match (&self.korean, lang) {
            (_, Lang::En) => &self.remedy,
            (Some([_, remedy]), Lang::Ko) if !remedy.is_empty() => remedy.trim_end_matches('.'),
            (_, Lang::Ko) => korean(&self.remedy).unwrap_or(&self.remedy),
        }
    }

    /// Sets the name and the remedy in Korean; empty ones are looked up among the messages.
    pub(crate) fn with_korean(self, words: [String; 2]) -> Self {
        Self { korean: Some(words), ..self }
    }
}

/// Translates a name: a phrase, or several with `, ` or `: ` between them. Other text, such as
/// pieces, is left as it is.
fn name_in_korean(name: &str) -> String {
    if let Some(phrase) = korean(name) {
        return phrase.to_owned();
    }
    for between in [": ", ", "] {
        if let Some((first, rest)) = name.split_once(between) {
            return format!("{}{between}{}", name_in_korean(first), name_in_korean(rest));
        }
    }
    name.strip_prefix("only ").map_or_else(|| name.to_owned(), |pieces| format!("{}만", pieces.replace(" and ", ", ")))
}

balpan_messages::messages!("mistakes");

fn korean(words: &str) -> Option<&'static str> {
    Some(phrase(Lang::Ko, words)).filter(|korean| !korean.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockGame, Platforms, TicTacToe};

    fn in_korean<J: Judge>(judge: &J) {
        let mistakes = judge.mistakes().into_iter().chain(judge.more_mistakes());
        for mistake in mistakes {
            assert!(korean(&mistake.remedy).is_some(), "{}", mistake.remedy);
            let name = mistake.name_in(Lang::Ko);
            // Pieces have no letters; answers such as TIE stay as they are.
            let english = name.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 1);
            let known = |word: &str| matches!(word, "TIE");
            assert!(english.clone().all(known), "{}: {name}", mistake.name);
        }
    }

    #[test]
    fn every_misunderstanding_has_a_name_in_korean() {
        in_korean(&BlockGame);
        in_korean(&Platforms);
        in_korean(&TicTacToe);
    }
}
