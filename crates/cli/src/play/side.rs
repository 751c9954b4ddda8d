//! Which side the reader plays.

use crate::failure::{Failure, harmless};

/// The place, 0 or 1, of the player whom `asked` names: by turn, or by a name of `players`,
/// who are the player to move and the other.
pub(super) fn chosen(asked: &str, players: [&str; 2]) -> Result<usize, Failure> {
    const BY_TURN: [&str; 2] = ["first", "second"];
    let is = |name: &str| asked.trim().eq_ignore_ascii_case(name);
    let found = [BY_TURN, players].iter().find_map(|names| names.iter().position(|name| is(name)));
    found.ok_or_else(|| {
        let named = if players[0].contains(' ') { String::new() } else { format!(", {}, {}", players[0], players[1]) };
        Failure::input(format!("--as: nobody is `{}` in this game", harmless(asked)), format!("first, second{named}"))
    })
}
