"""requests where nothing can be reached: a file's address answers with a placeholder by its ending, all else does not connect."""

from .exceptions import ConnectionError, ConnectTimeout, HTTPError, JSONDecodeError, ReadTimeout, RequestException, Timeout, TooManyRedirects, URLRequired  # noqa: E501, A004 # fmt: skip
from .models import PreparedRequest, Request, Response
from .sessions import Session, session
from . import adapters, auth, codes as _codes, exceptions, models, sessions, structures, utils

__version__ = "2.34.2"
codes = _codes.codes

__all__ = [
    "ConnectTimeout", "ConnectionError", "HTTPError", "JSONDecodeError", "PreparedRequest", "ReadTimeout", "Request",
    "RequestException", "Response", "Session", "Timeout", "TooManyRedirects", "URLRequired", "adapters", "auth", "codes",
    "delete", "exceptions", "get", "head", "models", "options", "patch", "post", "put", "request", "session", "sessions",
    "structures", "utils",
]  # fmt: skip


def request(method, url, **settings):
    return Session().request(method, url, **settings)


def get(url, params=None, **settings):
    return request("GET", url, params=params, **settings)


def head(url, **settings):
    return request("HEAD", url, **settings)


def post(url, data=None, json=None, **settings):
    return request("POST", url, data=data, json=json, **settings)


def put(url, data=None, **settings):
    return request("PUT", url, data=data, **settings)


def patch(url, data=None, **settings):
    return request("PATCH", url, data=data, **settings)


def delete(url, **settings):
    return request("DELETE", url, **settings)


def options(url, **settings):
    return request("OPTIONS", url, **settings)
