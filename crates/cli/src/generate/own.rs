//! The setter's own cases.

use std::path::Path;

use balpan_contest::{Judge, JudgeError};

use crate::failure::Failure;
use crate::input;

/// Bytes of the largest file of cases.
const MAX_CASES_BYTES: u64 = 1 << 26;

/// The cases of a file in the judge's input format, each as the statement allows it.
pub(super) fn read<J: Judge>(judge: &J, path: &Path) -> Result<Vec<J::Case>, Failure> {
    let name = path.display();
    let no_file = |e: std::io::Error| {
        let help = format!("give --with a file in the input format of {}", judge.info().source);
        Failure::input(format!("{name} cannot be read: {e}"), help)
    };
    let bytes = input::read(path, MAX_CASES_BYTES).map_err(no_file)?;
    let mut cases = Vec::new();
    for case in judge.read(&bytes[..]) {
        let case = match case {
            Ok(case) => case,
            Err(JudgeError::Input { line, column, found, expected }) => {
                let message = format!("{name}, line {line}, column {column}: {found}");
                return Err(Failure::input(message, format!("expected {expected}")));
            }
            Err(JudgeError::Read(e)) => return Err(no_file(e)),
            Err(other) => return Err(Failure::judge(other, 0)),
        };
        if let Some(excess) = judge.excess(&case) {
            let message = format!("{name}, case {}: {excess}", cases.len() + 1);
            return Err(Failure::input(
                message,
                format!("leave it out: the limits are those of {}", judge.info().source),
            ));
        }
        cases.push(case);
    }
    if cases.is_empty() {
        return Err(Failure::input(format!("{name} has no case"), "leave --with out, or put cases into the file"));
    }
    Ok(cases)
}
