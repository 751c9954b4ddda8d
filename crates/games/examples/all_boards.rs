//! Values all boards of Domineering of a size, free cells and filled ones in every way: the 65,536 of 4x4, or those of
//! the size that is given as rows and columns. Without canonical forms where a third word follows.

use balpan::Watch;
use balpan::cgt::Forms;
use balpan_games::placement::{Heats, Placement, Position, Values};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, Board};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let side = |n: usize| words.get(n).map_or(Ok(4), |word| word.parse::<usize>());
    let (rows, cols) = (side(0)?, side(1)?);
    let rules = preset("domineering").ok_or("no such game")??;
    let AnyGame::Placement(game) = rules.game_at(&vec![".".repeat(cols); rows].join("/"))? else {
        return Err("the board is too large".into());
    };
    let watch = Watch::default();
    let mut forms = Forms::new(4 << 30, &watch);
    let values = Values::new(&game)?;
    if words.len() > 2 { cooled(&game, values, &mut forms) } else { valued(game.board(), values, &mut forms) }
}

/// All boards of the size.
fn valued(board: Board, mut values: Values, forms: &mut Forms<'_>) -> Result<(), Box<dyn std::error::Error>> {
    let mut different = std::collections::HashSet::new();
    for filled in 0..1_u64 << board.cells() {
        different.insert(values.on(board, &Position { filled, used: 0, right_to_move: false }, forms)?);
    }
    println!("{} boards, {} parts, {} forms", 1_u64 << board.cells(), values.parts(), forms.len());
    println!("{} different values", different.len());
    Ok(())
}

/// The empty board, by thermographs of positions.
fn cooled(game: &Placement, values: Values, forms: &mut Forms<'_>) -> Result<(), Box<dyn std::error::Error>> {
    let mut heats = Heats::new(values, 8 << 30);
    let zero = forms.zero();
    let found = heats.of(&[(game.board(), balpan::Game::start(game), false)], zero, forms)?;
    let [left, right] = found.stops;
    println!("{} sets of parts, {} forms", heats.parts(), forms.len());
    println!("{} wins, stops {left} and {right}, {:?}", found.class.name(), found.thermograph.heat);
    Ok(())
}
