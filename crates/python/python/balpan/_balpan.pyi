"""The part that is written in Rust: what the package's own modules call."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Optional, Union

__version__: str

Progress = Optional[Callable[[int], object]]
Own = Optional[tuple[TextGame, str]]

class TextGame:
    def __new__(
        cls,
        name: str,
        text: Optional[str],
        changes: list[str],
        memory: int,
        threads: Optional[int],
        method_name: str,
        strong: list[str],
    ) -> TextGame: ...
    @property
    def name(self) -> str: ...
    @property
    def about(self) -> str: ...
    @property
    def rules(self) -> str: ...
    @property
    def non_default_rules(self) -> list[str]: ...
    @property
    def size(self) -> str: ...
    def solve(
        self, position: str, ask: Optional[str], nimber: bool, deadline: Optional[float], progress: Progress
    ) -> dict[str, Any]: ...
    def steps(self, position: str, ask: Optional[str], nimber: bool, deadline: Optional[float]) -> Steps: ...
    def solve_many(
        self,
        positions: Iterable[Any],
        ask: Optional[str],
        nimber: bool,
        deadline: Optional[float],
        threads: Optional[int],
    ) -> Many: ...
    def look(self, position: Optional[str]) -> dict[str, Any]: ...
    def glyphs(self, position: Optional[str]) -> Optional[list[str]]: ...
    def ends(self) -> tuple[bool, int]: ...
    def svg(self, position: Optional[str], last: Optional[tuple[str, str]], lang_code: str) -> str: ...
    def drawn(self, position: Optional[str]) -> str: ...
    def census(
        self, position: Optional[str], symmetry: bool, count_games: bool, lang_code: str, progress: Progress
    ) -> tuple[dict[str, Any], str]: ...
    def tree(self, position: Optional[str], depth: Optional[int], alpha_beta: bool, progress: Progress) -> TreeSheet: ...
    def review(
        self, moves: str, position: Optional[str], lang_code: str, progress: Progress
    ) -> tuple[dict[str, Any], str, list[str]]: ...
    def puzzles(
        self,
        position: Optional[str],
        plies: tuple[int, Optional[int]],
        count: Optional[int],
        all: bool,
        by_chance: bool,
        seed: int,
        tries: Optional[int],
        time: Optional[float],
        lang_code: str,
        progress: Progress,
    ) -> tuple[dict[str, Any], list[tuple[str, str]]]: ...
    def build(
        self, output: str, position: Optional[str], nimber: bool, folded: bool, progress: Progress
    ) -> None: ...
    def cgt(self, position: Optional[str], progress: Progress) -> dict[str, Any]: ...

class Steps(Iterator[dict[str, Any]]):
    def __next__(self) -> dict[str, Any]: ...

class Many(Iterator[dict[str, Any]]):
    def __next__(self) -> dict[str, Any]: ...

class TreeSheet:
    def told(self, lang_code: str) -> dict[str, Any]: ...
    def svg(self, lang_code: str) -> str: ...
    def text(self, lang_code: str) -> str: ...
    def dot(self, lang_code: str) -> str: ...

class StrongFile:
    def __new__(cls, path: str) -> StrongFile: ...
    def about(self) -> tuple[dict[str, Any], list[int]]: ...
    def look_up(self, position: str) -> Optional[dict[str, Any]]: ...
    def place_of(self, position: str) -> tuple[Optional[int], int]: ...
    def position_of(self, key: int) -> Optional[str]: ...
    def codes(self, layer: int, keys: bytes, width: int) -> bytes: ...
    def layer(self, layer: int, width: int) -> tuple[bytes, bytes]: ...
    def key_bits(self) -> int: ...

class OwnEngine:
    def __new__(cls, abilities: Mapping[str, Union[bool, int]], method: str, memory: int) -> OwnEngine: ...
    def solve(
        self,
        game: object,
        position: object,
        ask: Optional[str],
        nimber: bool,
        deadline: Optional[float],
        progress: Progress,
    ) -> dict[str, Any]: ...
    def options(
        self, game: object, position: object, moves: bool, deadline: Optional[float], progress: Progress
    ) -> tuple[int, list[tuple[Any, Any, int]], int]: ...
    def census(
        self,
        game: object,
        position: object,
        symmetry: bool,
        count_games: bool,
        deadline: Optional[float],
        lang_code: str,
        progress: Progress,
    ) -> tuple[dict[str, Any], str]: ...
    def check_laws(
        self,
        game: object,
        start: object,
        plays: int,
        seed: int,
        check_keys: Optional[Callable[[], None]],
        deadline: Optional[float],
    ) -> None: ...
    @property
    def positions(self) -> int: ...

class PageServer:
    def __new__(cls, port: int, memory: int) -> PageServer: ...
    @property
    def port(self) -> int: ...
    @property
    def is_running(self) -> bool: ...
    def stop(self) -> None: ...

def register(
    name: str,
    game: object,
    start: object,
    abilities: Mapping[str, Union[bool, int]],
    about: tuple[str, str],
) -> None: ...
def at_exit() -> None: ...
def presets() -> list[tuple[str, str]]: ...
def sum_of(
    parts: list[Union[tuple[TextGame, Optional[str]], tuple[str, int, int]]],
    moves: bool,
    deadline: Optional[float],
    progress: Progress,
) -> dict[str, Any]: ...
def value(
    expression: str, memory: int, deadline: Optional[float], progress: Progress
) -> dict[str, Any]: ...
def period(
    code: str, to: int, deadline: Optional[float], progress: Progress
) -> dict[str, Any]: ...
def quotient(
    code: Optional[str],
    game: Optional[TextGame],
    position: Optional[str],
    largest: int,
    most: int,
    deadline: Optional[float],
    progress: Progress,
) -> dict[str, Any]: ...
def compare(
    name: str,
    own: Own,
    runner: object,
    seed: int,
    cases: Optional[int],
    time: float,
    limit: Optional[float],
) -> dict[str, Any]: ...
def generate(
    name: str, own: Own, cases: int, seed: int, cover: bool, hard: int, progress: Progress
) -> dict[str, Any]: ...
def judge_svg(name: str, own: Own, input: str) -> str: ...
