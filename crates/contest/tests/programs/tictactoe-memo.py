# Wrong: the key of the memo is the free cells, and the memo is kept from case to case.
import sys

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
known = {}


def result(board, me, other):
    for line in LINES:
        marks = {board[int(cell)] for cell in line}
        if len(marks) == 1 and marks != {"."}:
            return marks.pop()
    free = tuple(i for i in range(9) if board[i] == ".")
    if not free:
        return "TIE"
    if free not in known:
        best = other
        for i in free:
            after = result(board[:i] + me + board[i + 1 :], other, me)
            if after == me:
                best = me
                break
            if after == "TIE":
                best = "TIE"
        known[free] = best
    return known[free]


words = sys.stdin.read().split()
for n in range(int(words[0])):
    board = "".join(words[3 * n + 1 : 3 * n + 4])
    x_to_move = board.count("x") == board.count("o")
    print(result(board, *("xo" if x_to_move else "ox")))
