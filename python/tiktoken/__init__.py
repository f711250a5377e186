"""tiktoken: encodings of known sizes.

Real: the sizes of vocabularies and special tokens. Not: pieces; a text gives one id for about four letters, and the report says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import note
from tokenizers._words import words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


__version__ = "0.12.0"
_SIZES = {"gpt2": 50_257, "r50k_base": 50_257, "p50k_base": 50_281, "p50k_edit": 50_284, "cl100k_base": 100_277, "o200k_base": 200_019, "o200k_harmony": 201_088}  # fmt: skip
_END = {"gpt2": 50_256, "r50k_base": 50_256, "p50k_base": 50_256, "p50k_edit": 50_256, "cl100k_base": 100_257, "o200k_base": 199_999, "o200k_harmony": 199_999}  # fmt: skip


class Encoding:
    """An encoding by its name, or by a program's own ranks."""

    def __init__(
        self,
        name: str,
        *,
        pat_str: str = "",
        mergeable_ranks: Any = None,
        special_tokens: Any = None,
        explicit_n_vocab: Any = None,
    ) -> None:
        self.name, self._special_tokens = name, dict(special_tokens or {"<|endoftext|>": _END.get(name, 0)})
        known = _SIZES.get(name, len(mergeable_ranks or ()) + len(self._special_tokens))
        self.n_vocab, self._ranks = explicit_n_vocab or known, mergeable_ranks
        self.max_token_value = self.n_vocab - 1
        self.eot_token = self._special_tokens.get("<|endoftext|>", _END.get(name, 0))
        self.special_tokens_set = set(self._special_tokens)
        self._specials = {number: name for name, number in self._special_tokens.items()}

    def encode_ordinary(self, text: str) -> list:
        note("vocabulary_assumed", "library", "tiktoken", name=self.name, tokens=self.n_vocab)
        top = max(self.n_vocab - len(self._special_tokens) - 1, 1)
        return [hash_of(w[i : i + 6]) % top for w in words(text) for i in range(0, len(w), 6)]

    def encode(self, text: str, *, allowed_special: Sequence = (), disallowed_special: str = "all") -> Any:
        found, rest = [], text
        names = self.special_tokens_set if allowed_special == "all" else set(allowed_special)
        while rest:
            at, name = min(((rest.find(n), n) for n in names if n in rest), default=(len(rest), None))
            found += self.encode_ordinary(rest[:at]) if at else []
            if name is None:
                break
            found.append(self._special_tokens.get(name, self.eot_token))
            rest = rest[at + len(name) :]
        return found

    def encode_batch(self, text: str, *, num_threads: int = 8, **options: Any) -> list:
        return [self.encode(t, **options) for t in text]

    def encode_ordinary_batch(self, text: str, *, num_threads: int = 8) -> list:
        return [self.encode_ordinary(t) for t in text]

    def encode_single_token(self, text_or_bytes: Any) -> Any:
        return self._special_tokens.get(text_or_bytes, hash_of(str(text_or_bytes)) % self.n_vocab)

    def decode(self, tokens: Any, errors: str = "replace") -> str:
        return "".join(self._text(t) for t in tokens)

    def decode_bytes(self, tokens: Any) -> Any:
        return self.decode(tokens).encode()

    def decode_single_token_bytes(self, token: Any) -> Any:
        return self._text(token).encode()

    def decode_batch(self, batch: int, **_: Any) -> list:
        return [self.decode(t) for t in batch]

    def _text(self, token):
        return self._specials.get(int(token)) or f" t{int(token)}"

    def token_byte_values(self) -> Any:
        return [b"t"] * self.n_vocab


def hash_of(text: str) -> Any:
    """The same number in every run."""
    value = 2166136261
    for byte in text.encode("utf-8", "replace"):
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value


def get_encoding(name: str) -> Encoding:
    if name not in _SIZES:
        raise ValueError(f"Unknown encoding {name}.")
    return Encoding(name)


def encoding_name_for_model(model_name: str) -> str:
    if model_name.startswith(("gpt-4o", "o1", "o3", "o4", "gpt-5", "gpt-4.1")):
        return "o200k_base"
    return (
        "gpt2"
        if model_name.startswith("gpt2")
        else "cl100k_base"
        if model_name.startswith(("gpt-4", "gpt-3.5", "text-emb"))
        else "p50k_base"
    )


def encoding_for_model(model_name: str) -> Encoding:
    return get_encoding(encoding_name_for_model(model_name))


def list_encoding_names() -> list:
    return list(_SIZES)
