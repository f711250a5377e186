"""Options and arguments: how they are declared, and what they make of words."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .exceptions import MissingParameter
from .types import BOOL, INT, Tuple, convert_type

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class Parameter:
    kind = "parameter"

    def __init__(
        self,
        declared: Sequence[str],
        type: Any = None,  # noqa: A002
        required: bool = False,
        default: Any = None,
        callback: Callable | None = None,
        nargs: int | None = None,
        multiple: bool = False,
        envvar: Any = None,
        **rest: Any,
    ) -> None:
        self.required, self.default, self.callback, self.envvar = required, default, callback, envvar
        self.multiple, self.is_eager, self.expose_value = (
            multiple,
            rest.get("is_eager", False),
            rest.get("expose_value", True),
        )
        self.help, self.metavar = rest.get("help"), rest.get("metavar")
        self.type = convert_type(type, default)
        self.nargs = nargs if nargs is not None else len(self.type.types) if isinstance(self.type, Tuple) else 1
        self.name = self._named(declared)

    def _named(self, declared):
        return declared[0].replace("-", "_").lower()

    def hint(self) -> str:
        return f"'{self.metavar or self.name.upper()}'"

    def value_of_default(self, context: Any) -> Any:  # noqa: ARG002
        for name in [self.envvar] if isinstance(self.envvar, str) else self.envvar or ():
            if name in os.environ:
                text = os.environ[name]
                return text.split() if self.multiple or self.nargs != 1 else text
        return self.default() if callable(self.default) else self.default

    def read(self, value: Any, context: Any) -> Any:
        """The value as the function gets it, from words or from the default."""
        if value is None:
            return () if self.multiple or self.nargs == -1 else None

        def one(each):
            if self.nargs != 1 and not isinstance(self.type, Tuple):
                return tuple(self.type(word, self, context) for word in each)
            return self.type(each, self, context)

        return tuple(map(one, value)) if self.multiple else one(value)

    def take(self, words: dict, context: Any) -> None:
        given = self.name in words
        value = words[self.name] if given else self.value_of_default(context)
        if given:
            context._given.add(self.name)
        if self.required and (value is None or (value == () and self.nargs == -1)):
            raise MissingParameter("", context, self)
        value = self.read(value, context)
        if self.callback is not None:
            value = self.callback(context, self, value)
        if self.expose_value:
            context.params[self.name] = value


class Option(Parameter):
    kind = "option"

    def __init__(self, declared: Sequence[str], **kwargs: Any) -> None:
        self.opts, self.off = [], []
        for words in declared:
            on, _, off = words.partition("/")
            if on.strip().startswith("-"):
                self.opts.append(on.strip())
            if off.strip():
                self.off.append(off.strip())
        self.count = kwargs.get("count", False)
        self.flag_value = kwargs.get("flag_value")
        is_flag = kwargs.get("is_flag")
        takes_flag = self.flag_value is not None and not kwargs.get("nargs") and kwargs.get("type") is None
        self.is_flag = bool(self.off) or takes_flag if is_flag is None else is_flag
        default = kwargs.get("default")
        if self.count:
            kwargs.update(type=kwargs.get("type") or INT, default=default or 0)
        elif self.is_flag and self.flag_value is None:
            kwargs.update(type=kwargs.get("type") or BOOL, default=default or False)
            self.flag_value = True
        elif self.is_flag and default is True:
            kwargs["default"] = self.flag_value
        super().__init__(declared, **kwargs)

    def _named(self, declared):
        plain = [each for each in declared if not each.startswith("-") and each.isidentifier()]
        long = plain or sorted(self.opts, key=lambda each: not each.startswith("--"))
        return long[0].lstrip("-").replace("-", "_").lower()

    def hint(self) -> str:
        return " / ".join(f"'{each}'" for each in self.opts)


class Argument(Parameter):
    kind = "argument"

    def __init__(self, declared: Sequence[str], **kwargs: Any) -> None:
        kwargs.setdefault("required", kwargs.get("default") is None and kwargs.get("nargs") != -1)
        super().__init__(declared, **kwargs)

    def usage(self) -> str:
        shown = self.metavar or self.name.upper()
        return f"{shown if self.required else f'[{shown}]'}{'...' if self.nargs != 1 else ''}"
