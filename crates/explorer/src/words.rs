//! All phrases of the pages: one function for each message of the files in `messages`. The words in pictures are in
//! [`balpan_pictures`].

pub(crate) mod certificates;
pub(crate) mod position;

pub(crate) use balpan_games::Lang;
pub(crate) use balpan_pictures::{grouped, review, words as players};

/// Defines a module for each of these files of messages.
macro_rules! message_modules {
    ($($name:ident)*) => { $(pub(crate) mod $name { balpan_messages::messages!($name); })* };
}

message_modules! { census expected learn puzzles review_page rules stress theories theory tree }

/// Words of the frame of all pages, and of the home page.
pub(crate) mod frame {
    use crate::words::Lang;

    balpan_messages::messages!("frame");

    /// Describes a preset in a line; `None` if the rules file does.
    pub(crate) fn about(lang: Lang, game: &str) -> Option<&'static str> {
        Some(preset_about(lang, game)).filter(|about| !about.is_empty())
    }

    /// Returns the name of a game: the words before the colon in the line that describes it.
    pub(crate) fn game(lang: Lang, game: &str) -> &str {
        let line = about(lang, game).or_else(|| {
            let (_, rules) = balpan_games::presets::all().into_iter().find(|(name, _)| *name == game)?;
            let key = lang.pick("about = \"", "about_ko = \"");
            rules.lines().find_map(|line| line.strip_prefix(key))
        });
        line.and_then(|line| line.split_once(':')).map_or(game, |(name, _)| name)
    }
}

/// Messages of errors. Those about positions and rules come from the library, in each language.
pub(crate) mod error {
    /// The message of an error: the mistake, and what helps.
    pub(crate) type Message = (String, String);

    balpan_messages::messages!("error");
}

/// Words of the editor.
pub(crate) mod editor {
    use crate::words::Lang;

    balpan_messages::messages!("editor");

    pub(crate) fn glyph(lang: Lang, glyph: char, walkers: bool) -> String {
        let text = glyph.to_string();
        match if walkers { tile(lang, &text) } else { cell(lang, &text) } {
            "" => text,
            known => known.to_owned(),
        }
    }

    /// Adds or removes a row or a column.
    pub(crate) fn resize(lang: Lang, rows: bool, more: bool) -> &'static str {
        match (rows, more) {
            (true, true) => lang.pick("+ row", "+ 행"),
            (true, false) => lang.pick("− row", "− 행"),
            (false, true) => lang.pick("+ column", "+ 열"),
            (false, false) => lang.pick("− column", "− 열"),
        }
    }
}

/// The words of the help page.
pub(crate) mod help {
    use crate::words::Lang;

    balpan_messages::messages!("help");

    /// Headings, and what is said below them.
    pub(crate) fn sections(lang: Lang) -> [(&'static str, &'static str); 3] {
        [(signs(lang), signs_items(lang)), (moving(lang), moving_items(lang)), (more(lang), more_items(lang))]
    }
}

/// Words about the values of partizan positions.
pub(crate) mod values {
    use crate::words::Lang;
    use crate::words::players::Name;

    balpan_messages::messages!("values");

    /// Says who wins. `left` and `right` tell whether that player wins by moving first.
    pub(crate) fn verdict(lang: Lang, [first, second]: [Name; 2], left: bool, right: bool) -> String {
        match (left, right) {
            (true, false) => always_wins(lang, first.plain, first.subject),
            (false, true) => always_wins(lang, second.plain, second.subject),
            (true, true) => who_begins_wins(lang).to_owned(),
            (false, false) => who_begins_loses(lang).to_owned(),
        }
    }
}
