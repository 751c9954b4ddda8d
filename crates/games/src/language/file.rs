//! Files of the rules language: their keys, and what they mean on one board.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use toml::Spanned;

use super::derive::{layer, symmetries};
use super::geometry::{Geometry, SHAPES, Shape};
use super::messages::{self, Expected, LanguageError};
use super::parse::{self, ABSENT, BLOCKED, ParseError, Pieces, Scope};
use super::rules::{
    Action, BoardRules, Conditions, EMPTY, Effect, Kind, MAX_IN_HAND, MAX_KINDS, PlayerRules, STUCK, Sentence, Stuck,
};
use super::{BoardGame, Compiled, MAX_CELLS, MAX_PLANES, NO_CELL, Position, is_wide};
use crate::any::AnyGame;
use crate::board::{Board, CellSet};
use crate::notation::PlayerName;
use crate::registry::{Family, FamilyRules};
use crate::rules::{RulesFile, RulesSource, Text};
use crate::text::TextError;

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "language",
    keys: &[
        "family", "about", "about_ko", "board", "setup", "start", "shape", "edges", "first", "stuck", "draws", "score",
        "numbers", "regions", "weights", "white", "black", "x", "o", "left", "right", "a", "b", "both",
    ],
    required: &[],
    read: &read,
    presets: &[],
};

/// The pairs of players that a file may have.
const PAIRS: [[(&str, PlayerName); 2]; 4] = [
    [("white", PlayerName::White), ("black", PlayerName::Black)],
    [("x", PlayerName::X), ("o", PlayerName::O)],
    [("left", PlayerName::Left), ("right", PlayerName::Right)],
    [("a", PlayerName::A), ("b", PlayerName::B)],
];

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keys {
    #[serde(rename = "family")]
    _family: Option<String>,
    about: Option<String>,
    about_ko: Option<String>,
    board: Option<Text>,
    #[serde(default)]
    setup: Vec<Text>,
    start: Option<Text>,
    shape: Option<Text>,
    #[serde(default)]
    pub(super) edges: Vec<Text>,
    first: Option<Text>,
    stuck: Option<Text>,
    #[serde(default)]
    pub(super) draws: Vec<Text>,
    pub(super) score: Option<Text>,
    pub(super) numbers: Option<u32>,
    #[serde(default)]
    regions: BTreeMap<Text, Text>,
    #[serde(default)]
    weights: BTreeMap<Text, Text>,
    white: Option<Spanned<PlayerKeys>>,
    black: Option<Spanned<PlayerKeys>>,
    x: Option<Spanned<PlayerKeys>>,
    o: Option<Spanned<PlayerKeys>>,
    left: Option<Spanned<PlayerKeys>>,
    right: Option<Spanned<PlayerKeys>>,
    a: Option<Spanned<PlayerKeys>>,
    b: Option<Spanned<PlayerKeys>>,
    both: Option<Spanned<PlayerKeys>>,
}

/// The table of a player.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayerKeys {
    pub(super) pieces: Option<Text>,
    #[serde(default)]
    pub(super) moves: Vec<Text>,
    #[serde(default)]
    pub(super) wins: Vec<Text>,
    #[serde(default)]
    pub(super) loses: Vec<Text>,
    #[serde(default)]
    pub(super) hand: BTreeMap<Text, Spanned<u32>>,
    #[serde(default)]
    pub(super) captures: BTreeMap<Text, Text>,
    pub(super) mirror: Option<Text>,
}

/// A file: its keys, and its players.
#[derive(Clone)]
pub(super) struct LanguageFile {
    name: String,
    text: String,
    pub(super) keys: Keys,
    /// The players' tables; one where both have the same moves.
    pub(super) tables: Vec<PlayerKeys>,
    /// The names of the two players in the file and in answers; none where both have the same moves.
    pub(super) players: Option<[(&'static str, PlayerName); 2]>,
    pieces: Pieces,
    pub(super) shape: Shape,
    pub(super) stuck: Stuck,
    pub(super) second_begins: bool,
    /// The player whose rules are the other's, seen from the other side.
    mirrored: Option<usize>,
    /// Whether there is a `start`, without pieces in hand.
    starts_without_hand: bool,
}

impl fmt::Debug for LanguageFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LanguageFile").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The rules for one board.
#[derive(Debug)]
struct CompiledFor {
    board: Board,
    /// The cells that the board lacks.
    absent: u128,
    /// A [`Compiled`] for the word that has room for the board.
    rules: Arc<dyn Any + Send + Sync>,
}

/// The rules of a file, for any board.
#[derive(Debug)]
pub(super) struct LanguageRules {
    pub(super) file: Arc<LanguageFile>,
    /// The rules for the board that was asked for last.
    last: Mutex<Option<CompiledFor>>,
}

/// Reads a rules file.
fn read(source: RulesSource<'_>) -> Result<RulesFile, TextError> {
    let mut keys: Keys = source.read()?;
    let (about, about_ko) = (keys.about.take(), keys.about_ko.take().unwrap_or_default());
    let (board, start) = (keys.board.take(), keys.start.take());
    let file = LanguageFile::read(source, keys, start.as_ref())?;
    let mut rules = source.rules_file(
        about,
        LanguageRules { file: Arc::new(file), last: Mutex::default() },
        board.as_ref(),
        start.as_ref(),
    )?;
    rules.game()?;
    rules.about_ko = about_ko;
    Ok(rules)
}

/// Finds the value of a word in a list of names.
fn one_of<T: Copy>(source: RulesSource<'_>, word: &Text, list: &[(&'static str, T)]) -> Result<T, TextError> {
    let found = list.iter().find(|(name, _)| name == word.get_ref());
    let none = || LanguageError::NoneOf {
        found: word.get_ref().as_str().into(),
        words: list.iter().map(|(name, _)| *name).collect(),
    };
    found.map(|(_, value)| *value).ok_or_else(|| source.error(word.span(), none()))
}

impl LanguageFile {
    /// Reads what does not depend on the board.
    fn read(source: RulesSource<'_>, mut keys: Keys, start: Option<&Text>) -> Result<Self, TextError> {
        let mut named = [
            keys.white.take(),
            keys.black.take(),
            keys.x.take(),
            keys.o.take(),
            keys.left.take(),
            keys.right.take(),
            keys.a.take(),
            keys.b.take(),
        ];
        let given: Vec<_> = (0..named.len()).filter(|at| named[*at].is_some()).collect();
        let (players, tables) = match (&*given, keys.both.take()) {
            ([], Some(both)) => (None, vec![both]),
            ([one, other], None) if one / 2 == other / 2 => {
                (Some(PAIRS[one / 2]), [*one, *other].into_iter().filter_map(|at| named[at].take()).collect())
            }
            (_, both) => {
                let extra = named.into_iter().flatten().chain(both).next_back();
                let span = extra.map_or(0..0, |table| table.span().start..table.span().start);
                return Err(source.error(span, LanguageError::Players));
            }
        };
        let spans: Vec<_> = tables.iter().map(Spanned::span).collect();
        let tables: Vec<_> = tables.into_iter().map(Spanned::into_inner).collect();
        let player_named = |name: &Text| {
            let player = players.and_then(|pair| pair.iter().position(|(player, _)| player == name.get_ref()));
            player
                .ok_or_else(|| source.error(name.span(), LanguageError::OtherPlayer { found: name.get_ref().clone() }))
        };
        let mut mirrored = None;
        for (n, table) in tables.iter().enumerate() {
            let name = players.map_or("both", |pair| pair[n].0);
            match &table.mirror {
                None if table.moves.is_empty() => {
                    return Err(source.error(spans[n].start..spans[n].start, LanguageError::NoMoves { player: name }));
                }
                None => {}
                Some(other) => {
                    let has_rules = !(table.moves.is_empty()
                        && table.wins.is_empty()
                        && table.loses.is_empty()
                        && table.hand.is_empty()
                        && table.captures.is_empty());
                    if player_named(other)? == n || mirrored.is_some() || has_rules {
                        return Err(source.error(other.span(), LanguageError::Mirror));
                    }
                    mirrored = Some(n);
                }
            }
        }
        if let (None, Some(score)) = (players, &keys.score) {
            return Err(source.error(score.span(), LanguageError::NotHere { key: "score" }));
        }
        let shape = keys.shape.as_ref().map_or(Ok(Shape::Grid), |shape| one_of(source, shape, &SHAPES))?;
        if let (true, Some(edges)) = (shape != Shape::Graph, keys.edges.first()) {
            return Err(source.error(edges.span(), LanguageError::NotHere { key: "edges" }));
        }
        let default = if keys.score.is_some() { Stuck::Scores } else { Stuck::Loses };
        let stuck = keys.stuck.as_ref().map_or(Ok(default), |stuck| one_of(source, stuck, &STUCK))?;
        if let (Stuck::Scores, None, Some(stuck)) = (stuck, &keys.score, &keys.stuck) {
            return Err(source.error(stuck.span(), LanguageError::NotHere { key: "stuck" }));
        }
        let second_begins = keys.first.as_ref().map_or(Ok(0), player_named)? == 1;
        let pieces = read_pieces(source, &tables, &keys, start)?;
        let (name, text) = (source.name().to_owned(), source.text().to_owned());
        let starts_without_hand = start.is_some_and(|start| !start.get_ref().contains(':'));
        Ok(Self {
            name,
            text,
            keys,
            tables,
            players,
            pieces,
            shape,
            stuck,
            second_begins,
            mirrored,
            starts_without_hand,
        })
    }

    /// Returns the characters of a cell.
    pub(super) fn cell_glyphs(&self) -> String {
        self.pieces.glyphs.iter().chain([&ABSENT]).collect()
    }

    fn source(&self) -> RulesSource<'_> {
        RulesSource::new(&self.name, &self.text, &FAMILY)
    }

    /// Turns an error in a sentence into one of the file.
    fn error(&self, sentence: &Text, (span, error): ParseError) -> TextError {
        let inner = TextError::in_position(sentence.get_ref(), span, error);
        self.source().error_in(sentence, inner)
    }

    /// Compiles the rules for a board without the `absent` cells, from an empty board.
    pub(super) fn compile<W: CellSet>(self: &Arc<Self>, board: Board, absent: W) -> Result<Compiled<W>, TextError> {
        let edge = |text: &Text| {
            let end = text.get_ref().len();
            match parse::cells(board, text.get_ref()) {
                Ok(cells) if cells.len() < 2 => Err((end..end, LanguageError::new("", Expected::Cell))),
                read => read,
            }
            .map_err(|error| self.error(text, error))
        };
        let edges = self.keys.edges.iter().map(edge);
        let geometry = Geometry::new(board, self.shape, absent, edges.collect::<Result<_, _>>()?);
        let mut regions = Vec::new();
        let names = self.players.map(|pair| pair.map(|(name, _)| name));
        let scope = |regions, weights| Scope {
            geometry: &geometry,
            pieces: &self.pieces,
            regions,
            weights,
            players: names,
            me: None,
            is_mirrored: false,
        };
        for (name, region) in &self.keys.regions {
            let cells = self.region(scope(&[], &[]), board, region)?;
            self.check_name(name, scope(&[], &[]))?;
            regions.push((name.get_ref().clone(), cells));
        }
        let mut weights = Vec::new();
        for (name, numbers) in &self.keys.weights {
            self.check_name(name, scope(&regions, &[]))?;
            let read = parse::weights(board, numbers.get_ref()).map_err(|error| self.error(numbers, error))?;
            weights.push((name.get_ref().clone(), read));
        }
        let scope = scope(&regions, &weights);
        let all = |texts: &[Text], scope: Scope<'_, W>| {
            let read = |text: &Text| parse::conditions(scope, text.get_ref()).map_err(|e| self.error(text, e));
            texts.iter().map(read).collect::<Result<Vec<Conditions<W>>, _>>()
        };
        let mut players = Vec::new();
        for player in 0..self.tables.len() {
            let is_mirrored = self.mirrored == Some(player);
            let table = &self.tables[if is_mirrored { 1 - player } else { player }];
            let scope = Scope { me: Some(player), is_mirrored, ..scope };
            let sentence = |text: &Text| parse::sentence(scope, text.get_ref()).map_err(|e| self.error(text, e));
            let mut rules = PlayerRules {
                kinds: self.pieces.set(player),
                sentences: table.moves.iter().map(sentence).collect::<Result<_, _>>()?,
                wins: all(&table.wins, scope)?,
                loses: all(&table.loses, scope)?,
                ..PlayerRules::default()
            };
            for (taken, becomes) in &table.captures {
                let (taken, becomes) = (self.kind(taken, is_mirrored)?, self.kind(becomes, is_mirrored)?);
                rules.captures[usize::from(taken)] = becomes;
            }
            rules.is_ambiguous = parse::is_ambiguous(&rules, board);
            players.push(rules);
        }
        let score = |text: &Text| parse::score(scope, text.get_ref()).map_err(|e| self.error(text, e));
        let score = self.keys.score.as_ref().map(score).transpose()?;
        let mut hand: Vec<Kind> =
            players.iter().flat_map(|player| player.captures).filter(|kind| *kind != EMPTY).collect();
        for (player, table) in self.tables.iter().enumerate() {
            let is_mirrored = self.mirrored == Some(player);
            let table = if is_mirrored { &self.tables[1 - player] } else { table };
            for glyph in table.hand.keys() {
                hand.push(self.kind(glyph, is_mirrored)?);
            }
        }
        let dropped = |action: &Action<W>| matches!(action, Action::Place { from_hand: true, .. });
        for sentence in players.iter().flat_map(|player| &player.sentences).filter(|sentence| dropped(&sentence.action))
        {
            hand.extend(&sentence.kinds);
        }
        hand.sort_unstable();
        hand.dedup();
        let kinds = self.pieces.glyphs.len();
        let rules = BoardRules {
            cells: geometry.cells,
            planes: kinds.next_power_of_two().trailing_zeros().max(1) as usize,
            players,
            draws: all(&self.keys.draws, scope)?,
            score,
            stuck: self.stuck,
            hand,
            numbers: self.pieces.numbers(self.pieces.largest),
        };
        let keeps = |effect: &Effect<W>| matches!(effect, Effect::Again(..));
        let keeps_turn = rules.sentences().any(|sentence| sentence.effects.iter().any(keeps));
        let goes_on = rules.sentences().any(Sentence::goes_on);
        let symmetries = symmetries(&geometry, &rules, self.pieces.exchanged());
        let layer = layer(&geometry, &rules, self.pieces.kind_of(BLOCKED), &symmetries);
        let second_to_move = self.second_begins;
        let empty = Position { second_to_move, end: 0, going: NO_CELL, planes: [W::zero(); MAX_PLANES], hand: 0 };
        let mut compiled = Compiled {
            file: Arc::clone(self),
            glyphs: self.pieces.glyphs.clone(),
            cell_glyphs: self.pieces.glyphs.iter().collect(),
            geometry,
            regions,
            weights,
            rules,
            empty,
            second_begins: self.second_begins,
            keeps_turn,
            goes_on,
            symmetries,
            layer,
            blocked: self.pieces.kind_of(BLOCKED).unwrap_or(EMPTY),
            is_ranked: false,
            is_uniform: false,
            has_parts: false,
            touching: Vec::new(),
        };
        compiled.touching = compiled.touching_groups();
        compiled.has_parts = compiled.has_parts(compiled.blocked);
        compiled.is_uniform = compiled.is_uniform();
        compiled.is_ranked = compiled.is_sum() && compiled.rules.sentences().all(|sentence| sentence.tests.is_empty());
        for (player, table) in self.tables.iter().enumerate() {
            let is_mirrored = self.mirrored == Some(player);
            let table = if is_mirrored { &self.tables[1 - player] } else { table };
            for (glyph, count) in &table.hand {
                if *count.get_ref() > MAX_IN_HAND {
                    return Err(self.source().error(count.span(), LanguageError::TooManyInHand { max: MAX_IN_HAND }));
                }
                for _ in 0..*count.get_ref() {
                    let kind = self.kind(glyph, is_mirrored)?;
                    compiled.rules.change_hand(&mut compiled.empty, kind, true);
                }
            }
        }
        Ok(compiled)
    }

    /// Returns a warning about each sentence that never gives a move from the first position, and each condition that never
    /// holds, whatever is played.
    fn warnings<W: CellSet>(&self, game: &BoardGame<W>) -> Vec<TextError> {
        let BoardGame(game, start) = game;
        let (mut future, mut found) = (game.future(start), Vec::new());
        let mut warn = |texts: &[Text], may_be: Vec<bool>, is_move: bool| {
            for (text, _) in texts.iter().zip(may_be).filter(|(_, may_be)| !may_be) {
                found.push(self.error(text, (0..text.get_ref().len(), LanguageError::Never { is_move })));
            }
        };
        for (player, table) in self.tables.iter().enumerate().filter(|(player, _)| self.mirrored != Some(*player)) {
            let mut may_be = |player: usize| {
                let PlayerRules { wins, loses, .. } = &game.rules.players[player];
                [future.may_apply(player), future.may_hold(wins), future.may_hold(loses)]
            };
            let [mut moves, mut wins, mut loses] = may_be(player);
            // A piece that the other player's mirror can use is of use.
            if let Some(other) = self.mirrored {
                for (all, others) in [&mut moves, &mut wins, &mut loses].into_iter().zip(may_be(other)) {
                    all.iter_mut().zip(others).for_each(|(one, other)| *one |= other);
                }
            }
            warn(&table.moves, moves, true);
            warn(&table.wins, wins, false);
            warn(&table.loses, loses, false);
        }
        warn(&self.keys.draws, future.may_hold(&game.rules.draws), false);
        if self.starts_without_hand {
            let hands = self.tables.iter().flat_map(|table| table.hand.keys());
            found.extend(hands.map(|piece| self.source().error(piece.span(), LanguageError::HandBesideStart)));
        }
        found
    }

    /// Reads a piece in a table of hands or captures.
    fn kind(&self, glyph: &Text, is_mirrored: bool) -> Result<Kind, TextError> {
        let kind = parse::single_char(glyph.get_ref()).and_then(|glyph| self.pieces.kind_of(glyph));
        let none = || LanguageError::NoPiece { found: glyph.get_ref().clone() };
        let kind = kind.filter(|kind| *kind != EMPTY).ok_or_else(|| self.source().error(glyph.span(), none()))?;
        Ok(self.pieces.exchanged().filter(|_| is_mirrored).map_or(kind, |kinds| kinds[usize::from(kind)]))
    }

    /// Returns an error if a name of the file's own has a meaning already.
    fn check_name<W: CellSet>(&self, name: &Text, scope: Scope<'_, W>) -> Result<(), TextError> {
        let text = name.get_ref();
        let is_word = messages::is_word(text) || parse::region(scope, text).is_ok();
        if !is_word
            && text.chars().count() > 1
            && !text.starts_with('_')
            && text.chars().all(|glyph| glyph.is_ascii_lowercase() || glyph == '_')
        {
            return Ok(());
        }
        Err(self.source().error(name.span(), LanguageError::RegionName { name: text.clone() }))
    }

    /// Reads a region: a picture, a list of cells, or a set that is the same in every position.
    fn region<W: CellSet>(&self, scope: Scope<'_, W>, board: Board, region: &Text) -> Result<W, TextError> {
        let text = region.get_ref();
        if text.split_whitespace().all(|word| word.split_once(',').is_some_and(|(row, _)| row.parse::<u8>().is_ok())) {
            let cells = parse::cells(board, text).map_err(|error| self.error(region, error))?;
            return Ok(W::of_cells(cells.into_iter().map(usize::from)));
        }
        if text.chars().all(|glyph| matches!(glyph, 'x' | '.' | '_' | '/')) {
            let rows: Vec<_> = text.split('/').collect();
            if rows.len() != board.rows() || rows.iter().any(|row| row.len() != board.cols()) {
                return Err(self.source().error(region.span(), LanguageError::Picture));
            }
            let marks = rows.iter().flat_map(|row| row.chars()).enumerate().filter(|(_, glyph)| *glyph == 'x');
            return Ok(W::of_cells(marks.map(|(cell, _)| cell)));
        }
        parse::region(scope, text).map_err(|error| self.error(region, error))
    }
}

impl LanguageRules {
    /// Returns the rules for a board without the `absent` cells, compiled unless they were asked for last.
    pub(super) fn compiled<W: CellSet>(&self, board: Board, absent: W) -> Result<Arc<Compiled<W>>, TextError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(CompiledFor { board: of, absent: without, rules }) = &*last
            && (*of, *without) == (board, absent.into())
            && let Ok(rules) = Arc::clone(rules).downcast()
        {
            return Ok(rules);
        }
        let compiled = Arc::new(self.file.compile(board, absent)?);
        *last = Some(CompiledFor { board, absent: absent.into(), rules: Arc::<Compiled<W>>::clone(&compiled) });
        Ok(compiled)
    }

    /// Returns the game from the file's first position on a board.
    fn on<W: CellSet>(&self, board: Board) -> Result<BoardGame<W>, TextError> {
        let file = &self.file;
        let mut absent = W::zero();
        loop {
            let compiled = self.compiled(board, absent)?;
            let (mut start, mut more) = (compiled.empty, absent);
            for sentence in &file.keys.setup {
                let scope = Scope {
                    geometry: &compiled.geometry,
                    pieces: &file.pieces,
                    regions: &compiled.regions,
                    weights: &[],
                    players: None,
                    me: None,
                    is_mirrored: false,
                };
                let read = parse::setup(scope, sentence.get_ref()).map_err(|error| file.error(sentence, error))?;
                match read {
                    (None, cells) => more |= cells,
                    (Some(kind), cells) => compiled.rules.put(&mut start, cells & !more, kind),
                }
            }
            if more != absent {
                // Pieces on cells that do not exist are known only now.
                absent = more;
                continue;
            }
            let has_pieces = start.planes != [W::zero(); MAX_PLANES];
            let places = |action: &Action<W>| matches!(action, Action::Place { .. } | Action::Push { .. });
            if !has_pieces && !compiled.rules.sentences().any(|sentence| places(&sentence.action)) {
                return Err(file.source().error(0..0, LanguageError::EmptyBoard));
            }
            file.check_hands(&compiled, &start).map_err(|error| file.source().error(0..0, error))?;
            let start = compiled.judged(start);
            return Ok(BoardGame(compiled, start));
        }
    }
}

impl LanguageFile {
    /// Returns an error if a player could have more pieces in hand than there is room for.
    pub(super) fn check_hands<W: CellSet>(
        &self,
        game: &Compiled<W>,
        position: &Position<W>,
    ) -> Result<(), LanguageError> {
        let rules = &game.rules;
        if rules.players.iter().all(|player| player.captures == [EMPTY; MAX_KINDS]) {
            return Ok(());
        }
        let places =
            |action: &Action<W>| matches!(action, Action::Place { from_hand: false, .. } | Action::Push { .. });
        if rules.sentences().any(|sentence| places(&sentence.action)) {
            return Err(LanguageError::EndlessHand);
        }
        let on_board = (rules.cells & !rules.holding(position, 1 << EMPTY)).count_ones();
        let in_hand: u32 = rules.hand.iter().map(|kind| rules.in_hand(position, *kind)).sum();
        if on_board + in_hand > MAX_IN_HAND {
            return Err(LanguageError::TooManyInHand { max: MAX_IN_HAND });
        }
        Ok(())
    }
}

/// Reads the players' pieces, and finds those that are nobody's.
fn read_pieces(
    source: RulesSource<'_>,
    tables: &[PlayerKeys],
    keys: &Keys,
    start: Option<&Text>,
) -> Result<Pieces, TextError> {
    let mut players: Vec<Vec<char>> = Vec::new();
    for table in tables {
        let mut own = Vec::new();
        for glyph in
            table.pieces.iter().flat_map(|pieces| pieces.get_ref().chars().filter(|glyph| !glyph.is_whitespace()))
        {
            let is_taken = own.contains(&glyph) || players.iter().flatten().any(|other| *other == glyph);
            if is_taken || !is_piece(glyph) {
                let span = table.pieces.as_ref().map_or(0..0, Spanned::span);
                return Err(source.error(span, LanguageError::NoPiece { found: glyph.into() }));
            }
            own.push(glyph);
        }
        players.push(own);
    }
    let sentences = tables.iter().flat_map(|table| &table.moves);
    let placed = sentences.flat_map(|sentence| parse::placed_glyphs(sentence.get_ref()));
    let setup = keys.setup.iter().filter_map(|text| parse::single_char(text.get_ref().split_whitespace().next()?));
    let start = start.iter().flat_map(|text| text.get_ref().split_whitespace().next()).flat_map(str::chars);
    let mut neutral: Vec<char> =
        placed.chain(setup).chain(start.filter(|glyph| *glyph != '/')).filter(|g| is_piece(*g)).collect();
    let largest = keys.numbers.unwrap_or(0);
    neutral.extend((1..=largest.min(MAX_KINDS as u32)).filter_map(|number| char::from_digit(number, 36)));
    neutral.sort_unstable();
    neutral.dedup();
    neutral.retain(|glyph| !players.iter().flatten().any(|other| other == glyph));
    neutral.push(BLOCKED);
    if players.iter().map(Vec::len).sum::<usize>() + neutral.len() >= MAX_KINDS {
        return Err(source.error(0..0, LanguageError::TooManyPieces));
    }
    Ok(Pieces::new(&players, &neutral, largest))
}

/// Whether a character may be a piece.
const fn is_piece(glyph: char) -> bool {
    glyph.is_ascii_alphanumeric() || matches!(glyph, '*' | '~' | '-' | '@' | '!')
}

impl FamilyRules for LanguageRules {
    fn max_cells(&self) -> usize {
        MAX_CELLS
    }

    fn game_on(&self, board: Board) -> Result<AnyGame, TextError> {
        if is_wide(board) { Ok(self.on::<u128>(board)?.into()) } else { Ok(self.on::<u64>(board)?.into()) }
    }

    fn game_at(&self, _board: Board, text: &str) -> Result<AnyGame, TextError> {
        self.at(text)
    }

    fn warnings(&self, game: &AnyGame) -> Vec<TextError> {
        let wide = || Some(self.file.warnings(game.downcast_ref::<BoardGame<u128>>()?));
        game.downcast_ref::<BoardGame>().map(|game| self.file.warnings(game)).or_else(wide).unwrap_or_default()
    }
}
