"""Conversion to pandas frames. pandas is optional."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def frame(rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> Any:
    """Makes a pandas frame of rows. Columns of integers stay integers if some are missing.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("tables as frames need pandas: pip install pandas") from error
    made = pandas.DataFrame(list(rows), columns=list(columns))
    return made.convert_dtypes()
