//! What is told of test data: which case covers what.

use std::fmt::Write as _;

use balpan_contest::{Coverage, Judge, TestData};

/// What is covered, by which cases, from 1; many variants of one thing on a line.
pub(super) fn told<J: Judge>(data: &TestData<J>) -> String {
    /// With more variants than this, they are not listed one by one.
    const MANY: usize = 8;
    let thing = |covered: &Coverage| covered.what.rsplit_once(": ").map(|(thing, _)| thing.to_owned());
    let mut text = String::new();
    for variants in data.coverage.chunk_by(|one, next| thing(one).is_some() && thing(one) == thing(next)) {
        match (variants, thing(&variants[0])) {
            (variants, Some(thing)) if variants.len() > MANY => {
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

/// The numbers of cases, the first of them where they are many.
fn numbers(cases: &[usize]) -> String {
    const NAMED: usize = 5;
    let named: Vec<_> = cases.iter().take(NAMED).map(|case| (case + 1).to_string()).collect();
    let more = cases.len() - named.len();
    named.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}
