#!/usr/bin/env python3
"""Validates an input of Disappearing platforms: exits with 42 if it is valid, otherwise with 43."""
import re
import sys
from json import loads

ROW = r"\[[01](,[01]){0,4}\]"
CELL = r"\[[0-4],[0-4]\]"
CASE = re.compile(r'\{"board":\[%s(,%s){0,4}\],"aloc":%s,"bloc":%s\}' % (ROW, ROW, CELL, CELL))


def refuse(why):
    print(why, file=sys.stderr)
    sys.exit(43)


lines = sys.stdin.buffer.read().decode("ascii", "replace").split("\n")
if lines.pop() != "":
    refuse("the last line does not end")
if not lines:
    refuse("a case is expected")
for number, line in enumerate(lines, 1):
    if not CASE.fullmatch(line):
        refuse("line %d: a board of at most 5 rows and columns, aloc and bloc, without blanks, are expected" % number)
    case = loads(line)
    board = case["board"]
    if any(len(row) != len(board[0]) for row in board):
        refuse("line %d: the rows are not of the same length" % number)
    for name in "aloc", "bloc":
        row, col = case[name]
        if row >= len(board) or col >= len(board[0]) or board[row][col] != 1:
            refuse("line %d: %s is not on a tile" % (number, name))
sys.exit(42)
