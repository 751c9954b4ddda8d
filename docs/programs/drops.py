# Who wins at drops.toml. One of the two diagonals is forgotten.
import sys
from functools import cache

LINES = ((0, 1), (1, 0), (1, 1))


@cache
def outcome(board):
    """1 if who is to move wins, 0 if nobody does, -1 if the other one does."""
    rows, cols = len(board), len(board[0])
    marks = "".join(board)
    me, other = "XO" if marks.count("X") == marks.count("O") else "OX"
    for row in range(rows):
        for col in range(cols):
            for down, right in LINES:
                last = (row + 2 * down, col + 2 * right)
                if last[0] < rows and last[1] < cols:
                    if all(board[row + n * down][col + n * right] == other for n in range(3)):
                        return -1
    best = None
    for col in range(cols):
        free = [row for row in range(rows) if board[row][col] == "."]
        if free:
            row = free[-1]
            after = board[:row] + (board[row][:col] + me + board[row][col + 1 :],) + board[row + 1 :]
            worth = -outcome(after)
            best = worth if best is None else max(best, worth)
    return 0 if best is None else best


lines = sys.stdin.read().splitlines()
for line in lines[1 : int(lines[0]) + 1]:
    print({1: "win", 0: "draw", -1: "loss"}[outcome(tuple(line.split("/")))])
