# Wrong: the key of the memo is the number of free cells.
import sys

MOVES = []
for r in range(5):
    for c in range(5):
        for piece in [(0, 0), (0, 1)], [(0, 0), (1, 0)], [(0, 0), (0, 1), (1, 0)], [(0, 0), (0, 1), (1, 1)], \
                [(0, 0), (1, 0), (1, 1)], [(0, 1), (1, 0), (1, 1)]:
            if all(r + y < 5 and c + x < 5 for y, x in piece):
                MOVES.append(sum(1 << (r + y) * 5 + c + x for y, x in piece))


def wins(free, known):
    many = bin(free).count("1")
    if many not in known:
        known[many] = any(move & free == move and not wins(free ^ move, known) for move in MOVES)
    return known[many]


words = sys.stdin.read().split()
for n in range(int(words[0])):
    text = "".join(words[5 * n + 1 : 5 * n + 6])
    print("WINNING" if wins(sum(1 << i for i, cell in enumerate(text) if cell == "."), {}) else "LOSING")
