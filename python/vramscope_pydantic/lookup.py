"""Where the value of a field is found in an input: by its name, by aliases, by ways into it."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from typing import Any


def looked_up(value: Any, path: str, attributes: bool = False) -> tuple:
    """A tuple with what lies at the end of a way of keys and positions; empty where there is nothing."""
    for part in path:
        if attributes and isinstance(part, str):
            try:
                value = getattr(value, part)
            except AttributeError:
                return ()
            continue
        if isinstance(value, str):
            return ()
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return ()
    return (value,)


def ways(name: str, alias: Any, by_alias: Any, by_name: str) -> list:
    """The ways to look for a field, best first, and the name under which an error is shown."""
    found = []
    if alias is not None and by_alias:
        if isinstance(alias, str):
            found.append([alias])
        else:
            found.extend(alias if isinstance(alias[0], list) else [alias])
    if by_name or not found:
        found.append([name])
    return found
