"""What the documents show is so."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from conftest import ROOT

DOCUMENTS = ["docs/python.md", "README.md", "crates/python/README.md"]
PACKAGE = Path(__file__).resolve().parents[1]


def shown(document: str) -> str:
    """All that is shown as a session of Python."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return "\n".join(part.split("```", 1)[0] for part in text.split("```pycon\n")[1:])


@pytest.mark.parametrize("document", DOCUMENTS)
def test_sessions(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    session = doctest.DocTestParser().get_doctest(shown(document), {}, document, document, 0)
    assert session.examples
    told: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(session, out=told.append)
    assert not told, "".join(told)


@pytest.mark.parametrize("name", ["nim", "chomp", "dots_and_boxes"])
def test_examples_stand_in_the_documents(name: str) -> None:
    text = (PACKAGE / "examples" / f"{name}.py").read_text(encoding="utf-8")
    documents = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    begin = text.index("class ")
    end = text.index("\n\n\nif __name__")
    assert text[begin:end] in documents
