"""spacy: tokenizers that split at blanks and punctuation; pipelines find nothing else in a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any, Self


__version__ = "3.8.7"
__getattr__ = lacks("spacy")
_TOKEN = re.compile(r"\w+|[^\w\s]")


class Token:
    """A word."""

    def __init__(self, text: str, i: Any) -> None:
        self.text, self.i = text, i
        self.lemma_, self.lower_, self.pos_, self.is_stop, self.ent_type_ = text.lower(), text.lower(), "X", False, ""
        self.is_punct, self.is_alpha, self.is_space = not text[:1].isalnum(), text.isalpha(), False

    def __str__(self) -> str:
        return self.text

    def __len__(self) -> int:
        return len(self.text)


class Doc(list):
    """The words of a text."""

    def __init__(self, text: str) -> None:
        super().__init__(Token(word, i) for i, word in enumerate(_TOKEN.findall(text)))
        self.text, self.ents = text, ()

    sents = property(lambda self: [self])


class Language:
    """A pipeline that only splits."""

    def __init__(self, name: str = "en") -> None:
        self.lang, self.pipe_names = name[:2], []
        self.tokenizer = Doc

    def __call__(self, text: str, **_: Any) -> Doc:
        return Doc(text)

    def pipe(self, texts: Any, **_: Any) -> Any:
        return map(Doc, texts)

    def add_pipe(self, *_: Any, **__: Any) -> Self:
        return self


def load(name: str, **_: Any) -> Language:
    note("words_split", "library", "spacy", name=name)
    return Language(name)


def blank(name: str, **_: Any) -> Language:
    return Language(name)
