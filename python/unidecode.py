"""unidecode: text in ASCII; letters lose their marks, and what has no letter in ASCII is left out."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


_OTHERS = {
    "ß": "ss",
    "æ": "ae",
    "Æ": "AE",
    "ø": "o",
    "Ø": "O",
    "œ": "oe",
    "đ": "d",
    "ł": "l",
    "Ł": "L",
    "Đ": "D",
    "Œ": "OE",
    "–": "-",
    "—": "--",
}
_OTHERS |= {"‘": "'", "’": "'", "“": '"', "”": '"', "…": "...", "€": "EUR", "£": "PS"}


def unidecode(string: Any, errors: str = "ignore", replace_str: str = "?") -> Any:
    """One answer for each character; NFKD and a few that it does not part."""
    if string.isascii():
        return string
    plain = unicodedata.normalize("NFKD", "".join(_OTHERS.get(c, c) for c in string))
    return plain.encode("ascii", "ignore").decode()


unidecode_expect_ascii = unidecode_expect_nonascii = unidecode
