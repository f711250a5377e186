"""Modules that hold other modules, in order or by name."""

from __future__ import annotations

import operator
from collections import OrderedDict
from itertools import chain, islice
from typing import TYPE_CHECKING

from .module import Module, _addindent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, Self

    import torch
    from torch import Tensor


class _Numbered:
    """Children under the keys "0", "1", …"""

    def _key(self, idx):
        size = len(self)
        idx = operator.index(idx)
        if not -size <= idx < size:
            raise IndexError(f"index {idx} is out of range")
        return next(islice(self._modules, idx % size, None))

    def __delitem__(self, idx: int) -> None:
        keys = list(self._modules)[idx] if isinstance(idx, slice) else [self._key(idx)]
        for key in keys:
            delattr(self, key)
        self._modules = OrderedDict((str(i), module) for i, module in enumerate(self._modules.values()))

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator:
        return iter(self._modules.values())

    def __dir__(self) -> list[str]:
        return [key for key in super().__dir__() if not key.isdigit()]

    def insert(self, index: int, module: torch.nn.Module) -> Self | None:
        modules = list(self._modules.values())
        modules.insert(index, module)
        for i, each in enumerate(modules):
            self._modules[str(i)] = each
        return self if isinstance(self, Sequential) else None

    def pop(self, key: Any) -> Any:
        found = self[key]
        del self[key]
        return found


class Sequential(_Numbered, Module):
    def __init__(self, *args: torch.nn.Module) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for key, module in args[0].items():
                self.add_module(key, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def __getitem__(self, idx: slice | int) -> Sequential | torch.nn.Module:
        if isinstance(idx, slice):
            return self.__class__(OrderedDict(list(self._modules.items())[idx]))
        return self._modules[self._key(idx)]

    def __setitem__(self, idx: int, module: torch.nn.Module) -> None:
        return setattr(self, self._key(idx), module)

    def _check_other(self, other):
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")

    def __add__(self, other: Tensor) -> Sequential:
        self._check_other(other)
        return Sequential(*self, *other)

    def __iadd__(self, other: Tensor) -> Self:
        self._check_other(other)
        return self.extend(list(other))

    def __mul__(self, other: int) -> Sequential:
        if not isinstance(other, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(other)}")
        if other <= 0:
            raise ValueError(f"Non-positive multiplication factor {other} for {type(self)}")
        return Sequential(*(list(self) * other))

    __rmul__ = __mul__

    def __imul__(self, other: int) -> Self:
        return self.extend(list(self) * (other - 1))

    def forward(self, input: Tensor) -> Any:
        for module in self:
            input = module(input)
        return input

    def append(self, module: torch.nn.Module) -> Self:
        self.add_module(str(len(self)), module)
        return self

    def extend(self, sequential: Iterable[torch.nn.Module]) -> Self:
        for module in sequential:
            self.append(module)
        return self


class ModuleList(_Numbered, Module):
    def __init__(self, modules: Iterable[torch.nn.Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self += modules

    def __getitem__(self, idx: slice | int) -> ModuleList | torch.nn.Module:
        if isinstance(idx, slice):
            return self.__class__(list(self._modules.values())[idx])
        return self._modules[self._key(idx)]

    def __setitem__(self, idx: int, module: torch.nn.Module) -> None:
        return setattr(self, self._key(idx), module)

    def __iadd__(self, modules: Iterable[torch.nn.Module]) -> Self:
        return self.extend(modules)

    def __add__(self, other: Iterable[torch.nn.Module]) -> ModuleList:
        combined = ModuleList()
        for i, module in enumerate(chain(self, other)):
            combined.add_module(str(i), module)
        return combined

    def append(self, module: torch.nn.Module) -> Self:
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[torch.nn.Module]) -> Self:
        offset = len(self)
        for i, module in enumerate(modules):
            self.add_module(str(offset + i), module)
        return self

    def __repr__(self) -> str:
        """Neighbours that print alike are printed once, with a count."""
        texts = [repr(module) for module in self]
        if not texts:
            return self._get_name() + "()"
        runs = []
        for i, text in enumerate(texts):
            if runs and runs[-1][2] == text:
                runs[-1][1] = i
            else:
                runs.append([i, i, text])
        lines = []
        for first, last, text in runs:
            label = f"({first})" if first == last else f"({first}-{last})"
            times = "" if first == last else f"{last - first + 1} x "
            lines.append(_addindent(f"{label}: {times}{text}", 2))
        return self._get_name() + "(\n  " + "\n  ".join(lines) + "\n)"


class ModuleDict(Module):
    def __init__(self, modules: Mapping[str, torch.nn.Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> torch.nn.Module:
        return self._modules[key]

    def __setitem__(self, key: str, module: torch.nn.Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def clear(self) -> None:
        self._modules.clear()

    def pop(self, key: str) -> torch.nn.Module:
        found = self[key]
        del self[key]
        return found

    def keys(self) -> Iterable:
        return self._modules.keys()

    def items(self) -> Iterable:
        return self._modules.items()

    def values(self) -> Iterable:
        return self._modules.values()

    def update(self, modules: Mapping[str, torch.nn.Module]) -> None:
        pairs = modules.items() if hasattr(modules, "items") else modules
        for key, module in pairs:
            self[key] = module


class Container(Module):
    """The old name of a module with children given by keyword."""

    def __init__(self, **children: Any) -> None:
        super().__init__()
        for key, value in children.items():
            self.add_module(key, value)
