"""Bad input is told, and nothing worse happens."""

from __future__ import annotations

import pickle
import random
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import balpan


def test_a_position_that_is_none() -> None:
    with pytest.raises(balpan.PositionError) as caught:
        balpan.game("tictactoe").solve("X../.Y./...")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.position, error.span, error.kind) == ("X../.Y./...", (5, 6), "no_cell")
    assert error.help and "`X`" in error.help
    assert str(error).splitlines()[1:3] == ["  X../.Y./...", "       ^"]
    copied = pickle.loads(pickle.dumps(error))
    assert (str(copied), copied.span) == (str(error), error.span)


def test_a_span_counts_characters() -> None:
    with pytest.raises(balpan.PositionError) as caught:
        balpan.game("tictactoe").solve("XO./.한./..국")
    assert caught.value.span == (5, 6)


def test_rules_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(balpan.RulesError, match="did you mean"):
        balpan.game("platform")
    with pytest.raises(balpan.RulesError):
        balpan.game("tictactoe", k=0)
    with pytest.raises(balpan.RulesError):
        balpan.game("tictactoe", k="a\nb")
    with pytest.raises(balpan.RulesError) as caught:
        balpan.rules('family = "lines"\nboard = "3x3"\nk = "three"\n')
    assert caught.value.span is not None
    with pytest.raises(balpan.RulesError, match="cannot be read"):
        balpan.rules(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(balpan.RulesError, match="UTF-8"):
        balpan.rules(tmp_path / "bytes.toml")
    with pytest.raises(balpan.RulesError, match="not a path"):
        balpan.rules("a\0b")


def test_answers_that_there_are_none_of() -> None:
    with pytest.raises(balpan.NoAnswerError, match="no nimber"):
        balpan.game("tictactoe").nimber()
    with pytest.raises(balpan.NoAnswerError, match="placement"):
        balpan.game("tictactoe").cgt()
    with pytest.raises(balpan.NoAnswerError, match="not impartial"):
        balpan.sum_of(balpan.game("tictactoe"))
    with pytest.raises(balpan.NoAnswerError, match="more than"):
        balpan.game("connect4", memory="1M").census()
    with pytest.raises(balpan.MovesError, match="not a move"):
        balpan.game("tictactoe").start.play("3,3")
    with pytest.raises(balpan.MovesError):
        balpan.game("tictactoe").review("1,1 1,1")
    with pytest.raises(balpan.RulesError, match="no judge"):
        balpan.judge("chess")


class Heap(balpan.Game[int, int]):
    impartial = True

    def start(self) -> int:
        return 3

    def moves(self, heap: int) -> range:
        return range(heap)

    def play(self, heap: int, left: int) -> int:
        return left


TICTACTOE, CRAM, HEAP, PLATFORMS = balpan.game("tictactoe"), balpan.game("cram", board="2x3"), Heap(), balpan.judge("platforms")


def call(function: Any, *given: Any) -> Any:
    return lambda **words: function(*given, **words)


def wrong_arguments() -> list[tuple[str, Any, dict[str, list[Any]]]]:
    """Functions, with what their arguments must not be."""
    ask = ["all", "", 3, b"value", ["value"]]
    time = [-1, float("nan"), float("inf"), "2", b"2", [], 1e300, timedelta(seconds=-1)]
    memory = [0, -1, "", "much", "1X", "-5M", "1.5G", 1.5, None, [], 1 << 60, "9" * 99]
    lang = ["xx", "", None, 1]
    threads = [0, -1, "two", 1.5, 1 << 40]
    natural = [-1, "3", 1.5, 1 << 64]
    progress = [3, "bar"]
    method = ["magic", "", None, 3]
    strong = [3, [3]]
    errors = ["ignore", None, 0]
    judged = {"time": time, "limit": time, "seed": [None, *natural], "cases": natural}
    made: dict[str, list[Any]] = {"memory": memory, "threads": threads, "method": method, "strong": strong}
    return [
        ("solve", TICTACTOE.solve, {"ask": ask, "deadline": time, "progress": progress}),
        ("Position.solve", TICTACTOE.start.solve, {"ask": ask, "deadline": time}),
        ("Position.svg", TICTACTOE.start.svg, {"lang": lang}),
        ("steps", TICTACTOE.steps, {"ask": ask, "deadline": time}),
        ("solve_many", call(TICTACTOE.solve_many, []), {"ask": ask, "deadline": time, "threads": threads, "errors": errors}),
        ("positions of solve_many", TICTACTOE.solve_many, {"positions": [3, None]}),
        ("nimber", CRAM.nimber, {"progress": progress}),
        ("cgt", balpan.game("domineering", board="2x2").cgt, {"progress": progress}),
        ("census", CRAM.census, {"lang": lang, "progress": progress}),
        ("tree", call(TICTACTOE.tree, "X../XOO/OX."), {"depth": natural, "lang": lang, "progress": progress}),
        ("review", call(TICTACTOE.review, "1,1"), {"lang": lang, "progress": progress}),
        (
            "puzzles",
            call(TICTACTOE.puzzles),
            {"plies": [-1, (3, -1), (), (1, 2, 3), "3", None], "count": natural, "seed": [None, *natural]}
            | {"tries": natural, "time": time, "lang": lang, "progress": progress},
        ),
        ("game", call(balpan.game, "nim"), made),
        ("rules", call(balpan.rules, TICTACTOE.rules), made),
        ("own solve", call(balpan.solve, HEAP), {"ask": ask, "deadline": time, "method": [*method, "table"], "memory": memory, "progress": progress}),
        ("own nimber", call(balpan.nimber, HEAP), {"deadline": time, "progress": progress}),
        ("own census", call(balpan.census, HEAP), {"deadline": time, "memory": memory, "lang": lang, "progress": progress}),
        ("check_laws", call(balpan.check_laws, HEAP), {"plays": [None, *natural], "seed": [None, *natural], "deadline": time}),
        ("sum_of", call(balpan.sum_of, CRAM, HEAP), {"deadline": time, "progress": progress}),
        ("value", call(balpan.value, "1"), {"memory": memory, "deadline": time, "progress": progress}),
        ("period", call(balpan.period, "0.77"), {"to": [None, *natural], "deadline": time, "progress": progress}),
        ("quotient", call(balpan.quotient, "0.75"), {"largest": [None, *natural], "most": natural, "deadline": time}),
        ("judge", call(balpan.judge, CRAM), {"answer": ["who", None, 3]}),
        ("answer of a problem", call(balpan.judge, "platforms"), {"answer": ["who", None, 3]}),
        ("compare", call(PLATFORMS.compare, lambda *_: 0), judged),
        ("solution", PLATFORMS.compare, {"solution": [None, 3, "f"]}),
        ("generate", call(balpan.generate, "platforms"), {"cases": natural, "seed": natural, "hard": natural, "progress": progress}),
    ]


WRONG = [
    pytest.param(function, {name: value}, id=f"{called}-{name}-{value!r:.20}")
    for called, function, words in wrong_arguments()
    for name, values in words.items()
    for value in values
]


@pytest.mark.parametrize(("function", "words"), WRONG)
def test_a_wrong_argument_is_told_by_its_name(function: Any, words: dict[str, Any]) -> None:
    with pytest.raises(balpan.ArgumentError) as caught:
        function(**words)
    [name] = words
    assert str(caught.value).startswith(name) and caught.value.help and "expected" in caught.value.help


def test_what_is_no_position_no_game_and_no_path() -> None:
    nothing: Any
    for nothing in (3, b"X", [], object()):
        calls: list[tuple[Any, type[balpan.BalpanError]]] = [
            (lambda: TICTACTOE.solve(nothing), balpan.PositionError),
            (lambda: TICTACTOE.position(nothing), balpan.PositionError),
            (lambda: TICTACTOE.steps(nothing), balpan.PositionError),
            (lambda: TICTACTOE.census(nothing), balpan.PositionError),
            (lambda: list(TICTACTOE.solve_many([nothing])), balpan.PositionError),
            (lambda: TICTACTOE.review("1,1", nothing), balpan.PositionError),
            (lambda: TICTACTOE.start.play(nothing), balpan.MovesError),
            (lambda: balpan.game(nothing), balpan.RulesError),
            (lambda: balpan.judge(nothing), balpan.RulesError),
            (lambda: balpan.sum_of((CRAM, nothing)), balpan.PositionError),
            (lambda: balpan.sum_of(nothing), balpan.ArgumentError),
            (lambda: balpan.quotient(nothing), balpan.ArgumentError),
            (lambda: balpan.value(nothing), balpan.PositionError),
            (lambda: balpan.period(nothing), balpan.NoAnswerError),
            (lambda: balpan.solve(nothing), balpan.GameError),
        ]
        # A path may be bytes.
        if not isinstance(nothing, bytes):
            calls += [(lambda: balpan.rules(nothing), balpan.RulesError), (lambda: balpan.open_strong(nothing), balpan.StrongError)]
        for function, error in calls:
            with pytest.raises(error) as caught:
                function()
            assert caught.value.help
    for moves in (3, [1, 2], None):
        with pytest.raises(balpan.MovesError):
            TICTACTOE.review(moves)  # type: ignore[arg-type]
    with pytest.raises(balpan.ArgumentError, match="no games"):
        balpan.sum_of()
    with pytest.raises(balpan.PositionError, match="no part"):
        balpan.quotient("0.75", 4).element(99)


def test_times_and_sizes_are_numbers_of_any_kind() -> None:
    for deadline in (5, 5.0, Decimal("5"), Fraction(5), timedelta(seconds=5), None):
        assert TICTACTOE.solve(deadline=deadline).outcome == "draw"  # type: ignore[arg-type]
    for memory in (1 << 22, "4M", "4096k", " 4194304 "):
        assert balpan.game("tictactoe", memory=memory).solve().outcome == "draw"


def test_what_is_wrong_with_one_of_many() -> None:
    game = balpan.game("tictactoe")
    positions = ["X../.../...", "nonsense", "XO./.../..."]
    many = game.solve_many(positions)
    assert next(many).outcome == "draw"
    with pytest.raises(balpan.PositionError):
        next(many)
    found = list(game.solve_many(positions, errors="return"))
    assert [type(of).__name__ for of in found] == ["Answer", "PositionError", "Answer"]

    def failing() -> Any:
        yield positions[0]
        raise RuntimeError("no more")

    many = game.solve_many(failing())
    assert next(many).outcome == "draw"
    with pytest.raises(RuntimeError, match="no more"):
        next(many)
    with pytest.raises(StopIteration):
        next(many)


GAMES = {name: balpan.game(name, threads=1, memory="64M") for name in balpan.presets()}
GLYPHS = st.text(alphabet=".#/ABXO*ablrxo 0123456789\n,-한", max_size=40)


@settings(max_examples=1000, deadline=None)
@given(st.sampled_from(sorted(GAMES)), GLYPHS)
def test_a_thousand_texts(name: str, text: str) -> None:
    try:
        GAMES[name].solve(text, ask="winner", deadline=0.2)
    except balpan.BalpanError as error:
        assert error.span is None or 0 <= error.span[0] <= error.span[1] <= len(text)
        assert str(error)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet='family="lnspcwk\n= 0123456789x[]{}.#/', max_size=60), st.integers(-5, 99))
def test_rules_by_chance(text: str, k: int) -> None:
    makers: list[Any] = [lambda: balpan.rules("=\n" + text), lambda: balpan.game("tictactoe", k=k, board=text[:8])]
    for make in makers:
        try:
            make()
        except balpan.RulesError:
            pass


def test_a_thousand_calls_of_anything() -> None:
    """Whatever is called with whatever, an exception is the worst that happens."""
    chance = random.Random(5)
    game = balpan.game("tictactoe", threads=1, memory="16M")
    nim = balpan.game("nim", threads=1, memory="16M")
    values: list[Any] = [None, "", "X../.../...", "3 4", -1, 0, 1, 2**70, 0.5, float("inf"), [], {}, object(), b"x", game]
    calls: list[Any] = [
        game.solve, game.position, game.steps, game.solve_many, game.nimber, game.tree, game.review, game.cgt,
        nim.solve, nim.nimber, nim.position, balpan.sum_of, balpan.judge, balpan.open_strong, balpan.solve,
        balpan.check_laws, balpan.win, game.start.play,
    ]  # fmt: skip
    words = ["ask", "deadline", "nimber", "depth", "threads", "lang", "errors", "alpha_beta", "progress", "memory"]
    for _ in range(1000):
        call = chance.choice(calls)
        given = [chance.choice(values) for _ in range(chance.randrange(3))]
        named = {chance.choice(words): chance.choice(values) for _ in range(chance.randrange(2))}
        try:
            made: Any = call(*given, **named)
            if hasattr(made, "__next__"):
                next(made)
        except (balpan.BalpanError, OSError, StopIteration):
            pass
        except TypeError as error:
            # Python's own, for what a function does not take.
            assert "argument" in str(error) and str(call.__name__) in str(error)
