//! Outcomes that others have found, on boards that no mark here gets through.

use balpan::Outcome::{self, Draw, Loss, Win};

/// Rows, columns and in a row, and the outcome for who begins, without gravity. Four in
/// a row on 5×5: C. Y. Lee, by E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning
/// Ways"; 5×4×4, 6×5×4, five on 6×6 and 7×7: J. W. H. M. Uiterwijk and H. J. van den
/// Herik, "The advantage of the initiative", Information Sciences 122 (2000).
pub const IN_A_ROW: [((usize, usize, usize), Outcome); 10] = [
    ((4, 4, 4), Draw),
    ((5, 4, 4), Draw),
    ((6, 4, 4), Draw),
    ((7, 4, 4), Draw),
    ((8, 4, 4), Draw),
    ((5, 5, 4), Draw),
    ((6, 5, 4), Win),
    ((5, 5, 5), Draw),
    ((6, 6, 5), Draw),
    ((7, 7, 5), Draw),
];

/// Rows, and the outcomes of Connect Four on boards of four columns and more, for who
/// begins: J. Tromp, "John's Connect Four Playground"; 6×7 first by J. D. Allen and L. V.
/// Allis, both in 1988.
pub const CONNECT_4: [(usize, &[Outcome]); 6] = [
    (4, &[Draw, Draw, Loss, Draw, Loss, Loss]),
    (5, &[Draw, Draw, Draw, Draw, Win]),
    (6, &[Draw, Draw, Loss, Win]),
    (7, &[Draw, Draw, Win]),
    (8, &[Draw, Draw]),
    (9, &[Draw]),
];
