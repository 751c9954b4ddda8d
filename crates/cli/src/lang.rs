//! In which language the command speaks: as `--lang` says, or else the locale.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use balpan_games::Lang;

use crate::args::LangName;

/// English, until it is told otherwise; what programs read is always in English.
static KOREAN: AtomicBool = AtomicBool::new(false);

/// Speaks as is asked for, or as the locale says.
pub(crate) fn speak(asked: Option<LangName>) {
    let lang = asked.map_or_else(of_locale, Into::into);
    KOREAN.store(lang == Lang::Ko, Relaxed);
}

/// The language to speak.
pub(crate) fn lang() -> Lang {
    if KOREAN.load(Relaxed) { Lang::Ko } else { Lang::En }
}

/// The language of messages, by the first variable of POSIX's order that is not empty.
fn of_locale() -> Lang {
    let set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let decides = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find(set);
    decides.and_then(|name| std::env::var(name).ok()).map_or(Lang::En, |locale| of(&locale))
}

/// `ko_KR.UTF-8`, `ko`: the part before the country, the encoding or a modifier is the language.
fn of(locale: &str) -> Lang {
    let language = locale.split(['_', '.', '@', '-']).next().unwrap_or_default();
    Lang::of_code(&language.to_ascii_lowercase()).unwrap_or(Lang::En)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_begins_with_its_language() {
        for locale in ["ko_KR.UTF-8", "ko", "ko_KR", "ko.UTF-8", "KO_kr@hanja"] {
            assert_eq!(of(locale), Lang::Ko, "{locale}");
        }
        for locale in ["C", "POSIX", "C.UTF-8", "en_US.UTF-8", "kok_IN", "fr_KO", ""] {
            assert_eq!(of(locale), Lang::En, "{locale}");
        }
    }
}
