"""Forms of published JSON files that are not there, told by the names under which a program takes their parts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_ARTICLES, _PARAGRAPHS, _QUESTIONS = 100, 10, 4
# so many words has a usual paragraph of SQuAD, and so many a question and an answer
_PARAGRAPH, _QUESTION, _ANSWER = 117, 10, 3
_WORDS = "two young men are outside near many bushes and a man in blue stands on a ladder".split()


def _prose(count):
    return " ".join((_WORDS * (count // len(_WORDS) + 1))[:count])


def _questions():
    """SQuAD's articles, their paragraphs, and questions about each, answered by some of its words."""
    context = _prose(_PARAGRAPH)
    answer = {"text": " ".join(context.split()[20 : 20 + _ANSWER])}
    answer["answer_start"] = len(" ".join(context.split()[:20])) + 1

    def asked(*where):
        name = "".join(f"{i:04}" for i in where)
        return {"id": name, "question": _prose(_QUESTION) + "?", "answers": [answer], "is_impossible": False}

    articles = [
        {
            "title": f"article {i}",
            "paragraphs": [
                {"context": context, "qas": [asked(i, k, n) for n in range(_QUESTIONS)]} for k in range(_PARAGRAPHS)
            ],
        }
        for i in range(_ARTICLES)
    ]
    count = _ARTICLES * _PARAGRAPHS * _QUESTIONS
    return {"version": "1.1", "data": articles}, f"{count:,} questions about paragraphs of {_PARAGRAPH} words"


# names that a reader of the form takes -> what makes such a file
_FORMS = ((("paragraphs", "qas"), _questions),)


def of(keys: Iterable[str]) -> tuple[bytes, str] | None:
    """(bytes, words) of the file whose parts have these names."""
    known = set(keys)
    for names, make in _FORMS:
        if known.issuperset(names):
            made, words = make()
            return json.dumps(made).encode(), words
    return None
