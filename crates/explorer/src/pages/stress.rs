//! How to check one's own program with `balpan stress`: the judges' formats, each with a sample.

use std::sync::LazyLock;

use balpan::Watch;
use balpan_contest::{BlockGame, DataOptions, Judge, Platforms, TicTacToe, generate};
use maud::html;

use crate::error::RequestError;
use crate::page::{Page, with_code};
use crate::request::GetRequest;
use crate::scene::run_blocking;
use crate::words::{frame, stress as say};

/// Cases in each sample.
const SAMPLE_CASES: usize = 2;

/// A problem, with the input and output of a few cases as its judge writes them.
struct Sample {
    /// The judge's name, which is also the preset's.
    judge: &'static str,
    /// Where the problem is published.
    source: &'static str,
    input: String,
    output: String,
}

impl Sample {
    /// Generates a sample; `None` if its cases cannot be generated.
    fn new<J: Judge>(judge: &J, name: &'static str, source: &'static str) -> Option<Self> {
        let options = DataOptions { cases: SAMPLE_CASES, seed: 1, cover: false };
        let data = generate(judge, &options, &Watch::default()).ok()?;
        let output = data.answers.iter().map(|answer| format!("{answer}\n")).collect();
        Some(Self { judge: name, source, input: judge.write(&data.cases), output })
    }
}

/// Returns the page, whose samples are generated once per process.
pub(crate) async fn page(GetRequest { reader, .. }: GetRequest) -> Result<Page, RequestError> {
    static SAMPLES: LazyLock<Option<[Sample; 3]>> = LazyLock::new(|| {
        Some([
            Sample::new(&Platforms, "platforms", "Programmers 92345")?,
            Sample::new(&BlockGame, "blockgame", "AlgoSpot BLOCKGAME")?,
            Sample::new(&TicTacToe, "tictactoe", "AlgoSpot TICTACTOE")?,
        ])
    });

    let lang = reader.lang;
    let samples = run_blocking(|| SAMPLES.as_ref().ok_or_else(RequestError::busy)).await?;
    let body = html! {
        h1 { (say::title(lang)) }
        p.lead { (with_code(say::lead(lang))) }
        pre { code { @for Sample { judge, .. } in samples { "balpan stress " (judge) " -- ./yours\n" } } }
        @for Sample { judge, source, input, output } in samples {
            section.problem {
                h2 { (frame::game(lang, judge)) " " small { (source) } }
                p { (with_code(say::format(lang, judge))) }
                h3 { (say::input(lang)) }
                pre { code { (input) } }
                h3 { (say::output(lang)) }
                pre { code { (output) } }
            }
        }
    };
    Ok(Page::new(say::title(lang), "/stress", body))
}
