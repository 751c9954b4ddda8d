//! The problem setter's own cases, from the file of `--with`.

use std::path::Path;

use balpan_contest::{Judge, JudgeError};

use crate::failure::CliError;
use crate::input;

/// Size limit of a file of cases.
const MAX_CASES_BYTES: u64 = 1 << 26;

/// Reads the cases of a file in the judge's input format.
///
/// # Errors
/// If the file is invalid or has no case, or a case exceeds the limits of the statement.
pub(super) fn read_cases<J: Judge>(judge: &J, path: &Path) -> Result<Vec<J::Case>, CliError> {
    let name = path.display();
    let no_file = |e: std::io::Error| {
        let help = format!("give --with a file in the input format of {}", judge.info().source);
        CliError::input(format!("{name} cannot be read: {e}"), help)
    };
    let bytes = input::read(path, MAX_CASES_BYTES).map_err(no_file)?;
    let mut cases = Vec::new();
    for case in judge.read(&bytes[..]) {
        let case = match case {
            Ok(case) => case,
            Err(JudgeError::Input { line, column, found, expected }) => {
                let message = format!("{name}, line {line}, column {column}: {found}");
                return Err(CliError::input(message, format!("expected {expected}")));
            }
            Err(JudgeError::Read(e)) => return Err(no_file(e)),
            Err(other) => return Err(CliError::from_judge(other, 0)),
        };
        if let Some(excess) = judge.excess(&case) {
            let message = format!("{name}, case {}: {excess}", cases.len() + 1);
            return Err(CliError::input(
                message,
                format!("leave it out: the limits are those of {}", judge.info().source),
            ));
        }
        cases.push(case);
    }
    if cases.is_empty() {
        return Err(CliError::input(format!("{name} has no case"), "leave --with out, or put cases into the file"));
    }
    Ok(cases)
}
