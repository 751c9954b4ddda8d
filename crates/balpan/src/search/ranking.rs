//! The order of moves and parts.

/// The most elements that are sorted by insertion.
const MAX_INSERTED: usize = 20;

/// Sorts by descending rank; elements of the same rank stay in their order. Unlike `sort_by_key`, which is compiled for each type
/// of elements, it sorts long lists by code for numbers alone: searches are compiled for many games, and such sorts would be a tenth
/// of their code.
pub(crate) fn sort_by_rank<T>(list: &mut [T], rank: impl Fn(&T) -> i32) {
    if list.len() <= MAX_INSERTED {
        for end in 1..list.len() {
            let (own, mut at) = (rank(&list[end]), end);
            while at > 0 && rank(&list[at - 1]) < own {
                list.swap(at - 1, at);
                at -= 1;
            }
        }
        return;
    }
    let ranks = list.iter().zip(0_u32..);
    let mut order: Vec<_> = ranks.map(|(element, number)| (!rank(element), number)).collect();
    sort(&mut order);
    // Where an element has been moved from its place already, it stands where the order of that place says.
    for at in 0..list.len() {
        let mut from = order[at].1 as usize;
        while from < at {
            from = order[from].1 as usize;
        }
        order[at].1 = from as u32;
        list.swap(at, from);
    }
}

fn sort(order: &mut [(i32, u32)]) {
    order.sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_sort_is_that_of_the_standard_library(
            ranks in prop::collection::vec(prop_oneof![-3..3, any::<i32>()], 0..70)
        ) {
            let mut list: Vec<_> = ranks.into_iter().zip(0..).collect();
            let mut expected = list.clone();
            expected.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
            sort_by_rank(&mut list, |(rank, _)| *rank);
            prop_assert_eq!(list, expected);
        }
    }
}
