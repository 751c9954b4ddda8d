# Wrong: the memo is kept between cases, and its bit sets do not contain the width of the board.
import sys
from json import loads

known = {}


def play(tiles, rows, cols, mover, other, turn):
    if not tiles >> mover & 1:
        return 0
    key = tiles, mover, other, turn
    if key not in known:
        r, c = divmod(mover, cols)
        left = tiles & ~(1 << mover)
        plies = []
        for nr, nc in (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1):
            if 0 <= nr < rows and 0 <= nc < cols and left >> nr * cols + nc & 1:
                plies.append(1 + play(left, rows, cols, other, nr * cols + nc, not turn))
        wins = [n for n in plies if n % 2]
        known[key] = min(wins) if wins else max(plies, default=0)
    return known[key]


for line in sys.stdin:
    case = loads(line)
    board = case["board"]
    rows, cols = len(board), len(board[0])
    tiles = sum(board[i // cols][i % cols] << i for i in range(rows * cols))
    a, b = (case[name][0] * cols + case[name][1] for name in ("aloc", "bloc"))
    print(play(tiles, rows, cols, a, b, False))
