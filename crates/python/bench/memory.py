"""Whether memory grows: a million questions, in rounds, with what the process holds after each.

    python bench/memory.py [questions]

It ends with an error where more than 16 MB were added after the first tenth.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import balpan

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from test_own import Kayles  # noqa: E402

MOST = 16 << 20


def held() -> int:
    """Bytes of memory that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def main(questions: int) -> None:
    game = balpan.game("tictactoe", threads=1, memory="16M")
    positions = ["X../.O./...", "XO./.../...", "nonsense", "XOX/.O./..."]
    rounds = 10
    first = 0
    for n in range(rounds):
        for at in range(questions // rounds):
            text = positions[at % len(positions)]
            try:
                game.solve(text, ask="value")
            except balpan.PositionError:
                pass
            if at % 100 == 0:
                # A game of its own, which goes with its engine.
                balpan.solve(Kayles(), (2, 3))
                for _ in game.solve_many(positions[:2], threads=1):
                    pass
        gc.collect()
        first = first or held()
        print(f"{(n + 1) * questions // rounds:>9,} questions: {held() / 1e6:.1f} MB", flush=True)
    if held() - first > MOST:
        sys.exit(f"{(held() - first) / 1e6:.1f} MB more than after the first round")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
