//! Heaps: players in turn take tokens from one heap and may split it, as a code or the keys `take` and `split` allow. A
//! player who cannot move loses; in misère play, wins.

use super::NaiveGame;

#[derive(Clone, Debug)]
pub(crate) struct Heaps {
    pub(crate) moves: Moves,
    pub(crate) misere: bool,
}

/// How a heap may be changed.
#[derive(Clone, Debug)]
pub(crate) enum Moves {
    /// The digits of a code, the one before the point first.
    Digits(Vec<usize>),
    /// The values of `take` and `split`.
    Rule(Vec<usize>, &'static str, &'static str),
}

impl Moves {
    /// Whether the rule lets a player take this many tokens of a heap.
    fn may_take(numbers: &[usize], take: &str, heap: usize, taken: usize) -> bool {
        taken > 0
            && match take {
                "any" | "wythoff" => true,
                "none" => false,
                "squares" => (1..=taken).any(|root| root * root == taken),
                "divisors" => taken < heap && heap.is_multiple_of(taken),
                "even, or all if odd" => {
                    if taken == heap {
                        taken % 2 == 1
                    } else {
                        taken.is_multiple_of(2)
                    }
                }
                "less than half" => 2 * taken < heap,
                "at most half" => 2 * taken <= heap,
                "list" => numbers.contains(&taken),
                powers => {
                    let base: usize = powers.strip_prefix("powers of ").expect("a take").parse().expect("a number");
                    let mut power = 1;
                    while power < taken {
                        power *= base;
                    }
                    power == taken
                }
            }
    }

    /// The heaps that each move may leave of a heap.
    pub(crate) fn left(&self, heap: usize) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        let splits = |left: usize| (1..left).map(move |less| vec![left - less, less]).filter(|pair| pair[0] >= pair[1]);
        match self {
            Self::Digits(digits) => {
                for (taken, digit) in digits.iter().enumerate().filter(|(taken, _)| *taken <= heap) {
                    let left = heap - taken;
                    if digit % 2 == 1 && left == 0 {
                        all.push(vec![]);
                    }
                    if digit / 2 % 2 == 1 && left > 0 {
                        all.push(vec![left]);
                    }
                    if digit / 4 % 2 == 1 {
                        all.extend(splits(left));
                    }
                    if digit / 8 == 1 {
                        for a in 1..=left {
                            let pairs = splits(left - a.min(left)).filter(|pair| pair[1] >= a);
                            all.extend(pairs.map(|pair| vec![pair[0], pair[1], a]));
                        }
                    }
                }
            }
            Self::Rule(numbers, take, split) => {
                match *split {
                    "two" => all.extend(splits(heap)),
                    "unequal" => all.extend(splits(heap).filter(|pair| pair[0] != pair[1])),
                    "any" if *take == "none" => all.extend(splits(heap)),
                    _ => {}
                }
                for taken in (1..=heap).filter(|taken| Self::may_take(numbers, take, heap, *taken)) {
                    all.push(if taken == heap { vec![] } else { vec![heap - taken] });
                    if *split == "any" {
                        all.extend(splits(heap - taken));
                    }
                }
            }
        }
        all
    }
}

impl NaiveGame for Heaps {
    /// Sorted sizes.
    type State = Vec<usize>;
    type Move = (usize, Vec<usize>, Option<(usize, usize)>);

    fn parse(&self, text: &str) -> Vec<usize> {
        let mut state: Vec<usize> = text.split(' ').map(|size| size.parse().expect("a size")).collect();
        state.retain(|size| *size > 0);
        state.sort_unstable();
        state
    }

    fn text(&self, state: &Vec<usize>) -> String {
        let sizes: Vec<_> = state.iter().map(usize::to_string).collect();
        if sizes.is_empty() { "0".to_owned() } else { sizes.join(" ") }
    }

    fn moves(&self, state: &Vec<usize>) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        for &heap in state {
            for left in self.moves.left(heap) {
                if !moves.contains(&(heap, left.clone(), None)) {
                    moves.push((heap, left, None));
                }
            }
        }
        for (n, &heap) in state.iter().enumerate().filter(|_| matches!(self.moves, Moves::Rule(_, "wythoff", _))) {
            for &other in &state[n + 1..] {
                for taken in 1..=heap {
                    let left = if taken == heap { vec![] } else { vec![heap - taken] };
                    let mv = (heap, left, Some((other, other - taken)));
                    if !moves.contains(&mv) {
                        moves.push(mv);
                    }
                }
            }
        }
        moves
    }

    fn move_text(&self, (heap, left, other): &Self::Move) -> String {
        let other = other.map_or_else(String::new, |(other, left)| format!(",{other}>{left}"));
        format!("{heap}>{}{other}", self.text(left).replace(' ', "+"))
    }

    fn play(&self, state: &Vec<usize>, (heap, left, other): &Self::Move) -> Vec<usize> {
        let mut after = state.clone();
        for size in [Some(*heap), other.map(|(other, _)| other)].into_iter().flatten() {
            let at = after.iter().position(|found| *found == size).expect("a heap of the size");
            after.remove(at);
        }
        after.extend(left);
        after.extend(other.map(|(_, left)| left).filter(|left| *left > 0));
        after.sort_unstable();
        after
    }

    fn ended(&self, state: &Vec<usize>) -> Option<i32> {
        self.moves(state).is_empty().then_some(if self.misere { 1 } else { -1 })
    }
}
