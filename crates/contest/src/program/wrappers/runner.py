"""Calls `solution(board, aloc, bloc)` of a file once for each line of standard input and
prints what it returns, a line a call. What the file itself prints is not an answer: it goes
to standard error.

    python3 runner.py FILE < cases.jsonl
"""

import importlib.util
import json
import numbers
import os
import sys


def load(path):
    """The module that stands in the file, with the file's folder to import from."""
    sys.dont_write_bytecode = True
    sys.path[0] = os.path.dirname(path)
    spec = importlib.util.spec_from_file_location("solution", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["solution"] = module
    spec.loader.exec_module(module)
    return module


def shown(result):
    """A number as it is; anything else so that it is seen for what it is, on one line."""
    if isinstance(result, numbers.Integral) and not isinstance(result, bool):
        return str(int(result))
    return " ".join(repr(result).split()) or "?"


def main():
    # From here on, the real standard output is known under another number only.
    answers = os.dup(1)
    os.dup2(2, 1)
    # All is read before the file is: what that may read is not taken from the cases.
    cases = [json.loads(line) for line in sys.stdin.buffer if line.strip()]
    solution = getattr(load(sys.argv[1]), "solution", None)
    if not callable(solution):
        sys.exit("there is no function `solution` in it")
    for case in cases:
        # Each list is read from the text anew, so the function may change what it is given.
        result = solution(case["board"], case["aloc"], case["bloc"])
        # Written at once: an answer is not lost when the next call never returns.
        line = memoryview((shown(result) + "\n").encode())
        while line:
            line = line[os.write(answers, line) :]


main()
