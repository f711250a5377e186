"""Values of which every rank has its own, and which ranks the program has not told apart so far.

A rank that runs for others, too, gets its number as a `Ranked`: it holds what each of those ranks has in its place, and what is
computed from it holds that as well. Where it decides something (a branch, an index, a size, a hash), the ranks that have
another value there are no longer alike. Whoever knows that a use leaves no trace in memory takes `plain` instead. What knows
neither fails, or asks for an index, so that nothing is overlooked; ranks that are alike at the end did the same throughout.
"""

from __future__ import annotations

import operator
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


_OURS = "/lib/vramscope"
_SIMPLE = (int, float, str, bool, bytes, complex, type(None))

#: this rank, and the ranks that are like it, itself among them; nobody asks while there are none
own = 0
alike = set()
drawn = set()  # those of them that get other samples of the data or other random numbers
local = 0  # the number within its node
_tell = None


def begin(rank: int, ranks: Iterable[int], per_node: int, tell: Callable) -> None:
    """This rank runs for all of these until they are told apart; `tell` hears which are left."""
    global own, alike, local, _tell
    own, alike, _tell = rank, set(ranks), tell
    drawn.clear()
    local = by_rank(lambda each: each % per_node)


def _leave(ranks):
    if ranks:
        alike.difference_update(ranks)
        drawn.difference_update(ranks)
        _tell(sorted(alike), sorted(drawn))


def _same(a, b):
    return type(a) is type(b) and a == b


def _value(of):
    """A plain value where all ranks have the same."""
    mine = of[own]
    return mine if all(rank not in alike or _same(value, mine) for rank, value in of.items()) else Ranked(of)


def by_rank(function: Callable) -> Any:
    """What a function gives for the number of each rank."""
    return _value({rank: function(rank) for rank in alike})


def each(function: Callable, *args: Any) -> Any:
    """What a function of plain values gives on every rank. A rank on which it raises leaves."""
    if not any(type(x) is Ranked for x in args):
        return function(*args)
    of, gone = {own: function(*map(plain, args))}, []
    if not isinstance(of[own], _SIMPLE):
        for x in args:
            tell_apart(x)
        return of[own]
    for rank in alike:
        if rank == own:
            continue
        try:
            of[rank] = function(*[x._of[rank] if type(x) is Ranked else x for x in args])
        except Exception:
            gone.append(rank)
    _leave(gone)
    return _value(of)


def plain(x: Any) -> Any:
    """This rank's value, where it makes no difference to memory which one it is."""
    return x._of[own] if type(x) is Ranked else x


def tell_apart(x: Any) -> Any:
    """This rank's value, where it decides something: ranks with another one are not alike any more."""
    if type(x) is not Ranked:
        return x
    mine = x._of[own]
    _leave([rank for rank in alike if rank not in x._of or not _same(x._of[rank], mine)])
    return mine


def draws(x: Any) -> Any:
    """This rank's value, by which samples or random numbers are chosen: most often of the same sizes on every rank, but nobody knows."""
    if type(x) is not Ranked:
        return x
    mine = x._of[own]
    others = {rank for rank in alike if rank not in x._of or not _same(x._of[rank], mine)}
    if not others <= drawn:
        drawn.update(others)
        _tell(sorted(alike), sorted(drawn))
    return mine


def written(x: Any, depth: int) -> Any:
    """This rank's value as a text; only what writes to the log does not read it."""
    name = sys._getframe(depth).f_code.co_filename
    return plain(x) if "/logging/" in name or name.startswith(_OURS) else tell_apart(x)


def choose(items: Any, place: Any, key: Callable) -> Any:
    """The rank's own item; ranks that would have one with another key are told apart."""
    if type(place) is Ranked:
        mine = key(items[plain(place)])
        _leave([rank for rank in alike if key(items[place._of[rank]]) != mine])
    return items[plain(place)]


class Ranked:
    """What every rank has in one place; it passes for the number or text that it is on this one."""

    __slots__ = ("_of",)

    def __init__(self, of: dict) -> None:
        self._of = of

    @property
    def __class__(self) -> type:
        return type(self._of[own])

    # --- where it decides

    def __bool__(self) -> bool:
        return tell_apart(each(bool, self))

    def __index__(self) -> int:
        return operator.index(tell_apart(self))

    def __int__(self) -> int:
        return int(tell_apart(self))

    def __float__(self) -> float:
        return float(tell_apart(self))

    def __complex__(self) -> complex:
        return complex(tell_apart(self))

    def __hash__(self) -> int:
        return hash(tell_apart(self))

    def __iter__(self) -> Any:
        return iter(tell_apart(self))

    def __len__(self) -> int:
        return tell_apart(each(len, self))

    def __contains__(self, part: Any) -> bool:
        return tell_apart(each(operator.contains, self, part))

    def __reduce_ex__(self, protocol: int) -> tuple:
        # as long as the value's own pickle it cannot be, and ranks send pickles to one another
        raise TypeError("what is pickled is one rank's")

    def __str__(self) -> str:
        return str(written(self, 2))

    def __repr__(self) -> str:
        return repr(written(self, 2))

    def __format__(self, how: str) -> str:
        return format(written(self, 2), how)

    # --- where it does not

    def __copy__(self) -> Ranked:
        return self

    def __deepcopy__(self, memo: dict) -> Ranked:
        return self

    def __getitem__(self, place: Any) -> Any:
        return each(operator.getitem, self, place)

    def __getattr__(self, name: str) -> Any:
        method = getattr(plain(self), name)
        if name.startswith("__") or not callable(method):
            raise AttributeError(name)
        return lambda *args: each(lambda value, *rest: getattr(value, name)(*rest), self, *args)

    def __round__(self, *digits: Any) -> Any:
        return each(round, self, *digits)


def _ours(x):
    return type(x) is Ranked or isinstance(x, _SIMPLE)


def _binary(function):
    def forward(self, other):
        return each(function, self, other) if _ours(other) else NotImplemented

    def backward(self, other):
        return each(function, other, self) if _ours(other) else NotImplemented

    return forward, backward


def _unary(function):
    return lambda self: each(function, self)


def _fill():
    import math

    for name in "add sub mul truediv floordiv mod pow lshift rshift and or xor".split():
        forward, backward = _binary(getattr(operator, f"__{name}__"))
        setattr(Ranked, f"__{name}__", forward)
        setattr(Ranked, f"__r{name}__", backward)
    forward, backward = _binary(divmod)
    Ranked.__divmod__, Ranked.__rdivmod__ = forward, backward
    for name in "eq ne lt le gt ge".split():
        setattr(Ranked, f"__{name}__", _binary(getattr(operator, name))[0])
    for name in "neg pos abs invert".split():
        setattr(Ranked, f"__{name}__", _unary(getattr(operator, name)))
    for name in ("ceil", "floor", "trunc"):
        setattr(Ranked, f"__{name}__", _unary(getattr(math, name)))


_fill()
