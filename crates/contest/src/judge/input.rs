//! Reading a contest's input: words, wherever the lines break, or whole lines.

use std::io::{self, BufRead, Read};

use super::JudgeError;

/// No word of any judge's input is as long.
const LONGEST_WORD: usize = 100;

/// The words of a stream, with the place of the last one read.
pub(super) struct Words<R> {
    input: R,
    word: Vec<u8>,
    /// Where the word begins, and where reading goes on.
    begin: Place,
    next: Place,
}

#[derive(Clone, Copy)]
struct Place {
    line: u64,
    column: u64,
}

impl<R: BufRead> Words<R> {
    pub(super) const fn new(input: R) -> Self {
        let begin = Place { line: 1, column: 1 };
        Self { input, word: Vec::new(), begin, next: begin }
    }

    /// The next word, or `None` at the end of the input. Of a word that is too long
    /// only the beginning.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, JudgeError> {
        self.skip_blanks()?;
        self.begin = self.next;
        self.word.clear();
        loop {
            let buffer = filled(&mut self.input)?;
            let room = LONGEST_WORD + 1 - self.word.len();
            let taken = buffer.iter().take(room).take_while(|byte| !byte.is_ascii_whitespace()).count();
            self.word.extend_from_slice(&buffer[..taken]);
            let ended = taken < buffer.len() || buffer.is_empty();
            self.input.consume(taken);
            self.next.column += taken as u64;
            if ended {
                return Ok(Some(&self.word[..]).filter(|word| !word.is_empty()));
            }
        }
    }

    fn skip_blanks(&mut self) -> Result<(), JudgeError> {
        loop {
            let buffer = filled(&mut self.input)?;
            let blanks = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            for &byte in &buffer[..blanks] {
                self.next.column += 1;
                if byte == b'\n' {
                    self.next.line += 1;
                    self.next.column = 1;
                }
            }
            let ended = blanks < buffer.len() || buffer.is_empty();
            self.input.consume(blanks);
            if ended {
                return Ok(());
            }
        }
    }

    /// What is wrong with the last word, or with the end of the input.
    pub(super) fn error(&self, expected: &str) -> JudgeError {
        let found = match &self.word[..] {
            [] => "the end of the input".to_owned(),
            word if word.len() > LONGEST_WORD => format!("`{}…`", word[..20].escape_ascii()),
            word => format!("`{}`", word.escape_ascii()),
        };
        self.error_about(found, expected)
    }

    /// What is wrong with all that ends with the last word.
    pub(super) fn error_about(&self, found: String, expected: &str) -> JudgeError {
        JudgeError::Input { line: self.begin.line, column: self.begin.column, found, expected: expected.to_owned() }
    }

    /// The number of cases, with which the input begins.
    pub(super) fn count(&mut self) -> Result<u64, JudgeError> {
        let word = self.next()?.filter(|word| word.len() <= LONGEST_WORD);
        let count = word.and_then(|word| std::str::from_utf8(word).ok()?.parse().ok());
        count.ok_or_else(|| self.error("the number of cases"))
    }

    /// `N` rows of `N` cells, each one of `glyphs`, read row by row.
    pub(super) fn square<const N: usize>(
        &mut self,
        glyphs: &[u8],
        case: u64,
        cases: u64,
    ) -> Result<[[u8; N]; N], JudgeError> {
        let mut rows = [[0; N]; N];
        for (n, row) in rows.iter_mut().enumerate() {
            let word = self.next()?.and_then(|word| <[u8; N]>::try_from(word).ok());
            match word.filter(|word| word.iter().all(|cell| glyphs.contains(cell))) {
                Some(word) => *row = word,
                None => {
                    let glyphs: Vec<_> = glyphs.iter().map(|glyph| format!("`{}`", glyph.escape_ascii())).collect();
                    let glyphs = glyphs.join(", ");
                    return Err(self.error(&format!("row {} of case {case} of {cases}: {N} of {glyphs}", n + 1)));
                }
            }
        }
        Ok(rows)
    }

    /// That nothing follows the last case.
    pub(super) fn end(&mut self, cases: u64) -> Result<(), JudgeError> {
        match self.next()? {
            None => Ok(()),
            Some(_) => Err(self.error(&format!("nothing after the last case, as the count is {cases}"))),
        }
    }
}

/// The cases of an input that begins with their number.
pub(super) struct Counted<R, F> {
    words: Words<R>,
    /// Reads one case, told its number and how many there are.
    case: F,
    /// How many there are, when that is read, and how many are read.
    cases: Option<u64>,
    done: u64,
    ended: bool,
}

impl<R: BufRead, C, F: FnMut(&mut Words<R>, u64, u64) -> Result<C, JudgeError>> Counted<R, F> {
    pub(super) const fn new(input: R, case: F) -> Self {
        Self { words: Words::new(input), case, cases: None, done: 0, ended: false }
    }

    fn read(&mut self) -> Result<Option<C>, JudgeError> {
        let cases = match self.cases {
            Some(cases) => cases,
            None => *self.cases.insert(self.words.count()?),
        };
        if self.done == cases {
            return self.words.end(cases).map(|()| None);
        }
        self.done += 1;
        (self.case)(&mut self.words, self.done, cases).map(Some)
    }
}

impl<R: BufRead, C, F: FnMut(&mut Words<R>, u64, u64) -> Result<C, JudgeError>> Iterator for Counted<R, F> {
    type Item = Result<C, JudgeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let case = self.read().transpose();
        self.ended = !matches!(case, Some(Ok(_)));
        case
    }
}

/// What is in the input's buffer, which is empty only at the end.
fn filled(input: &mut impl BufRead) -> Result<&[u8], JudgeError> {
    // Asking twice, and the second time for the buffer that is there already: a
    // borrow that is returned cannot be taken in a loop.
    while let Err(e) = input.fill_buf() {
        if e.kind() != io::ErrorKind::Interrupted {
            return Err(JudgeError::Read(e));
        }
    }
    input.fill_buf().map_err(JudgeError::Read)
}

/// The lines of a stream, each no longer than a limit.
pub(super) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    pub(super) number: u64,
}

impl<R: BufRead> Lines<R> {
    /// Bytes of the longest line: room for the largest board, however it is spaced.
    pub(super) const LONGEST: usize = 1 << 16;

    pub(super) const fn new(input: R) -> Self {
        Self { input, line: Vec::new(), number: 0 }
    }

    /// The next line that is not blank, or `None` at the end of the input.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, JudgeError> {
        loop {
            self.line.clear();
            self.number += 1;
            let mut limited = self.input.by_ref().take(Self::LONGEST as u64 + 1);
            let read = limited.read_until(b'\n', &mut self.line).map_err(JudgeError::Read)?;
            if read == 0 {
                return Ok(None);
            }
            if read > Self::LONGEST {
                return Err(JudgeError::Input {
                    line: self.number,
                    column: read as u64,
                    found: format!("a line of more than {} bytes", Self::LONGEST),
                    expected: "one case a line".to_owned(),
                });
            }
            if !self.line.iter().all(u8::is_ascii_whitespace) {
                return Ok(Some(&self.line));
            }
        }
    }
}
