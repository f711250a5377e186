"""Adapters, which carry nothing."""

DEFAULT_POOLSIZE, DEFAULT_RETRIES = 10, 0


class BaseAdapter:
    def close(self):
        pass


class HTTPAdapter(BaseAdapter):
    def __init__(self, pool_connections=10, pool_maxsize=10, max_retries=0, pool_block=False):
        self.max_retries = max_retries
