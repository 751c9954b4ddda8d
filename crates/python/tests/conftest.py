"""What tests have in common: the command, and positions by chance."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import balpan

ROOT = Path(__file__).resolve().parents[3]
Command = Callable[..., list[dict[str, Any]]]


def path_of_command() -> Path | None:
    """The `balpan` command: as `BALPAN_COMMAND` says, or as it was built last."""
    named = os.environ.get("BALPAN_COMMAND")
    built = [Path(named)] if named else [ROOT / "target" / kind / "balpan" for kind in ("release", "debug")]
    there = [path for path in built if path.is_file()]
    return max(there, key=lambda path: path.stat().st_mtime, default=None)


@pytest.fixture(scope="session")
def command() -> Command:
    """Runs the command and reads the JSON that it prints, a line each."""
    path = path_of_command()
    if path is None:
        if os.environ.get("BALPAN_COMMAND_NEEDED"):
            pytest.fail("there is no balpan command: cargo build")
        pytest.skip("there is no balpan command: cargo build")

    def run(*words: str, text: str = "", code: int = 0) -> list[dict[str, Any]]:
        done = subprocess.run([str(path), *words], input=text, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    run.path = path  # type: ignore[attr-defined]
    return run


def by_chance(game: balpan.RulesGame, many: int, seed: int, least: int = 0) -> list[str]:
    """Different positions of a game, met in play by chance after `least` moves or more."""
    chance = random.Random(seed)
    met: dict[str, None] = {}
    for _ in range(50 * many):
        position = game.start
        for ply in range(200):
            if ply >= least:
                met.setdefault(position.text)
            moves = position.moves
            if not moves or len(met) >= many:
                break
            position = position.play(chance.choice(moves))
        if len(met) >= many:
            break
    return list(met)


def heaps(many: int, seed: int) -> list[str]:
    """Different positions of up to four small heaps."""
    chance = random.Random(seed)
    met: dict[str, None] = {}
    while len(met) < many:
        sizes = sorted(chance.randrange(9) for _ in range(chance.randrange(1, 5)))
        met.setdefault(" ".join(map(str, sizes)))
    return list(met)


def example(name: str) -> ModuleType:
    """One of the examples."""
    path = Path(__file__).resolve().parents[1] / "examples" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
