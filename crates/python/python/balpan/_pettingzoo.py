"""Environments of PettingZoo, imported only where it is installed."""

from __future__ import annotations

from typing import Any, Optional

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped, unused-ignore]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped, unused-ignore]

from ._errors import ArgumentError
from .rl import RLGame, State

_MAX_TEXT_BYTES = 127
_GLYPHS_HELP = "give all characters of boards: rl.load(game, glyphs=...)"


def wrapped(game: RLGame, render_mode: Optional[str]) -> Any:
    """Returns the environment with the wrappers that PettingZoo's own games have."""
    if render_mode not in (None, "ansi"):
        raise ArgumentError(f"render_mode={render_mode!r}", help="expected 'ansi' or None")
    made: Any = wrappers.TerminateIllegalWrapper(GameEnv(game, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


class GameEnv(AECEnv):  # type: ignore[misc, type-arg, unused-ignore]
    """A game as an AEC environment, without wrappers."""

    metadata = {"render_modes": ["ansi"], "name": "balpan", "is_parallelizable": False}

    terminations: dict[str, bool]
    truncations: dict[str, bool]
    _cumulative_rewards: dict[str, float]

    def __init__(self, game: RLGame, render_mode: Optional[str]) -> None:
        super().__init__()
        self.game, self.render_mode = game, render_mode
        self.possible_agents = ["player_0", "player_1"]
        self.agents = list(self.possible_agents)
        size = game.num_distinct_actions()
        self._glyphs = {glyph: plane for plane, glyph in enumerate(game.glyphs)}
        shape, top = ((*game._board, len(self._glyphs) + 1), 1) if self._glyphs else ((_MAX_TEXT_BYTES + 1,), 255)
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, top, shape, numpy.uint8),
                    "action_mask": spaces.Box(0, 1, (size,), numpy.int8),
                }
            )
            for agent in self.agents
        }
        self._begin()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        player = self.possible_agents.index(agent)
        mask = numpy.array(self.state_now.legal_actions_mask(player), numpy.int8)
        return {"observation": self._observation(), "action_mask": mask}

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        self._begin()

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.state_now.apply_action(int(action))
        self._cumulative_rewards[agent] = 0
        self.rewards = dict(zip(self.possible_agents, self.state_now.returns()))
        if self.state_now.is_terminal():
            self.terminations = dict.fromkeys(self.possible_agents, True)
        self._select()
        self._accumulate_rewards()

    def render(self) -> Optional[str]:
        return str(self.state_now) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass

    def _begin(self) -> None:
        self.state_now: State = self.game.new_initial_state()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self.state_now.is_terminal())
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {}
        self._select()

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[self.state_now.player_to_move]
        text = self.state_now.position.text
        self.infos = {agent: {"position": text} for agent in self.possible_agents}

    def _observation(self) -> Any:
        second, text = self.state_now.player_to_move, self.state_now.position.text
        if self._glyphs:
            rows = self.game.game._game.glyphs(text) or []
            planes = numpy.zeros((*self.game._board, len(self._glyphs) + 1), numpy.uint8)
            planes[:, :, -1] = second
            for row, glyphs in enumerate(rows):
                for column, glyph in enumerate(glyphs):
                    if glyph not in self._glyphs:
                        raise ArgumentError(f"the character {glyph!r} has no plane", position=text, help=_GLYPHS_HELP)
                    planes[row, column, self._glyphs[glyph]] = 1
            return planes
        data = text.encode()
        if len(data) > _MAX_TEXT_BYTES:
            help = f"an environment takes texts of {_MAX_TEXT_BYTES} bytes at most; `Game.glyphs` gives a game a board"
            raise ArgumentError("the text of the position is too long", position=text, help=help)
        return numpy.frombuffer(data.ljust(_MAX_TEXT_BYTES, b"\0") + bytes([second]), numpy.uint8).copy()
