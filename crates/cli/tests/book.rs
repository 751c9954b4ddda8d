//! The book in `docs`: SUMMARY.md lists every page, every link resolves, and the picture of
//! the crates is drawn from their manifests. And every file of tests is run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use snapbox::{Assert, file};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The pages of the book, `docs/NAME.md`.
fn pages() -> BTreeSet<String> {
    let entries = std::fs::read_dir(Path::new(ROOT).join("docs")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect()
}

/// Returns a document without code blocks and code spans.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let outside = line.split('`').enumerate().filter(|(n, _)| n % 2 == 0);
            outside.for_each(|(_, part)| prose.push_str(part));
            prose.push('\n');
        }
    }
    prose
}

/// The targets of the links and pictures of a document.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let targets = prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned());
    targets.collect()
}

/// The anchors of a document's headings, as forges and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut anchors = BTreeSet::new();
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let heading = line.trim_start_matches('#');
        if !fenced && line.starts_with('#') && heading.starts_with(' ') {
            let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
            let slug: String = heading.trim().to_lowercase().chars().filter(kept).collect();
            anchors.insert(slug.replace(' ', "-"));
        }
    }
    anchors
}

#[test]
fn the_summary_lists_every_page_once() {
    let listed: Vec<_> = links(&read("docs/SUMMARY.md")).into_iter().map(|page| format!("docs/{page}")).collect();
    let mut expected = pages();
    expected.remove("docs/SUMMARY.md");
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), expected);
    assert_eq!(listed.len(), expected.len(), "a page is listed twice");
}

/// A crate's tests are one program, which names its files: a file that is not named would not be run.
#[test]
fn every_file_of_tests_is_run() {
    let mut left_out = Vec::new();
    for entry in std::fs::read_dir(Path::new(ROOT).join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(all) = std::fs::read_to_string(folder.join("tests/all.rs")) else { continue };
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        for file in std::fs::read_dir(folder.join("tests")).unwrap() {
            let file = file.unwrap().file_name().into_string().unwrap();
            let Some(name) = file.strip_suffix(".rs") else { continue };
            if !all.lines().any(|line| line == format!("mod {name};")) && !manifest.contains(&format!("tests/{file}")) {
                left_out.push(format!("{}/tests/{file}", folder.display()));
            }
        }
    }
    assert_eq!(left_out, Vec::<String>::new(), "they need a line in tests/all.rs");
}

/// What the code of a crate does not name, comments aside: its invariant, as its root states it.
const FOREIGN: [(&str, &[&str]); 10] = [
    ("balpan", &["walkers", "placement", "connect4", "tictactoe", "blockgame", "domineering", "<svg", "html!"]),
    ("cgt", &["walkers", "connect4", "tictactoe", "blockgame", "<svg", "html!"]),
    ("games", &["<svg", "html!", "maud", "axum", "indicatif", "clap", "pyo3", "std::net"]),
    ("pictures", &["html!", "maud", "axum", "indicatif", "clap", "pyo3", "std::net", "std::fs"]),
    ("app", &["<svg", "html!", "maud", "axum", "indicatif", "clap", "pyo3", "std::net"]),
    ("explorer", &["indicatif", "clap::", "pyo3"]),
    ("contest", &["html!", "maud", "axum", "indicatif", "clap::", "pyo3"]),
    ("strong", &["<svg", "html!", "maud", "axum", "indicatif", "clap::", "pyo3"]),
    ("cluster", &["<svg", "html!", "maud", "axum", "indicatif", "clap::", "pyo3", "walkers", "placement"]),
    ("prove", &["<svg", "html!", "maud", "axum", "indicatif", "clap::", "pyo3"]),
];

#[test]
fn no_crate_names_what_its_invariant_excludes() {
    let mut found = Vec::new();
    for (name, words) in FOREIGN {
        let mut folders = vec![Path::new(ROOT).join("crates").join(name).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                    let is_foreign = |line: &&str| words.iter().any(|word| line.contains(word));
                    found.extend(code.filter(is_foreign).map(|line| format!("{}: {}", path.display(), line.trim())));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_link_resolves() {
    let others =
        ["README.md", "README.ko.md", "CONTRIBUTING.md", "CHANGELOG.md", "fuzz/README.md", "bench/peers/README.md"];
    let mut broken = Vec::new();
    for document in pages().into_iter().chain(others.map(str::to_owned)) {
        let text = read(&document);
        for link in links(&text).iter().filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').map_or((link.as_str(), None), |(path, at)| (path, Some(at)));
            let target = if path.is_empty() {
                PathBuf::from(&document)
            } else {
                Path::new(&document).parent().unwrap().join(path)
            };
            let target = Path::new(ROOT).join(target);
            let found = match anchor {
                None => target.exists(),
                Some(anchor) => std::fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(anchor)),
            };
            if !found {
                broken.push(format!("{document}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

/// The crates of the workspace, without the benches: each with those that it depends on, tests
/// aside.
fn crates() -> BTreeMap<String, BTreeSet<String>> {
    let folders = std::fs::read_dir(Path::new(ROOT).join("crates")).unwrap();
    let folders = folders.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut crates = BTreeMap::new();
    for folder in folders.filter(|folder| !["python", "wasm"].contains(&&**folder)) {
        let manifest = read(&format!("crates/{folder}/Cargo.toml"));
        let mut section = "";
        let mut uses = BTreeSet::new();
        for line in manifest.lines() {
            if line.starts_with('[') {
                section = line;
            } else if section == "[dependencies]" && line.starts_with("balpan") {
                uses.insert(line.split(['.', ' ', '=']).next().unwrap().to_owned());
            }
        }
        let name = if folder == "balpan" { folder } else { format!("balpan-{folder}") };
        crates.insert(name, uses);
    }
    crates
}

/// Returns the length of the longest chain of dependencies of a crate.
fn height(name: &str, crates: &BTreeMap<String, BTreeSet<String>>) -> usize {
    crates[name].iter().map(|used| height(used, crates) + 1).max().unwrap_or(0)
}

/// Whether one crate depends on another, directly or through others.
fn reaches(from: &str, to: &str, crates: &BTreeMap<String, BTreeSet<String>>) -> bool {
    crates[from].iter().any(|used| used == to || reaches(used, to, crates))
}

/// The path of a question: the name of each step in the code, its file, and its purpose.
const QUESTION: [(&str, &str, &str); 6] = [
    ("struct Query", "crates/games/src/engines.rs", "Query: a position as text, and how far to go"),
    ("trait TextEngine", "crates/games/src/engines.rs", "TextEngine: text to position, answer to text"),
    ("pub fn solve", "crates/balpan/src/engine.rs", "Engine::solve: who wins, then plies and a line, then every move"),
    ("struct Selection<", "crates/balpan/src/engine/selection.rs", "Selection: the solvers for the game and the goal"),
    ("trait Solver", "crates/balpan/src/search/solver.rs", "Solver: is the value better than a threshold?"),
    ("trait Game", "crates/balpan/src/game.rs", "Game and its capabilities: moves, keys, bounds, parts"),
];

/// The position of each crate in the drawing, from left to right, and its purpose.
const CRATES: [(&str, usize, &str); 13] = [
    ("balpan", 480, "Game, Value, solvers, Engine"),
    ("balpan-app", 480, "what every door does"),
    ("balpan-cgt", 480, "values, thermographs, quotients"),
    ("balpan-check", 840, "checks certificates, alone"),
    ("balpan-cli", 480, "the command"),
    ("balpan-cluster", 840, "builds by many processes"),
    ("balpan-contest", 120, "judges, test data, puzzles"),
    ("balpan-explorer", 480, "pages and JSON"),
    ("balpan-games", 480, "families, notation, rules files"),
    ("balpan-messages", 120, "functions of message files"),
    ("balpan-pictures", 120, "text, SVG, DOT"),
    ("balpan-prove", 480, "writes certificates"),
    ("balpan-strong", 840, "strong solutions on disk"),
];

const BOX: (usize, usize) = (196, 50);

/// Draws the crates in rows, each above its dependencies, and below them the path of a question.
fn picture() -> String {
    let crates = crates();
    let top = crates.keys().map(|name| height(name, &crates)).max().unwrap();
    let mut places = BTreeMap::new();
    for name in crates.keys() {
        let (_, middle, does) = CRATES.iter().find(|(known, ..)| known == name).expect("every crate has a place");
        places.insert(name.as_str(), (middle - BOX.0 / 2, 20 + (top - height(name, &crates)) * 84, does));
    }
    let mut body = String::new();
    for (name, uses) in &crates {
        let (x, y, _) = places[name.as_str()];
        for used in uses {
            // Dependencies that follow from others are left out.
            if uses.iter().any(|other| other != used && reaches(other, used, &crates)) {
                continue;
            }
            let (to_x, to_y, _) = places[used.as_str()];
            let (from, to) = (x + BOX.0 / 2, to_x + BOX.0 / 2);
            writeln!(body, r#"<path class="edge" d="M{from} {} L{to} {to_y}"/>"#, y + BOX.1).unwrap();
        }
    }
    for (name, (x, y, does)) in &places {
        let middle = x + BOX.0 / 2;
        writeln!(body, r#"<rect x="{x}" y="{y}" width="{}" height="{}" rx="6"/>"#, BOX.0, BOX.1).unwrap();
        writeln!(body, r#"<text class="name" x="{middle}" y="{}">{name}</text>"#, y + 21).unwrap();
        writeln!(body, r#"<text class="role" x="{middle}" y="{}">{does}</text>"#, y + 40).unwrap();
    }
    let mut y = 20 + (top + 1) * 84 + 24;
    writeln!(
        body,
        r#"<text class="title" x="40" y="{}">The path of a question, and of its answer back</text>"#,
        y - 12
    )
    .unwrap();
    for (n, (item, path, does)) in QUESTION.iter().enumerate() {
        assert!(read(path).contains(item), "{path} has no `{item}`: the picture's path of a question is out of date");
        let name = path.trim_start_matches("crates/");
        if n > 0 {
            writeln!(body, r#"<path class="edge both" d="M60 {} L60 {y}"/>"#, y - 22).unwrap();
        }
        writeln!(body, r#"<rect x="40" y="{y}" width="880" height="30" rx="6"/>"#).unwrap();
        writeln!(body, r#"<text x="80" y="{}">{does}</text>"#, y + 20).unwrap();
        writeln!(body, r#"<text class="file" x="900" y="{}">{name}</text>"#, y + 20).unwrap();
        y += 52;
    }
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 {y}" width="960" height="{y}" role="img" aria-label="The crates of balpan: each above those that it depends on. Below, the path of a question.">
<style>svg {{ background: #fff; color: #1f2328; }} text {{ font: 14px sans-serif; fill: currentColor; }} .name {{ text-anchor: middle; font-weight: 600; }} .role {{ text-anchor: middle; font-size: 12px; }} .title {{ font-weight: 600; }} .file {{ text-anchor: end; font-family: monospace; }} rect {{ fill: none; stroke: currentColor; }} .edge {{ stroke: #768390; fill: none; marker-end: url(#arrow); }} .both {{ marker-start: url(#arrow); }} @media (prefers-color-scheme: dark) {{ svg {{ background: #0d1117; color: #e6edf3; }} }}</style>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 L8 4 L0 8 z" fill="#768390"/></marker></defs>
{body}</svg>
"##
    )
}

#[test]
fn the_picture_of_the_crates_is_drawn_from_their_manifests() {
    Assert::new().action_env("SNAPSHOTS").eq(picture(), file!["../../../docs/design.svg": Text].raw());
}
