"""Ports for servers of tests."""

import random
import socket
from contextlib import suppress

_OWN = range(20_000, 30_000)  # below those that Linux gives to connections, from 32,768 on


def free_port() -> int:
    """A port of 127.0.0.1 on which nothing listens, and which the system gives to nobody who does not ask for it."""
    for port in random.SystemRandom().sample(_OWN, 100):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("none of a hundred ports is free")
