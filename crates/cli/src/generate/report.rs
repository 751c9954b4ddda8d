//! What is told of test data: which case covers what, and all of it as JSON.

use std::fmt::Write as _;

use balpan_contest::{Covered, Hard, Judge, TestData};
use serde::Serialize;

/// What is covered, by which cases, from 1; many variants of one thing on a line.
pub(super) fn told<J: Judge>(data: &TestData<J>) -> String {
    /// So many variants are not told one by one.
    const MANY: usize = 8;
    let thing = |covered: &Covered| covered.what.rsplit_once(": ").map(|(thing, _)| thing.to_owned());
    let mut text = String::new();
    for variants in data.covered.chunk_by(|one, next| thing(one).is_some() && thing(one) == thing(next)) {
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

#[derive(Serialize)]
pub(super) struct Json<'a> {
    judge: String,
    seed: u64,
    cases: Vec<JsonCase<'a>>,
    covered: Vec<JsonCovered<'a>>,
}

#[derive(Serialize)]
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

#[derive(Serialize)]
struct JsonVisits {
    recursion: &'static str,
    positions: u64,
}

#[derive(Serialize)]
struct JsonCovered<'a> {
    what: &'a str,
    /// Numbers of cases, from 1.
    cases: Vec<usize>,
}

pub(super) fn json<'a, J: Judge>(
    judge: &J,
    seed: u64,
    data: &'a TestData<J>,
    own: usize,
    hard: &[Hard<J>],
) -> Json<'a> {
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
    Json {
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
