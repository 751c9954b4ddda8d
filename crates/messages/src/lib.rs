//! Messages in several languages, from text files that translators can edit: [`messages!`] makes a function of each.

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use proc_macro::TokenStream;

/// Defines a function for each message of the file `messages/NAME.txt` of the crate, where `NAME` is the macro's argument.
///
/// ```text
/// # A line that begins with `#` is for translators.
/// title
/// en: Census
/// ko: 모든 국면
///
/// wins(n: &str)
/// en: {n} are won
/// ko: {n}개는 이깁니다
///
/// no_page
/// en: there is no such page
/// en help: the games are at `/`
/// ko: 그런 페이지가 없습니다
/// ko help: 게임 목록은 `/`에 있습니다
///
/// plies(n: u32)
/// en one: {n} ply
/// en: {n} plies
/// ko: {n}수
///
/// colour "red"
/// en: red
/// ko: 빨강
/// colour _
/// en: another
/// ko: 다른 색
/// ```
///
/// The functions take a `balpan_games::Lang` before the message's parameters. They are `pub(crate)`, or public if the name begins with `pub `.
/// A message without parameters is a `&'static str`, one with parameters a `String` in which `{n}` stands for a parameter as in
/// [`format!`]. A message with help is a pair of strings. A text with `one` is that for the number 1 as the first parameter. Of messages
/// that have a word or `_` after their name, a function selects one by its parameter, a `&str`. Text that begins or ends with a
/// blank is in quotes, and a line that begins with `|` continues the text in a new line.
///
/// A mistake in the file is an error where the macro is called.
#[proc_macro]
pub fn messages(name: TokenStream) -> TokenStream {
    let path = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("messages");
    let path = path.join(format!("{}.txt", name.to_string().trim_matches('"')));
    let read = fs::read_to_string(&path).map_err(|e| e.to_string());
    let code = match read.and_then(|text| functions(&text)) {
        // The compiler learns that the file is read.
        Ok(functions) => format!("const _: &str = include_str!({path:?});\n{functions}"),
        Err(error) => format!("compile_error!({:?});", format!("{}: {error}", path.display())),
    };
    code.parse().unwrap_or_else(|e| unreachable!("text in quotes is a token: {e}"))
}

/// The languages, with the names of their variants.
const LANGUAGES: [(&str, &str); 2] = [("en", "En"), ("ko", "Ko")];

/// A message of a file.
#[derive(Default)]
struct Message<'a> {
    comments: Vec<&'a str>,
    name: &'a str,
    /// The word that selects the message, with its quotes, or `_`; empty for a message of its own.
    word: &'a str,
    parameters: Option<&'a str>,
    /// The labels, such as `en` and `ko help`, with their texts.
    texts: Vec<(&'a str, String)>,
}

impl<'a> Message<'a> {
    /// Parses the line that names a message.
    fn new(line: &'a str, comments: Vec<&'a str>) -> Self {
        let (name, parameters) = match line.split_once('(') {
            Some((name, rest)) => (name, Some(rest.trim_end_matches(')'))),
            None => (line, None),
        };
        // The name of a public function begins with `pub `.
        let at = name.find(' ').filter(|at| name[..*at] != *"pub").unwrap_or(name.len());
        Self { comments, name: &name[..at], word: name[at..].trim_start(), parameters, texts: Vec::new() }
    }

    fn text(&self, label: &str) -> Option<&str> {
        self.texts.iter().find(|(other, _)| *other == label).map(|(_, text)| &**text)
    }
}

/// Whether a line with a text may begin with this before its colon.
fn is_label(label: &str) -> bool {
    let base = label.trim_end_matches(" one").trim_end_matches(" help");
    LANGUAGES.iter().any(|(code, _)| *code == base)
}

/// Returns the functions for the messages of a text.
fn functions(text: &str) -> Result<String, String> {
    let mut messages: Vec<Message> = Vec::new();
    let mut comments = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let label = line.split_once(':').filter(|(label, _)| is_label(label));
        if line.is_empty() {
            comments.clear();
        } else if let Some(comment) = line.strip_prefix('#') {
            comments.push(comment);
        } else if let (Some(message), Some((label, text))) = (messages.last_mut(), label) {
            let text = text.strip_prefix(' ').unwrap_or(text);
            let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            message.texts.push((label, bare.unwrap_or(text).to_owned()));
        } else if let Some(more) = line.strip_prefix('|') {
            let last = messages.last_mut().and_then(|message| message.texts.last_mut());
            let (_, text) = last.ok_or_else(|| format!("line {number} continues no text"))?;
            *text += &format!("\n{more}");
        } else {
            messages.push(Message::new(line, std::mem::take(&mut comments)));
        }
    }
    let alike = |one: &Message, next: &Message| one.name == next.name && !one.word.is_empty() && !next.word.is_empty();
    messages.chunk_by(alike).map(function).collect()
}

/// Returns the function for a message, or for all messages that a word selects from.
fn function(messages: &[Message]) -> Result<String, String> {
    let Message { comments, name, word, parameters, texts } = &messages[0];
    let has_help = texts.iter().any(|(label, _)| label.contains(" help"));
    let (constant, parameters, result) = match (parameters, has_help) {
        _ if !word.is_empty() => ("", "word: &str", "&'static str"),
        (_, true) => ("", parameters.unwrap_or(""), "(String, String)"),
        (Some(parameters), false) => ("", *parameters, "String"),
        (None, false) => ("const ", "", "&'static str"),
    };
    let expression = |text: &str| match result {
        "&'static str" => format!("{text:?}"),
        _ if parameters.is_empty() => format!("{text:?}.to_owned()"),
        _ => format!("format!({text:?})"),
    };
    let number = parameters.split(':').next().unwrap_or("");
    let mut arms = String::new();
    for message in messages {
        for (code, variant) in LANGUAGES {
            let pattern = if word.is_empty() { String::new() } else { format!("{}, ", message.word) };
            let pattern = format!("({pattern}::balpan_games::Lang::{variant},)");
            let is_plural = message.texts.iter().any(|(label, _)| label.starts_with(code) && label.ends_with(" one"));
            for (one, guard) in [(" one", format!(" if {number} == 1")), ("", String::new())] {
                if !is_plural && !one.is_empty() {
                    continue;
                }
                let text = |label: &str| {
                    let found = message.text(&format!("{label}{one}")).or(message.text(label));
                    found.map(expression).ok_or_else(|| format!("`{name}` has no `{label}`"))
                };
                let mut text_in = text(code)?;
                if has_help {
                    text_in = format!("({text_in}, {})", text(&format!("{code} help"))?);
                }
                // Writing to a string cannot fail.
                let _ = writeln!(arms, "{pattern}{guard} => {text_in},");
            }
        }
    }
    let comments: String = comments.iter().map(|comment| format!("///{comment}\n")).collect();
    let subject = if word.is_empty() { "lang," } else { "word, lang," };
    let (visibility, name) = name.strip_prefix("pub ").map_or(("pub(crate)", *name), |name| ("pub", name));
    Ok(format!(
        "{comments}{visibility} {constant}fn {name}(lang: ::balpan_games::Lang, {parameters}) -> {result} {{\n\
         match ({subject}) {{\n{arms}}}\n}}\n"
    ))
}

#[cfg(test)]
#[path = "../tests/unit/messages.rs"]
mod tests;
