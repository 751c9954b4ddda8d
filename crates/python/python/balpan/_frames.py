"""pandas, where it is there: nothing needs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def frame(rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> Any:
    """A pandas frame of these rows.

    Whole numbers of which some are missing stay whole numbers.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("tables as frames need pandas: pip install pandas") from error
    made = pandas.DataFrame(list(rows), columns=list(columns))
    return made.convert_dtypes()
