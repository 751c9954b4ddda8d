"""Checks of arguments, which raise :class:`ArgumentError <balpan.ArgumentError>`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from operator import index
from typing import Any, Literal, Optional, Union, get_args, overload

from ._errors import ArgumentError

Ask = Literal["winner", "outcome", "value", "moves"]
Method = Literal["auto", "minimax", "alpha-beta", "df-pn", "table", "nimber"]
Progress = Callable[[int], object]
Deadline = Union[float, timedelta, None]

ASKS = get_args(Ask)
METHODS = get_args(Method)
LANGUAGES = ("en", "ko")
KINDS_OF_ANSWER = ("outcome", "value", "nimber")

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_MAX_MEMORY_BYTES = 1 << 50
_MAX_SECONDS = 1 << 60


def word_of(name: str, value: Any, words: tuple[str, ...], *, none: bool = False) -> Any:
    """Checks that a value is one of `words`; or ``None``, if that is allowed."""
    if (value is None and none) or (isinstance(value, str) and value in words):
        return value
    expected = ", ".join(map(repr, words))
    raise ArgumentError(f"{name}={value!r}", help=f"expected one of {expected}" + (", or None" if none else ""))


@overload
def whole(name: str, value: Any, least: int = 0, most: int = (1 << 64) - 1) -> int: ...
@overload
def whole(name: str, value: Any, least: int = 0, most: int = (1 << 64) - 1, *, none: bool) -> Optional[int]: ...
def whole(name: str, value: Any, least: int = 0, most: int = (1 << 64) - 1, *, none: bool = False) -> Optional[int]:
    """Checks that a value is an integer from `least` to `most`; or ``None``, if that is allowed."""
    if value is None and none:
        return None
    found: Any = value
    try:
        number = index(found)
    except TypeError:
        number = least - 1
    if least <= number <= most:
        return number
    range = f"from {least} on, less than 2**64" if most == (1 << 64) - 1 else f"from {least:,} to {most:,}"
    help = f"expected a whole number {range}" + (", or None" if none else "")
    raise ArgumentError(f"{name}={value!r}", help=help)


def seconds(name: str, value: Any) -> Optional[float]:
    """Converts a time in seconds, or a `timedelta`, to seconds; ``None`` stays ``None``."""
    if value is None:
        return None
    try:
        # `float` would parse text, which is not allowed.
        time = value.total_seconds() if isinstance(value, timedelta) else float("nan" if isinstance(value, (str, bytes)) else value)
    except (TypeError, ValueError, OverflowError):
        time = -1.0
    if 0 <= time < _MAX_SECONDS:
        return time
    raise ArgumentError(f"{name}={value!r}", help="expected seconds, 0 or more, a `timedelta`, or None")


def function_of(name: str, value: Any, *, none: bool = True) -> Any:
    """Checks that a value can be called; or is ``None``, if that is allowed."""
    if callable(value) or (value is None and none):
        return value
    raise ArgumentError(f"{name}={value!r}", help="expected a function" + (", or None" if none else ""))


def bytes_of(memory: Union[int, str]) -> int:
    """Converts a number of bytes, which may be text with a unit.

    >>> bytes_of("512M")
    536870912
    """
    number: Any = memory
    if isinstance(memory, str):
        text = memory.strip().upper()
        digits, unit = (text[:-1], text[-1]) if text[-1:].isalpha() else (text, "")
        # More digits exceed the maximum, and take long to parse.
        is_number = unit in _UNITS and digits.isdecimal() and len(digits) < 20
        number = int(digits) * _UNITS[unit] if is_number else None
    try:
        size = index(number)
    except TypeError:
        size = 0
    if 0 < size < _MAX_MEMORY_BYTES:
        return size
    help = "expected bytes, more than 0 and less than 1024T, or text such as '512M' or '4G'"
    raise ArgumentError(f"memory={memory!r}", help=help)
