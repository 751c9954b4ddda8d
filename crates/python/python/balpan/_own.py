"""Games of one's own, written in Python and solved by the same engine."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from typing import Any, ClassVar, Generic, Optional, TypeVar, Union

from . import _balpan
from ._answers import Answer, Outcome, Worth, answer_of
from ._errors import GameError, LawError, NoAnswerError
from ._games import Ask, Deadline, Method, Progress, _seconds
from ._memory import bytes_of
from ._reports import Census

__all__ = ["Game", "census", "check_laws", "nimber", "solve"]

P = TypeVar("P", bound=Hashable)
M = TypeVar("M", bound=Hashable)

_START: Any = object()


class Game(ABC, Generic[P, M]):
    """A game for two players of one's own: subclass it with :meth:`moves` and :meth:`play`, and with
    :meth:`start` if questions are to be about the start.

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
    """Whether both players have the same moves in every position, and play ends where there are
    none. Then who wins is found by nimbers."""

    misere: ClassVar[bool] = False
    """Whether who cannot move wins, by :meth:`end`'s own answer."""

    def start(self) -> P:
        """Where play begins."""
        raise GameError(f"{type(self).__name__} does not say where play begins", help="give a position, or define start()")

    @abstractmethod
    def moves(self, position: P, /) -> Iterable[M]:
        """The moves of the player to move, each once, in a fixed order. A position without moves is
        an end, so there are none where somebody has won."""

    @abstractmethod
    def play(self, position: P, move: M, /) -> P:
        """The position after one of its moves, for the other player to move."""

    def end(self, position: P, /) -> Outcome:
        """How play has ended for the player to move, in a position without moves: ``"win"``,
        ``"draw"`` or ``"loss"``. By itself a loss, or a win if the game is :attr:`misere`."""
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

    def _engine(self, method: str, memory: Union[int, str]) -> _balpan.OwnEngine:
        engines: dict[tuple[str, int], _balpan.OwnEngine] = getattr(self, "_engines", {})
        if not engines:
            # A frozen data class is a game, too.
            object.__setattr__(self, "_engines", engines)
        size = bytes_of(memory)
        if (method, size) not in engines:
            abilities = [name for name in _ABILITIES if getattr(type(self), name) is not getattr(Game, name)]
            engines[method, size] = _balpan.OwnEngine(
                abilities, bool(self.impartial), bool(self.misere), method, size
            )
        return engines[method, size]


_ABILITIES = ("key", "canonical", "bounds", "parts")


def solve(
    game: Game[P, M],
    position: P = _START,
    *,
    ask: Optional[Ask] = None,
    nimber: bool = False,
    deadline: Deadline = None,
    method: Method = "auto",
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
    at = game.start() if position is _START else position
    engine = game._engine(method, memory)
    return answer_of(engine.solve(game, at, ask, nimber, _seconds(deadline), progress))


def nimber(game: Game[P, M], position: P = _START, *, progress: Optional[Progress] = None) -> int:
    """The nimber of a position of an impartial game of one's own; of a misère game, the misère value.

    :raises NoAnswerError: if the game does not say that it is impartial
    """
    answer = solve(game, position, ask="winner", nimber=True, progress=progress)
    found = answer.misere_value if answer.nimber is None else answer.nimber
    if found is None:
        raise NoAnswerError("the nimber was not found in time", position=answer.position)
    return found


def census(
    game: Game[P, M],
    position: P = _START,
    *,
    symmetry: bool = False,
    games: bool = False,
    memory: Union[int, str] = "1G",
    progress: Optional[Progress] = None,
    lang: str = "en",
) -> Census:
    """All positions that play can reach, counted: as :meth:`RulesGame.census <balpan.RulesGame.census>`."""
    at = game.start() if position is _START else position
    return Census.of(*game._engine("auto", memory).census(game, at, symmetry, games, lang, progress))


def check_laws(game: Game[Any, Any], *, plays: int = 100, seed: int = 1) -> None:
    """Plays `games` games at random from the start, and checks at every position all that the game
    promises: moves are distinct, play ends, canonical positions are worth what they stand for and are
    their own, bounds hold, the nimbers of parts add up, and positions of the same key are the same.

    Values are compared with those of plain minimax, where that is quick.

    :raises LawError: the first law that is broken, with a position that shows it
    """
    _check_keys(game, plays, seed)
    abilities = [name for name in _ABILITIES if getattr(type(game), name) is not getattr(Game, name)]
    engine = _balpan.OwnEngine(abilities, bool(game.impartial), bool(game.misere), "auto", 1 << 28)
    engine.check_laws(game, plays, seed)


_MOST_PLIES = 10_000


def _check_keys(game: Game[Any, Any], plays: int, seed: int) -> None:
    """Positions of the same key have the same moves, and those lead to the same keys."""
    if type(game).key is Game.key:
        return
    chance = random.Random(seed)
    known: dict[Hashable, tuple[Any, dict[Hashable, Hashable]]] = {}
    for _ in range(plays):
        position = game.start()
        for _ in range(_MOST_PLIES):
            moves = list(game.moves(position))
            after = {move: game.key(game.play(position, move)) for move in moves}
            other, expected = known.setdefault(game.key(position), (position, after))
            if after != expected:
                message = f"{position!r} and {other!r} have the same key, and other moves or keys after them"
                raise LawError(message, position=position)
            if not moves:
                break
            position = game.play(position, chance.choice(moves))
