"""Packages that are neither here nor stood in for: importing one works, and the first use of it is the error that the import was.

So a package that a program imports and does not use on its way stops nobody, nothing is computed by what is not there, and an
error can name all that is missing. Where the program catches that a package is missing, or only asks for it, it is told at once.
"""

from __future__ import annotations

import abc
import importlib.machinery
import importlib.util
import sys
import types
from typing import TYPE_CHECKING

from vramscope_absent import only_asked, raised
from vramscope_packages import SHORT_FORMS

if TYPE_CHECKING:
    from typing import Any, Self

    import torch


missing = {}  # names of packages, in the order in which they were imported -> the line that did
_LIBRARIES = ("/lib/", "<frozen ", "<vramscope")
_NEVER = ("torch", "numpy", "vramscope")  # what lacks something says so by itself


def _part(name):
    """The package, or the part of a stand-in, that is missing with this name."""
    parts = name.split(".")
    return next((p for n in range(len(parts), 0, -1) if (p := ".".join(parts[:n])) in missing), parts[0])


def _stands_in(name):
    """Whether a module is a part of a stand-in of ours that lacks it; of a package that can be mounted instead it is said at once."""
    if name.partition(".")[0] in SHORT_FORMS:
        return False
    parent = sys.modules.get(name.rpartition(".")[0])
    return (getattr(parent, "__file__", None) or "").startswith("/lib/vramscope/")


def _error(of):
    if of._text is not None:
        error = ImportError(of._text, name=of._name)
        error.__notes__ = []
        return error
    top = _part(of._name)
    error = ModuleNotFoundError(f"No module named '{top}'", name=top)
    error.add_note(f"vramscope: it is imported at {missing.get(top, 'an unknown line')}, and used here")
    others = [f"{library} ({line})" for library, line in missing.items() if library != top]
    if others:
        error.add_note(f"vramscope: imported and not here, either: {', '.join(others)}")
    return error


class Name:
    """Something of a package that is not here: it may be named, kept, derived from and asked about; any use raises."""

    def __init__(self, name: str, text: str | None = None) -> None:
        self.__dict__.update(_name=name, _text=text)  # the text of a stand-in that lacks it

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        made = self.__dict__[name] = raised(name) or Name(f"{self._name}.{name}", self._text)
        return made

    def __instancecheck__(self, instance: Any) -> bool:
        return False

    def __subclasscheck__(self, subclass: Any) -> bool:
        return False

    def __mro_entries__(self, bases: Any) -> tuple:
        return (_derived(self),)

    def __or__(self, other: Any) -> Self:
        return self

    __ror__ = __or__

    def __getitem__(self, key: Any) -> Self:
        if _annotates():
            return self
        raise _error(self)

    def __repr__(self) -> str:
        return f"<{self._name}, not here>"


def _annotates():
    """Whether an index is a type's parameter: nothing else is subscripted with classes before it was called."""
    frame = sys._getframe(2)
    return frame.f_code.co_name in ("<module>", "__annotate__") or frame.f_code.co_name[:1].isupper()


class _Derives(abc.ABCMeta):
    """Of classes that derive from a class that is not here: what they lack may be its."""

    def __getattr__(cls, name: str) -> Any:
        error = AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'", name=name, obj=cls)
        if not name.startswith("__"):
            for note in (
                f"vramscope: it may be one of {cls._absent._name}, which is not here",
                *_error(cls._absent).__notes__,
            ):
                error.add_note(note)
        raise error


def _derived(of):
    def refuse(cls, *_, **__):
        raise _error(of)

    return _Derives(
        of._name.rpartition(".")[2],
        (),
        {"__new__": refuse, "__init_subclass__": classmethod(lambda c, **_: None), "_absent": of},
    )


def _refuses(operation):
    def use(self, *_, **__):
        raise _error(self)

    use.__name__ = operation
    return use


for _operation in (
    "call iter len bool enter exit setattr setitem contains add sub mul truediv matmul neg int float index next "
    "eq ne lt le gt ge".split()
):
    setattr(Name, f"__{_operation}__", _refuses(_operation))
Name.__hash__ = object.__hash__


class _Module(types.ModuleType):
    """A package that is not here."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            error = AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
            for note in _error(Name(self.__name__)).__notes__:
                error.add_note(note)
            raise error
        found = _above(self.__name__, name)
        made = (raised(name) or Name(f"{self.__name__}.{name}")) if found is None else found
        setattr(self, name, made)
        return made

    def __call__(self, *_: Any, **__: Any) -> Any:
        """What a stand-in lacks may be a function, though it was imported as its part would be."""
        part, _, name = self.__name__.rpartition(".")
        lacking = f"vramscope's stand-in for {part} does not have '{name}'" if _stands_in(self.__name__) else None
        raise _error(Name(self.__name__, lacking))


def _above(part, name):
    """What a stand-in itself has of a part that it lacks: packages hand out from above what their parts define."""
    while part := part.rpartition(".")[0]:
        module = sys.modules.get(part)
        if (getattr(module, "__file__", None) or "").startswith("/lib/vramscope/"):
            found = getattr(module, name, None)
            if found is not None and not isinstance(found, types.ModuleType):
                return found
    return None


class Finder:
    """The last of all finders."""

    @staticmethod
    def find_spec(fullname: str, path: str | None = None, target: Any = None) -> Any:
        top = fullname.partition(".")[0]
        if _part(fullname) in missing:
            return importlib.machinery.ModuleSpec(fullname, Finder, is_package=True)
        if (
            (path is not None and not _stands_in(fullname))
            or top in _NEVER
            or top in sys.stdlib_module_names
            or only_asked()
        ):
            return None
        line = wanted()
        if line is None:
            return None
        missing[fullname] = line
        return importlib.machinery.ModuleSpec(fullname, Finder, is_package=True)

    @staticmethod
    def create_module(spec: Any) -> _Module:
        return _Module(spec.name, "Not here.")

    @staticmethod
    def exec_module(module: torch.nn.Module) -> None:
        from torch._stand_ins import note

        if module.__name__ in missing:
            note("import_deferred", "library", module.__name__)


def wanted() -> str | None:
    """The line whose import it is, as text; None where somebody on the way catches that the package is missing."""
    from vramscope_data.handlers import expects_no_name

    frame, line = sys._getframe(2), None
    while frame is not None:
        path = frame.f_code.co_filename
        if line is None and path.startswith("/lib/python") and "importlib" in path:
            return None  # importlib.import_module: a name made while running, which its caller knows to be one
        if not path.startswith(_LIBRARIES):
            if expects_no_name(frame):
                return None
            line = line or f"{path.removeprefix('/home/user/')}:{frame.f_lineno}"
        frame = frame.f_back
    return line


def begin() -> None:
    """Comes after every other finder."""
    missing.clear()
    if Finder in sys.meta_path:
        sys.meta_path.remove(Finder)
    sys.meta_path.append(Finder)
