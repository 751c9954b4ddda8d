"""Chomp: a bar of chocolate; a bite takes a square and all that is below and to the right of it. Who
takes the poisoned corner loses."""

from __future__ import annotations

import balpan

Bar = tuple[int, ...]


class Chomp(balpan.Game[Bar, tuple[int, int]]):
    """A position is the length of each row, the longest first."""

    impartial = True

    def __init__(self, rows: int, columns: int) -> None:
        self.rows = rows
        self.columns = columns

    def start(self) -> Bar:
        return (self.columns,) * self.rows

    def moves(self, bar: Bar) -> list[tuple[int, int]]:
        # The corner is never worth taking while something else is left: without it, who cannot
        # move loses.
        squares = [(row, column) for row, length in enumerate(bar) for column in range(length)]
        return squares[1:]

    def play(self, bar: Bar, bite: tuple[int, int]) -> Bar:
        row, column = bite
        after = [min(length, column) if n >= row else length for n, length in enumerate(bar)]
        return tuple(length for length in after if length > 0)

    def text(self, bar: Bar) -> str:
        return "\n".join("#" * length for length in bar)


if __name__ == "__main__":
    answer = balpan.solve(Chomp(5, 6), ask="value")
    print(answer, answer.line)
