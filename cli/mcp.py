"""`kingmaker mcp`: the tools for agents, over standard input and output or HTTP."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from kingmaker.cext.errors import InputError

KEY = "KINGMAKER_MCP_KEY"


def mcp(
    http: Annotated[
        str,
        typer.Option(
            "--http",
            metavar="HOST:PORT",
            help="Serve HTTP at /mcp; default: standard input and output.",
        ),
    ] = "",
    hide_moves: Annotated[
        bool,
        typer.Option(
            "--hide-moves", help="Hide the legal moves, and advice that would reveal them."
        ),
    ] = False,
    takebacks: Annotated[
        bool, typer.Option("--takebacks", help="Let agents continue from earlier positions.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            help="Seed of chance in all games, by the order in which they are started.",
            show_default=False,
        ),
    ] = None,
    max_ms: Annotated[
        float, typer.Option("--max-ms", help="Longest time of a search, in milliseconds.")
    ] = 5000,
    expire_hours: Annotated[
        float, typer.Option("--expire-hours", help="Hours after which a game expires.")
    ] = 168,
) -> None:
    """Let agents play and be coached, by tools of the Model Context Protocol."""
    address = _address(http) if http else None
    from kingmaker.agents.play import Rules
    from kingmaker.agents.server import make_server

    keys = tuple(key for key in os.environ.get(KEY, "").split(",") if key)
    rules = Rules(hides_moves=hide_moves, allows_takebacks=takebacks, max_ms=max_ms, seed=seed)
    server = make_server(rules, keys=keys, expire_hours=expire_hours)
    if address is None:
        server.run("stdio")
        return
    host, port = address
    server.run("streamable-http", host=host, port=port, stateless_http=True, json_response=True)


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise InputError(f"{text!r} is not HOST:PORT, as 127.0.0.1:8000", field="http", value=text)
    return host, int(port)
