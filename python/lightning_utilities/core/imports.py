"""Which packages are there, and whether their versions will do."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import operator
import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


_COMPARES = {
    "==": operator.eq, "!=": operator.ne, ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
    "~=": operator.ge,
}  # fmt: skip


def _numbers(version):
    """The release of a version as numbers, without what follows it."""
    found = re.match(r"\d+(?:\.\d+)*", str(version))
    parts = [int(p) for p in found[0].split(".")] if found else [0]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    return parts


def package_available(package_name: str) -> bool:
    try:
        return importlib.util.find_spec(package_name) is not None
    except (ModuleNotFoundError, ValueError):
        return False


def module_available(module_path: str) -> bool:
    parts = module_path.split(".")
    if not package_available(parts[0]):
        return False
    try:
        importlib.import_module(module_path)
    except ImportError:
        return False
    return True


def compare_version(package: str, op: Callable, version: str, use_base_version: bool = False) -> Any:
    """Whether the package is there, and its version compares to `version` by the operator `op`."""
    try:
        own = importlib.import_module(package)
    except (ImportError, AttributeError):
        return False
    try:
        text = str(own.__version__)
    except AttributeError:
        text = importlib.metadata.version(package)
    return op(_numbers(text), _numbers(version))


@lru_cache
def _is_met(requirement):
    found = re.fullmatch(r"\s*([\w.-]+)(?:\[[^\]]*\])?\s*(.*)", requirement)
    name, conditions = found[1], found[2]
    own = importlib.metadata.version(name)
    for condition in filter(None, (c.strip() for c in conditions.split(","))):
        parts = re.fullmatch(r"(==|!=|>=|<=|~=|>|<)\s*(.*)", condition)
        if parts and not _COMPARES[parts[1]](_numbers(own), _numbers(parts[2])):
            return f"Requirement {requirement!r} not met: {name} is {own}"
    return ""


class RequirementCache:
    """True where a requirement such as "torch>=2.0" is met, or the module can be imported."""

    def __init__(self, requirement: Any = None, module: Any = None) -> None:
        if not (requirement or module):
            raise ValueError("At least one arguments need to be set.")
        self.requirement, self.module = requirement, module
        self._why = None

    def _check(self):
        if self._why is not None:
            return
        if self.requirement:
            try:
                self._why = _is_met(self.requirement)
                return
            except importlib.metadata.PackageNotFoundError:
                self._why = f"Requirement {self.requirement!r} not met"
        module = self.module or (self.requirement if re.fullmatch(r"[\w.]+", self.requirement) else None)
        if module:
            self._why = (
                "" if module_available(module) else f"Module not found: {module!r}. HINT: try `pip install -U {module}`"
            )

    def __bool__(self) -> bool:
        self._check()
        return not self._why

    def __str__(self) -> str:
        self._check()
        return self._why or f"Requirement {self.requirement!r} met"

    __repr__ = __str__


class ModuleAvailableCache(RequirementCache):
    """The same for a module."""

    def __init__(self, module: Any) -> None:
        super().__init__(module=module)


def requires(*module_path_list: Any, raise_exception: bool = True) -> Any:
    """A decorator that raises ModuleNotFoundError where a required package is missing."""

    def decorate(function):
        return function

    return decorate
