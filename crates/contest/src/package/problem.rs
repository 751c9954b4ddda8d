//! What a package has of a problem besides its tests.

/// A problem as it is set: its statement, what checks inputs, and programs that try it.
#[derive(Debug)]
pub struct Problem {
    /// In English.
    pub(super) english: Statement,
    /// In Korean.
    pub(super) korean: Statement,
    /// A program in Python that exits with 42 if an input is as the statement says, else with 43.
    pub(super) validate: &'static str,
    /// The same for testlib.
    pub(super) validator: &'static str,
    /// Right programs. One has to be there: it is the main one.
    pub(super) accepted: &'static [Source],
    /// Programs that are wrong on some test that covers everything.
    pub(super) wrong: &'static [Source],
}

/// A statement in one language. What stands between backticks is code.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) title: &'static str,
    pub(super) legend: &'static [&'static str],
    pub(super) input: &'static [&'static str],
    pub(super) output: &'static [&'static str],
}

/// A program's text, as a file of this name.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) name: &'static str,
    text: &'static str,
}

impl Source {
    pub(super) const fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text }
    }

    /// The text; of a program in Python with the line that says which one.
    pub(super) fn text(&self) -> String {
        let is_python = self.name.ends_with(".py");
        let line = if is_python && !self.text.starts_with("#!") { "#!/usr/bin/env python3\n" } else { "" };
        format!("{line}{}", self.text)
    }
}

/// Paragraphs in LaTeX.
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
    fn what_steers_latex_is_escaped() {
        assert_eq!(tex(&["one of `.#`, 5%", "`{a}`"]), "one of \\texttt{.\\#}, 5\\%\n\n\\texttt{\\{a\\}}\n");
    }
}
