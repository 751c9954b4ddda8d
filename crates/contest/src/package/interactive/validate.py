#!/usr/bin/env python3
"""Checks an input: the game, the player, the result to get and the first position, a line each."""

import re
import sys

lines = sys.stdin.buffer.read().decode("utf-8").split("\n")
is_valid = len(lines) == 5 and lines[4] == "" and all(lines[:4]) and re.fullmatch(r"-?[0-9]+", lines[2])
sys.exit(42 if is_valid else 43)
