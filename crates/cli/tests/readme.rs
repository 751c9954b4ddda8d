//! Every `console` sample of the README, in both languages, of CONTRIBUTING and of the pages in `docs` is run by a
//! shell and prints what the sample says; pictures are what the command prints.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use snapbox::{Assert, IntoData, file};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A shell command in the project's folder, with `balpan` on its path.
fn shell(command: &str) -> Output {
    shell_in(ROOT.as_ref(), command)
}

/// A shell command in this folder, with `balpan` on its path.
fn shell_in(folder: &Path, command: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_balpan"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let mut shell = Command::new("sh");
    shell
        .args(["-c", command])
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C")
        .current_dir(folder)
        .stdin(Stdio::null());
    shell.output().unwrap()
}

/// The commands of a document's `console` blocks, each with what it should print.
fn samples(document: &str) -> Vec<(&str, String)> {
    let mut samples: Vec<(&str, String)> = Vec::new();
    let mut inside = false;
    for line in document.lines() {
        match line.strip_prefix("```") {
            Some(language) => inside = language == "console",
            None if !inside => {}
            None => match (line.strip_prefix("$ "), samples.last_mut()) {
                (Some(command), _) => samples.push((command, String::new())),
                (None, Some((_, printed))) => {
                    printed.push_str(line);
                    printed.push('\n');
                }
                (None, None) => panic!("output before any command: {line}"),
            },
        }
    }
    samples
}

/// Returns the documents: the README, CONTRIBUTING, and the pages of the book.
fn documents() -> Vec<String> {
    let pages = std::fs::read_dir(Path::new(ROOT).join("docs")).unwrap();
    let pages = pages.map(|page| format!("docs/{}", page.unwrap().file_name().to_str().unwrap()));
    let mut documents: Vec<_> = pages.filter(|page| page.ends_with(".md")).collect();
    // Its samples are dumps of files by a program that may be missing.
    documents.retain(|page| page != "docs/strong-file.md");
    documents.extend(["README.md", "README.ko.md", "CONTRIBUTING.md"].map(str::to_owned));
    documents.sort();
    documents
}

/// The programs of `docs/programs`, in this folder under the same path.
fn copy_programs(folder: &Path) {
    let from = Path::new(ROOT).join("docs/programs");
    let to = folder.join("docs/programs");
    std::fs::create_dir_all(&to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// Whether Python is installed; it must be if `BALPAN_PROGRAMS` is `required`.
fn has_python() -> bool {
    let required = std::env::var_os("BALPAN_PROGRAMS").is_some_and(|value| value == "required");
    required || shell("python3 --version").status.success()
}

#[test]
fn samples_print_what_they_say() {
    // Samples that write files.
    let scratch = tempfile::tempdir().unwrap();
    // Each page of the book has a folder of its own, with the programs that samples name.
    for document in documents() {
        let folder = scratch.path().join(document.replace('/', "-"));
        copy_programs(&folder);
        let folder = folder.as_path();
        let text = std::fs::read_to_string(Path::new(ROOT).join(&document)).unwrap();
        for (command, expected) in samples(&text) {
            if document == "docs/cluster.md" && cfg!(not(feature = "cluster")) {
                println!("left out without the feature `cluster`: {command}");
                continue;
            }
            if command.contains(".py") && !has_python() {
                println!("left out, as there is no python3: {command}");
                continue;
            }
            // A fault is found whatever the time; on a busy machine it takes longer.
            let patient = command.replace("balpan stress ", "balpan stress --time 5m ");
            let command_run = if command.contains("--time") { command } else { &patient };
            let Output { stdout, stderr, .. } = shell_in(folder, command_run);
            let printed = String::from_utf8([stderr, stdout].concat()).unwrap();
            let printed = printed.trim_end().lines().map(str::trim_end).collect::<Vec<_>>().join("\n") + "\n";
            let expected = expected.trim_end().to_owned() + "\n";
            let name = format!("{document}: {command}");
            if let Err(difference) = Assert::new().try_eq(Some(&name), printed.into_data(), expected.into_data()) {
                panic!("{difference}");
            }
        }
    }
}

#[test]
fn the_documents_show_every_verb() {
    let texts = documents().into_iter().map(|path| std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap());
    let texts: Vec<_> = texts.collect();
    let commands: Vec<_> = texts.iter().flat_map(|text| samples(text)).map(|(command, _)| command).collect();
    for verb in [
        "games", "solve", "play", "review", "tree", "judge", "census", "stress", "generate", "puzzle", "build",
        "strong", "prove", "check", "cluster",
    ] {
        let shown = commands.iter().any(|command| command.contains(&format!("balpan {verb}")));
        assert!(shown, "no document shows `balpan {verb}`");
    }
}

#[test]
fn the_documents_show_the_examples_as_they_are() {
    let read = |path: &str| std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
    for (example, document) in [("chomp", "README.md"), ("chomp", "README.ko.md"), ("nim", "docs/library.md")] {
        let example = read(&format!("crates/balpan/examples/{example}.rs"));
        let code = &example[example.find("use balpan").unwrap()..];
        assert!(read(document).contains(&format!("```rust\n{code}```")), "{document}");
    }
}

/// Returns the numbers in the rows of a table.
fn numbers(row: &str) -> Vec<u64> {
    row.split(['|', ' ', ',']).filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn the_page_shows_what_the_guide_of_the_library_asserts() {
    let read = |path: &str| std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
    let rows = |text: &str, begin: &str| -> Vec<_> {
        let table = text.lines().skip_while(|line| !line.starts_with(begin));
        let table = table.take_while(|line| line.contains('|')).map(numbers);
        table.filter(|row| !row.is_empty()).collect()
    };
    let guide = rows(&read("crates/balpan/src/guide.rs"), "//! | step");
    assert_eq!(guide.len(), 6);
    assert_eq!(rows(&read("docs/library.md"), "| step"), guide);
}

#[test]
fn the_page_shows_the_wrong_program_as_it_is_and_its_mending() {
    let read = |path| std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
    let wrong = read("docs/programs/hurried.py");
    assert!(read("docs/stress.md").contains(&format!("```python\n{wrong}```")));
    assert_eq!(wrong.replace("min(losses", "max(losses"), read("docs/programs/mended.py"));
}

#[test]
fn the_picture_is_what_the_command_prints() {
    let mut balpan = Command::new(env!("CARGO_BIN_EXE_balpan"));
    let output = balpan
        .args(["solve", "platforms"])
        .env_remove("NO_COLOR")
        .env("CLICOLOR_FORCE", "1")
        .env("LC_ALL", "C")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    Assert::new().action_env("SNAPSHOTS").eq(printed, file!["../../../docs/solve-platforms.svg": TermSvg].raw());
}

#[test]
fn the_picture_of_the_tree_is_what_the_command_prints() {
    let tree = shell("balpan tree tictactoe 'X../XOO/OX.' --alpha-beta --format svg");
    let printed = String::from_utf8(tree.stdout).unwrap();
    Assert::new().action_env("SNAPSHOTS").eq(printed, file!["../../../docs/tree.svg": Text].raw());
}
