"""Plays any game by the referee's lines: always the first legal move."""

import sys

for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "moves":
        moves = rest.split()
    elif word == "go":
        print(moves[0], flush=True)
