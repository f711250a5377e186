"""torch.ops: operators by namespace, name and overload. Overloads of one operator are one operator here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C, _op_spaces

if TYPE_CHECKING:
    from typing import Any


class OpOverload:
    """torch.ops.aten.mm.default and its siblings."""

    def __init__(self, packet: Any, overload: Any) -> None:
        self._packet = packet
        self._overloadname = overload

    @property
    def overloadpacket(self) -> Any:
        return self._packet

    def name(self) -> Any:
        return f"{self._packet._qualified_op_name}" + (
            "" if self._overloadname == "default" else f".{self._overloadname}"
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._packet(*args, **kwargs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpOverload) and self._packet is other._packet

    def __hash__(self) -> int:
        return hash(self._packet._qualified_op_name)

    def __str__(self) -> str:
        namespace, _, name = self._packet._qualified_op_name.partition("::")
        return f"{namespace}.{name}.{self._overloadname}"

    __repr__ = lambda self: f"<OpOverload(op='{self._packet._qualified_op_name}', overload='{self._overloadname}')>"


class OpOverloadPacket:
    """All overloads of one operator; called, it chooses by its arguments."""

    def __init__(self, namespace: str, name: str) -> None:
        self._qualified_op_name = f"{namespace}::{name}"
        self.__name__ = name
        self._overloads = {}
        self._function = None

    def overloads(self) -> list:
        return list(self._overloads) or ["default"]

    def __getattr__(self, overload: str) -> OpOverload:
        if overload.startswith("__"):
            raise AttributeError(overload)
        found = self._overloads.get(overload)
        if found is None:
            found = self._overloads[overload] = OpOverload(self, overload)
        return found

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        import torch

        if self._function is not None:
            return self._function(*args, **kwargs)
        name = self.__name__
        function = vars(torch).get(name) or getattr(torch.Tensor, name, None) or getattr(_C.ops, name)
        return function(*args, **kwargs)

    def __str__(self) -> str:
        return self._qualified_op_name.replace("::", ".")


class _OpNamespace:
    def __init__(self, name: str) -> None:
        self.name = name
        self._packets = {}

    def __getattr__(self, name: str) -> OpOverloadPacket:
        if name.startswith("__"):
            raise AttributeError(name)
        known = self._packets.get(name)
        if known is None:
            refuse = None
            if self.name not in ("aten", "prim"):  # others have what a program defined
                refuse = _op_spaces.refusing(self.name, name)
                if refuse is None:
                    raise AttributeError(f"'_OpNamespace' '{self.name}' object has no attribute '{name}'")
            known = self._packets[name] = OpOverloadPacket(self.name, name)
            known._function = refuse
        return known


class _Ops:
    """Namespaces by name; only aten has operators."""

    def __init__(self) -> None:
        self._spaces = {}

    def __getattr__(self, name: str) -> _OpNamespace:
        if name.startswith("__"):
            raise AttributeError(name)
        known = self._spaces.get(name)
        if known is None:
            known = self._spaces[name] = _OpNamespace(name)
        return known

    def _add(self, namespace, name, function):
        """A program's own operator."""
        packet = OpOverloadPacket(namespace, name)
        packet._function = function
        getattr(self, namespace)._packets[name] = packet

    def load_library(self, path: Any) -> None:
        """Compiled operators cannot be loaded: calling one says so."""

    loaded_libraries = frozenset()


ops = _Ops()


def _enter_range(name, args=None):
    from .autograd.profiler import record_function

    entered = record_function(name, args)
    entered.__enter__()
    return entered


ops._add("profiler", "_record_function_enter", _enter_range)
ops._add("profiler", "_record_function_exit", lambda entered: entered.__exit__(None, None, None))
