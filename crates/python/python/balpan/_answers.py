"""Answers about positions, with the fields of the command's ``--json``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Optional, TypeVar

from ._frames import frame
from ._tables import Table

__all__ = ["DRAW", "Answer", "MoveWorth", "Outcome", "Worth", "loss", "score", "win"]

Outcome = Literal["win", "draw", "loss"]

P = TypeVar("P")
M = TypeVar("M")


@dataclass(frozen=True)
class Worth:
    """A value for the player to move: an outcome, and the plies to the end or the score if known.

    >>> win(3)
    Worth(outcome='win', remoteness=3, score=None)
    >>> print(loss(4), score(7), DRAW)
    loss in 4 win by 7 draw
    """

    outcome: Outcome
    remoteness: Optional[int] = None
    score: Optional[int] = None

    def __str__(self) -> str:
        return _told(self.outcome, self.remoteness, self.score)


def win(remoteness: Optional[int] = None) -> Worth:
    """The player to move wins in this number of plies."""
    return Worth("win", remoteness)


def loss(remoteness: Optional[int] = None) -> Worth:
    """The player to move loses in this number of plies."""
    return Worth("loss", remoteness)


def score(score: int) -> Worth:
    """The player to move gets this score; 0 is a draw."""
    return DRAW if score == 0 else Worth("win" if score > 0 else "loss", None, score)


DRAW = Worth("draw")
"""Nobody wins."""


@dataclass(frozen=True)
class MoveWorth(Generic[P, M]):
    """The value of a move for the player who makes it. A best move has the position's outcome and
    remoteness."""

    move: M
    outcome: Optional[Outcome]
    remoteness: Optional[int]
    position: P
    at_least: Optional[Worth] = None
    at_most: Optional[Worth] = None
    score: Optional[int] = None

    def __str__(self) -> str:
        return f"{self.move} {_told(self.outcome, self.remoteness, self.score)}"


@dataclass(frozen=True)
class Answer(Generic[P, M]):
    """The answer about a position: its value, its moves, and a line of best play.

    The fields have the names of the command's ``--json``. Values that are not known or were not
    requested are ``None`` or empty. `complete` says whether the answer has everything requested; until
    then `at_least` and `at_most` bound the value, and `nimber_at_least` a requested nimber.

    >>> import balpan
    >>> answer = balpan.game("platforms").solve(".../A.B/...")
    >>> answer.outcome, answer.remoteness, answer.winner, answer.best
    ('win', 5, 'A', ['1,1'])
    >>> print(answer)
    A wins in 5: 1,1
    """

    game: str
    position: P
    to_move: str
    outcome: Optional[Outcome]
    remoteness: Optional[int]
    winner: Optional[str]
    best: list[M]
    moves: list[MoveWorth[P, M]]
    line: list[M]
    complete: bool
    rules: list[str] = field(default_factory=list)
    nimber: Optional[int] = None
    misere_value: Optional[int] = None
    nimber_at_least: Optional[int] = None
    at_least: Optional[Worth] = None
    at_most: Optional[Worth] = None
    score: Optional[int] = None
    positions_searched: int = field(default=0, compare=False)
    seconds: float = field(default=0.0, compare=False)
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """The answer as the command's ``--json`` has it, for `json.dumps`."""

    @property
    def worth(self) -> Optional[Worth]:
        """The outcome and the remoteness or score; ``None`` if the outcome is not known."""
        return None if self.outcome is None else Worth(self.outcome, self.remoteness, self.score or None)

    def frame(self) -> Any:
        """The moves as a pandas frame, one row each. Needs pandas."""
        rows = [(mv.move, mv.outcome, mv.remoteness, mv.position) for mv in self.moves]
        return frame(rows, ["move", "outcome", "remoteness", "position"])

    def __str__(self) -> str:
        if self.outcome is None:
            return "not known yet"
        if self.winner is None:
            told = "a draw"
        else:
            told = f"{self.winner} wins"
            if self.remoteness is not None:
                told += f" in {self.remoteness}"
            elif self.score is not None:
                told += f" by {abs(self.score)}"
        best = " ".join(str(mv) for mv in self.best)
        return f"{told}: {best}" if best else told

    def _repr_html_(self) -> str:
        head = ["move", "outcome", "plies"]
        best = {repr(mv) for mv in self.best}
        rows = [
            [str(mv.move), mv.outcome or "", "" if mv.remoteness is None else str(mv.remoteness)] for mv in self.moves
        ]
        marked = {n for n, mv in enumerate(self.moves) if repr(mv.move) in best}
        return Table(str(self), head, rows, marked).html()


def _told(outcome: Optional[str], remoteness: Optional[int], score: Optional[int]) -> str:
    if outcome is None:
        return "not known yet"
    if score:
        return f"{outcome} by {abs(score)}"
    return outcome if remoteness is None else f"{outcome} in {remoteness}"


def _bound(told: Optional[dict[str, Any]]) -> Optional[Worth]:
    return None if told is None else Worth(told["outcome"], told["remoteness"], told.get("score"))


_new = object.__new__


def answer_of(told: dict[str, Any]) -> Answer[Any, Any]:
    """Makes an answer from a dictionary, bypassing the slow constructors of the data classes."""
    moves = []
    for entry in told["moves"]:
        mv = _new(MoveWorth)
        fields = mv.__dict__
        fields.update(entry)
        if "at_least" in entry or "at_most" in entry:
            fields["at_least"] = _bound(entry.get("at_least"))
            fields["at_most"] = _bound(entry.get("at_most"))
        else:
            fields["at_least"] = fields["at_most"] = None
        moves.append(mv)
    answer: Answer[Any, Any] = _new(Answer)
    fields = answer.__dict__
    fields["nimber"] = fields["misere_value"] = fields["nimber_at_least"] = fields["score"] = None
    fields["seconds"] = 0.0
    fields.update(told)
    fields["at_least"] = _bound(told.get("at_least"))
    fields["at_most"] = _bound(told.get("at_most"))
    fields["moves"] = moves
    fields["told"] = told
    return answer
