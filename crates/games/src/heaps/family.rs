//! Heap games for the rest of the program: settings, the checker's text, random positions.

use balpan::SplitMix;

use super::{Code, Heaps, Position};
use crate::family::{Checked, FamilyGame, play_randomly, yes_no};
use crate::notation::Notation;
use crate::settings::{Kind, Setting};

impl FamilyGame for Heaps {
    fn family(&self) -> &'static str {
        "heaps"
    }

    fn settings(&self) -> Vec<Setting> {
        vec![
            Setting::new("code", Kind::Text, code_text(&self.rules.code)),
            Setting::yes_no("misere", self.rules.misere),
        ]
    }

    fn heap_code(&self) -> Option<&Code> {
        Some(&self.rules.code)
    }

    fn checked(&self) -> Option<&dyn Checked<Position = Position>> {
        Some(self)
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
        format!("family: heaps\ncode: {}\nmisere: {}\n", code_text(&self.rules.code), yes_no(self.rules.misere))
    }

    fn checker_text(&self, position: &Position) -> String {
        self.text(position)
    }

    fn position_from_words(&self, words: [u128; 2]) -> Option<Position> {
        Some(Position::new(words.into_iter().flat_map(u128::to_be_bytes).map(u16::from).collect()))
    }
}

/// Writes `code` as in a rules file.
fn code_text(code: &Code) -> String {
    match code {
        Code::Nim => "nim".to_owned(),
        Code::Octal(digits) => {
            let (first, others) = digits.split_first().unwrap_or((&0, &[]));
            let others: String = others.iter().map(u8::to_string).collect();
            format!("{first}.{others}")
        }
    }
}
