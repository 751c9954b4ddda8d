//! Test data as JSON.

use serde::Serialize;

use super::{Hard, TestData};
use crate::judge::Judge;

/// Test data; the field names are part of the command's contract.
#[derive(Debug, Serialize)]
pub struct DataJson<'a> {
    judge: String,
    seed: u64,
    cases: Vec<JsonCase<'a>>,
    covered: Vec<JsonCovered<'a>>,
}

#[derive(Debug, Serialize)]
struct JsonCase<'a> {
    /// An input with this case alone.
    input: String,
    answer: String,
    covers: Vec<&'a str>,
    /// Whether it is the setter's, of `--with`.
    own: bool,
    /// What plain recursion visits, of the cases of `--hard`.
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

/// Test data that was made from `seed`, of which the first `own` cases were given and the last
/// are `hard`.
#[must_use]
pub fn data_json<'a, J: Judge>(
    judge: &J,
    seed: u64,
    data: &'a TestData<J>,
    own: usize,
    hard: &[Hard<J>],
) -> DataJson<'a> {
    let usual = data.cases.len() - hard.len();
    let visits = |case: usize| {
        let visits = case.checked_sub(usual).and_then(|n| hard.get(n)).map_or(&[][..], |hard| &hard.visits);
        visits.iter().map(|&(recursion, positions)| JsonVisits { recursion, positions }).collect()
    };
    let mut covers = vec![Vec::new(); data.cases.len()];
    for covered in &data.covered {
        covered.cases.iter().for_each(|&case| covers[case].push(&*covered.what));
    }
    let cases = data.cases.iter().zip(&data.answers).zip(covers);
    let covered = data
        .covered
        .iter()
        .map(|covered| JsonCovered { what: &covered.what, cases: covered.cases.iter().map(|case| case + 1).collect() });
    DataJson {
        judge: judge.about().name.to_string(),
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
