//! Which side the reader plays.

use crate::failure::{CliError, harmless};

/// Returns which player, 0 or 1, `--as` names: by turn (`first`, `second`) or by a name in `players`, the player to
/// move first.
pub(super) fn parse_side(side: &str, players: [&str; 2]) -> Result<usize, CliError> {
    const BY_TURN: [&str; 2] = ["first", "second"];
    let is = |name: &str| side.trim().eq_ignore_ascii_case(name);
    let player = [BY_TURN, players].iter().find_map(|names| names.iter().position(|name| is(name)));
    player.ok_or_else(|| {
        let named = if players[0].contains(' ') { String::new() } else { format!(", {}, {}", players[0], players[1]) };
        CliError::input(format!("--as: nobody is `{}` in this game", harmless(side)), format!("first, second{named}"))
    })
}
