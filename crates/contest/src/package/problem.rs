//! The parts of a package besides its tests.

/// A problem's statement, validators and example programs.
#[derive(Debug)]
pub struct Problem {
    /// The statement in English.
    pub(super) english: Statement,
    /// The statement in Korean.
    pub(super) korean: Statement,
    /// A Python program that exits with 42 if an input is valid, and otherwise with 43.
    pub(super) validate: &'static str,
    /// A validator for testlib, in C++.
    pub(super) validator: &'static str,
    /// Right programs, at least one. The first is the main one.
    pub(super) accepted: &'static [Source],
    /// Programs that test data with full coverage finds wrong.
    pub(super) wrong: &'static [Source],
}

/// A statement in one language. Text between backticks is code.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) title: &'static str,
    pub(super) legend: &'static [&'static str],
    pub(super) input: &'static [&'static str],
    pub(super) output: &'static [&'static str],
}

/// A program's file name and text.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) name: &'static str,
    text: &'static str,
}

impl Source {
    pub(super) const fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text }
    }

    /// Returns the text; a Python program gets a `#!` line if it has none.
    pub(super) fn text(&self) -> String {
        let is_python = self.name.ends_with(".py");
        let line = if is_python && !self.text.starts_with("#!") { "#!/usr/bin/env python3\n" } else { "" };
        format!("{line}{}", self.text)
    }
}

/// Converts paragraphs to LaTeX.
pub(super) fn tex(paragraphs: &[&str]) -> String {
    let paragraphs: Vec<_> = paragraphs.iter().map(|text| paragraph(text)).collect();
    paragraphs.join("\n\n") + "\n"
}

fn paragraph(text: &str) -> String {
    let mut tex = String::new();
    for (n, part) in text.split('`').enumerate() {
        let is_code = n % 2 == 1;
        tex.push_str(if is_code { r"\texttt{" } else { "" });
        for c in part.chars() {
            match c {
                '\\' => tex.push_str(r"\textbackslash{}"),
                '#' | '$' | '%' | '&' | '_' | '{' | '}' => tex.extend(['\\', c]),
                '~' => tex.push_str(r"\textasciitilde{}"),
                '^' => tex.push_str(r"\textasciicircum{}"),
                c => tex.push(c),
            }
        }
        tex.push_str(if is_code { "}" } else { "" });
    }
    tex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_special_characters_are_escaped() {
        assert_eq!(tex(&["one of `.#`, 5%", "`{a}`"]), "one of \\texttt{.\\#}, 5\\%\n\n\\texttt{\\{a\\}}\n");
    }
}
