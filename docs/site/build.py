"""Build the documentation as a site: `python -m docs.site.build [FOLDER]`, or `make docs`.

The pages are the Markdown of this repository, which people also read where it stands. This program
collects them, adds the references of the API and the gallery, and hands them to Zensical, whose
warnings are errors. A link to a file that is no page leads to a copy of that file. The site is then
in `FOLDER/site`; the usual folder is build/docs.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from docs.site import gallery, reference

ROOT = Path(__file__).parents[2]
SITE = Path(__file__).parent
PICTURES = ROOT / "docs" / "pictures"
TOP = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
LINK = re.compile(r"(!?)\[((?:[^]\[]|\[[^]]*\])*)\]\(([^)\s]+)\)")
CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`(?!\]))", re.MULTILINE | re.DOTALL)
GROUPS = {"Guides": "", "Rules": "rules", "How to play": "play", "API": "api"}
"""Parts of the navigation that list all pages of a folder."""


class Pages:
    """The pages of a site before they are built.

    Args:
        folder: to write them to.

    Attributes:
        places: each page of the repository -> its place in the folder.
    """

    def __init__(self, folder: Path) -> None:
        self.places = {ROOT / name: Path(place) for name, place in TOP.items()}
        for path in sorted((ROOT / "docs").rglob("*.md")):
            place = path.relative_to(ROOT / "docs")
            self.places[path] = place.with_name("index.md") if place.name == "README.md" else place
        self._folder = folder

    def collect(self) -> None:
        """Copy the pages and what they show; links lead to where things are in the site."""
        for source, place in self.places.items():
            parts = CODE.split(source.read_text(encoding="utf-8"))
            link = partial(self._link, source, "../" * (len(place.parts) - 1))
            parts[::2] = [LINK.sub(link, part) for part in parts[::2]]
            target = self._folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("".join(parts), encoding="utf-8")
        if PICTURES.is_dir():
            shutil.copytree(PICTURES, self._folder / "pictures", dirs_exist_ok=True)

    def _link(self, source: Path, up: str, match: re.Match[str]) -> str:
        """Return a link of a page as it is in the site."""
        picture, text, target = match.groups()
        if "://" in target or target.startswith(("#", "mailto:")):
            return match[0]
        name, _, anchor = target.partition("#")
        path = (source.parent / name).resolve()
        if path.is_dir() and path / "README.md" in self.places:
            path = path / "README.md"
        if path.is_dir():
            return str(text)
        where = self.places.get(path) or self._copied(path)
        return f"{picture}[{text}]({up}{where.as_posix()}{'#' + anchor if anchor else ''})"

    def _copied(self, path: Path) -> Path:
        """Copy a file that is no page; returns its place."""
        if path.parent == PICTURES:
            return Path("pictures", path.name)
        place = Path("files", path.relative_to(ROOT))
        if path.suffix == ".md":  # else it would be a page outside of the navigation
            place = place.with_suffix(".md.txt")
        (self._folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, self._folder / place)
        return place


def configuration(places: Iterable[Path]) -> str:
    """Return the configuration, with the pages of the groups in its navigation."""
    text = (SITE / "zensical.toml").read_text(encoding="utf-8")
    named = set(re.findall(r'"([^"]+\.md)"', text))
    for title, folder in GROUPS.items():
        inside = sorted(
            (page for page in places if page.parent == Path(folder) and str(page) not in named),
            key=lambda page: (page.stem != "index", page),
        )
        listed = ", ".join(f'"{page.as_posix()}"' for page in inside)
        text = re.sub(rf'("{title}" = )"\w+"', rf"\1[{listed}]", text)
    return text


def build(folder: Path) -> None:
    """Build the site.

    Raises:
        SystemExit: Zensical has warnings, which are printed.
    """
    shutil.rmtree(folder, ignore_errors=True)
    below = folder / "pages"
    below.mkdir(parents=True)
    pages = Pages(below)
    pages.collect()
    written = [*reference.write(below / "api"), *gallery.write(below)]
    places = [*pages.places.values(), *(path.relative_to(below) for path in written)]
    (folder / "zensical.toml").write_text(configuration(places), encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "-f", "zensical.toml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    print(done.stdout + done.stderr)
    if done.returncode or re.search(r"^\s*warning", done.stdout + done.stderr, re.I | re.M):
        raise SystemExit("the site has warnings, see above")
    print(f"{len(places)} pages: {folder / 'site' / 'index.html'}")


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "docs")
