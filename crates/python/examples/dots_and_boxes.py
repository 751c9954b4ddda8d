"""Dots and Boxes: who draws the fourth side of a box owns it and goes on; who owns more boxes wins."""

from __future__ import annotations

import balpan

Edge = tuple[int, int, str]
# The lines that are drawn, and how many more boxes the player to move has than the other.
Drawn = tuple[frozenset[Edge], int]


class DotsAndBoxes(balpan.Game[Drawn, tuple[Edge, ...]]):
    """Turns alternate strictly: a move is all lines that a player draws until the turn passes."""

    def __init__(self, rows: int, columns: int) -> None:
        across = [(row, column, "-") for row in range(rows + 1) for column in range(columns)]
        down = [(row, column, "|") for row in range(rows) for column in range(columns + 1)]
        self.edges: list[Edge] = across + down
        self.boxes = [
            {(row, column, "-"), (row + 1, column, "-"), (row, column, "|"), (row, column + 1, "|")}
            for row in range(rows)
            for column in range(columns)
        ]

    def start(self) -> Drawn:
        return (frozenset(), 0)

    def moves(self, position: Drawn) -> list[tuple[Edge, ...]]:
        drawn, _ = position
        turns: dict[frozenset[Edge], tuple[Edge, ...]] = {}
        self._turns(drawn, (), turns)
        return list(turns.values())

    def play(self, position: Drawn, turn: tuple[Edge, ...]) -> Drawn:
        drawn, ahead = position
        after = drawn | set(turn)
        won = sum(box <= after for box in self.boxes) - sum(box <= drawn for box in self.boxes)
        return (after, -(ahead + won))

    def end(self, position: Drawn) -> balpan.Outcome:
        _, ahead = position
        return "win" if ahead > 0 else "loss" if ahead < 0 else "draw"

    def canonical(self, position: Drawn) -> Drawn:
        """Left and right change places, if that comes first."""
        drawn, ahead = position
        columns = max(column for _, column, kind in self.edges if kind == "|")
        mirrored = frozenset((row, columns - column - (kind == "-"), kind) for row, column, kind in drawn)
        return (min(drawn, mirrored, key=sorted), ahead)

    def _turns(self, drawn: frozenset[Edge], turn: tuple[Edge, ...], turns: dict[frozenset[Edge], tuple[Edge, ...]]) -> None:
        """Every turn from here on: of those that draw the same lines, one."""
        for edge in self.edges:
            if edge in drawn:
                continue
            after = drawn | {edge}
            goes_on = any(edge in box and box <= after for box in self.boxes) and len(after) < len(self.edges)
            if goes_on:
                self._turns(after, (*turn, edge), turns)
            else:
                turns.setdefault(after, (*turn, edge))


if __name__ == "__main__":
    answer = balpan.solve(DotsAndBoxes(2, 2), ask="winner")
    print(answer)
