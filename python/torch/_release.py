"""The simulated PyTorch release: its number, the rules in which releases differ, and the names that it does not have yet.

The rules come with the request (PythonRules of src/torch says what each means), so that
nothing in Python knows a version number.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import torch
    from torch import Tensor


rules = SimpleNamespace()  # by their names in Python's spelling, set by configure()


class Version(str):
    """torch.__version__: compares like a version."""

    def __ge__(self, other: tuple[int, int]) -> bool:
        return self._key(self) >= self._key(other)

    def __gt__(self, other: Tensor) -> Any:
        return self._key(self) > self._key(other)

    def __le__(self, other: Tensor) -> Any:
        return self._key(self) <= self._key(other)

    def __lt__(self, other: Tensor) -> bool:
        return self._key(self) < self._key(other)

    __hash__ = str.__hash__

    @staticmethod
    def _key(v):
        if isinstance(v, tuple):
            return v
        parts = []
        for p in str(v).split("+")[0].split("."):
            digits = "".join(c for c in p if c.isdigit())
            parts.append(int(digits or 0))
        return tuple(parts)


def configure(release: Any) -> None:
    """Sets the simulated release; called once when a program starts."""
    import torch

    from . import _defaults, _errors, _shells

    _defaults.version_text = release["version"] + ".0"
    torch.__version__ = torch.version.__version__ = Version(_defaults.version_text)
    rules.__dict__.update(release["rules"])
    _errors.name_after(rules.oom_exception)
    modules = {name for name in release["missing"] if name in sys.modules}
    _shells.removed.update(release["missing"])
    for name in release["missing"]:
        _forget(name)
    if modules:
        sys.meta_path.insert(0, _NotYet(modules))


def _forget(name):
    """Takes a name away that came after the simulated release: asking for it raises what that release raises."""
    owner, _, attribute = name.rpartition(".")
    holder = sys.modules.get(owner)
    if holder is None:  # a class: torch.Tensor.name
        module, _, kind = owner.rpartition(".")
        holder = getattr(sys.modules[module], kind)
    # an interpreter that runs programs one after another has taken it away before
    if attribute in vars(holder):
        delattr(holder, attribute)
    for loaded in [m for m in sys.modules if m == name or m.startswith(name + ".")]:
        del sys.modules[loaded]


class _NotYet:
    """Finds nothing under the names of modules that came later, where their files lie."""

    def __init__(self, modules: Iterable[torch.nn.Module]) -> None:
        self._modules = modules

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name in self._modules:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None
