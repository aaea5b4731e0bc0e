"""`kingmaker token`: a token, and the lines of the server's file for it."""

from __future__ import annotations

from typing import Annotated

import typer

from kingmaker.server.roles import Role

from .output import JsonFlag, write_json


def token(
    name: Annotated[str, typer.Argument(help="Name of the caller that gets the token.")],
    role: Annotated[
        list[Role], typer.Option("--role", help="What the token allows; may be repeated.")
    ] = [Role.PLAYER],  # noqa: B006
    json: JsonFlag = False,
) -> None:
    """Make a token for a caller, and the lines for the server's file of tokens.

    The token is shown this once: the file has only its hash.
    """
    # Imported here so that `--help` does not wait for it.
    from kingmaker.server.tokens import check_name, make_token

    check_name(name)
    made, digest = make_token()
    roles = [each.value for each in role]
    if json:
        write_json({"name": name, "token": made, "sha256": digest, "roles": roles})
        return
    quoted = ", ".join(f'"{each}"' for each in roles)
    print(f'token for {name}: {made}\n\n["{name}"]\nsha256 = "{digest}"\nroles = [{quoted}]')
