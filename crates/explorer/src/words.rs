//! Every word that a page says, in each language: one function a phrase, so that what
//! has to mean the same stands side by side.

pub(crate) mod editor;
pub(crate) mod frame;
pub(crate) mod players;
pub(crate) mod position;
pub(crate) mod refusal;
pub(crate) mod rules;
pub(crate) mod tree;

/// A language of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Korean.
    Ko,
}

impl Lang {
    /// All there are.
    pub const ALL: [Self; 2] = [Self::En, Self::Ko];

    /// Its code, as in `lang="ko"`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ko => "ko",
        }
    }

    /// The language of a code.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.code() == code)
    }

    /// The one of two phrases that is in this language.
    pub(crate) fn pick<T>(self, en: T, ko: T) -> T {
        match self {
            Self::En => en,
            Self::Ko => ko,
        }
    }
}

/// `1,234,567`, in any language.
pub fn grouped(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
