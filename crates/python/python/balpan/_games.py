"""Games of rules files: the presets, and the user's own rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from os import PathLike, fsdecode
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Optional, Union

from . import _balpan
from ._answers import Answer, answer_of
from ._arguments import ASKS, LANGUAGES, METHODS, Ask, Deadline, Method, Progress, bytes_of, function_of, seconds, whole, word_of
from ._errors import ArgumentError, BalpanError, MovesError, NoAnswerError, PositionError, RulesError
from ._reports import Census, Puzzles, Review, Tree, ValueInSums

if TYPE_CHECKING:
    from ._serve import Pages
    from ._strong import Strong

__all__ = ["Position", "RulesGame", "game", "presets", "rules"]

TextAnswer = Answer[str, str]
MAX_FILE_BYTES = 1 << 20


@dataclass(frozen=True, repr=False)
class Position:
    """A position of a game: its text and its moves.

    Notebooks show it as a picture. Positions are immutable; :meth:`play` returns a new one.

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
    """The previous position and the move made there, if :meth:`play` returned this position."""

    @property
    def to_move(self) -> str:
        """The player to move."""
        return str(self._look()["to_move"])

    @property
    def moves(self) -> list[str]:
        """All moves in the game's order."""
        return [mv for mv, *_ in self._look()["moves"]]

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._look()["end"] is not None

    @property
    def end(self) -> Optional[str]:
        """The outcome of a finished game for the player to move: ``"win"``, ``"draw"`` or ``"loss"``."""
        end: Optional[str] = self._look()["end"]
        return end

    def play(self, move: str) -> Position:
        """Returns the position after a move.

        :raises MovesError: if the move is illegal
        """
        for made, after, _ in self._look()["moves"]:
            if made == move:
                return Position(self.game, after, (self.text, move))
        moves = self.moves
        expected = ", ".join(moves) if moves else "none: play is over"
        raise MovesError(f"{move!r} is not a move here", position=self.text, help=f"the moves are {expected}")

    def solve(self, *, ask: Optional[Ask] = None, nimber: bool = False, deadline: Deadline = None) -> TextAnswer:
        """Solves the position as :meth:`RulesGame.solve` does."""
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

    def _look(self) -> dict[str, Any]:
        return self.game._game.look(self.text)


PositionLike = Union[str, Position, None]
_MAX_THREADS = 1 << 10
_MAX_U32 = (1 << 32) - 1


class RulesGame:
    """A game of a rules file with its own engine, whose tables are kept from question to question.

    Made by :func:`game` and :func:`rules`. Positions and moves are text as in the command. A position
    argument of ``None`` stands for the start.
    """

    def __init__(self, game: _balpan.TextGame) -> None:
        self._game = game

    @property
    def name(self) -> str:
        """The name of the game."""
        return self._game.name

    @property
    def about(self) -> str:
        """One line about the game."""
        return self._game.about

    @property
    def rules(self) -> str:
        """The text of the rules file."""
        return self._game.rules

    @property
    def size(self) -> str:
        """The board's size, or the heaps at the start."""
        return self._game.size

    @property
    def start(self) -> Position:
        """The starting position."""
        return self.position()

    def position(self, text: Optional[str] = None) -> Position:
        """Returns the position of a text, by default the start.

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
        """Solves a position.

        :param ask: the goal: ``"winner"``, ``"outcome"`` (also of every move), ``"value"`` (the plies, all
            best moves, a line) or ``"moves"`` (the plies of every move); by default, as much as takes
            reasonable time
        :param nimber: whether to find the nimber, or the misère value of a misère game
        :param deadline: the seconds, or a `timedelta`, after which the answer has what is known by then
        :param progress: called at intervals with the number of positions searched since the last call, such
            as `tqdm().update`
        :raises PositionError: if the text is not a position of the game
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
        """Iterates over the states of an answer. Each is true, and the last is complete unless the deadline
        ends the search. The search runs between the steps and stops when the iterator is dropped.

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
        """Iterates over the answers to many positions, in order, searched by several threads.

        Some hundred positions are read ahead. The deadline applies to each position. With
        ``errors="return"`` an error takes the place of an answer, and the other positions are answered.

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
        """Returns the nimber of a position of an impartial game; for a misère game, the misère value.

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
        """Returns the canonical value of a placement position.

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
        """Counts all positions that play can reach, by value.

        :param symmetry: whether positions that are equal under a symmetry count once
        :param games: whether to count games, too

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
        """Returns the game tree below a position with all values; with `alpha_beta`, also the cutoffs of
        that search and their reasons.

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
        """Reviews a played game: the value of each move, and the mistakes.

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
        """Finds positions with exactly one winning move, the best first.

        :param plies: the fewest plies to the win, or the fewest and the most
        :param count: the number of puzzles to return
        :param all: whether to return puzzles that need no thought or are nearly the same as a better one
        :param by_chance: whether to sample random positions even if play can reach few
        :param tries: the number of random positions; by default as many as `time` allows, 20 seconds by default

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

    def build(
        self,
        path: Union[str, PathLike[str]],
        position: PositionLike = None,
        *,
        nimber: bool = False,
        folded: bool = True,
        progress: Optional[Progress] = None,
    ) -> Strong:
        """Writes the values of all positions that play can reach to a file, as `balpan build` does, and opens it. Working files
        stand in a folder beside it; after an interrupt, the same call goes on from them.

        :param position: the position that play begins at
        :param nimber: whether to store nimbers, of a game that has them
        :param folded: whether to store positions that are equal under a symmetry once
        :raises StrongError: if the file exists, there is no place for it, or the game has no keys, as one in Python
        """
        from ._strong import Strong

        output = _path(path)
        text, on_progress = _text_or_none(position), function_of("progress", progress)
        self._game.build(output, text, bool(nimber), bool(folded), on_progress)
        return Strong(output)

    def serve(self, *, port: int = 8000, open: bool = False) -> Pages:
        """Serves the explorer's pages, the first of which is this game's: see :func:`balpan.serve`."""
        from ._serve import serve

        return serve(self, port=port, open=open)

    def __repr__(self) -> str:
        changed = "".join(f", {change}" for change in self._game.non_default_rules)
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
    """Returns the game of a preset, with changes.

    :param name: the preset's name: see :func:`presets`
    :param board: the board's size, rows by columns
    :param memory: the most bytes for tables, or text such as ``"512M"``
    :param threads: the number of search threads; by default, the number of processors
    :param method: the solver; all give the same answers
    :param strong: files of strong solutions to look up answers in
    :param settings: changes of keys of the rules file, such as `misere=True`
    :raises RulesError: if there is no such game, or the changed rules are invalid

    >>> import balpan
    >>> balpan.game("platforms", board="6x6", torus=True)
    <game platforms 6x6, torus=true>
    """
    return _new_game(name, None, board, memory, threads, method, strong, settings)


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
    """Returns the game of a rules file, given as text or as a path.

    A string with an ``=`` or a line break is taken for text. The name of the game is `name`, or the path as
    given, or ``rules``.

    >>> import balpan
    >>> row = balpan.rules('family = "lines"\\nboard = "1x5"\\nk = 3\\nmarks = "shared"', name="row")
    >>> row.solve().winner
    'first player'
    """
    is_text = isinstance(text_or_path, str) and ("\n" in text_or_path or "=" in text_or_path)
    if is_text:
        text, default_name = str(text_or_path), "rules"
    else:
        default_name = _path(text_or_path)
        text = _read(default_name)
    return _new_game(name or default_name, text, board, memory, threads, method, strong, settings)


def presets() -> dict[str, str]:
    """Returns the names and descriptions of the presets.

    >>> import balpan
    >>> list(balpan.presets())[:3]
    ['platforms', 'kings', 'joust']
    """
    return dict(_balpan.presets())


def _new_game(
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
    """Formats a value as TOML."""
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
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise RulesError(f"{path!r} cannot be read: {error}", help="expected the path or the text of a rules file") from error
    except ValueError as error:
        raise RulesError(f"{path!r} is not a path: {error}", help="expected the path or the text of a rules file") from error
    if len(data) > MAX_FILE_BYTES:
        raise RulesError(f"{path!r} is larger than {MAX_FILE_BYTES} bytes", help="expected a few lines of TOML")
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
    """Returns the text of a position, by default of the start."""
    text = _text_or_none(position)
    return game.start.text if text is None else text
