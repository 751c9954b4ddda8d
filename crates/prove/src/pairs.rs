//! Pairings of cells such that every line contains both cells of a pair.

/// The largest number of positions of the search for pairs: it is quick where there are many more
/// cells than lines need.
const MAX_STEPS: u32 = 2000;

/// Finds disjoint pairs of cells such that each line, a set of free cells, has both cells of some
/// pair; `None` if the search fails.
pub(crate) fn pairing(lines: &[u128]) -> Option<Vec<(usize, usize)>> {
    let mut pairs = Vec::new();
    let mut steps = MAX_STEPS;
    block(lines.to_vec(), 0, &mut pairs, &mut steps).then_some(pairs)
}

/// Blocks the lines by pairs of cells that are not `taken`.
fn block(lines: Vec<u128>, taken: u128, pairs: &mut Vec<(usize, usize)>, steps: &mut u32) -> bool {
    // The line with the fewest cells left has the fewest pairs.
    let Some(line) = lines.iter().map(|line| line & !taken).min_by_key(|line| line.count_ones()) else {
        return true;
    };
    let cells: Vec<usize> = (0..128).filter(|cell| line >> cell & 1 == 1).collect();
    let mut ways = Vec::new();
    for (n, &a) in cells.iter().enumerate() {
        for &b in &cells[n + 1..] {
            let pair = 1 << a | 1 << b;
            ways.push((lines.iter().filter(|line| *line & pair == pair).count(), a, b));
        }
    }
    // Pairs that block the most lines come first.
    ways.sort_unstable_by(|one, other| other.cmp(one));
    for (_, a, b) in ways {
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        let pair = 1 << a | 1 << b;
        let left = lines.iter().copied().filter(|line| line & pair != pair).collect();
        pairs.push((a.min(b), a.max(b)));
        if block(left, taken | pair, pairs, steps) {
            return true;
        }
        pairs.pop();
    }
    false
}
