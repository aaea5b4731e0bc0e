"""`kingmaker serve`: the gRPC service, with one flag for every setting."""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import ValidationError
from pydantic_settings import BaseSettings
from rich.markup import escape
from typer.core import TyperCommand

from kingmaker.cext.errors import InputError
from kingmaker.ladder.model import faults_of
from kingmaker.server.settings import ServerSettings

from .output import JsonFlag, write_json

if TYPE_CHECKING:
    from kingmaker.server.app import RunningServer


def serve(json: JsonFlag = False, **flags: str | None) -> None:
    """Run the service until SIGTERM or Ctrl-C.

    Settings come from flags, from the environment (KINGMAKER_PORT, ...) and from the file that
    --config names, in this order. With --json log lines are JSON.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    if json:
        given.setdefault("log_format", "json")
    # Imported here so that no other command waits for the server's imports.
    from kingmaker.server.app import serve as run_service

    code = run_service(_settings(given), partial(_try, _announce_json if json else _announce))
    raise typer.Exit(code)


def _try(announce: Callable[[RunningServer], None], server: RunningServer) -> None:
    """Say where the server is; it serves even if that can't be written, as on a full disk."""
    try:
        announce(server)
    except OSError:
        # What is left in its buffer would fail again at the exit, and change the exit code.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 until the exit


def _announce(server: RunningServer) -> None:
    command = sys.argv[0]  # the path of this call, so that the line can be pasted
    address, settings = _reached(server.address), server.settings
    url = server.url and _reached(server.url)
    needed = ""
    if settings.tls_certificate:
        needed += "KINGMAKER_CLIENT_CA=FILE "
    if not settings.anonymous_roles:
        needed += "KINGMAKER_CLIENT_TOKEN=TOKEN "
    print(
        f"Kingmaker listens on {server.address}; Ctrl-C stops it. In another terminal try:\n"
        f"  {needed}{command} play kingdom_coinquest --server {address}"
    )
    if settings.reflection and not needed:
        print(f"  grpcurl -plaintext {address} list")
    if url is None:
        print("With --web 127.0.0.1:50080 there is a page to play on, too.", flush=True)
    else:
        print(f"Play in a browser: {url}/", flush=True)


def _reached(where: str) -> str:
    """Name this machine in an address that means all of its own: no certificate has that."""
    return re.sub(r"(?<![\w.])(0\.0\.0\.0|\[::\]):", "localhost:", where)


def _announce_json(server: RunningServer) -> None:
    write_json({"address": server.address, "url": server.url}, indent=None)


def _settings(given: dict[str, Any]) -> ServerSettings:
    """Validate settings.

    Raises:
        InputError: a setting of flags, environment or file is wrong; the message lists all.
    """
    try:
        return ServerSettings(**given)
    except ValidationError as error:
        problems = (": ".join(filter(None, fault)) for fault in faults_of(error))
        raise InputError("; ".join(problems), field="settings") from None
    except (OSError, ValueError) as error:
        raise InputError(str(error), field="settings") from None


def _metavar(name: str, kind: Any) -> str:
    if name == "config":
        return "FILE"
    return "[true|false]" if kind is bool else "VALUE"


class _Serve(TyperCommand):
    """Takes a flag that stands alone, such as `--mcp`, for true; Typer would take the next word."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_with_values(args)))


def _with_values(words: Sequence[str]) -> Iterator[str]:
    settings = ServerSettings.model_fields
    alone = {_flag(name) for name, each in settings.items() if each.annotation is bool}
    for word, following in pairwise([*words, "-"]):
        yield f"{word}=true" if word in alone and following.startswith("-") else word


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _signature(settings: type[BaseSettings]) -> inspect.Signature:
    """Build a flag for every setting; values stay text, `Settings` checks them."""
    own = list(inspect.signature(serve, eval_str=True).parameters.values())[:1]
    flags = []
    for name, setting in settings.model_fields.items():
        default = setting.default
        if isinstance(default, Enum):
            default = default.value
        if isinstance(default, bool):
            default = str(default).lower()
        has_note = not setting.default_factory and default not in (None, "")
        text = (setting.description or "") + (f" (default: {default})" if has_note else "")
        option = typer.Option(
            _flag(name),
            help=escape(text),  # kingmaker[mcp] is no markup
            show_default=False,
            metavar=_metavar(name, setting.annotation),
        )
        flags.append(
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=Annotated[str | None, option],
            )
        )
    return inspect.Signature([*own, *flags])


serve.__signature__ = _signature(ServerSettings)  # type: ignore[attr-defined]

app = typer.Typer(add_completion=False, help=(serve.__doc__ or "").partition("\n")[0])
app.command("serve", cls=_Serve)(serve)
