"""Ctrl-C in a test."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any


def interrupted(work: Callable[[], Any]) -> None:
    """Run something in a process that gets SIGINT after a moment, as by Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        work()
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
