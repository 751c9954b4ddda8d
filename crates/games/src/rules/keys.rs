//! The keys of rules files, and the values of those that take a name.

/// Values of `family`.
pub(crate) const FAMILIES: [&str; 4] = ["walkers", "placement", "lines", "heaps"];

/// Named values of `steps`.
pub(crate) const STEPS: [&str; 4] = ["orthogonal", "king", "knight", "queen"];

/// Values of `marks`.
pub(crate) const MARKS: [&str; 2] = ["own", "shared"];

/// The keys of a family.
pub(super) struct Keys {
    /// All keys.
    pub(super) all: &'static [&'static str],
    /// The required keys beside `family`.
    pub(super) required: &'static [&'static str],
}

pub(super) const WALKERS: Keys =
    Keys { all: &["family", "about", "board", "start", "steps", "share", "torus"], required: &["steps"] };

pub(super) const PLACEMENT: Keys = Keys {
    all: &["family", "about", "board", "start", "pieces", "left", "right", "supply", "rotate", "reflect", "misere"],
    required: &[],
};

pub(super) const LINES: Keys = Keys {
    all: &["family", "about", "board", "start", "k", "gravity", "marks", "overlines", "misere"],
    required: &["k"],
};

pub(super) const HEAPS: Keys =
    Keys { all: &["family", "about", "code", "start", "misere"], required: &["code", "start"] };

/// Whether `key`, or the table that it is in, is a key that a change may set in rules files of some family:
/// any key but `family` and `about`.
#[must_use]
pub fn is_rules_key(key: &str) -> bool {
    let key = key.split('.').next().unwrap_or_default();
    let has = |keys: &Keys| keys.all.contains(&key);
    !["family", "about"].contains(&key) && [WALKERS, PLACEMENT, LINES, HEAPS].iter().any(has)
}
