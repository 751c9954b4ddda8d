"""Calls `solution(board, aloc, bloc)` of a file once for each line of standard input, and
prints each result on a line. Prints of the file itself go to standard error.

    python3 runner.py FILE < cases.jsonl
"""

import importlib.util
import json
import numbers
import os
import sys


def load(path):
    """Loads the file as a module that can import from its folder."""
    sys.dont_write_bytecode = True
    sys.path[0] = os.path.dirname(path)
    spec = importlib.util.spec_from_file_location("solution", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["solution"] = module
    spec.loader.exec_module(module)
    return module


def format_result(result):
    """Formats a number as it is, and other types literally on one line."""
    if isinstance(result, numbers.Integral) and not isinstance(result, bool):
        return str(int(result))
    return " ".join(repr(result).split()) or "?"


def main():
    # Keeps the real standard output, and redirects file descriptor 1 to standard error.
    answers = os.dup(1)
    os.dup2(2, 1)
    # Read before the file is loaded, which may itself read standard input.
    cases = [json.loads(line) for line in sys.stdin.buffer if line.strip()]
    solution = getattr(load(sys.argv[1]), "solution", None)
    if not callable(solution):
        sys.exit("there is no function `solution` in it")
    for case in cases:
        # Each list is parsed anew, so the function may change its arguments.
        result = solution(case["board"], case["aloc"], case["bloc"])
        # Flushed, so that the answer is not lost if the next call never returns.
        line = memoryview((format_result(result) + "\n").encode())
        while line:
            line = line[os.write(answers, line) :]


main()
