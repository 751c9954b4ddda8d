"""Bad input is told, and nothing worse happens."""

from __future__ import annotations

import pickle
import random
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


@pytest.mark.parametrize(
    "words",
    [{"ask": "all"}, {"deadline": -1}, {"deadline": float("nan")}, {"ask": 3}],
)
def test_words_that_are_not_known(words: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError)):
        balpan.game("tictactoe").solve(**words)


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
        except (ValueError, TypeError, AttributeError, OverflowError, OSError, StopIteration):
            pass
