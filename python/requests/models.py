"""Requests and answers."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

from .exceptions import HTTPError, JSONDecodeError
from .structures import CaseInsensitiveDict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self


class Request:
    def __init__(self, method: str | None = None, url: Any = None, headers: Any = None, **rest: Any) -> None:
        self.method, self.url, self.headers = method, url, CaseInsensitiveDict(headers or {})

    def prepare(self) -> PreparedRequest:
        return PreparedRequest(self.method, self.url, self.headers)


class PreparedRequest(Request):
    pass


class _Raw(io.BytesIO):
    """The content as urllib3 hands it out."""

    status, decode_content = 200, True

    def read(self, amt: int | None = None, decode_content: bool | None = None) -> bytes:
        return super().read(amt)

    def stream(self, amt: int = 65536, decode_content: bool | None = None) -> Iterator[bytes]:
        while part := super().read(amt):
            yield part


class Response:
    """An answer whose content is here already."""

    def __init__(self, url: str = "", content: bytes = b"", status_code: int = 200) -> None:
        self.url, self.content, self.status_code = url, content, status_code
        self.reason, self.encoding, self.history, self.cookies, self.links = "OK", "utf-8", [], {}, {}
        self.headers = CaseInsensitiveDict({"Content-Length": str(len(content))})
        self.raw = _Raw(content)

    @property
    def ok(self) -> bool:
        return self.status_code < 400

    @property
    def text(self) -> str:
        return self.content.decode(self.encoding or "utf-8", "replace")

    def json(self, **settings: Any) -> Any:
        try:
            return json.loads(self.text, **settings)
        except json.JSONDecodeError as error:
            raise JSONDecodeError(error.msg, error.doc, error.pos) from None

    def iter_content(
        self, chunk_size: int | None = 1, decode_unicode: bool = False
    ) -> Iterator[bytes] | Iterator[str | bytes]:
        size = chunk_size or len(self.content) or 1
        for start in range(0, len(self.content), size):
            part = self.content[start : start + size]
            yield part.decode("utf-8", "replace") if decode_unicode else part

    def iter_lines(
        self, chunk_size: int = 512, decode_unicode: bool = False, delimiter: bytes | str | None = None
    ) -> Iterator[bytes] | Iterator[str | bytes]:
        for line in self.content.split(delimiter) if delimiter else self.content.splitlines():
            yield line.decode("utf-8", "replace") if decode_unicode else line

    __iter__ = iter_content

    def raise_for_status(self) -> None:
        if not self.ok:
            raise HTTPError(f"{self.status_code} Error for url: {self.url}", response=self)

    def close(self) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __bool__(self) -> bool:
        return self.ok
