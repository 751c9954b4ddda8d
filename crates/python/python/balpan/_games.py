"""Games by rules files: the presets, and rules of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from os import PathLike, fsdecode
from pathlib import Path
from typing import Any, Literal, Optional, Union

from . import _balpan
from ._answers import Answer, answer_of
from ._arguments import ASKS, LANGUAGES, METHODS, Ask, Deadline, Method, Progress, bytes_of, function_of, seconds, whole, word_of
from ._errors import ArgumentError, BalpanError, MovesError, NoAnswerError, PositionError, RulesError
from ._reports import Census, Puzzles, Review, Tree, ValueInSums

__all__ = ["Position", "RulesGame", "game", "presets", "rules"]

TextAnswer = Answer[str, str]
LARGEST_FILE = 1 << 20


@dataclass(frozen=True, repr=False)
class Position:
    """A position of a game: its text, and what can be played.

    It is shown as a picture in notebooks. Positions never change; :meth:`play` makes another.

    >>> import balpan
    >>> position = balpan.game("tictactoe").position("X../.O./...")
    >>> position.to_move, len(position.moves)
    ('X', 7)
    >>> after = position.play("2,2").play("0,2")
    >>> print(after)
         0  1  2
      0  X  .  O
      1  .  O  .
      2  .  .  X
    >>> after.text
    'X.O/.O./..X'
    """

    game: RulesGame
    text: str
    last: Optional[tuple[str, str]] = field(default=None, compare=False)
    """The position before it and the move that was made there, if :meth:`play` has made it."""

    @property
    def to_move(self) -> str:
        """The player to move."""
        return str(self._seen()["to_move"])

    @property
    def moves(self) -> list[str]:
        """Every move, in the game's order."""
        return [mv for mv, _ in self._seen()["moves"]]

    @property
    def is_over(self) -> bool:
        """Whether play has ended."""
        return self._seen()["end"] is not None

    @property
    def end(self) -> Optional[str]:
        """How play has ended for the player to move: ``"win"``, ``"draw"`` or ``"loss"``."""
        end: Optional[str] = self._seen()["end"]
        return end

    def play(self, move: str) -> Position:
        """The position after a move.

        :raises MovesError: if it is none
        """
        for made, after in self._seen()["moves"]:
            if made == move:
                return Position(self.game, after, (self.text, move))
        moves = self.moves
        expected = ", ".join(moves) if moves else "none: play is over"
        raise MovesError(f"{move!r} is not a move here", position=self.text, help=f"the moves are {expected}")

    def solve(self, *, ask: Optional[Ask] = None, nimber: bool = False, deadline: Deadline = None) -> TextAnswer:
        """As :meth:`RulesGame.solve`."""
        return self.game.solve(self.text, ask=ask, nimber=nimber, deadline=deadline)

    def svg(self, *, lang: str = "en") -> str:
        """The position as an SVG file."""
        return self.game._game.svg(self.text, self.last, word_of("lang", lang, LANGUAGES))

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.game._game.drawn(self.text).rstrip("\n")

    def __repr__(self) -> str:
        return f"<{self.game.name} {self.text}>"

    def _seen(self) -> dict[str, Any]:
        return self.game._game.look(self.text)


PositionLike = Union[str, Position, None]
_MAX_THREADS = 1 << 10
_MAX_U32 = (1 << 32) - 1


class RulesGame:
    """A game by a rules file, with an engine of its own: what one position has taught it serves
    the next.

    Made by :func:`game` and :func:`rules`. Positions and moves are text, as the command has
    them; where a position is asked for, ``None`` stands for the start.
    """

    def __init__(self, game: _balpan.TextGame) -> None:
        self._game = game

    @property
    def name(self) -> str:
        """What it is called."""
        return self._game.name

    @property
    def about(self) -> str:
        """One line about the game."""
        return self._game.about

    @property
    def rules(self) -> str:
        """The text of its rules file."""
        return self._game.rules

    @property
    def size(self) -> str:
        """The board's size, or the heaps at the start."""
        return self._game.size

    @property
    def start(self) -> Position:
        """The position in which it begins."""
        return self.position()

    def position(self, text: Optional[str] = None) -> Position:
        """A position by its text, as the game itself would write it; the start if there is none.

        :raises PositionError: if the text is not a position of the game
        """
        return Position(self, str(self._game.look(_text_or_none(text))["position"]))

    def solve(
        self,
        position: PositionLike = None,
        *,
        ask: Optional[Ask] = None,
        nimber: bool = False,
        deadline: Deadline = None,
        progress: Optional[Progress] = None,
    ) -> TextAnswer:
        """What is known of a position, in the end.

        :param ask: how far to go: ``"winner"``, ``"outcome"`` (of every move, too), ``"value"`` (in
            how many plies, all best moves, a line) or ``"moves"`` (every move's plies); by itself,
            as far as goes in reasonable time
        :param nimber: whether the nimber is wanted, too; of a misère game the misère value
        :param deadline: seconds, or a `timedelta`, after which the answer is what is known by then
        :param progress: called now and then with the number of positions searched since the last
            time: `tqdm().update` will do
        :raises PositionError: if it is not a position of the game
        :raises NoAnswerError: if there is no such answer

        >>> import balpan
        >>> balpan.game("tictactoe").solve("XO./.../...", ask="value").best
        ['1,0', '1,1', '2,0']
        """
        word_of("ask", ask, ASKS, none=True)
        told = self._game.solve(
            _text(self, position), ask, bool(nimber), seconds("deadline", deadline), function_of("progress", progress)
        )
        return answer_of(told)

    def steps(
        self,
        position: PositionLike = None,
        *,
        ask: Optional[Ask] = None,
        nimber: bool = False,
        deadline: Deadline = None,
    ) -> Iterator[TextAnswer]:
        """The answer as it grows: each state is true, and the last is complete unless the deadline
        ended it. The search goes on between the steps, and ends when nobody wants more.

        >>> import balpan
        >>> steps = list(balpan.game("platforms", board="5x5").steps())
        >>> steps[0].winner == steps[-1].winner, steps[-1].complete
        (True, True)
        """
        word_of("ask", ask, ASKS, none=True)
        return map(answer_of, self._game.steps(_text(self, position), ask, bool(nimber), seconds("deadline", deadline)))

    def solve_many(
        self,
        positions: Iterable[Union[str, Position]],
        *,
        ask: Optional[Ask] = None,
        nimber: bool = False,
        deadline: Deadline = None,
        threads: Optional[int] = None,
        errors: Literal["raise", "return"] = "raise",
    ) -> Iterator[Any]:
        """The answers of many positions, in their order, found by several threads.

        Positions are read some hundred ahead. The deadline is for each of them. With
        ``errors="return"`` what is wrong with a position is told in its place, and the others are
        answered.

        >>> import balpan
        >>> positions = ["X../.../...", "XO./.../...", "X../.O./..."]
        >>> [str(answer.worth) for answer in balpan.game("tictactoe").solve_many(positions)]
        ['draw', 'win in 5', 'draw']
        """
        word_of("ask", ask, ASKS, none=True)
        word_of("errors", errors, ("raise", "return"))
        number = whole("threads", threads, 1, _MAX_THREADS, none=True)
        many = self._game.solve_many(positions, ask, bool(nimber), seconds("deadline", deadline), number)
        return map(answer_of, many) if errors == "raise" else _with_errors(many)

    def nimber(self, position: PositionLike = None, *, progress: Optional[Progress] = None) -> int:
        """The nimber of a position of an impartial game; of a misère game, the misère value.

        :raises NoAnswerError: if the game is not impartial

        >>> import balpan
        >>> balpan.game("nim").nimber("3 4 5")
        2
        """
        answer = self.solve(position, ask="winner", nimber=True, progress=progress)
        found = answer.misere_value if answer.nimber is None else answer.nimber
        if found is None:
            raise NoAnswerError("the nimber was not found in time", position=answer.position)
        return found

    def cgt(self, position: PositionLike = None, *, progress: Optional[Progress] = None) -> ValueInSums:
        """What a placement position is worth in sums with others, in canonical form.

        >>> import balpan
        >>> print(balpan.game("domineering").cgt("..../..##"))
        {0|-2}
        """
        return ValueInSums.of(self._game.cgt(_text_or_none(position), function_of("progress", progress)))

    def census(
        self,
        position: PositionLike = None,
        *,
        symmetry: bool = False,
        games: bool = False,
        progress: Optional[Progress] = None,
        lang: str = "en",
    ) -> Census:
        """All positions that play can reach, counted by what they are worth.

        :param symmetry: whether those count as one that a symmetry turns into each other
        :param games: whether games are counted, too

        >>> import balpan
        >>> census = balpan.game("tictactoe").census(symmetry=True)
        >>> census.positions, census.outcomes
        (765, {'win': 390, 'draw': 151, 'loss': 224})
        """
        word_of("lang", lang, LANGUAGES)
        function_of("progress", progress)
        return Census.of(*self._game.census(_text_or_none(position), bool(symmetry), bool(games), lang, progress))

    def tree(
        self,
        position: PositionLike = None,
        *,
        depth: Optional[int] = None,
        alpha_beta: bool = False,
        progress: Optional[Progress] = None,
        lang: str = "en",
    ) -> Tree:
        """The tree of play below a position, every value in it; with `alpha_beta`, what that search
        cuts and why.

        >>> import balpan
        >>> balpan.game("tictactoe").tree("X../XOO/OX.").positions
        14
        """
        word_of("lang", lang, LANGUAGES)
        function_of("progress", progress)
        plies = whole("depth", depth, none=True)
        return Tree(self._game.tree(_text_or_none(position), plies, bool(alpha_beta), progress), lang)

    def review(
        self,
        moves: Union[str, Iterable[str]],
        position: PositionLike = None,
        *,
        progress: Optional[Progress] = None,
        lang: str = "en",
    ) -> Review:
        """A game that was played, with what each move was worth and where it was given away.

        >>> import balpan
        >>> review = balpan.game("tictactoe").review("1,1 0,1 0,0 2,2")
        >>> review.moves[1].mark, review.moves[1].best
        ('?', ['0,0', '0,2', '2,0', '2,2'])
        """
        word_of("lang", lang, LANGUAGES)
        function_of("progress", progress)
        try:
            text = moves if isinstance(moves, str) else " ".join(moves)
        except TypeError as error:
            raise MovesError(f"moves={moves!r}", help="expected text, or an iterable of moves as text") from error
        return Review.of(*self._game.review(text, _text_or_none(position), lang, progress))

    def puzzles(
        self,
        position: PositionLike = None,
        *,
        plies: Union[int, tuple[int, Optional[int]]] = 3,
        count: Optional[int] = None,
        all: bool = False,
        by_chance: bool = False,
        seed: int = 1,
        tries: Optional[int] = None,
        time: Deadline = None,
        progress: Optional[Progress] = None,
        lang: str = "en",
    ) -> Puzzles:
        """Positions with exactly one winning move, the best first.

        :param plies: the fewest plies to the win, or the fewest and the most
        :param count: the number of puzzles, best first
        :param all: whether those are wanted, too, that need no thought or are like a better one
        :param by_chance: whether positions are taken by chance even where play can reach few
        :param tries: the number of random positions to try; if left out, as many as `time` allows, 20 seconds by default

        >>> import balpan
        >>> puzzles = balpan.game("tictactoe").puzzles(plies=5, count=1)
        >>> print(puzzles[0])
        X to move, win in 5: .X./.../O..
        """
        allowed = seconds("time", time)
        if allowed is None and tries is None:
            allowed = 20.0
        pair: Any = plies if isinstance(plies, (tuple, list)) else (plies, None)
        if len(pair) != 2:
            raise ArgumentError(f"plies={plies!r}", help="expected a number, or the fewest and the most plies")
        found = self._game.puzzles(
            _text_or_none(position),
            (whole("plies", pair[0], most=_MAX_U32), whole("plies", pair[1], most=_MAX_U32, none=True)),
            whole("count", count, none=True),
            bool(all),
            bool(by_chance),
            whole("seed", seed),
            whole("tries", tries, none=True),
            allowed,
            word_of("lang", lang, LANGUAGES),
            function_of("progress", progress),
        )
        return Puzzles.of(*found)

    def __repr__(self) -> str:
        changed = "".join(f", {change}" for change in self._game.untold)
        return f"<game {self.name} {self.size}{changed}>"


def _with_errors(many: _balpan.Many) -> Iterator[Union[TextAnswer, BalpanError]]:
    while True:
        try:
            told = next(many)
        except StopIteration:
            return
        except BalpanError as error:
            yield error
        else:
            yield answer_of(told)


def game(
    name: str,
    *,
    board: Optional[str] = None,
    memory: Union[int, str] = "1G",
    threads: Optional[int] = None,
    method: Method = "auto",
    strong: Union[str, PathLike[str], Iterable[Union[str, PathLike[str]]]] = (),
    **settings: Any,
) -> RulesGame:
    """A preset, maybe changed.

    :param name: its name: see :func:`presets`
    :param board: the board's size, rows by columns
    :param memory: bytes for tables, or text such as ``"512M"``: what they grow to at most
    :param threads: how many threads search; by itself, as many as there are processors
    :param method: by which method to solve; all agree
    :param strong: files of strong solutions to answer from
    :param settings: the keys of its rules file that are changed, `misere=True`
    :raises RulesError: if there is no such game, or if the rules are none with these changes

    >>> import balpan
    >>> balpan.game("platforms", board="6x6", torus=True)
    <game platforms 6x6, torus=true>
    """
    return _made(name, None, board, memory, threads, method, strong, settings)


def rules(
    text_or_path: Union[str, PathLike[str]],
    *,
    name: Optional[str] = None,
    board: Optional[str] = None,
    memory: Union[int, str] = "1G",
    threads: Optional[int] = None,
    method: Method = "auto",
    strong: Union[str, PathLike[str], Iterable[Union[str, PathLike[str]]]] = (),
    **settings: Any,
) -> RulesGame:
    """A game by rules of one's own: the text of a rules file, or the path of one.

    A string with an ``=`` or a line break in it is taken for the text. The game is called `name`, or
    by its path as it is given, or ``rules``.

    >>> import balpan
    >>> row = balpan.rules('family = "lines"\\nboard = "1x5"\\nk = 3\\nmarks = "shared"', name="row")
    >>> row.solve().winner
    'first player'
    """
    is_text = isinstance(text_or_path, str) and ("\n" in text_or_path or "=" in text_or_path)
    if is_text:
        text, called = str(text_or_path), "rules"
    else:
        called = _path(text_or_path)
        text = _read(called)
    return _made(name or called, text, board, memory, threads, method, strong, settings)


def presets() -> dict[str, str]:
    """The names of the presets, each with what it is about.

    >>> import balpan
    >>> list(balpan.presets())[:3]
    ['platforms', 'kings', 'joust']
    """
    return dict(_balpan.presets())


def _made(
    name: str,
    text: Optional[str],
    board: Optional[str],
    memory: Union[int, str],
    threads: Optional[int],
    method: str,
    strong: Union[str, PathLike[str], Iterable[Union[str, PathLike[str]]]],
    settings: dict[str, Any],
) -> RulesGame:
    if not isinstance(name, str):
        raise RulesError(f"{name!r} is no name of a game", help="expected text: the names are in balpan.presets()")
    word_of("method", method, METHODS)
    number = whole("threads", threads, 1, _MAX_THREADS, none=True)
    changes = [] if board is None else [f"board={board}"]
    changes += [f"{key}={_as_toml(value)}" for key, value in settings.items()]
    try:
        paths = [fsdecode(path) for path in ([strong] if isinstance(strong, (str, bytes, PathLike)) else strong)]
    except TypeError as error:
        raise ArgumentError(f"strong={strong!r}", help="expected the path of a file, or an iterable of paths") from error
    return RulesGame(_balpan.TextGame(name, text, changes, bytes_of(memory), number, method, paths))


def _as_toml(value: Any) -> str:
    """A value as a rules file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_quoted(item) for item in value) + "]"
    if isinstance(value, dict):
        pairs = (f"{_quoted(str(key))} = {_quoted(item)}" for key, item in value.items())
        return "{ " + ", ".join(pairs) + " }"
    return str(value)


def _quoted(value: Any) -> str:
    if isinstance(value, str):
        text = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{text}"'
    return _as_toml(value)


def _path(path: Union[str, PathLike[str]]) -> str:
    try:
        return fsdecode(path)
    except TypeError as error:
        raise RulesError(f"{path!r} is not a path", help="expected the path or the text of a rules file") from error


def _read(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise RulesError(f"{path!r} cannot be read: {error}", help="expected the path or the text of a rules file") from error
    except ValueError as error:
        raise RulesError(f"{path!r} is not a path: {error}", help="expected the path or the text of a rules file") from error
    if len(data) > LARGEST_FILE:
        raise RulesError(f"{path!r} is larger than {LARGEST_FILE} bytes", help="expected a few lines of TOML")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RulesError(f"{path!r} is not UTF-8: byte {error.start} is wrong", help="expected a rules file") from error


def _text_or_none(position: PositionLike) -> Optional[str]:
    if position is None or isinstance(position, str):
        return position
    if isinstance(position, Position):
        return position.text
    raise PositionError(f"{position!r} is no position", help="expected text, a `Position`, or None for the start")


def _text(game: RulesGame, position: PositionLike) -> str:
    """The text of a position, or of the start."""
    text = _text_or_none(position)
    return game.start.text if text is None else text
