"""Sums of games, and the theory of heaps."""

from __future__ import annotations

from typing import Optional, Union

from . import _balpan
from ._games import Position, Progress, RulesGame
from ._reports import Period, Quotient, Sum, ValueOf

Part = Union[RulesGame, Position, tuple[RulesGame, str]]


def sum_of(*parts: Part, moves: bool = True, progress: Optional[Progress] = None) -> Sum:
    """The nimber of each position, and of all of them side by side; and the moves that win.

    :param parts: games from their starts, positions, or games with the text of a position
    :param moves: whether the moves that win are wanted
    :raises NoAnswerError: if one of them is not impartial, or misère

    >>> import balpan
    >>> cram, nim = balpan.game("cram", board="3x3"), balpan.game("nim")
    >>> found = balpan.sum_of(cram, (nim, "3 5"))
    >>> found.nimber, found.winner, found.moves[0].move
    (6, 'first player', '5>3')
    """
    if not parts:
        raise ValueError("a sum of no games")
    return Sum.of(_balpan.sum_of([_part(part) for part in parts], moves, progress))


def value(
    expression: str,
    *,
    memory: int = 1 << 30,
    deadline: Optional[float] = None,
    progress: Optional[Progress] = None,
) -> ValueOf:
    """What values and positions are worth in sums, as people write them; and how two compare.

    :param expression: numbers, ``*2``, ``^``, ``+-1``, ``{1|0}``, ``domineering(../..)``, with ``+``, ``-`` and one comparison
    :param memory: bytes for canonical forms, at most
    :param deadline: seconds after which what is known by then is told
    :raises PositionError: if it is written wrong

    >>> import balpan
    >>> found = balpan.value("domineering(../..) + domineering(.../...)")
    >>> found.value, found.outcome, found.temperature
    ('{{3|1}|{1/2|-3/2}}', 'left', '5/4')
    >>> bool(balpan.value("^ > 0"))
    True
    """
    return ValueOf.of(_balpan.value(expression, memory, deadline, progress))


def period(
    code: str, to: int = 10_000, *, deadline: Optional[float] = None, progress: Optional[Progress] = None
) -> Period:
    """The nimbers of heaps by an octal or hexadecimal code, and the period that they are proved to have.

    :param code: ``"0.77"``, ``"0.3F"``, or a game of heaps such as ``"kayles"``
    :param to: the largest heap
    :raises NoAnswerError: if it is no code, or there is no time

    >>> import balpan
    >>> found = balpan.period("0.77")
    >>> found.period, found.preperiod, found.nimbers[:8]
    (12, 71, [0, 1, 2, 3, 1, 4, 3, 2])
    """
    return Period(**_balpan.period(code, to, deadline, progress))


def quotient(
    game: Union[str, RulesGame, Position],
    largest: int = 12,
    *,
    most: int = 200,
    deadline: Optional[float] = None,
    progress: Optional[Progress] = None,
) -> Quotient:
    """What misère games amount to in sums of each other: their misère quotient, proved of all sums.

    :param game: an octal code, a game of heaps, or a misère game or position
    :param largest: the largest heap, of heaps
    :param most: elements of the largest quotient that is looked for
    :raises NoAnswerError: if there is no such quotient, or no time

    >>> import balpan
    >>> found = balpan.quotient("0.75", 10)
    >>> found.order, found.is_lost(1), found.is_lost(1, 1)
    (8, True, False)
    """
    if isinstance(game, str):
        told = _balpan.quotient(game, None, None, largest, most, deadline, progress)
    else:
        of, position = _part(game)
        told = _balpan.quotient(None, of, position, largest, most, deadline, progress)
    return Quotient.of(told)


def _part(part: Part) -> tuple[_balpan.TextGame, Optional[str]]:
    if isinstance(part, RulesGame):
        return part._game, None
    if isinstance(part, Position):
        return part.game._game, part.text
    game, text = part
    return game._game, text
