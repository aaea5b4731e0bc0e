"""The command line: all commands, and how their errors are reported."""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Annotated, Any

import grpc
import typer
from typer.core import TyperGroup

from kingmaker.cext.errors import InputError

from .analyze import analyze
from .bench import bench
from .games import games
from .hint import hint
from .ladder import app as ladder
from .output import CommandError, complain
from .play import play
from .replay import replay
from .serve import serve
from .solve import solve
from .verify import verify

INPUT_ERROR, FAILURE, SERVER_ERROR, MEMORY_ERROR, INTERRUPTED = 2, 1, 1, 1, 130


class _Commands(TyperGroup):
    """Reports expected errors as one line on stderr and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except InputError as error:
            complain(str(error))
            raise typer.Exit(INPUT_ERROR) from None
        except CommandError as error:
            complain(str(error))
            raise typer.Exit(FAILURE) from None
        except MemoryError:
            complain("there is not enough memory for this search; lower its memory limit")
            raise typer.Exit(MEMORY_ERROR) from None
        except typer.BadParameter as error:
            complain(error.format_message())
            raise typer.Exit(INPUT_ERROR) from None
        except grpc.RpcError as error:
            complain(_server_error(error))
            raise typer.Exit(SERVER_ERROR) from None
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # The reader of our output has closed the pipe; nothing is left to flush.
            sys.stdout = None
            raise typer.Exit(0) from None


def _server_error(error: grpc.RpcError) -> str:
    code = error.code() if isinstance(error, grpc.Call) else None
    details = error.details() if isinstance(error, grpc.Call) else str(error)
    if code is grpc.StatusCode.UNAVAILABLE:
        return f"the server can't be reached: {details}"
    return f"the server refuses ({code.name if code else 'unknown'}): {details}"


app = typer.Typer(
    name="kingmaker",
    cls=_Commands,
    help="An AI opponent and solver for tabletop games with hidden hands and dice.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
for command in (serve, games, play, analyze, hint, solve, bench, verify, replay):
    app.command()(command)
app.add_typer(ladder, name="ladder")


def _show_version(wanted: bool) -> None:
    if wanted:
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
    app()
