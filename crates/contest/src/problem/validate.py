#!/usr/bin/env python3
"""Validates an input of {source}: exits with 42 if it is valid, otherwise with 43."""
import json
import re
import sys

LAYOUT = json.loads(r"""{layout}""")

# Conditions between the values of each case.
CONDITIONS = [{conditions}
]


def refuse(why):
    print(why, file=sys.stderr)
    sys.exit(43)


def word(what):
    if not words:
        refuse("%s is expected where the input ends" % what)
    return words.pop()


def integer(what, least, most):
    text = word(what)
    if not re.fullmatch("0|-?[1-9][0-9]*", text) or int(text) < least or most is not None and int(text) > most:
        refuse("%s: `%s` is not a whole number from %d to %s" % (what, text, least, "any" if most is None else most))
    return int(text)


def letters(what, length, kind):
    text = word(what)
    if len(text) != length or any(letter not in kind["letters"] for letter in text):
        refuse("%s: `%s` is not %d of `%s`" % (what, text, length, kind["letters"]))
    return text


def extent(range_, name, known):
    """The number that the input states before, or the only one that there is."""
    return range_[0] if name is None else known[name]


def read(name, known):
    """Reads a value; returns it as it is written."""
    kind = LAYOUT["values"][name]
    if kind["is"] == "number":
        known[name] = integer(name, kind["from"], kind["to"])
        return str(known[name])
    if kind["is"] == "numbers":
        count = extent(kind["count"], kind["counted by"], known)
        numbers = [integer(name, kind["from"], kind["to"]) for _ in range(count)]
        if kind["increasing"] and any(after <= before for before, after in zip(numbers, numbers[1:])):
            refuse("%s does not increase" % name)
        known[name] = numbers
        return " ".join(map(str, numbers))
    if kind["is"] == "word":
        length = len(words[-1]) if words and kind["counted by"] is None else extent(kind["length"], kind["counted by"], known)
        if not kind["length"][0] <= length <= kind["length"][1]:
            refuse("%s has %d letters" % (name, length))
        return letters(name, length, kind)
    rows = extent(kind["rows"], kind["counted by"], known)
    columns = extent(kind["columns"], kind["columns counted by"], known)
    if words and kind["columns counted by"] is None and not kind["spaced"] and not kind["joined"]:
        columns = len(words[-1])
    if not kind["columns"][0] <= columns <= kind["columns"][1]:
        refuse("%s has %d columns" % (name, columns))
    width = 1 if kind["spaced"] else columns
    if kind["joined"]:
        cells = [[letters(name, rows * columns, kind)]]
    else:
        cells = [[letters(name, width, kind) for _ in range(columns if kind["spaced"] else 1)] for _ in range(rows)]
    board = "".join(map("".join, cells))
    for letter in kind["once"]:
        if board.count(letter) != 1:
            refuse("%s has %d of `%s`, and one is expected" % (name, board.count(letter), letter))
    return "\n".join(map(" ".join, cells))


text = sys.stdin.buffer.read().decode("utf-8", "replace")
words = text.split()[::-1]
cases = integer("the number of cases", 1, LAYOUT["cases"]) if LAYOUT["counted"] else 1
written = ["%d" % cases] if LAYOUT["counted"] else []
for _ in range(cases):
    known = {}
    written += [" ".join(read(name, known) for name in line) for line in LAYOUT["lines"]]
    for condition, holds in CONDITIONS:
        if not holds(known):
            refuse("`%s` does not hold" % condition)
if words:
    refuse("`%s` follows the last case" % words[-1])
if text != "\n".join(written) + "\n":
    refuse("the blanks or the ends of lines are not as the statement has them")
sys.exit(42)
