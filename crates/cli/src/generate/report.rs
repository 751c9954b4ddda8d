//! The coverage of test data, as text.

use std::fmt::Write as _;

use balpan_contest::{Coverage, Judge, TestData};

/// Lists the covered goals with the numbers of their cases, from 1. Many variants of one goal share a line.
pub(super) fn coverage<J: Judge>(data: &TestData<J>) -> String {
    /// More variants than this are not listed one by one.
    const MAX_LISTED_VARIANTS: usize = 8;
    let thing = |covered: &Coverage| covered.what.rsplit_once(": ").map(|(thing, _)| thing.to_owned());
    let mut text = String::new();
    for variants in data.coverage.chunk_by(|one, next| thing(one).is_some() && thing(one) == thing(next)) {
        match (variants, thing(&variants[0])) {
            (variants, Some(thing)) if variants.len() > MAX_LISTED_VARIANTS => {
                let mut cases: Vec<_> = variants.iter().flat_map(|covered| covered.cases.iter().copied()).collect();
                cases.sort_unstable();
                cases.dedup();
                let _ = writeln!(text, "{thing}, {} variants: {}", variants.len(), numbers(&cases));
            }
            (variants, _) => {
                for covered in variants {
                    let _ = writeln!(text, "{}: {}", covered.what, numbers(&covered.cases));
                }
            }
        }
    }
    text
}

/// Lists the numbers of cases: the first few, and how many more there are.
fn numbers(cases: &[usize]) -> String {
    const MAX_LISTED_CASES: usize = 5;
    let listed: Vec<_> = cases.iter().take(MAX_LISTED_CASES).map(|case| (case + 1).to_string()).collect();
    let more = cases.len() - listed.len();
    listed.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}
