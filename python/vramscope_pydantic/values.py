"""Values of pydantic_core that schemas and results hold."""

from __future__ import annotations

import datetime
import re
from urllib.parse import urlsplit
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, Self


class PydanticUndefinedType:
    _only = None

    def __new__(cls) -> Any:
        cls._only = cls._only or super().__new__(cls)
        return cls._only

    def __repr__(self) -> str:
        return "PydanticUndefined"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> str:
        return "PydanticUndefined"


PydanticUndefined = PydanticUndefinedType()


class Some:
    """A value that is there, where None would say that there is none."""

    __match_args__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def __repr__(self) -> str:
        return f"Some({self.value!r})"


class ArgsKwargs:
    """What a call was given."""

    def __init__(self, args: Any, kwargs: Any = None) -> None:
        self.args, self.kwargs = tuple(args), kwargs or None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArgsKwargs) and (self.args, self.kwargs) == (other.args, other.kwargs)

    __hash__ = None

    def __repr__(self) -> str:
        return f"ArgsKwargs({self.args!r})" if self.kwargs is None else f"ArgsKwargs({self.args!r}, {self.kwargs!r})"


class TzInfo(datetime.tzinfo):
    """A fixed distance from UTC."""

    def __init__(self, seconds: float = 0.0) -> None:
        self._seconds = int(seconds)

    def utcoffset(self, dt: Any) -> Any:
        return datetime.timedelta(seconds=self._seconds)

    def dst(self, dt: Any) -> None:
        return None

    def tzname(self, dt: Any) -> str:
        return str(self)

    def __str__(self) -> str:
        sign, seconds = "-" if self._seconds < 0 else "+", abs(self._seconds)
        return "UTC" if seconds == 0 else f"{sign}{seconds // 3600:02}:{seconds % 3600 // 60:02}"

    def __repr__(self) -> str:
        return f"TzInfo({self._seconds})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TzInfo) and self._seconds == other._seconds

    def __hash__(self) -> int:
        return hash(self._seconds)


_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")


class Url:
    """An address by its parts. Names of hosts are not translated (IDNA), and paths are taken as they are."""

    def __init__(self, url: str) -> None:
        text = str(url).strip()
        if not _SCHEME.match(text):
            raise ValueError("relative URL without a base")
        parts = urlsplit(text)
        self.scheme = parts.scheme.lower()
        special = self.scheme in _PORTS
        if special and not parts.hostname:
            raise ValueError("empty host")
        self.username, self.password = parts.username or None, parts.password or None
        self.host = parts.hostname or None
        try:
            self.port = parts.port or _PORTS.get(self.scheme)
        except ValueError:
            raise ValueError("invalid port number") from None
        self.path = parts.path or ("/" if special else None)
        self.query, self.fragment = parts.query or None, parts.fragment or None

    @classmethod
    def build(
        cls,
        *,
        scheme: Any,
        host: str,
        username: Any = None,
        password: Any = None,
        port: int | None = None,
        path: str | None = None,
        query: Any = None,
        fragment: Any = None,
    ) -> Self:
        user = f"{username or ''}{':' + password if password else ''}@" if username or password else ""
        text = f"{scheme}://{user}{host}{f':{port}' if port else ''}{'/' + path.lstrip('/') if path else ''}"
        return cls(text + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else ""))

    @property
    def unicode_host(self) -> Any:
        return self.host

    def unicode_string(self) -> str:
        return str(self)

    def query_params(self) -> Any:
        from urllib.parse import parse_qsl

        return parse_qsl(self.query or "", keep_blank_values=True)

    def __str__(self) -> str:
        user = (
            f"{self.username or ''}{':' + self.password if self.password else ''}@"
            if self.username or self.password
            else ""
        )
        port = f":{self.port}" if self.port and self.port != _PORTS.get(self.scheme) else ""
        host = f"//{user}{self.host or ''}{port}" if self.host or self.scheme == "file" else ""
        tail = (f"?{self.query}" if self.query else "") + (f"#{self.fragment}" if self.fragment else "")
        return f"{self.scheme}:{host}{self.path or ''}{tail}"

    def __repr__(self) -> str:
        return f"Url('{self}')"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and str(self) == str(other)

    def __lt__(self, other: Any) -> bool:
        return str(self) < str(other)

    def __hash__(self) -> int:
        return hash(str(self))


class MultiHostUrl(Url):
    """An address with one host; several of them are refused."""

    def hosts(self) -> list:
        return [{"username": self.username, "password": self.password, "host": self.host, "port": self.port}]
