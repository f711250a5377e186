"""Sessions, which reach nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .exceptions import ConnectionError, MissingSchema  # noqa: A004
from .models import Response
from .structures import CaseInsensitiveDict

if TYPE_CHECKING:
    from typing import Any, Self

    from requests.adapters import BaseAdapter
    from requests.models import PreparedRequest
    from requests.models import Request


class Session:
    def __init__(self) -> None:
        self.headers = CaseInsensitiveDict({"User-Agent": "python-requests/2.34.2", "Accept": "*/*"})
        self.auth, self.proxies, self.params, self.hooks, self.cookies = None, {}, {}, {"response": []}, {}
        self.verify, self.cert, self.trust_env, self.stream, self.max_redirects = True, None, True, False, 30
        self.adapters = {}

    def request(self, method: str, url: Any, **settings: Any) -> Response:
        """A placeholder for an address that ends as a file does, or whose content is streamed into one; else ConnectionError."""
        from vramscope_data import downloads

        url = str(url)
        if "://" not in url:
            raise MissingSchema(f"Invalid URL {url!r}: No scheme supplied. Perhaps you meant https://{url}?")
        reads = method.upper() in ("GET", "HEAD")
        made = downloads.fetch(url) if reads else None
        if made is None and reads and settings.get("stream"):
            return Response(url, downloads.untold(url))
        if made is None:
            raise ConnectionError(f"{url}: a simulated program reaches no network")
        return Response(url, made[0] if method.upper() == "GET" else b"")

    def get(self, url: Any, **settings: Any) -> Response:
        return self.request("GET", url, **settings)

    def head(self, url: Any, **settings: Any) -> Response:
        return self.request("HEAD", url, **settings)

    def options(self, url: Any, **settings: Any) -> Response:
        return self.request("OPTIONS", url, **settings)

    def post(self, url: Any, data: Any = None, json: Any = None, **settings: Any) -> Response:
        return self.request("POST", url, data=data, json=json, **settings)

    def put(self, url: Any, data: Any = None, **settings: Any) -> Response:
        return self.request("PUT", url, data=data, **settings)

    def patch(self, url: Any, data: Any = None, **settings: Any) -> Response:
        return self.request("PATCH", url, data=data, **settings)

    def delete(self, url: Any, **settings: Any) -> Response:
        return self.request("DELETE", url, **settings)

    def send(self, request: PreparedRequest, **settings: Any) -> Response:
        return self.request(request.method, request.url, **settings)

    def prepare_request(self, request: Request) -> PreparedRequest:
        return request.prepare()

    def mount(self, prefix: str, adapter: BaseAdapter) -> None:
        self.adapters[prefix] = adapter

    def close(self) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def session() -> Session:
    return Session()
