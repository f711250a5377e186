"""absl.flags: `DEFINE_*` and FLAGS; each flag is `--name=value` or `--name value`, and `--noname` for one of yes and no."""

from typing import Any


class Error(Exception):
    """What flags raise."""


UnparsedFlagAccessError = IllegalFlagValueError = ValidationError = Error
_YES, _NO = ("true", "t", "1", "yes"), ("false", "f", "0", "no")


class FlagHolder:
    def __init__(self, name: str, default: Any, read: Any, is_switch: bool, values: Any) -> None:
        self.name, self.default, self.value, self._read, self._is_switch, self.present = (
            name,
            default,
            default,
            read,
            is_switch,
            0,
        )
        values._flags[name] = self

    def set(self, text: str) -> None:
        self.value, self.present = self._read(text), self.present + 1


class FlagValues:
    def __init__(self) -> None:
        self.__dict__.update(_flags={}, _parsed=False)

    def __getattr__(self, name: str) -> Any:
        if name not in self._flags:
            raise AttributeError(name)
        return self._flags[name].value

    def __setattr__(self, name: str, value: object) -> None:
        self._flags[name].value = value

    __getitem__ = lambda self, name: self._flags[name]
    __contains__ = lambda self, name: name in self._flags
    __iter__ = lambda self: iter(self._flags)
    __len__ = lambda self: len(self._flags)
    is_parsed = lambda self: self._parsed
    mark_as_parsed = lambda self: self.__dict__.update(_parsed=True)
    flag_values_dict = lambda self: {name: flag.value for name, flag in self._flags.items()}

    def flags_into_string(self) -> str:
        """Every flag that has a value, as a command line or a file of flags says it."""
        lines = []
        for name, value in sorted(self.flag_values_dict().items()):
            if isinstance(value, bool):
                lines.append(f"--{'' if value else 'no'}{name}")
            elif value is not None:
                lines.append(f"--{name}={','.join(map(str, value)) if isinstance(value, list) else value}")
        return "".join(f"{line}\n" for line in lines)

    def append_flags_into_file(self, filename: str) -> None:
        with open(filename, "a") as file:
            file.write(self.flags_into_string())

    def __call__(self, argv: Any, known_only: bool = False) -> Any:
        """Reads a command line; what is no flag comes back."""
        rest, words = [argv[0]], _with_files(list(argv[1:]))
        while words:
            word = words.pop(0)
            if word == "--":
                rest += words
                break
            if not word.startswith("-") or word == "-":
                rest.append(word)
                continue
            name, equals, text = word.lstrip("-").partition("=")
            flag = self._flags.get(name) or self._flags.get(name.replace("-", "_"))
            if flag is None and name.startswith("no") and name[2:] in self._flags:
                flag, equals, text = self._flags[name[2:]], "=", "false"
            holder, _, part = name.partition(".")
            if flag is None and part and hasattr(self._flags.get(holder), "change"):
                self._flags[holder].change(part, text if equals else words.pop(0))
                continue
            if flag is None:
                if not known_only:
                    raise Error(f"Unknown command line flag '{name}'")
                rest.append(word)
                continue
            if not equals:
                text = "true" if flag._is_switch else words.pop(0)
            flag.set(text)
        self.mark_as_parsed()
        return rest


def _with_files(words):
    """The words, with the lines of a file where `--flagfile` names one."""
    found = []
    while words:
        word = words.pop(0)
        name, equals, path = word.lstrip("-").partition("=")
        if word == "--" or not word.startswith("-") or name != "flagfile":
            found.append(word)
            if word == "--":
                return found + words
            continue
        path = path if equals else words.pop(0)
        try:
            with open(path) as file:
                lines = [line.strip() for line in file]
        except FileNotFoundError as error:
            raise Error(f"Unable to open flagfile: {error}") from error
        words[:0] = [line for line in lines if line and not line.startswith(("#", "//"))]
    return found


FLAGS = FlagValues()


def _truth(text):
    if str(text).lower() in _YES + _NO:
        return str(text).lower() in _YES
    raise Error(f"Non-boolean argument to boolean flag: {text}")


def _define(read, is_switch=False):
    return lambda name, default, help=None, *_, **__: FlagHolder(name, default, read, is_switch, FLAGS)  # noqa: A006


DEFINE_string, DEFINE_integer, DEFINE_float = _define(str), _define(int), _define(float)
DEFINE_bool = DEFINE_boolean = _define(_truth, is_switch=True)
DEFINE_list = _define(lambda text: [part.strip() for part in text.split(",") if part])
DEFINE_spaceseplist = _define(str.split)


def DEFINE_enum(name: str, default: Any, enum_values: Any, help: str | None = None, *_: object, **__: object) -> Any:  # noqa: A002
    return FlagHolder(name, default, str, False, FLAGS)


def DEFINE_enum_class(
    name: str, default: Any, enum_class: Any, help: str | None = None, *_: object, **__: object
) -> Any:  # noqa: A002
    default = enum_class[default] if isinstance(default, str) else default
    return FlagHolder(name, default, lambda text: enum_class[text], False, FLAGS)


def _define_many(read):
    def define(name, default, help=None, *_, **__):  # noqa: A002
        flag = FlagHolder(name, default, read, False, FLAGS)
        flag._read = lambda text: (flag.value if flag.present else []) + [read(text)]
        return flag

    return define


DEFINE_multi_string, DEFINE_multi_integer, DEFINE_multi_float = map(_define_many, (str, int, float))


def mark_flag_as_required(flag_name: str, flag_values: Any = None) -> None:
    """Nobody is asked."""


def mark_flags_as_required(flag_names: Any, flag_values: Any = None) -> None:
    """Nobody is asked."""


def register_validator(*_: object, **__: object) -> None:
    """All values are taken."""


def validator(*_: object, **__: object) -> Any:
    return lambda function: function
