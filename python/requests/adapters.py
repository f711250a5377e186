"""Adapters, which carry nothing."""

from __future__ import annotations


DEFAULT_POOLSIZE, DEFAULT_RETRIES = 10, 0


class BaseAdapter:
    def close(self) -> None:
        pass


class HTTPAdapter(BaseAdapter):
    def __init__(
        self, pool_connections: int = 10, pool_maxsize: int = 10, max_retries: int = 0, pool_block: bool = False
    ) -> None:
        self.max_retries = max_retries
