"""Games that are written in Python."""

from __future__ import annotations

import copy
import gc
import itertools
import os
import pickle
import signal
import threading
import time
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
    with pytest.raises(balpan.GameError, match="unhashable") as unhashable:
        solve: Any = balpan.solve
        solve(Broken(), [1, 2])
    assert unhashable.value.position == [1, 2] and isinstance(unhashable.value.__cause__, TypeError)

    class Nested(Broken):
        def moves(self, heap: int) -> list[int]:
            balpan.solve(self, 1)
            return []

    with pytest.raises(balpan.GameError, match="within its own methods"):
        balpan.solve(Nested())


class OneHeap(balpan.Game[int, int]):
    """Takes one or two."""

    impartial = True

    def start(self) -> int:
        return 4

    def moves(self, heap: int) -> Iterable[int]:
        return range(1, min(2, heap) + 1)

    def play(self, heap: int, taken: int) -> int:
        return heap - taken


class WonHeap(OneHeap):
    """Whoever cannot move wins: it is impartial, but only with `misere`."""

    def end(self, heap: int) -> balpan.Outcome:
        return "win"


class LostMisere(OneHeap):
    misere = True

    def end(self, heap: int) -> balpan.Outcome:
        return "loss"


class WonParts(Kayles):
    """Nobody asks about moves where there are no parts."""

    def end(self, rows: tuple[int, ...]) -> balpan.Outcome:
        return "win"


class ScoredBoxes(example("dots_and_boxes").DotsAndBoxes):  # type: ignore[misc]
    """Both players have the same moves, and yet the score says who wins."""

    impartial = True


WRONGLY_IMPARTIAL: list[tuple[Any, Any, str, str]] = [
    (WonHeap(), 0, "win", "loses"),
    (LostMisere(), 0, "loss", "wins"),
    (WonParts(), (), "win", "loses"),
]


@pytest.mark.parametrize("ask", ["winner", "outcome", "value", "moves"])
@pytest.mark.parametrize("method", ["auto", "minimax", "alpha-beta", "df-pn", "nimber"])
def test_an_impartial_game_that_is_not_is_refused(ask: Any, method: Any) -> None:
    for game, end, said, does in WRONGLY_IMPARTIAL:
        if method == "nimber" and game.misere:
            continue
        # The first position has ended, too.
        for position in (game.start(), end):
            with pytest.raises(balpan.GameError) as caught:
                balpan.solve(game, position, ask=ask, method=method, deadline=60)
            error = caught.value
            assert not isinstance(error, balpan.LawError) and error.position == end
            assert f"`impartial` says that whoever cannot move {does}" in str(error) and f"'{said}'" in str(error)
            assert error.help and "misere = True" in error.help
    boxes = ScoredBoxes(1, 2)
    for _ in range(2):
        with pytest.raises(balpan.GameError, match="impartial") as caught:
            balpan.solve(boxes, ask=ask, method=method, deadline=60)
        assert not boxes.moves(caught.value.position)


def test_a_wrong_end_of_an_impartial_game_is_told_by_every_function() -> None:
    for game, end, _, _ in WRONGLY_IMPARTIAL:
        for position in (game.start(), end):
            for ask in (balpan.nimber, balpan.census):
                with pytest.raises(balpan.GameError, match="impartial") as caught:
                    ask(game, position)
                assert caught.value.position == end
        with pytest.raises(balpan.LawError, match="impartial") as broken:
            balpan.check_laws(game)
        assert broken.value.position == end and broken.value.help and "misere = True" in broken.value.help
    with pytest.raises(balpan.GameError, match="impartial"):
        balpan.sum_of(WonHeap(), balpan.game("nim"))


def test_laws_ask_for_ends_where_play_has_ended() -> None:
    class Strict(OneHeap):
        def end(self, heap: int) -> balpan.Outcome:
            assert heap == 0
            return "loss"

    balpan.check_laws(Strict())
    assert balpan.solve(Strict()).outcome == "win"


class Countdown(balpan.Game[int, str]):
    """One move after the other."""

    def __init__(self, plies: int, *, repeats: bool = False, impartial: bool = False, misere: bool = False) -> None:
        self.plies, self.repeats = plies, repeats
        self.impartial, self.misere = impartial, misere  # type: ignore[misc]

    def start(self) -> int:
        return self.plies

    def moves(self, left: int) -> list[str]:
        return ["down"] if left or self.repeats else []

    def play(self, left: int, move: str) -> int:
        return left - 1 if left else 2


KINDS = [{}, {"misere": True}, {"impartial": True}, {"impartial": True, "misere": True}]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_play_that_repeats_is_told_with_positions_and_moves(kind: dict[str, bool]) -> None:
    game = Countdown(4, repeats=True, **kind)
    asks: list[Any] = [balpan.census, lambda game: balpan.census(game, games=True)]
    for method in ("auto", "minimax", "alpha-beta", "df-pn"):
        for ask in ("winner", "moves"):
            words: Any = {"method": method, "ask": ask}
            asks.append(lambda game, words=words: balpan.solve(game, **words))
    if kind.get("impartial"):
        asks.append(balpan.nimber)
    for asked in asks:
        with pytest.raises(balpan.GameError) as caught:
            asked(game)
        message = "play repeats: position 2 after 2 plies comes again after 5 plies, by the moves 'down', 'down', 'down'"
        assert str(caught.value).splitlines()[0] == message
        assert caught.value.position == 2
    with pytest.raises(balpan.LawError, match="repeats") as broken:
        balpan.check_laws(game)
    assert broken.value.position == 2


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_play_is_followed_to_its_end_or_refused(kind: dict[str, bool]) -> None:
    outcome = "win" if kind.get("misere") else "loss"
    for method in ("auto", "minimax", "alpha-beta", "df-pn"):
        for ask in ("winner", "moves"):
            words: Any = {"method": method, "ask": ask}
            assert balpan.solve(Countdown(9_000, **kind), **words).outcome == outcome
            with pytest.raises(balpan.GameError, match="too long: 10001 plies") as caught:
                balpan.solve(Countdown(200_000, **kind), **words)
            assert caught.value.position == 200_000 - 10_001
            assert str(caught.value).count("'down'") == 12
    assert balpan.census(Countdown(9_000, **kind)).positions == 9_001
    with pytest.raises(balpan.GameError, match="too long"):
        balpan.census(Countdown(200_000, **kind))
    balpan.check_laws(Countdown(9_000, **kind))
    with pytest.raises(balpan.LawError) as broken:
        balpan.check_laws(Countdown(200_000, **kind))
    assert broken.value.position == 200_000 - 10_001


def test_play_that_repeats_below_a_move_is_told_from_the_position() -> None:
    class Detour(balpan.Game[str, str]):
        def start(self) -> str:
            return "start"

        def moves(self, position: str) -> list[str]:
            return {"start": ["win", "walk"], "end": []}.get(position, ["on"])

        def play(self, position: str, move: str) -> str:
            return {"win": "end", "walk": "a", "on": {"a": "b", "b": "c", "c": "b"}.get(position, "")}[move]

    assert balpan.solve(Detour(), ask="winner", method="alpha-beta").best == ["win"]
    with pytest.raises(balpan.GameError) as caught:
        balpan.solve(Detour(), ask="moves", method="alpha-beta")
    assert "position 'b' after 2 plies comes again after 4 plies, by the moves 'on', 'on'" in str(caught.value)
    assert caught.value.position == "b"


def test_deep_play_has_room_for_what_methods_recurse() -> None:
    def deep(depth: int) -> int:
        return deep(depth - 1) + 1 if depth else 0

    class Deep(Countdown):
        def moves(self, left: int) -> list[str]:
            assert left % 100 or deep(700) == 700
            return super().moves(left)

    class Nested(balpan.Game[Any, int]):
        """A position holds the one before it."""

        def start(self) -> tuple[()]:
            return ()

        def moves(self, position: Any) -> list[int]:
            depth = position[0] if position else 0
            return [0] if depth < 150 else []

        def play(self, position: Any, move: int) -> Any:
            return (position[0] + 1 if position else 1, position)

    for kind in KINDS:
        for method in ("auto", "minimax", "alpha-beta", "df-pn"):
            words: Any = {"method": method, "ask": "moves"}
            assert balpan.solve(Deep(9_900, **kind), **words).outcome == ("win" if kind.get("misere") else "loss")
    assert balpan.solve(Nested()).remoteness == 150


class Plain:
    """A game that is no subclass of one."""

    impartial = True

    def start(self) -> int:
        return 4

    def moves(self, heap: int) -> Iterable[int]:
        return range(1, min(2, heap) + 1)

    def play(self, heap: int, taken: int) -> int:
        return heap - taken


def test_whatever_has_moves_and_play_is_a_game() -> None:
    game = Plain()
    ours, theirs = balpan.solve(game, nimber=True, ask="moves"), balpan.solve(OneHeap(), nimber=True, ask="moves")
    assert (ours.worth, ours.nimber, ours.moves, ours.line) == (theirs.worth, theirs.nimber, theirs.moves, theirs.line)
    assert balpan.nimber(game, 2) == 2
    assert balpan.census(game).outcomes == balpan.census(OneHeap()).outcomes
    balpan.check_laws(game)
    assert balpan.sum_of(game, (game, 2)).nimber == 1 ^ 2
    assert vars(game) == {} and pickle.loads(pickle.dumps(game)).moves(1) == game.moves(1)

    class More(Plain):
        misere = True
        __slots__ = ("key",)

        def __init__(self) -> None:
            self.key = str

        def canonical(self, heap: int) -> int:
            return heap

        def end(self, heap: int) -> str:
            return "win"

    assert balpan.solve(More()).outcome == "loss"
    balpan.check_laws(More())

    class Twisted(Plain):
        def canonical(self, heap: int) -> int:
            return heap // 2

    with pytest.raises(balpan.LawError, match="canonical"):
        balpan.check_laws(Twisted())


def test_what_is_no_game_is_told() -> None:
    class NoPlay:
        moves = Plain.moves

    class NoStart:
        moves, play = Plain.moves, Plain.play

    nothing: list[tuple[Any, str]] = [
        (NoPlay(), "NoPlay is no game: it has no play()"),
        (object(), "no moves() and no play()"),
        (None, "no moves"),
        ("nim", "balpan.game('nim')"),
        (OneHeap, "OneHeap is a class"),
        (Plain, "give an instance"),
        (balpan.game("nim"), "ask it itself"),
        (balpan.game("nim").start, "ask it itself"),
        (NoStart(), "does not say where play begins"),
    ]
    for game, message in nothing:
        for ask in (balpan.solve, balpan.nimber, balpan.census, balpan.check_laws):
            with pytest.raises(balpan.GameError) as caught:
                ask(game)
            assert message in str(caught.value) and caught.value.help
    assert balpan.solve(NoStart(), 2).outcome == "win"


class Wrong(Broken):
    """Returns what a test says."""

    def __init__(self, **said: Any) -> None:
        self.said = said

    def moves(self, heap: int) -> Any:
        return self.said.get("moves", [1] if heap else [])

    def end(self, heap: int) -> Any:
        return self.said.get("end", "loss")


def test_what_methods_must_not_return() -> None:
    class WrongBounds(Wrong):
        def bounds(self, heap: int) -> Any:
            return self.said["bounds"]

    class WrongParts(Wrong):
        impartial = True

        def parts(self, heap: int) -> Any:
            return self.said["parts"]

    class WrongForms(Wrong):
        def canonical(self, heap: int) -> Any:
            return self.said["canonical"]

    class WrongKey(Wrong):
        def key(self, heap: int) -> Any:
            return self.said["key"]

    worth: Any = balpan.Worth
    games: list[tuple[Any, int]] = [
        *((Wrong(end=end), 0) for end in ("won", "Win", None, 1, b"win")),
        *((Wrong(moves=moves), 5) for moves in (None, 3, [[1]])),
        *((WrongBounds(bounds=bounds), 5) for bounds in (3, (1, 2), ("win", "loss"), (balpan.win(1), balpan.loss(1)), (None,))),
        *((WrongBounds(bounds=(worth("won", 3), None)), 5), (WrongBounds(bounds=(worth("win", -1), None)), 5)),
        *((WrongBounds(bounds=(worth("win", 1 << 21), None)), 5), (WrongBounds(bounds=(worth("win", "3"), None)), 5)),
        *((WrongParts(parts=parts), 5) for parts in (None, 3, [[1]])),
        (WrongForms(canonical=[]), 4),
        (WrongKey(key={}), 5),
    ]
    for game, position in games:
        with pytest.raises(balpan.GameError) as caught:
            balpan.solve(game)
        error = caught.value
        assert error.position == position and error.help, game.said
        [(method, said)] = game.said.items()
        assert "remembered" in str(error) or f"{method}() returns {said!r}" in str(error)


def test_bounds_without_plies_say_nothing_of_plies() -> None:
    class Bounded(OneHeap):
        impartial = False

        def bounds(self, heap: int) -> Optional[tuple[Optional[balpan.Worth], Optional[balpan.Worth]]]:
            return (balpan.win(), balpan.win()) if heap % 3 else (balpan.loss(), balpan.loss())

    balpan.check_laws(Bounded())
    for heap in range(12):
        assert balpan.solve(Bounded(), heap).worth == balpan.solve(OneHeap(), heap).worth


def test_sums_take_games_of_ones_own() -> None:
    nim, kayles, built_in = NIM, Kayles(), balpan.game("nim")
    alone = balpan.sum_of(nim)
    assert (alone.nimber, alone.winner) == (1, "first player")
    assert [(of.move, of.position) for of in alone.moves] == [((0, 2), (2, 5, 7)), ((1, 4), (3, 4, 7)), ((2, 6), (3, 5, 6))]
    parts: list[Any] = [(nim, (3, 4)), (built_in, "2 5"), (kayles, (5, 6)), balpan.game("cram", board="2x3"), (nim, (9,))]
    found = balpan.sum_of(*parts)
    nimbers = [7, 7, balpan.game("kayles").nimber("5 6"), balpan.game("cram", board="2x3").nimber(), 9]
    assert [of.nimber for of in found.components] == nimbers
    total = 0
    for number in nimbers:
        total ^= number
    assert (found.nimber, found.outcome) == (total, "win" if total else "loss")
    assert [of.position for of in found.components] == [(3, 4), "2 5", (5, 6), ".../...", (9,)]
    # The same as with heaps of the same nimbers.
    same = balpan.sum_of((built_in, "3 4"), parts[1], (balpan.game("kayles"), "5 6"), parts[3], (built_in, "9"))
    count = [[of.component for of in of_sum.moves].count(n) for of_sum in (found, same) for n in (0, 1, 3, 4)]
    assert count[:4] == count[4:] and found.moves
    assert [of.component for of in found.moves] == sorted(of.component for of in found.moves)
    for of in found.moves:
        game, position = parts[of.component] if of.component != 3 else (parts[3], None)
        after = list(parts)
        after[of.component] = (game, of.position)
        assert balpan.sum_of(*after, moves=False).winner == "second player"
        if isinstance(game, balpan.Game):
            assert game.play(position, of.move) == of.position
    assert "(3, 4)" in found._repr_html_() and "(9,)" in str(found)
    zero = balpan.sum_of((nim, (5,)), (built_in, "5"))
    assert (zero.nimber, zero.winner, zero.moves) == (0, "second player", [])


def test_what_cannot_be_added_up_is_told() -> None:
    class Partizan(OneHeap):
        impartial = False

    class Misere(OneHeap):
        misere = True

    for game in (Partizan(), Misere(), (Partizan(), 3)):
        with pytest.raises(balpan.NoAnswerError, match="is not impartial") as caught:
            balpan.sum_of(balpan.game("nim"), game)
        assert caught.value.help
    nothing: list[Any] = ["nim", 3, None, OneHeap, (NIM,), (NIM, (1,), 2), ("nim", "3"), []]
    for part in nothing:
        with pytest.raises(balpan.BalpanError) as refused:
            balpan.sum_of(part)
        assert refused.value.help
    with pytest.raises(balpan.ArgumentError, match="quotient"):
        balpan.quotient(NIM)
    with pytest.raises(balpan.RulesError, match="judge"):
        balpan.judge(NIM)


def test_a_law_is_told_with_the_position_that_shows_it() -> None:
    class Loses(TicTacToe):
        def bounds(self, board: str) -> tuple[None, balpan.Worth]:
            return (None, balpan.loss(9) if board.count(".") < 8 else balpan.win(1))

    class Twice(OneHeap):
        def moves(self, heap: int) -> list[int]:
            return [1, 1] if heap else []

    with pytest.raises(balpan.LawError) as caught:
        balpan.check_laws(Loses())
    assert isinstance(caught.value.position, str) and repr(caught.value.position) in str(caught.value)
    with pytest.raises(balpan.LawError) as caught:
        balpan.check_laws(Twice())
    assert caught.value.position == 4
    copied = pickle.loads(pickle.dumps(caught.value))
    assert (copied.position, str(copied)) == (4, str(caught.value))


class Slow(balpan.Game[int, int]):
    """Goes on for long, in one of its methods or in all of them."""

    impartial = True

    def __init__(self, how: str) -> None:
        self.how = how

    def start(self) -> int:
        return 0

    def moves(self, position: int) -> Iterable[int]:
        while self.how == "loop":
            pass
        if self.how == "generator":
            return itertools.count()
        time.sleep(0.01)
        return range(3) if position < 3**12 else []

    def play(self, position: int, move: int) -> int:
        return 3 * position + move + 1


SLOW: list[tuple[str, Any]] = [
    ("solve", lambda game, **words: balpan.solve(game, **words)),
    ("minimax", lambda game, **words: balpan.solve(game, method="minimax", **words)),
    ("nimber", lambda game, **words: balpan.nimber(game, **words)),
    ("census", lambda game, **words: balpan.census(game, **words)),
    ("check_laws", lambda game, **words: balpan.check_laws(game, **words)),
    ("sum_of", lambda game, **words: balpan.sum_of(balpan.game("nim"), game, **words)),
]


class SlowKeys(Slow):
    def key(self, position: int) -> int:
        return position


@pytest.mark.parametrize("how", ["sleep", "generator", "loop"])
@pytest.mark.parametrize(("name", "ask"), SLOW, ids=[name for name, _ in SLOW])
def test_a_deadline_ends_every_function(name: str, ask: Any, how: str) -> None:
    for game in (Slow(how), SlowKeys(how)):
        begin = time.monotonic()
        try:
            answer = ask(game, deadline=0.3)
        except balpan.NoAnswerError as error:
            assert error.help
        else:
            assert not answer.complete
        assert time.monotonic() - begin < 20


@pytest.mark.skipif(os.name != "posix", reason="signals are sent by their POSIX names")
@pytest.mark.parametrize("how", ["sleep", "generator", "loop"])
@pytest.mark.parametrize(("name", "ask"), SLOW, ids=[name for name, _ in SLOW])
def test_an_interrupt_ends_every_function(name: str, ask: Any, how: str) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            ask(Slow(how))
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begin < 20


def test_a_game_goes_on_after_it_was_ended() -> None:
    class Once(OneHeap):
        slow = True

        def moves(self, heap: int) -> Iterable[int]:
            while self.slow:
                pass
            return super().moves(heap)

    game = Once()
    with pytest.raises(balpan.NoAnswerError):
        balpan.solve(game, deadline=0.1)
    Once.slow = False
    assert balpan.solve(game).outcome == "win"


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


class Boxes(balpan.Game[tuple[frozenset[int], int], int]):
    """Dots and Boxes in a row: edges 0 to n are upright, the next 2 n level."""

    def __init__(self, boxes: int) -> None:
        self.boxes = boxes
        self.max_score = boxes  # type: ignore[misc]

    def start(self) -> tuple[frozenset[int], int]:
        return frozenset(), 0

    def moves(self, position: tuple[frozenset[int], int]) -> list[int]:
        return [edge for edge in range(3 * self.boxes + 1) if edge not in position[0]]

    def closed(self, drawn: frozenset[int]) -> int:
        n = self.boxes
        return sum({box, box + 1, n + 1 + box, 2 * n + 1 + box} <= drawn for box in range(n))

    def play(self, position: tuple[frozenset[int], int], edge: int) -> tuple[frozenset[int], int]:
        drawn = position[0] | {edge}
        gained = self.closed(drawn) - self.closed(position[0])
        return drawn, position[1] + gained if gained else -position[1]

    def keeps_turn(self, position: Any, edge: int, after: Any) -> bool:
        return self.closed(after[0]) > self.closed(position[0])

    def end(self, position: tuple[frozenset[int], int]) -> int:
        return position[1]


def gain(game: Boxes, drawn: frozenset[int], known: dict[frozenset[int], int]) -> int:
    """The boxes that the player to move gains on the other one."""
    if drawn not in known:
        gains = []
        for edge in game.moves((drawn, 0)):
            closed = game.closed(drawn | {edge}) - game.closed(drawn)
            rest = gain(game, drawn | {edge}, known)
            gains.append(closed + rest if closed else -rest)
        known[drawn] = max(gains, default=0)
    return known[drawn]


@pytest.mark.parametrize("boxes", [1, 2, 3])
def test_scores_and_kept_turns(boxes: int) -> None:
    game = Boxes(boxes)
    balpan.check_laws(game, plays=5)
    expected = gain(game, frozenset(), {})
    for method in ("auto", "minimax", "alpha-beta", "df-pn") if boxes < 3 else ("auto", "alpha-beta"):
        answer = balpan.solve(game, method=method)
        assert answer.score == expected and answer.remoteness is None
        assert answer.worth == balpan.score(expected)
        assert {mv.score for mv in answer.moves} <= set(range(-boxes, boxes + 1))
        assert max(mv.score for mv in answer.moves if mv.score is not None) == expected
    census = balpan.census(game)
    assert sum(row["positions"] for row in census.scores) == census.positions


def test_a_score_that_is_not_declared_is_refused() -> None:
    class Undeclared(Boxes):
        def __init__(self) -> None:
            super().__init__(2)
            self.max_score = 0  # type: ignore[misc]

    with pytest.raises(balpan.GameError, match="end\\(\\) returns") as raised:
        balpan.solve(Undeclared())
    assert "max_score" in str(raised.value.help)
    too_small = Boxes(2)
    too_small.max_score = 1  # type: ignore[misc]
    with pytest.raises(balpan.GameError, match="returns -?2"):
        balpan.solve(too_small)
    with pytest.raises(balpan.ArgumentError, match="max_score"):
        class Wrong(Boxes):
            max_score = -3

            def __init__(self) -> None:
                self.boxes = 1

        balpan.solve(Wrong())


class CatAndMouse(balpan.Game[tuple[int, int, bool], int]):
    """LeetCode 913. The mouse moves first, and wants the hole, 0, which the cat may not enter."""

    may_repeat = True

    def __init__(self, graph: list[list[int]]) -> None:
        self.graph = graph

    def start(self) -> tuple[int, int, bool]:
        return 1, 2, True

    def moves(self, position: tuple[int, int, bool]) -> list[int]:
        mouse, cat, mouse_moves = position
        if mouse in (0, cat):
            return []
        return self.graph[mouse] if mouse_moves else [place for place in self.graph[cat] if place]

    def play(self, position: tuple[int, int, bool], place: int) -> tuple[int, int, bool]:
        mouse, cat, mouse_moves = position
        return (place, cat, False) if mouse_moves else (mouse, place, True)

    def end(self, position: tuple[int, int, bool]) -> Any:
        return "win" if (position[0] == 0) == position[2] else "loss"


def test_play_that_may_repeat() -> None:
    nobody = CatAndMouse([[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]])
    answer = balpan.solve(nobody)
    assert answer.outcome == "draw" and answer.complete and answer.line
    balpan.check_laws(nobody, plays=5)
    assert balpan.census(nobody).outcomes["draw"] > 0
    assert balpan.solve(CatAndMouse([[1, 3], [0], [3], [0, 2]])).outcome == "win"
    circle = CatAndMouse([[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]])
    circle.may_repeat = False  # type: ignore[misc]
    with pytest.raises(balpan.GameError, match="repeats"):
        balpan.solve(circle)
