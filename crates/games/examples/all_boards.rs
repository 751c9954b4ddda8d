//! Finds the canonical forms of all boards of Domineering of one size, each cell free or filled: 65,536 boards of 4x4, or
//! of the size given as rows and columns. With a third argument, finds the thermograph of the empty board instead, without
//! canonical forms.

use balpan::Watch;
use balpan_cgt::FormStore;
use balpan_games::Board;
use balpan_games::placement::{Placement, PlacementThermographs, PlacementValues, Position};
use balpan_games::presets::preset;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let side = |n: usize| words.get(n).map_or(Ok(4), |word| word.parse::<usize>());
    let (rows, cols) = (side(0)?, side(1)?);
    let rules = preset("domineering").ok_or("no such game")??;
    let game = rules.game_at(&vec![".".repeat(cols); rows].join("/"))?;
    let game: Placement = game.downcast().ok_or("the board is too large")?;
    let watch = Watch::default();
    let mut forms = FormStore::new(4 << 30, &watch);
    let values = PlacementValues::new(&game)?;
    if words.len() > 2 { thermograph(&game, values, &mut forms) } else { all_boards(game.board(), values, &mut forms) }
}

/// Prints the number of different values of all boards.
fn all_boards(
    board: Board,
    mut values: PlacementValues,
    forms: &mut FormStore,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut different = std::collections::HashSet::new();
    for filled in 0..1_u64 << board.cells() {
        different.insert(values.value_on(board, &Position { filled, used: 0, right_to_move: false }, forms)?);
    }
    println!("{} boards, {} parts, {} forms", 1_u64 << board.cells(), values.part_count(), forms.form_count());
    println!("{} different values", different.len());
    Ok(())
}

/// Prints the thermograph's mast and the stops of the empty board.
fn thermograph(
    game: &Placement,
    values: PlacementValues,
    forms: &mut FormStore,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut solver = PlacementThermographs::new(values, 8 << 30);
    let zero = forms.zero();
    let found = solver.solve(&[(game.board(), balpan::Game::start(game), false)], zero, forms)?;
    let [left, right] = found.stops;
    println!("{} sets of parts, {} forms", solver.part_count(), forms.form_count());
    println!("{} wins, stops {left} and {right}, {:?}", found.class.name(), found.thermograph.mast);
    Ok(())
}
