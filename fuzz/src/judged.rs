//! What must hold of a judge's answers.

use std::io::BufReader;

use balpan_contest::JudgeError;

/// A judge's answers to one input, and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Judged {
    /// The answers, one per line.
    pub lines: Vec<String>,
    /// The line on which the input is wrong and what is found there, if it is.
    pub wrong: Option<(u64, u64, String)>,
}

impl Judged {
    /// Runs a judge on `input`.
    ///
    /// # Panics
    /// If it fails otherwise than by the input, if it points outside of it, or if
    /// an answer is no line of text.
    #[must_use]
    pub fn by(input: &[u8], judge: impl FnOnce(&mut Vec<u8>) -> Result<(), JudgeError>) -> Self {
        let mut output = Vec::new();
        let wrong = match judge(&mut output) {
            Ok(()) => None,
            Err(JudgeError::Input { line, column, found, expected }) => {
                let lines = input.split(|&byte| byte == b'\n').count() as u64;
                assert!((1..=lines).contains(&line), "line {line} of {lines}: {found}");
                assert!(column <= input.len() as u64 + 1, "column {column}: {found}");
                assert!(!found.is_empty() && !expected.is_empty());
                Some((line, column, found))
            }
            Err(other) => panic!("{other}"),
        };
        let text = String::from_utf8(output).expect("answers are ASCII");
        assert!(text.is_empty() || text.ends_with('\n'), "an answer without an end of line");
        Self { lines: text.lines().map(str::to_owned).collect(), wrong }
    }

    /// Checks the answers of a judge whose input begins with a count of cases.
    ///
    /// # Panics
    /// If one is not among `answers`, or there is not one for each case of a right
    /// input.
    pub fn check_counted(&self, input: &[u8], answers: &[&str]) {
        for line in &self.lines {
            assert!(answers.contains(&line.as_str()), "the answer `{line}`");
        }
        if self.wrong.is_none() {
            let first = input.split(u8::is_ascii_whitespace).find(|word| !word.is_empty());
            let count = first.and_then(|word| std::str::from_utf8(word).ok()?.parse::<usize>().ok());
            assert_eq!(count, Some(self.lines.len()), "as many answers as cases");
        }
    }
}

/// `input` a few bytes at a time: words and lines fall on either side of a read.
#[must_use]
pub fn in_small_reads(input: &[u8]) -> BufReader<&[u8]> {
    BufReader::with_capacity(3, input)
}
