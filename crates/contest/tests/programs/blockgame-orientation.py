# Wrong on purpose: one of the four orientations of the L is missing.
import sys

sys.setrecursionlimit(10000)

SHAPES = [
    [(0, 0), (0, 1)],
    [(0, 0), (1, 0)],
    [(0, 0), (1, 0), (1, 1)],
    [(0, 0), (0, 1), (1, 1)],
    [(0, 0), (0, 1), (1, 0)],
]

MOVES = []
for y in range(5):
    for x in range(5):
        for shape in SHAPES:
            cells = [(y + dy, x + dx) for dy, dx in shape]
            if all(r < 5 and c < 5 for r, c in cells):
                MOVES.append(sum(1 << (r * 5 + c) for r, c in cells))

FULL = (1 << 25) - 1
WEST = sum(1 << (5 * y) for y in range(5))
EAST = WEST << 4
memo = {}


def fill_lonely_cells(board):
    free = FULL & ~board
    near = (free & ~EAST) << 1 | (free & ~WEST) >> 1 | free << 5 | free >> 5
    return FULL & ~(free & near)


def can_win(board):
    board = fill_lonely_cells(board)
    if board not in memo:
        memo[board] = any(board & move == 0 and not can_win(board | move) for move in MOVES)
    return memo[board]


def main():
    words = sys.stdin.read().split()
    for n in range(int(words[0])):
        text = "".join(words[1 + 5 * n : 6 + 5 * n])
        board = sum(1 << i for i, cell in enumerate(text) if cell == "#")
        print("WINNING" if can_win(board) else "LOSING")


main()
