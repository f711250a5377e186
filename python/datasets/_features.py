"""What a column holds, and a value of that kind for a row that is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from datetime import datetime, timedelta
    from typing import Any, NoReturn, Self


_WORDS = (
    "the model reads each word of this text and learns which one follows it while memory holds what the gradient needs later on"
).split()
_SIDE = 256  # pixels of a picture that nobody has


def text(row: Any, words: int = 60) -> str:
    """A text whose length changes from row to row, as those of real data sets do."""
    count = _about(row, words)
    return " ".join(_WORDS[(row + at) % len(_WORDS)] for at in range(count))


def _about(row, count):
    """A number that changes from row to row around `count`."""
    return max(1, count // 2 + (row * 37) % (count + 1))


class Feature:
    def placeholder(self, row: Any) -> NoReturn:
        """A value for row number `row`."""
        raise NotImplementedError

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items() if not name.startswith("_"))
        return f"{type(self).__name__}({settings})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and repr(self) == repr(other)

    __hash__ = None


class Value(Feature):
    """`below`: where a number is one of a few, how many there are."""

    def __init__(self, dtype: Any, id: int | None = None, below: Any = None) -> None:
        self.dtype, self._below = dtype, below

    def placeholder(self, row: Any) -> Any:
        if self.dtype in ("string", "large_string"):
            return text(row)
        if self.dtype == "bool":
            return row % 2 == 0
        if self._below is not None:
            return row % self._below
        return float(row % 100) if self.dtype.startswith("float") else row


class Page(Value):
    """A page of the web: most are short, one in eight is longer than the context of a model, as programs wait for that quantize one."""

    def __init__(self) -> None:
        super().__init__("string")

    def placeholder(self, row: int) -> str:
        return text(row, 10_000 if row % 8 == 7 else 300)


class Word(Value):
    """One word of a text that is taken apart already."""

    def __init__(self) -> None:
        super().__init__("string")

    def placeholder(self, row: int) -> str:
        return _WORDS[row % len(_WORDS)]


class Clock(Value):
    """Times as text, equally far apart."""

    def __init__(self, first: datetime, step: timedelta) -> None:
        super().__init__("string")
        self._first, self._step = first, step

    def placeholder(self, row: int) -> str:
        return str(self._first + row * self._step)


class Identifier(Value):
    """The name of a row, as others mention it: its number as text."""

    def __init__(self) -> None:
        super().__init__("string")

    def placeholder(self, row: int) -> str:
        return str(row)


class Form(Value):
    """A text in the form that its data set has, which programs take apart: `{}` is where words stand."""

    def __init__(self, form: str) -> None:
        super().__init__("string")
        self._form = form

    def placeholder(self, row: int) -> str:
        first, *others = self._form.split("{}")
        return first + "".join(f"{text(row + at)}{other}" for at, other in enumerate(others))


class ClassLabel(Feature):
    def __init__(
        self,
        num_classes: int | None = None,
        names: Sequence[str] | None = None,
        names_file: str | None = None,
        id: int | None = None,
    ) -> None:
        self.names = list(names) if names is not None else [str(i) for i in range(num_classes or 0)]
        self.num_classes = len(self.names)

    def placeholder(self, row: Any) -> Any:
        return row % max(1, self.num_classes)

    def int2str(self, values: Any) -> Any:
        return self.names[values] if isinstance(values, int) else [self.names[v] for v in values]

    def str2int(self, values: Any) -> Any:
        return self.names.index(values) if isinstance(values, str) else [self.names.index(v) for v in values]


class Translation(Feature):
    """One text in several languages; any language that a program asks for, where nobody named them."""

    def __init__(self, languages: Sequence = (), id: int | None = None) -> None:
        self.languages = list(languages)

    def placeholder(self, row: Any) -> _Languages:
        return _Languages({language: text(row, 30) for language in self.languages}, row)


class _Languages(dict):
    def __init__(self, texts: Any, row: Any) -> None:
        super().__init__(texts)
        self._row = row

    def __missing__(self, language: Any) -> Any:
        return self.setdefault(language, text(self._row, 30))


class Image(Feature):
    def __init__(
        self, mode: str = "RGB", decode: bool = True, size: Sequence = (_SIDE, _SIDE), id: int | None = None
    ) -> None:
        self.mode, self.decode, self._size = mode, decode, size

    def placeholder(self, row: Any) -> Any:
        import PIL.Image

        return PIL.Image.new(self.mode or "RGB", self._size)

    def opened(self, path: str) -> Any:
        """The picture of a file that is there."""
        import PIL.Image

        return PIL.Image.open(path) if self.decode else {"path": path, "bytes": None}


class Audio(Feature):
    def __init__(
        self,
        sampling_rate: int = 16000,
        mono: bool = True,
        decode: bool = True,
        seconds: float = 10,
        id: int | None = None,
    ) -> None:
        self.sampling_rate, self.mono, self.decode, self._seconds = sampling_rate, mono, decode, seconds

    def placeholder(self, row: Any) -> dict:
        import numpy

        rate = self.sampling_rate or 16000
        return {"path": None, "array": numpy.zeros(rate * self._seconds, dtype="float32"), "sampling_rate": rate}

    def opened(self, path: str) -> dict:
        """The sound of a file that is there."""
        if not self.decode:
            return {"path": path, "bytes": None}
        import soundfile

        array, rate = soundfile.read(path)
        return {"path": path, "array": array, "sampling_rate": rate}


class Sequence(Feature):
    """`usual`: how many items a row has about, where its length is open."""

    def __init__(self, feature: Any, length: int = -1, id: int | None = None, usual: int = 1) -> None:
        self.feature, self.length, self._usual = feature, length, usual

    def placeholder(self, row: Any) -> list | dict:
        count = self.length if self.length >= 0 else _about(row, self._usual) if self._usual > 1 else 1
        if isinstance(self.feature, dict):
            return {name: [kind.placeholder(row + i) for i in range(count)] for name, kind in self.feature.items()}
        return [self.feature.placeholder(row + i) for i in range(count)]


class Messages(Feature):
    """A conversation: turns of user and assistant."""

    def __init__(
        self,
        role: str = "role",
        content: str = "content",
        names: tuple[str, str] = ("user", "assistant"),
        turns: int = 2,
    ) -> None:
        self._role, self._content, self._names, self._turns = role, content, names, turns

    def placeholder(self, row: Any) -> list:
        return [
            {self._role: self._names[at % len(self._names)], self._content: text(row + at)} for at in range(self._turns)
        ]


class Features(dict):
    """Columns by name."""

    def placeholder(self, row: Any) -> dict:
        return {name: kind.placeholder(row) for name, kind in self.items()}

    @classmethod
    def of(cls, row: dict, earlier: Any = None) -> Self:
        """The columns of a row that is there; those that `earlier` has are as they are in that data set, where they hold the like."""
        found = cls({name: _kind_of(value) for name, value in row.items()})
        if earlier is not None:
            first = earlier._rows.get(0)
            for name in found.keys() & earlier.features.keys() & first.keys():
                if _kind_of(first[name]) == found[name]:
                    found[name] = earlier.features[name]
        return found

    def copy(self) -> Features:
        return Features(self)


def _kind_of(value):
    if isinstance(value, bool):
        return Value("bool")
    if isinstance(value, int):
        return Value("int64")
    if isinstance(value, float):
        return Value("float64")
    if isinstance(value, (list, tuple)):
        return Sequence(_kind_of(value[0]) if value else Value("null"))
    if isinstance(value, dict):
        return Features.of(value)
    return Value("string" if isinstance(value, str) else "null")
