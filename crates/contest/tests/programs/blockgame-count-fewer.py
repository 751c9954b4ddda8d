# Wrong: does not answer the last case.
import sys

MOVES = []
for r in range(5):
    for c in range(5):
        cell = 1 << (r * 5 + c)
        if r < 4 and c < 4:
            square = cell | cell << 1 | cell << 5 | cell << 6
            MOVES += [square & ~corner for corner in (cell, cell << 1, cell << 5, cell << 6)]
        if c < 4:
            MOVES.append(cell | cell << 1)
        if r < 4:
            MOVES.append(cell | cell << 5)

LEFT = 0x108421
RIGHT = LEFT << 4
known = {}


def wins(free):
    free &= (free & ~RIGHT) << 1 | (free & ~LEFT) >> 1 | free << 5 | free >> 5
    if free in known:
        return known[free]
    for move in MOVES:
        if move & free == move and not wins(free ^ move):
            known[free] = True
            return True
    known[free] = False
    return False


words = sys.stdin.read().split()
for n in range(int(words[0]) - 1):
    text = "".join(words[5 * n + 1 : 5 * n + 6])
    print("WINNING" if wins(sum(1 << i for i, cell in enumerate(text) if cell == ".")) else "LOSING")
