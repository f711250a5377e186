"""What requests raises, under its names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class RequestException(IOError):
    def __init__(self, *args: Any, request: Any = None, response: Any = None) -> None:
        super().__init__(*args)
        self.request, self.response = request, response


class InvalidJSONError(RequestException):
    pass


class JSONDecodeError(InvalidJSONError, json.JSONDecodeError):
    def __init__(self, *args: Any) -> None:
        json.JSONDecodeError.__init__(self, *args)
        RequestException.__init__(self, *self.args)


class HTTPError(RequestException):
    pass


class ConnectionError(RequestException):  # noqa: A001
    pass


class ProxyError(ConnectionError):
    pass


class SSLError(ConnectionError):
    pass


class Timeout(RequestException):
    pass


class ConnectTimeout(ConnectionError, Timeout):
    pass


class ReadTimeout(Timeout):
    pass


class URLRequired(RequestException):
    pass


class TooManyRedirects(RequestException):
    pass


class MissingSchema(RequestException, ValueError):
    pass


class InvalidSchema(RequestException, ValueError):
    pass


class InvalidURL(RequestException, ValueError):
    pass


class ChunkedEncodingError(RequestException):
    pass


class ContentDecodingError(RequestException):
    pass


class StreamConsumedError(RequestException, TypeError):
    pass


class RetryError(RequestException):
    pass
