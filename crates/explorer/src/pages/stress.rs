//! To check one's own program: the judges' formats, cases to take along, and what comes of the
//! answers that are pasted. Nothing of the visitor's is run.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use tokio::sync::Semaphore;

use crate::board::{self, Worths};
use crate::bounded::bounded;
use crate::link::{Link, escaped};
use crate::page::{Page, Reader, reason, respond, with_code};
use crate::refusal::Refusal;
use crate::scene::{Scene, apart};
use crate::trial::{CASES, Compared, MOST_BYTES, MOST_CASES, PROBLEMS, Trial, Wish, Wrong, compared, trial};
use crate::words::{Lang, frame, position, stress as say};

/// Inputs that are made at a time, and how long one may take.
static ROOM: Semaphore = Semaphore::const_new(1);
const LONGEST: Duration = Duration::from_secs(5);

/// The cases of the samples.
const SAMPLE: usize = 2;

/// What an address asks for.
struct Asked {
    wish: Wish,
    /// What the visitor's program has answered, as it was pasted.
    answers: String,
}

impl Asked {
    fn read(problem: &str, query: &str) -> Result<Self, Refusal> {
        let no_problem = || Refusal::told(StatusCode::NOT_FOUND, say::no_problem);
        let problem = PROBLEMS.into_iter().find(|of| *of == problem).ok_or_else(no_problem)?;
        let mut asked = Self { wish: Wish { problem, seed: 1, cases: CASES }, answers: String::new() };
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let value = value.trim();
            match &*key {
                _ if value.is_empty() => {}
                "seed" => {
                    asked.wish.seed = value.parse().map_err(|_| Refusal::value(&key, value, say::number))?;
                }
                "cases" => {
                    let cases = value.parse().ok().filter(|cases| (1..=MOST_CASES).contains(cases));
                    asked.wish.cases = cases.ok_or_else(|| Refusal::value(&key, value, say::number_of_cases))?;
                }
                "answers" => asked.answers = value.to_owned(),
                "lang" => {}
                key => return Err(Refusal::key(key)),
            }
        }
        Ok(asked)
    }

    fn url(&self, suffix: &str, lang: Option<Lang>) -> String {
        let Wish { problem, seed, cases } = &self.wish;
        let lang = lang.map_or_else(String::new, |lang| format!("&lang={}", lang.code()));
        let answers = match suffix {
            "" if !self.answers.is_empty() => format!("&answers={}", escaped(&self.answers)),
            _ => String::new(),
        };
        format!("/stress/{problem}{suffix}?seed={seed}&cases={cases}{answers}{lang}")
    }
}

/// The problems, with their formats.
pub(crate) async fn list(reader: Reader) -> Result<Page, Refusal> {
    let lang = reader.lang;
    let samples = bounded(&ROOM, LONGEST, |watch| {
        let sample = |problem| trial(&Wish { problem, seed: 1, cases: SAMPLE }, watch).map(|trial| (problem, trial));
        PROBLEMS.into_iter().map(sample).collect::<Result<Vec<_>, Refusal>>()
    });
    let samples = samples.await?;
    let body = html! {
        h1 { (say::title(lang)) }
        p.lead { (say::lead(lang)) }
        @for (problem, sample) in &samples {
            section.problem {
                h2 { a href=(problem_url(problem, reader)) { (frame::game(lang, problem)) } " " small { (source(problem)) } }
                p { (with_code(say::format(lang, problem))) }
                div.sample-of {
                    div { h3 { (say::input(lang)) } pre { code { (sample.input) } } }
                    div { h3 { (say::output(lang)) } pre { code { (sample.output) } } }
                }
                p { a.button href=(problem_url(problem, reader)) { (say::get_cases(lang)) } }
            }
        }
        section {
            h2 { (say::on_your_machine(lang)) }
            p { (say::command(lang)) }
            pre { code { @for problem in PROBLEMS { "balpan stress " (problem) " -- ./yours\n" } } }
        }
    };
    Ok(Page::new(say::title(lang), |lang: Lang| format!("/stress?lang={}", lang.code()), body))
}

fn problem_url(problem: &str, reader: Reader) -> String {
    reader.link_to(problem).url("stress")
}

/// Where a problem stands.
fn source(problem: &str) -> &'static str {
    match problem {
        "platforms" => "Programmers 92345",
        "blockgame" => "AlgoSpot BLOCKGAME",
        _ => "AlgoSpot TICTACTOE",
    }
}

/// A problem's page, or with `.txt` behind its name the input alone.
pub(crate) async fn of_problem(name: &str, query: &str, headers: &HeaderMap) -> Response {
    let reader = Reader::of_query(headers, query);
    match name.strip_suffix(".txt") {
        Some(problem) => file(problem, query).await.unwrap_or_else(|refusal| respond(reader, Err(refusal))),
        None => respond(reader, page(name, query, reader).await),
    }
}

async fn file(problem: &str, query: &str) -> Result<Response, Refusal> {
    let Asked { wish, .. } = Asked::read(problem, query)?;
    let name = format!("attachment; filename=\"{}-{}.txt\"", wish.problem, wish.seed);
    let trial = bounded(&ROOM, LONGEST, move |watch| trial(&wish, watch)).await?;
    let name = HeaderValue::from_str(&name).unwrap_or(HeaderValue::from_static("attachment"));
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)], trial.input.clone()).into_response())
}

async fn page(problem: &str, query: &str, reader: Reader) -> Result<Page, Refusal> {
    let lang = reader.lang;
    let asked = Asked::read(problem, query)?;
    let wish = asked.wish.clone();
    let trial = bounded(&ROOM, LONGEST, move |watch| trial(&wish, watch)).await?;
    let (status, told) = match result(reader, &asked, &trial).await {
        Ok(told) => (StatusCode::OK, told),
        Err(refusal) => (refusal.status, html! { section #compared { (reason(lang, &refusal)) } }),
    };
    let Wish { problem, seed, cases } = asked.wish;
    let action = format!("/stress/{problem}");
    let others = Asked { wish: Wish { seed: seed.wrapping_add(1), ..asked.wish.clone() }, answers: String::new() };
    let hidden = |name: &str, value: &str| html! { input type="hidden" name=(name) value=(value); };
    let said = html! { @if let Some(lang) = reader.said { (hidden("lang", lang.code())) } };
    let body = html! {
        p.turn { a href=(reader.stress()) { (say::title(lang)) } }
        h1 { (frame::game(lang, problem)) " " small { (source(problem)) } }
        p.lead { (with_code(say::format(lang, problem))) }
        (told)
        div.trial {
            section {
                h2 { (say::cases(lang)) }
                pre #input.cases tabindex="0" role="region" aria-label=(say::cases(lang)) { (trial.input) }
                p.actions {
                    button #copy type="button" data-copy="#input" data-copied=(position::copied(lang)) hidden { (position::copy_button(lang)) }
                    a #download href=(asked.url(".txt", None)) download { (say::download(lang)) }
                    a #others href=(others.url("", reader.said)) { (say::others(lang)) }
                }
                form.wish method="get" action=(action) {
                    (said)
                    label { span { (say::how_many(lang, MOST_CASES)) } input #cases type="number" name="cases" value=(cases) min="1" max=(MOST_CASES); }
                    label { span { (say::seed(lang)) } input #seed type="text" inputmode="numeric" name="seed" value=(seed) maxlength="20" autocomplete="off"; }
                    p { button #make type="submit" { (say::make(lang)) } }
                }
            }
            form.record method="get" action={ (action) "#compared" } {
                (said) (hidden("seed", &seed.to_string())) (hidden("cases", &cases.to_string()))
                h2 { label for="answers" { (say::answers(lang)) } }
                textarea #answers name="answers" rows="14" maxlength=(MOST_BYTES) spellcheck="false" autocomplete="off" required { (asked.answers) }
                p { button #compare type="submit" { (say::compare(lang)) } }
            }
        }
    };
    let title = format!("{}: {}", say::title(lang), frame::game(lang, problem));
    Ok(Page { status, ..Page::new(title, move |lang| asked.url("", Some(lang)), body) })
}

/// What comes of the answers, if there are any.
async fn result(reader: Reader, asked: &Asked, made: &std::sync::Arc<Trial>) -> Result<Markup, Refusal> {
    if asked.answers.is_empty() {
        return Ok(html! {});
    }
    let lang = reader.lang;
    let (problem, answers, made) = (asked.wish.problem, asked.answers.clone(), std::sync::Arc::clone(made));
    let found = bounded(&ROOM, LONGEST, move |_| compared(lang, problem, &made, &answers)).await?;
    let at = found.wrong.as_ref().map(|wrong| reader.link_to(problem).at_position(&wrong.position));
    let scene = match at {
        Some(link) => Some(apart(move || Scene::new(link)).await?),
        None => None,
    };
    Ok(told(lang, &found, scene.as_ref()))
}

fn told(lang: Lang, found: &Compared, scene: Option<&Scene>) -> Markup {
    let of = found.answers.min(found.cases);
    let is_right = found.wrong.is_none() && found.answers == found.cases;
    html! {
        section #compared data-right=(found.right) data-of=(found.cases) {
            p class={ "sentence " (if is_right { "win" } else { "loss" }) } role="status" { (say::of_answers(lang, found.right, of)) }
            @if found.answers != found.cases { p { (say::count(lang, found.answers, found.cases)) } }
            @if let Some((wrong, scene)) = found.wrong.as_ref().zip(scene) { (first_wrong(lang, wrong, scene)) }
            @if let Some((name, remedy)) = &found.suspect {
                p #suspect { (say::suspect(lang)) " " b { (name) } ". " (with_code(&sentence(remedy))) "." }
            }
            @if is_right { p { (with_code(say::go_on(lang))) } }
        }
    }
}

/// With a capital at its beginning, where there is one.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn first_wrong(lang: Lang, wrong: &Wrong, scene: &Scene) -> Markup {
    let link: &Link = &scene.link;
    html! {
        div.wrong {
            (board::figure(lang, scene, &Worths::new(None)))
            div {
                p #first-wrong { (say::first_wrong(lang, wrong.case + 1)) ": " code { (wrong.position) } }
                table.xor { tbody {
                    tr { th scope="row" { (say::right(lang)) } td #right { code { (wrong.expected) } } }
                    tr { th scope="row" { (say::yours(lang)) } td #yours { code { (wrong.found) } } }
                } }
                p { a #look href=(link.play()) { (say::look(lang)) } }
            }
        }
    }
}
