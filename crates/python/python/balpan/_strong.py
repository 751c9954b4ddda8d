"""Strong solutions in files: the values of all positions that play can reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike, fsdecode
from pathlib import Path
from typing import Any, Optional, Union

from . import _balpan
from ._answers import Worth
from ._arguments import whole
from ._errors import ArgumentError, PositionError, StrongError
from ._frames import frame
from ._games import Position

__all__ = ["MISSING", "Strong", "StrongFiles", "open_strong"]

MISSING = 65535
"""The code of a key that is not in a file."""

Entry = Union[Worth, int]

_VALUE = ("outcome", "remoteness", "nimber")


class Strong(Mapping[str, Entry]):
    """A memory-mapped strong solution: a mapping of positions, as text, to their values for the player to
    move; in files of nimbers, to nimbers.

    Positions that are equal under a symmetry are stored once and found by any of them. A file without keys
    (``has_keys`` is false) finds positions that play can reach but cannot list them.
    """

    def __init__(self, path: Union[str, PathLike[str]]) -> None:
        try:
            self.path = fsdecode(path)
        except TypeError as error:
            raise StrongError(f"{path!r} is not a path", help="expected the path of a file that `balpan build` has written") from error
        self._opened = _balpan.StrongFile(self.path)
        report, codes = self._opened.about()
        keys = ("game", "rules", "size", "starts", "tells", "folded", "plies")
        values = zip(codes, report["worths"])
        self.about: dict[str, Any] = {
            **{key: report.get(key) for key in keys},
            "has_keys": not report.get("values_only", False),
            "positions": report["positions"],
            "bytes": report["bytes"],
            "layers": [(layer["layer"], layer["positions"]) for layer in report["layers"]],
            "codes": [{"code": code, **dict.fromkeys(_VALUE), **value} for code, value in values],
        }
        """The description of the file: ``game``, ``rules``, ``size``, ``starts``, ``tells``,
        ``folded``, ``positions``, ``bytes``, ``layers``, ``codes``."""

    @property
    def _file(self) -> _balpan.StrongFile:
        return self._opened

    @property
    def has_keys(self) -> bool:
        """Whether the file can list its positions and tell which it has."""
        return bool(self.about["has_keys"])

    @property
    def layers(self) -> dict[int, int]:
        """The number of positions of each layer, the highest first. Every move leads to a lower layer."""
        return dict(self.about["layers"])

    @property
    def codes(self) -> dict[int, Entry]:
        """The value of each code."""
        return {code["code"]: _entry(code) for code in self.about["codes"]}

    def __getitem__(self, position: Union[str, Position]) -> Entry:
        text = _text(position)
        found = self._file.look_up(text)
        if found is None:
            raise KeyError(text)
        return _entry(found)

    def __contains__(self, position: object) -> bool:
        if not isinstance(position, (str, Position)):
            return False
        try:
            self[position]
        except (KeyError, ValueError):
            return False
        return True

    def __len__(self) -> int:
        return int(self.about["positions"])

    def __iter__(self) -> Iterator[str]:
        """Iterates over the texts of all positions, the highest layer first."""
        size = self._key_bytes()
        for layer in self.layers:
            keys, _ = self._file.layer(layer, size)
            for at in range(0, len(keys), size):
                text = self._file.position_of(int.from_bytes(keys[at : at + size], "little"))
                if text is not None:
                    yield text

    def key_of(self, position: Union[str, Position]) -> tuple[Optional[int], int]:
        """Returns the layer and the key of a position."""
        return self._file.place_of(_text(position))

    def look_up_keys(self, layer: int, keys: Any) -> Any:
        """Returns the codes of many keys of a layer as a numpy array of `uint16`. The code of a missing key is
        `MISSING`. Needs numpy.

        :param keys: an array of `uint64`; if keys have more than 64 bits, with two columns, the lower bits
            first
        """
        import numpy

        size = self._key_bytes()
        try:
            made = numpy.ascontiguousarray(keys, dtype="<u8")
        except (ValueError, TypeError, OverflowError) as error:
            raise ArgumentError(f"keys: {error}", help="expected an array of `uint64`") from error
        columns = size // 8
        if made.ndim != (1 if columns == 1 else 2) or (columns == 2 and made.shape[1] != 2):
            shape = "one row" if columns == 1 else "two columns"
            raise ArgumentError(f"keys has the shape {made.shape}", help=f"expected an array of {shape}")
        found = self._file.codes(_layer(layer), made.tobytes(), size)
        return numpy.frombuffer(found, dtype="<u2")

    def layer(self, layer: int) -> tuple[Any, Any]:
        """Returns the keys of a layer in ascending order and their codes as numpy arrays. Needs numpy."""
        import numpy

        size = self._key_bytes()
        keys, codes = self._file.layer(_layer(layer), size)
        made = numpy.frombuffer(keys, dtype="<u8")
        return made if size == 8 else made.reshape(-1, 2), numpy.frombuffer(codes, dtype="<u2")

    def frame(self) -> Any:
        """The number of positions of each value, as a pandas frame. Needs pandas."""
        columns = ["code", "outcome", "remoteness", "nimber", "positions"]
        return frame([[code[column] for column in columns] for code in self.about["codes"]], columns).set_index("code")

    def __repr__(self) -> str:
        return f"<strong {self.about['game']} {self.about['size']}: {len(self):,} positions>"

    def _key_bytes(self) -> int:
        return 8 if self._file.key_bits() <= 64 else 16


class StrongFiles(Strong):
    """Several strong solutions as one mapping, made by :func:`open_strong`: each position is looked up in the files whose game has it.

    Layers, keys and codes are those of each of :attr:`files`.
    """

    def __init__(self, files: Iterable[Strong]) -> None:
        self.files = list(files)
        """The files."""
        self.path = ", ".join(file.path for file in self.files)
        self.about = {
            "files": [{"path": file.path, **file.about} for file in self.files],
            "positions": sum(map(len, self.files)),
            "bytes": sum(file.about["bytes"] for file in self.files),
        }

    @property
    def has_keys(self) -> bool:
        """Whether all files can list their positions."""
        return all(file.has_keys for file in self.files)

    @property
    def layers(self) -> dict[int, int]:
        raise self._one_at_a_time()

    @property
    def codes(self) -> dict[int, Entry]:
        raise self._one_at_a_time()

    def frame(self) -> Any:
        raise self._one_at_a_time()

    def __getitem__(self, position: Union[str, Position]) -> Entry:
        text, found = _text(position), dict[Entry, Strong]()
        wrong: Optional[Exception] = None
        for file in self.files:
            if isinstance(position, Position) and file.about["game"] != position.game.name:
                continue
            try:
                found[file[text]] = file
            except KeyError:
                wrong = wrong or KeyError(text)
            except PositionError as error:
                wrong = wrong if isinstance(wrong, KeyError) else error
        if len(found) > 1:
            games = " and ".join(f"{file.about['game']} {file.about['size']}: {entry}" for entry, file in found.items())
            help = "ask with a `Position` of a game, or one of `files`"
            raise StrongError(f"files of different games have this position ({games})", position=text, help=help)
        for entry in found:
            return entry
        raise wrong or KeyError(text)

    def __iter__(self) -> Iterator[str]:
        """Iterates over the texts of all positions, file by file."""
        for file in self.files:
            yield from file

    def __repr__(self) -> str:
        return f"<strong, {len(self.files)} files: {len(self):,} positions>"

    @property
    def _file(self) -> _balpan.StrongFile:
        raise self._one_at_a_time()

    def _one_at_a_time(self) -> StrongError:
        return StrongError(f"{len(self.files)} files are open", help="ask one of `files`")


def open_strong(path: Union[str, PathLike[str]], *more: Union[str, PathLike[str]]) -> Strong:
    """Opens files that ``balpan build`` wrote. Several, or a folder, which stands for the files in it that end in ``.strong``, are one mapping:
    :class:`StrongFiles`.

    :raises StrongError: if one is not such a file, or a folder has none
    """
    files: list[Strong] = []
    is_folder = False
    for one in (path, *more):
        if not isinstance(one, (str, PathLike)) or not Path(one).is_dir():
            files.append(Strong(one))
            continue
        is_folder = True
        found = sorted(Path(one).glob("*.strong"))
        if not found:
            raise StrongError(f"{fsdecode(one)!r} has no file that ends in .strong", help="give the files themselves")
        files.extend(map(Strong, found))
    return StrongFiles(files) if is_folder or len(files) > 1 else files[0]


def _text(position: Union[str, Position]) -> str:
    text = position.text if isinstance(position, Position) else position
    if not isinstance(text, str):
        raise PositionError(f"{position!r} is no position", help="expected text, or a `Position`")
    return text


def _layer(layer: int) -> int:
    return whole("layer", layer, most=(1 << 32) - 1)


def _entry(told: dict[str, Any]) -> Entry:
    if told.get("outcome") is None:
        return int(told["nimber"])
    return Worth(told["outcome"], told.get("remoteness"))
