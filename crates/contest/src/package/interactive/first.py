#!/usr/bin/env python3
# Plays the first legal move.
import sys

moves = []
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "moves":
        moves = rest.split()
    elif word == "go":
        print(moves[0], flush=True)
