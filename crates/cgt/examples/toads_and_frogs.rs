//! Toads and Frogs: Left's toads move right, Right's frogs left, by a step or over one of the others.

use balpan::Watch;
use balpan_cgt::{FormStore, Partizan, PartizanSolver, Player};

pub(crate) struct ToadsAndFrogs;

impl Partizan for ToadsAndFrogs {
    type Position = Vec<u8>;

    fn options(&self, row: &Vec<u8>, player: Player) -> impl Iterator<Item = Vec<u8>> {
        let (own, other, step) = if player == Player::Left { (b'T', b'F', 1) } else { (b'F', b'T', -1) };
        let cell = |at: isize| usize::try_from(at).ok().and_then(|at| row.get(at)).copied();
        let to = move |at: isize| match (cell(at + step), cell(at + 2 * step)) {
            (Some(b'.'), _) => Some(at + step),
            (Some(over), Some(b'.')) if over == other => Some(at + 2 * step),
            _ => None,
        };
        let movers = (0..row.len()).filter(move |at| row[*at] == own);
        movers.filter_map(move |at| {
            let to = to(at as isize)? as usize;
            let mut after = row.clone();
            after.swap(at, to);
            Some(after)
        })
    }
}

fn main() -> Result<(), balpan_cgt::CgtError> {
    let watch = Watch::default();
    let mut forms = FormStore::new(1 << 26, &watch);
    let mut values = PartizanSolver::new(ToadsAndFrogs);
    for row in ["T.F", "TT.FF", "T..F", "TT..F", "T.T.F.F"] {
        let value = values.value(&row.into(), &mut forms)?;
        println!("{row:8} {}", forms.text(value)?);
    }
    Ok(())
}
