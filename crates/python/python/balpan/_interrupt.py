"""Python code on another thread, ended by an exception."""

from __future__ import annotations

import ctypes


class TimeIsUp(BaseException):
    """Ends a function that takes too long."""


def interrupt(thread: int) -> None:
    """Raises `TimeIsUp` in the Python code of this thread, as soon as it runs on."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TimeIsUp))
