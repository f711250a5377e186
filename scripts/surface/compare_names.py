"""Finds what installed packages offer and the stand-ins do not; runs on the simulated machine, in front of the list of real names."""

from __future__ import annotations

import importlib
import inspect
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

__all__ = ["json", "lacking"]


def _takes(value):
    """The parameters of something of ours; None where it takes any, or where nobody knows."""
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_KEYWORD for p in found):
        return None
    return {p.name for p in found}


def _has(owner, name):
    """What a stand-in has under a name; None where asking for it raises or gives nothing."""
    try:
        return getattr(owner, name, None)
    except BaseException:
        return None


_met = set()


def _gets(owner, name, home):
    """Whether objects of a class get a member from the class's code; members that another class gives on are asked for once."""
    if home in _met or hasattr(owner, "__getattr__"):
        return True
    if home and "." in home:
        _met.add(home)
    methods = (value for base in owner.__mro__ for value in vars(base).values())
    return any(name in code.co_names for code in (getattr(m, "__code__", None) for m in methods) if code)


def lacking(real: dict[str, dict]) -> list[dict[str, Any]]:
    """What is not here, in the order of modules; names of a module that is not here are not counted one by one."""
    rows = []
    for module, names in real.items():
        try:
            ours = importlib.import_module(module)
        except BaseException:
            rows.append({"kind": "module", "name": module, "module": module, "last": "", "owner": ""})
            continue
        _compare(rows, module, module, ours, names, "name")
    return rows


def _compare(rows, module, path, ours, names, kind):
    for name, known in names.items():
        value = _has(ours, name)
        dotted = f"{path}.{name}"
        if value is None:
            if kind == "name" or not _gets(ours, name, known["home"]):
                rows.append(
                    {"kind": kind, "name": dotted, "module": module, "last": name, "owner": path.rpartition(".")[2]}
                )
            continue
        taken = _takes(value) if callable(value) and known["parameters"] is not None else None
        if taken is not None:
            for parameter in known["parameters"]:
                if parameter not in taken:
                    rows.append(
                        {
                            "kind": "parameter",
                            "name": f"{dotted}({parameter}=)",
                            "module": module,
                            "last": parameter,
                            "owner": name,
                        }
                    )
        if "members" in known and isinstance(value, type):
            _compare(rows, module, dotted, value, known["members"], "member")
