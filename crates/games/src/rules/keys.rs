//! The keys of rules files, and the names that some of them take.

/// What `family` can be.
pub(crate) const FAMILIES: [&str; 4] = ["walkers", "placement", "lines", "heaps"];

/// What `steps` can be called.
pub(crate) const STEPS: [&str; 4] = ["orthogonal", "king", "knight", "queen"];

/// What `marks` can be.
pub(crate) const MARKS: [&str; 2] = ["own", "shared"];

/// The keys of a family.
pub(super) struct Keys {
    /// All that there are.
    pub(super) all: &'static [&'static str],
    /// Those that have to be there, but for the family.
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

/// Whether a rules file of some family has this key, or a key in a table of this name, beside
/// what it is called and of which family it is: what a change may set.
#[must_use]
pub fn is_rules_key(key: &str) -> bool {
    let key = key.split('.').next().unwrap_or_default();
    let has = |keys: &Keys| keys.all.contains(&key);
    !["family", "about"].contains(&key) && [WALKERS, PLACEMENT, LINES, HEAPS].iter().any(has)
}
