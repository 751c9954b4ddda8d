//! Pages about no single game: the home page with every preset, the help, and how to check one's own program.

use std::sync::LazyLock;

use balpan::Watch;
use balpan_contest::{BlockGame, DataOptions, Judge, Platforms, TicTacToe, generate};
use balpan_games::presets;
use maud::{Markup, html};

use crate::board;
use crate::error::RequestError;
use crate::page::{Page, lang_field, with_code};
use crate::request::{GetRequest, Reader};
use crate::scene::{Scene, run_blocking};
use crate::words::{Lang, frame as say, help, stress};

pub(crate) async fn page(request: GetRequest) -> Result<Page, RequestError> {
    run_blocking(move || list(request.reader, &request.query)).await
}

/// Lists the games whose name or description contains the search words of the query.
fn list(reader: Reader, query: &str) -> Result<Page, RequestError> {
    let lang = reader.lang;
    let words = form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "q");
    let words =
        words.map(|(_, words)| words.trim().chars().take(MAX_SEARCH_CHARS).collect::<String>()).unwrap_or_default();
    let mut sections: Vec<(&str, Vec<Markup>)> = Vec::new();
    for (name, text) in presets::all() {
        let family = text.lines().find_map(|line| line.strip_prefix("family = ")).unwrap_or_default().trim_matches('"');
        if !is_match(name, text, &words) {
            continue;
        }
        let card = card(reader, name)?;
        let heading = say::family(lang, family);
        match sections.last_mut() {
            Some((last, cards)) if *last == heading => cards.push(card),
            _ => sections.push((heading, vec![card])),
        }
    }
    let body = html! {
        h1 { (say::games(lang)) }
        p.lead { (help::what(lang)) " " (say::welcome(lang)) " " a href=(reader.url("/help")) { (help::title(lang)) } }
        form.search method="get" action="/" role="search" {
            (lang_field(reader.url_lang))
            label { span { (say::search(lang)) } input #q type="search" name="q" value=(words) maxlength="40"; }
            button type="submit" { (say::find(lang)) }
        }
        @if sections.is_empty() { p role="status" { (say::no_game_found(lang)) } }
        @for (heading, cards) in sections {
            section {
                h2 { (heading) }
                ul.cards { @for card in cards { li { (card) } } }
            }
        }
    };
    Ok(Page::new(say::games(lang), "/", body))
}

/// Characters of the search words.
const MAX_SEARCH_CHARS: usize = 40;

/// Whether a game matches the search words, in either language.
fn is_match(name: &str, rules: &str, words: &str) -> bool {
    let words = words.to_lowercase();
    // What the game is, in one language or both, stands in the first lines.
    let about: String = rules.lines().take(2).collect();
    let texts = [name.to_lowercase(), about.to_lowercase()];
    let korean = say::about(Lang::Ko, name).unwrap_or_default();
    texts.iter().any(|text| text.contains(&words)) || korean.contains(&words)
}

fn card(reader: Reader, name: &str) -> Result<Markup, RequestError> {
    let link = reader.link_to(name);
    let scene = Scene::new(link.clone())?;
    // The name is in the heading already.
    let about = say::about(reader.lang, name).unwrap_or_else(|| scene.about(reader.lang));
    let about = if reader.lang == Lang::Ko { about.split_once(": ").map_or(about, |(_, rest)| rest) } else { about };
    Ok(html! {
        article.card {
            a.picture href=(link.play()) tabindex="-1" aria-hidden="true" { (board::thumbnail(&scene)) }
            div {
                h3 { a href=(link.play()) { (say::game(reader.lang, name)) } " " small { (scene.game.size()) } }
                p { (about) }
                p { a href=(link.url("games")) { (say::rules(reader.lang)) } }
            }
        }
    })
}

/// The help page: what pages show, how to move, and the keys.
pub(crate) async fn help(GetRequest { reader, .. }: GetRequest) -> Page {
    let lang = reader.lang;
    let body = html! {
        h1 { (help::title(lang)) }
        p.lead { (help::what(lang)) }
        @for (heading, lines) in help::sections(lang) {
            section {
                h2 { (heading) }
                ul { @for line in lines.lines() { li { (with_code(line)) } } }
            }
        }
        section {
            h2 { (help::keys(lang)) }
            table.xor { tbody { @for (key, does) in help::keys_and_uses(lang).lines().filter_map(|line| line.split_once(" = ")) { tr { td { kbd { (key) } } td { (does) } } } } }
        }
        section {
            h2 { (help::elsewhere(lang)) }
            p { (help::embed(lang)) }
            pre { code { (EMBED) } }
            p { (help::picture(lang)) }
            pre { code { (PICTURE) } }
        }
    };
    Page::new(help::title(lang), "/help", body)
}

const EMBED: &str =
    "<iframe src=\"http://127.0.0.1:8000/embed/tictactoe?at=X../.O./...\" width=\"320\" height=\"360\"></iframe>";
const PICTURE: &str = "<img src=\"http://127.0.0.1:8000/board/tictactoe.svg?at=X../.O./...\" alt=\"\">";

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

/// How to check one's own program with `balpan stress`: the judges' formats, each with a sample. The samples are generated once per process.
pub(crate) async fn stress(GetRequest { reader, .. }: GetRequest) -> Result<Page, RequestError> {
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
        h1 { (stress::title(lang)) }
        p.lead { (with_code(stress::lead(lang))) }
        pre { code { @for Sample { judge, .. } in samples { "balpan stress " (judge) " -- ./yours\n" } } }
        @for Sample { judge, source, input, output } in samples {
            section.problem {
                h2 { (say::game(lang, judge)) " " small { (source) } }
                p { (with_code(stress::format(lang, judge))) }
                h3 { (stress::input(lang)) }
                pre { code { (input) } }
                h3 { (stress::output(lang)) }
                pre { code { (output) } }
            }
        }
    };
    Ok(Page::new(stress::title(lang), "/stress", body))
}
