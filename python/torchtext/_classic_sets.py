"""Data sets of torchtext before 0.9 and of `legacy`: placeholder rows in the form, number and usual length of the published ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._batches import BPTTIterator, BucketIterator
from ._examples import Dataset, more_words, placeholder
from ._sizes import LONG, SIZES

if TYPE_CHECKING:
    from typing import Any


_TAGS = [f"tag{i}" for i in range(17)]
_FINE_TAGS = [f"fine{i}" for i in range(50)]
_TREC = ["ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"]
_FEELINGS = ["positive", "neutral", "negative"]
_FINE_FEELINGS = ["very positive", *_FEELINGS, "very negative"]
_INFERENCES = ["entailment", "neutral", "contradiction"]


def _made(name, parts, fields, labels):
    counts, words, length = SIZES[name]
    made = []
    for part, count in zip(("train", "validation", "test"), counts):
        if not count or parts.get(part, True) is None:
            continue
        # many millions of rows are the same as a few hundred thousand: an epoch never ends here
        examples, used = placeholder(
            f"torchtext.datasets.{name} ({part})", min(count, 600_000), fields, words, length, labels
        )
        data = Dataset(examples, used)
        data.words = more_words(words)
        text = used[0][0]
        data.sort_key = lambda one, text=text: len(getattr(one, text))
        made.append(data)
    return tuple(made)


def _classified(name, text_field, label_field, fine_grained=False, **parts):
    labels = {
        "IMDB": ["pos", "neg"],
        "SST": _FINE_FEELINGS if fine_grained else _FEELINGS,
        "TREC": [f"{kind}:{i}" for kind in _TREC for i in range(8)][:-1] if fine_grained else _TREC,
    }[name]
    return _made(name, parts, [("text", text_field), ("label", label_field)], {"label": labels})


def _inferred(name, text_field, label_field, parse_field=None, genre_field=None, **parts):
    fields = [("premise", text_field), ("hypothesis", text_field), ("label", label_field)]
    return _made(name, parts, fields, {"label": _INFERENCES})


def _tagged(name, fields, **parts):
    pairs = [pair if isinstance(pair[0], str) else list(zip(*pair))[0] for pair in fields]
    labels = {pair[0]: (_TAGS, _FINE_TAGS)[min(i, 1)] for i, pair in enumerate(pairs[1:])}
    return _made(name, parts, pairs, labels)


def _translated(name, exts, fields, **parts):
    if not isinstance(fields[0], (tuple, list)):
        fields = [("src", fields[0]), ("trg", fields[1])]
    return _made(name, {k: v for k, v in parts.items() if k in ("train", "validation", "test")}, fields, {})


def _long(name, text_field, **parts):
    counts, words = LONG[name]
    made = []
    for part, count in zip(("train", "validation", "test"), counts):
        if parts.get(part, True) is None:
            continue
        examples, used = placeholder(f"torchtext.datasets.{name} ({part})", 1, [("text", text_field)], words, count)
        examples[0].text = examples[0].text[:count]
        data = Dataset(examples, used)
        data.words = more_words(words)
        made.append(data)
    return tuple(made)


_KINDS = {
    "IMDB": _classified, "SST": _classified, "TREC": _classified, "SNLI": _inferred, "MultiNLI": _inferred,
    "UDPOS": _tagged, "CoNLL2000Chunking": _tagged, "Multi30k": _translated, "IWSLT": _translated, "WMT14": _translated,
    "WikiText2": _long, "PennTreebank": _long,
}  # fmt: skip


class ClassicSet:
    """A data set by its name; called as a function where releases since 0.9 have one."""

    def __init__(self, name: str, load: Any = None) -> None:
        self.__name__, self._load = name, load

    def __call__(self, *args: Any, **options: Any) -> Any:
        if self._load is None:
            raise TypeError(f"'{self.__name__}' of torchtext's former releases is read by {self.__name__}.splits here")
        return self._load(*args, **options)

    def splits(self, *args: Any, root: str = ".data", **options: Any) -> tuple:
        return _KINDS[self.__name__](self.__name__, *args, **options)

    def iters(
        self,
        batch_size: int = 32,
        bptt_len: int = 35,
        device: Any = 0,
        root: str = ".data",
        vectors: Any = None,
        **options: Any,
    ) -> tuple:
        """Batches of all parts, with fields of their own."""
        from ._fields import Field

        text, label = Field(), Field(sequential=False)
        long = self.__name__ in LONG
        parts = self.splits(text) if long else self.splits(text, label)
        text.build_vocab(parts[0], vectors=vectors)
        where = None if device == -1 else device
        if long:
            return BPTTIterator.splits(parts, batch_size=batch_size, bptt_len=bptt_len, device=where)
        label.build_vocab(parts[0])
        return BucketIterator.splits(parts, batch_size=batch_size, device=where)


def classic(functions: dict) -> dict:
    """Each name, as a function too where today's releases have one."""
    return {name: ClassicSet(name, functions.get(name)) for name in _KINDS}
