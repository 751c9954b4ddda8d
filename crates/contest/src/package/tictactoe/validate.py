#!/usr/bin/env python3
"""Validates an input of tic-tac-toe: exits with 42 if it is valid, otherwise with 43."""
import re
import sys

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


def refuse(why):
    print(why, file=sys.stderr)
    sys.exit(43)


lines = sys.stdin.buffer.read().split(b"\n")
if lines.pop() != b"":
    refuse("the last line does not end")
if not lines or not re.fullmatch(rb"[1-9][0-9]?", lines[0]) or int(lines[0]) > 50:
    refuse("line 1: the number of cases, 1 to 50, is expected")
if len(lines) != 1 + 3 * int(lines[0]):
    refuse("%d lines: three for each case, and one before them, are expected" % len(lines))
for number, line in enumerate(lines[1:], 2):
    if not re.fullmatch(rb"[.xo]{3}", line):
        refuse("line %d: three of `.`, `x` and `o` are expected" % number)
for case in range(int(lines[0])):
    board = b"".join(lines[1 + 3 * case : 4 + 3 * case]).decode()
    x, o = board.count("x"), board.count("o")
    if x - o not in (0, 1):
        refuse("case %d: %d x and %d o, and x moves first" % (case + 1, x, o))
    # A line ends the game, so its owner made the last mark.
    for mark, last in ("x", x > o), ("o", x == o):
        if not last and any(all(board[int(cell)] == mark for cell in line) for line in LINES):
            refuse("case %d: the game went on after a line of %s" % (case + 1, mark))
sys.exit(42)
