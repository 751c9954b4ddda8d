//! Phrases in every language of the user interface.

use std::borrow::Cow;

use balpan_games::Lang;

/// A phrase in English and in Korean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    en: Cow<'static, str>,
    ko: Cow<'static, str>,
}

impl Phrase {
    /// A constant phrase.
    #[must_use]
    pub const fn new(en: &'static str, ko: &'static str) -> Self {
        Self { en: Cow::Borrowed(en), ko: Cow::Borrowed(ko) }
    }

    /// A phrase built at run time.
    #[must_use]
    pub fn from_strings(en: String, ko: String) -> Self {
        Self { en: en.into(), ko: ko.into() }
    }

    /// Returns the text in `lang`.
    #[must_use]
    pub fn text(&self, lang: Lang) -> &str {
        lang.pick(&self.en, &self.ko)
    }
}
