"""Python's answers are the command's."""

from __future__ import annotations

import json
from typing import Any

import pytest

import balpan
from conftest import Command, by_chance, heaps

GAMES = [
    ("platforms", {"board": "4x4"}, 0),
    ("kings", {"board": "3x4"}, 0),
    ("blockgame", {"board": "4x4"}, 0),
    ("domineering", {"board": "4x4"}, 0),
    ("tictactoe", {}, 0),
    ("connect4", {"board": "4x4"}, 2),
    ("notakto", {"board": "3x4"}, 0),
    ("nim", {"start": "5 6 7"}, 0),
    ("kayles", {"start": "6 7 8"}, 0),
]


def same(told: dict[str, Any]) -> dict[str, Any]:
    """What is told, but for what it cost."""
    return {key: value for key, value in told.items() if key not in ("seconds", "positions_searched")}


@pytest.mark.parametrize(("name", "settings", "least"), GAMES, ids=[name for name, *_ in GAMES])
def test_five_hundred_positions_of_every_family(
    command: Command, name: str, settings: dict[str, Any], least: int
) -> None:
    game = balpan.game(name, threads=1, **settings)
    # Play by chance soon takes heaps away.
    few = name in ("nim", "kayles")
    positions = heaps(500, seed=7) if few else by_chance(game, 500, seed=7, least=least)
    assert len(positions) == 500
    changes = [f"--set={key}={value}" for key, value in settings.items() if key != "board"]
    board = [f"--board={settings['board']}"] if "board" in settings else []
    theirs = command("solve", name, *board, *changes, "--json", "--positions=-", text="\n".join(positions))
    ours = [game.solve(position) for position in positions]
    assert [same(answer.told) for answer in ours] == [same(told) for told in theirs]
    many = list(game.solve_many(positions, threads=2))
    assert [same(answer.told) for answer in many] == [same(told) for told in theirs]


@pytest.mark.parametrize("ask", ["winner", "outcome", "value", "moves"])
def test_as_far_as_is_asked(command: Command, ask: str) -> None:
    game = balpan.game("tictactoe", threads=1)
    positions = by_chance(game, 60, seed=3)
    theirs = command("solve", "tictactoe", f"--ask={ask}", "--json", "--positions=-", text="\n".join(positions))
    for position, told in zip(positions, theirs):
        assert same(game.solve(position, ask=ask).told) == same(told)  # type: ignore[arg-type]


def test_changed_rules(command: Command) -> None:
    game = balpan.game("tictactoe", board="3x4", k=3, misere=True)
    [told] = command("solve", "tictactoe", "--board=3x4", "--set=k=3", "--set=misere=true", "--json", "--ask=value")
    assert same(game.solve(ask="value").told) == same(told)
    assert game.solve().rules == ["misere=true"]


def test_reports(command: Command) -> None:
    tictactoe = balpan.game("tictactoe")
    [census] = command("census", "tictactoe", "--games", "--json")
    assert tictactoe.census(games=True).told == census
    [tree] = command("tree", "tictactoe", "X../XOO/OX.", "--alpha-beta", "--json")
    assert tictactoe.tree("X../XOO/OX.", alpha_beta=True).told == tree
    [review] = command("review", "tictactoe", "1,1", "0,1", "0,0", "2,2", "--json")
    assert json.loads(json.dumps(tictactoe.review("1,1 0,1 0,0 2,2").told)) == review
    [puzzles] = command("puzzle", "tictactoe", "--plies=5", "--json")
    assert tictactoe.puzzles(plies=5).told == puzzles
    [cgt] = command("solve", "domineering", "--board=3x3", "--cgt", "--json")
    assert same(balpan.game("domineering", board="3x3").cgt().told) == same(cgt)
    [nimber] = command("solve", "cram", "--board=4x4", "--nimber", "--json")
    assert balpan.game("cram", board="4x4").nimber() == nimber["nimber"]


def test_sums(command: Command) -> None:
    [told] = command("solve", "cram", "+", "nim", "3", "5", "--json")
    found = balpan.sum_of(balpan.game("cram"), (balpan.game("nim"), "3 5"))
    assert same(found.told) == same(told)


def test_test_data(command: Command) -> None:
    [told] = command("generate", "platforms", "--cases=30", "--seed=4", "--json")
    assert balpan.generate("platforms", 30, seed=4).told == told
