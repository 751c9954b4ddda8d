//! Heap games for the rest of the program: settings, the checker's text, random positions.

use balpan::{Game, SplitMix};

use super::{Code, Heaps, Position, Split};
use crate::family::{Checked, FamilyGame, play_randomly, yes_no};
use crate::notation::Notation;
use crate::settings::{Kind, Setting};

impl FamilyGame for Heaps {
    fn family(&self) -> &'static str {
        "heaps"
    }

    fn settings(&self) -> Vec<Setting> {
        let misere = Setting::yes_no("misere", self.rules.misere);
        match &self.rules.code {
            Code::Rule(take, split) => vec![
                Setting::new("take", Kind::Text, take.to_string()),
                Setting::new("split", Kind::Choice(Split::NAMES), split.name().to_owned()),
                misere,
            ],
            code => vec![Setting::new("code", Kind::Text, code.to_string()), misere],
        }
    }

    fn parts(&self, position: &Position) -> Vec<(u128, String)> {
        let mut parts = Vec::new();
        if self.moves(position).next().is_some() {
            self.split(position, &mut parts);
        }
        parts.iter().map(|part| (0, self.text(part))).collect()
    }

    fn heap_code(&self) -> Option<&Code> {
        Some(&self.rules.code).filter(|code| !code.is_joint())
    }

    fn checked(&self) -> Option<&dyn Checked<Position = Position>> {
        self.octal_text().is_some().then_some(self as _)
    }

    fn random_position(&self, left: usize, random: &mut SplitMix) -> Option<Position> {
        let is_enough =
            |position: &Position, random: &mut SplitMix| position.tokens() as usize <= left || random.below(8) == 0;
        play_randomly(self, random, is_enough)
    }

    fn one_cell_variants(&self, position: &Position) -> Vec<Position> {
        let heaps = position.heaps();
        let with = |n: usize, size: u16| {
            let mut heaps = heaps.to_vec();
            heaps[n] = size;
            Position::new(heaps)
        };
        (0..heaps.len()).flat_map(|n| [with(n, heaps[n] - 1), with(n, heaps[n].saturating_add(1))]).collect()
    }
}

impl Checked for Heaps {
    type Position = Position;

    fn checker_rules(&self) -> String {
        let code = self.octal_text().unwrap_or_else(|| self.rules.code.to_string());
        format!("family: heaps\ncode: {code}\nmisere: {}\n", yes_no(self.rules.misere))
    }

    fn checker_text(&self, position: &Position) -> String {
        self.text(position)
    }

    fn position_from_words(&self, words: [u128; 2]) -> Option<Position> {
        Some(Position::new(words.into_iter().flat_map(u128::to_be_bytes).map(u16::from).collect()))
    }
}

impl Heaps {
    /// The octal code by which heaps of up to the start's largest have the same moves, as the checker reads it;
    /// `None` if there is none.
    fn octal_text(&self) -> Option<String> {
        let code = match &self.rules.code {
            Code::Nim => return Some(self.rules.code.to_string()),
            code => Code::Digits(code.digits(self.start().largest().into())?),
        };
        (code.max_heaps_left() < 3).then(|| code.to_string())
    }
}
