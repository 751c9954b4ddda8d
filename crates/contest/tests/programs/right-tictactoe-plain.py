# Right: alpha-beta without a memo, 1 for x, -1 for o.
import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def value(board, mover, alpha, beta):
    if any(board[a] == board[b] == board[c] == -mover for a, b, c in LINES):
        return -1
    best = 0 if 0 not in board else -2
    for cell in range(9):
        if board[cell] == 0:
            board[cell] = mover
            best = max(best, -value(board, -mover, -beta, -alpha))
            board[cell] = 0
            alpha = max(alpha, best)
            if alpha >= beta:
                break
    return best


words = sys.stdin.read().split()
for n in range(int(words[0])):
    board = [{".": 0, "x": 1, "o": -1}[mark] for row in words[3 * n + 1 : 3 * n + 4] for mark in row]
    mover = 1 if sum(board) == 0 else -1
    print({1: "x", -1: "o", 0: "TIE"}[mover * value(board, mover, -1, 1)])
