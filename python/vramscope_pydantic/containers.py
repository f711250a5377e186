"""Validators of lists, tuples, sets, dictionaries and generators."""

from __future__ import annotations

import collections
import collections.abc
from typing import TYPE_CHECKING

from .errors import Failed, Line, PydanticOmit, fail
from .state import LAX, STRICT, Build, kind

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


_VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
_LISTS = {
    "list": (list, "list_type", "List", (tuple, set, frozenset, collections.deque, *_VIEWS)),
    "set": (set, "set_type", "Set", (list, tuple, frozenset, collections.deque, *_VIEWS)),
    "frozenset": (frozenset, "frozen_set_type", "Frozenset", (list, tuple, set, collections.deque, *_VIEWS)),
    "tuple": (tuple, "tuple_type", "Tuple", (list, set, frozenset, collections.deque, *_VIEWS)),
}


def _entered(value, strict, state, type_):
    """The items of an input, if it is one that may stand for the collection."""
    cls, wrong, _, others = _LISTS[type_]
    if isinstance(value, cls):
        if type(value) is not cls:
            state.floor(STRICT)
        return value
    if state.mode == "json" and isinstance(value, list):
        return value
    generator = isinstance(value, collections.abc.Iterator)
    if state.is_strict(strict) or not (isinstance(value, others) or generator):
        raise fail(wrong, value)
    state.floor(LAX)
    if not generator:
        return value
    try:
        return list(value)
    except Exception as error:
        raise fail("iteration_error", value, error=f"{type(error).__name__}: {error}") from None


def _each(items, validators, state, fail_fast=False):
    found, lines = [], []
    for i, (item, validate) in enumerate(zip(items, validators)):
        try:
            found.append(item if validate is None else validate(item, state))
        except Failed as error:
            lines.extend(error.at(i).lines)
            if fail_fast:
                break
        except PydanticOmit:
            continue
    if lines:
        raise Failed(lines)
    return found


def checked_length(schema: Any, field_type: Any, found: Any, value: Any) -> Any:
    shortest, longest = schema.get("min_length"), schema.get("max_length")
    if shortest is not None and len(found) < shortest:
        raise fail("too_short", value, field_type=field_type, min_length=shortest, actual_length=len(found))
    if longest is not None and len(found) > longest:
        raise fail("too_long", value, field_type=field_type, max_length=longest, actual_length=len(found))
    return found


def guarded(value: Any, state: Any, run: Callable) -> Any:
    """Runs a validation that may come back to its own input."""
    if id(value) in state.busy:
        raise fail("recursion_loop", value)
    state.busy.add(id(value))
    try:
        return run()
    finally:
        state.busy.discard(id(value))


def _inner(build: Build, schema, key="items_schema"):
    inner = schema.get(key)
    return None if inner is None or inner["type"] == "any" else build.of(inner)


@kind("list", "set", "frozenset")
def _list(build, schema):
    strict, type_ = build.strict(schema), schema["type"]
    cls, _, field_type, _ = _LISTS[type_]
    item = _inner(build, schema)

    def validate(value, state):
        items = _entered(value, strict, state, type_)
        found = guarded(value, state, lambda: _each(items, [item] * len(items), state, schema.get("fail_fast")))
        if cls is not list:
            lines = [Line("set_item_not_hashable", one).at(i) for i, one in enumerate(found) if not _hashable(one)]
            if lines:
                raise Failed(lines)
            found = cls(found)
        return checked_length(schema, field_type, found, value)

    return validate


def _hashable(value):
    try:
        hash(value)
    except TypeError:
        return False
    return True


@kind("tuple")
def _tuple(build, schema):
    strict, variadic = build.strict(schema), schema.get("variadic_item_index")
    items = [build.of(one) for one in schema["items_schema"]]

    def places(value, entries):
        if variadic is None:
            lines = [Line("missing", value).at(i) for i in range(len(entries), len(items))]
            if lines:
                return items, lines
            if len(entries) > len(items):
                raise fail("too_long", value, field_type="Tuple", max_length=len(items), actual_length=len(entries))
            return items, []
        after = len(items) - variadic - 1
        between = len(entries) - variadic - after
        if between < 0:
            return items[:variadic] + items[variadic + 1 :], [
                Line("missing", value).at(i) for i in range(len(entries), len(items) - 1)
            ]
        return items[:variadic] + [items[variadic]] * between + items[variadic + 1 :], []

    def validate(value, state):
        entries = list(_entered(value, strict, state, "tuple"))
        validators, missing = places(value, entries)
        try:
            found = _each(entries, validators, state, schema.get("fail_fast"))
        except Failed as error:
            raise Failed([*error.lines, *missing]) from None
        if missing:
            raise Failed(missing)
        return checked_length(schema, "Tuple", tuple(found), value)

    return validate


@kind("dict")
def _dict(build, schema):
    strict = build.strict(schema)
    key, item = _inner(build, schema, "keys_schema"), _inner(build, schema, "values_schema")

    def run(value, entries, state):
        found, lines = {}, []
        for name, one in entries:
            try:
                own = name if key is None else key(name, state)
            except Failed as error:
                lines.extend(error.at(name, "[key]").lines)
                own = None
            except PydanticOmit:
                continue
            try:
                made = one if item is None else item(one, state)
            except Failed as error:
                lines.extend(error.at(name).lines)
                continue
            except PydanticOmit:
                continue
            found[own] = made
        if lines:
            raise Failed(lines)
        return found

    def validate(value, state):
        if isinstance(value, dict):
            entries = list(value.items())
        elif not state.is_strict(strict) and isinstance(value, collections.abc.Mapping):
            state.floor(LAX)
            try:
                entries = list(value.items())
            except Exception as error:
                raise fail("mapping_type", value, error=f"{type(error).__name__}: {error}") from None
        else:
            raise fail("dict_type", value)
        found = guarded(value, state, lambda: run(value, entries, state))
        return checked_length(schema, "Dictionary", found, value)

    return validate


@kind("generator")
def _generator(build, schema):
    item = _inner(build, schema)

    def validate(value, state):
        try:
            iterator = iter(value)
        except TypeError:
            raise fail("iterable_type", value) from None

        def items():
            for i, one in enumerate(iterator):
                try:
                    yield one if item is None else item(one, state)
                except Failed as error:
                    from .errors import ValidationError

                    raise ValidationError("ValidatorIterator", error.at(i).lines) from None

        return items()

    return validate
