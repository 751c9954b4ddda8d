"""Sizes of memory."""

from __future__ import annotations

from typing import Union

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def bytes_of(memory: Union[int, str]) -> int:
    """A number of bytes; text may have a unit.

    >>> bytes_of("512M")
    536870912
    """
    if isinstance(memory, str):
        text = memory.strip().upper()
        number, unit = (text[:-1], text[-1]) if text[-1:].isalpha() else (text, "")
        if unit not in _UNITS or not number.isdecimal():
            raise ValueError(f"memory={memory!r}: expected bytes, or text such as '512M' or '4G'")
        memory = int(number) * _UNITS[unit]
    if not 0 < memory < 1 << 50:
        raise ValueError(f"memory={memory}: expected bytes, more than 0 and less than 1024T")
    return memory
