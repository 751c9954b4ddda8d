"""The texts and drawings of registered games, checked. Called from Rust."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Optional

from ._errors import GameError

_MAX_CELLS = 64
_MOVE = re.compile(r"(?!\d+\.)[^\s;]+")


def text_of(game: Any, position: Any) -> str:
    """Returns the text of a position."""
    text = game.text(position) if hasattr(game, "text") else str(position)
    if not isinstance(text, str) or not text or text.strip() != text or not text.isprintable():
        raise GameError(f"text() returns {text!r}", help=TEXT_HELP)
    return text


TEXT_HELP = (
    "a registered game's texts are single lines, without blanks at the ends, another one for each position; "
    "rows may be separated by `/`"
)


def move_texts(game: Any, position: Any, moves: Sequence[Any]) -> list[str]:
    """Returns the texts of a position's moves."""
    texts: list[str] = []
    for move in moves:
        text = game.move_text(position, move) if hasattr(game, "move_text") else "".join(str(move).split())
        if not isinstance(text, str) or not _MOVE.fullmatch(text) or not text.isprintable() or text in texts:
            help = (
                "define move_text(position, move): a word without blanks and `;`, which no other move of the "
                "position has, and which does not begin as a move number does (`1.`)"
            )
            raise GameError(f"the move {move!r} has the text {text!r}", help=help)
        texts.append(text)
    return texts


def rows_of(game: Any, position: Any, size: Optional[tuple[int, int]]) -> tuple[tuple[int, int], str]:
    """Returns the size of a position's board, which is that of others if it is known, and the characters of its cells."""
    found = game.glyphs(position)
    rows = list(found) if hasattr(found, "__iter__") else []
    cells = "".join(rows) if all(isinstance(row, str) for row in rows) else ""
    is_board = 0 < len(cells) <= _MAX_CELLS and cells.isprintable() and len({len(row) for row in rows}) == 1
    if not is_board or size not in (None, (len(rows), len(rows[0]))):
        help = f"expected the rows of a board of at most {_MAX_CELLS} cells, of as many characters for each position"
        raise GameError(f"glyphs() returns {found!r}", help=help)
    return (len(rows), len(rows[0])), cells


def cells_of(game: Any, position: Any, move: Any, size: tuple[int, int]) -> list[int]:
    """Returns the numbers of the cells that a move goes to."""
    found = game.cells(position, move)
    numbers: list[int] = []
    try:
        for row, column in found:
            numbers.append(range(size[0])[row] * size[1] + range(size[1])[column])
            if row < 0 or column < 0:
                raise IndexError(row, column)
    except (IndexError, TypeError, ValueError) as error:
        help = f"expected pairs of a row and a column of a board of {size[0]}x{size[1]}"
        raise GameError(f"cells() returns {found!r}", help=help) from error
    return numbers


def picture_of(game: Any, position: Any) -> Optional[str]:
    """Returns the picture of a position."""
    picture = game.picture(position)
    if picture is not None and not isinstance(picture, str):
        raise GameError(f"picture() returns {picture!r}", help="expected an SVG file as text, or None")
    return picture
