"""Small values: added tokens, what encoding a text gives, strings on their way through a tokenizer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class AddedToken:
    """A token that is never split."""

    def __init__(
        self,
        content: str = "",
        single_word: bool = False,
        lstrip: bool = False,
        rstrip: bool = False,
        normalized: Any = None,
        special: bool = False,
    ) -> None:
        self.content, self.single_word, self.lstrip, self.rstrip, self.special = (
            content,
            single_word,
            lstrip,
            rstrip,
            special,
        )
        self.normalized = not special if normalized is None else normalized

    def __getstate__(self) -> dict:
        return dict(self.__dict__)

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)

    def __str__(self) -> str:
        return self.content

    def __repr__(self) -> str:
        return f'AddedToken("{self.content}", rstrip={self.rstrip}, lstrip={self.lstrip}, single_word={self.single_word}, normalized={self.normalized}, special={self.special})'

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AddedToken) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(self.content)


class Encoding:
    """Ids of one text or pair, with masks of the same length."""

    def __init__(
        self, ids: tuple = (), special: tuple = (), types: Any = None, tokenizer: Any = None, words: Any = None
    ) -> None:
        self.ids = list(ids)
        self.special_tokens_mask = list(special) or [0] * len(self.ids)
        self.type_ids = list(types) if types is not None else [0] * len(self.ids)
        self.attention_mask = [1] * len(self.ids)
        self.overflow = None  # makes those that there was no room for, when somebody asks for them
        self._overflowing, self._padded = None, None
        self._tokenizer = tokenizer
        self.word_ids = (
            list(words) if words is not None else [None if s else i for i, s in enumerate(self.special_tokens_mask)]
        )

    @property
    def overflowing(self) -> list[Encoding]:
        """Encodings of what there was no room for, padded as this one is."""
        if self._overflowing is None:
            self._overflowing = [] if self.overflow is None else self.overflow()
            for one in self._overflowing if self._padded is not None else ():
                one.pad(*self._padded)
        return self._overflowing

    @property
    def tokens(self) -> list[str]:
        return [self._tokenizer.id_to_token(i) for i in self.ids]

    @property
    def offsets(self) -> list[tuple[int, int]]:
        return [(i, i + 1) for i in range(len(self.ids))]

    @property
    def words(self) -> list[int | None]:
        return self.word_ids

    @property
    def sequence_ids(self) -> list[int | None]:
        return [None if s else t for t, s in zip(self.type_ids, self.special_tokens_mask)]

    n_sequences = 1

    def __len__(self) -> int:
        return len(self.ids)

    def _each(self):
        return (self.ids, self.special_tokens_mask, self.type_ids, self.attention_mask, self.word_ids)

    def truncate(self, max_length: int, stride: int = 0, direction: str = "right") -> None:
        for values in self._each():
            values[:] = values[:max_length] if direction == "right" else values[max(len(values) - max_length, 0) :]

    def pad(
        self, length: int, direction: str = "right", pad_id: int = 0, pad_type_id: int = 0, pad_token: str = "[PAD]"
    ) -> None:
        self._padded = (length, direction, pad_id, pad_type_id)
        missing = length - len(self.ids)
        if missing <= 0:
            return
        for values, filler in zip(self._each(), (pad_id, 1, pad_type_id, 0, None)):
            values[:] = values + [filler] * missing if direction == "right" else [filler] * missing + values

    def token_to_chars(self, token_index: int) -> tuple[int, int] | None:
        return (token_index, token_index + 1)

    def char_to_token(self, char_pos: int, sequence_index: int = 0) -> int | None:
        return min(char_pos, len(self.ids) - 1) if self.ids else None

    def word_to_tokens(self, word_index: int, sequence_index: int = 0) -> tuple[int, int] | None:
        return (word_index, word_index + 1)


class Regex:
    """A pattern for splitting."""

    def __init__(self, pattern: Any) -> None:
        self.pattern = pattern


class Token:
    def __init__(self, id: Any, value: Any, offsets: Any) -> None:
        self.id, self.value, self.offsets = id, value, offsets


class NormalizedString:
    """A text and what became of it."""

    def __init__(self, sequence: Any) -> None:
        self.original = self.normalized = sequence

    def __str__(self) -> str:
        return self.normalized


class PreTokenizedString:
    """A text in parts."""

    def __init__(self, sequence: Any) -> None:
        self._text = sequence

    def get_splits(self, *_: Any, **__: Any) -> list[tuple[str, tuple[int, int], list[Token] | None]]:
        from ._words import words

        return [(w, (0, len(w)), None) for w in words(self._text)]
