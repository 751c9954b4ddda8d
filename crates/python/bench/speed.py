"""How fast it is: many positions against the command's batch mode, and games that are written in
Python against the built-in ones.

    python bench/speed.py path/to/balpan

Measure on an idle machine, with a wheel as pip or `maturin build` makes it, and a command that is built with --release.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import balpan

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / part) for part in ("tests", "examples")]

from chomp import Chomp  # noqa: E402
from test_own import TicTacToe  # noqa: E402

POSITIONS = 10_000
ROUNDS = 5


def platforms(many: int) -> list[str]:
    """Positions of 5x5: any tiles, any two of them for the tokens."""
    chance = random.Random(1)
    found = []
    while len(found) < many:
        cells = [chance.random() < 0.7 for _ in range(25)]
        tiles = [cell for cell in range(25) if cells[cell]]
        if len(tiles) < 2:
            continue
        a, b = chance.choice(tiles), chance.choice(tiles)
        glyphs = ["." if tile else "#" for tile in cells]
        glyphs[a], glyphs[b] = ("*", "*") if a == b else ("A", "B")
        found.append("/".join("".join(glyphs[at : at + 5]) for at in range(0, 25, 5)))
    return found


def taken(work: Callable[[], object]) -> float:
    """Seconds, the median of some rounds."""
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def main(command: str) -> None:
    positions = platforms(POSITIONS)
    text = "\n".join(positions)

    def batch() -> None:
        words = [command, "solve", "platforms", "--positions", "-", "--json"]
        done = subprocess.run(words, input=text, capture_output=True, text=True, check=True)
        assert done.stdout.count("\n") == POSITIONS

    def many() -> None:
        game = balpan.game("platforms")
        assert sum(1 for _ in game.solve_many(positions)) == POSITIONS

    def one_by_one() -> None:
        game = balpan.game("platforms")
        for position in positions:
            game.solve(position)

    theirs, ours = taken(batch), taken(many)
    print(f"command, --positions: {theirs:.3f} s for {POSITIONS:,} positions of platforms 5x5")
    print(f"solve_many:           {ours:.3f} s, {ours / theirs:.2f} times as long")
    print(f"solve, one by one:    {taken(one_by_one):.3f} s")
    for name, own, built_in in [
        ("tic-tac-toe, all moves", lambda: balpan.solve(TicTacToe()), lambda: balpan.game("tictactoe").solve()),
        ("tic-tac-toe, census", lambda: balpan.census(TicTacToe()), lambda: balpan.game("tictactoe").census()),
    ]:
        slow, fast = taken(own), taken(built_in)
        print(f"{name}: {slow:.3f} s in Python, {fast:.4f} s built in: {slow / fast:.0f} times as long")
    print(f"Chomp 5x6, every move's value: {taken(lambda: balpan.solve(Chomp(5, 6))):.3f} s")


if __name__ == "__main__":
    main(sys.argv[1])
