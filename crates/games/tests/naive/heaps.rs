//! Heaps: players in turn take tokens from one heap and may split the rest, as the digits of an
//! octal code allow. A player who cannot move loses; in misère play, wins.

use super::NaiveGame;

#[derive(Clone, Debug)]
pub(crate) struct Heaps {
    /// The digits, the one before the point first; `None` for taking any number.
    pub(crate) digits: Option<Vec<usize>>,
    pub(crate) misere: bool,
}

impl Heaps {
    /// The heaps that each move may leave of a heap.
    fn left(&self, heap: usize) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        for taken in 0..=heap {
            let digit = match &self.digits {
                Some(digits) => digits.get(taken).copied().unwrap_or(0),
                None if taken == 0 => 0,
                None => 3,
            };
            let left = heap - taken;
            if digit % 2 == 1 && left == 0 {
                all.push(vec![]);
            }
            if digit / 2 % 2 == 1 && left > 0 {
                all.push(vec![left]);
            }
            if digit / 4 == 1 {
                let pairs = (1..left).map(|less| vec![left - less, less]);
                all.extend(pairs.filter(|pair| pair[0] >= pair[1]));
            }
        }
        all
    }
}

impl NaiveGame for Heaps {
    /// Sorted sizes.
    type State = Vec<usize>;
    type Move = (usize, Vec<usize>);

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
            for left in self.left(heap) {
                if !moves.contains(&(heap, left.clone())) {
                    moves.push((heap, left));
                }
            }
        }
        moves
    }

    fn move_text(&self, (heap, left): &Self::Move) -> String {
        format!("{heap}>{}", self.text(left).replace(' ', "+"))
    }

    fn play(&self, state: &Vec<usize>, (heap, left): &Self::Move) -> Vec<usize> {
        let mut after = state.clone();
        let at = after.iter().position(|size| size == heap).expect("a heap of the size");
        after.remove(at);
        after.extend(left);
        after.sort_unstable();
        after
    }

    fn ended(&self, state: &Vec<usize>) -> Option<i32> {
        self.moves(state).is_empty().then_some(if self.misere { 1 } else { -1 })
    }
}
