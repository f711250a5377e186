"""fire: a function, or what a class or module offers, called with the words of the command line."""

from __future__ import annotations

import ast
import inspect
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


__version__ = "0.7.0"
__all__ = ["Fire"]


def Fire(component: Any = None, command: Any = None, name: str | None = None, serialize: Any = None) -> Any:
    """Calls `component` with `--name value`, `--name=value`, `--flag`, `--noflag` and words; returns what it returns."""
    if component is None:
        component = vars(sys.modules["__main__"])
    words = command.split() if isinstance(command, str) else list(sys.argv[1:] if command is None else command)
    while True:
        if inspect.isclass(component):
            component, words = _call(component, words)
        elif callable(component):
            result, words = _call(component, words)
            return result
        elif not words:
            return component
        else:
            word = words.pop(0).replace("-", "_")
            found = component.get(word) if isinstance(component, dict) else getattr(component, word, None)
            if found is None:
                sys.stderr.write(f"ERROR: Cannot find key: {word}\n")
                raise SystemExit(2)
            component = found


def _value(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _call(function, words):
    """Its result, and the words that it did not take; a class leaves to its methods what its own arguments do not need."""
    is_class = inspect.isclass(function)
    plain_class = is_class and function.__init__ is object.__init__
    parameters = {} if plain_class else inspect.signature(function).parameters
    kinds = {p.kind for p in parameters.values()}
    named, plain, rest, left = {}, [], list(words), []
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or _is_number(word):
            plain.append(word)
            continue
        key, equals, text = word.lstrip("-").partition("=")
        key = key.replace("-", "_")
        follows = not equals and rest and (not rest[0].startswith("-") or _is_number(rest[0]))
        if key not in parameters and not equals and key.startswith("no") and key[2:] in parameters:
            named[key[2:]] = False
        elif key in parameters or inspect.Parameter.VAR_KEYWORD in kinds:
            named[key] = _value(text if equals else rest.pop(0)) if equals or follows else True
        elif is_class:
            left += [word, rest.pop(0)] if follows else [word]
        else:
            sys.stderr.write(f"ERROR: Could not consume arg: --{key}\n")
            raise SystemExit(2)
    free = [
        p.name
        for p in parameters.values()
        if p.kind is p.POSITIONAL_OR_KEYWORD and p.name not in named and not (is_class and p.default is not p.empty)
    ]
    if inspect.Parameter.VAR_POSITIONAL in kinds and not is_class:
        return function(*map(_value, plain), **named), []
    missing = [n for n in free[len(plain) :] if parameters[n].default is inspect.Parameter.empty]
    if missing:
        sys.stderr.write(f"ERROR: The function received no value for the required argument: {missing[0]}\n")
        raise SystemExit(2)
    return function(**dict(zip(free, map(_value, plain))), **named), plain[len(free) :] + left


def _is_number(word):
    return word[1:2].isdigit() or word[1:2] == "."
