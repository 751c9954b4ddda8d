"""What can be wrong: all of it is a :class:`ValueError`."""

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
    """Something that balpan cannot do, with what was found and what can be done.

    :ivar position: the text, or the position, that it is about; ``None`` if it is about none
    :ivar span: the characters of the text that are wrong, from and to
    :ivar help: what was expected, or what can be done
    :ivar kind: the name of the kind of mistake in a text; it never changes
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
    """An argument that is not one of those that are allowed.

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
    """Moves that cannot be made, or a move that is none."""


class RulesError(BalpanError):
    """Rules that are none, or a game that is not known."""


class NoAnswerError(BalpanError):
    """There is no answer to such a question, or not within what may be spent."""


class StrongError(BalpanError):
    """A file that is not a strong solution, or not of the game."""


class GameError(BalpanError):
    """A game of one's own that does not do what a game has to, or something that is no game; with the
    position where that shows, if there is one."""


class LawError(GameError):
    """A law that a game of one's own breaks, found by :func:`balpan.check_laws`, with a position that
    shows it."""


def _pointed(text: str, span: tuple[int, int]) -> list[str]:
    """The line of the text that is wrong, and a mark below it."""
    start, end = span
    begins = text.rfind("\n", 0, start) + 1
    line = text[begins:].split("\n", 1)[0]
    marks = max(1, min(end, begins + len(line)) - start)
    return [f"  {line}", "  " + " " * (start - begins) + "^" * marks]
