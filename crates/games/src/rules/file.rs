//! Reading a rules file: TOML with spans, so that an error points at its line.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::RulesFile;
use super::keys::{self, Keys};
use crate::any::AnyRules;
use crate::board::Board;
use crate::error::{InputError, NoSupply, PiecesError, RulesError};
use crate::heaps::{Code, Heaps};
use crate::lines::Marks;
use crate::placement::{Piece, Pieces, Shape};
use crate::text::{TextError, TextKind};
use crate::walkers::Steps;
use crate::{heaps, lines, placement, walkers};

const MAX_SUPPLY: i64 = Pieces::MAX_SUPPLY as i64;

type Text = Spanned<String>;

/// The key that determines the other keys.
#[derive(Deserialize)]
struct FamilyFile {
    family: Option<Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WalkersFile {
    #[serde(rename = "family")]
    _family: String,
    about: Option<String>,
    board: Option<Text>,
    start: Option<Text>,
    steps: Spanned<StepsFile>,
    #[serde(default = "yes")]
    share: bool,
    #[serde(default)]
    torus: bool,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected \"orthogonal\", \"king\", \"knight\", \"queen\" or a list such as [[1, 2], [2, 1]]"
)]
enum StepsFile {
    Named(String),
    Offsets(Vec<(i64, i64)>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlacementFile {
    #[serde(rename = "family")]
    _family: String,
    about: Option<String>,
    board: Option<Text>,
    start: Option<Text>,
    pieces: Option<Spanned<PiecesFile>>,
    left: Option<Spanned<PiecesFile>>,
    right: Option<Spanned<PiecesFile>>,
    #[serde(default)]
    supply: BTreeMap<Text, Spanned<i64>>,
    #[serde(default = "yes")]
    rotate: bool,
    #[serde(default = "yes")]
    reflect: bool,
    #[serde(default)]
    misere: bool,
}

type PiecesFile = BTreeMap<Text, Text>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinesFile {
    #[serde(rename = "family")]
    _family: String,
    about: Option<String>,
    board: Option<Text>,
    start: Option<Text>,
    k: Spanned<i64>,
    #[serde(default)]
    gravity: bool,
    marks: Option<Text>,
    #[serde(default = "yes")]
    overlines: bool,
    #[serde(default)]
    misere: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeapsFile {
    #[serde(rename = "family")]
    _family: String,
    about: Option<String>,
    code: Spanned<toml::Value>,
    start: Spanned<toml::Value>,
    #[serde(default)]
    misere: bool,
}

const fn yes() -> bool {
    true
}

/// The document being read, for errors about it.
#[derive(Clone, Copy)]
struct Source<'t> {
    name: &'t str,
    text: &'t str,
}

pub(super) fn parse(name: &str, text: &str) -> Result<RulesFile, TextError> {
    let source = Source { name, text };
    let FamilyFile { family } = source.read()?;
    let family = family.ok_or_else(|| source.error(0..0, RulesError::NoFamily))?;
    match family.get_ref().as_str() {
        "walkers" => source.walkers(),
        "placement" => source.placement(),
        "lines" => source.lines(),
        "heaps" => source.heaps(),
        other => Err(source.error(family.span(), RulesError::OtherFamily { found: other.into() })),
    }
}

impl Source<'_> {
    fn error(self, span: Range<usize>, cause: impl Into<InputError>) -> TextError {
        TextError { kind: TextKind::Rules(self.name.into()), text: self.text.into(), span, cause: cause.into() }
    }

    /// Turns an error within a string of the document into an error of the document.
    fn error_in(self, value: &Text, inner: TextError) -> TextError {
        let span = value.span();
        let written = self.text.get(span.clone()).unwrap_or_default();
        let span = match written.find(value.get_ref().as_str()) {
            Some(at) => span.start + at + inner.span.start..span.start + at + inner.span.end,
            None => span,
        };
        self.error(span, inner.cause)
    }

    fn read<T: for<'de> Deserialize<'de>>(self) -> Result<T, TextError> {
        toml::from_str(self.text).map_err(|e| {
            let end = self.text.len();
            self.error(e.span().unwrap_or(end..end), RulesError::Toml { message: in_plain_words(e.message()) })
        })
    }

    /// Reads the document of a family that has these keys.
    fn read_keys<T: for<'de> Deserialize<'de>>(self, keys: &Keys) -> Result<T, TextError> {
        let table: BTreeMap<Text, toml::Value> = self.read()?;
        let others = table.keys().filter(|key| !keys.all.contains(&key.get_ref().as_str()));
        if let Some(other) = others.min_by_key(|key| key.span().start) {
            let mistake = RulesError::OtherKey { key: other.get_ref().clone(), keys: keys.all };
            return Err(self.error(other.span(), mistake));
        }
        if let Some(key) = keys.required.iter().find(|key| !table.contains_key(**key)) {
            return Err(self.error(0..0, RulesError::MissingKey { key }));
        }
        self.read()
    }

    fn walkers(self) -> Result<RulesFile, TextError> {
        let file: WalkersFile = self.read_keys(&keys::WALKERS)?;
        let rules = walkers::Rules { steps: self.steps(&file.steps)?, share: file.share, torus: file.torus };
        let rules_file =
            self.rules_file(file.about, AnyRules::Walkers(rules), file.board.as_ref(), file.start.as_ref())?;
        if rules_file.board.cells() == 1 && !file.share && file.start.is_none() {
            let span = file.board.map_or(0..0, |board| board.span());
            return Err(self.error(span, RulesError::OneTile));
        }
        Ok(rules_file)
    }

    fn steps(self, steps: &Spanned<StepsFile>) -> Result<Steps, TextError> {
        match steps.get_ref() {
            StepsFile::Named(name) => match name.as_str() {
                "orthogonal" => Ok(Steps::Orthogonal),
                "king" => Ok(Steps::King),
                "knight" => Ok(Steps::Knight),
                "queen" => Ok(Steps::Queen),
                other => Err(self.error(steps.span(), RulesError::OtherSteps { found: other.into() })),
            },
            StepsFile::Offsets(offsets) => {
                let small = |n: i64| i8::try_from(n).ok().filter(|n| usize::from(n.unsigned_abs()) < Board::MAX_CELLS);
                let step = |&(down, right): &(i64, i64)| match (small(down), small(right)) {
                    (Some(0), Some(0)) => Err(self.error(steps.span(), RulesError::NoStep)),
                    (Some(down), Some(right)) => Ok((down, right)),
                    _ => Err(self.error(steps.span(), RulesError::LongStep { down, right })),
                };
                offsets.iter().map(step).collect::<Result<_, _>>().map(Steps::Offsets)
            }
        }
    }

    fn placement(self) -> Result<RulesFile, TextError> {
        let mut file: PlacementFile = self.read_keys(&keys::PLACEMENT)?;
        let supply = std::mem::take(&mut file.supply);
        let read = |pieces: &Spanned<PiecesFile>| self.pieces(pieces, &supply, file.rotate, file.reflect);
        let (pieces, tables) = match (&file.pieces, &file.left, &file.right) {
            (Some(both), None, None) => (Pieces::Shared(read(both)?), vec![both]),
            (None, Some(left), Some(right)) => {
                let (left_pieces, right_pieces) = (read(left)?, read(right)?);
                let pieces = Pieces::Own { left: left_pieces, right: right_pieces };
                (pieces, vec![left, right])
            }
            (None, None, None) => return Err(self.error(0..0, PiecesError::NoPieces)),
            (None, Some(only), None) | (None, None, Some(only)) => {
                return Err(self.error(only.span(), PiecesError::OnePlayerOnly));
            }
            (Some(_), Some(own), _) | (Some(_), None, Some(own)) => {
                return Err(self.error(own.span(), PiecesError::BothAndOne));
            }
        };
        self.check_supply(&supply, &pieces)?;
        let rules = placement::Rules { pieces, rotate: file.rotate, reflect: file.reflect, misere: file.misere };
        let rules_file =
            self.rules_file(file.about, AnyRules::Placement(rules), file.board.as_ref(), file.start.as_ref())?;
        for (name, drawing) in tables.into_iter().flat_map(|table| table.get_ref()) {
            let fits = Shape::parse(drawing.get_ref()).is_ok_and(|shape| shape.fits(rules_file.board, file.rotate));
            if !fits {
                let mistake = PiecesError::TooLarge { name: name.get_ref().clone(), board: rules_file.board };
                return Err(self.error(drawing.span(), mistake));
            }
        }
        Ok(rules_file)
    }

    fn pieces(
        self,
        table: &Spanned<PiecesFile>,
        supply: &BTreeMap<Text, Spanned<i64>>,
        rotate: bool,
        reflect: bool,
    ) -> Result<Vec<Piece>, TextError> {
        let mut pieces: Vec<Piece> = Vec::new();
        if table.get_ref().is_empty() {
            return Err(self.error(table.span(), PiecesError::EmptyTable));
        }
        for (name, drawing) in table.get_ref() {
            let shape =
                Shape::parse(drawing.get_ref()).map_err(|e| self.error(drawing.span(), PiecesError::Shape(e)))?;
            let turned = shape.orientations(rotate, reflect);
            if let Some(twin) = pieces.iter().find(|piece| turned.contains(&piece.shape)) {
                return Err(self.error(drawing.span(), PiecesError::Twin { name: twin.name.clone() }));
            }
            let supply = match supply.get(name.get_ref().as_str()) {
                None => None,
                Some(n) => Some(self.supply(n)?),
            };
            let name = name.get_ref().clone();
            pieces.push(Piece { name, shape, supply });
        }
        Ok(pieces)
    }

    fn supply(self, n: &Spanned<i64>) -> Result<u8, TextError> {
        match *n.get_ref() {
            supply @ 1..=MAX_SUPPLY => Ok(supply as u8),
            supply => Err(self.error(n.span(), PiecesError::Supply { supply, max: MAX_SUPPLY })),
        }
    }

    fn check_supply(self, supply: &BTreeMap<Text, Spanned<i64>>, pieces: &Pieces) -> Result<(), TextError> {
        let most = if supply.is_empty() { Pieces::MAX_PIECES } else { Pieces::MAX_PIECES_WITH_SUPPLY };
        if pieces.all().count() > most {
            let mistake = PiecesError::TooMany {
                pieces: pieces.all().count(),
                max: Pieces::MAX_PIECES,
                max_with_supply: Pieces::MAX_PIECES_WITH_SUPPLY,
            };
            return Err(self.error(0..0, mistake));
        }
        for name in supply.keys() {
            let why = match pieces.all().filter(|piece| piece.name == *name.get_ref()).count() {
                0 => NoSupply::NoPiece,
                1 => match name.get_ref().as_bytes() {
                    [b'A'..=b'Z'] => continue,
                    _ => NoSupply::NotOneLetter,
                },
                _ => NoSupply::OfBothPlayers,
            };
            return Err(self.error(name.span(), PiecesError::NoSupplyFor { name: name.get_ref().clone(), why }));
        }
        Ok(())
    }

    fn lines(self) -> Result<RulesFile, TextError> {
        let file: LinesFile = self.read_keys(&keys::LINES)?;
        let marks = match file.marks.as_ref().map(|marks| (marks.get_ref().as_str(), marks.span())) {
            None | Some(("own", _)) => Marks::Own,
            Some(("shared", _)) => Marks::Shared,
            Some((other, span)) => {
                return Err(self.error(span, RulesError::OtherMarks { found: other.into() }));
            }
        };
        let k = *file.k.get_ref();
        if k < 1 {
            return Err(self.error(file.k.span(), RulesError::SmallK { k }));
        }
        let most = Board::MAX_CELLS as i64;
        let rules = lines::Rules {
            k: k.min(most) as u8,
            gravity: file.gravity,
            marks,
            overlines: file.overlines,
            misere: file.misere,
        };
        let rules_file =
            self.rules_file(file.about, AnyRules::Lines(rules), file.board.as_ref(), file.start.as_ref())?;
        let board = rules_file.board;
        if k > board.rows().max(board.cols()) as i64 {
            return Err(self.error(file.k.span(), RulesError::LargeK { k, board }));
        }
        Ok(rules_file)
    }

    fn heaps(self) -> Result<RulesFile, TextError> {
        let file: HeapsFile = self.read_keys(&keys::HEAPS)?;
        let (code, start) = (self.as_written(&file.code), self.as_written(&file.start));
        let no_code = || self.error(code.span(), RulesError::NoCode { found: code.get_ref().clone() });
        let code = Code::parse(code.get_ref()).ok_or_else(no_code)?;
        let rules = heaps::Rules { code, misere: file.misere };
        let game = Heaps::from_text(rules, start.get_ref()).map_err(|inner| self.error_in(&start, inner))?;
        self.rules_file(file.about, AnyRules::Heaps(game), None, Some(&start))
    }

    /// Returns a string, or the source text of a value that people write without quotes, such as `0.77`.
    fn as_written(self, value: &Spanned<toml::Value>) -> Text {
        let text = match value.get_ref() {
            toml::Value::String(text) => text,
            _ => self.text.get(value.span()).unwrap_or_default(),
        };
        Spanned::new(value.span(), text.to_owned())
    }

    /// Creates the rules file, on the board that its size or its start gives.
    fn rules_file(
        self,
        about: Option<String>,
        rules: AnyRules,
        board: Option<&Text>,
        start: Option<&Text>,
    ) -> Result<RulesFile, TextError> {
        let board = match (board, start) {
            (Some(size), None) => {
                let most = rules.most_cells();
                let none = |error| self.error(size.span(), RulesError::BoardSize { error, max: most });
                Board::parse(size.get_ref(), most).map_err(none)?
            }
            (None, Some(text)) => {
                // The text shows its own board: this one is a placeholder.
                let most = rules.most_cells();
                let none = |error| self.error(text.span(), RulesError::BoardSize { error, max: most });
                let any_board = Board::new(1, 1).map_err(none)?;
                let game = rules.game_at(any_board, text.get_ref());
                game.map_err(|inner| self.error_in(text, inner))?.board().unwrap_or(any_board)
            }
            (Some(_), Some(text)) => return Err(self.error(text.span(), RulesError::BoardAndStart)),
            (None, None) => return Err(self.error(0..0, RulesError::NeitherBoardNorStart)),
        };
        Ok(RulesFile {
            name: self.name.into(),
            about: about.unwrap_or_default(),
            text: self.text.into(),
            rules,
            board,
            start: start.map(|text| text.get_ref().clone()),
            board_is_fixed: false,
        })
    }
}

/// Replaces names of Rust types in a message of the TOML reader by what the file should have.
fn in_plain_words(message: &str) -> String {
    const TYPES: [(&str, &str); 3] =
        [("i64", "a whole number"), ("a string", "text in quotes"), ("a boolean", "true or false")];
    let plain = TYPES.iter().find_map(|(name, plain)| {
        message.strip_suffix(name).filter(|found| found.ends_with("expected ")).map(|found| format!("{found}{plain}"))
    });
    plain.unwrap_or_else(|| message.to_owned())
}
