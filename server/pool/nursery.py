"""The process that worker processes are forked from.

It has loaded all that searches need and does nothing else: no gRPC, no threads, nothing that a fork
could break. So a worker is there within milliseconds, and workers share most of their memory.
(`multiprocessing` has the start method "forkserver" for that, but every process of that imports the
server's main module: https://github.com/python/cpython/issues/126631.)

`python -m kingmaker.server.pool.nursery FD` is started by processes.py. Over the socket FD comes a
byte with the socket of each new worker; back goes the end of each worker, as `END`.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from selectors import EVENT_READ, DefaultSelector

from .worker import serve_searches

# A terminal and some supervisors send signals to all processes of the server; it alone decides when
# workers end.
UNHEARD = (signal.SIGINT, signal.SIGTERM)
MMAP_BYTES = 1 << 20
END = struct.Struct("!ii")
"""Process id and exit code; the negative number of a signal that ended it."""


def start_nursery(control: socket.socket) -> subprocess.Popen[bytes]:
    """Start the process with its end of the control socket."""
    with _blocked_signals():  # in the process too, until it ignores them
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "kingmaker.server.pool.nursery", str(control.fileno())],
            pass_fds=(control.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=2,  # what a game prints is no output of the server
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                # Searches use numpy's random streams alone, and a process with threads must not
                # fork.
                "OPENBLAS_NUM_THREADS": "1",
                # Trees return to the system when they are freed. Otherwise glibc raises the
                # threshold after the first one, and each idle worker would keep up to 64 MiB.
                "MALLOC_MMAP_THRESHOLD_": str(MMAP_BYTES),
            },
        )


@contextmanager
def _blocked_signals() -> Iterator[None]:
    """Hold signals back for the duration of the block, and of the life of what it starts."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, UNHEARD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def main() -> None:
    """Fork workers until the server is gone."""
    for number in UNHEARD:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, UNHEARD)
    control = socket.socket(fileno=int(sys.argv[1]))
    child_ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    gc.collect()
    gc.freeze()  # collections in workers leave these objects, and so the shared pages, alone
    with DefaultSelector() as selector:
        selector.register(control, EVENT_READ)
        selector.register(child_ended, EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj == child_ended:
                    os.read(child_ended, 64)
                    _report_ends(control)
                elif not _fork_worker(control):
                    return


def _fork_worker(control: socket.socket) -> bool:
    """Fork a worker for the next socket; False when the server is gone."""
    try:
        request, descriptors, _, _ = socket.recv_fds(control, 1, 1)
    except ConnectionResetError:
        return False
    if not request:
        return False
    if os.fork() == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        control.close()
        serve_searches(socket.socket(fileno=descriptors[0]))
    os.close(descriptors[0])
    return True


def _report_ends(control: socket.socket) -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        with suppress(OSError):  # the server is gone
            control.sendall(END.pack(pid, os.waitstatus_to_exitcode(status)))


if __name__ == "__main__":
    main()
