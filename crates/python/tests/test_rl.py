"""States, environments and the oracle for agents, against PettingZoo's own test, OpenSpiel's games and plain minimax."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest

import balpan
from balpan import rl
from test_own import OneHeap, TicTacToe

GAMES = ["tictactoe", "wild", "nim", "clobber", "morris3", "dots", "joust", "cram", "kalah", "hexapawn"]
MANY = 1000
"""Random games against each of OpenSpiel's."""


def small(name: str) -> rl.RLGame:
    boards = {"clobber": "3x4", "dots": "5x3", "joust": "4x4", "cram": "3x4"}
    return rl.load(name, **({"board": boards[name]} if name in boards else {}))


def by_chance(game: rl.RLGame, many: int, seed: int = 1) -> list[rl.State]:
    """States of play by chance that is not over."""
    chance, seen = random.Random(seed), set()
    states: list[rl.State] = []
    for _ in range(20 * many):
        state = game.new_initial_state()
        for _ in range(60):
            if state.is_terminal() or len(states) == many:
                break
            if str(state.position.text) not in seen or game.may_repeat:
                seen.add(state.position.text)
                states.append(state.clone())
            state.apply_action(chance.choice(state.legal_actions()))
    return states


@pytest.mark.parametrize("name", GAMES)
def test_best_actions_have_no_regret(name: str) -> None:
    game = small(name)
    oracle = rl.Oracle(game)
    states = by_chance(game, 100)
    assert len(states) >= 20
    for state in states:
        best, regrets = oracle.best_actions(state), oracle.regrets(state)
        assert best and sorted(regrets) == state.legal_actions()
        assert all(oracle.regret(state, action) == 0 for action in best)
        assert all(regret >= 0 for regret in regrets.values())


@pytest.mark.parametrize("name", ["tictactoe", "nim", "dots", "kalah", "hexapawn"])
def test_regret_is_that_of_minimax(name: str) -> None:
    game = rl.load("nim", "1 2 3") if name == "nim" else rl.load(name, board="3x5") if name == "dots" else rl.load(name)

    @lru_cache(maxsize=None)
    def gets(text: str, player: int) -> float:
        """What player 0 gets from a position at best."""
        state = game.state(text, player)
        if state.is_terminal():
            return state.player_return(0)
        after = [state.child(action) for action in state.legal_actions()]
        return (min if player else max)(gets(child.position.text, child.player_to_move) for child in after)

    oracle = rl.Oracle(game)
    for state in by_chance(game, 40):
        sign = -1 if state.current_player() else 1
        for action, regret in oracle.regrets(state).items():
            child = state.child(action)
            here = gets(state.position.text, state.player_to_move)
            assert regret == sign * (here - gets(child.position.text, child.player_to_move))


@pytest.mark.parametrize("name", sorted(balpan.presets()))
def test_every_preset_can_be_played_by_numbers(name: str) -> None:
    game = rl.load(name)
    chance = random.Random(3)
    assert len(set(game.actions)) == len(game.actions)
    for _ in range(10):
        state = game.new_initial_state()
        while not state.is_terminal() and state.move_number() < 300:
            assert state.legal_actions(1 - state.current_player()) == []
            assert [n for n, is_legal in enumerate(state.legal_actions_mask()) if is_legal] == state.legal_actions()
            action = chance.choice(state.legal_actions())
            assert state.string_to_action(state.action_to_string(state.current_player(), action)) == action
            state.apply_action(action)
        assert sum(state.returns()) == 0 and all(abs(gets) <= game.max_utility() for gets in state.returns())
    # The same numbers whenever they are made.
    assert rl.load(name).actions == game.actions


def test_numbers_are_as_documented() -> None:
    assert rl.load("tictactoe").actions[:4] == ["0,0", "0,1", "0,2", "1,0"]
    assert rl.load("connect4").actions == ["1", "2", "3", "4", "5", "6", "7"]
    hexapawn = rl.load("hexapawn")
    assert hexapawn.num_distinct_actions() == 81 and hexapawn.actions[9 + 4] == "0,1>1,1"
    assert rl.load("nim", "3 10").actions[-1] == "10>9"
    assert rl.load("connect4", actions=list("7654321")).new_initial_state().action_to_string(0) == "7"
    with pytest.raises(balpan.ArgumentError, match="'3' has no number"):
        rl.load("connect4", actions=["1", "2"]).new_initial_state().legal_actions()


def test_states() -> None:
    game = rl.load("tictactoe")
    state = game.new_initial_state()
    for action in (4, 0, 3):
        state.apply_action(action)
    copy = state.clone()
    copy.apply_action(5)
    assert (state.history(), copy.history(), state.move_number()) == ([4, 0, 3], [4, 0, 3, 5], 3)
    assert state.current_player() == 1 and copy.current_player() == 0 and not state.is_terminal()
    with pytest.raises(balpan.MovesError, match="action 4 is not legal here"):
        state.apply_action(4)
    won = state.child(1).child(5)
    assert won.is_terminal() and won.current_player() == rl.TERMINAL and won.legal_actions() == []
    assert won.returns() == [1, -1] and rl.Oracle(game).best_actions(won) == []
    assert str(rl.Oracle(game).value(state)) == "draw" and str(rl.Oracle(game).value(state.child(1))) == "win in 1"
    with pytest.raises(balpan.MovesError, match="play is over"):
        won.apply_action(2)
    # Python games, rules files and registered ones are games as well.
    heap = rl.load(OneHeap())
    assert heap.new_initial_state().legal_actions() and repr(heap).startswith("<rl <game oneheap")
    row = rl.load(balpan.rules('family = "lines"\nboard = "1x5"\nk = 3\nmarks = "shared"', name="row"))
    assert row.actions == ["0,0", "0,1", "0,2", "0,3", "0,4"]
    # A preset has the name of this class.
    assert rl.load(TicTacToe()).game.name == "my-tictactoe"
    with pytest.raises(balpan.GameError):
        rl.load(7)  # type: ignore[arg-type]


def test_kept_turns_and_repetition() -> None:
    dots = rl.load("dots", board="3x5").new_initial_state()
    players = []
    while not dots.is_terminal():
        players.append(dots.current_player())
        dots.apply_action(dots.legal_actions()[0])
    assert any(one == other for one, other in zip(players, players[1:]))
    circle = rl.load("ponghauki").new_initial_state()
    while not circle.is_terminal():
        circle.apply_action(min(circle.legal_actions(), key=lambda action: circle.child(action).is_terminal()))
    assert circle.returns() in ([0, 0], [1, -1], [-1, 1])


@pytest.mark.parametrize("name", ["tictactoe", "nim", "breakthrough", "othello", "morris3", "dots"])
def test_pettingzoo(name: str) -> None:
    api = pytest.importorskip("pettingzoo.test", reason="pettingzoo is not installed: pip install 'balpan[rl]'")
    api.api_test(rl.env(name), num_cycles=300, verbose_progress=False)
    made = rl.env(name, render_mode="ansi")
    made.reset()
    chance, oracle = random.Random(1), rl.Oracle(made.unwrapped.game)
    total = [0.0, 0.0]
    for agent in made.agent_iter(max_iter=400):
        seen, reward, is_over, _, info = made.last()
        total[made.possible_agents.index(agent)] += reward
        state = made.unwrapped.state_now
        assert info["position"] == state.position.text and made.render() == str(state)
        if is_over:
            made.step(None)
            continue
        assert made.observation_space(agent).contains(seen)
        legal = [int(action) for action in seen["action_mask"].nonzero()[0]]
        assert legal == state.legal_actions()
        # The first player plays perfectly.
        made.step(oracle.best_actions(state)[0] if agent == "player_0" and len(legal) < 8 else chance.choice(legal))
    assert total == made.unwrapped.state_now.returns()
    with pytest.raises(balpan.ArgumentError, match="render_mode"):
        rl.env(name, render_mode="human")


def cell(text: str) -> str:
    """A cell of OpenSpiel such as `b3`, as its row and column from the top left."""
    return f"{int(text[1:]) - 1},{ord(text[0]) - 97}"


def steps(text: str) -> str:
    """A move such as `a5b4*`; the board is upside down, so that the player who begins is on balpan's side."""
    return f"{cell(text[:2])}>{cell(text[2:4])}"


def line_of_dots(text: str) -> str:
    kind, row, column = text[3:-1].split(",")
    return f"{2 * int(row)},{2 * int(column) + 1}" if kind == "h" else f"{2 * int(row) + 1},{2 * int(column)}"


OTHELLO = "......../......../......../...wb.../...bw.../......../......../........"
SPIEL: dict[str, tuple[str, dict[str, Any], Callable[[str], str]]] = {
    "tic_tac_toe": ("tictactoe", {}, lambda text: text[2:-1]),
    "connect_four": ("connect4", {}, lambda text: str(int(text[1:]) + 1)),
    "breakthrough(rows=7,columns=4)": ("breakthrough", {"board": "7x4"}, steps),
    "breakthrough(rows=6,columns=6)": ("breakthrough", {"board": "6x6"}, steps),
    "y(board_size=5)": ("y", {}, cell),
    "hex(board_size=4)": ("hex", {}, cell),
    "hex(num_rows=3,num_cols=5)": ("hex", {"board": "3x5"}, cell),
    "othello": ("othello", {"start": OTHELLO}, lambda text: text if text == "pass" else cell(text)),
    "clobber(rows=4,columns=4)": ("clobber", {}, steps),
    "dots_and_boxes(num_rows=2,num_cols=2)": ("dots", {}, line_of_dots),
}


@pytest.mark.parametrize("spec", SPIEL)
def test_open_spiel(spec: str) -> None:
    """The same legal moves at each step, the same player to move, and the same result."""
    pyspiel: Any = pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install open_spiel")
    name, settings, move_of = SPIEL[spec]
    game, theirs, chance = rl.load(name, **settings), pyspiel.load_game(spec), random.Random(7)
    plies = 0
    for _ in range(MANY):
        state, other = game.new_initial_state(), theirs.new_initial_state()
        while not other.is_terminal():
            assert state.current_player() == other.current_player(), state
            moves = {move_of(other.action_to_string(other.current_player(), n)): n for n in other.legal_actions()}
            assert sorted(map(state.action_to_string, state.legal_actions())) == sorted(moves), f"{state}\n{other}"
            text = chance.choice(sorted(moves))
            state.apply_action(state.string_to_action(text))
            other.apply_action(moves[text])
            plies += 1
        assert state.is_terminal(), f"{state}\n{other}"
        assert [(gets > 0) - (gets < 0) for gets in state.returns()] == other.returns(), f"{state}\n{other}"
    assert plies > 5 * MANY
