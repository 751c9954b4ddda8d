//! The judges of the contest problems.

use std::io::BufReader;

use balpan::Watch;
use balpan_contest::{BlockGame, JudgeError, Platforms, TicTacToe, answer_all};

/// A judge's answers to one input, and how it ended.
#[derive(Debug, PartialEq, Eq)]
struct Judged {
    /// The answers, one per line.
    lines: Vec<String>,
    /// The line on which the input is wrong and what is found there, if it is.
    wrong: Option<(u64, u64, String)>,
}

impl Judged {
    /// Runs a judge on `input`.
    ///
    /// # Panics
    /// If it fails otherwise than by the input, if it points outside of it, or if
    /// an answer is no line of text.
    fn by(input: &[u8], judge: impl FnOnce(&mut Vec<u8>) -> Result<(), JudgeError>) -> Self {
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
    fn check_counted(&self, input: &[u8], answers: &[&str]) {
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
fn in_small_reads(input: &[u8]) -> BufReader<&[u8]> {
    BufReader::with_capacity(3, input)
}

/// The block game's judge, in reads of a few bytes.
///
/// # Panics
/// If a law does not hold.
pub fn judge_blockgame(input: &[u8]) {
    let judged = Judged::by(input, |output| answer_all(&BlockGame, in_small_reads(input), output, &Watch::default()));
    judged.check_counted(input, &["WINNING", "LOSING"]);
}

/// The judge of tic-tac-toe: however the input is read, the answers are the same.
///
/// # Panics
/// If a law does not hold.
pub fn judge_tictactoe(input: &[u8]) {
    let judged = Judged::by(input, |output| answer_all(&TicTacToe, input, output, &Watch::default()));
    judged.check_counted(input, &["x", "o", "TIE"]);
    let in_pieces =
        Judged::by(input, |output| answer_all(&TicTacToe, in_small_reads(input), output, &Watch::default()));
    assert_eq!(judged, in_pieces);
}

/// Tiles, or other ones of a line, that are solved in no time.
const MAX_ONES: usize = 12;

/// The judge of disappearing platforms, on small boards: however the input is
/// read, the answers are the same.
///
/// # Panics
/// If a law does not hold.
pub fn judge_platforms(input: &[u8]) {
    let ones = |line: &[u8]| line.iter().filter(|&&byte| byte == b'1').count();
    if input.split(|&byte| byte == b'\n').any(|line| ones(line) > MAX_ONES) {
        return;
    }
    let judged = Judged::by(input, |output| answer_all(&Platforms, input, output, &Watch::default()));
    for line in &judged.lines {
        let plies: usize = line.parse().expect("an answer is a number");
        // Every ply takes a tile away.
        assert!(plies <= MAX_ONES, "{plies} plies");
    }
    let in_pieces =
        Judged::by(input, |output| answer_all(&Platforms, in_small_reads(input), output, &Watch::default()));
    assert_eq!(judged, in_pieces);
}
