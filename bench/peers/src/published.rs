//! Outcomes that others have found, on boards that no mark here gets through.

use balpan::Outcome::{self, Draw, Win};

/// Preset, changes and the outcome for who begins. Connect Four: J. D. Allen and
/// L. V. Allis, both in 1988. Four in a row on 5×5: C. Y. Lee, by E. R. Berlekamp,
/// J. H. Conway and R. K. Guy, "Winning Ways".
pub const OUTCOMES: [(&str, &[&str], Outcome); 2] =
    [("tictactoe", &["board=5x5", "k=4"], Draw), ("connect4", &["board=6x7"], Win)];
