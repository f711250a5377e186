"""Requests and answers."""

import io
import json

from .exceptions import HTTPError, JSONDecodeError
from .structures import CaseInsensitiveDict


class Request:
    def __init__(self, method=None, url=None, headers=None, **rest):
        self.method, self.url, self.headers = method, url, CaseInsensitiveDict(headers or {})

    def prepare(self):
        return PreparedRequest(self.method, self.url, self.headers)


class PreparedRequest(Request):
    pass


class Response:
    """An answer whose content is here already."""

    def __init__(self, url="", content=b"", status_code=200):
        self.url, self.content, self.status_code = url, content, status_code
        self.reason, self.encoding, self.history, self.cookies, self.links = "OK", "utf-8", [], {}, {}
        self.headers = CaseInsensitiveDict({"Content-Length": str(len(content))})
        self.raw = io.BytesIO(content)

    @property
    def ok(self):
        return self.status_code < 400

    @property
    def text(self):
        return self.content.decode(self.encoding or "utf-8", "replace")

    def json(self, **settings):
        try:
            return json.loads(self.text, **settings)
        except json.JSONDecodeError as error:
            raise JSONDecodeError(error.msg, error.doc, error.pos) from None

    def iter_content(self, chunk_size=1, decode_unicode=False):
        size = chunk_size or len(self.content) or 1
        for start in range(0, len(self.content), size):
            part = self.content[start : start + size]
            yield part.decode("utf-8", "replace") if decode_unicode else part

    def iter_lines(self, chunk_size=512, decode_unicode=False, delimiter=None):
        for line in self.content.split(delimiter) if delimiter else self.content.splitlines():
            yield line.decode("utf-8", "replace") if decode_unicode else line

    __iter__ = iter_content

    def raise_for_status(self):
        if not self.ok:
            raise HTTPError(f"{self.status_code} Error for url: {self.url}", response=self)

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __bool__(self):
        return self.ok
