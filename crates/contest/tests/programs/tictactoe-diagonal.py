# Wrong: does not look at the diagonal from the top right.
import sys

LINES = ("012", "345", "678", "036", "147", "258", "048")
known = {}


def result(board, me, other):
    if board not in known:
        if any(all(board[int(cell)] == other for cell in line) for line in LINES):
            known[board] = other
        elif "." not in board:
            known[board] = "TIE"
        else:
            after = {result(board[:i] + me + board[i + 1 :], other, me) for i in range(9) if board[i] == "."}
            known[board] = me if me in after else "TIE" if "TIE" in after else other
    return known[board]


words = sys.stdin.read().split()
for n in range(int(words[0])):
    board = "".join(words[3 * n + 1 : 3 * n + 4])
    x_to_move = board.count("x") == board.count("o")
    print(result(board, *("xo" if x_to_move else "ox")))
