"""A PostgreSQL server of the tests' own: in a folder of its own, reached by a socket in it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

USER = "kingmaker"


class PostgresqlServer:
    """A server that may be stopped and started.

    It trusts whoever reaches its socket, and doesn't wait for the disk: what survives a kill of
    its clients needs no more.
    """

    def __init__(self, folder: Path) -> None:
        self._data = folder / "data"
        self._folder = folder
        self._url = f"postgresql://{USER}@/postgres?host={folder}"
        self._num_schemas = 0
        self._run("initdb", "--auth=trust", "--no-sync", "--encoding=UTF8", f"--username={USER}")

    def empty_database(self) -> str:
        """Give the address of a database with nothing in it: a new schema, which is made fast."""
        import psycopg  # here, as every test process reads this file
        from psycopg.sql import SQL, Identifier

        self._num_schemas += 1
        schema = f"ladder{self._num_schemas}"
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(schema)))
        return f"{self._url}&options=-csearch_path%3D{schema}"

    def start(self) -> None:
        options = f"-c listen_addresses='' -c fsync=off -k {self._folder}"
        self._run("pg_ctl", "start", "--wait", "-l", f"{self._folder}/log", "-o", options)

    def stop(self) -> None:
        self._run("pg_ctl", "stop", "--wait", "--mode=immediate")

    def _run(self, name: str, *arguments: str) -> None:
        """Run a program of PostgreSQL; none of them runs as root."""
        path = program(name)
        assert path is not None, f"PostgreSQL lacks {name}"
        is_root = os.getuid() == 0
        subprocess.run(
            [path, "-D", self._data, *arguments],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # no pipe: the server would hold it open
            cwd=self._folder,
            user=server_user() if is_root else None,
            extra_groups=[] if is_root else None,
        )


@contextmanager
def postgresql_server() -> Iterator[PostgresqlServer]:
    """Make and start a server; at the end nothing of it is left."""
    # Not pytest's folder, which other users can't enter, and whose name may be too long for a
    # socket.
    folder = Path(tempfile.mkdtemp(prefix="kingmaker-pg-"))
    if os.getuid() == 0:
        os.chown(folder, pwd.getpwnam(server_user()).pw_uid, -1)
    try:
        server = PostgresqlServer(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def server_user() -> str:
    """Name a user for the server when we are root."""
    names = {user.pw_name for user in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@cache
def program(name: str) -> str | None:
    """Find a program of PostgreSQL, which Debian keeps off the path; None if there is none."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name)
    folders = [os.environ.get("PATH", ""), *map(str, reversed(versions))]
    return shutil.which(name, path=os.pathsep.join(folders))
