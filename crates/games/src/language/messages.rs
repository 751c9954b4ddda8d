//! Errors in files of the rules language and in positions of their games, in words.

use crate::error::input_errors;
use crate::words::{Explanation, Lang, did_you_mean};

use super::parse::VERBS;

input_errors! {
    /// An error in a file of the rules language, or in a position of its game.
    Language: LanguageError {
        /// Something else than was expected in a sentence.
        Unexpected {
            /// The word found; empty at the end of the sentence.
            found: Box<str>,
            /// The form that was expected.
            expected: Expected,
        } => "language_word",
        /// No table of a player, or tables that do not belong together.
        Players => "language_players",
        /// A player who is not in the game.
        OtherPlayer {
            /// The name found.
            found: String,
        } => "language_other_player",
        /// A player without moves.
        NoMoves {
            /// The player.
            player: &'static str,
        } => "language_no_moves",
        /// A mirror of a player who has one, or a key beside a mirror.
        Mirror => "language_mirror",
        /// A character that cannot be a piece, or is one already.
        NoPiece {
            /// The text found.
            found: String,
        } => "language_no_piece",
        /// More kinds of pieces than there may be.
        TooManyPieces => "language_many_pieces",
        /// A word that is none of a list.
        NoneOf {
            /// The word found.
            found: Box<str>,
            /// The list.
            words: Vec<&'static str>,
        } => "language_none_of",
        /// A name of the file's own that is a word of the language.
        RegionName {
            /// The name.
            name: String,
        } => "language_region_name",
        /// A picture of a region that does not fit the board.
        Picture => "language_picture",
        /// Weights that do not fit the board.
        Weights => "language_weights",
        /// Weights with a larger sum than is allowed.
        HeavyBoard {
            /// The largest sum, without signs.
            max: u64,
        } => "language_heavy_board",
        /// A key that belongs to another kind of game.
        NotHere {
            /// The key.
            key: &'static str,
        } => "language_not_here",
        /// A board with nothing to move or place.
        EmptyBoard => "language_empty_board",
        /// More pieces in hand than a player may have.
        TooManyInHand {
            /// The largest number.
            max: u32,
        } => "language_many_in_hand",
        /// Captured pieces go to a hand, and pieces are placed without end.
        EndlessHand => "language_endless_hand",
        /// A character in hand that no player can have there.
        NoneInHand {
            /// The character.
            glyph: char,
        } => "language_none_in_hand",
        /// A sentence, or a condition, that never applies.
        Never {
            /// Whether it is a sentence of moves.
            is_move: bool,
        } => "language_never",
        /// Pieces in hand beside a start that names none.
        HandBesideStart => "language_hand_beside_start",
        /// A cell without a piece that can go on.
        CannotGoOn => "language_cannot_go_on",
    }
}

/// The words that were expected in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// A set of cells.
    Set,
    /// A set of cells that is the same in every position.
    Region,
    /// A direction.
    Direction,
    /// A piece.
    Piece,
    /// A number.
    Number,
    /// A number below this.
    NumberBelow(usize),
    /// A number from 1 to this.
    NumberUpTo(usize),
    /// A leap, as two numbers.
    Offset,
    /// A weight of a cell.
    Weight,
    /// A cell, as row and column.
    Cell,
    /// A sentence of moves.
    Sentence,
    /// A verb.
    Verb,
    /// A clause after a sentence.
    Clause,
    /// An effect after `then`.
    Effect,
    /// This word.
    Word(&'static str),
    /// The end of the sentence.
    End,
}

impl LanguageError {
    pub(super) fn new(found: &str, expected: Expected) -> Self {
        Self::Unexpected { found: found.into(), expected }
    }
}

/// Words that a set of cells can begin with.
const SET_WORDS: [&str; 24] = [
    "empty", "own", "enemy", "all", "not", "next to", "here", "origin", "attacked", "top", "bottom", "left", "right",
    "row", "column", "even", "odd", "edge", "corner", "white", "black", "adjacent", "diagonal", "queen",
];
const DIRECTION_WORDS: [&str; 11] = ["n", "ne", "e", "se", "s", "sw", "w", "nw", "adjacent", "diagonal", "queen"];
const CLAUSE_WORDS: [&str; 6] = ["then", "if", "unless", "when", "capturing", "repeatedly"];
const EFFECT_WORDS: [&str; 7] = ["leave", "flip", "shoot", "again", "go on", "one of", "collect"];

/// The words that have a meaning of their own. The checker of certificates has the same.
const RESERVED: &str = "n ne e se s sw w nw adjacent diagonal queen knight empty own enemy all top bottom left right row rows column \
    columns even odd cells edge corner here origin attacked next to of from not and on in or no at least most exactly a square \
    connects encloses every group touches hand move place drop step slide leap hop push sow along collect into pass one sum numbers onto \
    over capturing repeatedly then leave becomes flip shoot leaving again go if unless when otherwise white black x o b both";

/// Whether a word has a meaning of its own.
pub(super) fn is_word(word: &str) -> bool {
    RESERVED.split_whitespace().any(|other| other == word)
}

/// Explains an error.
pub(crate) fn explain(lang: Lang, error: &LanguageError) -> Explanation {
    let see = lang.pick("docs/language.md is the language", "규칙 언어는 docs/language.md에 있습니다");
    let (message, help) = match error {
        LanguageError::Unexpected { found, expected } => {
            let what = expected.explain(lang);
            let message = if found.is_empty() {
                lang.pick(
                    format!("the sentence ends where {what} was expected"),
                    format!("문장이 끝났습니다. {what} 있어야 합니다"),
                )
            } else {
                lang.pick(
                    format!("`{found}`, where {what} was expected"),
                    format!("`{found}`: 이 자리에는 {what} 있어야 합니다"),
                )
            };
            (message, did_you_mean(lang, found, expected.words()) + see)
        }
        LanguageError::Players => lang.pick(
            (
                "the players' tables do not make a game".to_owned(),
                "write [white] and [black], [x] and [o], [left] and [right], [a] and [b], or [both]".to_owned(),
            ),
            (
                "플레이어 표가 서로 맞지 않습니다".to_owned(),
                "[white]와 [black], [x]와 [o], [left]와 [right], [a]와 [b], 또는 [both]를 쓰세요".to_owned(),
            ),
        ),
        LanguageError::OtherPlayer { found } => lang.pick(
            (format!("`{found}` is not a player of this game"), "the players are the names of the tables".to_owned()),
            (format!("`{found}`: 이 게임에 없는 플레이어입니다"), "표의 이름이 곧 플레이어의 이름입니다".to_owned()),
        ),
        LanguageError::NoMoves { player } => lang.pick(
            (
                format!("[{player}] has no moves"),
                "give it `moves`, or `mirror` with the other player's name".to_owned(),
            ),
            (format!("[{player}]에 moves가 없습니다"), "moves를 쓰거나 mirror에 상대 이름을 적으세요".to_owned()),
        ),
        LanguageError::Mirror => lang.pick(
            (
                "a mirror of a mirror, or beside other rules".to_owned(),
                "one player has the rules, the other only `pieces` and `mirror`".to_owned(),
            ),
            (
                "mirror를 쓸 수 없는 자리입니다".to_owned(),
                "한쪽에 규칙을 쓰고, 다른 쪽에는 pieces와 mirror만 쓰세요".to_owned(),
            ),
        ),
        LanguageError::NoPiece { found } => lang.pick(
            (
                format!("`{found}` cannot be a piece here"),
                "a piece is a letter, a digit or one of * ~ - @ !, and belongs to one player".to_owned(),
            ),
            (
                format!("`{found}`: 말로 쓸 수 없는 글자입니다"),
                "말은 영문자, 숫자, * ~ - @ ! 가운데 하나이고, 두 사람이 같은 글자를 쓸 수 없습니다".to_owned(),
            ),
        ),
        LanguageError::TooManyPieces => lang.pick(
            ("more than 15 kinds of pieces".to_owned(), "there may be 15, the blocked cell `#` among them".to_owned()),
            ("말의 종류가 15가지를 넘습니다".to_owned(), "막힌 칸 `#`까지 15가지를 쓸 수 있습니다".to_owned()),
        ),
        LanguageError::NoneOf { found, words } => {
            let listed: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
            let help = did_you_mean(lang, found, words);
            lang.pick(
                (format!("`{found}` is none of {}", listed.join(", ")), help + see),
                (
                    format!("`{found}`: {} 가운데 하나여야 합니다", listed.join(", ")),
                    did_you_mean(lang, found, words) + see,
                ),
            )
        }
        LanguageError::RegionName { name } => lang.pick(
            (
                format!("`{name}` cannot be a name of your own"),
                "choose two or more small letters or `_`, a letter first, that are no word of the language and name nothing else".to_owned(),
            ),
            (
                format!("`{name}`: 이름으로 쓸 수 없습니다"),
                "소문자와 `_`로 두 글자 이상, 첫 글자는 소문자로 적으세요. 규칙 언어의 낱말과 플레이어, 다른 구역, 가중치의 이름은 쓸 수 없습니다".to_owned(),
            ),
        ),
        LanguageError::Picture => lang.pick(
            (
                "a picture of another size than the board".to_owned(),
                "write `x` and `.` in rows as long as the board's".to_owned(),
            ),
            ("그림의 크기가 판과 다릅니다".to_owned(), "판과 같은 크기로 `x`와 `.`을 행마다 적으세요".to_owned()),
        ),
        LanguageError::Weights => lang.pick(
            (
                "weights for another size than the board's".to_owned(),
                "write as many numbers in each row, and as many rows with `/` between them, as the board has; `1 2 ..` goes on to the end of its row".to_owned(),
            ),
            (
                "가중치의 개수가 판의 크기와 다릅니다".to_owned(),
                "판의 행마다 칸 수만큼 수를 적고 행 사이에 `/`를 쓰세요. `1 2 ..`는 행 끝까지 이어집니다".to_owned(),
            ),
        ),
        LanguageError::HeavyBoard { max } => lang.pick(
            (
                format!("weights that add up to more than {max} without their signs"),
                "divide all of them by the same number".to_owned(),
            ),
            (
                format!("가중치의 절댓값을 더한 합이 {max}보다 큽니다"),
                "모두 같은 수로 나누어 적으세요".to_owned(),
            ),
        ),
        LanguageError::NotHere { key } => lang.pick(
            (format!("`{key}` has no place in this game"), see.to_owned()),
            (format!("`{key}`: 이 게임에는 쓸 수 없습니다"), see.to_owned()),
        ),
        LanguageError::EmptyBoard => lang.pick(
            (
                "an empty board, on which nothing can be placed".to_owned(),
                "say by `setup` or `start` what stands on it".to_owned(),
            ),
            ("빈 판인데 놓을 수 있는 말이 없습니다".to_owned(), "setup이나 start로 처음 놓인 말을 적으세요".to_owned()),
        ),
        LanguageError::TooManyInHand { max } => lang.pick(
            (
                format!("more than {max} pieces"),
                format!("where pieces are taken in hand, there are at most {max} in all"),
            ),
            (format!("말이 {max}개를 넘습니다"), format!("말을 손에 쥐는 게임에서는 모두 {max}개까지입니다")),
        ),
        LanguageError::EndlessHand => lang.pick(
            (
                "captured pieces go to a hand, and pieces are placed from nowhere".to_owned(),
                "use `drop` in the place of `place`".to_owned(),
            ),
            ("잡은 말을 손에 쥐는데 말을 끝없이 놓을 수 있습니다".to_owned(), "place 대신 drop을 쓰세요".to_owned()),
        ),
        LanguageError::NoneInHand { glyph } => lang.pick(
            (format!("`{glyph}` cannot be in hand"), see.to_owned()),
            (format!("`{glyph}`: 손에 있을 수 없는 말입니다"), see.to_owned()),
        ),
        LanguageError::HandBesideStart => lang.pick(
            (
                "`start` names all pieces in hand, and these are not among them".to_owned(),
                "write them after the board, as in `start = \"... :ww\"`, or leave out `hand`".to_owned(),
            ),
            (
                "손에 든 말은 모두 `start`에 쓰는데 이 말은 거기에 없습니다".to_owned(),
                "`start = \"... :ww\"`처럼 판 뒤에 쓰거나 `hand`를 빼세요".to_owned(),
            ),
        ),
        LanguageError::Never { is_move: true } => lang.pick(
            (
                "this sentence never gives a move, whatever is played".to_owned(),
                "look at its pieces, its cells and its conditions; `#` and `.` are cells, too".to_owned(),
            ),
            (
                "어떻게 두어도 이 문장대로 움직일 수 없습니다".to_owned(),
                "말과 칸과 조건을 살펴보세요. `#`과 `.`도 칸입니다".to_owned(),
            ),
        ),
        LanguageError::Never { is_move: false } => lang.pick(
            (
                "this condition never holds, whatever is played".to_owned(),
                "look at its pieces and its cells".to_owned(),
            ),
            ("어떻게 두어도 이 조건은 맞지 않습니다".to_owned(), "말과 칸을 살펴보세요".to_owned()),
        ),
        LanguageError::CannotGoOn => lang.pick(
            ("no piece can go on from there".to_owned(), see.to_owned()),
            ("거기서 이어서 움직일 수 있는 말이 없습니다".to_owned(), see.to_owned()),
        ),
    };
    Explanation { message, help }
}

impl Expected {
    /// Returns the words that may be meant.
    const fn words(&self) -> &'static [&'static str] {
        match self {
            Self::Set | Self::Region => &SET_WORDS,
            Self::Direction => &DIRECTION_WORDS,
            Self::Sentence | Self::Verb => &VERBS,
            Self::Clause => &CLAUSE_WORDS,
            Self::Effect => &EFFECT_WORDS,
            _ => &[],
        }
    }

    /// Names what was expected; in Korean with its particle.
    fn explain(&self, lang: Lang) -> String {
        let (en, ko) = match self {
            Self::Set => ("a set of cells", "칸의 집합이"),
            Self::Region => ("a set of cells that is always the same", "언제나 같은 칸의 집합이"),
            Self::Direction => ("a direction", "방향이"),
            Self::Piece => ("a piece", "말이"),
            Self::Number => ("a number", "수가"),
            Self::NumberBelow(n) => {
                return lang.pick(format!("a number below {n}"), format!("{n}보다 작은 수가"));
            }
            Self::NumberUpTo(n) => {
                return lang.pick(format!("a number from 1 to {n}"), format!("1부터 {n}까지의 수가"));
            }
            Self::Offset => ("a leap such as 1,2", "1,2와 같은 도약이"),
            Self::Weight => {
                ("a whole number, or `..` after two numbers at the end of a row", "정수나, 행 끝에서 두 수 뒤의 `..`이")
            }
            Self::Cell => ("a cell of the board such as 0,2", "0,2와 같은 판의 칸이"),
            Self::Sentence => {
                ("a piece, `place`, `drop`, `push`, `sow` or `pass`", "말이나 `place`, `drop`, `push`, `sow`, `pass`가")
            }
            Self::Verb => ("`step`, `slide`, `leap` or `hop`", "`step`, `slide`, `leap`, `hop`이"),
            Self::Clause => (
                "`then`, `if`, `unless`, `when`, or after a hop `capturing` or `repeatedly`",
                "`then`, `if`, `unless`, `when`, 또는 hop 뒤의 `capturing`, `repeatedly`가",
            ),
            Self::Effect => (
                "`leave`, `flip`, `shoot`, `again`, `go on`, `one of`, `collect`, or a set of cells and `becomes`",
                "`leave`, `flip`, `shoot`, `again`, `go on`, `one of`, `collect`, 또는 칸의 집합과 `becomes`가",
            ),
            Self::Word(word) => return lang.pick(format!("`{word}`"), format!("`{word}`이(가)")),
            Self::End => ("the end of the sentence", "문장의 끝이"),
        };
        lang.pick(en, ko).to_owned()
    }
}
