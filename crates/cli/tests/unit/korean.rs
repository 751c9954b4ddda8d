//! Unit tests of `src/words/korean.rs`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::*;

#[test]
fn what_differs_is_filled_in() {
    assert_eq!(captures("`$1` is no $2", "`a` is no b c"), Some(vec!["a", "b c"]));
    assert_eq!(captures("`$1` is no code", "`a` is no"), None);
    assert_eq!(captures("as it is", "as it is"), Some(vec![]));
}

#[test]
fn large_numbers_are_counted_as_in_korean() {
    assert_eq!(
        korean_numbers("about 2.3 million positions, 20 million of them"),
        "about 230만 positions, 2,000만 of them"
    );
    assert_eq!(korean_numbers("130 billion and 1.3 billion"), "1,300억 and 13억");
    assert_eq!(korean_numbers("a million of them"), "a million of them");
    assert_eq!(korean_numbers("가2 million"), "가200만");
}

/// Returns the texts of the help of a command that have no Korean.
fn untranslated(command: &clap::Command, path: &str, missing: &mut Vec<String>) {
    let helps = command.get_arguments().flat_map(|arg| {
        let values = arg.get_possible_values().into_iter().filter(|_| !arg.is_hide_possible_values_set());
        let values: Vec<_> = values.filter_map(|value| value.get_help().map(ToString::to_string)).collect();
        arg.get_help().map(ToString::to_string).into_iter().chain(values)
    });
    let abouts = [command.get_about(), command.get_after_help()].into_iter().flatten().map(ToString::to_string);
    missing
        .extend(abouts.chain(helps).filter(|text| translate(text).is_none()).map(|text| format!("{path}\nen: {text}")));
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
