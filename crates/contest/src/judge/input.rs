//! Readers of contest inputs: by words, wherever the lines break, or by lines.

use std::io::{self, BufRead, Read};

use super::JudgeError;

/// A length in bytes above that of every valid word.
const MAX_WORD_BYTES: usize = 1 << 16;

/// A reader of words that knows the place of the last one.
pub(crate) struct Words<R> {
    input: R,
    word: Vec<u8>,
    /// The begin of the word.
    begin: Place,
    /// The place of the next byte.
    next: Place,
}

#[derive(Clone, Copy)]
struct Place {
    line: u64,
    column: u64,
}

impl<R: BufRead> Words<R> {
    pub(crate) const fn new(input: R) -> Self {
        let begin = Place { line: 1, column: 1 };
        Self { input, word: Vec::new(), begin, next: begin }
    }

    /// Reads the next word; `None` at the end of the input. A word that is too long is cut.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>, JudgeError> {
        self.skip_blanks()?;
        self.begin = self.next;
        self.word.clear();
        loop {
            let buffer = fill_buf(&mut self.input)?;
            let room = MAX_WORD_BYTES + 1 - self.word.len();
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
            let buffer = fill_buf(&mut self.input)?;
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

    /// Returns the error that the last word, or the end of the input, is not as expected.
    pub(crate) fn error(&self, expected: &str) -> JudgeError {
        let found = match &self.word[..] {
            [] => "the end of the input".to_owned(),
            word if word.len() > MAX_WORD_BYTES => format!("`{}…`", word[..20].escape_ascii()),
            word => format!("`{}`", word.escape_ascii()),
        };
        self.error_about(found, expected)
    }

    /// Returns an error at the place of the last word.
    pub(crate) fn error_about(&self, found: String, expected: &str) -> JudgeError {
        JudgeError::Input { line: self.begin.line, column: self.begin.column, found, expected: expected.to_owned() }
    }

    /// Reads the number of cases, the input's first word.
    pub(crate) fn count(&mut self) -> Result<u64, JudgeError> {
        let word = self.next()?.filter(|word| word.len() <= MAX_WORD_BYTES);
        let count = word.and_then(|word| std::str::from_utf8(word).ok()?.parse().ok());
        count.ok_or_else(|| self.error("the number of cases"))
    }

    /// Reads `N` rows of `N` cells, each one of `glyphs`.
    pub(crate) fn square<const N: usize>(
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
}

/// Iterates over the items that `next` returns up to the end or to an error, which is the last item.
pub(crate) fn until_error<T>(
    mut next: impl FnMut() -> Result<Option<T>, JudgeError>,
) -> impl Iterator<Item = Result<T, JudgeError>> {
    let mut ended = false;
    std::iter::from_fn(move || {
        let item = if ended { None } else { next().transpose() };
        ended = !matches!(item, Some(Ok(_)));
        item
    })
}

/// Reads the number of cases and then the cases, each by `read_case` with its number, from 1, and the number of cases.
pub(crate) fn counted<R: BufRead, C>(
    input: R,
    mut read_case: impl FnMut(&mut Words<R>, u64, u64) -> Result<C, JudgeError>,
) -> impl Iterator<Item = Result<C, JudgeError>> {
    let mut words = Words::new(input);
    let (mut count, mut done) = (None, 0);
    until_error(move || {
        let cases = match count {
            Some(cases) => cases,
            None => *count.insert(words.count()?),
        };
        if done < cases {
            done += 1;
            return read_case(&mut words, done, cases).map(Some);
        }
        match words.next()? {
            None => Ok(None),
            Some(_) => Err(words.error(&format!("nothing after the last case, as the count is {cases}"))),
        }
    })
}

/// Returns the input's buffer, which is empty only at the end.
fn fill_buf(input: &mut impl BufRead) -> Result<&[u8], JudgeError> {
    // The borrow checker does not accept a loop that returns the borrow. The second call returns the
    // buffer that is there already.
    while let Err(e) = input.fill_buf() {
        if e.kind() != io::ErrorKind::Interrupted {
            return Err(JudgeError::Read(e));
        }
    }
    input.fill_buf().map_err(JudgeError::Read)
}

/// Writes a count and `N` rows of `N` cells for each case, with the glyphs of `glyph`.
pub(crate) fn write_squares<const N: usize, C>(cases: &[C], glyph: impl Fn(&C, usize) -> char) -> String {
    let mut text = format!("{}\n", cases.len());
    for case in cases {
        for row in 0..N {
            text.extend((0..N).map(|col| glyph(case, row * N + col)));
            text.push('\n');
        }
    }
    text
}

/// A reader of lines of limited length.
pub(crate) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    pub(crate) number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The longest line in bytes: room for the largest board with any spacing.
    pub(crate) const MAX_BYTES: usize = 1 << 16;

    pub(crate) const fn new(input: R) -> Self {
        Self { input, line: Vec::new(), number: 0 }
    }

    /// Reads the next line that is not blank; `None` at the end of the input.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>, JudgeError> {
        loop {
            self.line.clear();
            self.number += 1;
            let mut limited = self.input.by_ref().take(Self::MAX_BYTES as u64 + 1);
            let read = limited.read_until(b'\n', &mut self.line).map_err(JudgeError::Read)?;
            if read == 0 {
                return Ok(None);
            }
            if read > Self::MAX_BYTES {
                return Err(JudgeError::Input {
                    line: self.number,
                    column: read as u64,
                    found: format!("a line of more than {} bytes", Self::MAX_BYTES),
                    expected: "one case a line".to_owned(),
                });
            }
            if !self.line.iter().all(u8::is_ascii_whitespace) {
                return Ok(Some(&self.line));
            }
        }
    }
}
