//! How to check one's own program with `balpan stress`, and a page for each problem file of the library.

use std::sync::{LazyLock, OnceLock};

use balpan::{Game, Watch};
use balpan_contest::problem::{PROBLEMS, describe};
use balpan_contest::{
    BlockGame, DataOptions, JUDGES_IN_RUST, Judge, Platforms, Problem, TicTacToe, find_problem, generate,
};
use balpan_games::AnyGame;
use balpan_pictures::board::position_svg;
use maud::{Markup, html};

use crate::board::image;
use crate::error::RequestError;
use crate::page::{Page, with_code};
use crate::request::GetRequest;
use crate::scene::{player_name, run_blocking};
use crate::words::{Lang, error as errors, frame, position as positions, stress as say};

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

/// How to check one's own program: the formats of the problems with judges in Rust, each with a sample that is generated once per process, and
/// the problem files.
pub(crate) async fn list(GetRequest { reader, .. }: GetRequest) -> Result<Page, RequestError> {
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
        @for Sample { judge, source, input, output } in samples {
            section.problem {
                h2 { (frame::game(lang, judge)) " " small { a href=(reader.url(&path(judge))) lang="en" { (source) } } }
                pre { (command(judge, *judge == "platforms")) }
                p { (with_code(say::format(lang, judge))) }
                h3 { (say::input(lang)) }
                pre { code { (input) } }
                h3 { (say::output(lang)) }
                pre { code { (output) } }
            }
        }
        section {
            h2 { (say::more(lang)) }
            ul.problems { @for (name, text) in PROBLEMS.iter().filter(|(name, _)| !JUDGES_IN_RUST.contains(name)) {
                @let [about, source] = describe(text, lang);
                li { a href=(reader.url(&path(name))) lang="en" { (source) } " " (about) }
            } }
            p { (with_code(say::own_file(lang))) }
        }
    };
    Ok(Page::new(say::title(lang), "/stress", body))
}

/// The command that tests a program, or a file with a function.
fn command(name: &str, is_function: bool) -> Markup {
    let program = if is_function { "--solution yours.py" } else { "-- ./yours" };
    html! { code { "balpan stress " (name) " " span.option { (program) } } }
}

fn path(name: &str) -> String {
    format!("/stress/{name}")
}

/// Returns a problem of the library, which is read once per process.
fn problem(n: usize) -> Option<&'static Problem> {
    static READ: [OnceLock<Option<Problem>>; PROBLEMS.len()] = [const { OnceLock::new() }; PROBLEMS.len()];
    READ[n].get_or_init(|| Problem::from_library(PROBLEMS[n].0, &Watch::default()).ok()).as_ref()
}

/// The page of a problem file: its input and output, the samples with a picture of the first, and the mistakes that it names.
pub(crate) async fn page(GetRequest { reader, name, .. }: GetRequest) -> Result<Page, RequestError> {
    let lang = reader.lang;
    let found = name.as_deref().and_then(find_problem);
    let n = found.and_then(|found| PROBLEMS.iter().position(|(name, _)| *name == found));
    let n = n.ok_or_else(|| RequestError::not_found(errors::no_problem))?;
    let problem = run_blocking(move || problem(n).ok_or_else(RequestError::busy)).await?;
    let name = PROBLEMS[n].0;
    let start = problem.samples().first().and_then(|case| problem.game(case));
    let body = html! {
        p.turn { a href=(reader.url("/stress")) { (say::title(lang)) } }
        h1 { (problem.info().source) }
        p.lead { (problem.about(lang)) @if let Some(url) = problem.url() { " " a href=(url) rel="noreferrer" { (say::statement(lang)) } } }
        section.problem {
            pre { (command(name, problem.function().is_some())) }
            h2 { (say::input(lang)) }
            ul { @for line in problem.describe_input(lang) { li { (with_code(&line)) } } }
            h2 { (say::output(lang)) }
            p { (with_code(&problem.describe_output(lang))) }
            h2 { (say::samples(lang)) }
            @if let Some(game) = &start { (picture(lang, game)) }
            @for [input, output] in problem.sample_texts() {
                h3 { (say::input(lang)) }
                pre { code { (input) } }
                h3 { (say::output(lang)) }
                pre { code { (output) } }
            }
            @if problem.file_mistakes() > 0 {
                h2 { (say::mistakes(lang)) }
                ul { @for mistake in problem.mistakes().iter().take(problem.file_mistakes()) { li { (with_code(&mistake.name_in(lang))) } } }
            }
        }
    };
    Ok(Page::new(&*problem.info().source, path(name), body))
}

/// Draws the position that a case states.
fn picture(lang: Lang, game: &AnyGame) -> Markup {
    let [mover, _] = game.players();
    let is_over = game.is_over();
    let words = if is_over { String::new() } else { positions::to_move(lang, player_name(lang, game, mover, 0)) };
    let erased = game.erased();
    let svg = position_svg(&erased, &erased.start(), 0, &words);
    html! { figure { (image(&svg, &game.draw_lines().join("\n"), Some("board"))) } }
}
