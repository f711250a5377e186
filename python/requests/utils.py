"""Helpers that packages take from requests."""

from urllib.parse import quote, unquote, urlparse

__all__ = ["default_headers", "get_encoding_from_headers", "quote", "requote_uri", "unquote", "urlparse"]


def requote_uri(uri):
    return quote(unquote(uri), safe="!#$%&'()*+,/:;=?@[]~")


def default_headers():
    from .sessions import Session

    return Session().headers


def get_encoding_from_headers(headers):
    return "utf-8"
