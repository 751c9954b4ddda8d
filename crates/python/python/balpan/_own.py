"""Games written in Python."""

from __future__ import annotations

import atexit
import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from typing import Any, ClassVar, Generic, Literal, Optional, Protocol, TypeVar, Union, get_args

from . import _balpan
from ._answers import Answer, Outcome, Worth, answer_of
from ._arguments import ASKS, LANGUAGES, METHODS, Ask, Deadline, Method, Progress, bytes_of, function_of, seconds, whole, word_of
from ._errors import GameError, LawError, NoAnswerError
from ._games import Position, RulesGame
from ._games import game as make_game
from ._reports import Census

__all__ = ["Game", "census", "check_laws", "nimber", "register", "solve"]

P = TypeVar("P", bound=Hashable)
M = TypeVar("M", bound=Hashable)

OwnMethod = Literal["auto", "minimax", "alpha-beta", "df-pn", "nimber"]

_START: Any = object()


class PlayableGame(Protocol[P, M]):
    """The methods that every game has. The defaults of :class:`Game` stand in for the others."""

    def moves(self, position: P, /) -> Iterable[M]:
        """As :meth:`Game.moves`."""
        ...

    def play(self, position: P, move: M, /) -> P:
        """As :meth:`Game.play`."""
        ...


class Game(ABC, Generic[P, M]):
    """A two-player game. Subclasses define :meth:`moves` and :meth:`play`, and :meth:`start` for questions
    about the start. An object of any other class with these methods is a game, too, but its engine's tables
    are not kept from one question to the next.

    Positions and moves are immutable hashable values. The player to move belongs to the position, unless
    both players have the same moves. Every play has to end, unless :attr:`may_repeat` is set. Every method has to return the same result
    whenever it is called: each is called once for a position, and the result is kept as long as the game is.
    Other rules are another game, which needs another instance.

    Optional methods and attributes speed up the search: :meth:`canonical`, :meth:`bounds`, :meth:`parts`,
    :meth:`key`, :attr:`impartial` and :attr:`misere`. :func:`check_laws` tests their laws.

    >>> class Subtraction(Game[int, int]):
    ...     impartial = True
    ...
    ...     def start(self):
    ...         return 21
    ...
    ...     def moves(self, heap):
    ...         return range(1, min(3, heap) + 1)
    ...
    ...     def play(self, heap, taken):
    ...         return heap - taken
    >>> answer = solve(Subtraction())
    >>> answer.winner, answer.best, answer.remoteness
    ('first player', [1], 11)
    """

    impartial: ClassVar[bool] = False
    """Whether both players have the same moves in every position and a player who cannot move loses, or
    wins if the game is :attr:`misere`. The winner is then found by nimbers. A game whose :meth:`end` returns
    anything else, such as the result of a score, is not impartial and is refused."""

    misere: ClassVar[bool] = False
    """Whether a player who cannot move wins, which is then the default of :meth:`end`. An :attr:`impartial`
    game has to end like this everywhere."""

    may_repeat: ClassVar[bool] = False
    """Whether play may come back to a position. Play without end is then a draw, and the game is solved by retrograde
    analysis of all positions that play can reach, which have to fit in memory."""

    max_score: ClassVar[int] = 0
    """The largest score that :meth:`end` returns, or its negative; 0 in a game without scores. Each player then
    maximises the own score."""

    def start(self) -> P:
        """Returns the starting position."""
        raise _no_start(self)

    @abstractmethod
    def moves(self, position: P, /) -> Iterable[M]:
        """Returns the moves of the player to move, each once, in a fixed order. A position without moves is
        an end, so there are none when somebody has won."""

    @abstractmethod
    def play(self, position: P, move: M, /) -> P:
        """Returns the position after a move, with the other player to move, unless :meth:`keeps_turn` says
        otherwise."""

    def keeps_turn(self, position: P, move: M, after: P, /) -> bool:
        """Whether the player who makes a move is to move again after it. By default turns alternate."""
        return False

    def end(self, position: P, /) -> Union[Outcome, int]:
        """Returns the outcome of a position without moves for the player to move: ``"win"``, ``"draw"`` or
        ``"loss"``, or that player's score, up to :attr:`max_score`. The default is a loss, or a win if the game is :attr:`misere`; an :attr:`impartial` game must
        return the default."""
        return "win" if self.misere else "loss"

    def key(self, position: P, /) -> Hashable:
        """Returns the key under which a position is stored. Positions with the same key have to have the same
        moves, and these have to lead to the same keys. The default is the position."""
        return position

    def canonical(self, position: P, /) -> P:
        """Returns the representative of all positions that are equal under a symmetry. It has to be its own
        canonical position. The default is the position."""
        return position

    def bounds(self, position: P, /) -> Optional[tuple[Optional[Worth], Optional[Worth]]]:
        """Returns cheap bounds of the value of a position that has a move: a lower and an upper bound;
        ``None`` for unknown bounds."""
        return None

    def parts(self, position: P, /) -> Iterable[P]:
        """Returns the independent parts of a position of an impartial game: positions of the same game of which
        every move changes only one. The default is the position."""
        return (position,)

    about: ClassVar[str] = ""
    """One sentence about a :func:`registered <register>` game; by default the first line of the class's
    docstring."""

    about_ko: ClassVar[str] = ""
    """The same in Korean."""

    def text(self, position: P, /) -> str:
        """Formats a position for people. A :func:`registered <register>` game's positions are known by it: it is
        a single line, without blanks at the ends, and another one for each position."""
        return str(position)

    def parse(self, text: str, /) -> P:
        """Returns the position of a :meth:`text`, for a :func:`registered <register>` game. Raises a
        `ValueError` if it is of none. By default the text is looked for among the positions that play can
        reach, a million at most."""
        raise NotImplementedError

    def move_text(self, position: P, move: M, /) -> str:
        """Formats a move of a :func:`registered <register>` game, as a word without blanks, which no other move
        of the position has. By default as `str` does, without blanks."""
        return "".join(str(move).split())

    def glyphs(self, position: P, /) -> Iterable[str]:
        """Returns the rows of the board of a :func:`registered <register>` game, a character for each cell, to
        be drawn: `.` for a free cell, `#` for one that is gone, `A` and `X`, or `B` and `O`, for a player's piece,
        and other characters as they are. All positions have the same number of rows and of columns. Without
        it, positions are shown as text."""
        raise NotImplementedError

    def cells(self, position: P, move: M, /) -> Iterable[tuple[int, int]]:
        """Returns the cells of the board that a move goes to, each as its row and its column from 0. Pages let
        readers click on them, and mark them once the move is played."""
        raise NotImplementedError

    def picture(self, position: P, /) -> Optional[str]:
        """Draws a position of a :func:`registered <register>` game as an SVG file, in place of a board. Pages show it as an
        image, so that nothing in it can act on them."""
        return None

    def show(self, answer: Answer[P, M]) -> str:
        """Formats an answer, with the position as :meth:`text` formats it."""
        return f"{self.text(answer.position)}\n{answer}"

    def __getstate__(self) -> dict[str, Any]:
        # A copy may have other rules, so it must not share the tables.
        return {key: value for key, value in self.__dict__.items() if key != "_engines"}


def engine_of(game: PlayableGame[Any, Any], method: str, memory: Union[int, str]) -> _balpan.OwnEngine:
    """Returns the engine of a game. A :class:`Game` keeps it for the next question.

    :raises GameError: if the object is not a game
    """
    if not is_playable(game):
        raise _no_game(game)
    word_of("method", method, get_args(OwnMethod))
    key = method, bytes_of(memory)
    if not isinstance(game, Game):
        return _new_engine(game, *key)
    engines: dict[tuple[str, int], _balpan.OwnEngine] = getattr(game, "_engines", {})
    if not engines:
        # A frozen data class may be a game.
        object.__setattr__(game, "_engines", engines)
    if key not in engines:
        engines[key] = _new_engine(game, *key)
    return engines[key]


def _new_engine(game: PlayableGame[Any, Any], method: str, size: int) -> _balpan.OwnEngine:
    return _balpan.OwnEngine(_abilities(game), method, size)


_OPTIONAL = (
    *("key", "canonical", "bounds", "parts", "end", "keeps_turn"),
    *("parse", "glyphs", "cells", "picture"),
)


def _abilities(game: PlayableGame[Any, Any]) -> dict[str, Union[bool, int]]:
    """Returns which optional methods a game has, and its attributes."""
    abilities: dict[str, Union[bool, int]] = {name: _defines(game, name) for name in _OPTIONAL}
    abilities.update((name, bool(getattr(game, name, False))) for name in ("impartial", "misere", "may_repeat"))
    return {**abilities, "max_score": whole("max_score", getattr(game, "max_score", 0), most=1 << 24)}


def register(
    name: str, game: PlayableGame[Any, Any], *, memory: Union[int, str] = "1G", method: Method = "auto"
) -> RulesGame:
    """Makes a game known by a name wherever a preset is, for the rest of the process. Returns it as
    :func:`balpan.game` does then, with all that other games have: reviews, trees, puzzles, pictures, pages.

    Positions and moves are the texts of :meth:`Game.text` and :meth:`Game.move_text`. One with :meth:`Game.glyphs` has a board,
    and one with :meth:`Game.picture` a picture. A game that was registered by the same name before is replaced.

    :param name: lower-case letters, digits, ``-`` and ``_``
    :param memory: the most bytes for tables, or text such as ``"512M"``
    :param method: the solver; all give the same answers
    :raises GameError: if the name is a preset's or is no such word, or the start has no text

    >>> class Subtraction(Game[int, int]):
    ...     about = "Take one to three of a heap; whoever takes the last wins"
    ...
    ...     def start(self):
    ...         return 10
    ...
    ...     def moves(self, heap):
    ...         return range(1, min(3, heap) + 1)
    ...
    ...     def play(self, heap, taken):
    ...         return heap - taken
    >>> subtraction = register("subtraction", Subtraction())
    >>> subtraction.solve("7").best
    ['3']
    >>> [reviewed.mark for reviewed in subtraction.review("2 1 2").moves]
    [None, None, '??']
    """
    if not isinstance(name, str):
        raise GameError(f"{name!r} is no name of a game", help="expected text")
    word_of("method", method, METHODS)
    start = start_of(game)
    doc = (type(game).__doc__ or "").strip().split("\n")[0]
    # A data class has the docstring "Name(fields)" by itself.
    about = str(getattr(game, "about", "")) or ("" if doc.startswith(f"{type(game).__name__}(") else doc)
    abouts = about, str(getattr(game, "about_ko", "")) or about
    _balpan.register(name, game, start, _abilities(game), abouts)
    return make_game(name, memory=memory, method=method)


def register_by_class(game: Any) -> RulesGame:
    """Registers a game by the name of its class in lower case, with `my-` before it if a preset has that name."""
    name = type(game).__name__.lower()
    try:
        return register(name, game)
    except GameError as error:
        if not is_playable(game) or f"`{name}`" not in error.message:
            raise
        return register(f"my-{name}", game)


atexit.register(_balpan.at_exit)


def _defines(game: object, name: str) -> bool:
    """Whether a game overrides the default of a method."""
    method = getattr(game, name, None)
    return callable(method) and getattr(method, "__func__", method) is not getattr(Game, name)


def is_playable(game: object) -> bool:
    """Whether the object has the methods of a game."""
    return not isinstance(game, type) and all(callable(getattr(game, name, None)) for name in ("moves", "play"))


def _no_game(found: Any) -> GameError:
    """Explains why an object is not a game."""
    if isinstance(found, type):
        return GameError(f"{found.__name__} is a class", help=f"give an instance of it: {found.__name__}(...)")
    if isinstance(found, (RulesGame, Position)):
        return GameError(f"{found!r} is no game of one's own", help="ask it itself: solve() and the others are its methods")
    if isinstance(found, str):
        help = "balpan.game() makes one of a preset's name: balpan.game('nim').solve('3 4 5')"
        return GameError(f"{found!r} is no game", help=help)
    lacking = " and no ".join(f"{name}()" for name in ("moves", "play") if not callable(getattr(found, name, None)))
    help = "a game has moves(position) and play(position, move): see balpan.Game"
    return GameError(f"{type(found).__name__} is no game: it has no {lacking}", help=help)


def _no_start(game: object) -> GameError:
    return GameError(f"{type(game).__name__} does not say where play begins", help="give a position, or define start()")


def start_of(game: PlayableGame[Any, Any]) -> Any:
    """Returns the starting position.

    :raises GameError: if the object is not a game, or has no start
    """
    if not is_playable(game):
        raise _no_game(game)
    start = getattr(game, "start", None)
    if not callable(start):
        raise _no_start(game)
    return start()


def solve(
    game: PlayableGame[P, M],
    position: P = _START,
    *,
    ask: Optional[Ask] = None,
    nimber: bool = False,
    deadline: Deadline = None,
    method: OwnMethod = "auto",
    memory: Union[int, str] = "256M",
    progress: Optional[Progress] = None,
) -> Answer[P, M]:
    """Solves a position of a game, by default its start.

    :param ask: the goal, as for :meth:`RulesGame.solve <balpan.RulesGame.solve>`; by default, the plies of
        every move
    :param nimber: whether to find the nimber, or the misère value of a misère game
    :param deadline: the seconds, or a `timedelta`, after which the answer has what is known by then
    :param method: ``"auto"``, ``"minimax"``, ``"alpha-beta"``, ``"df-pn"`` or ``"nimber"``; all agree
    :param memory: the bytes of the solver's tables; the positions themselves take more, in Python
    :param progress: called with the number of positions searched since the last call

    The engine's tables are kept for the next question. An exception of the game's methods is raised
    unchanged, with a note about the position and with the position as its attribute `position`.

    >>> class Nim(Game[tuple[int, ...], tuple[int, int]]):
    ...     impartial = True
    ...
    ...     def moves(self, heaps):
    ...         return [(n, left) for n, heap in enumerate(heaps) for left in range(heap)]
    ...
    ...     def play(self, heaps, move):
    ...         n, left = move
    ...         return heaps[:n] + (left,) + heaps[n + 1 :]
    >>> answer = solve(Nim(), (3, 5, 7), ask="outcome", nimber=True)
    >>> answer.winner, answer.nimber, answer.best
    ('first player', 1, [(0, 2), (1, 4), (2, 6)])
    """
    at = start_of(game) if position is _START else position
    engine = engine_of(game, method, memory)
    word_of("ask", ask, ASKS, none=True)
    function_of("progress", progress)
    return answer_of(engine.solve(game, at, ask, bool(nimber), seconds("deadline", deadline), progress))


def nimber(
    game: PlayableGame[P, M],
    position: P = _START,
    *,
    deadline: Deadline = None,
    progress: Optional[Progress] = None,
) -> int:
    """Returns the nimber of a position of an impartial game; for a misère game, the misère value.

    :param deadline: the time limit in seconds, or as a `timedelta`
    :raises NoAnswerError: if the game is not declared impartial, or there is no time
    """
    answer = solve(game, position, ask="winner", nimber=True, deadline=deadline, progress=progress)
    found = answer.misere_value if answer.nimber is None else answer.nimber
    if found is None:
        help = "allow more time with deadline="
        raise NoAnswerError("the nimber was not found in time", position=answer.position, help=help)
    return found


def census(
    game: PlayableGame[P, M],
    position: P = _START,
    *,
    symmetry: bool = False,
    games: bool = False,
    memory: Union[int, str] = "1G",
    deadline: Deadline = None,
    progress: Optional[Progress] = None,
    lang: str = "en",
) -> Census:
    """Counts all positions that play can reach, as :meth:`RulesGame.census <balpan.RulesGame.census>` does.

    :param deadline: the time limit in seconds, or as a `timedelta`
    """
    at = start_of(game) if position is _START else position
    engine = engine_of(game, "auto", memory)
    word_of("lang", lang, LANGUAGES)
    function_of("progress", progress)
    allowed = seconds("deadline", deadline)
    return Census.of(*engine.census(game, at, bool(symmetry), bool(games), allowed, lang, progress))


def check_laws(
    game: PlayableGame[Any, Any], *, plays: int = 100, seed: int = 1, deadline: Deadline = None
) -> None:
    """Plays `plays` random games from the start and checks the laws of games at every position: moves are
    distinct, play ends, canonical positions have the same value and are their own canonical positions, bounds
    hold, the nimbers of parts add up, and positions with the same key are the same.

    Values are compared with those of plain minimax where that is quick.

    :param deadline: the time limit in seconds, or as a `timedelta`
    :raises LawError: the first broken law, with a position that shows it
    :raises NoAnswerError: if there is no time to check all laws
    """
    start = start_of(game)
    games, first = whole("plays", plays, most=(1 << 32) - 1), whole("seed", seed)

    def check_keys() -> None:
        _check_keys(game, start, games, first)

    own = check_keys if _defines(game, "key") else None
    _new_engine(game, "auto", 1 << 28).check_laws(game, start, games, first, own, seconds("deadline", deadline))


_MAX_PLIES = 10_000


def _check_keys(game: Any, start: Any, plays: int, seed: int) -> None:
    """Checks that positions with the same key have the same moves, which lead to the same keys."""
    chance = random.Random(seed)
    known: dict[Hashable, tuple[Any, dict[Hashable, Hashable]]] = {}
    for _ in range(plays):
        position, met = start, set()
        for _ in range(_MAX_PLIES):
            key = _hashed(game.key(position), position)
            if key in met:
                # Play repeats, which the engine reports.
                break
            met.add(key)
            after = {_hashed(move, position): game.key(game.play(position, move)) for move in _moves(game, position)}
            other, expected = known.setdefault(key, (position, after))
            if after != expected:
                message = f"{position!r} and {other!r} have the same key, and other moves or keys after them"
                raise LawError(message, position=position, help="see `balpan.Game.key` for what it promises")
            if not after:
                break
            position = game.play(position, chance.choice(list(after)))


def _moves(game: Any, position: Any) -> Iterable[Any]:
    moves: Iterable[Any] = game.moves(position)
    try:
        return iter(moves)
    except TypeError as error:
        help = "expected an iterable of moves, such as a list"
        raise GameError(f"moves() returns {moves!r}", position=position, help=help) from error


def _hashed(value: Any, position: Any) -> Any:
    """Returns the value if it can be hashed."""
    try:
        hash(value)
    except TypeError as error:
        help = "positions, moves and keys have to be hashable: a tuple for a list, a frozenset for a set"
        raise GameError(f"{value!r} cannot be remembered: {error}", position=position, help=help) from error
    return value
