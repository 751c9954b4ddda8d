#!/usr/bin/env python3
"""Makes the rows of docs/atlas.md: solves, proves and checks each of rows.txt.

    cargo build --release -p balpan-cli -p balpan-check
    certificates/atlas.py [NAME...]

prints a table. Each is given one thread, so that its bytes are the same each time, and --memory 4G; times are
CPU seconds. Certificates that are kept are written to this folder, others to --to DIR.
"""

import json
import pathlib
import resource
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
BALPAN = HERE.parent / "target" / "release" / "balpan"
CHECK = HERE.parent / "target" / "release" / "balpan-check"


def timed(command):
    """A command's result, and the CPU seconds that it took."""
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime


def row(name, what, solve, prove, kept, folder):
    path = (HERE if kept == "yes" else folder) / f"{name}.cert"
    solved, finding = timed([BALPAN, *shlex.split(solve), "--threads", "1", "--memory", "4G"])
    proved, proving = timed([BALPAN, "prove", *shlex.split(prove), "--threads", "1", "--memory", "4G", "-o", path])
    if proved.returncode != 0:
        return f"| {what} | {proved.stderr.strip()} | | | | | | |"
    checked, checking = timed([CHECK, "--threads", "1", "--memory", "8192", path])
    told = json.loads(subprocess.run([BALPAN, "check", "--json", path], capture_output=True, text=True).stdout)
    proof = "" if checked.returncode == 0 and told["proved"] else "NOT PROVED: "
    seconds = " | ".join(f"{s:.1f}" for s in (finding, proving, checking))
    link = f"[{what}](../certificates/{name}.cert)" if kept == "yes" else what
    return f"| {link} | {proof}{told['claim']} | {told['claims']:,} | {told['bytes']:,} | {seconds} | `{told['blake3'][:16]}` |"


def main():
    words = sys.argv[1:]
    folder = pathlib.Path(tempfile.gettempdir())
    if "--to" in words:
        at = words.index("--to")
        folder = pathlib.Path(words[at + 1])
        del words[at : at + 2]
    for line in (HERE / "rows.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, *others = (part.strip() for part in line.split("|"))
        if not words or name in words:
            print(row(name, *others, folder), flush=True)


main()
