//! Answers about heaps too large for a search, by their values.

use super::Rules;
use super::large::{HeapValues, MAX_HEAP};
use super::notation::{HeapsError, heaps, join_heaps, move_text};
use crate::answer::{Answer, NimValue};
use crate::error::InputError;
use crate::notation::PlayerName;
use crate::text::{TextError, error};

/// Answers about a position with a heap too large for games that enumerate moves; `None` if it has none.
pub(super) fn large_answer(rules: &Rules, text: &str) -> Option<Result<Answer, TextError>> {
    let no_theory = |size, largest| HeapsError::NoTheory { size, largest };
    // Other errors are found where the game is made.
    let all = match heaps(text, u64::MAX, no_theory) {
        Err(error) if matches!(error.cause, InputError::Heaps(HeapsError::NoTheory { .. })) => vec![u64::MAX],
        all => all.ok()?,
    };
    let largest = all.iter().copied().max().filter(|largest| *largest > rules.largest_heap().into())?;
    if rules.code.is_joint() {
        return Some(wythoff_answer(rules, text, all.len()));
    }
    let values = HeapValues::new(&rules.code, rules.misere, largest.min(MAX_HEAP));
    Some(heaps(text, values.max_heap(), no_theory).and_then(|mut heaps| {
        heaps.retain(|heap| *heap > 0);
        heaps.sort_unstable();
        let unknown = || HeapsError::NoTheory { size: largest.to_string(), largest: values.max_heap() };
        let sum = values.sum(heaps.iter().copied()).ok_or_else(|| error(text, 0..text.len(), unknown()))?;
        let nim_value =
            if rules.misere { NimValue::MisereValue(sum.misere_value()) } else { NimValue::Nimber(sum.nimber) };
        let after = |heap: u64, left: [u64; 3]| {
            let mut after = heaps.clone();
            after.remove(after.binary_search(&heap).unwrap_or(0));
            after.extend(left.into_iter().filter(|left| *left > 0));
            after.sort_unstable();
            (move_text(heap, left), join_heaps(&after, " "))
        };
        let is_lost = values.is_lost(sum);
        let winning = if is_lost { Vec::new() } else { values.winning_moves(&heaps) };
        let winning = winning.into_iter().map(|(heap, left)| after(heap, left)).collect();
        Ok(Answer::by_theory(join_heaps(&heaps, " "), PlayerName::BY_TURN, is_lost, winning, Some(nim_value)))
    }))
}

/// Answers about at most two heaps of Wythoff's Nim under normal play. Nimbers are not known.
fn wythoff_answer(rules: &Rules, text: &str, count: usize) -> Result<Answer, TextError> {
    let largest = if rules.misere || count > 2 { rules.largest_heap().into() } else { MAX_HEAP };
    let mut sizes = heaps(text, largest, |size, largest| HeapsError::NoTheory { size, largest })?;
    sizes.sort_unstable();
    let (small, large) = (if count > 1 { sizes[0] } else { 0 }, sizes.last().copied().unwrap_or(0));
    let pair = |a: u64, b: u64| {
        let mut sizes = [a.min(b), a.max(b)].to_vec();
        sizes.retain(|size| *size > 0);
        join_heaps(&sizes, " ")
    };
    let difference = large - small;
    let lower = golden_multiple(difference);
    let is_lost = lower == small;
    let mut winning = Vec::new();
    for (heap, other) in [(small, large), (large, small)].into_iter().skip(usize::from(small == large)) {
        let left = golden_partner(other);
        if left < heap && !is_lost {
            winning.push((move_text(heap, [left, 0, 0]), pair(left, other)));
        }
    }
    if lower < small {
        let text = move_text(small, [lower, 0, 0]) + "," + &move_text(large, [lower + difference, 0, 0]);
        winning.push((text, pair(lower, lower + difference)));
    }
    Ok(Answer::by_theory(pair(small, large), PlayerName::BY_TURN, is_lost, winning, None))
}

/// Returns n times the golden ratio, rounded down; for large n more than any heap.
const fn golden_multiple(n: u64) -> u64 {
    if n > 8_000_000_000_000_000_000 {
        return u64::MAX;
    }
    let n = n as u128;
    ((n + (5 * n * n).isqrt()) / 2) as u64
}

/// Returns the size beside which a heap of Wythoff's Nim is lost: for some n, one of the two is n times the golden
/// ratio, rounded down, and the other one n more (W. A. Wythoff, "A modification of the game of Nim", 1907).
fn golden_partner(heap: u64) -> u64 {
    let first = |reaches: &dyn Fn(u64) -> bool| {
        let (mut low, mut high) = (0, heap);
        while low < high {
            let middle = low + (high - low) / 2;
            if reaches(middle) { high = middle } else { low = middle + 1 }
        }
        low
    };
    let n = first(&|n| golden_multiple(n) >= heap);
    if golden_multiple(n) == heap {
        return heap + n;
    }
    golden_multiple(first(&|n| golden_multiple(n).saturating_add(n) >= heap))
}
