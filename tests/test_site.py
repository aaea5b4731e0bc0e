"""The documentation as a site: `make docs`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; returns its folder."""
    pytest.importorskip("zensical")
    folder = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "docs.site.build", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def text_of(site: Path, page: str) -> str:
    html = (site / page / "index.html").read_text(encoding="utf-8")
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", html))


def test_the_site_has_all_pages(site: Path) -> None:
    for page in ("tutorials/player", "does-it-see-my-cards", "rules/hearts", "agents", "notebooks"):
        assert (site / page / "index.html").is_file()
    assert "An AI opponent and solver" in text_of(site, ".")


def test_the_references_have_the_words_of_protos_and_docstrings(site: Path) -> None:
    service = text_of(site, "api/analysis_service")
    assert "AnalysisService.SelectMove" in service
    assert "RESOURCE_EXHAUSTED" in service
    library = text_of(site, "api/kingmaker")
    assert "Limits of a search; the first one reached ends it." in library
    assert "Position.legal_moves" in library
    assert "features_of" in text_of(site, "api/kingmaker.cext.game")


def test_the_gallery_hides_what_is_hidden(site: Path) -> None:
    pictures = {path.stem: path for path in (site / "gallery").glob("*.svg")}
    assert {"hearts", "chessault", "kingdom_coinquest"} <= set(pictures)
    assert "hidden" in pictures["code_of_chivalry"].read_text(encoding="utf-8")


def test_links_to_other_files_lead_to_copies(site: Path) -> None:
    assert (site / "files" / "examples" / "bot.py").is_file()
    page = (site / "bots" / "index.html").read_text(encoding="utf-8")
    assert "files/examples/bot.py" in page


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="https?://[^"]*\.(?:js|css|woff2?)', page)
