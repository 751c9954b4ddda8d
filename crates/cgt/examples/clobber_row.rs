//! Who wins Clobber on a row, by a search of sums: a row falls apart into runs of pieces, each of which is a game of its own.

use balpan::{AlphaBeta, Game, Outcome, Solver, Watch};
use balpan_cgt::{Partizan, Player, SumGame};

/// Clobber on a row: a piece takes a neighbour of the other colour and stands there.
#[derive(Clone)]
pub(crate) struct Row;

/// The cells of Left's and of Right's pieces.
pub(crate) type Pieces = [u32; 2];

impl Partizan for Row {
    type Position = Pieces;

    fn options(&self, pieces: &Pieces, player: Player) -> impl Iterator<Item = Pieces> {
        let (own, other) = (pieces[player.index()], pieces[player.other().index()]);
        let each = (0..32).flat_map(move |from| [from + 1, from - 1].map(|to| (from, to)));
        let each = each.filter(|(_, to)| (0..32).contains(to));
        each.filter(move |(from, to)| own >> from & 1 == 1 && other >> to & 1 == 1).map(move |(from, to)| {
            let mut after = [0; 2];
            after[player.index()] = own & !(1 << from) | 1 << to;
            after[player.other().index()] = other & !(1 << to);
            after
        })
    }

    fn split(&self, pieces: &Pieces, parts: &mut Vec<Pieces>) {
        let mut rest = pieces[0] | pieces[1];
        while rest != 0 {
            let run = (rest >> rest.trailing_zeros()).trailing_ones();
            let part = (((1_u64 << run) - 1) as u32) << rest.trailing_zeros();
            rest &= !part;
            if pieces.iter().all(|of_player| of_player & part != 0) {
                parts.push(pieces.map(|of_player| of_player & part));
            }
        }
    }

    fn canonical(&self, pieces: &Pieces) -> (Pieces, bool) {
        let start = (pieces[0] | pieces[1]).trailing_zeros().min(31);
        let row = pieces.map(|of_player| of_player >> start);
        let length = 32 - (row[0] | row[1]).leading_zeros();
        let turned = row.map(|of_player| of_player.reverse_bits() >> (32 - length.max(1)));
        let all = [row, turned].into_iter().flat_map(|row| [(row, false), ([row[1], row[0]], true)]);
        all.min().unwrap_or((row, false))
    }

    fn max_plies(&self, pieces: &Pieces) -> Option<u32> {
        Some((pieces[0] | pieces[1]).count_ones())
    }
}

fn main() -> Result<(), balpan::Stopped> {
    for cells in (2..=30).step_by(2) {
        let row = [0x5555_5555, 0xaaaa_aaaa].map(|pieces| pieces & ((1 << cells) - 1));
        let sums = SumGame::new(Row, &row, Player::Left, 1 << 24);
        let mut search = AlphaBeta::new(&sums, 1 << 28, &Watch::default());
        let wins = search.outcome(&sums.start())? == Outcome::Win;
        let winner = if wins { "first" } else { "second" };
        println!("{cells:2} cells: the {winner} player wins, {} sums searched", search.positions_searched());
    }
    Ok(())
}
