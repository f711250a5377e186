"""configargparse: argparse whose options may also stand in a file or the environment; the package itself wins where it is installed."""

from __future__ import annotations

import argparse
import os
import re
import sys
from argparse import *  # noqa: F403
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


__getattr__ = lacks("configargparse")
_LINE = re.compile(r"(?P<key>[^:=;#\s]+)(?:\s*[:=\s]\s*(?P<value>.*?))?\s*(?:\s[;#].*)?")
_parsers = {}


class ArgumentParser(argparse.ArgumentParser):
    """What the command line does not say a variable does, then a file that it names, then the files that the program names."""

    def __init__(self, *args: Any, default_config_files: Sequence[str] = (), **kwargs: Any) -> None:
        for own in (
            "add_config_file_help add_env_var_help auto_env_var_prefix config_file_parser_class args_for_setting_config_path "
            "config_arg_is_required config_arg_help_message args_for_writing_out_config_file "
            "write_out_config_file_arg_help_message ignore_unknown_config_file_keys config_file_open_func"
        ).split():
            kwargs.pop(own, None)
        super().__init__(*args, **kwargs)
        self._default_files, self._file_options, self._variables = list(default_config_files), [], {}

    def add_argument(
        self, *args: Any, env_var: str | None = None, is_config_file: bool = False,
        is_config_file_arg: bool = False, is_write_out_config_file_arg: bool = False, **kwargs: Any
    ) -> argparse.Action:  # fmt: skip
        action = super().add_argument(*args, **kwargs)
        if is_config_file or is_config_file_arg:
            self._file_options.append(action)
        if env_var is not None:
            self._variables[env_var] = action
        return action

    add = add_arg = add_argument

    def parse_known_args(
        self, args: Any = None, namespace: Any = None, config_file_contents: str | None = None, env_vars: Any = os.environ
    ) -> tuple:  # fmt: skip
        args = list(sys.argv[1:] if args is None else args.split() if isinstance(args, str) else args)
        said = [part.partition("=")[0] for part in args]
        texts = [config_file_contents] if config_file_contents is not None else self._texts(args)
        more = [(action, env_vars[name]) for name, action in self._variables.items() if name in env_vars]
        for text in texts:
            more += [(self._option_string_actions.get(f"--{key}") or key, value) for key, value in _settings(text)]
        front = []
        for action, value in more:
            names = action.option_strings if isinstance(action, argparse.Action) else [f"--{action}"]
            if not set(names) & {*said, *front}:
                front += self._as_options(action, names[-1], value)
        return super().parse_known_args(front + args, namespace)

    def _texts(self, args):
        finder = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        for action in self._file_options:
            finder.add_argument(*action.option_strings, dest=action.dest, default=action.default)
        named = [path for path in vars(finder.parse_known_args(args)[0]).values() if path]
        beside = [path for path in map(os.path.expanduser, self._default_files) if os.path.isfile(path)]
        found = []
        for path in (*named, *reversed(beside)):
            try:
                with open(path) as file:
                    found.append(file.read())
            except OSError as error:
                self.error(f"Unable to open config file: {path}. Error: {error.strerror}")
        return found

    def _as_options(self, action, name, value):
        if isinstance(action, argparse.Action) and action.nargs == 0:
            return [name] if value.lower() in ("true", "yes", "1", "") else []
        if value.startswith("[") and value.endswith("]"):
            parts = [part.strip().strip("'\"") for part in value[1:-1].split(",") if part.strip()]
            many = isinstance(action, argparse.Action) and action.nargs not in (None, "?")
            return [name, *parts] if many else [piece for part in parts for piece in (name, part)]
        return [f"{name}={value}"]


def _settings(text):
    """(name, value) of each line that says one."""
    for line in map(str.strip, text.splitlines()):
        if line and line[0] not in "#;[" and not line.startswith("---"):
            found = _LINE.fullmatch(line)
            if found:
                yield found["key"].lstrip("-"), (found["value"] or "").strip("'\"")


def get_argument_parser(name: str = "default", **kwargs: Any) -> ArgumentParser:
    return _parsers.setdefault(name, ArgumentParser(**kwargs))


getArgumentParser = getParser = getArgParser = get_arg_parser = get_argument_parser
ArgParser = Parser = ArgumentParser
