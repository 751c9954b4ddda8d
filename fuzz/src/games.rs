//! Rules files, positions and records of games.

use std::sync::LazyLock;

use balpan::{Game, SplitMix, laws};
use balpan_games::language::BoardGame;
use balpan_games::presets::{PRESETS, preset};
use balpan_games::{AnyGame, ChangeError, Lang, Notation, Record, RulesFile, TextError};

/// Several games of one family, one of which each input chooses.
struct Variants(LazyLock<Vec<RulesFile>>);

impl Variants {
    /// The games that `read` returns, read when the first is needed.
    const fn new(read: fn() -> Vec<RulesFile>) -> Self {
        Self(LazyLock::new(read))
    }

    /// Reads a position of the game that the first byte of `data` chooses, and
    /// checks what comes of it.
    ///
    /// # Panics
    /// If a law does not hold.
    fn check(&self, data: &[u8]) {
        let Some((&choice, text)) = data.split_first() else { return };
        let Ok(text) = std::str::from_utf8(text) else { return };
        let rules = &self.0[usize::from(choice) % self.0.len()];
        match rules.game_at(text) {
            Ok(game) => check_start(&game),
            Err(error) => check_span(&error),
        }
        // On a board that is given, whatever board the text shows.
        if let Ok(game) = rules.game() {
            let game = game.erased();
            match game.parse(text) {
                Ok(position) => check(&game, &position),
                Err(error) => check_span(&error),
            }
        }
    }
}

/// Checks a game's start and every position one move on: that it is legal, that
/// its text reads back as the same position, and its canonical form as well.
fn check_start(game: &AnyGame) {
    let game = game.erased();
    let start = game.start();
    check(&game, &start);
    for mv in game.moves(&start) {
        assert!(!game.move_text(&start, mv).is_empty(), "a move without a text");
        check(&game, &game.play(&start, mv));
    }
}

fn check<G: Notation>(game: &G, position: &G::Position) {
    let text = game.text(position);
    assert!(game.is_legal(position), "{text} is not legal");
    let again =
        game.parse(&text).unwrap_or_else(|e| panic!("{text} does not read back: {e}; {}", e.explain(Lang::En).help));
    assert!(again == *position, "{text} reads back as {}", game.text(&again));
    let canonical = game.canonical(position);
    assert!(game.is_legal(&canonical), "the canonical form of {text} is not legal");
    assert!(game.canonical(&canonical) == canonical, "{text} has no canonical form");
}

/// Checks that an error points into the text that it is about.
///
/// # Panics
/// If it does not.
fn check_span(error: &TextError) {
    let TextError { text, span, .. } = error;
    assert!(text.get(span.clone()).is_some(), "{error} points at {span:?}");
}

static WALKERS: Variants = Variants::new(|| {
    let mut variants = Vec::new();
    for steps in ["\"orthogonal\"", "\"king\"", "\"queen\"", "[[1, 2], [-1, -2], [0, 3], [7, -63]]"] {
        for share in [true, false] {
            for torus in [true, false] {
                let text =
                    format!("family = \"walkers\"\nboard = \"3x4\"\nsteps = {steps}\nshare = {share}\ntorus = {torus}");
                variants.push(RulesFile::parse("fuzzed", &text).expect("rules"));
            }
        }
    }
    variants
});

/// Positions of walkers games: shared tiles or not, edges joined or not.
///
/// # Panics
/// If a law does not hold.
pub fn walkers_position(data: &[u8]) {
    WALKERS.check(data);
}

/// Each player has pieces of their own, some of which run out.
const PARTIZAN_SUPPLY: &str = r#"
family = "placement"
board = "3x4"
rotate = false
misere = true
supply = { A = 1, B = 15, D = 3 }
[left]
A = '###'
B = '#'
upright = '#/#'
[right]
D = '#/#/#'
flat = '##'
"#;

/// Pieces that run out, and one that does not.
const SOME_SUPPLY: &str = r#"
family = "placement"
board = "4x4"
reflect = false
supply = { L = 2, O = 1 }
[pieces]
L = '#./#./##'
O = '##/##'
domino = '##'
"#;

static PLACEMENT: Variants = Variants::new(|| {
    let presets = ["blockgame", "cram", "domineering", "pentominoes"].map(|name| preset(name).expect("a preset"));
    let own = [PARTIZAN_SUPPLY, SOME_SUPPLY].map(|text| RulesFile::parse("fuzzed", text));
    presets.into_iter().chain(own).map(|rules| rules.expect("rules")).collect()
});

/// Positions of placement games: the same pieces or each their own, running out
/// or not.
///
/// # Panics
/// If a law does not hold.
pub fn placement_position(data: &[u8]) {
    PLACEMENT.check(data);
}

static LINES: Variants = Variants::new(|| {
    let mut variants = Vec::new();
    for (board, k) in [("3x3", 3), ("6x7", 4), ("1x9", 2), ("4x4", 1)] {
        for gravity in [true, false] {
            for marks in ["own", "shared"] {
                for overlines in [true, false] {
                    let text = format!(
                        "family = \"lines\"\nboard = \"{board}\"\nk = {k}\ngravity = {gravity}\nmarks = \
                         \"{marks}\"\noverlines = {overlines}\nmisere = {}",
                        !overlines
                    );
                    variants.push(RulesFile::parse("fuzzed", &text).expect("rules"));
                }
            }
        }
    }
    variants
});

/// Positions of lines games: falling marks or not, shared or not, overlines
/// counting or not.
///
/// # Panics
/// If a law does not hold.
pub fn lines_position(data: &[u8]) {
    LINES.check(data);
}

/// Bytes of a rules file that is read; from larger ones nothing new is to be learnt.
const MAX_RULES_BYTES: usize = 4096;

/// Changes to a rules file.
const MAX_CHANGES: usize = 4;

/// Rules files, and changes to them: after a line `---`, each line is a size for
/// `--board` or a `key=value` for `--set`.
///
/// # Panics
/// If a law does not hold.
pub fn rules_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if text.len() > MAX_RULES_BYTES {
        return;
    }
    let (text, changes) = text.split_once("\n---\n").unwrap_or((text, ""));
    let mut rules = match RulesFile::parse("fuzzed", text) {
        Ok(rules) => rules,
        Err(error) => return check_span(&error),
    };
    check_rules(&rules);
    for change in changes.lines().take(MAX_CHANGES) {
        let changed = if change.contains('=') { rules.with_change(change) } else { rules.with_board(change) };
        match changed {
            Ok(changed) => rules = changed,
            Err(ChangeError::Text(error)) => check_span(&error),
            Err(_) => continue,
        }
        check_rules(&rules);
    }
}

/// That the rules make a game, and that their text is the same rules.
fn check_rules(rules: &RulesFile) {
    let game = rules.game().unwrap_or_else(|e| panic!("{e}: the game of\n{}", rules.text));
    check_start(&game);
    let again =
        RulesFile::parse(&rules.name, &rules.text).unwrap_or_else(|e| panic!("{e}: read again\n{}", rules.text));
    assert_eq!(again.about, rules.about);
    assert_eq!(again.game().map(|game| game.board()), Ok(game.board()));
}

/// The moves of a game as it was played, of every preset.
///
/// # Panics
/// If a law does not hold.
pub fn record(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let (name, _) = PRESETS[usize::from(choice) % PRESETS.len()];
    let game = preset(name).expect("a preset").expect("its rules").game().expect("its game");
    match Record::read(&game, text) {
        Ok(record) => {
            assert_eq!(record.positions.len(), record.moves.len() + 1);
            let again = Record::read(&game, &record.moves.join(";")).expect("the same moves");
            assert_eq!(again, record);
        }
        Err(error) => check_span(&error),
    }
}

/// Bytes of a file in the rules language that is read.
const MAX_LANGUAGE_BYTES: usize = 2048;

/// Plies of play from the start of a game in the rules language.
const MAX_PLIES: usize = 12;

/// Files in the rules language: those that are read are played at random, and keep the laws of games.
///
/// # Panics
/// If a law does not hold.
pub fn language_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if text.len() > MAX_LANGUAGE_BYTES {
        return;
    }
    let rules = match RulesFile::parse("fuzzed", text) {
        Ok(rules) => rules,
        Err(error) => return check_span(&error),
    };
    let game = rules.game().unwrap_or_else(|error| panic!("{error}: the game of\n{text}"));
    let Some(game) = game.downcast_ref::<BoardGame>() else { return };
    let mut random = SplitMix(data.len() as u64);
    let mut position = game.start();
    for _ in 0..MAX_PLIES {
        let written = game.text(&position);
        assert_eq!(game.parse(&written), Ok(position), "{written}, read again");
        let moves: Vec<_> = game.moves(&position).collect();
        if moves.is_empty() {
            break;
        }
        position = game.play(&position, moves[random.below(moves.len())]);
    }
    // Play that may repeat has no length to check.
    if !game.may_repeat()
        && let Err(broken) = laws::check_at(game, &position)
    {
        panic!("{broken}\n{text}");
    }
}
