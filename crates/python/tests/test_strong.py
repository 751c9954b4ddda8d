"""Files of strong solutions."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import balpan
from conftest import Command, by_chance
from test_own import OneHeap


@pytest.fixture(scope="module")
def path(command: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("strong") / "tictactoe.strong"
    words = [str(command.path), "build", "tictactoe", "-o", str(path)]  # type: ignore[attr-defined]
    subprocess.run(words, check=True, capture_output=True)
    return path


def test_a_mapping(path: Path) -> None:
    strong, game = balpan.open_strong(path), balpan.game("tictactoe")
    assert len(strong) == 765 == len(list(strong))
    for text in by_chance(game, 300, seed=1):
        assert text in strong and strong[text] == game.solve(text, ask="value").worth
        assert strong[game.position(text)] == strong[text]
    with pytest.raises(balpan.PositionError):
        strong["nonsense"]
    assert "nonsense" not in strong
    assert sum(strong.layers.values()) == 765


def test_numpy(path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    strong, game = balpan.open_strong(path), balpan.game("tictactoe")
    for text in by_chance(game, 50, seed=2):
        layer, key = strong.key_of(text)
        assert layer is not None
        codes = strong.look_up_keys(layer, numpy.array([key, 2**60], dtype="uint64"))
        assert strong.codes[int(codes[0])] == strong[text]
        assert codes[1] == balpan.MISSING
    for layer, positions in strong.layers.items():
        keys, codes = strong.layer(layer)
        assert len(keys) == len(codes) == positions
        assert (strong.look_up_keys(layer, keys) == codes).all()
    with pytest.raises(ValueError, match="keys"):
        strong.look_up_keys(3, [[1, 2, 3]])


def test_answers_from_a_file(path: Path) -> None:
    game = balpan.game("tictactoe", strong=path)
    assert game.solve().outcome == "draw"
    with pytest.raises(balpan.StrongError, match="other rules"):
        balpan.game("tictactoe", misere=True, strong=path)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "none").write_text("nothing")
    with pytest.raises(balpan.StrongError):
        balpan.open_strong(tmp_path / "none")
    with pytest.raises(OSError):
        balpan.open_strong(tmp_path / "missing")


def test_a_file_is_built(tmp_path: Path) -> None:
    tictactoe = balpan.game("tictactoe")
    strong = tictactoe.build(tmp_path / "tictactoe.strong")
    assert len(strong) == 765 and strong["X../.O./..."] == tictactoe.solve("X../.O./...").worth
    assert not list(tmp_path.glob("*.scratch"))
    late = tictactoe.build(tmp_path / "late.strong", "XO./.../...", folded=False)
    assert 100 < len(late) < 765 and "X../.../..." not in late
    nimbers = balpan.game("kayles").build(tmp_path / "kayles.strong", "7", nimber=True)
    assert nimbers["7"] == balpan.game("kayles").nimber("7") == 2
    with pytest.raises(balpan.StrongError, match="exists"):
        tictactoe.build(tmp_path / "late.strong")
    with pytest.raises(balpan.StrongError, match="not impartial"):
        tictactoe.build(tmp_path / "nimbers.strong", nimber=True)
    with pytest.raises(balpan.StrongError, match="written in Python"):
        balpan.register("heap-of-four", OneHeap()).build(tmp_path / "heap.strong")
    with pytest.raises(balpan.StrongError):
        tictactoe.build(tmp_path / "late.strong" / "tictactoe.strong")


def test_several_files_and_folders(tmp_path: Path) -> None:
    names = {"tictactoe": "X../.O./...", "clobber": "wb/bw", "nim": "1 2"}
    for name in names:
        balpan.game(name).build(tmp_path / f"{name}.strong", names[name])
    (tmp_path / "notes.txt").write_text("not a solution")
    paths = sorted(tmp_path.glob("*.strong"))
    for strong in (balpan.open_strong(tmp_path), balpan.open_strong(*paths), balpan.open_strong(paths[0], *paths[1:])):
        assert isinstance(strong, balpan.StrongFiles)
        assert len(strong) == sum(map(len, strong.files)) == len(list(strong))
        for name, text in names.items():
            worth = balpan.game(name).solve(text, ask="value").worth
            assert strong[text] == worth and text in strong
            assert strong[balpan.game(name).position(text)] == worth
        assert "nonsense" not in strong and "5 5 5" not in strong
        with pytest.raises(balpan.PositionError):
            strong["nonsense"]
        with pytest.raises(balpan.StrongError, match="3 files are open"):
            strong.key_of("1 2")
    # Who wins tic-tac-toe and its opposite differs at the same position.
    other = tmp_path / "more"
    other.mkdir()
    wins = "XX./OO./..."
    balpan.game("tictactoe").build(other / "one.strong", wins)
    balpan.game("tictactoe", misere=True).build(other / "other.strong", wins)
    with pytest.raises(balpan.StrongError, match="different games"):
        balpan.open_strong(other)[wins]
    assert balpan.open_strong(other / "one.strong")[wins] == balpan.win(1)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(balpan.StrongError, match="no file that ends in .strong"):
        balpan.open_strong(empty)
