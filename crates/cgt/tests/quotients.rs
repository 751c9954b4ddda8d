//! Misère quotients, against published ones and plain search of sums.

use balpan::{SplitMix, Watch};
use balpan_cgt::quotient::{DEFAULT_MEMORY, MisereSearch, Parts, Quotient, QuotientError, Sum, genus};

/// The heaps of 1 to `max` tokens of an octal game, by its digits after the point. Part `n` is the heap of `n + 1`.
fn octal(digits: &[u8], max: usize) -> Parts {
    let heap = |size: usize| (size > 0).then(|| size as u32 - 1);
    let options = |size: usize| {
        let mut options: Vec<Sum> = Vec::new();
        for (taken, digit) in (1..=size).zip(digits) {
            let left = size - taken;
            if digit & if left == 0 { 1 } else { 2 } != 0 {
                options.push(heap(left).into_iter().collect());
            }
            if digit & 4 != 0 {
                options.extend((1..=left / 2).map(|a| [heap(a), heap(left - a)].into_iter().flatten().collect()));
            }
        }
        options
    };
    Parts::new((1..=max).map(options).collect())
}

/// T. E. Plambeck, "Taming the wild in impartial combinatorial games" (2005): 0.123 has 20 elements, 0.75 has 8; T. E.
/// Plambeck and A. N. Siegel, "Misère quotients for impartial games" (2008): 0.53 has 16, and Kayles, 0.77, has 40. The 40
/// appear with heaps of 27, which takes half a minute; this test goes up to 24 elements.
#[test]
fn published_orders() {
    for (digits, most, orders) in [
        (&[7, 7][..], 20, vec![2, 6, 6, 6, 12, 12, 12, 12, 18, 18, 18, 24, 24, 24, 24, 24, 24, 24, 24, 24]),
        (&[7, 5], 14, vec![2, 6, 6, 6, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8]),
        (&[5, 3], 16, vec![2, 2, 6, 6, 6, 6, 6, 6, 10, 10, 12, 12, 12, 16, 16, 16]),
        (&[1, 2, 3], 11, vec![2, 2, 6, 6, 6, 6, 6, 12, 20, 20, 20]),
    ] {
        let mut found = Vec::new();
        Quotient::find_with_progress(&octal(digits, most), 100, DEFAULT_MEMORY, &Watch::default(), |quotient| {
            found.push(quotient.order())
        })
        .unwrap();
        assert_eq!(found, orders, "{digits:?}");
    }
}

/// The quotient of Kayles has 40 elements from heaps of 27 on. Takes half a minute.
#[test]
#[ignore = "takes long"]
fn kayles_quotient() {
    let mut orders = Vec::new();
    Quotient::find_with_progress(&octal(&[7, 7], 36), 100, DEFAULT_MEMORY, &Watch::default(), |quotient| {
        orders.push(quotient.order())
    })
    .unwrap();
    let first = orders.iter().position(|order| *order == 40);
    assert_eq!((first, orders.last()), (Some(26), Some(&40)), "{orders:?}");
}

#[test]
fn quotients_above_the_limit_are_refused() {
    let found = Quotient::find(&octal(&[7, 7], 12), 20, &Watch::default());
    assert_eq!(found, Err(QuotientError::TooLarge(20)));
}

#[test]
fn quotients_agree_with_search() {
    let watch = Watch::default();
    let mut random = SplitMix(5);
    let mut counted = 0;
    for digits in [&[7, 7][..], &[7, 5], &[5, 3], &[1, 2, 3], &[0, 7], &[3, 3, 1], &[4, 4, 4], &[1, 5, 6]] {
        for most in [3, 5, 7, 8] {
            let parts = octal(digits, most);
            let Ok(quotient) = Quotient::find(&parts, 300, &watch) else { continue };
            let mut play = MisereSearch::new(&parts, DEFAULT_MEMORY, &watch);
            let mut forgetful = MisereSearch::new(&parts, 1 << 16, &watch);
            for _ in 0..500 {
                counted += 1;
                let mut sum: Sum = (0..random.below(7)).map(|_| random.below(most) as u32).collect();
                sum.sort_unstable();
                let element = quotient.pretension(&sum);
                assert_eq!(quotient.is_p_position(element), play.is_p_position(&sum).unwrap(), "{digits:?} {sum:?}");
                if most <= 5 {
                    assert_eq!(
                        quotient.is_p_position(element),
                        forgetful.is_p_position(&sum).unwrap(),
                        "{digits:?} {sum:?}"
                    );
                }
            }
            // The elements form a commutative monoid, and any two are distinguishable.
            for a in 0..quotient.order() {
                assert_eq!(quotient.product(a, 0), a);
                for b in 0..a {
                    assert_eq!(quotient.product(a, b), quotient.product(b, a));
                    let is_distinguished = (0..quotient.order()).any(|c| {
                        quotient.is_p_position(quotient.product(a, c)) != quotient.is_p_position(quotient.product(b, c))
                    });
                    assert!(is_distinguished);
                }
            }
        }
    }
    assert!(counted >= 10_000, "{counted}");
}

#[test]
fn genus_symbols() {
    let watch = Watch::default();
    let parts = octal(&[7, 7], 12);
    let symbols: Vec<_> = (0..12).map(|n| genus(&parts, &[n], &watch).unwrap().to_string()).collect();
    // Winning Ways, chapter 13. It omits the superscripts of tame games.
    let known = ["1^031", "2^20", "3^31", "1^031", "4^146", "3^31", "2^20", "1^13", "4^046", "2^20", "6^46", "4^046"];
    assert_eq!(symbols, known);
}
