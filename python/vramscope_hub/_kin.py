"""Which bundled model an id means that is not bundled itself: a copy in other words, what a model became by training, another pair of languages."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


_PAIR = re.compile(r"(?<=-)[a-z]{2,3}-[a-z]{2,3}$")
_NUMBER_OF_A_TRAINING = re.compile(r"v\d+")
# the words of a name that tell its model, by name
_told = {}


def names_of(repo_id: str, names: Sequence[str]) -> tuple[str, list[str]] | None:
    """What the report says of it, and the names of bundled models that it may mean; None where the words of the id name none."""
    import vramscope_shelf

    words = json.loads(vramscope_shelf.text("vramscope_hub/words.txt"))
    short = repo_id.rpartition("/")[2].lower()
    for code, found in (
        ("hub_same_name", _of_same_words(short, names, re.compile(words["word"]), set(words["variants"]))),
        ("hub_trained_from", _trained_from(short, names, {*words["trainedOn"], *words["variants"]})),
        ("hub_other_languages", _of_other_languages(short, names)),
    ):
        if found:
            return code, found
    return None


def _short(name):
    return name.rpartition("/")[2].lower()


def _of_same_words(short, names, word, variants):
    """A copy under another name: `Meta-Llama-3-8B` is what others call `llama-3-8b-Instruct`. A family alone names no model."""

    def told(name):
        """Families, numbers and sizes; what tells apart trainings is left out, as src/models/catalogue.ts says."""
        if name not in _told:
            _told[name] = sorted(found for found in word.findall(name) if found not in variants)
        return _told[name]

    wanted = told(short)
    if not any(part[0].isdigit() for part in wanted) or not any(re.match("[a-z]{2}", part) for part in wanted):
        return []
    return [name for name in names if told(_short(name)) == wanted][:1]


def _trained_from(short, names, trainings):
    """What was trained further has the shapes of what it was trained from: `stsb-distilbert-base` of distilbert-base-uncased."""
    parts = short.split("-")
    is_told = lambda part: part in trainings or _NUMBER_OF_A_TRAINING.fullmatch(part)  # noqa: E731
    first = next((at for at, part in enumerate(parts) if not is_told(part)), len(parts))
    last = len(parts)
    while last - first > 2 and is_told(parts[last - 1]):
        last -= 1
    model = "-".join(parts[first:last])
    if last - first in (0, 1, len(parts)):
        return []
    own = [name for name in names if _short(name) == model]
    longer = [name for name in names if _short(name).startswith(f"{model}-")]
    fewest = min((_short(name).count("-") for name in longer), default=0)
    return own[:1] or [name for name in longer if _short(name).count("-") == fewest]


def _of_other_languages(short, names):
    """Models that differ in their pair of languages have vocabularies that differ a little."""
    if _PAIR.search(short) is None:
        return []
    kind = _PAIR.sub("", short)
    return [name for name in names if _PAIR.sub("", _short(name)) == kind != _short(name)]
