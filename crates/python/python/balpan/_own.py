"""Games of one's own, written in Python and solved by the same engine."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from typing import Any, ClassVar, Generic, Literal, Optional, Protocol, TypeVar, Union, get_args

from . import _balpan
from ._answers import Answer, Outcome, Worth, answer_of
from ._arguments import ASKS, LANGUAGES, Ask, Deadline, Progress, bytes_of, function_of, seconds, whole, word_of
from ._errors import GameError, LawError, NoAnswerError
from ._games import Position, RulesGame
from ._reports import Census

__all__ = ["Game", "census", "check_laws", "nimber", "solve"]

P = TypeVar("P", bound=Hashable)
M = TypeVar("M", bound=Hashable)

OwnMethod = Literal["auto", "minimax", "alpha-beta", "df-pn", "nimber"]

_START: Any = object()


class PlayableGame(Protocol[P, M]):
    """What every game has. For what else :class:`Game` has, its defaults are taken."""

    def moves(self, position: P, /) -> Iterable[M]:
        """As :meth:`Game.moves`."""
        ...

    def play(self, position: P, move: M, /) -> P:
        """As :meth:`Game.play`."""
        ...


class Game(ABC, Generic[P, M]):
    """A game for two players of one's own: subclass it with :meth:`moves` and :meth:`play`, and with
    :meth:`start` if questions are to be about the start. An object of any other class that has these
    methods is a game, too; but what one position has taught the engine is then not kept for the next.

    Positions and moves are any values that can be hashed and do not change; whose turn it is belongs
    to the position, unless both players have the same moves. Play has to end, whatever is played.
    Every method has to say the same whenever it is asked: each is asked once about a position, and
    what it says is kept as long as the game is. Rules that change are another game: make another
    instance.

    A game may tell more, to be solved faster: :meth:`canonical`, :meth:`bounds`, :meth:`parts`,
    :meth:`key`, and the attributes :attr:`impartial` and :attr:`misere`. :func:`check_laws` tests
    what they promise.

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
    """Whether both players have the same moves in every position, and whoever cannot move loses; if
    the game is :attr:`misere`, wins. Then who wins is found by nimbers. A game whose :meth:`end` says
    anything else, such as who has the higher score, is not impartial, and is refused."""

    misere: ClassVar[bool] = False
    """Whether whoever cannot move wins, which :meth:`end` then says by itself. An :attr:`impartial`
    game has to end so everywhere."""

    def start(self) -> P:
        """Where play begins."""
        raise _no_start(self)

    @abstractmethod
    def moves(self, position: P, /) -> Iterable[M]:
        """The moves of the player to move, each once, in a fixed order. A position without moves is
        an end, so there are none where somebody has won."""

    @abstractmethod
    def play(self, position: P, move: M, /) -> P:
        """The position after one of its moves, for the other player to move."""

    def end(self, position: P, /) -> Outcome:
        """How play has ended for the player to move, in a position without moves: ``"win"``,
        ``"draw"`` or ``"loss"``. By itself a loss, or a win if the game is :attr:`misere`; of an
        :attr:`impartial` game it is nothing else."""
        return "win" if self.misere else "loss"

    def key(self, position: P, /) -> Hashable:
        """What a position is remembered by: positions of the same key have to have the same moves, and
        those have to lead to the same keys. By itself, the position."""
        return position

    def canonical(self, position: P, /) -> P:
        """One position of all those that are worth the same because a symmetry turns them into each
        other. It has to be its own canonical position. By itself, the position."""
        return position

    def bounds(self, position: P, /) -> Optional[tuple[Optional[Worth], Optional[Worth]]]:
        """What can be told cheaply of a position that has a move: its value is the first or better, the
        second or worse; ``None`` for what is not known."""
        return None

    def parts(self, position: P, /) -> Iterable[P]:
        """The independent parts of a position of an impartial game: positions of the same game of which
        each move changes one alone. By itself, the position."""
        return (position,)

    def text(self, position: P, /) -> str:
        """The position as people read it."""
        return str(position)

    def show(self, answer: Answer[P, M]) -> str:
        """An answer in words, with the position as :meth:`text` has it."""
        return f"{self.text(answer.position)}\n{answer}"

    def __getstate__(self) -> dict[str, Any]:
        # A copy may have other rules: what was found of this one is not its.
        return {key: value for key, value in self.__dict__.items() if key != "_engines"}


def engine_of(game: PlayableGame[Any, Any], method: str, memory: Union[int, str]) -> _balpan.OwnEngine:
    """The engine of a game, which a :class:`Game` keeps for the next question.

    :raises GameError: if it is no game
    """
    if not is_playable(game):
        raise _no_game(game)
    word_of("method", method, get_args(OwnMethod))
    key = method, bytes_of(memory)
    if not isinstance(game, Game):
        return _new_engine(game, *key)
    engines: dict[tuple[str, int], _balpan.OwnEngine] = getattr(game, "_engines", {})
    if not engines:
        # A frozen data class is a game, too.
        object.__setattr__(game, "_engines", engines)
    if key not in engines:
        engines[key] = _new_engine(game, *key)
    return engines[key]


def _new_engine(game: PlayableGame[Any, Any], method: str, size: int) -> _balpan.OwnEngine:
    abilities = [name for name in ("key", "canonical", "bounds", "parts", "end") if _defines(game, name)]
    impartial, misere = (bool(getattr(game, name, False)) for name in ("impartial", "misere"))
    return _balpan.OwnEngine(abilities, impartial, misere, method, size)


def _defines(game: object, name: str) -> bool:
    """Whether a game has a method of its own, and not the default."""
    method = getattr(game, name, None)
    return callable(method) and getattr(method, "__func__", method) is not getattr(Game, name)


def is_playable(game: object) -> bool:
    """Whether it has what every game has."""
    return not isinstance(game, type) and all(callable(getattr(game, name, None)) for name in ("moves", "play"))


def _no_game(found: Any) -> GameError:
    """Why it is no game."""
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
    """Where play begins.

    :raises GameError: if it is no game, or does not say where
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
    """What is known of a position of a game of one's own, or of its start.

    :param ask: how far to go, as :meth:`RulesGame.solve <balpan.RulesGame.solve>` has it; by itself,
        to every move's plies
    :param nimber: whether the nimber is wanted, too; of a misère game the misère value
    :param deadline: seconds, or a `timedelta`, after which the answer is what is known by then
    :param method: ``"auto"``, ``"minimax"``, ``"alpha-beta"``, ``"df-pn"`` or ``"nimber"``; all agree
    :param memory: bytes for the solver's tables; positions take more, in Python
    :param progress: called with the number of positions searched since the last time

    What one position has taught the engine serves the next. An exception of one of the game's methods
    is raised as it is, with a note that says at which position, and with that as its `position`.

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
    """The nimber of a position of an impartial game of one's own; of a misère game, the misère value.

    :param deadline: seconds, or a `timedelta`, after which there is no answer
    :raises NoAnswerError: if the game does not say that it is impartial, or there is no time
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
    """All positions that play can reach, counted: as :meth:`RulesGame.census <balpan.RulesGame.census>`.

    :param deadline: seconds, or a `timedelta`, after which there is no answer
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
    """Plays `plays` games at random from the start, and checks at every position all that the game
    promises: moves are distinct, play ends, canonical positions are worth what they stand for and are
    their own, bounds hold, the nimbers of parts add up, and positions of the same key are the same.

    Values are compared with those of plain minimax, where that is quick.

    :param deadline: seconds, or a `timedelta`, after which the check is given up
    :raises LawError: the first law that is broken, with a position that shows it
    :raises NoAnswerError: if there is no time to check them all
    """
    start = start_of(game)
    games, first = whole("plays", plays, most=(1 << 32) - 1), whole("seed", seed)

    def check_keys() -> None:
        _check_keys(game, start, games, first)

    own = check_keys if _defines(game, "key") else None
    _new_engine(game, "auto", 1 << 28).check_laws(game, start, games, first, own, seconds("deadline", deadline))


_MAX_PLIES = 10_000


def _check_keys(game: Any, start: Any, plays: int, seed: int) -> None:
    """Positions of the same key have the same moves, and those lead to the same keys."""
    chance = random.Random(seed)
    known: dict[Hashable, tuple[Any, dict[Hashable, Hashable]]] = {}
    for _ in range(plays):
        position, met = start, set()
        for _ in range(_MAX_PLIES):
            key = _hashed(game.key(position), position)
            if key in met:
                # Play repeats: that is told by those who check it.
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
    """The same move or key, if it can be hashed."""
    try:
        hash(value)
    except TypeError as error:
        help = "positions, moves and keys have to be hashable: a tuple for a list, a frozenset for a set"
        raise GameError(f"{value!r} cannot be remembered: {error}", position=position, help=help) from error
    return value
