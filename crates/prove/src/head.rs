//! The head of a certificate, from a game's rules.

use balpan_check::trusted::claim::Header;
use balpan_check::untrusted::FIRST_LINE;
use balpan_games::AnyGame;

/// Returns the rules of a game as the checker states them; `None` if the checker does not support
/// the game.
#[must_use]
pub fn checker_rules(game: &AnyGame) -> Option<Vec<String>> {
    let (rules, start) = game.checker_text()?;
    let rest = "claim: it is a draw\nsettle: 0\nclaims: 0\nanswers: text";
    let header = Header::parse(&format!("{FIRST_LINE}\ngame: \n{rules}position: {start}\n{rest}")).ok()?;
    Some(header.game.rules())
}
