"""inflect: numbers as English words, which is what programs for speech ask of it; the package itself wins where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any


__getattr__ = lacks("inflect")
_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen""".split()
_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
_THOUSANDS = "- thousand million billion trillion quadrillion quintillion".split()
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}  # fmt: skip


def _below_hundred(number):
    tens, ones = divmod(number, 10)
    return _SMALL[number] if number < 20 else _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")


def _below_thousand(number, andword):
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _below_hundred(rest)
    return f"{_SMALL[hundreds]} hundred" + (f"{andword and f' {andword}'} {_below_hundred(rest)}" if rest else "")


def _ordinal(words):
    start, gap, last = words.rpartition("-") if "-" in words.rpartition(" ")[2] else words.rpartition(" ")
    return start + gap + (_ORDINALS.get(last) or (last[:-1] + "ieth" if last.endswith("y") else last + "th"))


class engine:
    """Of the package's many words only those of numbers."""

    def number_to_words(
        self,
        num: Any,
        wantlist: bool = False,
        group: int = 0,
        comma: str = ",",
        andword: str = "and",
        zero: str = "zero",
        one: str = "one",
        decimal: str = "point",
        threshold: int | None = None,
    ) -> Any:
        text = str(num).replace(",", "").strip()
        is_ordinal = text[-2:] in ("st", "nd", "rd", "th")
        whole, _, part = text.removesuffix(text[-2:] if is_ordinal else "").partition(".")
        whole = whole.lstrip("+-") or "0"
        if group:
            first = len(whole) % group
            parts = [whole[:first]] * (first > 0) + [whole[i : i + group] for i in range(first, len(whole), group)]
            words = [
                _below_thousand(int(p), andword)
                if p[0] != "0"
                else " ".join(zero if d == "0" else _SMALL[int(d)] for d in p)
                for p in parts
            ]
        else:
            threes, words, rest = [], [], int(whole)
            while rest:
                rest, three = divmod(rest, 1000)
                threes.append(three)
            for power in range(len(threes) - 1, -1, -1):
                if threes[power]:
                    said = _below_thousand(threes[power], andword)
                    is_rest = power == 0 and len(threes) > 1 and threes[0] < 100
                    said = f"{andword} {said}" if is_rest and andword else said
                    words.append(f"\0{said}" if is_rest else said + (f" {_THOUSANDS[power]}" if power else ""))
            words = words or [zero]
        if part:
            words[-1] += f" {decimal} " + " ".join(zero if d == "0" else _SMALL[int(d)] for d in part)
        if wantlist:
            return [word.lstrip("\0") for word in words]
        said = f"{comma} ".join(words).replace(f"{comma} \0", " ")  # what is below a hundred has no comma before it
        return _ordinal(said) if is_ordinal else ("minus " if str(num).startswith("-") else "") + said

    def ordinal(self, num: Any) -> str:
        number = int(num)
        ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{num}{ending}"
