"""The exceptions of the package, all of them a :class:`ValueError`."""

from __future__ import annotations

from typing import Any, Optional

__all__ = [
    "ArgumentError",
    "BalpanError",
    "GameError",
    "LawError",
    "MovesError",
    "NoAnswerError",
    "PositionError",
    "RulesError",
    "StrongError",
]


class BalpanError(ValueError):
    """The base class: an error with advice.

    :ivar position: the text or the position that the error is about, if there is one
    :ivar span: the wrong characters of the text: start and end
    :ivar help: what was expected, or how to fix the error
    :ivar kind: the stable name of the kind of error in a text
    """

    position: Any
    span: Optional[tuple[int, int]]
    help: Optional[str]
    kind: Optional[str]

    def __init__(
        self,
        message: str = "",
        *,
        position: Any = None,
        span: Optional[tuple[int, int]] = None,
        help: Optional[str] = None,
        kind: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.span = span
        self.help = help
        self.kind = kind

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.message,), self.__dict__)

    def __str__(self) -> str:
        lines = [self.message]
        if self.span is not None and isinstance(self.position, str):
            lines.extend(_pointed(self.position, self.span))
        if self.help:
            lines.append(f"help: {self.help}")
        return "\n".join(lines)


class ArgumentError(BalpanError):
    """An invalid argument.

    >>> import balpan
    >>> try:
    ...     balpan.game("tictactoe").solve(ask="all")
    ... except balpan.ArgumentError as error:
    ...     print(error)
    ask='all'
    help: expected one of 'winner', 'outcome', 'value', 'moves', or None
    """


class PositionError(BalpanError):
    """A text that is not a position of the game.

    >>> import balpan
    >>> try:
    ...     balpan.game("tictactoe").solve("X../.Y./...")
    ... except balpan.PositionError as error:
    ...     print(error.position, error.span)
    X../.Y./... (5, 6)
    """


class MovesError(BalpanError):
    """Illegal moves, or a text that is not a move."""


class RulesError(BalpanError):
    """Invalid rules, or an unknown game."""


class NoAnswerError(BalpanError):
    """The question has no answer, or none within the time and memory allowed."""


class StrongError(BalpanError):
    """A file that is not a strong solution, or not of the game."""


class GameError(BalpanError):
    """An invalid game written in Python, or an object that is not a game; with the position that shows
    it, if there is one."""


class LawError(GameError):
    """A law that a game breaks, found by :func:`balpan.check_laws`, with a position that shows it."""


def _pointed(text: str, span: tuple[int, int]) -> list[str]:
    """Returns the wrong line of the text, and marks below it."""
    start, end = span
    begins = text.rfind("\n", 0, start) + 1
    line = text[begins:].split("\n", 1)[0]
    marks = max(1, min(end, begins + len(line)) - start)
    return [f"  {line}", "  " + " " * (start - begins) + "^" * marks]
