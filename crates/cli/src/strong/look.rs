//! `balpan strong look`: looking up positions in a file.

use std::path::Path;

use balpan_app::EntryValue;
use balpan_games::{Notation, Task};
use balpan_strong::{Solution, VerifyError};
use memmap2::Mmap;
use serde::Serialize;

use super::list::{BUILD_AGAIN, read_error};
use super::open_any;
use crate::error::{CliError, print, print_json};
use crate::solve::positions::{PositionLines, is_blank};

pub(super) fn run(file: &Path, positions: &[String], json: bool) -> Result<(), CliError> {
    let solution = open_any(file)?;
    solution.header().subject.load_game()?.run(LookTask { file, solution: &solution, positions, json })
}

/// The result of a look-up as JSON. The field names are part of the command's contract.
#[derive(Serialize)]
struct LookReport<'a> {
    position: &'a str,
    /// Whether the position is in the file; `None` if that is unknown, as the file has no keys.
    in_file: Option<bool>,
    #[serde(flatten)]
    value: EntryValue,
}

struct LookTask<'a> {
    file: &'a Path,
    solution: &'a Solution<Mmap>,
    positions: &'a [String],
    json: bool,
}

impl Task for LookTask<'_> {
    type Output = Result<(), CliError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let mut missing = false;
        for text in self.positions {
            if text != "-" {
                missing |= !self.look_up(game, text)?;
                continue;
            }
            let mut lines = PositionLines::open(Path::new("-"))?;
            while let Some(line) = lines.next() {
                let line = line.map_err(CliError::Output)?.map_err(|error| CliError::Input(Box::new(error)))?;
                if !is_blank(&line) {
                    missing |= !self.look_up(game, line.trim())?;
                }
            }
        }
        if let (Solution::Values(_), false) = (self.solution, self.json) {
            print("If play from the start reaches them: the file has no keys, so this is not checked.\n")?;
        }
        if missing { Err(CliError::Reported(1)) } else { Ok(()) }
    }
}

impl LookTask<'_> {
    /// Prints the value of a position. Returns whether the file has one.
    fn look_up<G: Notation>(&self, game: &G, text: &str) -> Result<bool, CliError> {
        let Self { file, solution, json, .. } = *self;
        let header = solution.header();
        let position = game.parse(text)?;
        let code = solution.code_of(game, &position).map_err(|error| match error {
            VerifyError::Table(error) => read_error(file, &error),
            error => CliError::input(format!("{}: {error}", file.display()), BUILD_AGAIN),
        })?;
        let text = game.text(&position);
        if !json {
            print(&format!(
                "{text}  {}\n",
                code.map_or_else(|| "not there".to_owned(), |code| header.code_name(code))
            ))?;
            return Ok(code.is_some());
        }
        print_json(&LookReport {
            position: &text,
            in_file: match solution {
                Solution::Table(_) => Some(code.is_some()),
                // A position of a layer that the file lacks has no code.
                Solution::Values(_) => code.is_none().then_some(false),
            },
            value: code.map_or_else(EntryValue::default, |code| EntryValue::new(header, code)),
        })?;
        Ok(code.is_some())
    }
}
