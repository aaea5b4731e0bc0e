"""A session at a terminal as an animated SVG: real commands, at a pace that can be followed."""

from __future__ import annotations

import os
import pty
import re
import select
import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap

COLUMNS, ROWS = 92, 30
SECONDS = 20.0
END_SECONDS = 3.0  # that the last screen stays
OUTPUT_SECONDS = 60.0  # until a program is taken to hang
FONT = 14
WIDE, HIGH = 8.43, 18  # of a character, in pixels
PROMPT = re.compile(r"p\d> (?:\x1b\[[0-9;?]*[A-Za-z])*$")
ESCAPE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")
UP = "\x1b[1A"
COLOURS = ["#7d786d", "#ff8a80", "#7fc97f", "#e0a83c", "#6bb6e8", "#d7a6e8", "#6fd0c8", "#ece8df"]

Session = list[tuple[float, list[str]]]
"""What appears: the weight of the pause before it, and its lines."""


def record(command: list[str], answers: list[str]) -> Session:
    """Run a command at a terminal, and type an answer at each of its prompts.

    What it keeps in the home folder of its user, such as the game, is dropped.

    Raises:
        TimeoutError: it neither asked nor ended.
    """
    with TemporaryDirectory() as home:
        settings = {"COLUMNS": str(COLUMNS), "LINES": str(ROWS), "TERM": "xterm-256color"}
        settings |= {"HOME": home, "XDG_CONFIG_HOME": home}
        return _record(command, answers, {**os.environ, **settings})


def _record(command: list[str], answers: list[str], environment: dict[str, str]) -> Session:
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, environment)
    session: Session = [(1.5, [f"\x1b[1m$ kingmaker {' '.join(command[1:])}\x1b[0m"])]
    for answer in [*answers, None]:
        lines = _screen(_read(terminal))
        if answer is None:
            session.append((1.0, [line for line in lines if line]))
        else:
            session += [(1.0, lines[:-1]), (1.2, [lines[-1] + answer])]
            os.write(terminal, f"{answer}\n".encode())
            _read_echo(terminal, answer)
    os.close(terminal)
    os.waitpid(child, 0)
    return session


def _read(terminal: int) -> str:
    """Read until the program asks or ends."""
    text = ""
    while not PROMPT.search(text):
        ready, _, _ = select.select([terminal], [], [], OUTPUT_SECONDS)
        if not ready:
            raise TimeoutError(f"the program neither asks nor ends after {text!r}")
        try:
            part = os.read(terminal, 65536)
        except OSError:  # it has ended
            break
        if not part:
            break
        text += part.decode(errors="replace")
    return text


def _screen(text: str) -> list[str]:
    """Return the lines in the end, without those that were overwritten, such as a spinner's."""
    lines: list[str] = []
    for line in text.split("\n"):
        del lines[len(lines) - line.count(UP) :]
        lines.append(line.rstrip("\r").rpartition("\r")[2])
    return lines


def _read_echo(terminal: int, answer: str) -> None:
    """Skip what the terminal shows of what was typed."""
    echo = b""
    while b"\n" not in echo:
        echo += os.read(terminal, 1)


def animation(session: Session) -> str:
    """Draw a session; the screen scrolls as a terminal does, and begins again at the end."""
    shown = [(weight, _wrapped(lines)) for weight, lines in session]
    scale = (SECONDS - END_SECONDS) / sum(weight for weight, _ in shown)
    now, count = 0.0, 0
    texts, frames, moves = [], [], ["0%{transform:translateY(0)}"]
    for step, (weight, lines) in enumerate(shown):
        now += weight * scale
        percent = 100 * now / SECONDS
        frames.append(
            f"@keyframes s{step}{{0%{{opacity:0}}{percent:.2f}%,100%{{opacity:1}}}}"
            f".s{step}{{animation:s{step} {SECONDS:g}s step-end infinite}}"
        )
        rows = "".join(_row(line, count + row) for row, line in enumerate(lines))
        texts.append(f'<g class="s{step}">{rows}</g>')
        count += len(lines)
        up = max(count - ROWS, 0) * HIGH
        moves.append(f"{percent:.2f}%{{transform:translateY(-{up}px)}}")
    last = f"transform:translateY(-{max(count - ROWS, 0) * HIGH}px)"
    return _svg("".join(texts), "".join(frames), "".join(moves), last)


def _svg(texts: str, frames: str, moves: str, last: str) -> str:
    width, height = round(COLUMNS * WIDE + 32), ROWS * HIGH + 56
    style = (
        f"text{{font:{FONT}px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
        "fill:#ece8df;white-space:pre}.b{font-weight:700}"
        + "".join(f".c{i}{{fill:{colour}}}" for i, colour in enumerate(COLOURS))
        + f"{frames}@keyframes up{{{moves}100%{{{last}}}}}"
        f".all{{animation:up {SECONDS:g}s step-end infinite}}"
        # Who wants no motion sees the end.
        f"@media (prefers-reduced-motion:reduce){{g{{animation:none!important}}.all{{{last}}}}}"
    )
    dots = "".join(f'<circle cx="{20 + 18 * i}" cy="18" r="6" fill="#4a463f"/>' for i in range(3))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-label="A game at the terminal"><style>{style}</style>'
        f'<rect width="{width}" height="{height}" rx="10" fill="#191816"/>{dots}'
        f'<svg x="16" y="38" width="{width - 32}" height="{ROWS * HIGH + 6}">'
        f'<g class="all">{texts}</g></svg></svg>\n'
    )


def _row(line: str, row: int) -> str:
    """Write a line with its colours."""
    spans, classes, at = [], "", 0
    for found in [*ESCAPE.finditer(line), None]:
        part = line[at : found.start() if found else len(line)]
        if part:
            words = escape(part, quote=False)
            spans.append(f'<tspan class="{classes}">{words}</tspan>' if classes else words)
        if found is None:
            break
        at = found.end()
        if found[2] == "m":
            classes = _classes(classes, found[1])
    return f'<text y="{row * HIGH + FONT}" xml:space="preserve">{"".join(spans)}</text>'


def _classes(classes: str, codes: str) -> str:
    """Follow the codes of a change of style, as far as our commands use them."""
    kept = set(classes.split())
    for code in map(int, codes.split(";")) if codes else [0]:
        if code == 0:
            kept = set()
        elif code == 1:
            kept.add("b")
        elif code == 2:
            kept.add("c0")
        elif 30 <= code <= 37 or 90 <= code <= 97:
            kept = {each for each in kept if each[0] != "c"} | {f"c{code % 10}"}
    return " ".join(sorted(kept))


def _wrapped(lines: list[str]) -> list[str]:
    """Break lines that are wider than the terminal, between words."""
    broken = []
    for line in lines:
        plain = ESCAPE.sub("", line)
        indent = " " * (len(plain) - len(plain.lstrip()))
        fits = len(plain) <= COLUMNS
        broken += [line] if fits else wrap(plain, COLUMNS, subsequent_indent=indent)
    return broken


def make(file: Path) -> None:
    """Record a game with a hint, and hints for a line of notation."""
    program = str(Path(sys.executable).with_name("kingmaker"))
    play = [program, "play", "kingdom_coinquest", "--seed", "7", "--level", "3"]
    hint = [program, "hint", OBSERVATION, "--top", "2", "--seed", "1"]
    session = record(play, ["1", "1", "1", "hint", "2", "1", "quit"])
    quoted = record(hint, [])
    quoted[0] = (1.5, [quoted[0][1][0].replace(OBSERVATION, f"'{OBSERVATION}'")])
    file.write_text(animation(session + quoted), encoding="utf-8")


OBSERVATION = "ttt board=.../oo./xx. node=play:p1 @p1"
