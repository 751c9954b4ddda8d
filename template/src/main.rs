//! A row of seven cells. Whoever is to move fills one free cell, or two that are neighbours; whoever fills the last one wins.
//!
//! `cargo run --release -- solve mygame`, `… -- play mygame`, `… -- serve`: every verb of `balpan` knows the game.

use balpan::Game;
use balpan_cli::Command;
use balpan_games::{Board, Lang, Notation};

const CELLS: usize = 7;

/// The rules. What play cannot change, such as the size of a board, goes into its fields.
#[derive(Clone)]
struct MyGame;

impl Game for MyGame {
    /// Whether each cell is filled. Where the players have different moves, the position also says whose turn it is.
    type Position = [bool; CELLS];
    /// The first cell to fill, and how many.
    type Move = (usize, usize);

    fn start(&self) -> [bool; CELLS] {
        [false; CELLS]
    }

    /// Play ends where there are no moves. Whoever is to move then has lost; `end` says otherwise.
    fn moves(&self, filled: &[bool; CELLS]) -> impl Iterator<Item = (usize, usize)> {
        let all = (0..CELLS).flat_map(|cell| [(cell, 1), (cell, 2)]);
        all.filter(|&(cell, count)| cell + count <= CELLS && !filled[cell..cell + count].contains(&true))
    }

    fn play(&self, filled: &[bool; CELLS], (cell, count): (usize, usize)) -> [bool; CELLS] {
        let mut filled = *filled;
        filled[cell..cell + count].fill(true);
        filled
    }
}

impl Notation for MyGame {
    /// Positions that differ have texts that differ. This is all that is needed; what follows is for people.
    fn text(&self, filled: &[bool; CELLS]) -> String {
        (0..CELLS).map(|cell| self.glyph(filled, cell)).collect()
    }

    fn move_text(&self, _: &[bool; CELLS], (cell, count): (usize, usize)) -> String {
        if count == 1 { format!("{cell}") } else { format!("{cell}-{}", cell + 1) }
    }

    fn describe(&self, lang: Lang) -> Vec<String> {
        let sentence = lang.pick(
            "Fill one free cell or two neighbours; whoever fills the last one wins",
            "빈칸 하나나 이웃한 둘을 채웁니다. 마지막 칸을 채우면 이깁니다",
        );
        vec![sentence.to_owned()]
    }

    fn board(&self) -> Option<Board> {
        Board::new(1, CELLS).ok()
    }

    fn glyph(&self, filled: &[bool; CELLS], cell: usize) -> char {
        if filled[cell] { '#' } else { '.' }
    }

    fn move_cells(&self, _: &[bool; CELLS], (cell, count): (usize, usize)) -> u128 {
        ((1 << count) - 1) << cell
    }
}

fn main() -> std::process::ExitCode {
    Command::new().game("mygame", MyGame).run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_laws_of_games_hold() {
        balpan::laws::check(&MyGame, 100, 1).unwrap();
    }
}
