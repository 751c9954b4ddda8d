//! Test data for a judge.

use balpan::Watch;
use balpan_contest::{
    DataOptions, FixedCases, GenerateError, HardCase, Judge, TestData, find_hard_cases, generate_with,
};

/// Generates test data: the cases `first`, those of the options, and at the end up to `hard` cases that are hard for plain
/// recursion, which are also returned.
///
/// # Errors
/// If there is not enough data of this kind, or `watch` stops the work.
pub fn generate<J: Judge>(
    judge: &J,
    first: Vec<J::Case>,
    options: &DataOptions,
    hard: usize,
    watch: &Watch,
) -> Result<(TestData<J>, Vec<HardCase<J>>), GenerateError> {
    let hard = if hard == 0 { Vec::new() } else { find_hard_cases(judge, hard, options.seed, &first, watch)? };
    let fixed = FixedCases { first, last: hard.iter().map(|hard| hard.case.clone()).collect() };
    let mut data = generate_with(judge, &fixed, options, watch)?;
    for (case, hard) in (data.cases.len() - hard.len()..).zip(&hard) {
        data.coverage.extend(hard.coverage(case));
    }
    Ok((data, hard))
}
