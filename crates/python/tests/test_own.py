"""Games that are written in Python."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Iterable
from typing import Any, Optional

import pytest
from hypothesis import given
from hypothesis import strategies as st

import balpan
from conftest import by_chance, example

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe(balpan.Game[str, int]):
    def start(self) -> str:
        return "." * 9

    def moves(self, board: str) -> list[int]:
        if any(board[a] == board[b] == board[c] != "." for a, b, c in LINES):
            return []
        return [cell for cell in range(9) if board[cell] == "."]

    def play(self, board: str, cell: int) -> str:
        return board[:cell] + "XO"[board.count(".") % 2 == 0] + board[cell + 1 :]

    def end(self, board: str) -> balpan.Outcome:
        won = any(board[a] == board[b] == board[c] != "." for a, b, c in LINES)
        return "loss" if won else "draw"


class Symmetric(TicTacToe):
    def canonical(self, board: str) -> str:
        rows = [board[0:3], board[3:6], board[6:9]]
        forms = []
        for _ in range(4):
            rows = ["".join(column) for column in zip(*rows[::-1])]
            forms += ["".join(rows), "".join(row[::-1] for row in rows)]
        return min(forms)


Tiles = tuple[frozenset[tuple[int, int]], tuple[int, int], tuple[int, int]]


class Platforms(balpan.Game[Tiles, tuple[int, int]]):
    """The token to move, and the other; a tile that a token leaves vanishes."""

    def start(self) -> Tiles:
        tiles = frozenset((row, column) for row in range(3) for column in range(3))
        return (tiles, (0, 0), (2, 2))

    def moves(self, position: Tiles) -> list[tuple[int, int]]:
        tiles, (row, column), _ = position
        if (row, column) not in tiles:
            return []
        steps = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        return [step for step in steps if step in tiles]

    def play(self, position: Tiles, step: tuple[int, int]) -> Tiles:
        tiles, mine, other = position
        return (tiles - {mine}, other, step)


class Kayles(balpan.Game[tuple[int, ...], tuple[int, int, int]]):
    impartial = True

    def start(self) -> tuple[int, ...]:
        return (5, 6)

    def moves(self, rows: tuple[int, ...]) -> Iterable[tuple[int, int, int]]:
        for n, row in enumerate(rows):
            for taken in (1, 2):
                for left in range((row - taken) // 2 + 1):
                    yield n, left, row - taken - left

    def play(self, rows: tuple[int, ...], move: tuple[int, int, int]) -> tuple[int, ...]:
        n, left, right = move
        return tuple(sorted(row for row in (*rows[:n], *rows[n + 1 :], left, right) if row))

    def parts(self, rows: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [(row,) for row in rows]


def same_value(ours: balpan.Answer[Any, Any], theirs: balpan.Answer[str, str]) -> None:
    assert (ours.outcome, ours.remoteness) == (theirs.outcome, theirs.remoteness), theirs.position
    assert worths(ours) == worths(theirs), theirs.position


def worths(answer: balpan.Answer[Any, Any]) -> list[tuple[Optional[str], Optional[int]]]:
    """What its moves are worth; where heaps are the same, so are moves."""
    found = [(mv.outcome, mv.remoteness) for mv in answer.moves]
    is_heaps = answer.game.lower() == "nim"
    return sorted(set(found) if is_heaps else found, key=str)


@pytest.mark.parametrize("game", [TicTacToe(), Symmetric()])
def test_tic_tac_toe_is_the_built_in_one(game: TicTacToe) -> None:
    balpan.check_laws(game, plays=5)
    built_in = balpan.game("tictactoe")
    for position in by_chance(built_in, 600, seed=1):
        same_value(balpan.solve(game, position.replace("/", "").split()[0]), built_in.solve(position))
    if type(game) is TicTacToe:
        assert balpan.census(game).told["outcomes"] == built_in.census().outcomes


def test_platforms_are_the_built_in_ones() -> None:
    game, built_in = Platforms(), balpan.game("platforms", board="3x3")
    balpan.check_laws(game, plays=5)
    for text in by_chance(built_in, 500, seed=2):
        rows, _, side = text.partition(" ")
        cells = {(r, c): glyph for r, row in enumerate(rows.split("/")) for c, glyph in enumerate(row)}
        # A token whose tile has vanished has lost.
        tokens = {name: cell for cell, glyph in cells.items() for name in ("AB" if glyph == "*" else glyph) if name in "AB"}
        if len(tokens) < 2:
            continue
        tiles = frozenset(cell for cell, glyph in cells.items() if glyph != "#")
        mine, other = ("B", "A") if side == "b" else ("A", "B")
        same_value(balpan.solve(game, (tiles, tokens[mine], tokens[other])), built_in.solve(text))


def test_nim_is_the_built_in_one() -> None:
    game, built_in = example("nim").Nim(), balpan.game("nim")
    for text in by_chance(balpan.game("nim", start="4 5 6"), 200, seed=3):
        heaps = tuple(int(heap) for heap in text.split())
        ours, theirs = balpan.solve(game, heaps, nimber=True, ask="moves"), built_in.solve(text, nimber=True, ask="moves")
        assert ours.nimber == theirs.nimber
        assert (ours.outcome, ours.remoteness) == (theirs.outcome, theirs.remoteness)
        same_value(ours, theirs)


def test_kayles_is_the_built_in_one() -> None:
    game, built_in = Kayles(), balpan.game("kayles")
    balpan.check_laws(game, plays=10)
    for text in by_chance(balpan.game("kayles", start="5 6 7"), 200, seed=4):
        rows = tuple(int(row) for row in text.split() if row != "0")
        assert balpan.nimber(game, rows) == built_in.nimber(text)


@pytest.mark.parametrize("method", ["auto", "minimax", "alpha-beta", "df-pn", "nimber"])
def test_all_methods_agree(method: Any) -> None:
    nim = example("nim").Nim()
    for heaps in [(1, 2), (2, 2), (1, 2, 3), (2, 3, 3)]:
        winner = balpan.solve(nim, heaps, ask="winner", method=method).winner
        assert winner == balpan.solve(nim, heaps, ask="winner").winner


@given(st.lists(st.integers(0, 4), min_size=1, max_size=3))
def test_any_nim(heaps: list[int]) -> None:
    xor = 0
    for heap in heaps:
        xor ^= heap
    answer = balpan.solve(NIM, tuple(heaps), nimber=True)
    assert answer.nimber == xor and answer.outcome == ("win" if xor else "loss")


NIM = example("nim").Nim()


def test_chomp_and_dots_and_boxes() -> None:
    chomp = example("chomp").Chomp(4, 5)
    balpan.check_laws(chomp, plays=5)
    assert balpan.solve(chomp, ask="value").outcome == "win"
    boxes = example("dots_and_boxes").DotsAndBoxes(1, 2)
    balpan.check_laws(boxes, plays=5)

    def minimax(position: Any) -> int:
        moves = boxes.moves(position)
        if not moves:
            return {"win": 1, "draw": 0, "loss": -1}[boxes.end(position)]
        return max(-minimax(boxes.play(position, move)) for move in moves)

    expected = {1: "win", 0: "draw", -1: "loss"}[minimax(boxes.start())]
    assert balpan.solve(boxes, ask="winner").outcome == expected


def test_misere_and_bounds() -> None:
    class Misere(type(NIM)):  # type: ignore[misc]
        misere = True

    for heaps in [(1,), (1, 1), (2, 2), (1, 2, 3)]:
        theirs = balpan.game("nim", misere=True).solve(" ".join(map(str, heaps)))
        assert balpan.solve(Misere(), heaps).outcome == theirs.outcome

    class Bounded(TicTacToe):
        def bounds(self, board: str) -> Optional[tuple[Optional[balpan.Worth], Optional[balpan.Worth]]]:
            plies = board.count(".")
            return (balpan.loss(2), balpan.win(1)) if plies > 1 else (balpan.DRAW, None)

    balpan.check_laws(Bounded(), plays=20)
    assert balpan.solve(Bounded()).outcome == "draw"


class Broken(balpan.Game[int, int]):
    def start(self) -> int:
        return 5

    def moves(self, heap: int) -> list[int]:
        if heap == 2:
            raise KeyError("two")
        return [1] if heap else []

    def play(self, heap: int, taken: int) -> int:
        return heap - taken


def test_an_exception_is_raised_as_it_is_with_the_position() -> None:
    game = Broken()
    for _ in range(3):
        with pytest.raises(KeyError) as caught:
            balpan.solve(game)
        assert caught.value.args == ("two",)
        assert caught.value.__notes__ == ["at the position 2"]
        assert caught.value.position == 2  # type: ignore[attr-defined]
    assert balpan.solve(game, 1).outcome == "win"


def test_what_a_game_must_not_do() -> None:
    class Endless(Broken):
        def moves(self, heap: int) -> list[int]:
            return [1]

        def play(self, heap: int, taken: int) -> int:
            return heap + 1

    class Circle(Endless):
        def play(self, heap: int, taken: int) -> int:
            return (heap + 1) % 7

    for game in (Endless(), Circle()):
        with pytest.raises(balpan.GameError, match="too long"):
            balpan.solve(game, deadline=60)

    class NoEnd(Broken):
        def moves(self, heap: int) -> list[int]:
            return []

        def end(self, heap: int) -> Any:
            return "won"

    with pytest.raises(ValueError, match="expected 'win'"):
        balpan.solve(NoEnd())
    with pytest.raises(TypeError, match="unhashable"):
        solve: Any = balpan.solve
        solve(Broken(), [1, 2])

    class Nested(Broken):
        def moves(self, heap: int) -> list[int]:
            balpan.solve(self, 1)
            return []

    with pytest.raises(balpan.GameError, match="within its own methods"):
        balpan.solve(Nested())


def test_laws() -> None:
    class NoCanon(TicTacToe):
        def canonical(self, board: str) -> str:
            return board[::-1]

    with pytest.raises(balpan.LawError, match="canonical"):
        balpan.check_laws(NoCanon(), plays=3)

    class WrongKey(TicTacToe):
        def key(self, board: str) -> int:
            return board.count(".")

    with pytest.raises(balpan.LawError, match="same key"):
        balpan.check_laws(WrongKey(), plays=3)

    class WrongParts(Kayles):
        def parts(self, rows: tuple[int, ...]) -> list[tuple[int, ...]]:
            return [(row,) for row in rows[1:]]

    with pytest.raises(balpan.LawError, match="nimber"):
        balpan.check_laws(WrongParts(), plays=3)

    class WrongBounds(TicTacToe):
        def bounds(self, board: str) -> tuple[balpan.Worth, balpan.Worth]:
            return (balpan.win(3), balpan.win(3))

    with pytest.raises(balpan.LawError, match="between"):
        balpan.check_laws(WrongBounds(), plays=3)


def test_a_copy_is_another_game() -> None:
    chomp = example("chomp").Chomp(3, 3)
    answer = balpan.solve(chomp)
    other = copy.copy(chomp)
    other.columns = 4
    assert balpan.solve(other).position != answer.position
    nim = pickle.loads(pickle.dumps(Kayles()))
    assert balpan.solve(nim).position == (5, 6)


def test_a_deadline_leaves_what_is_known_and_nothing_wrong() -> None:
    class Slow(TicTacToe):
        pause = 0.002

        def moves(self, board: str) -> list[int]:
            import time

            time.sleep(self.pause)
            return super().moves(board)

    game = Slow()
    try:
        assert not balpan.solve(game, deadline=0.3).complete
    except balpan.NoAnswerError:
        pass
    game.pause = 0
    assert balpan.solve(game).outcome == "draw"


def test_an_engine_goes_with_its_game() -> None:
    import weakref

    game = TicTacToe()
    balpan.solve(game, "XO.......")
    gone = weakref.ref(game)
    del game
    gc.collect()
    assert gone() is None


def test_positions_may_know_their_game() -> None:
    import weakref

    class Heap:
        def __init__(self, game: object, tokens: int) -> None:
            self.game = game
            self.tokens = tokens

    class Heaps(balpan.Game[Any, int]):
        def start(self) -> Heap:
            return Heap(self, 5)

        def moves(self, heap: Heap) -> range:
            return range(heap.tokens)

        def play(self, heap: Heap, left: int) -> Heap:
            return Heap(self, left)

        def key(self, heap: Heap) -> int:
            return heap.tokens

    game = Heaps()
    assert balpan.solve(game).best == [0]
    gone = weakref.ref(game)
    del game
    gc.collect()
    assert gone() is None
