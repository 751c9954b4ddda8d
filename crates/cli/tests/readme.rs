//! Every `console` sample of the README, of CONTRIBUTING, of docs/solving.md, docs/puzzles.md,
//! docs/stress.md, docs/strong.md, docs/cluster.md and docs/certificates.md is run by a shell, and prints what the sample says; the README's
//! picture is what the command prints.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

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

/// Whether Python is there, as it has to be where programs are required.
fn has_python() -> bool {
    let required = std::env::var_os("BALPAN_PROGRAMS").is_some_and(|value| value == "required");
    required || shell("python3 --version").status.success()
}

#[test]
fn samples_print_what_they_say() {
    // Samples that write files.
    let scratch = tempfile::tempdir().unwrap();
    let root = Path::new(ROOT);
    for (document, folder) in [
        ("README.md", root),
        ("CONTRIBUTING.md", root),
        ("docs/solving.md", root),
        ("docs/puzzles.md", root),
        ("docs/stress.md", root),
        ("docs/strong.md", scratch.path()),
        ("docs/cluster.md", scratch.path()),
        ("docs/certificates.md", scratch.path()),
    ] {
        let text = std::fs::read_to_string(Path::new(ROOT).join(document)).unwrap();
        for (command, expected) in samples(&text) {
            if command.contains(".py") && !has_python() {
                println!("left out, as there is no python3: {command}");
                continue;
            }
            let Output { stdout, stderr, .. } = shell_in(folder, command);
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
fn the_readme_shows_every_verb() {
    let readme = std::fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let commands: Vec<_> = samples(&readme).into_iter().map(|(command, _)| command).collect();
    for verb in ["games", "solve", "play", "tree", "judge", "census", "stress", "generate", "puzzle"] {
        let shown = commands.iter().any(|command| command.contains(&format!("balpan {verb}")));
        assert!(shown, "the README shows no `balpan {verb}`");
    }
}

#[test]
fn the_readme_shows_the_example_as_it_is() {
    let read = |path| std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
    let example = read("crates/balpan/examples/nim.rs");
    let code = &example[example.find("use balpan").unwrap()..];
    assert!(read("README.md").contains(&format!("```rust\n{code}```")));
}

#[test]
fn the_readme_shows_the_wrong_program_as_it_is_and_its_mending() {
    let read = |path| std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
    let wrong = read("docs/programs/hurried.py");
    assert!(read("README.md").contains(&format!("```python\n{wrong}```")));
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
