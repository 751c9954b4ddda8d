//! Col and Snort on a grid: Left colours a free cell blue, Right red. In Col no two neighbours may have the same
//! colour, in Snort none different ones.

use balpan::Watch;
use balpan_cgt::{FormStore, Partizan, PartizanSolver, Player};

pub(crate) struct Colouring {
    pub(crate) cols: usize,
    pub(crate) is_snort: bool,
}

impl Partizan for Colouring {
    /// Cells row by row: `.` free, `L` and `R` coloured.
    type Position = Vec<u8>;

    fn options(&self, cells: &Vec<u8>, player: Player) -> impl Iterator<Item = Vec<u8>> {
        let (own, other) = if player == Player::Left { (b'L', b'R') } else { (b'R', b'L') };
        let barred = if self.is_snort { other } else { own };
        let near = |a: usize, b: usize| {
            let [x, y] = [a, b].map(|cell| (cell / self.cols, cell % self.cols));
            x.0.abs_diff(y.0) + x.1.abs_diff(y.1) == 1
        };
        let may = move |at: &usize| cells[*at] == b'.' && !(0..cells.len()).any(|b| cells[b] == barred && near(*at, b));
        (0..cells.len()).filter(may).map(move |at| {
            let mut after = cells.clone();
            after[at] = own;
            after
        })
    }
}

fn main() -> Result<(), balpan_cgt::CgtError> {
    let watch = Watch::default();
    for (name, is_snort) in [("Col", false), ("Snort", true)] {
        for (rows, cols) in [(1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 3)] {
            let mut forms = FormStore::new(1 << 26, &watch);
            let mut values = PartizanSolver::new(Colouring { cols, is_snort });
            let value = values.value(&vec![b'.'; rows * cols], &mut forms)?;
            println!("{name:5} {rows}x{cols}  {}", forms.text(value)?);
        }
    }
    Ok(())
}
