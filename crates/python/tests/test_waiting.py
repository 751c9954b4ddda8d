"""The interpreter is let go, can interrupt, and is told of progress."""

from __future__ import annotations

import os
import signal
import threading
import time
from datetime import timedelta

import pytest

import balpan


def hard() -> balpan.RulesGame:
    return balpan.game("connect4", board="6x7", threads=1)


def test_others_go_on_meanwhile() -> None:
    counted = 0
    going = True

    def count() -> None:
        nonlocal counted
        while going:
            counted += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    hard().solve(ask="moves", deadline=0.5)
    going = False
    other.join()
    assert counted > 50


@pytest.mark.skipif(os.name != "posix", reason="signals are sent by their POSIX names")
@pytest.mark.parametrize("kind", ["rules", "own", "many", "steps", "judge"])
def test_an_interrupt_is_heard(kind: str) -> None:
    class Long(balpan.Game[int, int]):
        def start(self) -> int:
            return 0

        def moves(self, position: int) -> list[int]:
            return list(range(4)) if position < 4**12 else []

        def play(self, position: int, move: int) -> int:
            return 4 * position + move + 1

    def loop(board: object, aloc: object, bloc: object) -> int:
        while True:
            pass

    def ask() -> None:
        if kind == "rules":
            hard().solve(ask="moves")
        elif kind == "own":
            balpan.solve(Long(), method="minimax")
        elif kind == "many":
            list(hard().solve_many(["4455", "44"], ask="moves"))
        elif kind == "steps":
            list(hard().steps(ask="moves"))
        else:
            balpan.judge("platforms").compare(loop, time=60, limit=50)

    # Who is started in the background may be told to ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            ask()
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begin < 20


def test_a_deadline_leaves_what_is_known() -> None:
    answer = hard().solve(ask="moves", deadline=timedelta(seconds=0.2))
    assert not answer.complete
    [last] = list(hard().steps(ask="moves", deadline=0.2))[-1:] or [answer]
    assert not last.complete


def test_progress_is_told() -> None:
    told: list[int] = []
    hard().solve(ask="moves", deadline=0.6, progress=told.append)
    assert sum(told) > 0 and all(more > 0 for more in told)

    def fail(_: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        hard().solve(ask="moves", deadline=30, progress=fail)


def test_steps_grow() -> None:
    steps = list(balpan.game("platforms", board="5x5").steps(ask="moves"))
    assert steps[-1].complete and not steps[0].complete
    assert all(step.winner == steps[-1].winner for step in steps)
    # Asked for no more, it ends.
    endless = hard().steps(ask="moves")
    del endless


def test_steps_and_a_question_between() -> None:
    game = balpan.game("platforms", board="4x4")
    for step in game.steps():
        assert step.winner == game.solve(ask="winner").winner


def test_threads_ask_one_game() -> None:
    game = balpan.game("tictactoe")
    found: list[str | None] = []
    threads = [threading.Thread(target=lambda: found.append(game.solve().outcome)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["draw"] * 8


def test_many_are_read_as_they_are_needed() -> None:
    read = 0

    def endless() -> "object":
        nonlocal read
        while True:
            read += 1
            yield "X../.../..."

    many = balpan.game("tictactoe").solve_many(endless(), threads=2)  # type: ignore[arg-type]
    assert [next(many).outcome for _ in range(1000)] == ["draw"] * 1000
    assert read < 2000
