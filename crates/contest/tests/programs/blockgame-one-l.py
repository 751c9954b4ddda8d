# Wrong: the L-tromino is not turned.
import sys
from functools import lru_cache

PIECES = [[(0, 0), (0, 1)], [(0, 0), (1, 0)], [(0, 0), (1, 0), (1, 1)]]
MOVES = [
    sum(1 << (r + y) * 5 + c + x for y, x in piece)
    for piece in PIECES
    for r in range(5)
    for c in range(5)
    if all(r + y < 5 and c + x < 5 for y, x in piece)
]


@lru_cache(None)
def wins(free):
    return any(move & free == move and not wins(free ^ move) for move in MOVES)


words = sys.stdin.read().split()
for n in range(int(words[0])):
    text = "".join(words[5 * n + 1 : 5 * n + 6])
    print("WINNING" if wins(sum(1 << i for i, cell in enumerate(text) if cell == ".")) else "LOSING")
