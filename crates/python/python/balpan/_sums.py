"""Sums of impartial games."""

from __future__ import annotations

from typing import Optional, Union

from . import _balpan
from ._games import Position, Progress, RulesGame
from ._reports import Sum

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


def _part(part: Part) -> tuple[_balpan.TextGame, Optional[str]]:
    if isinstance(part, RulesGame):
        return part._game, None
    if isinstance(part, Position):
        return part.game._game, part.text
    game, text = part
    return game._game, text
