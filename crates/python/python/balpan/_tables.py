"""Tables as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Table:
    """A titled table with a head and some marked rows."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    marked: Collection[int] = ()

    def html(self) -> str:
        """Returns the table as HTML."""
        cells = "".join(f"<th>{escape(cell)}</th>" for cell in self.head)
        lines = [f"<p><b>{escape(self.title)}</b></p>", f"<table><thead><tr>{cells}</tr></thead><tbody>"]
        for n, row in enumerate(self.rows):
            cells_html = [f"<b>{escape(cell)}</b>" if n in self.marked else escape(cell) for cell in row]
            lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells_html) + "</tr>")
        lines.append("</tbody></table>")
        return "".join(lines)
