//! Rules files of placement games.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::{Piece, Pieces, Placement, Rules, Shape};
use crate::any::AnyGame;
use crate::board::{Board, CellSet};
use crate::error::{NoSupply, PiecesError};
use crate::registry::{Family, FamilyRules};
use crate::rules::{RulesFile, RulesSource, Text, yes};
use crate::text::TextError;

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "placement",
    keys: &["family", "about", "board", "start", "pieces", "left", "right", "supply", "rotate", "reflect", "misere"],
    required: &[],
    read: &read,
    presets: &[],
};

const MAX_SUPPLY: i64 = Pieces::MAX_SUPPLY as i64;

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

/// Reads a rules file.
fn read(source: RulesSource<'_>) -> Result<RulesFile, TextError> {
    let mut file: PlacementFile = source.read()?;
    let supply = std::mem::take(&mut file.supply);
    let pieces_in = |pieces: &Spanned<PiecesFile>| read_pieces(source, pieces, &supply, file.rotate, file.reflect);
    let (pieces, tables) = match (&file.pieces, &file.left, &file.right) {
        (Some(both), None, None) => (Pieces::Shared(pieces_in(both)?), vec![both]),
        (None, Some(left), Some(right)) => {
            let (left_pieces, right_pieces) = (pieces_in(left)?, pieces_in(right)?);
            let pieces = Pieces::Own { left: left_pieces, right: right_pieces };
            (pieces, vec![left, right])
        }
        (None, None, None) => return Err(source.error(0..0, PiecesError::NoPieces)),
        (None, Some(only), None) | (None, None, Some(only)) => {
            return Err(source.error(only.span(), PiecesError::OnePlayerOnly));
        }
        (Some(_), Some(own), _) | (Some(_), None, Some(own)) => {
            return Err(source.error(own.span(), PiecesError::BothAndOne));
        }
    };
    check_supply(source, &supply, &pieces)?;
    let rules = Rules { pieces, rotate: file.rotate, reflect: file.reflect, misere: file.misere };
    let rules_file = source.rules_file(file.about, rules, file.board.as_ref(), file.start.as_ref())?;
    for (name, drawing) in tables.into_iter().flat_map(|table| table.get_ref()) {
        let fits = Shape::parse(drawing.get_ref()).is_ok_and(|shape| shape.fits(rules_file.board(), file.rotate));
        if !fits {
            let mistake = PiecesError::TooLarge { name: name.get_ref().clone(), board: rules_file.board() };
            return Err(source.error(drawing.span(), mistake));
        }
    }
    Ok(rules_file)
}

fn read_pieces(
    source: RulesSource<'_>,
    table: &Spanned<PiecesFile>,
    supply: &BTreeMap<Text, Spanned<i64>>,
    rotate: bool,
    reflect: bool,
) -> Result<Vec<Piece>, TextError> {
    let mut pieces: Vec<Piece> = Vec::new();
    if table.get_ref().is_empty() {
        return Err(source.error(table.span(), PiecesError::EmptyTable));
    }
    for (name, drawing) in table.get_ref() {
        let shape = Shape::parse(drawing.get_ref()).map_err(|e| source.error(drawing.span(), PiecesError::Shape(e)))?;
        let turned = shape.orientations(rotate, reflect);
        if let Some(twin) = pieces.iter().find(|piece| turned.contains(&piece.shape)) {
            return Err(source.error(drawing.span(), PiecesError::Twin { name: twin.name.clone() }));
        }
        let supply = match supply.get(name.get_ref().as_str()) {
            None => None,
            Some(n) => Some(read_supply(source, n)?),
        };
        let name = name.get_ref().clone();
        pieces.push(Piece { name, shape, supply });
    }
    Ok(pieces)
}

fn read_supply(source: RulesSource<'_>, n: &Spanned<i64>) -> Result<u8, TextError> {
    match *n.get_ref() {
        supply @ 1..=MAX_SUPPLY => Ok(supply as u8),
        supply => Err(source.error(n.span(), PiecesError::Supply { supply, max: MAX_SUPPLY })),
    }
}

fn check_supply(
    source: RulesSource<'_>,
    supply: &BTreeMap<Text, Spanned<i64>>,
    pieces: &Pieces,
) -> Result<(), TextError> {
    let most = if supply.is_empty() { Pieces::MAX_PIECES } else { Pieces::MAX_PIECES_WITH_SUPPLY };
    if pieces.all().count() > most {
        let mistake = PiecesError::TooMany {
            pieces: pieces.all().count(),
            max: Pieces::MAX_PIECES,
            max_with_supply: Pieces::MAX_PIECES_WITH_SUPPLY,
        };
        return Err(source.error(0..0, mistake));
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
        return Err(source.error(name.span(), PiecesError::NoSupplyFor { name: name.get_ref().clone(), why }));
    }
    Ok(())
}

impl FamilyRules for Rules {
    fn max_cells(&self) -> usize {
        u128::CELLS
    }

    fn game_on(&self, board: Board) -> Result<AnyGame, TextError> {
        Ok(if board.cells() <= Board::MAX_CELLS {
            Placement::<u64>::new_unchecked(self.clone(), board).into()
        } else {
            Placement::<u128>::new_unchecked(self.clone(), board).into()
        })
    }

    fn game_at(&self, _board: Board, text: &str) -> Result<AnyGame, TextError> {
        let wide = Placement::<u128>::from_text(self.clone(), text)?;
        if wide.board().cells() > Board::MAX_CELLS {
            return Ok(wide.into());
        }
        Placement::<u64>::from_text(self.clone(), text).map(AnyGame::from)
    }
}
