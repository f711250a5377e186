"""spacy: tokenizers that split at blanks and punctuation; pipelines find nothing else in a text."""

import re

from torch._stand_ins import lacks, note

__version__ = "3.8.7"
__getattr__ = lacks("spacy")
_TOKEN = re.compile(r"\w+|[^\w\s]")


class Token:
    """A word."""

    def __init__(self, text, i):
        self.text, self.i = text, i
        self.lemma_, self.lower_, self.pos_, self.is_stop, self.ent_type_ = text.lower(), text.lower(), "X", False, ""
        self.is_punct, self.is_alpha, self.is_space = not text[:1].isalnum(), text.isalpha(), False

    def __str__(self):
        return self.text

    def __len__(self):
        return len(self.text)


class Doc(list):
    """The words of a text."""

    def __init__(self, text):
        super().__init__(Token(word, i) for i, word in enumerate(_TOKEN.findall(text)))
        self.text, self.ents = text, ()

    sents = property(lambda self: [self])


class Language:
    """A pipeline that only splits."""

    def __init__(self, name="en"):
        self.lang, self.pipe_names = name[:2], []
        self.tokenizer = Doc

    def __call__(self, text, **_):
        return Doc(text)

    def pipe(self, texts, **_):
        return map(Doc, texts)

    def add_pipe(self, *_, **__):
        return self


def load(name, **_):
    note("words_split", "library", "spacy", name=name)
    return Language(name)


def blank(name, **_):
    return Language(name)
