"""Helpers that packages take from requests."""

from __future__ import annotations

from urllib.parse import quote, unquote, urlparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from requests.structures import CaseInsensitiveDict


__all__ = ["default_headers", "get_encoding_from_headers", "quote", "requote_uri", "unquote", "urlparse"]


def requote_uri(uri: str) -> str:
    return quote(unquote(uri), safe="!#$%&'()*+,/:;=?@[]~")


def default_headers() -> CaseInsensitiveDict:
    from .sessions import Session

    return Session().headers


def get_encoding_from_headers(headers: CaseInsensitiveDict) -> str | None:
    return "utf-8"
