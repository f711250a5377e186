"""requests.compat: names of Python's own library, from when there were two Pythons."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping, MutableMapping
from io import StringIO
from json import JSONDecodeError
from urllib.parse import quote, quote_plus, unquote, unquote_plus, urldefrag, urlencode, urljoin, urlparse, urlsplit, urlunparse  # noqa: E501 # fmt: skip

__all__ = [
    "JSONDecodeError", "Mapping", "MutableMapping", "OrderedDict", "StringIO", "basestring", "builtin_str", "bytes",
    "json", "numeric_types", "quote", "quote_plus", "str", "unquote", "unquote_plus", "urldefrag",
    "urlencode", "urljoin", "urlparse", "urlsplit", "urlunparse",
]  # fmt: skip
str = builtin_str = str  # noqa: A001
bytes = bytes  # noqa: A001
basestring = (str, bytes)
numeric_types = (int, float)
