//! Hackenbush on paths: edges in a row, the first on the ground, blue for Left, red for Right, green for both. A player
//! who cuts an edge removes all edges that hang on it.

use balpan::Watch;
use balpan_cgt::{FormStore, Partizan, PartizanSolver, Player};

pub(crate) struct Hackenbush;

impl Partizan for Hackenbush {
    /// A sum of paths.
    type Position = Vec<String>;

    fn options(&self, paths: &Vec<String>, player: Player) -> impl Iterator<Item = Vec<String>> {
        let own = if player == Player::Left { ['b', 'g'] } else { ['r', 'g'] };
        let cuts = move |(at, path): (usize, &String)| {
            let edges: Vec<usize> = path.match_indices(own).map(|(edge, _)| edge).collect();
            edges.into_iter().map(move |edge| (at, edge))
        };
        paths.iter().enumerate().flat_map(cuts).map(|(at, edge)| {
            let mut after = paths.clone();
            after[at].truncate(edge);
            after
        })
    }

    fn split(&self, paths: &Vec<String>, parts: &mut Vec<Vec<String>>) {
        parts.extend(paths.iter().map(|path| vec![path.clone()]));
    }
}

fn main() -> Result<(), balpan_cgt::CgtError> {
    let watch = Watch::default();
    let mut forms = FormStore::new(1 << 26, &watch);
    let mut values = PartizanSolver::new(Hackenbush);
    for paths in ["b", "br", "bbr", "brrb", "gb", "gr", "b+r", "bg+r", "ggg+gg"] {
        let value = values.value(&paths.split('+').map(str::to_owned).collect(), &mut forms)?;
        println!("{paths:8} {}", forms.text(value)?);
    }
    Ok(())
}
