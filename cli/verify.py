"""`kingmaker verify`: runs the worked examples of rules pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kingmaker.search.scenario import CheckResult, verify_page

from .output import JsonFlag, complain, working, write_json


def verify(
    files: Annotated[list[Path], typer.Argument(help="Markdown pages, each named for its game.")],
    json: JsonFlag = False,
) -> None:
    """Check every line of every scenario block; exit code 1 if any fails."""
    results: list[CheckResult] = []
    with working("verifying"):
        for file in files:
            found = verify_page(file)
            if not found:
                complain(f"{file} has no scenario blocks", kind="note")
            results += found
    failed = [result for result in results if not result.has_passed]
    num_passed = len(results) - len(failed)
    if json:
        write_json(
            {
                "passed": num_passed,
                "failed": len(failed),
                "failures": [
                    {
                        "file": str(result.path),
                        "line": result.number,
                        "script": result.line,
                        "message": result.message,
                    }
                    for result in failed
                ],
            }
        )
    else:
        for result in failed:
            print(result)
        print(f"{num_passed} passed, {len(failed)} failed")
    if failed:
        raise typer.Exit(1)
