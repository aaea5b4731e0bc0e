"""The command line: all commands, and how their errors are reported."""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from kingmaker.cext.errors import ContractError, InputError

from . import INTERRUPTED
from .output import CommandError, complain, open_missing_streams, tolerate_encoding

if TYPE_CHECKING:
    import grpc

# Each is a function or a Typer `app` in the module of its name, which is imported only when the
# command is called: none is to wait for what others need, nor `kingmaker --help` for all of it.
COMMANDS = {
    "serve": "Run the service until SIGTERM or Ctrl-C.",
    "health": "Ask a server whether it takes calls; exit code 1 if not.",
    "token": "Make a token for a caller, and the lines for the server's file of tokens.",
    "games": "List the games, or show the options, seats and notation of one.",
    "play": "Play a game against bots; with --json one JSON object per event is written.",
    "analyze": "Evaluate every move of a position (default: 3 seconds); "
    "Ctrl-C stops and shows the result.",
    "hint": "Suggest moves, each with its reasons (1 second by default).",
    "solve": "Solve a position with all its hands open, or a small game with hidden hands.",
    "mcp": "Let agents play and be coached, by tools of the Model Context Protocol.",
    "bench": "Measure speed and strength; prints each figure on stderr as soon as it is measured.",
    "verify": "Check every line of every scenario block; exit code 1 if any fails.",
    "check": "Check every position of random games; exit code 1 if there is a problem.",
    "replay": "Replay stored games and check every move, deal and result; "
    "exit code 1 if one is wrong.",
    "review": "Review finished games: luck, information or play.",
    "batch": "Analyze many positions, or review many games; continues where it stopped.",
    "ladder": "Rate bots against each other.",
    "train": "Train a net for a game by self-play, from nothing; continues where it stopped.",
}

EXTRAS = {
    "ladder": {"sqlalchemy", "alembic", "filelock", "scipy", "openskill", "jinja2", "matplotlib"},
    "postgres": {"psycopg"},
    "cluster": {"distributed"},
    "parquet": {"pyarrow"},
    "mcp": {"mcp", "cryptography"},
}
"""Extra -> the modules that it brings and that only some commands need."""

TOKEN_VARIABLE = "KINGMAKER_CLIENT_TOKEN"
CA_VARIABLE = "KINGMAKER_CLIENT_CA"
"""With the token that commands send to a server."""

HTTP_1 = "Failed parsing HTTP/2"
"""In the words of gRPC about a server that speaks something else."""

UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""Errors of a file that is written: the disk or the quota is full, for example."""

INPUT_ERROR, FAILURE, SERVER_ERROR, MEMORY_ERROR = 2, 1, 1, 1


class _Commands(TyperGroup):
    """Loads the called command; reports expected errors as one line on stderr and an exit code."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, _, rest = super().resolve_command(ctx, args)
        return name, _command(str(name)), rest

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except InputError as error:
            complain(_input_error(error))
            raise typer.Exit(INPUT_ERROR) from None
        except (CommandError, ContractError) as error:
            complain(str(error))
            raise typer.Exit(FAILURE) from None
        except ModuleNotFoundError as error:
            complain(_missing(error))
            raise typer.Exit(FAILURE) from None
        except MemoryError:
            complain("there is not enough memory for this search; lower its memory limit")
            raise typer.Exit(MEMORY_ERROR) from None
        except typer.BadParameter as error:
            complain(error.format_message().replace(": Value error, ", ": ", 1))
            raise typer.Exit(INPUT_ERROR) from None
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # The reader of our output has closed the pipe; nothing is left to flush.
            sys.stdout = None
            raise typer.Exit(0) from None
        except Exception as error:
            grpc = sys.modules.get("grpc")  # without it no server was called
            if grpc is None or not isinstance(error, grpc.RpcError):
                raise
            complain(_server_error(error))
            raise typer.Exit(SERVER_ERROR) from None


def _missing(error: ModuleNotFoundError) -> str:
    """Name the extra that brings a module.

    Raises:
        ModuleNotFoundError: none does, so that the installation is broken.
    """
    module = (error.name or "").partition(".")[0]
    for extra, modules in EXTRAS.items():
        if module in modules:
            return f"this needs {module}: pip install 'kingmaker[{extra}]'"
    raise error


def _input_error(error: InputError) -> str:
    """Describe an error with its field, where that is inside a line."""
    is_inside = error.field.startswith(("position.", "observation."))
    return f"{error.field}: {error}" if is_inside else str(error)


def _command(name: str) -> Any:
    """Import a command, and put it together as Typer would have done with all of them."""
    module = import_module(f".{name}", __package__)
    if hasattr(module, "app"):
        return typer.main.get_command(module.app)
    single = typer.Typer(add_completion=False)
    single.command(name)(getattr(module, name))
    return typer.main.get_command(single)


def _server_error(error: grpc.RpcError) -> str:
    import grpc  # has long been imported by what raised the error

    code = error.code() if isinstance(error, grpc.Call) else None
    details = error.details() if isinstance(error, grpc.Call) else str(error)
    if code is grpc.StatusCode.UNAVAILABLE and HTTP_1 in str(details):
        return (
            "the server can't be reached: it answers as one of HTTP/1; is this the HTTP port? "
            "Commands need the port of gRPC"
        )
    if code is grpc.StatusCode.UNAVAILABLE:
        hint = ""
        if "Socket closed" in str(details) and not os.environ.get(CA_VARIABLE):
            hint = f"; if it wants TLS, set {CA_VARIABLE}"
        return f"the server can't be reached: {details}{hint}"
    if code is grpc.StatusCode.UNAUTHENTICATED and not os.environ.get(TOKEN_VARIABLE):
        details = f"{details}; set {TOKEN_VARIABLE}"
    return f"the server refuses ({code.name if code else 'unknown'}): {details}"


app = typer.Typer(
    name="kingmaker",
    cls=_Commands,
    help="An AI opponent and solver for tabletop games with hidden hands and dice.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
for name, line in COMMANDS.items():
    app.command(name, help=line)(lambda: None)  # for the list of commands alone


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"kingmaker {version('kingmaker')}")
        raise typer.Exit


@app.callback()
def _common(
    _version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line."""
    open_missing_streams()
    tolerate_encoding()
    try:
        try:
            app()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = None
        sys.exit(0)
    except OSError as error:
        if error.errno not in UNWRITABLE or error.filename is not None:
            raise
        sys.stdout = None  # what is left in its buffer would fail again
        complain(f"the output can't be written: {error.strerror}")
        sys.exit(FAILURE)
