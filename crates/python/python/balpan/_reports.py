"""Reports about games: censuses, trees, reviews, puzzles, values in sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, overload

from . import _balpan
from ._answers import MoveWorth, Worth
from ._errors import PositionError
from ._frames import frame
from ._tables import Table

__all__ = [
    "Census",
    "Mistake",
    "Period",
    "Puzzle",
    "Puzzles",
    "Quotient",
    "Review",
    "Reviewed",
    "Sheet",
    "Tree",
    "ValueInSums",
    "ValueOf",
]


@dataclass(frozen=True)
class Census:
    """The numbers of positions by value for the player to move. Notebooks show a histogram."""

    game: str
    position: str
    symmetry: bool
    positions: int
    outcomes: dict[str, int]
    """The numbers of won, drawn and lost positions."""
    remoteness: list[dict[str, int]]
    """A row for each remoteness: ``remoteness``, ``win``, ``loss``."""
    games: Optional[dict[str, int]]
    """The numbers of games that can be played: ``total``, ``win``, ``draw``, ``loss``."""
    scores: list[dict[str, int]] = field(default_factory=list)
    """A row for each score of a game with scores: ``score``, ``positions``; a draw is 0."""
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _svg: str = field(default="", repr=False, compare=False)

    @classmethod
    def of(cls, told: dict[str, Any], svg: str) -> Census:
        """Makes the report from a dictionary."""
        fields = {key: told.get(key) for key in ("game", "position", "symmetry", "positions", "outcomes", "remoteness")}
        scores = told.get("scores", [])
        return cls(**fields, games=told.get("games"), scores=scores, told=told, _svg=svg)  # type: ignore[arg-type]

    def frame(self) -> Any:
        """The rows of `remoteness` as a pandas frame. Needs pandas."""
        rows = [(row["remoteness"], row["win"], row["loss"]) for row in self.remoteness]
        return frame(rows, ["remoteness", "win", "loss"]).set_index("remoteness")

    def svg(self) -> str:
        """The histogram as an SVG file."""
        return self._svg

    def _repr_svg_(self) -> str:
        return self._svg

    def __str__(self) -> str:
        told = ", ".join(f"{count:,} {outcome}" for outcome, count in self.outcomes.items())
        return f"{self.game}, from {self.position}: {self.positions:,} positions: {told}"


class Tree:
    """The game tree below a position. Notebooks show a picture."""

    def __init__(self, sheet: _balpan.TreeSheet, lang: str) -> None:
        self._sheet = sheet
        self._lang = lang
        self.told: dict[str, Any] = sheet.told(lang)
        """The tree as the command's ``--json`` has it."""

    @property
    def positions(self) -> int:
        """The number of nodes."""
        return int(self.told["positions"])

    @property
    def nodes(self) -> list[dict[str, Any]]:
        """Every node after its parent: ``id``, ``parent``, ``move``, ``position``, ``to_move``,
        ``outcome``, ``remoteness``, ``winner``, ``over``, ``best``, ``children``, ``folded``."""
        nodes: list[dict[str, Any]] = self.told["nodes"]
        return nodes

    @property
    def alpha_beta(self) -> Optional[dict[str, Any]]:
        """The steps of an alpha-beta search in order: ``visited`` and ``steps``."""
        return self.told.get("alpha_beta")

    def frame(self) -> Any:
        """The nodes as a pandas frame. Needs pandas."""
        columns = ["id", "parent", "move", "position", "to_move", "outcome", "remoteness", "winner", "over", "best"]
        return frame([[node[column] for column in columns] for node in self.nodes], columns).set_index("id")

    def svg(self) -> str:
        """The tree as an SVG file."""
        return self._sheet.svg(self._lang)

    def dot(self) -> str:
        """The tree for graphviz."""
        return self._sheet.dot(self._lang)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self._sheet.text(self._lang).rstrip("\n")

    def __repr__(self) -> str:
        return f"<tree of {self.told['game']} {self.told['position']}: {self.positions} positions>"


@dataclass(frozen=True)
class Reviewed:
    """A reviewed move."""

    move: str
    player: str
    before: Optional[Worth]
    """The value for the player before the move."""
    worth: Optional[Worth]
    """The value of the move for the player."""
    mark: Optional[str]
    """The mistake: ``"?!"`` lost plies, ``"?"`` turned a win into a draw or lost a draw, ``"??"`` turned a win into a loss."""
    best: list[str]
    position: str
    """The position after the move."""


@dataclass(frozen=True)
class Review:
    """A review of a played game. Notebooks show a graph of who was winning."""

    game: str
    players: list[str]
    position: str
    worth: Optional[Worth]
    moves: list[Reviewed]
    over: bool
    winner: Optional[str]
    complete: bool
    words: list[str]
    """Sentences about the result and the turning points."""
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _svg: str = field(default="", repr=False, compare=False)

    @classmethod
    def of(cls, told: dict[str, Any], svg: str, words: list[str]) -> Review:
        """Makes the report from a dictionary."""
        moves = [
            Reviewed(
                move=entry["move"],
                player=entry["player"],
                before=_worth(entry["before"]),
                worth=_worth(entry["worth"]),
                mark=entry["mark"],
                best=entry["best"],
                position=entry["position"],
            )
            for entry in told["moves"]
        ]
        return cls(
            game=told["game"],
            players=list(told["players"]),
            position=told["position"],
            worth=_worth(told["worth"]),
            moves=moves,
            over=told["over"],
            winner=told["winner"],
            complete=told["complete"],
            words=words,
            told=told,
            _svg=svg,
        )

    def frame(self) -> Any:
        """The moves as a pandas frame. Needs pandas."""
        rows = [
            (mv.move, mv.player, *_parts(mv.before), *_parts(mv.worth), mv.mark, " ".join(mv.best)) for mv in self.moves
        ]
        columns = ["move", "player", "before", "before_plies", "worth", "plies", "mark", "best"]
        return frame(rows, columns)

    def svg(self) -> str:
        """The graph as an SVG file."""
        return self._svg

    def _repr_svg_(self) -> str:
        return self._svg

    def __str__(self) -> str:
        return "\n".join(self.words)


@dataclass(frozen=True)
class Puzzle:
    """A position with exactly one winning move."""

    position: str
    to_move: str
    move: str
    remoteness: int
    moves: list[MoveWorth[Optional[str], str]]
    line: list[str]
    level: str
    """The difficulty for people."""
    difficulty: int
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.to_move} to move, win in {self.remoteness}: {self.position}"


@dataclass(frozen=True)
class Sheet:
    """A printable sheet of puzzles or of their answers. Notebooks show a picture."""

    svg: str = field(repr=False)

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True)
class Puzzles(Sequence[Puzzle]):
    """Puzzles, the best first. Notebooks show their first sheet."""

    game: str
    exhaustive: bool
    """Whether all positions that play can reach were examined."""
    tried: int
    """The number of positions examined."""
    puzzles: list[Puzzle]
    sheets: list[Sheet] = field(repr=False)
    answers: list[Sheet] = field(repr=False)
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, told: dict[str, Any], sheets: list[tuple[str, str]]) -> Puzzles:
        """Makes the report from a dictionary."""
        puzzles = [
            Puzzle(
                position=entry["position"],
                to_move=entry["to_move"],
                move=entry["move"],
                remoteness=entry["remoteness"],
                moves=[MoveWorth(mv["move"], mv["outcome"], mv["remoteness"], None) for mv in entry["moves"]],
                line=entry["line"],
                level=entry["level"],
                difficulty=entry["difficulty"],
                told=entry,
            )
            for entry in told["puzzles"]
        ]
        return cls(
            game=told["game"],
            exhaustive=told["exhaustive"],
            tried=told["tried"],
            puzzles=puzzles,
            sheets=[Sheet(sheet) for sheet, _ in sheets],
            answers=[Sheet(answers) for _, answers in sheets],
            told=told,
        )

    def frame(self) -> Any:
        """The puzzles as a pandas frame, one row each. Needs pandas."""
        rows = [(entry.position, entry.to_move, entry.move, entry.remoteness, entry.level, entry.difficulty) for entry in self.puzzles]
        return frame(rows, ["position", "to_move", "move", "remoteness", "level", "difficulty"])

    @overload
    def __getitem__(self, index: int) -> Puzzle: ...
    @overload
    def __getitem__(self, index: slice) -> list[Puzzle]: ...
    def __getitem__(self, index: Any) -> Any:
        return self.puzzles[index]

    def __len__(self) -> int:
        return len(self.puzzles)

    def _repr_svg_(self) -> Optional[str]:
        return self.sheets[0].svg if self.sheets else None


@dataclass(frozen=True)
class ValueInSums:
    """The value of a placement position in sums."""

    game: str
    position: str
    cgt: str
    """The canonical form of the value: ``1/2``, ``↑*``, ``±1``."""
    outcomes: dict[str, str]
    """The outcome when each of the players begins."""
    parts: int
    seconds: float
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, told: dict[str, Any]) -> ValueInSums:
        """Makes the report from a dictionary."""
        outcomes = {begun["begins"]: begun["outcome"] for begun in told["outcomes"]}
        fields = {key: told[key] for key in ("game", "position", "cgt", "parts", "seconds")}
        return cls(**fields, outcomes=outcomes, told=told)

    def __str__(self) -> str:
        return self.cgt


@dataclass(frozen=True)
class ValueOf:
    """The value of an expression; for a comparison, that of the difference."""

    expression: str
    complete: bool
    value: Optional[str]
    """The canonical form: ``1/2``, ``↑*``, ``±1``, ``{2|-1/2}``. ``None`` if it is not known."""
    outcome: Optional[str]
    """The winner: ``left``, ``right``, or the player who moves ``first`` or ``second``."""
    holds: Optional[bool]
    """Whether the comparison holds, if there is one."""
    stops: Optional[tuple[str, str]]
    """The Left stop and the Right stop."""
    mean: Optional[str]
    temperature: Optional[str]
    """The temperature; ``None`` for a number."""
    atomic_weight: Optional[str]
    seconds: float
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, told: dict[str, Any]) -> ValueOf:
        """Makes the report from a dictionary."""
        keys = ("expression", "complete", "value", "outcome", "mean", "temperature", "atomic_weight", "seconds")
        compared, stops = told.get("compared"), told["stops"]
        return cls(
            **{key: told[key] for key in keys},
            holds=None if compared is None else compared["holds"],
            stops=None if stops is None else (stops[0], stops[1]),
            told=told,
        )

    def __bool__(self) -> bool:
        """Whether the comparison holds; for a value, whether it is known and not zero."""
        return self.holds if self.holds is not None else self.value not in (None, "0")

    def __str__(self) -> str:
        return self.value or f"{self.expression}: not known"


@dataclass(frozen=True)
class Period:
    """The nimbers of heaps, and their proved period."""

    code: str
    to: int
    period: Optional[int]
    """The period that is proved for all heaps; ``None`` if there is none."""
    preperiod: Optional[int]
    """The first heap of the period."""
    exceptions: Optional[list[int]]
    """Earlier heaps whose nimbers deviate from the period."""
    growth: Optional[dict[str, int]]
    """An unproved arithmetic period of the nimbers: ``length``, ``from`` and ``by``."""
    nimbers: list[int] = field(repr=False)
    """The nimbers by size of the heap, from 0."""
    complete: bool
    """Whether the nimbers go up to the requested heap."""
    seconds: float

    def __str__(self) -> str:
        if self.period is None:
            return f"{self.code}: no period up to {self.to}"
        return f"{self.code}: period {self.period} from {self.preperiod} on"


@dataclass(frozen=True)
class Quotient:
    """A misère quotient."""

    game: str
    order: int
    """The number of elements."""
    orders: list[int]
    """The orders of the quotients of the first part, of the first two, and so on."""
    elements: list[str]
    """The elements as words. The first is the identity, which is that of a finished game."""
    lost: list[int]
    """The indices of the elements that are lost for the player to move."""
    products: list[list[int]] = field(repr=False)
    parts: dict[str, int]
    """The pretending function: the index of the element of each part."""
    genus: dict[str, str]
    """The genus symbols of the first parts."""
    tame: bool
    """Whether the quotient is one of Nim."""
    seconds: float

    @classmethod
    def of(cls, told: dict[str, Any]) -> Quotient:
        """Makes the report from a dictionary."""
        keys = ("game", "order", "orders", "elements", "lost", "products", "tame", "seconds")
        parts = {part["part"]: part["element"] for part in told["parts"]}
        genus = {part["part"]: part["genus"] for part in told["parts"] if "genus" in part}
        return cls(**{key: told[key] for key in keys}, parts=parts, genus=genus)

    def element(self, *parts: object) -> int:
        """Returns the index of the product of parts: heaps as numbers, positions as text."""
        product = 0
        for part in parts:
            element = self.parts.get(str(part))
            if element is None:
                raise PositionError(f"{part!r} is no part of {self.game}", help=f"the parts are {', '.join(self.parts)}")
            product = self.products[product][element]
        return product

    def is_lost(self, *parts: object) -> bool:
        """Whether the player to move loses the sum of these parts."""
        return self.element(*parts) in self.lost

    def __len__(self) -> int:
        return self.order

    def __str__(self) -> str:
        return f"{self.game}: {self.order} elements, {len(self.lost)} of them lost"


@dataclass(frozen=True)
class Mistake:
    """A misunderstanding that explains wrong answers."""

    name: str
    remedy: str
    """The rule of the problem."""
    explains: int
    of: int
    """The number of answers that it explains is `explains`; the number compared is `of`."""


@dataclass(frozen=True)
class Component:
    """A game of a sum."""

    game: str
    position: Any
    """Text; for a game written in Python, the position itself."""
    nimber: int


@dataclass(frozen=True)
class WinningMove:
    """A move after which the nimber of a sum is 0."""

    component: int
    """The index of the game in the sum, from 0."""
    move: Any
    """Text; for a game written in Python, the move itself."""
    position: Any
    """The position of that game after the move."""
    nimber: int
    """The nimber of that position."""


@dataclass(frozen=True)
class Sum:
    """A sum of impartial games: a move is a move in one of them."""

    components: list[Component]
    nimber: int
    outcome: str
    winner: str
    moves: list[WinningMove]
    seconds: float
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, told: dict[str, Any]) -> Sum:
        """Makes the report from a dictionary."""
        return cls(
            components=[Component(entry["game"], entry["position"], entry["nimber"]) for entry in told["sum"]],
            nimber=told["nimber"],
            outcome=told["outcome"],
            winner=told["winner"],
            moves=[
                WinningMove(entry["component"] - 1, entry["move"], entry["position"], entry["nimber"])
                for entry in told.get("moves") or []
            ],
            seconds=told["seconds"],
            told=told,
        )

    def frame(self) -> Any:
        """The winning moves as a pandas frame. Needs pandas."""
        rows = [(entry.component, entry.move, entry.position, entry.nimber) for entry in self.moves]
        return frame(rows, ["component", "move", "position", "nimber"])

    def _repr_html_(self) -> str:
        rows = [[entry.game, str(entry.position), str(entry.nimber)] for entry in self.components]
        rows.append(["sum", "", str(self.nimber)])
        return Table(f"The {self.winner} wins", ["game", "position", "nimber"], rows).html()

    def __str__(self) -> str:
        added = " + ".join(f"{entry.game} {entry.position}" for entry in self.components)
        return f"{added}: nimber {self.nimber}, the {self.winner} wins"


def _worth(told: Optional[dict[str, Any]]) -> Optional[Worth]:
    return None if told is None else Worth(told["outcome"], told["remoteness"])


def _parts(worth: Optional[Worth]) -> tuple[Optional[str], Optional[int]]:
    return (None, None) if worth is None else (worth.outcome, worth.remoteness)
