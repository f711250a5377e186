"""Tokenizer: a vocabulary, added tokens, padding and truncation."""

from __future__ import annotations

import copy
import json
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from torch._stand_ins import note

from . import decoders, models, normalizers, pre_tokenizers, processors
from ._encoding import AddedToken, Encoding
from ._parts import state_of
from ._texts import Reader, parts_of
from ._words import words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self


_PARTS = {"normalizer": normalizers, "pre_tokenizer": pre_tokenizers, "post_processor": processors, "decoder": decoders}


def _part(module, state):
    if not state:
        return None
    kind = getattr(module, state["type"], None)
    return None if kind is None else kind(**{k: v for k, v in state.items() if k != "type"})


def _limits_first():
    """Since 0.23 what lies behind the first `max_length` pieces of a text does not overflow, either."""
    try:
        return tuple(map(int, version("tokenizers").split(".")[:2])) >= (0, 23)
    except (PackageNotFoundError, ValueError):
        return True


LIMITS_FIRST = _limits_first()


def _limited(text, truncation):
    most = truncation["max_length"]
    return text[max(len(text) - most, 0) :] if _is_left(truncation) else text[:most]


def _is_left(truncation):
    return truncation.get("direction", "right").lower() == "left"


def _kept(first, second, room, truncation):
    """How many pieces each text keeps: the longer one, or the one that the strategy names, gives what there is no room for."""
    sizes = [len(first), len(second)]
    over = sum(sizes) - room
    strategy = truncation.get("strategy", "longest_first").replace("_", "").lower()
    if over <= 0:
        return sizes
    if not second or strategy in ("onlyfirst", "onlysecond"):
        at = int(bool(second) and strategy == "onlysecond")
        sizes[at] = max(sizes[at] - over, 0)
        return sizes
    short = min(min(sizes), room // 2)
    return [room - short, short] if sizes[0] > sizes[1] else [short, room - short]


def _windows(text, kept, truncation):
    """The part of a text that is kept, and those that overflow, each of which repeats `stride` pieces of the one before it."""
    if kept >= len(text):
        return [text]
    stride = truncation.get("stride", 0)
    left = _is_left(truncation)
    if kept <= stride:
        return [text[len(text) - kept :] if left else text[:kept]]
    found = []
    for start in range(0, len(text), kept - stride):
        end = min(start + kept, len(text))
        found.append(text[len(text) - end : len(text) - start] if left else text[start:end])
        if end == len(text):
            break
    return found


class Tokenizer:
    """Texts to ids."""

    def __init__(self, model: models.Model | None = None) -> None:
        self.model = model if model is not None else models.BPE()
        self.normalizer = self.pre_tokenizer = self.post_processor = self.decoder = None
        self.padding = self.truncation = None
        self.encode_special_tokens = False
        self._added, self._reader, self._by_id = {}, None, None

    # --- files

    @classmethod
    def from_str(cls, text: str) -> Tokenizer:
        state = json.loads(text)
        model = state["model"]
        kind = getattr(models, model.get("type") or ("Unigram" if isinstance(model["vocab"], list) else "BPE"))
        options = {k: v for k, v in model.items() if k not in ("type", "vocab") and v is not None}
        made = cls(kind(model["vocab"], **options))
        for name, module in _PARTS.items():
            setattr(made, name, _part(module, state.get(name)))
        for token in state.get("added_tokens") or ():
            entry = {k: v for k, v in token.items() if k != "id"}
            made._added[token["content"]] = (token["id"], AddedToken(**entry))
        made.padding, made.truncation = state.get("padding"), state.get("truncation")
        return made

    @classmethod
    def from_file(cls, path: str) -> Tokenizer:
        with open(path, encoding="utf-8") as file:
            return cls.from_str(file.read())

    @classmethod
    def from_buffer(cls, buffer: bytes) -> Tokenizer:
        return cls.from_str(bytes(buffer).decode())

    @classmethod
    def from_pretrained(cls, identifier: str, revision: str = "main", token: str | None = None) -> Tokenizer:
        raise RuntimeError(f"vramscope has no network: Tokenizer.from_pretrained cannot fetch {identifier}")

    def to_str(self, pretty: bool = False) -> str:
        added = [
            {
                "id": i,
                **{k: getattr(t, k) for k in ("content", "single_word", "lstrip", "rstrip", "normalized", "special")},
            }
            for i, t in sorted(self._added.values(), key=lambda pair: pair[0])
        ]
        parts = {name: state_of(getattr(self, name)) for name in _PARTS}
        state = {
            "version": "1.0",
            "truncation": self.truncation,
            "padding": self.padding,
            "added_tokens": added,
            **parts,
        }
        return json.dumps({**state, "model": self.model._json()}, ensure_ascii=False, indent=2 if pretty else None)

    def save(self, path: str, pretty: bool = True) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_str(pretty))

    def __getstate__(self) -> Any:
        return self.to_str()

    def __setstate__(self, text: dict) -> None:
        self.__dict__.update(Tokenizer.from_str(text).__dict__)

    def __deepcopy__(self, memo: dict) -> Self:
        # what is large is never changed in place
        made = copy.copy(self)
        made.model, made._added = copy.copy(self.model), dict(self._added)
        made.padding, made.truncation = copy.copy(self.padding), copy.copy(self.truncation)
        return made

    def __copy__(self) -> Self:
        made = Tokenizer.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._reader = None
        return made

    # --- vocabulary

    def get_vocab(self, with_added_tokens: bool = True) -> dict[str, int]:
        added = {name: i for name, (i, _) in self._added.items()} if with_added_tokens else {}
        return {**self.model._vocab, **added}

    def get_vocab_size(self, with_added_tokens: bool = True) -> int:
        return len(self.get_vocab(with_added_tokens))

    def get_added_tokens_decoder(self) -> dict[int, AddedToken]:
        return {i: token for i, token in self._added.values()}

    def token_to_id(self, token: str) -> int | None:
        if token in self._added:
            return self._added[token][0]
        return self.model._vocab.get(token)

    def id_to_token(self, id: int) -> str | None:
        if self._by_id is None:
            self._by_id = {i: t for t, i in self.get_vocab().items()}
        return self._by_id.get(id)

    def add_tokens(self, tokens: list) -> int:
        new = 0
        for token in tokens:
            token = token if isinstance(token, AddedToken) else AddedToken(token)
            if token.content and token.content not in self._added:
                known = self.model._vocab.get(token.content)
                used = [i for i, _ in self._added.values()]
                following = max([len(self.model._vocab) - 1, *self.model._vocab.values(), *used], default=-1) + 1
                self._added[token.content] = (following if known is None else known, token)
                new += known is None
        self._reader = self._by_id = None
        return new

    def add_special_tokens(self, tokens: list) -> int:
        made = [t if isinstance(t, AddedToken) else AddedToken(t, special=True, normalized=False) for t in tokens]
        return self.add_tokens(made)

    # --- lengths

    def enable_padding(
        self,
        direction: str = "right",
        pad_id: int = 0,
        pad_type_id: int = 0,
        pad_token: str = "[PAD]",
        length: Any = None,
        pad_to_multiple_of: Any = None,
    ) -> None:
        self.padding = {"direction": direction, "pad_id": pad_id, "pad_type_id": pad_type_id, "pad_token": pad_token, "length": length, "pad_to_multiple_of": pad_to_multiple_of}  # fmt: skip

    def no_padding(self) -> None:
        self.padding = None

    def enable_truncation(
        self, max_length: int, stride: int = 0, strategy: str = "longest_first", direction: str = "right"
    ) -> None:
        self.truncation = {"max_length": max_length, "stride": stride, "strategy": strategy, "direction": direction}

    def no_truncation(self) -> None:
        self.truncation = None

    def num_special_tokens_to_add(self, is_pair: bool = False) -> int:
        return sum(map(len, processors.added(self.post_processor, self, is_pair)))

    # --- texts

    def _unknown(self):
        model = self.model
        return getattr(model, "unk_id", None) if model.unk_token is None else model._vocab.get(model.unk_token)

    def _one(self, text):
        reader = self._reader
        if reader is None or any(a is not b for a, b in zip(reader.parts, parts_of(self))):
            reader = self._reader = Reader(self)
        if isinstance(text, (list, tuple)):
            return [(i, at) for at, word in enumerate(text) for i, _ in reader.ids(word)]
        return reader.ids(text)

    def _encode(self, sequence, pair, add_special_tokens):
        asked = (self.post_processor, self, pair is not None)
        before, between, after = processors.added(*asked) if add_special_tokens else ([], [], [])
        first = self._one(sequence)
        second = [] if pair is None else self._one(pair)
        firsts, seconds = [first], [second]
        if self.truncation is not None:
            if LIMITS_FIRST:
                first, second = (_limited(text, self.truncation) for text in (first, second))
            room = self.truncation["max_length"] - len(before) - len(between) - len(after)
            kept = _kept(first, second, max(room, 0), self.truncation)
            firsts, seconds = (_windows(text, n, self.truncation) for text, n in zip((first, second), kept))

        added = [[(i, None) for i in ids] for ids in (before, between, after)]

        def joined(first, second):
            pieces = [added[0], first, added[1], second, added[2]]
            found = [pair for piece in pieces for pair in piece]
            types = [0] * sum(map(len, pieces[:3])) + [int(pair is not None)] * sum(map(len, pieces[3:]))
            special = [int(word is None) for _, word in found]
            return Encoding([i for i, _ in found], special, types, self, [word for _, word in found])

        made = joined(firsts[0], seconds[0])
        others = [(one, other) for one in firsts for other in seconds][1:]
        if others:
            made.overflow = lambda: [joined(*one) for one in others]
        return made

    def encode(
        self, sequence: Any, pair: Any = None, is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> Encoding:
        made = self._encode(sequence, pair, add_special_tokens)
        self._pad([made])
        return made

    def encode_batch(
        self, input: Sequence, is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> list[Encoding]:
        pairs = [x if isinstance(x, tuple) and len(x) == 2 and not is_pretokenized else (x, None) for x in input]
        found = [self._encode(a, b, add_special_tokens) for a, b in pairs]
        self._pad(found)
        return found

    encode_batch_fast = encode_batch

    def _pad(self, encodings):
        if self.padding is None or not encodings:
            return
        length = self.padding["length"] or max(len(e) for e in encodings)
        step = self.padding["pad_to_multiple_of"]
        if step:
            length = -(-length // step) * step
        for encoding in encodings:
            encoding.pad(length, self.padding["direction"], self.padding["pad_id"], self.padding["pad_type_id"])

    def post_process(
        self, encoding: Encoding, pair: Encoding | None = None, add_special_tokens: bool = True
    ) -> Encoding:
        return encoding

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = True) -> str:
        special = {i for i, t in self._added.values() if t.special}
        names = [self.id_to_token(int(i)) or "" for i in ids if not (skip_special_tokens and int(i) in special)]
        return "".join(n.replace("Ġ", " ").replace("▁", " ").replace("Ċ", "\n") for n in names).strip()

    def decode_batch(self, sequences: Sequence[Sequence[int]], skip_special_tokens: bool = True) -> list[str]:
        return [self.decode(s, skip_special_tokens) for s in sequences]

    # --- training

    def train_from_iterator(self, iterator: Any, trainer: Any = None, length: int | None = None) -> None:
        """A vocabulary of the wanted size: special tokens, letters, then the most frequent words and their beginnings."""
        from collections import Counter

        note("tokens_by_pieces", "library", "tokenizers")
        size, special = getattr(trainer, "vocab_size", 30000), getattr(trainer, "special_tokens", ())
        seen = Counter()
        for text in iterator:
            for line in (text,) if isinstance(text, str) else text:
                seen.update(words(line))
        letters = sorted({c for word in seen for c in word})
        begun = Counter()
        for word, count in seen.items():
            for end in range(2, min(len(word), 16) + 1):
                begun[word[:end]] += count
        pieces = [*map(str, special), *letters, *(p for p, _ in begun.most_common(max(size, 0)))]
        self.model._vocab = {p: i for i, p in enumerate(list(dict.fromkeys(pieces))[:size])}
        self.model._likely = True
        self._reader = self._by_id = None
        self.add_special_tokens(list(special))

    def train(self, files: Sequence[str], trainer: Any = None) -> None:
        def lines():
            for path in [files] if isinstance(files, str) else files:
                with open(path, encoding="utf-8", errors="replace") as file:
                    yield from file

        self.train_from_iterator(lines(), trainer)
