"""Interrupts Python code on another thread with an exception."""

from __future__ import annotations

import ctypes


class TimeIsUp(BaseException):
    """Interrupts a function that takes too long."""


def interrupt(thread: int) -> None:
    """Raises `TimeIsUp` in a thread when it next runs Python code."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TimeIsUp))
