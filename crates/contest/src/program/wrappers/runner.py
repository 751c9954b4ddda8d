"""Calls a function of a file once for each line of standard input, and prints each result on
a line: `solution(board, aloc, bloc)`, unless another function and its arguments are named,
which may be a method of a class `Solution`. Prints of the file itself go to standard error.

    python3 runner.py FILE [FUNCTION ARGUMENT ..] < cases.jsonl
"""

import importlib.util
import json
import numbers
import os
import sys


# What LeetCode imports before a solution, whose template has `List` in it; `builtins` last, so
# that `pow` and others stay what they are.
SITE_MODULES = (
    "typing collections heapq bisect copy math random statistics itertools functools operator "
    "string re datetime builtins"
).split()


def import_as_sites_do(module):
    """Gives a module the names that sites import for solutions."""
    for name in SITE_MODULES:
        exec(f"import {name}\nfrom {name} import *", module.__dict__)


def load(path, is_of_a_site):
    """Loads the file as a module that can import from its folder."""
    sys.dont_write_bytecode = True
    sys.path[0] = os.path.dirname(path)
    spec = importlib.util.spec_from_file_location("solution", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["solution"] = module
    if is_of_a_site:
        import_as_sites_do(module)
    spec.loader.exec_module(module)
    return module


def format_result(result):
    """Formats a number as it is, and other types literally on one line."""
    if isinstance(result, numbers.Integral) and not isinstance(result, bool):
        return str(int(result))
    return " ".join(repr(result).split()) or "?"


def find(module, name):
    """Returns a function that calls the one of this name, or the method of a new `Solution`."""
    if callable(getattr(module, name, None)):
        return getattr(module, name)
    method = getattr(getattr(module, "Solution", None), name, None)
    return callable(method) and (lambda *arguments: getattr(module.Solution(), name)(*arguments))


def main():
    # Keeps the real standard output, and redirects file descriptor 1 to standard error.
    answers = os.dup(1)
    os.dup2(2, 1)
    # Read before the file is loaded, which may itself read standard input.
    cases = [json.loads(line) for line in sys.stdin.buffer if line.strip()]
    name, *arguments = sys.argv[2:] or ["solution", "board", "aloc", "bloc"]
    solution = find(load(sys.argv[1], len(sys.argv) > 2), name)
    if not solution:
        sys.exit(f"there is no function `{name}` in it")
    for case in cases:
        # Each list is parsed anew, so the function may change its arguments.
        result = solution(*(case[argument] for argument in arguments))
        # Sites whose functions have names of their own print `true` and `false`.
        is_word = len(sys.argv) > 2 and isinstance(result, bool)
        text = json.dumps(result) if is_word else format_result(result)
        # Flushed, so that the answer is not lost if the next call never returns.
        line = memoryview((text + "\n").encode())
        while line:
            line = line[os.write(answers, line) :]


main()
