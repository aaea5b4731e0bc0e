"""Addresses to listen on or to connect to, as settings have them: host:port."""

from __future__ import annotations

import ipaddress
import re

ADDRESS = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):[0-9]{1,5}", re.ASCII)
MAX_PORT = 65_535


def host_and_port(text: str) -> tuple[str, int]:
    """Split an address; the host is without brackets."""
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def is_address(text: str) -> bool:
    """Whether a text is host:port."""
    return bool(ADDRESS.fullmatch(text)) and host_and_port(text)[1] <= MAX_PORT


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach a host to listen on."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
