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
    /// The present value, as `--set` takes it.
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
    /// One of some words.
    Choice(&'static [&'static str]),
    /// A table of pieces.
    Pieces,
}

/// All keys that can be set, in the order of a form.
#[must_use]
pub fn settings(game: &AnyGame) -> Vec<Setting> {
    let mut settings = Vec::new();
    let mut say = |key, kind, value: String| settings.push(Setting { key, kind, value });
    if let Some(board) = game.board() {
        say("board", Kind::Text, board.to_string());
    }
    match game.rules() {
        FamilyRules::Walkers(walkers::Rules { steps, share, torus }) => {
            say("steps", Kind::Choice(&STEPS), steps_text(steps));
            say("share", Kind::YesNo, share.to_string());
            say("torus", Kind::YesNo, torus.to_string());
        }
        FamilyRules::Placement(rules) => placement(rules, &mut say),
        FamilyRules::Lines(lines::Rules { k, gravity, marks, overlines, misere }) => {
            let marks = if *marks == Marks::Own { "own" } else { "shared" };
            say("k", Kind::Number, k.to_string());
            say("gravity", Kind::YesNo, gravity.to_string());
            say("marks", Kind::Choice(&MARKS), marks.to_owned());
            say("overlines", Kind::YesNo, overlines.to_string());
            say("misere", Kind::YesNo, misere.to_string());
        }
        FamilyRules::Heaps(heaps::Rules { code, misere }) => {
            say("code", Kind::Text, code_text(code));
            say("misere", Kind::YesNo, misere.to_string());
        }
    }
    settings
}

fn placement(rules: &Rules, say: &mut impl FnMut(&'static str, Kind, String)) {
    match &rules.pieces {
        Pieces::Shared(pieces) => say("pieces", Kind::Pieces, pieces_text(pieces)),
        Pieces::Own { left, right } => {
            say("left", Kind::Pieces, pieces_text(left));
            say("right", Kind::Pieces, pieces_text(right));
        }
    }
    let supplies: Vec<_> =
        rules.pieces.all().filter_map(|piece| piece.supply.map(|n| format!("{:?} = {n}", piece.name))).collect();
    if !supplies.is_empty() {
        say("supply", Kind::Pieces, format!("{{ {} }}", supplies.join(", ")));
    }
    say("rotate", Kind::YesNo, rules.rotate.to_string());
    say("reflect", Kind::YesNo, rules.reflect.to_string());
    say("misere", Kind::YesNo, rules.misere.to_string());
}

/// A table of pieces as it would stand in a rules file, on one line.
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
