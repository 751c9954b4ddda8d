//! Korean for texts that come in English: help, mistakes in the command line, and errors of the libraries.
//!
//! `messages/korean.txt` has each English text with the Korean one below it; `$1`, `$2`, .. stand for what differs.

use balpan_games::Lang;
use clap::builder::StyledStr;

use super::answer::rough_in_korean;
use super::lang;

const TEXTS: &str = include_str!("../../messages/korean.txt");
/// Lines of reports, and below a heading the parts of lines, whose forms are so general that other texts have them, too.
const REPORTS: &str = include_str!("../../messages/reports.txt");

/// The texts of clap itself around the help of an argument.
const HEADINGS: [(&str, &str); 12] = [
    ("Usage:", "사용법:"),
    ("Commands:", "명령:"),
    ("Arguments:", "인수:"),
    ("Options:", "옵션:"),
    ("[default:", "[기본값:"),
    ("[possible values:", "[가능한 값:"),
    ("Possible values:", "가능한 값:"),
    ("Print help (see a summary with '-h')", "도움말 출력(-h로 요약)"),
    ("Print help (see more with '--help')", "도움말 출력(--help로 자세히)"),
    ("Print help", "도움말 출력"),
    ("Print version", "버전 출력"),
    ("Print this message or the help of the given subcommand(s)", "이 도움말이나 명령의 도움말 출력"),
];

/// Returns the Korean for an English text; `None` if there is none.
pub(crate) fn translate(text: &str) -> Option<String> {
    translate_by(TEXTS, TEXTS, text)
}

/// Translates a text by `texts`, and what differs in it by `parts`.
fn translate_by(texts: &str, parts: &str, text: &str) -> Option<String> {
    let mut english = None;
    for line in texts.lines() {
        if let Some(en) = line.strip_prefix("en: ") {
            english = captures(en, text);
        } else if let (Some(ko), Some(found)) = (line.strip_prefix("ko: "), &english) {
            let fill = |ko: String, (n, part): (usize, &&str)| {
                ko.replace(&format!("${n}"), &translate_by(parts, parts, part).unwrap_or_else(|| (*part).to_owned()))
            };
            return Some((1..).zip(found).fold(ko.to_owned(), fill));
        }
    }
    None
}

/// Returns the text in the language that is set.
pub(crate) fn local(text: &str) -> String {
    let korean = if lang() == Lang::Ko { translate(text) } else { None };
    korean.unwrap_or_else(|| text.to_owned())
}

/// Returns the report in the language that is set, translated line by line.
pub(crate) fn local_report(report: String) -> String {
    if lang() != Lang::Ko {
        return report;
    }
    let (lines, parts) = REPORTS.split_once("# Parts").unwrap_or_default();
    let translated = |line: &str| {
        let line = korean_numbers(line);
        translate_by(lines, parts, &line).unwrap_or(line)
    };
    report.split('\n').map(translated).collect::<Vec<_>>().join("\n")
}

/// Writes the millions and billions in a line as Korean counts them: `2.3 million` as `230만`.
fn korean_numbers(line: &str) -> String {
    let (mut written, mut rest) = (String::new(), line);
    while let Some((at, unit, name)) = [(1e6, " million"), (1e9, " billion")]
        .into_iter()
        .filter_map(|(unit, name)| Some((rest.find(name)?, unit, name)))
        .min_by_key(|found| found.0)
    {
        let start = rest[..at].trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        match rest[start..at].parse::<f64>() {
            Ok(number) => written += &format!("{}{}", &rest[..start], rough_in_korean(number * unit)),
            Err(_) => written += &rest[..at + name.len()],
        }
        rest = &rest[at + name.len()..];
    }
    written + rest
}

/// Returns the texts that `$1`, `$2`, .. stand for where `text` has the form of `pattern`.
fn captures<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut pieces = pattern.split('$');
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let pieces: Vec<_> = pieces.map(|piece| &piece[1..]).collect();
    let mut found = Vec::new();
    for (n, piece) in pieces.iter().enumerate() {
        let at = if n + 1 == pieces.len() { rest.strip_suffix(piece)?.len() } else { rest.find(piece)? };
        found.push(&rest[..at]);
        rest = &rest[at + piece.len()..];
    }
    rest.is_empty().then_some(found)
}

/// Translates the help of a command, of its arguments and of its subcommands.
pub(crate) fn command(mut command: clap::Command) -> clap::Command {
    let translated = |text: Option<&StyledStr>| text.and_then(|text| translate(&text.to_string()));
    if let Some(about) = translated(command.get_about()) {
        command = command.about(about);
    }
    if let Some(after) = translated(command.get_after_help()) {
        command = command.after_help(after);
    }
    command = command.mut_args(|arg| match translated(arg.get_help()) {
        Some(help) => arg.help(help),
        None => arg,
    });
    command.mut_subcommands(self::command)
}

/// Translates a page of clap: help, or a mistake in the command line.
pub(crate) fn page(error: &clap::Error) -> String {
    let page = error.render().ansi().to_string();
    let page = HEADINGS.into_iter().fold(page, |page, (en, ko)| page.replace(en, ko));
    if !error.use_stderr() {
        return page;
    }
    let page = anstream::adapter::strip_str(&page).to_string();
    page.lines().map(|line| translate(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}

#[cfg(test)]
#[path = "../../tests/unit/korean.rs"]
mod tests;
