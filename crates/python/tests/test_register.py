"""Games written in Python under a name, at every door."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from typing import Any, Optional

import pytest

import balpan
from conftest import ROOT, by_chance
from test_own import OneHeap, TicTacToe


class Again(balpan.Game[str, str]):
    """A preset's rules, restated in Python: its positions and moves are the texts of the preset's."""

    def __init__(self, preset: balpan.RulesGame) -> None:
        self.preset = preset

    def start(self) -> str:
        return self.preset.start.text

    def moves(self, position: str) -> list[str]:
        return self.preset.position(position).moves

    def play(self, position: str, move: str) -> str:
        return self.preset.position(position).play(move).text

    def keeps_turn(self, position: str, move: str, after: str) -> bool:
        return self.preset.position(position).to_move == self.preset.position(after).to_move

    def end(self, position: str) -> Any:
        if self.max_score:
            worth = self.preset.solve(position).worth
            assert worth is not None
            return worth.score or 0
        return self.preset.position(position).end

    def glyphs(self, position: str) -> list[str]:
        return position.split(" ")[0].split("/")


class Loopy(Again):
    may_repeat = True


class Scored(Again):
    max_score = 25


class Chomp(balpan.Game[tuple[int, ...], tuple[int, int]]):
    about = "Chomp: eat a square with all below it and to its right <b>"
    about_ko = "촘프"
    impartial = True

    def start(self) -> tuple[int, ...]:
        return (4, 4, 4)

    def moves(self, rows: tuple[int, ...]) -> list[tuple[int, int]]:
        return [(row, column) for row, length in enumerate(rows) for column in range(length)][1:]

    def play(self, rows: tuple[int, ...], bite: tuple[int, int]) -> tuple[int, ...]:
        row, column = bite
        return tuple(min(length, column) if n >= row else length for n, length in enumerate(rows))

    def text(self, rows: tuple[int, ...]) -> str:
        return "/".join(self.glyphs(rows))

    def parse(self, text: str) -> tuple[int, ...]:
        rows = tuple(len(row.rstrip("#")) for row in text.split("/"))
        if self.text(rows) != text or list(rows) != sorted(rows, reverse=True):
            raise ValueError("no bar of chocolate")
        return rows

    def move_text(self, rows: tuple[int, ...], bite: tuple[int, int]) -> str:
        return f"{bite[0]},{bite[1]}"

    def glyphs(self, rows: tuple[int, ...]) -> list[str]:
        return ["." * length + "#" * (4 - length) for length in rows]

    def cells(self, rows: tuple[int, ...], bite: tuple[int, int]) -> list[tuple[int, int]]:
        return [bite]


def same(ours: balpan.Answer[str, str], theirs: balpan.Answer[str, str]) -> None:
    assert ours.position == theirs.position
    assert str(ours.worth) == str(theirs.worth), theirs.position
    worths = [sorted((mv.move, (mv.outcome, mv.remoteness)) for mv in answer.moves) for answer in (ours, theirs)]
    assert worths[0] == worths[1], theirs.position


def again(name: str, **settings: Any) -> tuple[balpan.RulesGame, balpan.RulesGame]:
    """A preset, and the same game in Python."""
    preset = balpan.game(name, **settings)
    kind = Loopy if name in ("mutorere", "ponghauki") else Scored if name in ("dots", "othello") else Again
    return balpan.register(f"{name}-again", kind(preset)), preset


GAMES: list[tuple[str, dict[str, Any]]] = [
    ("tictactoe", {}),
    ("dots", {"board": "3x5"}),
    ("othello", {}),
    ("ponghauki", {}),
    ("mutorere", {}),
    ("hexapawn", {}),
]


@pytest.mark.parametrize(("name", "settings"), GAMES)
def test_every_door_says_the_same_as_of_the_preset(name: str, settings: dict[str, Any]) -> None:
    ours, theirs = again(name, **settings)
    texts = by_chance(theirs, 40, seed=5, least={"othello": 7, "dots": 2}.get(name, 0))
    for text in texts:
        same(ours.solve(text, ask="moves"), theirs.solve(text, ask="moves"))
        assert str(ours.position(text)) == str(theirs.position(text))
        assert ours.position(text).moves == theirs.position(text).moves
    many = list(ours.solve_many(texts, ask="value"))
    assert [str(answer.worth) for answer in many] == [str(theirs.solve(text, ask="value").worth) for text in texts]
    assert str(list(ours.steps(texts[-1], ask="value"))[-1].worth) == str(theirs.solve(texts[-1], ask="value").worth)
    late = texts[-1]
    mine, yours = ours.census(late), theirs.census(late)
    assert (mine.positions, mine.told["outcomes"]) == (yours.positions, yours.told["outcomes"])
    assert ours.tree(late, depth=2).positions == theirs.tree(late, depth=2).positions
    chance, at = random.Random(1), ours.position(late)
    moves: list[str] = []
    while at.moves and len(moves) < 12:
        moves.append(chance.choice(at.moves))
        at = at.play(moves[-1])
    marks = [[reviewed.mark for reviewed in game.review(moves, late).moves] for game in (ours, theirs)]
    assert marks[0] == marks[1] and len(marks[0]) == len(moves)
    for puzzle in ours.puzzles(late, plies=1, count=5, all=True):
        answer = theirs.solve(puzzle.position, ask="moves")
        assert answer.outcome == "win" and [mv.outcome for mv in answer.moves].count("win") == 1
    assert "<svg" in ours.position(late).svg(lang="ko")


def test_chomp_has_a_board_nimbers_and_sums() -> None:
    ours, theirs = balpan.register("chocolate", Chomp()), balpan.game("chomp", board="3x4")
    assert (ours.name, ours.size, ours.about) == ("chocolate", "3x4", Chomp.about)
    assert balpan.game("chocolate").solve().worth == ours.solve().worth
    assert "chocolate" in balpan.presets()
    for text in ["..../..../....", "..../..##/..##", "..../####/####", "...#/...#/####"]:
        same(ours.solve(text, ask="moves"), theirs.solve(text, ask="moves"))
        assert ours.nimber(text) == balpan.nimber(Chomp(), Chomp().parse(text))
    total = balpan.sum_of(ours.position("..../####/####"), balpan.game("nim").position("3"))
    assert total.nimber == 0
    with pytest.raises(balpan.PositionError, match="no bar of chocolate"):
        ours.solve("####/..../....")
    after = ours.start.play("1,1")
    assert after.text == "..../.###/.###" and "t-last" in after.svg()
    puzzles = ours.puzzles(plies=3)
    assert len(puzzles) > 0 and "<svg" in puzzles.sheets[0].svg
    case = balpan.generate(ours, answer="outcome", cases=5).cases[0]
    assert case.input


def test_a_text_is_enough() -> None:
    heap = balpan.register("one-heap", OneHeap())
    assert heap.about == "Takes one or two." and heap.size == "4"
    assert heap.solve().best == ["1"] and heap.solve("3").winner == "second player"
    assert [reviewed.mark for reviewed in heap.review("2 2").moves] == ["??", None]
    assert heap.tree().positions == 12 and heap.census().positions == 5
    with pytest.raises(balpan.PositionError, match="such as 4"):
        heap.solve("5")
    # Registered again, it is another game; those from before are as they were.
    class Larger(OneHeap):
        def start(self) -> int:
            return 6

    assert balpan.register("one-heap", Larger()).size == "6" and heap.solve("4").best == ["1"]
    for name in ["nim", "lines", "", "One", "a b"]:
        with pytest.raises(balpan.GameError, match="a game called"):
            balpan.register(name, OneHeap())


def test_a_picture_takes_the_place_of_the_board() -> None:
    class Drawn(Chomp):
        def picture(self, rows: tuple[int, ...]) -> str:
            return f"<svg xmlns='http://www.w3.org/2000/svg'><text>{sum(rows)}</text></svg>"

    drawn = balpan.register("drawn", Drawn())
    assert drawn.start.svg() == Drawn().picture((4, 4, 4))
    assert "...." in str(drawn.start)


class Bad(OneHeap):
    """Raises an exception at a heap of two."""

    at = 2

    def parse(self, text: str) -> int:
        return int(text)

    def moves(self, heap: int) -> Iterable[int]:
        if heap == self.at:
            raise KeyError("two")
        return super().moves(heap)


def test_an_exception_is_raised_by_every_method() -> None:
    bad = balpan.register("bad", Bad())
    asked: list[Any] = [
        bad.solve,
        lambda: bad.solve(ask="moves", nimber=True),
        lambda: list(bad.steps()),
        lambda: list(bad.solve_many(["4"])),
        lambda: list(bad.solve_many(["4"], deadline=60, threads=3)),
        bad.nimber,
        bad.census,
        bad.tree,
        lambda: bad.review("1 2 1"),
        bad.puzzles,
        lambda: bad.position("2"),
        lambda: bad.position("3").play("1").moves,
        lambda: str(bad.position("2")),
        lambda: balpan.sum_of(bad.position("3"), balpan.game("nim").position("3")),
        lambda: balpan.generate(bad, answer="outcome", cases=3),
    ]
    for _ in range(2):
        for ask in asked:
            with pytest.raises(KeyError) as caught:
                ask()
            assert caught.value.args == ("two",) and caught.value.__notes__[0] == "at the position 2"
    assert bad.solve("1").best == ["1"]
    found = [type(answer) for answer in bad.solve_many(["1", "x", "1"], errors="return")]
    assert found == [balpan.Answer, balpan.PositionError, balpan.Answer]


def test_what_a_registered_game_must_not_do() -> None:
    class Asks(OneHeap):
        def moves(self, heap: int) -> Iterable[int]:
            balpan.game("asks").solve() if heap == 1 else None
            return super().moves(heap)

    with pytest.raises(balpan.GameError, match="within a game's methods"):
        balpan.register("asks", Asks()).solve()

    class Texts(OneHeap):
        texts = ["0", "1", "2", "3", "4"]
        names = ["none", "one", "two"]

        def text(self, heap: int) -> str:
            return self.texts[heap]

        def move_text(self, heap: int, taken: int) -> str:
            return self.names[taken]

    def refused(match: str, **attributes: Any) -> None:
        game: Any = type("Game", (Texts,), attributes)()
        with pytest.raises(balpan.GameError, match=match) as caught:
            balpan.register("texts", game).tree()
        assert caught.value.help

    refused("for two positions: ", texts=["0", "same", "same", "3", "4"])
    for text in ["", " 2", "2\n", "a\tb"]:
        refused("text\\(\\) returns", texts=["0", "1", text, "3", "4"])
        refused("text\\(\\) returns", texts=["0", "1", "2", "3", text])
    refused("text\\(\\) returns 7", texts=["0", "1", 7, "3", "4"])
    for name in ["", "t wo", "1.5", "a;b", "one"]:
        refused("the move 2 has the text", names=["none", "one", name])
    for rows in [["..", "."], [], "", ["\n"], 3]:
        refused("glyphs\\(\\) returns", glyphs=lambda self, heap, rows=rows: ["."] if heap > 2 else rows)
    refused("cells\\(\\) returns", glyphs=lambda self, heap: ["."], cells=lambda self, heap, taken: [(0, 1)])


def test_threads_share_a_game() -> None:
    game = balpan.register("shared", TicTacToe())
    expected, found = balpan.game("tictactoe").solve().outcome, []
    texts = by_chance(game, 12, seed=3)

    def ask(turn: int) -> None:
        for text in texts[turn:] + texts[:turn]:
            found.append((text, game.solve(text, ask="value").outcome, game.position(text).moves[:1]))

    threads = [threading.Thread(target=ask, args=(turn,)) for turn in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert game.solve().outcome == expected and len(found) == 4 * len(texts)
    assert len({str(item) for item in found}) == len(texts)


class Slow(OneHeap):
    """A rule that does not return."""

    def parse(self, text: str) -> int:
        return int(text)

    def moves(self, heap: int) -> Iterable[int]:
        while heap == 2:
            pass
        return super().moves(heap)


@pytest.mark.parametrize("ask", ["solve", "many", "steps", "census"])
def test_a_deadline_ends_a_rule_that_does_not_return(ask: str) -> None:
    slow, begin = balpan.register("slow", Slow()), time.monotonic()
    with pytest.raises(balpan.NoAnswerError):
        if ask == "solve":
            slow.solve(deadline=0.2)
        elif ask == "many":
            list(slow.solve_many(["4"], deadline=0.2))
        elif ask == "steps":
            list(slow.steps(deadline=0.2))
        else:
            slow.puzzles(time=0.2)
    assert time.monotonic() - begin < 10
    assert slow.solve("1").best == ["1"]


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_a_rule_that_does_not_return() -> None:
    # A shell has what it starts in the background ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    slow = balpan.register("slow", Slow())
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            slow.solve()
    finally:
        signal.signal(signal.SIGINT, before)
    assert slow.solve("1").best == ["1"]


def test_the_interpreter_ends_while_a_rule_runs() -> None:
    program = """
import time, balpan
class Heap(balpan.Game):
    def start(self): return 400
    def moves(self, heap):
        time.sleep(0.001)
        return range(min(heap, 3))
    def play(self, heap, taken): return heap - 1 - taken
game = balpan.register("heap", Heap())
many = game.solve_many(["400", "399"])
import threading
threading.Thread(target=lambda: next(many), daemon=True).start()
time.sleep(0.2)
print("end")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "end"), done.stderr
