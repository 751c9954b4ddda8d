//! The rules of a game as the fields of a form: the keys that can be set, with their values.

use crate::any::{AnyGame, FamilyRules};
use crate::heaps::Code;
use crate::lines::Marks;
use crate::placement::{Piece, Pieces, Rules};
use crate::rules::{MARKS, STEPS};
use crate::walkers::Steps;
use crate::{heaps, lines, walkers};

/// A key of rules files as a field of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The key.
    pub key: &'static str,
    /// The kind of field.
    pub kind: Kind,
    /// The current value, as `--set` takes it.
    pub value: String,
}

/// A kind of field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A line of text.
    Text,
    /// A whole number.
    Number,
    /// `true` or `false`.
    YesNo,
    /// One of a list of words.
    Choice(&'static [&'static str]),
    /// A table of pieces.
    Pieces,
}

/// Returns all keys that can be set, in the order of a form.
#[must_use]
pub fn settings(game: &AnyGame) -> Vec<Setting> {
    let mut settings = Vec::new();
    let mut push = |key, kind, value: String| settings.push(Setting { key, kind, value });
    if let Some(board) = game.board() {
        push("board", Kind::Text, board.to_string());
    }
    match game.rules() {
        FamilyRules::Walkers(walkers::Rules { steps, share, torus }) => {
            push("steps", Kind::Choice(&STEPS), steps_text(steps));
            push("share", Kind::YesNo, share.to_string());
            push("torus", Kind::YesNo, torus.to_string());
        }
        FamilyRules::Placement(rules) => placement(rules, &mut push),
        FamilyRules::Lines(lines::Rules { k, gravity, marks, overlines, misere }) => {
            let marks = if *marks == Marks::Own { "own" } else { "shared" };
            push("k", Kind::Number, k.to_string());
            push("gravity", Kind::YesNo, gravity.to_string());
            push("marks", Kind::Choice(&MARKS), marks.to_owned());
            push("overlines", Kind::YesNo, overlines.to_string());
            push("misere", Kind::YesNo, misere.to_string());
        }
        FamilyRules::Heaps(heaps::Rules { code, misere }) => {
            push("code", Kind::Text, code_text(code));
            push("misere", Kind::YesNo, misere.to_string());
        }
    }
    settings
}

fn placement(rules: &Rules, push: &mut impl FnMut(&'static str, Kind, String)) {
    match &rules.pieces {
        Pieces::Shared(pieces) => push("pieces", Kind::Pieces, pieces_text(pieces)),
        Pieces::Own { left, right } => {
            push("left", Kind::Pieces, pieces_text(left));
            push("right", Kind::Pieces, pieces_text(right));
        }
    }
    let supplies: Vec<_> =
        rules.pieces.all().filter_map(|piece| piece.supply.map(|n| format!("{:?} = {n}", piece.name))).collect();
    if !supplies.is_empty() {
        push("supply", Kind::Pieces, format!("{{ {} }}", supplies.join(", ")));
    }
    push("rotate", Kind::YesNo, rules.rotate.to_string());
    push("reflect", Kind::YesNo, rules.reflect.to_string());
    push("misere", Kind::YesNo, rules.misere.to_string());
}

/// Writes a table of pieces on one line, as in a rules file.
fn pieces_text(pieces: &[Piece]) -> String {
    let named: Vec<_> = pieces.iter().map(|piece| format!("{:?} = \"{}\"", piece.name, piece.shape)).collect();
    format!("{{ {} }}", named.join(", "))
}

fn steps_text(steps: &Steps) -> String {
    match steps {
        Steps::Orthogonal => "orthogonal".to_owned(),
        Steps::King => "king".to_owned(),
        Steps::Knight => "knight".to_owned(),
        Steps::Queen => "queen".to_owned(),
        Steps::Offsets(offsets) => {
            let listed: Vec<_> = offsets.iter().map(|(down, right)| format!("[{down}, {right}]")).collect();
            format!("[{}]", listed.join(", "))
        }
    }
}

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
