//! Walkers for the rest of the program: settings, drawing, the checker's text, random positions.

use balpan::{Game, SplitMix};

use super::{Position, Rules, STEPS, Steps, Walkers};
use crate::board::{CellSet, Cells};
use crate::family::{CellStyle, Checked, FamilyGame, random_subset, yes_no};
use crate::notation::{Notation, PlayerName};
use crate::settings::{Kind, Setting};

impl<W: CellSet> FamilyGame for Walkers<W> {
    fn family(&self) -> &'static str {
        "walkers"
    }

    fn settings(&self) -> Vec<Setting> {
        let Rules { steps, share, torus } = &self.rules;
        vec![
            Setting::new("steps", Kind::Choice(&STEPS), steps_text(steps)),
            Setting::yes_no("share", *share),
            Setting::yes_no("torus", *torus),
        ]
    }

    fn cell_style(&self) -> CellStyle {
        CellStyle::Tiles
    }

    fn cell_glyphs(&self) -> &str {
        if self.rules.share { ".#AB*" } else { ".#AB" }
    }

    fn sides(&self) -> &'static [(&'static str, Option<PlayerName>)] {
        &[("a", Some(PlayerName::A)), ("b", Some(PlayerName::B))]
    }

    fn checked(&self) -> Option<&dyn Checked<Position = Position<W>>> {
        Some(self)
    }

    /// Keeps random tiles of the start, puts the tokens on any of them, and removes the tiles that neither token can
    /// reach.
    fn random_position(&self, left: usize, random: &mut SplitMix) -> Option<Position<W>> {
        let tiles = random_subset(self.start.tiles, left, random);
        let count = tiles.count_ones() as usize;
        if count < 2 {
            return None;
        }
        let mut token = || Cells(tiles).nth(random.below(count)).map(|cell| cell as u8);
        let (mover, other) = (token()?, token()?);
        let position = self.strip_dead_cells(&Position { tiles, mover, other, b_to_move: false });
        self.is_legal(&position).then_some(position)
    }

    fn strip_dead_cells(&self, position: &Position<W>) -> Position<W> {
        let Position { tiles, mover, other, .. } = *position;
        let reachable = reachable_tiles(self, tiles, mover, other) | reachable_tiles(self, tiles, other, mover);
        Position { tiles: tiles & reachable, ..*position }
    }

    fn one_cell_variants(&self, position: &Position<W>) -> Vec<Position<W>> {
        let tokens = W::bit(position.mover.into()) | W::bit(position.other.into());
        let cells = Cells(self.board.full::<W>() & !tokens);
        cells.map(|cell| Position { tiles: position.tiles ^ W::bit(cell), ..*position }).collect()
    }
}

/// Returns the tiles that a token can reach while the other stands still, its own included.
fn reachable_tiles<W: CellSet>(game: &Walkers<W>, tiles: W, from: u8, other: u8) -> W {
    let (mut reached, mut fresh) = (W::zero(), W::bit(from.into()));
    while !fresh.is_zero() {
        reached |= fresh;
        let around = Cells(fresh).flat_map(|cell| {
            let mover = cell as u8;
            game.moves(&Position { tiles, mover, other, b_to_move: false }).collect::<Vec<_>>()
        });
        fresh = around.fold(W::zero(), |cells, cell| cells | W::bit(cell.into())) & !reached;
    }
    reached
}

impl<W: CellSet> Checked for Walkers<W> {
    type Position = Position<W>;

    fn checker_rules(&self) -> String {
        let Rules { steps, share, torus } = &self.rules;
        let steps = match steps {
            Steps::Offsets(offsets) => {
                let step = |(down, right): &(i8, i8)| format!("{down},{right}");
                offsets.iter().map(step).collect::<Vec<_>>().join(" ")
            }
            named => steps_text(named),
        };
        format!("family: walkers\nsteps: {steps}\nshare: {}\ntorus: {}\n", yes_no(*share), yes_no(*torus))
    }

    fn checker_text(&self, position: &Position<W>) -> String {
        let text = self.text(position);
        if position.b_to_move { text } else { text + " a" }
    }

    fn position_from_words(&self, [tiles, tokens]: [u128; 2]) -> Option<Position<W>> {
        Some(Position {
            tiles: W::from_low_bits(tiles),
            mover: tokens as u8,
            other: (tokens >> 8) as u8,
            b_to_move: tokens >> 16 & 1 == 1,
        })
    }
}

/// Writes `steps` as in a rules file.
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
