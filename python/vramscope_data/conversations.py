"""Conversations in records: turns of two speakers, under the names that a program takes out of each turn."""

from __future__ import annotations

import re
from collections.abc import Collection

# what a turn calls its speaker and what is said, and the record's list of turns: as ShareGPT's files have them, and as chats of APIs do
_FORMS = (("conversations", "from", "value"), ("messages", "role", "content"), ("conversations", "role", "content"))
# what programs call speakers; the first that a text speaks of
_SPEAKERS = (("human", "gpt"), ("user", "assistant"))
_PICTURE = re.compile(r"<image>|DEFAULT_IMAGE_TOKEN")


def of(keys: Collection[str], text: str, said: str) -> dict[str, list]:
    """Lists of turns by their name in a record, where a program asks for such a list and for the parts of its turns."""
    found = {}
    for name, by, what in _FORMS:
        if name in found or not {name, by, what} <= set(keys):
            continue
        spoken = (pair for pair in _SPEAKERS if re.search(rf"['\"]{pair[0]}['\"]", text))
        first, second = next(spoken, _SPEAKERS[-1])
        start = "<image>\n" if _PICTURE.search(text) else ""
        found[name] = [{by: first, what: start + said}, {by: second, what: said}]
    return found
