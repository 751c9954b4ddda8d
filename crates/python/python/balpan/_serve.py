"""The pages of the explorer."""

from __future__ import annotations

import atexit
import time
import webbrowser
import weakref
from types import TracebackType
from typing import Any, Optional, Union
from urllib.parse import quote, urlencode

from . import _balpan
from ._arguments import bytes_of, whole
from ._errors import GameError
from ._games import RulesGame, presets
from ._games import game as preset
from ._own import register_by_class

__all__ = ["Pages", "serve"]


class Pages:
    """Pages that are served, made by :func:`serve`. In a ``with`` statement, they are served until its end.

    :ivar url: the address of the first page: that of the game given first, or of the list of all games
    """

    url: str

    def __init__(self, server: _balpan.PageServer, path: str) -> None:
        self._server = server
        self.url = f"http://127.0.0.1:{server.port}{path}"
        _serving.add(self)

    def wait(self) -> None:
        """Serves until Ctrl-C, or until another thread calls :meth:`stop`."""
        try:
            while self._server.is_running:
                time.sleep(0.05)
        except KeyboardInterrupt:
            self.stop()

    def stop(self) -> None:
        """Stops serving."""
        self._server.stop()

    def __enter__(self) -> Pages:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<pages at {self.url}>"


_serving: weakref.WeakSet[Pages] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    for pages in list(_serving):
        pages.stop()


def serve(*games: Any, port: int = 8000, open: bool = False, memory: Union[int, str] = "1G") -> Pages:
    """Serves the explorer's pages on this machine, with all presets and registered games: every move of a position with its value,
    reviews, trees, puzzles. Returns at once; a script calls :meth:`Pages.wait` to serve until Ctrl-C.

    An exception of a game's method becomes a page that says at which position.

    :param games: games of :func:`balpan.game` or :func:`balpan.register`; or a :class:`Game`, which is registered
        by the name of its class in lower case, with ``my-`` before it if a preset has that name. The first page is that of the first game.
    :param port: the port; 0 takes one that is free
    :param open: whether to open the first page in a browser
    :param memory: the most bytes for tables, or text such as ``"512M"``
    :raises GameError: if something is not a game, or one of a rules file, which has no name for the pages

    >>> import balpan
    >>> with balpan.serve(balpan.game("nim"), port=0) as pages:
    ...     pages.url.endswith("/play/nim")
    True
    """
    paths = [_path(game) for game in games] or ["/"]
    server = _balpan.PageServer(whole("port", port, most=65535), bytes_of(memory))
    pages = Pages(server, paths[0])
    if open:
        webbrowser.open(pages.url)
    return pages


def _path(game: Any) -> str:
    """Returns the path of a game's page."""
    if not isinstance(game, RulesGame):
        game = register_by_class(game)
    if game.name not in presets():
        help = "the pages know the games of balpan.game() and balpan.register()"
        raise GameError(f"{game!r} has no name for the pages", help=help)
    changes = dict(change.split("=", 1) for change in game._game.non_default_rules)
    start = game.start.text
    if start != preset(game.name).start.text:
        changes["at"] = start
    return f"/play/{quote(game.name)}" + (f"?{urlencode(changes)}" if changes else "")
