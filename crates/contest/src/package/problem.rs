//! The parts of the packages besides their tests: statements, validators and programs.

use std::borrow::Cow;

/// A problem's statement, validators and example programs.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The statements in English and in Korean, which [`Statement::parse`] reads.
    pub(crate) english: Cow<'static, str>,
    pub(crate) korean: Cow<'static, str>,
    /// A Python program that exits with 42 if an input is valid, and otherwise with 43.
    pub(crate) validate: Cow<'static, str>,
    /// A validator for testlib, in C++.
    pub(crate) validator: Cow<'static, str>,
    /// Right programs, the main one first; of a problem file, none.
    pub(crate) accepted: &'static [Source],
    /// Programs that test data with full coverage finds wrong.
    pub(crate) wrong: &'static [Source],
}

/// A statement in one language: paragraphs, in which text between backticks is code.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) title: String,
    pub(super) legend: Vec<String>,
    pub(super) input: Vec<String>,
    pub(super) output: Vec<String>,
}

impl Statement {
    /// Parses a text of paragraphs with blank lines between them: the title, the legend, and two sections after the
    /// paragraphs `Input` and `Output`.
    pub(super) fn parse(text: &str) -> Self {
        let mut paragraphs = text.split("\n\n").map(|lines| lines.lines().collect::<Vec<_>>().join(" "));
        let title = paragraphs.next().unwrap_or_default();
        let mut sections = [Vec::new(), Vec::new(), Vec::new()];
        let mut section = 0;
        for paragraph in paragraphs {
            match &*paragraph {
                "Input" => section = 1,
                "Output" => section = 2,
                _ => sections[section].push(paragraph),
            }
        }
        let [legend, input, output] = sections;
        Self { title, legend, input, output }
    }
}

/// A program's file name and text.
#[derive(Debug)]
pub(crate) struct Source {
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
pub(super) fn tex(paragraphs: &[String]) -> String {
    let paragraphs: Vec<_> = paragraphs.iter().map(|text| paragraph(text)).collect();
    paragraphs.join("\n\n") + "\n"
}

pub(super) fn paragraph(text: &str) -> String {
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

pub(crate) static BLOCKGAME: Problem = Problem {
    english: Cow::Borrowed(include_str!("blockgame/statement.en.txt")),
    korean: Cow::Borrowed(include_str!("blockgame/statement.ko.txt")),
    validate: Cow::Borrowed(include_str!("blockgame/validate.py")),
    validator: Cow::Borrowed(include_str!("blockgame/validator.cpp")),
    // Test fixtures of the judge.
    accepted: &[
        Source::new("right.cpp", include_str!("../../tests/programs/right-blockgame.cpp")),
        Source::new("right-too.py", include_str!("../../tests/programs/right-blockgame.py")),
    ],
    wrong: &[
        Source::new("misere.cpp", include_str!("../../tests/programs/blockgame-misere.cpp")),
        Source::new("memo-count.py", include_str!("../../tests/programs/blockgame-memo-count.py")),
    ],
};

pub(crate) static PLATFORMS: Problem = Problem {
    english: Cow::Borrowed(include_str!("platforms/statement.en.txt")),
    korean: Cow::Borrowed(include_str!("platforms/statement.ko.txt")),
    validate: Cow::Borrowed(include_str!("platforms/validate.py")),
    validator: Cow::Borrowed(include_str!("platforms/validator.cpp")),
    // Test fixtures of the judge.
    accepted: &[Source::new("right.py", include_str!("../../tests/programs/right-platforms-memo.py"))],
    wrong: &[
        Source::new("memo-tiles.py", include_str!("../../tests/programs/platforms-memo-tiles.py")),
        Source::new("memo-other.py", include_str!("../../tests/programs/platforms-memo-other.py")),
    ],
};

pub(crate) static TICTACTOE: Problem = Problem {
    english: Cow::Borrowed(include_str!("tictactoe/statement.en.txt")),
    korean: Cow::Borrowed(include_str!("tictactoe/statement.ko.txt")),
    validate: Cow::Borrowed(include_str!("tictactoe/validate.py")),
    validator: Cow::Borrowed(include_str!("tictactoe/validator.cpp")),
    // Test fixtures of the judge.
    accepted: &[
        Source::new("right.cpp", include_str!("../../tests/programs/right-tictactoe.cpp")),
        Source::new("right-too.py", include_str!("../../tests/programs/right-tictactoe.py")),
    ],
    wrong: &[
        Source::new("full-board.cpp", include_str!("../../tests/programs/tictactoe-full-board.cpp")),
        Source::new("diagonal.py", include_str!("../../tests/programs/tictactoe-diagonal.py")),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_special_characters_are_escaped() {
        assert_eq!(
            tex(&["one of `.#`, 5%", "`{a}`"].map(str::to_owned)),
            "one of \\texttt{.\\#}, 5\\%\n\n\\texttt{\\{a\\}}\n"
        );
    }
}
