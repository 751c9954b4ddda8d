#!/usr/bin/env python3
"""Fits a cost model of builds by many processes on small builds, and predicts larger ones.

    cargo build --release
    docs/cluster/model.py            # fits, and prints docs/cluster.md's tables
    docs/cluster/model.py --check    # builds Connect Four 4x7 too, and compares it with its prediction

Times are CPU seconds of all processes together. Needs 2 cores, 2 GiB of memory and 2 GiB of disk for some minutes.
"""

import json
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile

BALPAN = pathlib.Path(__file__).parents[2] / "target" / "release" / "balpan"

# Boards of Connect Four that the model is fitted on, rows x columns.
FITTED = ["4x5", "5x4", "6x4", "5x5"]
CHECKED = "7x4"

# What is asked: name, positions up to symmetry, moves of a position compared with Connect Four on five columns. Connect
# Four's positions are half of Tromp's counts; those of platforms 6x6 from every start are an upper bound: tiles that are
# left, and two tokens on them.
ASKED = [
    ("Connect Four on 7 columns, 5 rows", 14_171_315_454 / 2, 1.4),
    ("Connect Four on 7 columns, 6 rows", 4_531_985_219_092 / 2, 1.4),
    ("platforms 6x6, every start", 2**36 * 36 * 35 / 4 / 8, 0.8),
]
NODES = [16, 256, 1024]

# A node: cores, bytes a second on the network each way, on the disk, and bytes of disk.
CORES, NETWORK, DISK, ROOM = 16, 1.25e9, 1.0e9, 4e12


def run(board, processes=2):
    """Builds by some processes. Returns what it cost."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [BALPAN, "cluster", "local", str(processes), "connect4", "--board", board, "-o", f"{folder}/p", "--json"]
        told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        written = (after.ru_oublock - before.ru_oublock) * 512
        shares = [positions(path) for path in sorted(pathlib.Path(f"{folder}/p").glob("part-*"))]
        return {
            "board": board,
            "positions": told["positions"],
            "seconds": told["seconds"],
            "cpu": cpu,
            # With two processes, half of all that leads to another share leads to another process.
            "sent": told["sent"] * processes / (processes - 1),
            "written": written,
            "peak": told["on_the_way"],
            "skew": max(shares) * len(shares) / sum(shares),
        }


def positions(path):
    """The positions of a part, from its header (docs/strong-file.md)."""
    data = path.read_bytes()
    at, length = struct.unpack("<QQ", data[16:32])
    return sum(layer["positions"] for layer in json.loads(data[at : at + length])["layers"])


def fit(rows, what):
    """What it costs a position: least squares through the origin."""
    return sum(row[what] * row["positions"] for row in rows) / sum(row["positions"] ** 2 for row in rows)


def main():
    rows = []
    print("| board | positions | CPU s | µs a position | bytes sent a position | bytes written a position | largest share |")
    print("|---|---|---|---|---|---|---|")

    def tell(row):
        n = row["positions"]
        print(
            f"| {row['board']} | {n:,} | {row['cpu']:.1f} | {row['cpu'] / n * 1e6:.3f} | {row['sent'] / n:.2f}"
            f" | {row['written'] / n:.2f} | {row['skew']:.3f} |",
            flush=True,
        )

    for board in FITTED:
        rows.append(run(board))
        tell(rows[-1])
    cpu, sent, written = (fit(rows, what) for what in ("cpu", "sent", "written"))
    print(f"\nA position: {cpu * 1e6:.3f} µs of CPU, {sent:.2f} bytes to other shares, {written:.2f} bytes written.\n")
    if "--check" in sys.argv:
        row = run(CHECKED)
        tell(row)
        for what, a_position in (("cpu", cpu), ("sent", sent), ("written", written)):
            foretold = a_position * row["positions"]
            print(f"{what}: foretold {foretold:.4g}, found {row[what]:.4g}, {row[what] / foretold:.2f} of it")
    print("\n| | positions | nodes | CPU | network | disk | room | first limit |")
    print("|---|---|---|---|---|---|---|---|")
    for name, n, moves in ASKED:
        # With words of 128 bits, which longer keys need, the same build took 1.08 times the CPU.
        each = cpu * 1.08 * moves
        for nodes in NODES:
            share = n / nodes
            times = {
                "CPU": share * each / CORES,
                "network": share * sent * moves * (nodes - 1) / nodes / NETWORK,
                "disk": share * 2 * written / DISK,
            }
            room = share * 3.5
            first = max(times, key=times.get) if room <= ROOM else "room on the disk"
            minutes = " | ".join(f"{times[what] / 60:,.1f} min" for what in ("CPU", "network", "disk"))
            print(f"| {name} | {n:.2g} | {nodes:,} | {minutes} | {room / 1e12:,.2f} TB | {first} |")


main()
