# Wrong on purpose: takes o to move if there are as many x as o.
import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
memo = {}


def winner(board):
    for a, b, c in LINES:
        if board[a] != "." and board[a] == board[b] == board[c]:
            return board[a]
    return None


def outcome(board, turn):
    key = board, turn
    if key not in memo:
        won = winner(board)
        if won:
            memo[key] = won
        elif "." not in board:
            memo[key] = "TIE"
        else:
            other = "o" if turn == "x" else "x"
            results = {
                outcome(board[:i] + turn + board[i + 1 :], other) for i in range(9) if board[i] == "."
            }
            memo[key] = turn if turn in results else "TIE" if "TIE" in results else other
    return memo[key]


count = int(sys.stdin.readline())
for _ in range(count):
    board = "".join(sys.stdin.readline().strip() for _ in range(3))
    turn = "o" if board.count("x") == board.count("o") else "x"
    print(outcome(board, turn))
