//! The proof that an automaton is right about all of the infinitely many sums.
//!
//! It is right if each sum with options is a P-position if and only if none of its options is. To check that for a
//! sum, its element and those of its options suffice.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::{MisereSearch, Parts, Quotient, QuotientError, Sum, add};
use balpan::Watch;

/// Returns a sum whose outcome the automaton gets wrong, or `None` if it is right about all sums.
pub(super) fn counterexample(
    parts: &Parts,
    count: u32,
    quotient: &Quotient,
    play: &mut MisereSearch<'_>,
    watch: &Watch,
) -> Result<Option<Sum>, QuotientError> {
    let wrong = match lost_to_lost(parts, count, quotient, watch)? {
        Some(wrong) => Some(wrong),
        None => won_without_reply(parts, count, quotient, watch)?,
    };
    // The automaton is wrong about the sum or about one of its options.
    let Some(sum) = wrong else { return Ok(None) };
    let mut suspects = vec![sum.clone()];
    suspects.extend(parts.moves(&sum));
    for suspect in suspects {
        if play.is_p_position(&suspect)? != quotient.is_p_position(quotient.pretension(&suspect)) {
            return Ok(Some(suspect));
        }
    }
    Ok(None)
}

/// Returns a sum that the automaton takes for a P-position, with an option that it takes for one, too.
fn lost_to_lost(parts: &Parts, count: u32, quotient: &Quotient, watch: &Watch) -> Result<Option<Sum>, QuotientError> {
    // Pairs of the elements of a sum and of an option, each with the sum in which it was found.
    let mut found: FxHashMap<(usize, usize), Sum> = FxHashMap::default();
    let mut open = VecDeque::new();
    for element in 0..quotient.order() {
        for part in 0..count {
            watch.count(0)?;
            for option in parts.options(part) {
                let pair = (quotient.times(element, &[part]), quotient.times(element, option));
                let sum = add(quotient.representative(element), &[part]);
                // Representatives suffice: all sums of an element lead to the same pairs.
                if let Entry::Vacant(new) = found.entry(pair) {
                    new.insert(sum);
                    open.push_back(pair);
                }
            }
        }
    }
    while let Some((x, y)) = open.pop_front() {
        watch.count(0)?;
        let sum = found.get(&(x, y)).cloned().unwrap_or_default();
        if quotient.is_p_position(x) && quotient.is_p_position(y) {
            return Ok(Some(sum));
        }
        for part in 0..count {
            let pair = (quotient.times(x, &[part]), quotient.times(y, &[part]));
            if let Entry::Vacant(new) = found.entry(pair) {
                new.insert(add(&sum, &[part]));
                open.push_back(pair);
            }
        }
    }
    Ok(None)
}

/// The set of the elements of a sum's options.
type Set = Box<[u64]>;

/// Returns a sum that the automaton takes for an N-position, none of whose options it takes for a P-position.
fn won_without_reply(
    parts: &Parts,
    count: u32,
    quotient: &Quotient,
    watch: &Watch,
) -> Result<Option<Sum>, QuotientError> {
    let words = quotient.order().div_ceil(64);
    let with = |set: &Set, part: u32| -> Set {
        let mut after: Set = vec![0; words].into();
        for (word, bits) in set.iter().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                let element = quotient.times(64 * word + bits.trailing_zeros() as usize, &[part]);
                after[element / 64] |= 1 << (element % 64);
                bits &= bits - 1;
            }
        }
        after
    };
    let of_options = |element: usize, part: u32, set: &mut Set| {
        for option in parts.options(part) {
            let element = quotient.times(element, option);
            set[element / 64] |= 1 << (element % 64);
        }
    };
    let has_lost = |set: &Set| {
        let is_in = |element: usize| set[element / 64] >> (element % 64) & 1 == 1;
        (0..quotient.order()).any(|element| quotient.is_p_position(element) && is_in(element))
    };
    // By element, the minimal sets. Of two sums of one element, that whose options are a subset is harder to win.
    let mut smallest: Vec<Vec<(Set, Sum)>> = vec![Vec::new(); quotient.order()];
    let mut open: VecDeque<(usize, Set, Sum)> = VecDeque::new();
    let is_within = |a: &Set, b: &Set| a.iter().zip(b).all(|(a, b)| a & !b == 0);
    let mut enter = |element: usize, set: Set, sum: Sum, open: &mut VecDeque<(usize, Set, Sum)>| {
        let known = &mut smallest[element];
        if known.iter().any(|(known, _)| is_within(known, &set)) {
            return;
        }
        known.retain(|(known, _)| !is_within(&set, known));
        known.push((set.clone(), sum.clone()));
        open.push_back((element, set, sum));
    };
    // A part without options is the ended game and changes nothing.
    let live: Vec<u32> = (0..count).filter(|part| !parts.options(*part).is_empty()).collect();
    for &part in &live {
        let mut set: Set = vec![0; words].into();
        of_options(0, part, &mut set);
        enter(quotient.pretension(&[part]), set, vec![part], &mut open);
    }
    while let Some((element, set, sum)) = open.pop_front() {
        watch.count(1)?;
        if !quotient.is_p_position(element) && !has_lost(&set) {
            return Ok(Some(sum));
        }
        for &part in &live {
            watch.count(0)?;
            let mut after = with(&set, part);
            of_options(element, part, &mut after);
            enter(quotient.times(element, &[part]), after, add(&sum, &[part]), &mut open);
        }
    }
    Ok(None)
}
