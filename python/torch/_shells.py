"""What PyTorch has and we do not: importing it works, using it says so by name.

`_names.txt` lists PyTorch's modules and their public names, and with `~` others without an underscore. A listed module that is not here becomes a module of shells;
a listed name that one of our modules lacks becomes a shell in it, and so does a private name that is imported where nobody
catches that it is not there. Everything else stays the error that PyTorch gives.
"""

from __future__ import annotations

import importlib.machinery
import opcode
import sys
import types
from typing import TYPE_CHECKING

from . import _C

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import torch


_IMPORT_FROM = opcode.opmap["IMPORT_FROM"]


def _refuse(name):
    raise _C.UnsupportedOp(f"vramscope does not simulate {name}")


class Shell(type):
    """The metaclass of shells: they can be named in annotations, derived from and asked for members; a call refuses."""

    def __call__(cls, *_: Any, **__: Any) -> None:
        _refuse(cls._shell_name)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return shell(f"{cls._shell_name}.{name}")

    def __repr__(cls) -> str:
        return f"<{cls._shell_name}, not simulated>"

    def __iter__(cls) -> Iterator:
        return iter(())


_made = {}
removed = set()  # dotted names that the simulated version does not have yet


def shell(name: str) -> Any:
    """The shell of a dotted name."""
    known = _made.get(name)
    if known is None:
        module, _, last = name.rpartition(".")
        known = _made[name] = Shell(last, (), {"_shell_name": name, "__module__": module})
    return known


def is_shell(value: Any) -> bool:
    """Whether a module or an object only stands for something that is missing."""
    return isinstance(value, (Shell, _ShellModule))


class _ShellModule(types.ModuleType):
    """A module of which nothing is here."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        table, wanted = _names(), f"{self.__name__}.{name}"
        if wanted in table and wanted not in removed:
            return importlib.import_module(wanted)
        listed = table.get(self.__name__)
        if listed and name not in listed and not name.startswith("_"):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        return shell(wanted)


_table = None
_packed = b""


def _names():
    """Names by module, those beside an `__all__` with them; modules of which no names are listed have an empty set."""
    global _table
    if _table is None:
        _table = {module: frozenset(n.removeprefix("~") for n in names) for module, names in _listed()}
    return _table


def public_names() -> dict[str, frozenset[str]]:
    """What PyTorch offers by module."""
    return {module: frozenset(n for n in names if not n.startswith("~")) for module, names in _listed()}


def _listed():
    import zlib

    for line in zlib.decompress(_packed).decode().splitlines()[1:]:
        module, _, names = line.partition(":")
        yield module, names.split()


def keep(text: str) -> None:
    """Takes the list's text; it stays packed until something is missing."""
    global _packed
    import zlib

    _packed = zlib.compress(text.encode(), 9)


class _Finder:
    """Finds what PyTorch has and nobody else found: the last of all finders."""

    @staticmethod
    def find_spec(fullname: str, path: list[str] | None = None, target: Any = None) -> Any:
        if not fullname.startswith("torch.") or fullname in removed or fullname not in _names():
            return None
        return importlib.machinery.ModuleSpec(fullname, _Finder, is_package=True)

    @staticmethod
    def create_module(spec: Any) -> _ShellModule:
        return _ShellModule(spec.name, "Not simulated.")

    @staticmethod
    def exec_module(module: torch.nn.Module) -> None:
        pass


def _is_needed(frame):
    """Whether `from module import name` stands where nobody catches that there is no such name: private names are not listed."""
    code = frame.f_code.co_code
    if not 0 <= frame.f_lasti < len(code) or code[frame.f_lasti] != _IMPORT_FROM:
        return False
    from vramscope_data.handlers import expects_no_name

    return not expects_no_name(frame)


def _fills(module, before):
    """The `__getattr__` of one of our modules: what it finds itself, then submodules, then shells of listed names."""
    own = module.__name__

    def __getattr__(name):
        if before is not None:
            try:
                return before(name)
            except AttributeError:
                if name.startswith("__"):
                    raise
        if not name.startswith("__"):
            table, wanted = _names(), f"{own}.{name}"
            if wanted in table and wanted not in removed:
                return importlib.import_module(wanted)
            listed = name in table.get(own, ()) or (own == "torch._C" and name[0].isupper())
            if wanted not in removed and (listed or (name[0] == "_" and _is_needed(sys._getframe(1)))):
                return shell(wanted)
        raise AttributeError(f"module '{own}' has no attribute '{name}'")

    __getattr__._fills = True
    return __getattr__


def complete(module: types.ModuleType) -> None:
    """Gives one of our modules the shells that it needs."""
    if isinstance(module, _ShellModule) or module.__name__ not in _names():
        return
    if "__path__" not in vars(module):
        module.__path__ = []  # some of our files are folders in PyTorch
    before = vars(module).get("__getattr__")
    if not getattr(before, "_fills", False):
        module.__getattr__ = _fills(module, before)


def install() -> None:
    """Completes all modules that are loaded; called once before the interpreter is frozen."""
    if _Finder not in sys.meta_path:
        sys.meta_path.append(_Finder)
    for name, module in list(sys.modules.items()):
        if isinstance(module, types.ModuleType) and (name == "torch" or name.startswith("torch.")):
            complete(module)


with open(__file__.replace("_shells.py", "_names.txt")) as _file:
    keep(_file.read())
