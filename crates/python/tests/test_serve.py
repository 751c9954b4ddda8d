"""The explorer's pages, of presets and of games written in Python."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from urllib.parse import quote

import pytest

import balpan
from conftest import ROOT
from test_own import OneHeap
from test_register import Bad, Chomp, again


@pytest.fixture(scope="module")
def pages() -> Iterator[balpan.Pages]:
    with balpan.serve(port=0) as served:
        yield served


def get(pages: balpan.Pages, path: str, code: int = 200) -> str:
    url = pages.url.split("/play/")[0].rstrip("/") + path
    try:
        with urllib.request.urlopen(url, timeout=60) as response:
            found, text = response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        found, text = error.code, error.read().decode()
    # A page may come before its values.
    assert found in ((200, 202) if code == 200 else (code,)), text
    return str(text)


def test_registered_games_have_all_pages(pages: balpan.Pages) -> None:
    balpan.register("chocolate", Chomp())
    assert "/play/chocolate" in get(pages, "/") and "/play/nim" in get(pages, "/")
    page = get(pages, "/play/chocolate")
    # The board can be clicked on, and hostile words are escaped.
    assert "/play/chocolate?moves=1%2C1" in page or "moves=1,1" in page
    assert "eat a square with all below it and to its right &lt;b&gt;" in get(pages, "/") and "its right <b>" not in page
    assert "촘프" in get(pages, "/games/chocolate?lang=ko")
    assert "1,1" in get(pages, "/review/chocolate?moves=0,3;2,0;1,1")
    assert "<svg" in get(pages, "/board/chocolate.svg")
    assert "34" in get(pages, "/census/chocolate")
    get(pages, "/tree/chocolate?at=" + quote("..##/.###/####"))
    assert '"remoteness"' in get(pages, "/api/v1/solve/chocolate")
    for name in ["dots", "ponghauki"]:
        again(name, **({"board": "3x3"} if name == "dots" else {}))
        page = get(pages, f"/play/{name}-again")
        assert f"/play/{name}-again?" in page


def test_hostile_texts_are_escaped(pages: balpan.Pages) -> None:
    hostile = "<script>alert(1)</script>'\"&"

    class Hostile(OneHeap):
        about = about_ko = hostile

        def text(self, heap: int) -> str:
            return f"{hostile}{heap}"

        def move_text(self, heap: int, taken: int) -> str:
            return f"<img/src=x/onerror=alert({taken})>'\""

        def picture(self, heap: int) -> str:
            return f"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'>{hostile}</svg>"

    balpan.register("hostile", Hostile())
    at = quote(hostile + "3")
    for path in ["/", "/play/hostile", f"/play/hostile?at={at}", "/games/hostile", "/census/hostile", "/tree/hostile"]:
        page = get(pages, path)
        assert "<script>alert" not in page and "<img/src" not in page and "onload='alert" not in page, path
    assert "data:image/svg+xml" in get(pages, "/play/hostile")
    assert "<script>alert" not in get(pages, f"/play/hostile?at={quote(hostile)}", 400)


def test_an_exception_becomes_a_page(pages: balpan.Pages) -> None:
    balpan.register("bad", Bad())
    for path in ["/play/bad", "/play/bad?at=2", "/census/bad", "/tree/bad", "/review/bad?moves=1;2"]:
        page = get(pages, path, 500)
        assert "KeyError" in page and "at the position 2" in page, path
    assert "규칙에서 오류" in get(pages, "/play/bad?lang=ko", 500)
    assert '"error"' in get(pages, "/api/v1/solve/bad", 500)
    # The server goes on.
    assert "bad" in get(pages, "/play/bad?at=1")
    get(pages, "/play/nim")


def test_a_slow_game_does_not_stall_others(pages: balpan.Pages) -> None:
    class Busy(OneHeap):
        def start(self) -> int:
            return 3000

        def moves(self, heap: int) -> Iterable[int]:
            end = time.monotonic() + 0.002
            while time.monotonic() < end and heap < 3000:
                pass
            return super().moves(heap)

    balpan.register("busy", Busy())
    asker = threading.Thread(target=get, args=(pages, "/play/busy"))
    asker.start()
    begin = time.monotonic()
    for _ in range(3):
        get(pages, "/play/nim?at=3+5")
        get(pages, "/play/tictactoe")
    assert time.monotonic() - begin < 10
    asker.join(60)


def test_serving_starts_and_stops() -> None:
    platforms = balpan.game("platforms", board="3x3", torus=True)
    served = platforms.serve(port=0)
    assert "/play/platforms?torus=true&at=" in served.url and served.url in repr(served)
    assert "platforms" in get(served, "/play/platforms?torus=true")
    port = int(served.url.split(":")[2].split("/")[0])
    with pytest.raises(balpan.ArgumentError, match=f"port {port}"):
        balpan.serve(port=port)
    waiter = threading.Thread(target=served.wait)
    waiter.start()
    served.stop()
    served.stop()
    waiter.join(10)
    assert not waiter.is_alive()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(served.url, timeout=5)
    with balpan.serve(OneHeap(), port=0) as own:
        assert own.url.endswith("/play/oneheap") and "oneheap" in get(own, "/play/oneheap")
    with pytest.raises(balpan.GameError, match="no name for the pages"):
        balpan.serve(balpan.rules('family = "lines"\nboard = "1x5"\nk = 3'), port=0)
    with pytest.raises(balpan.GameError):
        balpan.serve("nim", port=0)


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("waits", [True, False])
def test_ctrl_c_ends_a_script(waits: bool) -> None:
    wait = "pages.wait()" if waits else "import time; time.sleep(60)"
    program = f"import balpan\npages = balpan.serve(port=0)\nprint(pages.url, flush=True)\n{wait}\nprint('end')"
    script = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert script.stdout is not None and script.stdout.readline().startswith("http://127.0.0.1:")
    time.sleep(0.3)
    script.send_signal(signal.SIGINT)
    out, error = script.communicate(timeout=30)
    assert (out, script.returncode) == (("end\n", 0) if waits else ("", -signal.SIGINT)), error
