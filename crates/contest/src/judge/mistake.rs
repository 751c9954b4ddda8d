//! Known misunderstandings of problems, with their names and remedies in English and Korean.

use std::fmt::{self, Debug};
use std::hash::Hash;

use balpan_games::Lang;
use rustc_hash::FxHashMap;

use super::Judge;

/// A known misunderstanding of a problem, with a small solver that has it.
pub struct Mistake<J: Judge> {
    /// A short description: "the loser hurrying, too". Variants of a mistake share their first words.
    pub name: String,
    /// One sentence that states the problem's rule.
    pub remedy: &'static str,
    /// Answers the cases of a run in order.
    solver: Box<Solver<J>>,
    is_stateful: bool,
    count_offset: Option<isize>,
}

type Solver<J> = dyn Fn(&[<J as Judge>::Case]) -> Vec<Option<<J as Judge>::Answer>> + Send + Sync;

impl<J: Judge> Mistake<J> {
    /// A mistake that shows in single cases, which `solver` answers.
    pub fn new(
        name: impl Into<String>,
        remedy: &'static str,
        solver: impl Fn(&J::Case) -> Option<J::Answer> + Send + Sync + 'static,
    ) -> Self {
        let solver = move |cases: &[J::Case]| cases.iter().map(&solver).collect();
        Self { is_stateful: false, ..Self::stateful(name, remedy, solver) }
    }

    /// A mistake that carries state from one case of a run to the next. `solver` answers all cases
    /// of a run.
    pub fn stateful(
        name: impl Into<String>,
        remedy: &'static str,
        solver: impl Fn(&[J::Case]) -> Vec<Option<J::Answer>> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), remedy, solver: Box::new(solver), is_stateful: true, count_offset: None }
    }

    /// Returns the answer of a program with this mistake to a case that is alone in its run; `None`
    /// if there is no such answer, or if the plain solver would take too long.
    #[must_use]
    pub fn answer(&self, case: &J::Case) -> Option<J::Answer> {
        self.answers(std::slice::from_ref(case)).pop().flatten()
    }

    /// Returns the answers of a program with this mistake to the cases of one run.
    #[must_use]
    pub fn answers(&self, cases: &[J::Case]) -> Vec<Option<J::Answer>> {
        (self.solver)(cases)
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
        lang.pick(self.name.clone(), name_in_korean(&self.name))
    }

    /// Returns the remedy in `lang`: a sentence, in English without its full stop.
    #[must_use]
    pub fn remedy_in(&self, lang: Lang) -> &'static str {
        lang.pick(self.remedy, korean(self.remedy).unwrap_or(self.remedy))
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

fn korean(phrase: &str) -> Option<&'static str> {
    PHRASES.iter().find(|(en, _)| *en == phrase).map(|(_, ko)| *ko)
}

const PHRASES: &[(&str, &str)] = &[
    // All judges.
    ("reading one case fewer than the count says", "주어진 수보다 케이스를 하나 덜 읽음"),
    ("reading one case more than the count says", "주어진 수보다 케이스를 하나 더 읽음"),
    (
        "the first line is the number of cases, and each of them has its answer",
        "첫 줄의 수만큼 케이스가 이어지고, 케이스마다 답이 하나씩 있습니다",
    ),
    ("kept between cases", "케이스가 바뀌어도 그대로 둠"),
    // Platforms.
    (
        "whoever can win takes the fewest plies to it, and whoever must lose holds out for the most",
        "이길 수 있는 쪽은 가장 적은 수로 이기고, 질 수밖에 없는 쪽은 가장 오래 버팁니다",
    ),
    ("the loser hurrying, too", "지는 쪽도 서두름"),
    ("forgetting that the shared tile vanishes", "함께 서 있던 발판이 사라지는 것을 빠뜨림"),
    (
        "a token loses at once when the tile under it vanishes, as it does when the other token leaves it",
        "상대가 떠나면서 발밑의 발판이 사라지면 그 자리에서 바로 집니다",
    ),
    ("maximising for both sides", "양쪽 다 최댓값을 고름"),
    ("whoever wins", "누가 이기든"),
    ("outcomes right", "승패는 맞음"),
    ("greedy nearest win", "가장 빨리 이길 듯한 수만 봄"),
    (
        "the other player does not play along: a move is as good as the best reply to it leaves it",
        "상대는 도와주지 않습니다. 수의 값은 상대가 가장 잘 응수했을 때의 값입니다",
    ),
    ("counting rounds in place of plies", "수 대신 차례의 쌍을 셈"),
    ("rounded up", "올림"),
    ("rounded down", "내림"),
    ("each step of either player counts as one", "어느 쪽이 움직이든 한 번이 한 수입니다"),
    ("rows and columns of the tokens exchanged", "말의 행과 열을 바꿔 읽음"),
    (
        "`aloc` and `bloc` are a row and a column, in this order, as in `board[row][column]`",
        "`aloc`과 `bloc`은 `board[행][열]`처럼 행, 열 순서입니다",
    ),
    ("taking the first winning move in place of the fastest", "가장 빠른 승리 대신 처음 찾은 이기는 수를 둠"),
    (
        "of several winning moves, the winner makes the one that wins in the fewest plies",
        "이기는 수가 여럿이면 가장 적은 수로 이기는 수를 둡니다",
    ),
    ("up", "위"),
    ("down", "아래"),
    ("left", "왼쪽"),
    ("right", "오른쪽"),
    ("in this order", "이 순서로"),
    ("a memo without the tiles", "발판이 빠진 메모"),
    ("a memo without the other token", "상대 말이 빠진 메모"),
    ("a memo kept between cases", "케이스가 바뀌어도 그대로 둔 메모"),
    ("a memo kept between cases of other boards", "판이 다른 케이스로 바뀌어도 그대로 둔 메모"),
    ("without the turn", "차례가 빠짐"),
    ("asked before the tile is looked for", "발판이 있는지 보기 전에 메모부터 찾음"),
    (
        "what a turn is worth depends on the tiles that are left, on both tokens and on whose turn it is: the key of a \
         memo has to distinguish all of them",
        "한 차례의 값은 남은 발판, 두 말의 자리, 누구 차례인지에 달려 있습니다. 메모의 키로 이들을 모두 구별해야 합니다",
    ),
    (
        "each case is a board of its own: what is kept of one is forgotten before the next, or its key has to distinguish the \
         board's rows and columns, too",
        "케이스마다 판이 다릅니다. 다음 케이스로 넘어가기 전에 메모를 비우거나, 키로 판의 행과 열까지 구별해야 합니다",
    ),
    // The block game.
    (
        "a piece may be turned and turned over: the domino lies in two ways, the L-tromino in four",
        "조각은 돌리거나 뒤집을 수 있습니다. 도미노는 두 방향, L자 트로미노는 네 방향으로 놓입니다",
    ),
    ("a misère ending", "마지막에 두는 쪽이 진다고 봄"),
    (
        "who places last wins: who cannot place a piece loses",
        "마지막 조각을 놓는 쪽이 이깁니다. 놓을 수 없는 쪽이 집니다",
    ),
    ("a missing orientation", "빠진 방향"),
    ("L-trominoes without mirror", "뒤집지 않은 L자 트로미노"),
    ("L-trominoes in one rotation", "한 방향뿐인 L자 트로미노"),
    ("dominoes only", "도미노만 있음"),
    ("a domino that goes on in the next row", "다음 행으로 이어지는 도미노"),
    ("pieces that go on in the next row", "다음 행으로 이어지는 조각"),
    (
        "a row ends at its fifth cell: the next bit is the first cell of the row below, and not beside it",
        "행은 다섯째 칸에서 끝납니다. 다음 비트는 아래 행의 첫 칸이며 옆 칸이 아닙니다",
    ),
    ("a memo by the number of free cells", "빈칸의 수만으로 구별하는 메모"),
    ("L-trominoes first at each cell", "칸마다 L자 트로미노부터"),
    ("piece by piece", "조각별로"),
    ("dominoes first", "도미노부터"),
    ("L-trominoes first", "L자 트로미노부터"),
    (
        "boards of as many free cells are not worth the same: the key of a memo has to contain which cells are free",
        "빈칸의 수가 같아도 판의 값은 다릅니다. 메모의 키로 어느 칸이 비었는지 구별해야 합니다",
    ),
    // Tic-tac-toe.
    (
        "x moves first: x is to move where there are as many x as o, and o where there is one x more",
        "x가 먼저 둡니다. x와 o의 수가 같으면 x의 차례, x가 하나 더 많으면 o의 차례입니다",
    ),
    ("a full board with a line called TIE", "줄이 있는 꽉 찬 판을 TIE로 봄"),
    (
        "a line wins on a full board, too: look for one before counting free cells",
        "판이 꽉 찼어도 줄이 있으면 이깁니다. 빈칸을 세기 전에 줄부터 찾으세요",
    ),
    ("the turn mistaken", "차례를 잘못 앎"),
    ("counts read the wrong way round", "개수를 거꾸로 읽음"),
    ("x always taken to move", "늘 x의 차례로 봄"),
    ("a diagonal forgotten", "대각선 하나를 빠뜨림"),
    ("from the top left", "왼쪽 위에서 내려오는 것"),
    ("from the top right", "오른쪽 위에서 내려오는 것"),
    ("both diagonals forgotten", "두 대각선을 모두 빠뜨림"),
    ("a memo by the free cells alone", "빈칸만으로 구별하는 메모"),
    (
        "three in a diagonal win, too: there are eight lines, three rows, three columns and two diagonals",
        "대각선 셋도 이깁니다. 줄은 가로 셋, 세로 셋, 대각선 둘, 모두 여덟입니다",
    ),
    (
        "what a board is worth depends on who holds which cell: the key of a memo has to distinguish x from o",
        "판의 값은 어느 칸이 누구 것인지에 달려 있습니다. 메모의 키로 x와 o를 구별해야 합니다",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockGame, Platforms, TicTacToe};

    fn in_korean<J: Judge>(judge: &J) {
        let mistakes = judge.mistakes().into_iter().chain(judge.more_mistakes());
        for mistake in mistakes {
            assert!(korean(mistake.remedy).is_some(), "{}", mistake.remedy);
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
