//! A phrase in every language.

use std::borrow::Cow;

use balpan_games::Lang;

/// The same phrase in English and in Korean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    en: Cow<'static, str>,
    ko: Cow<'static, str>,
}

impl Said {
    /// A phrase that is always the same.
    #[must_use]
    pub const fn new(en: &'static str, ko: &'static str) -> Self {
        Self { en: Cow::Borrowed(en), ko: Cow::Borrowed(ko) }
    }

    /// One that is made up.
    #[must_use]
    pub fn of(en: String, ko: String) -> Self {
        Self { en: en.into(), ko: ko.into() }
    }

    /// It, in this language.
    #[must_use]
    pub fn to(&self, lang: Lang) -> &str {
        lang.pick(&self.en, &self.ko)
    }
}
