"""Commands and groups: words in, functions called."""

from __future__ import annotations

import inspect
import os
import sys
from typing import TYPE_CHECKING

from .context import Context
from .exceptions import Abort, BadOptionUsage, ClickException, Exit, NoSuchOption, UsageError
from .parameters import Argument, Option

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Command:
    def __init__(
        self, name: str | None = None, callback: Any = None, params: Any = None, help: Any = None, **more: Any
    ) -> None:  # noqa: A002
        self.name, self.callback, self.params = name, callback, list(params or ())
        self.help = help or inspect.getdoc(callback) if callback else help
        settings = more.get("context_settings") or {}
        self._keeps_unknown = settings.get("ignore_unknown_options", False)
        self._keeps_extra = settings.get("allow_extra_args", False)
        self._helps = settings.get("help_option_names", ["--help"])
        self._default_map = settings.get("default_map") or {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.main(*args, **kwargs)

    def main(self, args: Any = None, prog_name: str | None = None, standalone_mode: bool = True, **more: Any) -> Any:
        words = list(sys.argv[1:] if args is None else args)
        name = prog_name or os.path.basename(sys.argv[0] or "")
        try:
            with Context(self, info_name=name, obj=more.get("obj")) as context:
                result = self.run(context, words)
        except Exit as end:
            if not standalone_mode:
                return end.exit_code
            sys.exit(end.exit_code)
        except ClickException as error:
            if not standalone_mode:
                raise
            error.show()
            sys.exit(error.exit_code)
        except Abort:
            if not standalone_mode:
                raise
            print("Aborted!", file=sys.stderr)
            sys.exit(1)
        if not standalone_mode:
            return result
        sys.exit(0)

    def run(self, context: Context, words: list[str]) -> Any:
        self.parse(context, words)
        return self._called(context)

    def _called(self, context):
        return self.callback and self.callback(**context.params)

    def parse(self, context: Context, words: list[str]) -> None:
        """Fills the context's parameters from words; what is behind a group's own stays in `context.args`."""
        options = {word: (each, True) for each in self.params if isinstance(each, Option) for word in each.opts}
        options |= {word: (each, False) for each in self.params if isinstance(each, Option) for word in each.off}
        found, loose, words = {}, [], list(words)
        while words:
            word = words.pop(0)
            if word == "--":
                loose += words
                break
            if not word.startswith("-") or word == "-" or (self._keeps_unknown and word.split("=")[0] not in options):
                loose.append(word)
                if isinstance(self, Group):
                    loose += words
                    break
                continue
            self._option(context, options, found, word, words)
        context.args = self._arguments(found, loose)
        if context.args and not (self._keeps_extra or isinstance(self, Group)):
            many = len(context.args) > 1
            raise UsageError(f"Got unexpected extra argument{'s' * many} ({' '.join(context.args)})", context)
        given = list(found)
        for param in sorted(self.params, key=lambda each: (not each.is_eager, (*given, each.name).index(each.name))):
            if param.name in self._default_map and param.name not in found:
                found[param.name] = self._default_map[param.name]
            param.take(found, context)

    def _option(self, context, options, found, word, words):
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if name not in options and not name.startswith("--") and name[:2] in options:
            name, value, equals = word[:2], word[2:], "="
            if options[name][0].is_flag or options[name][0].count:
                words.insert(0, f"-{value}")
                equals = ""
        if name in self._helps and name not in options:
            print(context.get_help())
            raise Exit
        if name not in options:
            raise NoSuchOption(f"No such option {name!r}.", context)
        option, is_on = options[name]
        if option.count:
            found[option.name] = found.get(option.name, 0) + 1
        elif option.is_flag:
            found[option.name] = option.flag_value if is_on else False
        else:
            taken = [value] if equals else []
            while len(taken) < option.nargs and words:
                taken.append(words.pop(0))
            if len(taken) < option.nargs:
                wanted = "an argument" if option.nargs == 1 else f"{option.nargs} arguments"
                raise BadOptionUsage(f"Option {name!r} requires {wanted}.")
            value = taken[0] if option.nargs == 1 else tuple(taken)
            found[option.name] = [*found.get(option.name, ()), value] if option.multiple else value

    def _arguments(self, found, loose):
        arguments = [each for each in self.params if isinstance(each, Argument)]
        for at, argument in enumerate(arguments):
            behind = sum(max(each.nargs, 0) for each in arguments[at + 1 :])
            count = max(len(loose) - behind, 0) if argument.nargs == -1 else argument.nargs
            taken, loose = loose[:count], loose[count:]
            if argument.nargs == 1 and taken:
                found[argument.name] = taken[0]
            elif argument.nargs != 1 and taken:
                found[argument.name] = tuple(taken)
        return loose


class Group(Command):
    def __init__(
        self, name: Any = None, commands: Any = None, invoke_without_command: bool = False, **kwargs: Any
    ) -> None:
        self.chain = kwargs.pop("chain", False)
        super().__init__(name, **kwargs)
        self.commands = (
            dict(commands or {}) if not isinstance(commands, list) else {each.name: each for each in commands}
        )
        self.invoke_without_command = invoke_without_command

    def add_command(self, command: Command, name: str | None = None) -> None:
        self.commands[name or command.name] = command

    def command(self, *args: Any, **kwargs: Any) -> Any:
        return self._adds(command(*args, **kwargs) if not (args and callable(args[0])) else command()(args[0]))

    def group(self, *args: Any, **kwargs: Any) -> Any:
        return self._adds(group(*args, **kwargs) if not (args and callable(args[0])) else group()(args[0]))

    def _adds(self, made):
        if isinstance(made, Command):
            self.add_command(made)
            return made
        return lambda function: self._adds(made(function))

    def get_command(self, context: Any, name: str) -> Command | None:  # noqa: ARG002
        return self.commands.get(name)

    def list_commands(self, context: Any) -> list[str]:  # noqa: ARG002
        return sorted(self.commands)

    def run(self, context: Context, words: list[str]) -> Any:
        self.parse(context, words)
        rest = context.args
        if not rest:
            if not self.invoke_without_command:
                print(context.get_help())
                raise Exit(2)
            return self._called(context)
        context.invoked_subcommand = rest[0]
        chosen = self.get_command(context, rest[0])
        if chosen is None:
            raise UsageError(f"No such command '{rest[0]}'.", context)
        self._called(context)
        with Context(chosen, parent=context, info_name=rest[0]) as inner:
            return chosen.run(inner, rest[1:])


def _named_after(function):
    name = function.__name__.lower().replace("_", "-")
    for suffix in ("-command", "-cmd", "-group", "-grp"):
        name = name.removesuffix(suffix)
    return name


def command(name: Any = None, cls: Any = None, **attrs: Any) -> Any:
    if callable(name):
        return command(None, cls, **attrs)(name)

    def made(function: Callable) -> Command:
        params = list(reversed(function.__dict__.pop("__click_params__", [])))
        return (cls or Command)(name or _named_after(function), callback=function, params=params, **attrs)

    return made


def group(name: Any = None, cls: Any = None, **attrs: Any) -> Any:
    if callable(name):
        return command(None, cls or Group)(name)
    return command(name, cls or Group, **attrs)


def _adding(kind):
    def add(*declared, cls=None, **attrs):
        def to(function):
            made = (cls or kind)(declared, **attrs)
            if isinstance(function, Command):
                function.params.append(made)
            else:
                function.__dict__.setdefault("__click_params__", []).append(made)
            return function

        return to

    return add


option, argument = _adding(Option), _adding(Argument)
