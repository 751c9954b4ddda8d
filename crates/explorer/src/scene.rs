//! The game, the history and the position that a URL describes.

use axum::http::StatusCode;
use balpan_games::{AnyGame, Board, Notation, PlayerName, RulesFile, Task};

use crate::error::RequestError;
use crate::link::Link;
use crate::load::{change_rules, load_game, load_preset};
use crate::words::players::{Name, name, name_by_way};
use crate::words::{Lang, error as say};

/// Moves of the longest history: replaying it must be cheap, since every request does.
const MAX_MOVES: usize = 256;

/// The content of a URL: a game, its history, and the position that this leads to.
pub(crate) struct Scene {
    pub(crate) link: Link,
    /// The rules with the changes of the URL.
    pub(crate) rules: RulesFile,
    /// The game, starting from the position.
    pub(crate) game: AnyGame,
    pub(crate) view: View,
    /// The moves so far.
    pub(crate) history: Vec<PlayedMove>,
}

/// A move of the history.
#[derive(Clone, Debug)]
pub(crate) struct PlayedMove {
    pub(crate) text: String,
    /// The cells that the move marked.
    pub(crate) cells: u128,
    /// The cells that the last move closed; none for earlier moves.
    pub(crate) closed: u128,
}

/// A position as pages show it, for every family.
pub(crate) struct View {
    /// The position's text.
    pub(crate) position: String,
    /// The player to move, and the other.
    pub(crate) players: [PlayerName; 2],
    pub(crate) over: bool,
    pub(crate) board: Option<BoardView>,
    /// The sizes of the heaps, where there is no board.
    pub(crate) heaps: Vec<u16>,
    pub(crate) moves: Vec<MoveView>,
}

pub(crate) struct BoardView {
    pub(crate) board: Board,
    /// The glyph of each cell.
    pub(crate) glyphs: Vec<char>,
    /// The number that moves give the leftmost column.
    pub(crate) first_column: usize,
}

/// A legal move.
pub(crate) struct MoveView {
    pub(crate) text: String,
    /// The cells that the move goes to, covers or marks.
    pub(crate) cells: u128,
}

impl Scene {
    /// Loads what `link` describes.
    pub(crate) fn new(link: Link) -> Result<Self, RequestError> {
        let rules = load_rules(&link)?;
        let begin = load_game(&rules, link.at.as_deref())?;
        if link.moves.len() > MAX_MOVES {
            let words = |lang| say::long_history(lang, link.moves.len(), MAX_MOVES);
            return Err(RequestError::localized(StatusCode::BAD_REQUEST, words));
        }
        let (history, position) = begin.run(Replay { moves: &link.moves })?;
        let game = if history.is_empty() { begin } else { rules.game_at(&position)? };
        let view = view(&game);
        Ok(Self { link, rules, game, view, history })
    }

    /// Returns the number of the player to move: 0 for the one who was to move at the start of the history, else 1.
    pub(crate) fn turn(&self) -> usize {
        self.history.len() % 2
    }
}

/// Loads the rules of a URL.
pub(crate) fn load_rules(link: &Link) -> Result<RulesFile, RequestError> {
    change_rules(load_preset(&link.game)?, &link.rule_changes())
}

/// Runs work on a blocking thread, so that other requests are served meanwhile.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RequestError> + Send + 'static,
) -> Result<T, RequestError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(RequestError::busy()))
}

/// Plays moves by their texts, and returns them with the text of the final position.
struct Replay<'a> {
    moves: &'a [String],
}

impl Task for Replay<'_> {
    type Output = Result<(Vec<PlayedMove>, String), RequestError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let mut position = game.start();
        let mut history = Vec::with_capacity(self.moves.len());
        for (n, text) in self.moves.iter().enumerate() {
            let found = game.moves(&position).find(|mv| game.move_text(&position, *mv) == *text);
            let mv = found.ok_or_else(|| {
                let legal: Vec<_> = game.moves(&position).take(8).map(|mv| game.move_text(&position, mv)).collect();
                RequestError::localized(StatusCode::BAD_REQUEST, |lang| {
                    say::illegal_move(lang, text, n + 1, &legal.join("; "))
                })
            })?;
            let next = game.play(&position, mv);
            let closed = if n + 1 == self.moves.len() { closed_cells(game, &position, &next) } else { 0 };
            history.push(PlayedMove { text: text.clone(), cells: game.move_cells(&position, mv), closed });
            position = next;
        }
        Ok((history, game.text(&position)))
    }
}

/// Returns the cells that a move closed.
fn closed_cells<G: Notation>(game: &G, before: &G::Position, after: &G::Position) -> u128 {
    let is_closed = |position: &G::Position, cell| game.glyph(position, cell) == '#';
    let cells = 0..game.board().map_or(0, |board| board.cells());
    cells.filter(|cell| !is_closed(before, *cell) && is_closed(after, *cell)).fold(0, |cells, cell| cells | 1 << cell)
}

/// Returns a player's name. `turn` is 0 for the player who was to move at the start of the history, else 1.
pub(crate) fn player_name(lang: Lang, game: &AnyGame, player: PlayerName, turn: usize) -> Name {
    if game.is_by_direction() { name_by_way(lang, player, turn) } else { name(lang, player, turn) }
}

/// Returns the view of a game's start.
pub(crate) fn view(game: &AnyGame) -> View {
    let board = |board| BoardView { board, glyphs: game.glyphs(), first_column: game.first_column() };
    View {
        position: game.start_text(),
        players: game.players(),
        over: game.is_over(),
        board: game.board().map(board),
        heaps: game.heaps(),
        moves: game.moves().into_iter().map(|(text, cells)| MoveView { text, cells }).collect(),
    }
}
