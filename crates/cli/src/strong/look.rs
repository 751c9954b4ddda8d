//! `balpan strong look`: what a file says of positions that are given.

use std::path::Path;

use balpan::Value;
use balpan_games::{Notation, Task};
use balpan_strong::{Metric, Solution, VerifyError};
use memmap2::Mmap;
use serde::Serialize;

use super::list::unread;
use super::{game_of, open_any};
use crate::failure::{Failure, print, print_json};
use crate::positions::{Lines, is_blank};

pub(super) fn run(file: &Path, positions: &[String], json: bool) -> Result<(), Failure> {
    let solution = open_any(file)?;
    game_of(solution.header())?.run(Looking { file, solution: &solution, positions, json })
}

/// What the file says of a position. As JSON, the field names are part of the command's contract.
#[derive(Serialize)]
struct Said<'a> {
    position: &'a str,
    /// Whether the position is in the file: `None` if the file cannot tell.
    in_file: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u16>,
}

struct Looking<'a> {
    file: &'a Path,
    solution: &'a Solution<Mmap>,
    positions: &'a [String],
    json: bool,
}

impl Task for Looking<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let mut missing = false;
        for text in self.positions {
            if text != "-" {
                missing |= !self.tell(game, text)?;
                continue;
            }
            let mut lines = Lines::open(Path::new("-"))?;
            while let Some(line) = lines.next() {
                let line = line.map_err(Failure::Output)?.map_err(|problem| Failure::Input(Box::new(problem)))?;
                if !is_blank(&line) {
                    missing |= !self.tell(game, line.trim())?;
                }
            }
        }
        if let (Solution::Values(_), false) = (self.solution, self.json) {
            print("If play from the start reaches them: the file has no keys, so this is not checked.\n")?;
        }
        if missing { Err(Failure::Told(1)) } else { Ok(()) }
    }
}

impl Looking<'_> {
    /// Tells what the file says of a position, and whether it says anything.
    fn tell<G: Notation>(&self, game: &G, text: &str) -> Result<bool, Failure> {
        let Self { file, solution, json, .. } = *self;
        let header = solution.header();
        let position = game.parse(text)?;
        let code = solution.code_of(game, &position).map_err(|error| match error {
            VerifyError::Table(error) => unread(file, &error),
            error => Failure::input(format!("{}: {error}", file.display()), "build the file again"),
        })?;
        let text = game.text(&position);
        if !json {
            print(&format!(
                "{text}  {}\n",
                code.map_or_else(|| "not there".to_owned(), |code| header.code_name(code))
            ))?;
            return Ok(code.is_some());
        }
        let value = code.and_then(|code| header.value(code));
        print_json(&Said {
            position: &text,
            in_file: match solution {
                Solution::Table(_) => Some(code.is_some()),
                // Of a layer that the file has nothing of, it can tell.
                Solution::Values(_) => code.is_none().then_some(false),
            },
            outcome: value.map(|value| value.outcome().to_string()),
            remoteness: value.and_then(Value::remoteness),
            nimber: code.filter(|_| header.subject.metric == Metric::Nimber),
        })?;
        Ok(code.is_some())
    }
}
