"""Contests: stress tests of functions against exact answers, and test data."""

from __future__ import annotations

import io
import json
import numbers
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from . import _balpan
from ._arguments import KINDS_OF_ANSWER, Deadline, Progress, function_of, seconds, whole, word_of
from ._errors import RulesError
from ._frames import frame
from ._games import RulesGame
from ._interrupt import TimeIsUp, interrupt
from ._reports import Mistake

__all__ = ["Comparison", "Difference", "Judge", "TestCase", "TestData", "generate", "judge"]

Solution = Callable[..., Any]


@dataclass(frozen=True)
class Difference:
    """A case on which a function is wrong. Notebooks show its board."""

    fault: str
    """``"wrong"``, ``"garbage"`` (no answer), ``"raised"``, ``"time_limit"`` or ``"unsteady"``."""
    arguments: tuple[Any, ...]
    """The arguments of the call."""
    right: str
    """The right answer."""
    answer: Optional[str]
    """The answer of the function, if it gave one."""
    error: str
    """The end of the traceback, if the function raised an exception."""
    smallest: bool
    """Whether the function is right on all smaller cases."""
    smaller_cases: Optional[int]
    """The number of smaller cases, if all were tried."""
    mistakes: list[Mistake]
    """Known misunderstandings that explain the answers, the likeliest first."""
    position: str
    line: list[str]
    """Best play to the end."""
    input: str
    """The case in the judge's input format."""
    before: Optional[str] = None
    """Earlier calls without which the answer is right."""
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _svg: str = field(default="", repr=False, compare=False)

    def __str__(self) -> str:
        call = ", ".join(repr(argument) for argument in self.arguments)
        does = {
            "wrong": f"returns {self.answer}",
            "garbage": f"returns {self.answer}, which is not an answer",
            "raised": "raises " + (self.error.strip().splitlines() or ["an exception"])[-1],
            "time_limit": "takes too long",
            "unsteady": "does not return the same every time",
        }.get(self.fault, self.fault.replace("_", " "))
        lines = [f"solution({call}) {does}; the right answer is {self.right}."]
        if self.before:
            lines.append("It is right if it is called with nothing else before.")
        if self.smallest and self.smaller_cases:
            many = f"all {self.smaller_cases:,} smaller cases" if self.smaller_cases > 1 else "the one smaller case"
            lines.append(f"It is right in {many}.")
        for mistake in self.mistakes[:1]:
            explained = f"explains {mistake.explains} of {mistake.of} answers"
            lines.append(f"Maybe it is this: {mistake.name} ({explained}); but {mistake.remedy}.")
        if self.line:
            lines.append(f"Best play: {' '.join(self.line)}")
        return "\n".join(lines)

    def _repr_svg_(self) -> Optional[str]:
        return self._svg or None


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison."""

    judge: str
    right: bool
    """Whether all answers were right."""
    verdict: str
    """``"right"``, ``"wrong"``, ``"slow"`` or ``"undecided"``."""
    cases: int
    """The number of cases tried."""
    largest: int
    """The cells of the largest case."""
    seconds: float
    difference: Optional[Difference]
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        if self.difference is not None:
            return str(self.difference)
        if self.right:
            return f"Right in all {self.cases:,} cases, of up to {self.largest} cells."
        return f"No wrong answer was found in {self.cases:,} cases; not enough were tried."

    def _repr_svg_(self) -> Optional[str]:
        return None if self.difference is None else self.difference._repr_svg_()


@dataclass(frozen=True)
class TestCase:
    """A case with its certified answer."""

    __test__ = False

    arguments: tuple[Any, ...]
    answer: str
    covers: list[str]
    input: str


@dataclass(frozen=True)
class TestData:
    """Test data with certified answers."""

    __test__ = False

    judge: str
    seed: int
    cases: list[TestCase]
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __iter__(self) -> Iterator[TestCase]:
        return iter(self.cases)

    def __len__(self) -> int:
        return len(self.cases)

    def frame(self) -> Any:
        """The cases as a pandas frame, one row each. Needs pandas."""
        rows = [(case.input, case.answer, "; ".join(case.covers)) for case in self.cases]
        return frame(rows, ["input", "answer", "covers"])


class Judge:
    """A contest problem: exact answers, test data, and known misunderstandings.

    The arguments and the result of a solution:

    ============= ============================================ ================================
    judge         called with                                  returns
    ============= ============================================ ================================
    ``platforms`` ``board, aloc, bloc``, as the problem has it the plies of the game
    ``blockgame`` ``board``, a list of five strings            ``"WINNING"`` or ``"LOSING"``, or
                                                               whether it is won
    ``tictactoe`` ``board``, a list of three strings           ``"x"``, ``"o"`` or ``"TIE"``
    a game        the text of a position                       ``"win"``, ``"draw"``, ``"loss"``;
                                                               or with ``answer="value"``, such
                                                               as ``"win 3"``; or the nimber
    ============= ============================================ ================================
    """

    def __init__(self, name: str, game: Optional[RulesGame] = None, answer: str = "outcome") -> None:
        word_of("answer", answer, KINDS_OF_ANSWER)
        self.name = name
        self._own = None if game is None else (game._game, answer)
        self._kind = "game" if game is not None else name

    def compare(
        self,
        solution: Solution,
        *,
        time: Deadline = 10.0,
        cases: Optional[int] = None,
        limit: Deadline = None,
        seed: int = 1,
    ) -> Comparison:
        """Calls a function with all small cases and then with random larger ones, until it is wrong or the time
        is up. Then finds the smallest case on which it is wrong, and the misunderstanding that explains its
        answers.

        :param time: the seconds in all
        :param cases: the number of cases; fewer if the time ends first
        :param limit: the seconds for one case; by default, the problem's limit
        :param seed: the seed of the random cases

        Prints of the function are not shown. A call that takes too long is ended by an exception, except while
        it waits in code of another language.

        >>> import balpan
        >>> def solution(board, aloc, bloc):
        ...     return 0
        >>> print(balpan.judge("platforms").compare(solution).difference)
        solution([[1, 1]], [0, 0], [0, 0]) returns 0; the right answer is 1.
        It is right in the one smaller case.
        Best play: 0,1
        """
        allowed = seconds("time", time)
        runner = _Runner(function_of("solution", solution, none=False), self._kind)
        told = _balpan.compare(
            self.name,
            self._own,
            runner,
            whole("seed", seed),
            whole("cases", cases, none=True),
            10.0 if allowed is None else allowed,
            seconds("limit", limit),
        )
        return self._comparison(told)

    def generate(
        self,
        cases: int = 10,
        *,
        seed: int = 1,
        cover: bool = False,
        hard: int = 0,
        progress: Optional[Progress] = None,
    ) -> TestData:
        """Generates test data with certified answers. The seed determines the data on every machine.

        :param cover: whether the cases together cover everything that test data should
        :param hard: the number of additional cases that are hard for plain recursion

        >>> import balpan
        >>> data = balpan.judge("tictactoe").generate(3)
        >>> [case.answer for case in data]
        ['o', 'o', 'TIE']
        """
        told = _balpan.generate(
            self.name,
            self._own,
            whole("cases", cases),
            whole("seed", seed),
            bool(cover),
            whole("hard", hard),
            function_of("progress", progress),
        )
        made = [
            TestCase(_arguments(self._kind, case["input"])[0], case["answer"], list(case["covers"]), case["input"])
            for case in told["cases"]
        ]
        return TestData(judge=told["judge"], seed=told["seed"], cases=made, told=told)

    def _comparison(self, told: dict[str, Any]) -> Comparison:
        found = told["difference"]
        difference = None
        if found is not None:
            # A function raises where a program ends, and its text that is no answer is shown.
            found["fault"] = {"exit_code": "raised", "signal": "raised"}.get(found["fault"], found["fault"])
            found["answer"] = found["answer"] or found["told"] or None
            difference = Difference(
                fault=found["fault"],
                arguments=_arguments(self._kind, found["input"])[0],
                right=found["right"],
                answer=found["answer"],
                error=found["errors"],
                smallest=found["smallest"],
                smaller_cases=found["smaller_cases"],
                mistakes=[Mistake(**mistake) for mistake in found["mistakes"]],
                position=found["position"],
                line=found["line"],
                input=found["input"],
                before=found["before"],
                told=found,
                _svg=_balpan.judge_svg(self.name, self._own, found["input"]),
            )
        return Comparison(
            judge=told["judge"],
            right=told["right"],
            verdict=told["verdict"],
            cases=told["cases"],
            largest=told["largest"],
            seconds=told["seconds"],
            difference=difference,
            told=told,
        )

    def __repr__(self) -> str:
        return f"<judge {self.name}>"


def judge(name: Union[str, RulesGame], *, answer: str = "outcome") -> Judge:
    """Returns the judge of a contest problem (``"platforms"``, ``"blockgame"``, ``"tictactoe"``), or of a
    game, whose answers are ``"outcome"``, ``"value"`` or ``"nimber"``."""
    if isinstance(name, RulesGame):
        return Judge(name.name, name, answer)
    if not isinstance(name, str) or name not in ("platforms", "blockgame", "tictactoe"):
        raise RulesError(f"there is no judge {name!r}", help="the judges are platforms, blockgame and tictactoe; or give a game")
    return Judge(name, None, answer)


def generate(
    name: Union[str, RulesGame],
    cases: int = 10,
    *,
    seed: int = 1,
    cover: bool = False,
    hard: int = 0,
    answer: str = "outcome",
    progress: Optional[Progress] = None,
) -> TestData:
    """Generates test data as :meth:`Judge.generate` does."""
    return judge(name, answer=answer).generate(cases, seed=seed, cover=cover, hard=hard, progress=progress)


_ROWS = {"blockgame": 5, "tictactoe": 3}


def _arguments(kind: str, text: str) -> list[tuple[Any, ...]]:
    """Parses the arguments of a solution for each case of an input."""
    lines = text.splitlines()
    if kind == "platforms":
        cases = [json.loads(line) for line in lines if line.strip()]
        return [(case["board"], case["aloc"], case["bloc"]) for case in cases]
    if kind == "game":
        return [(line,) for line in lines[1:]]
    rows = [line for line in lines[1:] if line.strip()]
    size = _ROWS[kind]
    return [(rows[at : at + size],) for at in range(0, len(rows), size)]


def _format_answer(kind: str, result: Any) -> str:
    """Formats an answer as the judge reads it, and other results literally."""
    if isinstance(result, bool) and kind == "blockgame":
        return "WINNING" if result else "LOSING"
    if isinstance(result, numbers.Integral) and not isinstance(result, bool):
        return str(int(result))
    if isinstance(result, str) and kind != "platforms" and result.strip():
        return " ".join(result.split())
    return " ".join(repr(result).split()) or "?"


_MAX_TRACEBACK = 2000


class _Runner:
    """Calls a solution for each case of an input, within a time limit."""

    def __init__(self, solution: Solution, kind: str) -> None:
        self._solution = solution
        self._kind = kind
        self._lock = threading.Lock()
        self._thread: Optional[int] = None
        self._end = 0.0

    def run(self, data: bytes, seconds: float) -> tuple[bytes, str, str]:
        """Returns the output, the traceback, and how the run ended."""
        output: list[str] = []
        try:
            try:
                with self._lock:
                    self._thread, self._end = threading.get_ident(), time.monotonic() + seconds
                error = self._answer(data, output)
            finally:
                with self._lock:
                    self._thread = None
            ended = "right" if not error else "raised"
        except TimeIsUp:
            error, ended = "", "time"
        return "".join(output).encode(), error, ended

    def _answer(self, data: bytes, output: list[str]) -> str:
        try:
            with redirect_stdout(io.StringIO()):
                for arguments in _arguments(self._kind, data.decode()):
                    output.append(_format_answer(self._kind, self._solution(*arguments)) + "\n")
        except (Exception, SystemExit, RecursionError):
            return traceback.format_exc()[-_MAX_TRACEBACK:]
        return ""

    def tick(self, stopping: bool) -> None:
        """Interrupts a run whose time is up, or if the work is stopping."""
        with self._lock:
            if self._thread is None or not (stopping or time.monotonic() > self._end):
                return
            # The exception must be raised only once.
            thread, self._thread = self._thread, None
            interrupt(thread)
