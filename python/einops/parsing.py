"""Reads one side of a pattern into groups of axes."""

from __future__ import annotations

import keyword

from . import EinopsError

ELLIPSIS = "…"


class Number:
    """An axis written as a number; each one is an axis of its own."""

    def __init__(self, text: str) -> None:
        self.value = int(text)
        if self.value <= 1:
            raise EinopsError(
                f"Anonymous axis should have positive length, not {text}"
                if self.value < 1
                else "No need to create anonymous axis of length 1."
            )

    def __repr__(self) -> str:
        return f"{self.value}-axis"


def valid_name(name: str) -> tuple[bool, str]:
    if not str.isidentifier(name):
        return False, "not a valid python identifier"
    if name[0] == "_" or name[-1] == "_":
        return name == "_", "axis name should not start or end with underscore"
    return not keyword.iskeyword(name) and name != "axis", f"{name} is a reserved word"


class Expression:
    """`groups` is a list of lists of axes, with ELLIPSIS standing alone for a bare one."""

    def __init__(self, text: str, allow_underscore: bool = False, allow_duplicates: bool = False) -> None:
        self.has_ellipsis = "..." in text
        self.has_grouped_ellipsis = False
        self.has_numbers = False
        self.names = set()
        self.groups = []
        if "." in text:
            if "..." not in text or text.count("...") != 1 or text.count(".") != 3:
                raise EinopsError(
                    "Expression may contain dots only inside ellipsis (...); only one ellipsis for tensor "
                )
            text = text.replace("...", ELLIPSIS)
        self._underscore, self._duplicates = allow_underscore, allow_duplicates
        group = None
        word = ""
        for char in text + " ":
            if char in "() ":
                if word:
                    group = self._add(word, group)
                word = ""
                if char == "(":
                    if group is not None:
                        raise EinopsError("Axis composition is one-level (brackets inside brackets not allowed)")
                    group = []
                elif char == ")":
                    if group is None:
                        raise EinopsError("Brackets are not balanced")
                    self.groups.append(group)
                    group = None
            elif char.isalnum() or char in "_" + ELLIPSIS:
                word += char
            else:
                raise EinopsError(f"Unknown character '{char}'")
        if group is not None:
            raise EinopsError(f'Imbalanced parentheses in expression: "{text}"')

    def _add(self, word, group):
        if word in self.names and not (self._underscore and word == "_") and not self._duplicates:
            raise EinopsError(f'Indexing expression contains duplicate dimension "{word}"')
        if word == ELLIPSIS:
            self.names.add(word)
            if group is None:
                self.groups.append(ELLIPSIS)
            else:
                group.append(word)
                self.has_grouped_ellipsis = True
            return group
        if word.isdecimal():
            if int(word) == 1:
                if group is None:
                    self.groups.append([])
                return group
            axis = Number(word)
            self.has_numbers = True
        else:
            good, reason = valid_name(word)
            if not good or (word == "_" and not self._underscore):
                raise EinopsError(f"Invalid axis identifier: {word}\n{reason}")
            axis = word
        self.names.add(axis)
        if group is None:
            self.groups.append([axis])
        else:
            group.append(axis)
        return group

    def flat(self) -> list:
        return [axis for group in self.groups for axis in group]
