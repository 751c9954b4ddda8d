//! `balpan games`: the list of games, a rules file, and what it means.

use balpan::Game;
use balpan_games::{AnyGame, RulesFile, describe_rules, presets};

use crate::args::ChangeArgs;
use crate::draw;
use crate::error::{CliError, print};
use crate::load::{read_changed_rules, read_rules};
use crate::words::{common, korean, lang};

/// Prints the list of games, or the rules file of one, or what the file means.
pub(crate) fn run(name: Option<&str>, changes: &ChangeArgs, explain: bool) -> Result<(), CliError> {
    let Some(name) = name else { return print_list() };
    let rules = read_changed_rules(name, changes.board.as_deref(), &changes.set)?;
    if explain { print(&explanation(&rules)?) } else { print(&rules.text) }
}

fn print_list() -> Result<(), CliError> {
    let mut rows = Vec::new();
    for (name, _) in presets::all() {
        let rules = read_rules(name)?;
        rows.push((name, rules.game()?.size(), korean::local(rules.about_in(lang()))));
    }
    let width = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let size_width = rows.iter().map(|(_, size, _)| size.len()).max().unwrap_or(0);
    let row = |(name, size, about)| format!("{name:width$}  {size:size_width$}  {about}\n");
    print(&rows.into_iter().map(row).collect::<String>())
}

fn explanation(rules: &RulesFile) -> Result<String, CliError> {
    let game = rules.game()?;
    let mut page = draw::filled(&format!("{} {}: {}", rules.name, game.size(), korean::local(rules.about_in(lang()))));
    page = format!("{page}\n{}\n", draw::start(&game));
    for sentence in describe_rules(lang(), &game) {
        page += &draw::filled(&sentence);
    }
    let drawn: Vec<_> = game.cell_glyphs().chars().filter_map(|piece| moves_of(rules, &game, piece)).collect();
    if !drawn.is_empty() {
        page = format!("{page}\n{}\n\n{}", common::piece_moves(lang()), draw::side_by_side(&drawn));
    }
    Ok(page)
}

/// Draws the first position with a piece put in the middle, and the cells that it can go to in brackets; `None` if it cannot
/// move there.
fn moves_of(rules: &RulesFile, game: &AnyGame, piece: char) -> Option<String> {
    let owner = game.owner(piece)?;
    let board = game.board()?;
    let middle = board.cell(board.rows() / 2, board.cols() / 2);
    let mut glyphs = game.glyphs();
    *glyphs.get_mut(middle).filter(|glyph| !"#_".contains(**glyph))? = piece;
    let rows: Vec<String> = glyphs.chunks(board.cols()).map(|row| row.iter().collect()).collect();
    let (side, _) = game.sides().iter().find(|(_, player)| player.is_some_and(|player| player.index() == owner))?;
    let with_piece = rules.game_at(&format!("{} {side}", rows.join("/"))).ok()?;
    let cells = with_piece.moves().into_iter().map(|(_, cells)| cells).filter(|cells| cells >> middle & 1 == 1);
    let reached = cells.fold(0, |all, cells| all | cells) & !(1 << middle);
    let game = with_piece.erased();
    (reached != 0).then(|| draw::marked(&game, &game.start(), reached))
}
