"""requests where nothing can be reached: a file's address answers with a placeholder by its ending, all else does not connect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .exceptions import ConnectionError, ConnectTimeout, HTTPError, JSONDecodeError, ReadTimeout, RequestException, Timeout, TooManyRedirects, URLRequired  # noqa: E501, A004 # fmt: skip
from .models import PreparedRequest, Request, Response
from .sessions import Session, session
from . import adapters, auth, codes as _codes, compat, exceptions, models, sessions, structures, utils

if TYPE_CHECKING:
    from typing import Any


__version__ = "2.34.2"
codes = _codes.codes

__all__ = [
    "ConnectTimeout", "ConnectionError", "HTTPError", "JSONDecodeError", "PreparedRequest", "ReadTimeout", "Request",
    "RequestException", "Response", "Session", "Timeout", "TooManyRedirects", "URLRequired", "adapters", "auth", "codes", "compat",
    "delete", "exceptions", "get", "head", "models", "options", "patch", "post", "put", "request", "session", "sessions",
    "structures", "utils",
]  # fmt: skip


def request(method: str, url: Any, **settings: Any) -> Response:
    return Session().request(method, url, **settings)


def get(url: Any, params: Any = None, **settings: Any) -> Response:
    return request("GET", url, params=params, **settings)


def head(url: Any, **settings: Any) -> Response:
    return request("HEAD", url, **settings)


def post(url: Any, data: Any = None, json: Any = None, **settings: Any) -> Response:
    return request("POST", url, data=data, json=json, **settings)


def put(url: Any, data: Any = None, **settings: Any) -> Response:
    return request("PUT", url, data=data, **settings)


def patch(url: Any, data: Any = None, **settings: Any) -> Response:
    return request("PATCH", url, data=data, **settings)


def delete(url: Any, **settings: Any) -> Response:
    return request("DELETE", url, **settings)


def options(url: Any, **settings: Any) -> Response:
    return request("OPTIONS", url, **settings)
