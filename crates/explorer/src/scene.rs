//! Parses a URL into a game, its history and the view of its position.

use axum::http::StatusCode;
use balpan::Game;
use balpan_games::placement::{self, Piece, Pieces};
use balpan_games::{AnyGame, Board, FamilyRules, Notation, RulesFile, Task};

use crate::asked::{game_from, preset_named, rules_changed};
use crate::link::Link;
use crate::refusal::Refusal;
use crate::words::players::{Name, name, name_by_way};
use crate::words::{Lang, refusal as say};

/// Moves of the longest history: what a request may take before it is solved has to be little.
const MOST_MOVES: usize = 256;

/// A game as a URL tells it, and where its history has led.
pub(crate) struct Scene {
    pub(crate) link: Link,
    /// The rules, changed as the URL says.
    pub(crate) rules: RulesFile,
    /// The game, from the position that is shown.
    pub(crate) game: AnyGame,
    pub(crate) view: View,
    /// The moves played.
    pub(crate) history: Vec<Played>,
}

/// A move of the history.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) text: String,
    /// The cells that it marked.
    pub(crate) cells: u128,
    /// Of the last move, the cells that it has closed.
    pub(crate) left: u128,
}

/// What can be seen of a position, for every family.
pub(crate) struct View {
    /// Its text.
    pub(crate) position: String,
    /// The player to move, and the other.
    pub(crate) players: [&'static str; 2],
    pub(crate) over: bool,
    pub(crate) board: Option<BoardView>,
    /// The sizes of the heaps, where there is no board.
    pub(crate) heaps: Vec<u16>,
    pub(crate) moves: Vec<MoveView>,
}

pub(crate) struct BoardView {
    pub(crate) board: Board,
    /// What stands on each cell.
    pub(crate) glyphs: Vec<char>,
    /// The number that moves give the leftmost column.
    pub(crate) first_column: usize,
}

/// A move that can be made.
pub(crate) struct MoveView {
    pub(crate) text: String,
    /// The cells that it goes to, covers or marks.
    pub(crate) cells: u128,
}

impl Scene {
    /// What `link` shows.
    pub(crate) fn new(link: Link) -> Result<Self, Refusal> {
        let rules = rules(&link)?;
        let begin = game_from(&rules, link.at.as_deref())?;
        if link.moves.len() > MOST_MOVES {
            let words = |lang| say::long_history(lang, link.moves.len(), MOST_MOVES);
            return Err(Refusal::told(StatusCode::BAD_REQUEST, words));
        }
        let (history, position) = begin.run(Replay { moves: &link.moves })?;
        let game = if history.is_empty() { begin } else { rules.game_at(&position)? };
        let view = view(&game);
        Ok(Self { link, rules, game, view, history })
    }

    /// The number, 0 or 1, of the player to move: 0 is who was to move where the history
    /// begins.
    pub(crate) fn turn(&self) -> usize {
        self.history.len() % 2
    }
}

/// The rules that a URL tells.
pub(crate) fn rules(link: &Link) -> Result<RulesFile, Refusal> {
    rules_changed(preset_named(&link.game)?, &link.sets())
}

/// Does work that takes a while on a thread of its own, so that others are answered.
pub(crate) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Refusal::busy()))
}

/// Plays moves by their texts: the moves, and the position that they lead to.
struct Replay<'a> {
    moves: &'a [String],
}

impl Task for Replay<'_> {
    type Output = Result<(Vec<Played>, String), Refusal>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let mut position = game.start();
        let mut history = Vec::with_capacity(self.moves.len());
        for (n, text) in self.moves.iter().enumerate() {
            let found = game.moves(&position).find(|mv| game.move_text(&position, *mv) == *text);
            let mv = found.ok_or_else(|| {
                let legal: Vec<_> = game.moves(&position).take(8).map(|mv| game.move_text(&position, mv)).collect();
                Refusal::told(StatusCode::BAD_REQUEST, |lang| say::illegal_move(lang, text, n + 1, &legal.join("; ")))
            })?;
            let next = game.play(&position, mv);
            let left = if n + 1 == self.moves.len() { closed(game, &position, &next) } else { 0 };
            history.push(Played { text: text.clone(), cells: game.marked(&position, mv), left });
            position = next;
        }
        Ok((history, game.text(&position)))
    }
}

/// The cells that were open, and are not any more.
fn closed<G: Notation>(game: &G, before: &G::Position, after: &G::Position) -> u128 {
    let is_closed = |position: &G::Position, cell| game.glyph(position, cell) == '#';
    let cells = 0..game.board().map_or(0, |board| board.cells());
    cells.filter(|cell| !is_closed(before, *cell) && is_closed(after, *cell)).fold(0, |cells, cell| cells | 1 << cell)
}

/// The name of a player of the game, who was (`turn` 0) or was not to move where the history begins.
pub(crate) fn name_in(lang: Lang, game: &AnyGame, player: &str, turn: usize) -> Name {
    fn is_by_way(rules: &placement::Rules) -> bool {
        let is_one = |pieces: &[Piece], drawn: &str| matches!(pieces, [piece] if piece.shape.to_string() == drawn);
        match &rules.pieces {
            Pieces::Own { left, right } => !rules.rotate && is_one(left, "#/#") && is_one(right, "##"),
            Pieces::Shared(_) => false,
        }
    }

    if matches!(game.rules(), FamilyRules::Placement(rules) if is_by_way(rules)) {
        name_by_way(lang, player, turn)
    } else {
        name(lang, player, turn)
    }
}

/// The text of a game's start.
pub(crate) fn start_text(game: &AnyGame) -> String {
    struct Text;

    impl Task for Text {
        type Output = String;

        fn run<G: Notation>(self, game: &G) -> String {
            game.text(&game.start())
        }
    }

    game.run(Text)
}

/// Looks at a game's start.
struct Look;

impl Task for Look {
    type Output = View;

    fn run<G: Notation>(self, game: &G) -> View {
        let position = game.start();
        let seen = |mv| MoveView { text: game.move_text(&position, mv), cells: game.marked(&position, mv) };
        let glyphs = |board: Board| (0..board.cells()).map(|cell| game.glyph(&position, cell)).collect();
        let board = game.board();
        View {
            position: game.text(&position),
            players: game.players(&position),
            over: game.is_over(&position),
            board: board.map(|board| BoardView { board, glyphs: glyphs(board), first_column: game.first_column() }),
            heaps: Vec::new(),
            moves: game.moves(&position).map(seen).collect(),
        }
    }
}

/// What can be seen of the game's start.
pub(crate) fn view(game: &AnyGame) -> View {
    let view = game.run(Look);
    match game {
        AnyGame::Heaps(heaps) => View { heaps: heaps.start().heaps().to_vec(), ..view },
        _ => view,
    }
}
