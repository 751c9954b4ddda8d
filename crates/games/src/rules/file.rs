//! Reading a rules file: TOML with spans, so that a mistake is shown in its line.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::RulesFile;
use crate::any::AnyRules;
use crate::board::Board;
use crate::heaps::{Code, Heaps};
use crate::lines::Marks;
use crate::placement::{Piece, Pieces, Shape};
use crate::text::{TextError, error};
use crate::walkers::Steps;
use crate::{heaps, lines, placement, walkers};

/// Pieces in one game: enough for all twelve pentominoes on each side, few enough
/// for their placements to be numbered in 16 bits.
const MOST_PIECES: usize = 64;

/// Pieces in a game in which any has a supply: a count for each fits in a word.
const MOST_WITH_SUPPLY: usize = 16;

const MOST_SUPPLY: i64 = 15;

type Text = Spanned<String>;

/// The one key that says which others there are.
#[derive(Deserialize)]
struct FamilyFile {
    family: Option<Text>,
}

/// What a file of any family may say.
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

/// The document that is being read, to make errors about.
#[derive(Clone, Copy)]
struct Source<'t> {
    name: &'t str,
    text: &'t str,
}

pub(super) fn parse(name: &str, text: &str) -> Result<RulesFile, TextError> {
    let source = Source { name, text };
    let help = "a rules file says `family = \"walkers\"`, `\"placement\"`, `\"lines\"` or `\"heaps\"`";
    let FamilyFile { family } = source.read()?;
    let family = family.ok_or_else(|| source.error(0..0, "no family", help))?;
    match family.get_ref().as_str() {
        "walkers" => source.walkers(),
        "placement" => source.placement(),
        "lines" => source.lines(),
        "heaps" => source.heaps(),
        other => Err(source.error(family.span(), &format!("`{other}` is no family"), help)),
    }
}

impl Source<'_> {
    fn error(self, span: Range<usize>, message: &str, help: &str) -> TextError {
        TextError { name: self.name.into(), ..error(self.text, span, message, help) }
    }

    /// What is wrong within a string of the document.
    fn error_in(self, value: &Text, inner: &TextError) -> TextError {
        let span = value.span();
        let written = self.text.get(span.clone()).unwrap_or_default();
        let span = match written.find(value.get_ref().as_str()) {
            Some(at) => span.start + at + inner.span.start..span.start + at + inner.span.end,
            None => span,
        };
        self.error(span, &inner.message, &inner.help)
    }

    fn read<T: for<'de> Deserialize<'de>>(self) -> Result<T, TextError> {
        toml::from_str(self.text).map_err(|e| {
            let end = self.text.len();
            let help = "the README lists the keys of each family; `balpan games NAME` prints a file to start from";
            self.error(e.span().unwrap_or(end..end), e.message(), help)
        })
    }

    fn walkers(self) -> Result<RulesFile, TextError> {
        let file: WalkersFile = self.read()?;
        let rules = walkers::Rules { steps: self.steps(&file.steps)?, share: file.share, torus: file.torus };
        let rules_file =
            self.rules_file(file.about, AnyRules::Walkers(rules), file.board.as_ref(), file.start.as_ref())?;
        if rules_file.board.cells() == 1 && !file.share && file.start.is_none() {
            let span = file.board.map_or(0..0, |board| board.span());
            let help = "a larger board, or share = true";
            return Err(self.error(span, "two tokens on one tile that they may not share", help));
        }
        Ok(rules_file)
    }

    fn steps(self, steps: &Spanned<StepsFile>) -> Result<Steps, TextError> {
        let help = "steps are \"orthogonal\", \"king\", \"knight\", \"queen\" or a list of [rows down, columns right]";
        match steps.get_ref() {
            StepsFile::Named(name) => match name.as_str() {
                "orthogonal" => Ok(Steps::Orthogonal),
                "king" => Ok(Steps::King),
                "knight" => Ok(Steps::Knight),
                "queen" => Ok(Steps::Queen),
                other => Err(self.error(steps.span(), &format!("`{other}` is no set of steps"), help)),
            },
            StepsFile::Offsets(offsets) => {
                let small = |n: i64| i8::try_from(n).ok().filter(|n| usize::from(n.unsigned_abs()) < Board::MOST_CELLS);
                let step = |&(down, right): &(i64, i64)| match (small(down), small(right)) {
                    (Some(0), Some(0)) => Err(self.error(steps.span(), "a step to the same tile, [0, 0]", help)),
                    (Some(down), Some(right)) => Ok((down, right)),
                    _ => {
                        let message = format!("a step beyond any board, [{down}, {right}]");
                        Err(self.error(steps.span(), &message, help))
                    }
                };
                offsets.iter().map(step).collect::<Result<_, _>>().map(Steps::Offsets)
            }
        }
    }

    fn placement(self) -> Result<RulesFile, TextError> {
        let mut file: PlacementFile = self.read()?;
        let help = "pieces are a table [pieces] for both players, or [left] and [right] for each their own";
        let supply = std::mem::take(&mut file.supply);
        let read = |pieces: &Spanned<PiecesFile>| self.pieces(pieces, &supply, file.rotate, file.reflect);
        let (pieces, tables) = match (&file.pieces, &file.left, &file.right) {
            (Some(both), None, None) => (Pieces::Shared(read(both)?), vec![both]),
            (None, Some(left), Some(right)) => {
                let (left_pieces, right_pieces) = (read(left)?, read(right)?);
                let pieces = Pieces::Own { left: left_pieces, right: right_pieces };
                (pieces, vec![left, right])
            }
            (None, None, None) => return Err(self.error(0..0, "no pieces", help)),
            (None, Some(only), None) | (None, None, Some(only)) => {
                return Err(self.error(only.span(), "pieces for one player only", help));
            }
            (Some(_), Some(own), _) | (Some(_), None, Some(own)) => {
                return Err(self.error(own.span(), "pieces for both players and for one", help));
            }
        };
        self.check_supply(&supply, &pieces)?;
        let rules = placement::Rules { pieces, rotate: file.rotate, reflect: file.reflect, misere: file.misere };
        let rules_file =
            self.rules_file(file.about, AnyRules::Placement(rules), file.board.as_ref(), file.start.as_ref())?;
        for (name, drawing) in tables.into_iter().flat_map(|table| table.get_ref()) {
            let fits = Shape::parse(drawing.get_ref()).is_ok_and(|shape| shape.fits(rules_file.board, file.rotate));
            if !fits {
                let message = format!("the piece {} does not fit on a board of {}", name.get_ref(), rules_file.board);
                return Err(self.error(drawing.span(), &message, "a smaller piece or a larger board"));
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
        let help = "a piece is drawn as rows of `#` and `.`, with `/` between them";
        let mut pieces: Vec<Piece> = Vec::new();
        if table.get_ref().is_empty() {
            return Err(self.error(table.span(), "no piece", help));
        }
        for (name, drawing) in table.get_ref() {
            let shape =
                Shape::parse(drawing.get_ref()).map_err(|e| self.error(drawing.span(), &e.to_string(), help))?;
            let turned = shape.turned(rotate, reflect);
            if let Some(twin) = pieces.iter().find(|piece| turned.contains(&piece.shape)) {
                let message = format!("the same piece as {}, given twice", twin.name);
                return Err(self.error(drawing.span(), &message, "leave one of them out"));
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
            supply @ 1..=MOST_SUPPLY => Ok(supply as u8),
            other => {
                let help = format!("from 1 to {MOST_SUPPLY}; a piece without a supply never runs out");
                Err(self.error(n.span(), &format!("a supply of {other}"), &help))
            }
        }
    }

    fn check_supply(self, supply: &BTreeMap<Text, Spanned<i64>>, pieces: &Pieces) -> Result<(), TextError> {
        let most = if supply.is_empty() { MOST_PIECES } else { MOST_WITH_SUPPLY };
        if pieces.all().count() > most {
            let help = format!("{MOST_PIECES} at most, or {MOST_WITH_SUPPLY} where any has a supply");
            return Err(self.error(0..0, &format!("{} pieces", pieces.all().count()), &help));
        }
        for name in supply.keys() {
            let message = match pieces.all().filter(|piece| piece.name == *name.get_ref()).count() {
                0 => format!("a supply for {}, which is no piece", name.get_ref()),
                1 => match name.get_ref().as_bytes() {
                    [b'A'..=b'Z'] => continue,
                    _ => format!("a supply for {}, whose name is not one letter", name.get_ref()),
                },
                _ => format!("a supply for {}, which each player has", name.get_ref()),
            };
            let help = "a piece with a supply is named by one capital letter, which positions use";
            return Err(self.error(name.span(), &message, help));
        }
        Ok(())
    }

    fn lines(self) -> Result<RulesFile, TextError> {
        let file: LinesFile = self.read()?;
        let marks = match file.marks.as_ref().map(|marks| (marks.get_ref().as_str(), marks.span())) {
            None | Some(("own", _)) => Marks::Own,
            Some(("shared", _)) => Marks::Shared,
            Some((other, span)) => {
                let help = "marks are \"own\" or \"shared\"";
                return Err(self.error(span, &format!("marks that are `{other}`"), help));
            }
        };
        let k = *file.k.get_ref();
        if k < 1 {
            return Err(self.error(file.k.span(), &format!("k = {k}"), "from 1 to the board's longer side"));
        }
        let most = Board::MOST_CELLS as i64;
        let rules = lines::Rules {
            k: k.min(most) as u8,
            gravity: file.gravity,
            marks,
            overlines: file.overlines,
            misere: file.misere,
        };
        let rules_file =
            self.rules_file(file.about, AnyRules::Lines(rules), file.board.as_ref(), file.start.as_ref())?;
        let longest = rules_file.board.rows().max(rules_file.board.cols()) as i64;
        if k > longest {
            let message = format!("k = {k} on a board of {}", rules_file.board);
            return Err(self.error(file.k.span(), &message, &format!("from 1 to {longest}, the board's longer side")));
        }
        Ok(rules_file)
    }

    fn heaps(self) -> Result<RulesFile, TextError> {
        let file: HeapsFile = self.read()?;
        let (code, start) = (self.as_written(&file.code), self.as_written(&file.start));
        let code = Code::parse(code.get_ref()).ok_or_else(|| {
            let help = "a code is `nim`, or octal digits after `0.` or `4.`: `0.77` is Kayles";
            self.error(code.span(), &format!("`{}` is no code", code.get_ref()), help)
        })?;
        let rules = heaps::Rules { code, misere: file.misere };
        let game = Heaps::from_text(rules, start.get_ref()).map_err(|inner| self.error_in(&start, &inner))?;
        self.rules_file(file.about, AnyRules::Heaps(game), None, Some(&start))
    }

    /// A string, or as it stands in the document what people write without quotes: `0.77`.
    fn as_written(self, value: &Spanned<toml::Value>) -> Text {
        let text = match value.get_ref() {
            toml::Value::String(text) => text,
            _ => self.text.get(value.span()).unwrap_or_default(),
        };
        Spanned::new(value.span(), text.to_owned())
    }

    /// The board, by its size or by the position that the game begins in.
    fn rules_file(
        self,
        about: Option<String>,
        rules: AnyRules,
        board: Option<&Text>,
        start: Option<&Text>,
    ) -> Result<RulesFile, TextError> {
        let help = "give `board = \"5x5\"` (rows by columns), or a position as `start`";
        let board = match (board, start) {
            (Some(size), None) => {
                let most = rules.most_cells();
                let size_help = format!("rows by columns, {most} cells at most");
                Board::parse(size.get_ref(), most).map_err(|e| self.error(size.span(), &e.to_string(), &size_help))?
            }
            (None, Some(text)) => {
                // The board is the text's own, whatever is given here.
                let any_board = Board::new(1, 1).map_err(|e| self.error(text.span(), &e.to_string(), help))?;
                let game = rules.game_at(any_board, text.get_ref());
                game.map_err(|inner| self.error_in(text, &inner))?.board().unwrap_or(any_board)
            }
            (Some(_), Some(text)) => return Err(self.error(text.span(), "a board and a start", help)),
            (None, None) => return Err(self.error(0..0, "no board", help)),
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
