"""Reports, pictures and tables."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

import balpan
from conftest import example


def is_svg(text: Any) -> bool:
    return bool(ElementTree.fromstring(text).tag.endswith("svg"))


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_pictures_are_svg(lang: str) -> None:
    for name in balpan.presets():
        assert is_svg(balpan.game(name).start.svg(lang=lang)), name
    game = balpan.game("tictactoe")
    assert is_svg(game.start.play("1,1")._repr_svg_())
    assert is_svg(game.census(lang=lang)._repr_svg_())
    assert is_svg(game.tree("X../XOO/OX.", lang=lang, alpha_beta=True)._repr_svg_())
    assert is_svg(game.review("1,1 0,1 0,0 2,2", lang=lang)._repr_svg_())
    puzzles = game.puzzles(plies=5, lang=lang)
    assert is_svg(puzzles._repr_svg_())
    assert is_svg(puzzles.answers[0]._repr_svg_())
    with pytest.raises(ValueError, match="lang"):
        game.start.svg(lang="xx")


def test_frames() -> None:
    pandas = pytest.importorskip("pandas")
    game = balpan.game("tictactoe")
    frames = [
        game.solve("XO./.../...").frame(),
        game.census().frame(),
        game.tree("X../XOO/OX.").frame(),
        game.review("1,1 0,1 0,0 2,2").frame(),
        game.puzzles(plies=5).frame(),
        balpan.sum_of((balpan.game("nim"), "3 5")).frame(),
        balpan.sum_of((example("nim").Nim(), (3, 5))).frame(),
        balpan.generate("tictactoe", 3).frame(),
    ]
    assert all(isinstance(frame, pandas.DataFrame) and len(frame) > 0 for frame in frames)
    assert frames[1]["win"].sum() == 2836


def test_html() -> None:
    html = balpan.game("tictactoe").solve("XO./.../...")._repr_html_()
    assert html.count("<tr>") == 8 and "<b>1,1</b>" in html
    assert "<table>" in balpan.sum_of((balpan.game("nim"), "3 5"))._repr_html_()


def test_positions() -> None:
    game = balpan.game("platforms", board="3x3")
    position = game.position("A../.../..B")
    assert position == game.position("A.. / ... / ..B a") and hash(position) == hash(game.position("A../.../..B"))
    assert position.moves == ["0,1", "1,0"] and position.to_move == "A" and not position.is_over
    after = position.play("0,1")
    assert after.text == "#A./.../..B b" and after.solve().line == game.solve(after).line
    lost = game.position("A#./##./..B")
    assert lost.is_over and lost.end == "loss" and lost.moves == []
    # Of another board than the rules'.
    assert balpan.game("platforms").position("AB").moves == ["0,1"]


def test_a_judge_finds_a_misunderstanding() -> None:
    def hurried(board: list[list[int]], aloc: list[int], bloc: list[int]) -> int:
        def play(ar: int, ac: int, br: int, bc: int) -> tuple[bool, int]:
            if not board[ar][ac]:
                return False, 0
            won: list[int] = []
            lost: list[int] = []
            for r, c in ((ar + 1, ac), (ar - 1, ac), (ar, ac + 1), (ar, ac - 1)):
                if 0 <= r < len(board) and 0 <= c < len(board[0]) and board[r][c]:
                    board[ar][ac] = 0
                    other, plies = play(br, bc, r, c)
                    board[ar][ac] = 1
                    (lost if other else won).append(plies + 1)
            return (True, min(won)) if won else (False, min(lost, default=0))

        return play(*aloc, *bloc)[1]

    found = balpan.judge("platforms").compare(hurried, time=30)
    assert not found and found.difference is not None
    assert found.difference.fault == "wrong" and found.difference.smallest
    assert "hurrying" in found.difference.mistakes[0].name
    assert is_svg(found._repr_svg_())
    assert "Maybe it is this" in str(found)


def test_judges_and_right_functions() -> None:
    blockgame = balpan.game("blockgame")

    def wins(board: list[str]) -> bool:
        return blockgame.solve("/".join(board)).outcome == "win"

    right = balpan.judge("blockgame").compare(wins, cases=200, time=600)
    assert right and right.difference is None
    tictactoe = balpan.game("tictactoe")

    def solution(board: list[str]) -> str:
        answer = tictactoe.solve("/".join(board).upper())
        return {"X": "x", "O": "o", None: "TIE"}[answer.winner]

    assert balpan.judge("tictactoe").compare(solution, cases=300, time=600)
    small = balpan.game("tictactoe", board="2x3", k=2)

    def worth(text: str) -> str:
        return str(small.solve(text).worth).replace(" in", "")

    assert balpan.judge(small, answer="value").compare(worth, time=600)


def test_what_a_function_does_wrong() -> None:
    def raising(board: Any, aloc: Any, bloc: Any) -> int:
        raise ZeroDivisionError("here")

    difference = balpan.judge("platforms").compare(raising, time=30).difference
    assert difference is not None and difference.fault == "raised" and "ZeroDivisionError: here" in difference.error
    difference = balpan.judge("platforms").compare(lambda *_: "many", time=30).difference
    assert difference is not None and difference.fault == "garbage"

    def slow(board: Any, aloc: Any, bloc: Any) -> int:
        while True:
            pass

    found = balpan.judge("platforms").compare(slow, time=10, limit=0.5)
    assert found.verdict == "slow"


def test_test_data_covers() -> None:
    data = balpan.generate("tictactoe", 40, cover=True, seed=3)
    assert len(data) == 40 and any(case.covers for case in data)
    assert all(len(case.arguments[0]) == 3 for case in data)
    hard = balpan.generate("blockgame", 3, hard=1)
    assert len(hard) == 4


def test_periods_are_as_published() -> None:
    """R. K. Guy and C. A. B. Smith (1956); A. Gangolli and T. Plambeck (1989)."""
    for code, period, preperiod in [("0.77", 12, 71), ("kayles", 12, 71), ("0.07", 34, 53), ("0.356", 142, 7315)]:
        found = balpan.period(code, 20_000)
        assert (found.period, found.preperiod) == (period, preperiod)
        assert len(found.nimbers) == found.to + 1 == 20_001
        assert found.nimbers[8000] == found.nimbers[8000 + period]
    assert balpan.period("0.007", 100).period is None
    for wrong in ["0.x", "nim", "cram", ""]:
        with pytest.raises(balpan.NoAnswerError):
            balpan.period(wrong)
    with pytest.raises(balpan.NoAnswerError):
        balpan.period("0.77", 0)


def test_quotients_are_as_published() -> None:
    """T. E. Plambeck (2005); T. E. Plambeck and G. Whitehead (2013)."""
    found = balpan.quotient("0.75", 10)
    assert (len(found), found.orders[-1]) == (8, 8)
    assert list(found.parts) == [str(n) for n in range(1, 11)]
    assert balpan.quotient(balpan.game("notakto")).order == 18
    kayles = balpan.game("kayles", misere=True)
    quotient = balpan.quotient(kayles, 7)
    for heaps in [(1,), (2, 2), (3, 3), (1, 2, 3), (5, 6, 7), (7, 7, 1), (4, 4, 2)]:
        outcome = kayles.solve(" ".join(map(str, heaps))).outcome
        assert quotient.is_lost(*heaps) == (outcome == "loss"), heaps
    with pytest.raises(balpan.NoAnswerError):
        balpan.quotient("0.77", 12, most=9)
    with pytest.raises(balpan.NoAnswerError):
        balpan.quotient(balpan.game("platforms"))
