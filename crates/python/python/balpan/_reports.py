"""Reports about a game: counts, trees, games looked back at, puzzles, values in sums."""

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
    """Positions counted by what they are worth to the player to move. A histogram in notebooks."""

    game: str
    position: str
    symmetry: bool
    positions: int
    outcomes: dict[str, int]
    """How many are won, drawn and lost."""
    remoteness: list[dict[str, int]]
    """A row for each remoteness: ``remoteness``, ``win``, ``loss``."""
    games: Optional[dict[str, int]]
    """How many games can be played: ``total``, ``win``, ``draw``, ``loss``."""
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _svg: str = field(default="", repr=False, compare=False)

    @classmethod
    def of(cls, told: dict[str, Any], svg: str) -> Census:
        """What a dictionary tells."""
        fields = {key: told.get(key) for key in ("game", "position", "symmetry", "positions", "outcomes", "remoteness")}
        return cls(**fields, games=told.get("games"), told=told, _svg=svg)  # type: ignore[arg-type]

    def frame(self) -> Any:
        """A row for each remoteness, as a pandas frame. Needs pandas."""
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
    """The tree of play below a position. A picture in notebooks."""

    def __init__(self, sheet: _balpan.TreeSheet, lang: str) -> None:
        self._sheet = sheet
        self._lang = lang
        self.told: dict[str, Any] = sheet.told(lang)
        """The tree as the command's ``--json`` has it."""

    @property
    def positions(self) -> int:
        """How many nodes there are."""
        return int(self.told["positions"])

    @property
    def nodes(self) -> list[dict[str, Any]]:
        """Every node after its parent: ``id``, ``parent``, ``move``, ``position``, ``to_move``,
        ``outcome``, ``remoteness``, ``winner``, ``over``, ``best``, ``children``, ``folded``."""
        nodes: list[dict[str, Any]] = self.told["nodes"]
        return nodes

    @property
    def alpha_beta(self) -> Optional[dict[str, Any]]:
        """What alpha-beta does, in order: ``visited`` and ``steps``."""
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
    """A move looked back at."""

    move: str
    player: str
    before: Optional[Worth]
    """What the player had before it."""
    worth: Optional[Worth]
    """What it was worth to the player."""
    mark: Optional[str]
    """What it gave away: ``"?!"`` plies, ``"?"`` a win for a draw or a draw, ``"??"`` a win for a loss."""
    best: list[str]
    position: str
    """The position that it led to."""


@dataclass(frozen=True)
class Review:
    """A game that was played, looked back at. A graph of who was winning in notebooks."""

    game: str
    players: list[str]
    position: str
    worth: Optional[Worth]
    moves: list[Reviewed]
    over: bool
    winner: Optional[str]
    complete: bool
    words: list[str]
    """How it ended, and its turning points, in sentences."""
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _svg: str = field(default="", repr=False, compare=False)

    @classmethod
    def of(cls, told: dict[str, Any], svg: str, words: list[str]) -> Review:
        """What a dictionary tells."""
        moves = [
            Reviewed(
                move=of["move"],
                player=of["player"],
                before=_worth(of["before"]),
                worth=_worth(of["worth"]),
                mark=of["mark"],
                best=of["best"],
                position=of["position"],
            )
            for of in told["moves"]
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
    """How hard it is for people."""
    difficulty: int
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.to_move} to move, win in {self.remoteness}: {self.position}"


@dataclass(frozen=True)
class Sheet:
    """A sheet of puzzles to print, or of their answers: a picture in notebooks."""

    svg: str = field(repr=False)

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True)
class Puzzles(Sequence[Puzzle]):
    """Puzzles, the best first. The first sheet of them in notebooks."""

    game: str
    exhaustive: bool
    """Whether all positions were looked at that play can reach."""
    tried: int
    """How many positions were looked at."""
    puzzles: list[Puzzle]
    sheets: list[Sheet] = field(repr=False)
    answers: list[Sheet] = field(repr=False)
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, told: dict[str, Any], sheets: list[tuple[str, str]]) -> Puzzles:
        """What a dictionary tells."""
        puzzles = [
            Puzzle(
                position=of["position"],
                to_move=of["to_move"],
                move=of["move"],
                remoteness=of["remoteness"],
                moves=[MoveWorth(mv["move"], mv["outcome"], mv["remoteness"], None) for mv in of["moves"]],
                line=of["line"],
                level=of["level"],
                difficulty=of["difficulty"],
                told=of,
            )
            for of in told["puzzles"]
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
        """A row for each puzzle, as a pandas frame. Needs pandas."""
        rows = [(of.position, of.to_move, of.move, of.remoteness, of.level, of.difficulty) for of in self.puzzles]
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
    """What a placement position is worth in sums with others."""

    game: str
    position: str
    cgt: str
    """The value's name, in canonical form: ``1/2``, ``↑*``, ``±1``."""
    outcomes: dict[str, str]
    """The outcome for each player when that one begins."""
    parts: int
    seconds: float
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, told: dict[str, Any]) -> ValueInSums:
        """What a dictionary tells."""
        outcomes = {begun["begins"]: begun["outcome"] for begun in told["outcomes"]}
        fields = {key: told[key] for key in ("game", "position", "cgt", "parts", "seconds")}
        return cls(**fields, outcomes=outcomes, told=told)

    def __str__(self) -> str:
        return self.cgt


@dataclass(frozen=True)
class ValueOf:
    """What an expression is worth in sums; of a comparison, what the difference is."""

    expression: str
    complete: bool
    value: Optional[str]
    """The canonical form: ``1/2``, ``↑*``, ``±1``, ``{2|-1/2}``. ``None`` if it is not known."""
    outcome: Optional[str]
    """``left`` or ``right`` wins, or whoever moves ``first`` or ``second``."""
    holds: Optional[bool]
    """Whether the comparison holds, if it is one."""
    stops: Optional[tuple[str, str]]
    """The numbers that play stops at when Left begins, and when Right does."""
    mean: Optional[str]
    temperature: Optional[str]
    """What a move is worth; ``None`` of a number."""
    atomic_weight: Optional[str]
    seconds: float
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, told: dict[str, Any]) -> ValueOf:
        """What a dictionary tells."""
        keys = ("expression", "complete", "value", "outcome", "mean", "temperature", "atomic_weight", "seconds")
        compared, stops = told.get("compared"), told["stops"]
        return cls(
            **{key: told[key] for key in keys},
            holds=None if compared is None else compared["holds"],
            stops=None if stops is None else (stops[0], stops[1]),
            told=told,
        )

    def __bool__(self) -> bool:
        """Whether the comparison holds; of a value, whether it is known and not zero."""
        return self.holds if self.holds is not None else self.value not in (None, "0")

    def __str__(self) -> str:
        return self.value or f"{self.expression}: not known"


@dataclass(frozen=True)
class Period:
    """The nimbers of heaps, and the period that they are proved to have."""

    code: str
    to: int
    period: Optional[int]
    """The period that is proved of all heaps, in tokens. ``None`` if none is."""
    preperiod: Optional[int]
    """The first heap from which on they do."""
    exceptions: Optional[list[int]]
    """Heaps before that whose nimbers are not what the period would have."""
    growth: Optional[dict[str, int]]
    """``length``, ``from`` and ``by``: how these nimbers grow, of which nothing is proved."""
    nimbers: list[int] = field(repr=False)
    """By size, from no token on."""
    complete: bool
    """Whether it goes to the largest heap that was asked for."""
    seconds: float

    def __str__(self) -> str:
        if self.period is None:
            return f"{self.code}: no period up to {self.to}"
        return f"{self.code}: period {self.period} from {self.preperiod} on"


@dataclass(frozen=True)
class Quotient:
    """A misère quotient: what parts amount to beside each other."""

    game: str
    order: int
    """How many elements."""
    orders: list[int]
    """With the first part, with the first two, and so on."""
    elements: list[str]
    """Words for the elements; the first is that of the ended game."""
    lost: list[int]
    """Those that are lost for the player to move, by their places."""
    products: list[list[int]] = field(repr=False)
    parts: dict[str, int]
    """What each part amounts to, by the element's place: the pretending function."""
    genus: dict[str, str]
    """Genus symbols of the first parts."""
    tame: bool
    """Whether it is a quotient of Nim."""
    seconds: float

    @classmethod
    def of(cls, told: dict[str, Any]) -> Quotient:
        """What a dictionary tells."""
        keys = ("game", "order", "orders", "elements", "lost", "products", "tame", "seconds")
        parts = {part["part"]: part["element"] for part in told["parts"]}
        genus = {part["part"]: part["genus"] for part in told["parts"] if "genus" in part}
        return cls(**{key: told[key] for key in keys}, parts=parts, genus=genus)

    def element(self, *parts: object) -> int:
        """What these parts amount to together, by its place: heaps as numbers, positions as text."""
        product = 0
        for part in parts:
            element = self.parts.get(str(part))
            if element is None:
                raise PositionError(f"{part!r} is no part of {self.game}", help=f"the parts are {', '.join(self.parts)}")
            product = self.products[product][element]
        return product

    def is_lost(self, *parts: object) -> bool:
        """Whether the player to move loses where these parts are side by side."""
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
    """What the problem says instead."""
    explains: int
    of: int
    """How many answers it explains, and how many were asked about."""


@dataclass(frozen=True)
class Component:
    """A game of a sum."""

    game: str
    position: Any
    """Text; of a game of one's own, the position itself."""
    nimber: int


@dataclass(frozen=True)
class WinningMove:
    """A move after which the nimber of a sum is 0."""

    component: int
    """Which game it is in, from 0."""
    move: Any
    """Text; of a game of one's own, the move itself."""
    position: Any
    """What it leaves of that game."""
    nimber: int
    """And the nimber of that."""


@dataclass(frozen=True)
class Sum:
    """A sum of impartial games: who is to move does so in one of them."""

    components: list[Component]
    nimber: int
    outcome: str
    winner: str
    moves: list[WinningMove]
    seconds: float
    told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, told: dict[str, Any]) -> Sum:
        """What a dictionary tells."""
        return cls(
            components=[Component(of["game"], of["position"], of["nimber"]) for of in told["sum"]],
            nimber=told["nimber"],
            outcome=told["outcome"],
            winner=told["winner"],
            moves=[
                WinningMove(of["component"] - 1, of["move"], of["position"], of["nimber"])
                for of in told.get("moves") or []
            ],
            seconds=told["seconds"],
            told=told,
        )

    def frame(self) -> Any:
        """The winning moves as a pandas frame. Needs pandas."""
        rows = [(of.component, of.move, of.position, of.nimber) for of in self.moves]
        return frame(rows, ["component", "move", "position", "nimber"])

    def _repr_html_(self) -> str:
        rows = [[of.game, str(of.position), str(of.nimber)] for of in self.components]
        rows.append(["sum", "", str(self.nimber)])
        return Table(f"The {self.winner} wins", ["game", "position", "nimber"], rows).html()

    def __str__(self) -> str:
        added = " + ".join(f"{of.game} {of.position}" for of in self.components)
        return f"{added}: nimber {self.nimber}, the {self.winner} wins"


def _worth(told: Optional[dict[str, Any]]) -> Optional[Worth]:
    return None if told is None else Worth(told["outcome"], told["remoteness"])


def _parts(worth: Optional[Worth]) -> tuple[Optional[str], Optional[int]]:
    return (None, None) if worth is None else (worth.outcome, worth.remoteness)
