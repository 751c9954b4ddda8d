"""Adapters for people who train agents: states as OpenSpiel has them, environments of PettingZoo, and an exact oracle.

Any game works: a preset, a rules file, a game written in Python. Only :func:`env` needs packages: ``pip install 'balpan[rl]'``.

>>> from balpan import rl
>>> game = rl.load("tictactoe")
>>> state = game.new_initial_state()
>>> state.apply_action(4)
>>> state.current_player(), state.legal_actions(), state.action_to_string(0)
(1, [0, 1, 2, 3, 5, 6, 7, 8], '0,0')
>>> oracle = rl.Oracle(game)
>>> oracle.best_actions(state), oracle.regret(state, 1)
([0, 2, 6, 8], 1.0)
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import product
from typing import Any, Optional, Union

from ._answers import Answer, Worth
from ._arguments import Deadline, whole
from ._errors import ArgumentError, MovesError, NoAnswerError
from ._games import Position, PositionLike, RulesGame
from ._games import game as preset
from ._own import PlayableGame, register_by_class

__all__ = ["TERMINAL", "Oracle", "RLGame", "State", "env", "load"]

TERMINAL = -4
"""What :meth:`State.current_player` is at the end, as in OpenSpiel."""

_MAX_OCCURRENCES = 3
_MAX_FORM_ACTIONS = 1 << 16
_SAMPLE_POSITIONS = 2000
_SAMPLE_PLAYS = 100
_SAMPLE_PLIES = 500
_CELL = re.compile(r"(?<!\d)(\d+),(\d+)(?!\d)")


def load(
    game: Union[str, RulesGame, PlayableGame[Any, Any]],
    position: PositionLike = None,
    *,
    actions: Optional[Sequence[str]] = None,
    glyphs: Optional[Iterable[str]] = None,
    **settings: Any,
) -> RLGame:
    """Returns a game with numbered actions.

    :param game: the name of a preset or a registered game, a game of :func:`balpan.game`, :func:`balpan.rules` or
        :func:`balpan.register`; or a :class:`balpan.Game`, which is registered by the name of its class in lower case,
        with ``my-`` before it if a preset has that name
    :param position: the position that play begins at
    :param actions: the texts of all moves in the order of their numbers; by default as :class:`RLGame` says
    :param glyphs: the characters that cells of the board may have, for :func:`env`; by default those of the same sample
    :param settings: as of :func:`balpan.game`, for a name

    >>> load("connect4", board="4x5").num_distinct_actions()
    5
    """
    if isinstance(game, str):
        game = preset(game, **settings)
    elif not isinstance(game, RulesGame):
        game = register_by_class(game)
    return RLGame(game, position, actions, glyphs)


class RLGame:
    """A game with a number for each action, which is the same in all positions.

    The moves are sorted by their form, which is the text with a sign in place of each cell, and then by their cells, row by row; numbers in
    texts are sorted by their size. A form has an action for any choice of cells, even if no position allows it. The forms, and the moves of forms
    with no cells or with more than 65,536 choices, are those found among the 2,000 positions that are next to the start, and in 100 games by
    chance, which are the same whenever they are played. A move that is not found there is an error that says how to give `actions`.
    """

    def __init__(
        self,
        game: RulesGame,
        position: PositionLike = None,
        actions: Optional[Sequence[str]] = None,
        glyphs: Optional[Iterable[str]] = None,
    ) -> None:
        self.game = game
        self.start = position if isinstance(position, Position) else game.position(position)
        self.may_repeat, self.max_score = game._game.ends()
        self._given = None if actions is None else list(actions), None if glyphs is None else sorted(set(glyphs))

    def new_initial_state(self) -> State:
        """Returns the state at the start."""
        return State(self, self.start.text)

    def state(self, position: Union[str, Position], player: int = 0) -> State:
        """Returns the state of a position, with this player to move."""
        text = position.text if isinstance(position, Position) else position
        return State(self, self.game.position(text).text, whole("player", player, most=1))

    def num_players(self) -> int:
        """Returns 2."""
        return 2

    def num_distinct_actions(self) -> int:
        """Returns the number of actions."""
        return len(self.actions)

    def max_utility(self) -> float:
        """Returns the largest return: 1, or in a game of scores one more than the largest score."""
        return float(self.max_score + 1)

    def min_utility(self) -> float:
        """Returns the smallest return."""
        return -self.max_utility()

    def utility_sum(self) -> float:
        """Returns the sum of both players' returns."""
        return 0.0

    @cached_property
    def actions(self) -> list[str]:
        """The moves' texts in the order of their numbers."""
        if self._given[0] is not None:
            return self._given[0]
        texts = self._sample[0]
        forms: dict[str, set[str]] = {}
        for text in texts:
            forms.setdefault(self._form(text), set()).add(text)
        for form, seen in forms.items():
            holes = form.count("\0")
            if holes and (self._rows * self._columns) ** holes <= _MAX_FORM_ACTIONS:
                cells = [f"{row},{column}" for row in range(self._rows) for column in range(self._columns)]
                parts = form.split("\0")
                choices = product(cells, repeat=holes)
                seen.update(parts[0] + "".join(map("".join, zip(choice, parts[1:]))) for choice in choices)
        return [text for form in sorted(forms, key=_natural) for text in sorted(forms[form], key=_natural)]

    @cached_property
    def glyphs(self) -> list[str]:
        """The characters of the board's cells, sorted; empty without a board."""
        if self._given[1] is not None:
            return self._given[1]
        return sorted({glyph for text in self._sample[1] for row in self.game._game.glyphs(text) or () for glyph in row})

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {text: number for number, text in enumerate(self.actions)}

    def _number(self, text: str, position: str) -> int:
        try:
            return self._numbers[text]
        except KeyError:
            help = "give all moves: rl.load(game, actions=[...])"
            raise ArgumentError(f"the move {text!r} has no number", position=position, help=help) from None

    @cached_property
    def _board(self) -> tuple[int, int]:
        rows = self.game._game.glyphs(self.start.text) or []
        return len(rows), len(rows[0]) if rows else 0

    @property
    def _rows(self) -> int:
        return self._board[0]

    @property
    def _columns(self) -> int:
        return self._board[1]

    def _form(self, text: str) -> str:
        """Returns a move with a sign in place of each cell."""
        cells = [(int(row), int(column)) for row, column in _CELL.findall(text)]
        if all(row < self._rows and column < self._columns for row, column in cells):
            return _CELL.sub("\0", text)
        return text

    @cached_property
    def _sample(self) -> tuple[set[str], list[str]]:
        """The moves and the positions that a search in breadth and games by chance meet."""
        look = self.game._game.look
        moves: set[str] = set()
        met = {self.start.text: None}
        for text in _growing(met):
            for move, after, _ in look(text)["moves"]:
                moves.add(move)
                if len(met) < _SAMPLE_POSITIONS:
                    met.setdefault(after)
        chance = random.Random(1)
        for _ in range(_SAMPLE_PLAYS):
            text = self.start.text
            for _ in range(_SAMPLE_PLIES):
                children = look(text)["moves"]
                moves.update(move for move, *_ in children)
                if not children:
                    break
                text = chance.choice(children)[1]
                met.setdefault(text)
        return moves, list(met)

    def __repr__(self) -> str:
        return f"<rl {self.game!r}>"


def _growing(met: dict[str, None]) -> Any:
    """Iterates over the keys of a dictionary that grows meanwhile."""
    done = 0
    while done < len(met):
        new = list(met)[done:]
        done += len(new)
        yield from new


def _natural(text: str) -> list[Any]:
    """Returns the key by which `2` is before `10`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", text)]


class State:
    """A state of a game between player 0, who moves first, and player 1, with the methods of OpenSpiel's states.

    Where play may repeat, a position that comes for the third time with the same player to move is a draw.
    """

    def __init__(self, game: RLGame, text: str, player: int = 0) -> None:
        self._game, self._text, self._player = game, text, player
        self._history: list[int] = []
        self._met = {(text, player): 1}
        self._looked: Optional[dict[str, Any]] = None

    def get_game(self) -> RLGame:
        """Returns the game."""
        return self._game

    @property
    def position(self) -> Position:
        """The position."""
        return Position(self._game.game, self._text)

    @property
    def player_to_move(self) -> int:
        """Whose turn it is, or would be if play were not over."""
        return self._player

    def current_player(self) -> int:
        """Returns whose turn it is, 0 or 1, or :data:`TERMINAL`."""
        return TERMINAL if self.is_terminal() else self._player

    def is_terminal(self) -> bool:
        """Whether play is over."""
        return self._look["end"] is not None or self._is_repeated

    def legal_actions(self, player: Optional[int] = None) -> list[int]:
        """Returns the numbers of the legal moves, in ascending order; of a player who is not to move, none."""
        return [] if player is not None and player != self.current_player() else sorted(self._children)

    def legal_actions_mask(self, player: Optional[int] = None) -> list[int]:
        """Returns for each action whether it is legal, 1 or 0."""
        mask = [0] * self._game.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: int) -> None:
        """Plays a move.

        :raises MovesError: if it is not legal
        """
        _, text, is_kept = self._child(action)
        self._history.append(int(action))
        self._text, self._looked = text, None
        self._player = self._player if is_kept else 1 - self._player
        self.__dict__.pop("_children", None)
        if self._game.may_repeat:
            self._met[text, self._player] = self._met.get((text, self._player), 0) + 1

    def child(self, action: int) -> State:
        """Returns the state after a move."""
        after = self.clone()
        after.apply_action(action)
        return after

    def clone(self) -> State:
        """Returns a copy."""
        made = State(self._game, self._text, self._player)
        made._history, made._met, made._looked = list(self._history), dict(self._met), self._looked
        return made

    def returns(self) -> list[float]:
        """Returns what each player gets: 1 for a win, -1 for a loss, or the score; 0 until play is over.

        A win that is no score, in a game of scores, is one more than the largest score.
        """
        if not self.is_terminal() or self._look["end"] is None:
            return [0.0, 0.0]
        mine = _utility(self._game, self._look["end"], self._look["score"])
        return [mine, -mine] if self._player == 0 else [-mine, mine]

    def player_return(self, player: int) -> float:
        """Returns what a player gets."""
        return self.returns()[player]

    def action_to_string(self, player_or_action: int, action: Optional[int] = None) -> str:
        """Returns the text of an action; a player in front of it, as in OpenSpiel, makes no difference."""
        return self._game.actions[player_or_action if action is None else action]

    def string_to_action(self, text: str) -> int:
        """Returns the number of a move's text."""
        return self._game._number(text, self._text)

    def history(self) -> list[int]:
        """Returns the actions from the first state to this one."""
        return list(self._history)

    def move_number(self) -> int:
        """Returns the number of moves made."""
        return len(self._history)

    def num_players(self) -> int:
        """Returns 2."""
        return 2

    @cached_property
    def _children(self) -> dict[int, tuple[str, str, bool]]:
        moves = [] if self._is_repeated else self._look["moves"]
        return {self._game._number(move[0], self._text): move for move in moves}

    def _child(self, action: int) -> tuple[str, str, bool]:
        try:
            return self._children[action]
        except (KeyError, TypeError):
            legal = self.legal_actions()
            help = f"the legal actions are {legal}" if legal else "play is over"
            raise MovesError(f"action {action!r} is not legal here", position=self._text, help=help) from None

    @property
    def _is_repeated(self) -> bool:
        return self._game.may_repeat and self._met[self._text, self._player] >= _MAX_OCCURRENCES

    @property
    def _look(self) -> dict[str, Any]:
        if self._looked is None:
            self._looked = self._game.game._game.look(self._text)
        return self._looked

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        return f"<state {self._game.game.name} {self._text}, player {self.current_player()}>"


def _utility(game: RLGame, outcome: Optional[str], score: Optional[int]) -> float:
    if score is not None:
        return float(score)
    return {"win": 1.0, "draw": 0.0, "loss": -1.0}[str(outcome)] * game.max_utility()


class Oracle:
    """The exact value of every state and action, by balpan's engine, as a baseline.

    :param deadline: the seconds, or a `timedelta`, that an answer may take
    """

    def __init__(self, game: RLGame, *, deadline: Deadline = None) -> None:
        self._game, self._deadline = game, deadline

    def value(self, state: State) -> Worth:
        """Returns the value for the player to move: who wins, and in how many plies or by what score.

        :raises NoAnswerError: if it is not found in time
        """
        worth = self._solve(state, "value").worth
        assert worth is not None
        return worth

    def best_actions(self, state: State) -> list[int]:
        """Returns the best moves: those that win soonest, lose latest, or score most. At the end there are none."""
        return [] if state.is_terminal() else sorted(map(state.string_to_action, self._solve(state, "value").best))

    def regrets(self, state: State) -> dict[int, float]:
        """Returns for each legal move how much less it gets than a best one, in units of :meth:`State.returns`: 0 for a move that
        keeps the value, however many plies it takes."""
        if state.is_terminal():
            return {}
        answer = self._solve(state, "moves" if self._game.max_score else "outcome")
        gets = {state.string_to_action(move.move): _utility(self._game, move.outcome, move.score) for move in answer.moves}
        best = max(gets.values())
        return {action: best - gets[action] for action in sorted(gets)}

    def regret(self, state: State, action: int) -> float:
        """Returns the regret of a move.

        :raises MovesError: if it is not legal
        """
        state._child(action)
        return self.regrets(state)[action]

    def _solve(self, state: State, ask: Any) -> Answer[str, str]:
        answer = self._game.game.solve(state.position, ask=ask, deadline=self._deadline)
        if not answer.complete:
            help = "allow more time: rl.Oracle(game, deadline=...)"
            raise NoAnswerError("the value was not found in time", position=state.position.text, help=help)
        return answer


def env(game: Any, position: PositionLike = None, *, render_mode: Optional[str] = None, **options: Any) -> Any:
    """Returns a game as an AEC environment of PettingZoo, with its usual wrappers: an illegal move ends play, and loses.

    An observation has ``observation``, the characters of the board one-hot in the order of :attr:`RLGame.glyphs` with a last plane that is 1 if it
    is the second player's turn, as an array of rows, columns and planes; and ``action_mask``. Of a game without a board it is
    the text of the position in UTF-8, 127 bytes at most, and at last whose turn it is. The text stands also in ``infos`` as ``position``: a board may not show all of it, such as pieces in hand.

    :param game: a game as :func:`load` takes it, or one that it has made
    :param render_mode: ``"ansi"`` for the board as text
    :raises ArgumentError: if numpy or pettingzoo is not installed
    """
    try:
        from ._pettingzoo import wrapped
    except ImportError as error:
        raise ArgumentError(f"an environment needs {error.name}", help="pip install 'balpan[rl]'") from error
    return wrapped(game if isinstance(game, RLGame) else load(game, position, **options), render_mode)
