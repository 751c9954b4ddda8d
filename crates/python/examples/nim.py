"""Nim in ten lines: tokens are taken from one heap; who takes the last wins."""

from __future__ import annotations

import balpan

Heaps = tuple[int, ...]


class Nim(balpan.Game[Heaps, tuple[int, int]]):
    impartial = True

    def start(self) -> Heaps:
        return (3, 5, 7)

    def moves(self, heaps: Heaps) -> list[tuple[int, int]]:
        return [(n, left) for n, heap in enumerate(heaps) for left in range(heap)]

    def play(self, heaps: Heaps, move: tuple[int, int]) -> Heaps:
        return tuple(sorted((*heaps[: move[0]], *heaps[move[0] + 1 :], move[1])))


if __name__ == "__main__":
    answer = balpan.solve(Nim(), (3, 5, 7))
    print(answer)
