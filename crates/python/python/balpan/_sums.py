"""Sums of games, and the theory of heaps."""

from __future__ import annotations

import time
from typing import Any, Optional, Union

from . import _balpan
from ._arguments import Deadline, Progress, bytes_of, function_of, seconds, whole
from ._errors import ArgumentError, NoAnswerError, PositionError
from ._games import Position, RulesGame, _text_or_none
from ._own import PlayableGame, engine_of, is_playable, start_of
from ._reports import Period, Quotient, Sum, ValueOf

Part = Union[RulesGame, Position, PlayableGame[Any, Any], tuple[RulesGame, str], tuple[PlayableGame[Any, Any], Any]]


def sum_of(
    *parts: Part, moves: bool = True, deadline: Deadline = None, progress: Optional[Progress] = None
) -> Sum:
    """Returns the nimber of each position and of their sum, and the winning moves.

    :param parts: games from their starts, positions, or pairs of a game and a position; the games may be
        written in Python
    :param moves: whether to find the winning moves
    :param deadline: the time limit in seconds, or as a `timedelta`
    :raises NoAnswerError: if a game is not impartial, or is misère, or if there is no time

    >>> import balpan
    >>> cram, nim = balpan.game("cram", board="3x3"), balpan.game("nim")
    >>> found = balpan.sum_of(cram, (nim, "3 5"))
    >>> found.nimber, found.winner, found.moves[0].move
    (6, 'first player', '5>3')
    """
    if not parts:
        raise ArgumentError("a sum of no games", help="give games, positions, or games with a position")
    allowed = seconds("deadline", deadline)
    end = None if allowed is None else time.monotonic() + allowed
    function_of("progress", progress)
    begin = time.monotonic()
    own: dict[int, tuple[_balpan.OwnEngine, Any, Any]] = {}
    summands: list[Any] = []
    for n, part in enumerate(parts):
        game, position = _split(part)
        if isinstance(game, RulesGame):
            summands.append((game._game, _text_or_none(position)))
            continue
        name = type(game).__name__
        if not getattr(game, "impartial", False) or getattr(game, "misere", False):
            help = "a sum takes games whose `impartial` is true: both players have the same moves, and whoever cannot move loses"
            raise NoAnswerError(f"{name} is not impartial, or not by the normal convention", help=help)
        engine = engine_of(game, "auto", "256M")
        nimber, _, searched = engine.options(game, position, False, _left(end), progress)
        own[n] = engine, game, position
        summands.append((name, nimber, searched))
    told = _balpan.sum_of(summands, bool(moves), _left(end), progress)
    for n, (engine, game, position) in own.items():
        component = told["sum"][n]
        component["position"] = position
        if moves and told["nimber"]:
            _, options, searched = engine.options(game, position, True, _left(end), progress)
            told["positions_searched"] += searched
            target = component["nimber"] ^ told["nimber"]
            told["moves"] += [
                {"component": n + 1, "move": move, "position": after, "nimber": nimber}
                for move, after, nimber in options
                if nimber == target
            ]
    if own:
        told["seconds"] = time.monotonic() - begin
        told.get("moves", []).sort(key=lambda move: move["component"])
    return Sum.of(told)


def _left(end: Optional[float]) -> Optional[float]:
    """Returns the seconds until `end`."""
    return None if end is None else max(0.0, end - time.monotonic())


def _split(part: Any) -> tuple[Any, Any]:
    """Splits a part of a sum into game and position; ``None`` is the start of a game of a rules file."""
    if isinstance(part, RulesGame):
        return part, None
    if isinstance(part, Position):
        return part.game, part.text
    if is_playable(part):
        return part, start_of(part)
    if isinstance(part, tuple) and len(part) == 2 and (isinstance(part[0], RulesGame) or is_playable(part[0])):
        return part
    help = "expected a game, a position, or a pair of both: balpan.game('nim'), (balpan.game('nim'), '3 5'), or games of your own"
    raise ArgumentError(f"{part!r} cannot be added up", help=help)


def value(
    expression: str,
    *,
    memory: Union[int, str] = 1 << 30,
    deadline: Deadline = None,
    progress: Optional[Progress] = None,
) -> ValueOf:
    """Evaluates an expression of values and positions, or compares two expressions.

    :param expression: numbers, ``*2``, ``^``, ``+-1``, ``{1|0}``, ``domineering(../..)``, with ``+``, ``-`` and one comparison
    :param memory: the most bytes for canonical forms
    :param deadline: the seconds after which the answer has what is known by then
    :raises PositionError: if the expression is invalid

    >>> import balpan
    >>> found = balpan.value("domineering(../..) + domineering(.../...)")
    >>> found.value, found.outcome, found.temperature
    ('{{3|1}|{1/2|-3/2}}', 'left', '5/4')
    >>> bool(balpan.value("^ > 0"))
    True
    """
    if not isinstance(expression, str):
        raise PositionError(f"{expression!r} is no expression", help="expected text, such as '*2 + 1/2'")
    told = _balpan.value(expression, bytes_of(memory), seconds("deadline", deadline), function_of("progress", progress))
    return ValueOf.of(told)


def period(
    code: str, to: int = 10_000, *, deadline: Deadline = None, progress: Optional[Progress] = None
) -> Period:
    """Returns the nimbers of the heaps of an octal or hexadecimal code, and their period if it is proved.

    :param code: ``"0.77"``, ``"0.3F"``, or a game of heaps such as ``"kayles"``
    :param to: the largest heap
    :raises NoAnswerError: if the code is invalid, or there is no time

    >>> import balpan
    >>> found = balpan.period("0.77")
    >>> found.period, found.preperiod, found.nimbers[:8]
    (12, 71, [0, 1, 2, 3, 1, 4, 3, 2])
    """
    if not isinstance(code, str):
        raise NoAnswerError(f"{code!r} is no code", help="expected an octal or hexadecimal code such as '0.77', or 'kayles'")
    largest = whole("to", to)
    return Period(**_balpan.period(code, largest, seconds("deadline", deadline), function_of("progress", progress)))


def quotient(
    game: Union[str, RulesGame, Position, tuple[RulesGame, str]],
    largest: int = 12,
    *,
    most: int = 200,
    deadline: Deadline = None,
    progress: Optional[Progress] = None,
) -> Quotient:
    """Returns the misère quotient of games, with a proof for all their sums.

    :param game: an octal code, a game of heaps, or a misère game or position
    :param largest: the largest heap, for games of heaps
    :param most: the most elements of the quotient
    :raises NoAnswerError: if there is no such quotient, or no time

    >>> import balpan
    >>> found = balpan.quotient("0.75", 10)
    >>> found.order, found.is_lost(1), found.is_lost(1, 1)
    (8, True, False)
    """
    options = (
        whole("largest", largest, most=_MAX_U16),
        whole("most", most, most=_MAX_U16),
        seconds("deadline", deadline),
        function_of("progress", progress),
    )
    if isinstance(game, str):
        return Quotient.of(_balpan.quotient(game, None, None, *options))
    if isinstance(game, Position):
        return Quotient.of(_balpan.quotient(None, game.game._game, game.text, *options))
    if isinstance(game, RulesGame):
        return Quotient.of(_balpan.quotient(None, game._game, None, *options))
    if isinstance(game, tuple) and len(game) == 2 and isinstance(game[0], RulesGame):
        return Quotient.of(_balpan.quotient(None, game[0]._game, _text_or_none(game[1]), *options))
    help = "expected an octal code such as '0.77', a game of balpan.game() or balpan.rules(), or a position of one"
    raise ArgumentError(f"{game!r} has no misère quotient", help=help)


_MAX_U16 = (1 << 16) - 1
