"""Ways to say who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from requests.models import PreparedRequest


class AuthBase:
    def __call__(self, request: Any) -> PreparedRequest:
        return request


class HTTPBasicAuth(AuthBase):
    def __init__(self, username: str | bytes, password: str | bytes) -> None:
        self.username, self.password = username, password


class HTTPDigestAuth(HTTPBasicAuth):
    pass
