//! Test data as JSON.

use serde::Serialize;

use super::{HardCase, TestData};
use crate::judge::Judge;

/// Test data as JSON. The field names are part of the command's contract.
#[derive(Debug, Serialize)]
pub struct DataJson<'a> {
    judge: String,
    seed: u64,
    cases: Vec<JsonCase<'a>>,
    covered: Vec<JsonCovered<'a>>,
}

#[derive(Debug, Serialize)]
struct JsonCase<'a> {
    /// An input with only this case.
    input: String,
    answer: String,
    covers: Vec<&'a str>,
    /// Whether the problem setter gave the case with `--with`.
    own: bool,
    /// The visits of plain recursions, for cases of `--hard`.
    visits: Vec<JsonVisits>,
}

#[derive(Debug, Serialize)]
struct JsonVisits {
    recursion: &'static str,
    positions: u64,
}

#[derive(Debug, Serialize)]
struct JsonCovered<'a> {
    what: &'a str,
    /// Numbers of cases, from 1.
    cases: Vec<usize>,
}

/// Converts test data made from `seed`. The first `own` cases are the problem setter's, and the last
/// are `hard`.
#[must_use]
pub fn data_json<'a, J: Judge>(
    judge: &J,
    seed: u64,
    data: &'a TestData<J>,
    own: usize,
    hard: &[HardCase<J>],
) -> DataJson<'a> {
    let usual = data.cases.len() - hard.len();
    let visits = |case: usize| {
        let visits = case.checked_sub(usual).and_then(|n| hard.get(n)).map_or(&[][..], |hard| &hard.visits);
        visits.iter().map(|&(recursion, positions)| JsonVisits { recursion, positions }).collect()
    };
    let mut covers = vec![Vec::new(); data.cases.len()];
    for coverage in &data.coverage {
        coverage.cases.iter().for_each(|&case| covers[case].push(&*coverage.what));
    }
    let cases = data.cases.iter().zip(&data.answers).zip(covers);
    let covered = data
        .coverage
        .iter()
        .map(|covered| JsonCovered { what: &covered.what, cases: covered.cases.iter().map(|case| case + 1).collect() });
    DataJson {
        judge: judge.info().name.to_string(),
        seed,
        cases: cases
            .enumerate()
            .map(|(n, ((case, answer), covers))| JsonCase {
                input: judge.write(std::slice::from_ref(case)),
                answer: answer.to_string(),
                covers,
                own: n < own,
                visits: visits(n),
            })
            .collect(),
        covered: covered.collect(),
    }
}
