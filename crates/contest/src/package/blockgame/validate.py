#!/usr/bin/env python3
"""Validates an input of the block game: exits with 42 if it is valid, otherwise with 43."""
import re
import sys


def refuse(why):
    print(why, file=sys.stderr)
    sys.exit(43)


lines = sys.stdin.buffer.read().split(b"\n")
if lines.pop() != b"":
    refuse("the last line does not end")
if not lines or not re.fullmatch(rb"[1-9][0-9]?", lines[0]) or int(lines[0]) > 50:
    refuse("line 1: the number of cases, 1 to 50, is expected")
if len(lines) != 1 + 5 * int(lines[0]):
    refuse("%d lines: five for each case, and one before them, are expected" % len(lines))
for number, line in enumerate(lines[1:], 2):
    if not re.fullmatch(rb"[.#]{5}", line):
        refuse("line %d: five of `.` and `#` are expected" % number)
sys.exit(42)
