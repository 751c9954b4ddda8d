//! Korean for texts that come in English: help, mistakes in the command line, and errors of the libraries.
//!
//! `messages/korean.txt` has each English text with the Korean one below it; `$1`, `$2`, .. stand for what differs.

use balpan_games::Lang;
use clap::builder::StyledStr;

use super::lang;

const TEXTS: &str = include_str!("../../messages/korean.txt");

/// What clap itself writes around the help of an argument.
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
    let mut english = None;
    for line in TEXTS.lines() {
        if let Some(en) = line.strip_prefix("en: ") {
            english = captures(en, text);
        } else if let (Some(ko), Some(found)) = (line.strip_prefix("ko: "), &english) {
            let fill = |ko: String, (n, part): (usize, &&str)| {
                ko.replace(&format!("${n}"), &translate(part).unwrap_or_else(|| (*part).to_owned()))
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

/// Returns what `$1`, `$2`, .. stand for where `text` has the form of `pattern`.
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

/// Translates what clap prints: help, or what is wrong with the command line.
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
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_filled_in() {
        assert_eq!(captures("`$1` is no $2", "`a` is no b c"), Some(vec!["a", "b c"]));
        assert_eq!(captures("`$1` is no code", "`a` is no"), None);
        assert_eq!(captures("as it is", "as it is"), Some(vec![]));
    }

    /// Returns the texts of the help of a command that have no Korean.
    fn untranslated(command: &clap::Command, path: &str, missing: &mut Vec<String>) {
        let helps = command.get_arguments().flat_map(|arg| {
            let values = arg.get_possible_values().into_iter().filter(|_| !arg.is_hide_possible_values_set());
            let values: Vec<_> = values.filter_map(|value| value.get_help().map(ToString::to_string)).collect();
            arg.get_help().map(ToString::to_string).into_iter().chain(values)
        });
        let abouts = [command.get_about(), command.get_after_help()].into_iter().flatten().map(ToString::to_string);
        missing.extend(
            abouts.chain(helps).filter(|text| translate(text).is_none()).map(|text| format!("{path}\nen: {text}")),
        );
        for command in command.get_subcommands() {
            untranslated(command, &format!("{path} {}", command.get_name()), missing);
        }
    }

    #[test]
    fn all_help_is_translated() {
        let mut missing = Vec::new();
        untranslated(&<crate::args::Args as clap::CommandFactory>::command(), "balpan", &mut missing);
        assert!(missing.is_empty(), "{}", missing.join("\n"));
    }

    #[test]
    fn each_text_has_its_korean_with_the_same_parts() {
        let lines: Vec<_> = TEXTS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        for pair in lines.chunks(2) {
            let [en, ko] = pair else { panic!("{pair:?}") };
            let (en, ko) = (en.strip_prefix("en: ").unwrap(), ko.strip_prefix("ko: ").unwrap());
            let parts = en.matches('$').count();
            assert!((1..=parts).all(|n| en.contains(&format!("${n}")) && ko.contains(&format!("${n}"))), "{en}");
            assert!(ko.contains('$') || ko.chars().any(|c| ('가'..='힣').contains(&c)), "{ko}");
        }
    }
}
