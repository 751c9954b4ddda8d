//! Words about a position and its moves.

use super::Lang;
use super::players::Name;
pub(crate) use balpan_app::words::{plies, to_move, unknown_winner, value, verdict};

balpan_messages::messages!("position");

/// The search goes on.
pub(crate) fn waiting(lang: Lang) -> &'static str {
    unknown_winner(lang, true)
}

/// The link to play as this player.
pub(crate) fn as_player(lang: Lang, name: Name, is_first: bool) -> String {
    match lang {
        Lang::En => format!("as {}", name.role),
        Lang::Ko if matches!(name.plain, "선공" | "후공") => format!("{} 두기", name.role),
        Lang::Ko => {
            let (turn, particle) =
                (if is_first { "선공" } else { "후공" }, if name.role.ends_with("으로") { "으로" } else { "로" });
            format!("{}({turn}){particle} 두기", name.plain)
        }
    }
}

/// A cell's content, for screen readers.
pub(crate) fn glyph(lang: Lang, glyph: char) -> String {
    let text = glyph.to_string();
    match cell(lang, &text) {
        "" => text,
        known => known.to_owned(),
    }
}
