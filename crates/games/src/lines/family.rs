//! Games of lines for the rest of the program: settings, drawing, the checker's text.

use super::{Lines, MARKS, Marks, Position, Rules};
use crate::family::{CellStyle, Checked, FamilyGame, rows_text, yes_no};
use crate::notation::PlayerName;
use crate::settings::{Kind, Setting};

impl FamilyGame for Lines {
    fn family(&self) -> &'static str {
        "lines"
    }

    fn settings(&self) -> Vec<Setting> {
        let Rules { k, gravity, marks, overlines, misere } = self.rules;
        vec![
            Setting::new("k", Kind::Number, k.to_string()),
            Setting::yes_no("gravity", gravity),
            Setting::new("marks", Kind::Choice(&MARKS), marks_text(marks).to_owned()),
            Setting::yes_no("overlines", overlines),
            Setting::yes_no("misere", misere),
        ]
    }

    fn cell_style(&self) -> CellStyle {
        if self.rules.gravity { CellStyle::Slots } else { CellStyle::Cells }
    }

    fn cell_glyphs(&self) -> &str {
        match self.rules.marks {
            Marks::Own => ".XO",
            Marks::Shared => ".X",
        }
    }

    fn sides(&self) -> &'static [(&'static str, Option<PlayerName>)] {
        match self.rules.marks {
            Marks::Own => &[("", None), ("x", Some(PlayerName::X)), ("o", Some(PlayerName::O))],
            Marks::Shared => &[],
        }
    }

    fn has_stone_score(&self) -> bool {
        self.rules.gravity && self.rules.marks == Marks::Own && !self.rules.misere
    }

    /// Completing a line loses. If a board could fill up without one, play could end in a draw, which a search finds.
    fn is_misere_sum(&self) -> bool {
        self.rules.marks == Marks::Shared && self.rules.misere
    }

    fn checked(&self) -> Option<&dyn Checked<Position = Position>> {
        Some(self)
    }
}

impl Checked for Lines {
    type Position = Position;

    fn checker_rules(&self) -> String {
        let Rules { k, gravity, marks, overlines, misere } = self.rules;
        format!(
            "family: lines\nk: {k}\ngravity: {}\nmarks: {}\noverlines: {}\nmisere: {}\n",
            yes_no(gravity),
            marks_text(marks),
            yes_no(overlines),
            yes_no(misere)
        )
    }

    fn checker_text(&self, position: &Position) -> String {
        let board = rows_text(self, position);
        match (self.rules.marks, position.o_to_move) {
            (Marks::Shared, _) => board,
            (Marks::Own, false) => board + " x",
            (Marks::Own, true) => board + " o",
        }
    }

    fn position_from_words(&self, [x, o]: [u128; 2]) -> Option<Position> {
        Some(self.position(x as u64, o as u64, o >> 127 == 1))
    }
}

/// Writes `marks` as in a rules file.
const fn marks_text(marks: Marks) -> &'static str {
    match marks {
        Marks::Own => "own",
        Marks::Shared => "shared",
    }
}
