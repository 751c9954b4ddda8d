//! The smallest text of a position: a character for each cell, or the sizes of heaps.

use super::{Cells, Drawing};

/// Writes a drawing as lines of text.
pub(crate) fn board_lines(drawing: &Drawing) -> Vec<String> {
    match drawing {
        Drawing::Board(Cells { cols, glyphs, .. }) => {
            let spaced = |row: &[char]| row.iter().map(char::to_string).collect::<Vec<_>>().join(" ");
            glyphs.chunks(*cols).map(spaced).collect()
        }
        Drawing::Heaps { heaps, .. } if heaps.is_empty() => vec!["0".to_owned()],
        Drawing::Heaps { heaps, .. } => vec![heaps.iter().map(u16::to_string).collect::<Vec<_>>().join(" ")],
    }
}
