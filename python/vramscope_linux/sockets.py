"""Sockets that reach nobody: they have addresses, so that a program finds a free port; connecting is refused as on a host without a network."""

from __future__ import annotations

_FIRST_PORT = 29_500
_OPTIONS = {
    "SOL_SOCKET": 1,
    "SO_REUSEADDR": 2,
    "SO_REUSEPORT": 15,
    "SO_KEEPALIVE": 9,
    "SO_BROADCAST": 6,
    "TCP_NODELAY": 1,
}  # of Linux
_ports = iter(range(_FIRST_PORT + 100, 65_536))


def begin() -> None:
    try:
        import socket
    except ImportError:
        return

    for name, number in _OPTIONS.items():
        if not hasattr(socket, name):
            setattr(socket, name, number)

    class Socket:
        """What socket.socket makes."""

        def __init__(self, family=socket.AF_INET, type=socket.SOCK_STREAM, proto=0, fileno=None):
            self.family, self.type, self.proto = family, type, proto
            self._name = ("0.0.0.0", 0)

        def bind(self, address):
            host, port = (*address[:2], 0)[:2] if isinstance(address, tuple) else (address, 0)
            self._name = (host or "0.0.0.0", port or next(_ports))

        def getsockname(self):
            return self._name

        def connect(self, address):
            raise ConnectionRefusedError(111, "Connection refused")

        def connect_ex(self, address):
            return 111

        def listen(self, backlog=0):
            """Nobody will call."""

        def accept(self):
            raise TimeoutError("timed out")

        def fileno(self):
            return -1

        def getsockopt(self, *_):
            return 0

        def _nothing(self, *_, **__):
            return None

        setsockopt = settimeout = setblocking = shutdown = close = gettimeout = detach = _nothing

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return False

    socket.socket = socket.SocketType = Socket
