"""torchtext.datasets: placeholder rows in the form and number of the real ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks, note

from ._classic_sets import classic
from ._sizes import SIZES, sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Self


__getattr__ = lacks("torchtext.datasets")
# what a row of each is
_KINDS = {
    "Multi30k": "pair", "IWSLT2016": "pair", "IWSLT2017": "pair", "AG_NEWS": "label", "IMDB": "label", "SST2": "review",
    "YelpReviewPolarity": "label", "DBpedia": "label", "WikiText2": "text", "WikiText103": "text", "PennTreebank": "text",
}  # fmt: skip
_MANY = 6_000_000  # words of a part: rows of a larger one are shorter here
_DISTINCT = 64


class _Rows:
    """So many rows."""

    def __init__(self, name: str, count: int) -> None:
        (rows, *_), words, length = SIZES[name]
        self._count, self._kind = count, _KINDS[name]
        # every word is somewhere in the rows to be trained with
        self._length, self._more = min(length, _MANY // count or 1), -(-words // rows)
        note(
            "placeholder_texts",
            "file",
            f"torchtext.datasets.{name}",
            count=count,
            words=self._more * count,
            length=self._length,
        )

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Any]:
        length = self._length
        texts = [sentence(length // 2 + i * length // _DISTINCT) for i in range(_DISTINCT)]
        for i in range(self._count):
            rare = " ".join(f"word{i + k * self._count}" for k in range(self._more))
            text = f"{texts[i % _DISTINCT]} {rare}"
            yield {"pair": (text, text), "label": (1 + i % 2, text), "review": (text, i % 2), "text": text}[self._kind]

    def __add__(self, other: Any) -> list:
        return [*self, *other]

    __radd__ = lambda self, other: [*other, *self]

    def shuffle(self) -> Self:
        return self

    def map(self, function: Callable) -> Any:
        return map(function, self)


def _set(name):
    parts = dict(zip(("train", "valid", "test"), SIZES[name][0]))

    def load(root=None, split=None, language_pair=None, **_):
        wanted = [s for s in parts if parts[s]] if split is None else [split] if isinstance(split, str) else split
        made = tuple(_Rows(name, parts[{"dev": "valid"}.get(s, s)]) for s in wanted)
        return made[0] if isinstance(split, str) else made

    return load


for _name in _KINDS:
    vars()[_name] = _set(_name)
vars().update(classic(vars()))
