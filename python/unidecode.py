"""unidecode: text in ASCII; letters lose their marks, and what has no letter in ASCII is left out."""

import unicodedata

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


def unidecode(string, errors="ignore", replace_str="?"):
    """One answer for each character; NFKD and a few that it does not part."""
    if string.isascii():
        return string
    plain = unicodedata.normalize("NFKD", "".join(_OTHERS.get(c, c) for c in string))
    return plain.encode("ascii", "ignore").decode()


unidecode_expect_ascii = unidecode_expect_nonascii = unidecode
