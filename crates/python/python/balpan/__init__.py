"""Exact solvers for two-player board games: who wins, in how many plies, by which moves.

>>> import balpan
>>> answer = balpan.game("platforms", board="4x4").solve()
>>> answer.winner, answer.remoteness, answer.best
('B', 14, ['0,1', '1,0'])

Games of rules files (:func:`game`, :func:`rules`) have positions and moves as text. Games written in
Python (:class:`Game`, :func:`solve`) have positions and moves of any kind. The same engine solves both
with the interpreter released, and every answer is exact.
"""

from __future__ import annotations

from ._answers import DRAW, Answer, MoveWorth, Outcome, Worth, loss, score, win
from ._arguments import Ask
from ._balpan import __version__
from ._errors import (
    ArgumentError,
    BalpanError,
    GameError,
    LawError,
    MovesError,
    NoAnswerError,
    PositionError,
    RulesError,
    StrongError,
)
from ._games import Position, RulesGame, game, presets, rules
from ._judge import Comparison, Difference, Judge, TestCase, TestData, generate, judge
from ._own import Game, census, check_laws, nimber, register, solve
from ._reports import (
    Census,
    Component,
    Mistake,
    Period,
    Puzzle,
    Puzzles,
    Quotient,
    Review,
    Reviewed,
    Sheet,
    Sum,
    Tree,
    ValueInSums,
    ValueOf,
    WinningMove,
)
from ._serve import Pages, serve
from ._strong import MISSING, Strong, StrongFiles, open_strong
from ._sums import period, quotient, sum_of, value

__all__ = [
    "DRAW",
    "MISSING",
    "Answer",
    "ArgumentError",
    "Ask",
    "BalpanError",
    "Census",
    "Comparison",
    "Component",
    "Difference",
    "Game",
    "GameError",
    "Judge",
    "LawError",
    "Mistake",
    "MoveWorth",
    "MovesError",
    "NoAnswerError",
    "Outcome",
    "Pages",
    "Period",
    "Position",
    "PositionError",
    "Quotient",
    "Puzzle",
    "Puzzles",
    "Review",
    "Reviewed",
    "RulesError",
    "RulesGame",
    "Sheet",
    "Strong",
    "StrongFiles",
    "StrongError",
    "Sum",
    "TestCase",
    "TestData",
    "Tree",
    "ValueInSums",
    "ValueOf",
    "WinningMove",
    "Worth",
    "__version__",
    "census",
    "check_laws",
    "game",
    "generate",
    "judge",
    "loss",
    "nimber",
    "open_strong",
    "period",
    "presets",
    "quotient",
    "register",
    "rules",
    "score",
    "serve",
    "solve",
    "sum_of",
    "value",
    "win",
]
