//! Messages of the command: one function for each message of the files in `messages`. Phrases that the explorer's pages
//! have as well are the same. The language is that of `--lang`, or else the locale's.

pub(crate) mod answer;
pub(crate) mod common;
pub(crate) mod korean;
pub(crate) mod play;
pub(crate) mod stress;
pub(crate) mod value;

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use balpan_games::Lang;

/// Messages about sequences of nimbers.
pub(crate) mod period {
    balpan_messages::messages!("period");
}

/// Messages about misère quotients and misère sums.
pub(crate) mod quotient {
    balpan_messages::messages!("quotient");
}

/// Messages about counts of positions.
pub(crate) mod census {
    balpan_messages::messages!("census");
}

/// Messages about puzzles.
pub(crate) mod puzzle {
    balpan_messages::messages!("puzzle");
}

/// Messages about a game between programs.
pub(crate) mod referee {
    balpan_messages::messages!("referee");
}

/// Messages about a sum of games.
pub(crate) mod sum {
    balpan_messages::messages!("sum");
}

/// Whether messages are in Korean. Output for programs is always in English.
static IS_KOREAN: AtomicBool = AtomicBool::new(false);

/// Sets the language to the requested one, or to the locale's.
pub(crate) fn set_lang(requested: Option<Lang>) {
    IS_KOREAN.store(requested.unwrap_or_else(locale_lang) == Lang::Ko, Relaxed);
}

pub(crate) fn lang() -> Lang {
    if IS_KOREAN.load(Relaxed) { Lang::Ko } else { Lang::En }
}

/// Returns the language of the locale, which the first non-empty variable in POSIX's order names.
fn locale_lang() -> Lang {
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let variable = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find(is_set);
    variable.and_then(|name| std::env::var(name).ok()).map_or(Lang::En, |locale| parse_locale(&locale))
}

/// Parses a locale such as `ko_KR.UTF-8` or `ko`: the language precedes the country, the encoding and the modifier.
fn parse_locale(locale: &str) -> Lang {
    let language = locale.split(['_', '.', '@', '-']).next().unwrap_or_default();
    Lang::from_code(&language.to_ascii_lowercase()).unwrap_or(Lang::En)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_begins_with_its_language() {
        for locale in ["ko_KR.UTF-8", "ko", "ko_KR", "ko.UTF-8", "KO_kr@hanja"] {
            assert_eq!(parse_locale(locale), Lang::Ko, "{locale}");
        }
        for locale in ["C", "POSIX", "C.UTF-8", "en_US.UTF-8", "kok_IN", "fr_KO", ""] {
            assert_eq!(parse_locale(locale), Lang::En, "{locale}");
        }
    }
}
