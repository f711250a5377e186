"""torchtext.datasets: placeholder rows in the form and number of the real ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Self


__getattr__ = lacks("torchtext.datasets")
_SENTENCE = (
    "two young men are outside near many bushes and a man in a blue shirt is standing on a ladder cleaning a window"
)
# rows of train, valid and test; what a row is
_SETS = {
    "Multi30k": ((29000, 1014, 1000), "pair"), "IWSLT2016": ((196884, 993, 1305), "pair"), "IWSLT2017": ((206112, 888, 1568), "pair"),
    "AG_NEWS": ((120000, 0, 7600), "label"), "IMDB": ((25000, 0, 25000), "label"), "SST2": ((67349, 872, 1821), "review"),
    "YelpReviewPolarity": ((560000, 0, 38000), "label"), "DBpedia": ((560000, 0, 70000), "label"),
    "WikiText2": ((36718, 3760, 4358), "text"), "WikiText103": ((1801350, 3760, 4358), "text"), "PennTreebank": ((42068, 3370, 3761), "text"),
}  # fmt: skip


class _Rows:
    """So many rows."""

    def __init__(self, name: str, count: int, kind: str) -> None:
        self._count, self._kind = count, kind
        note("placeholder_rows", "file", f"torchtext.datasets.{name}", count=count)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Any]:
        words = _SENTENCE.split()
        for i in range(self._count):
            text = " ".join(words[: 8 + i % 12])
            yield {"pair": (text, text), "label": (1 + i % 2, text), "review": (text, i % 2), "text": text}[self._kind]

    def __add__(self, other: Any) -> list:
        return [*self, *other]

    __radd__ = lambda self, other: [*other, *self]

    def shuffle(self) -> Self:
        return self

    def map(self, function: Callable) -> Any:
        return map(function, self)


def _set(name):
    counts, kind = _SETS[name]
    parts = dict(zip(("train", "valid", "test"), counts))

    def load(root=None, split=None, language_pair=None, **_):
        wanted = [s for s in parts if parts[s]] if split is None else [split] if isinstance(split, str) else split
        made = tuple(_Rows(name, parts[{"dev": "valid"}.get(s, s)], kind) for s in wanted)
        return made[0] if isinstance(split, str) else made

    return load


for _name in _SETS:
    vars()[_name] = _set(_name)
