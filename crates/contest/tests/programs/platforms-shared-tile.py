# Wrong on purpose: a token whose tile has vanished moves on.
import json
import sys
from functools import lru_cache


def solve(board, aloc, bloc):
    rows, cols = len(board), len(board[0])
    neighbours = {}
    for r in range(rows):
        for c in range(cols):
            near = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
            neighbours[r * cols + c] = [y * cols + x for y, x in near if 0 <= y < rows and 0 <= x < cols]
    start = sum(board[r][c] << (r * cols + c) for r in range(rows) for c in range(cols))

    @lru_cache(maxsize=None)
    def minimax(tiles, mover, other):
        rest = tiles & ~(1 << mover)
        wins, losses = [], []
        for cell in neighbours[mover]:
            if rest >> cell & 1:
                opponent_wins, count = minimax(rest, other, cell)
                (losses if opponent_wins else wins).append(count + 1)
        if wins:
            return True, min(wins)
        return False, max(losses, default=0)

    return minimax(start, aloc[0] * cols + aloc[1], bloc[0] * cols + bloc[1])[1]


for line in sys.stdin:
    if line.strip():
        print(solve(**json.loads(line)))
