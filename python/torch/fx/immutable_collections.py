"""torch.fx.immutable_collections: lists and dictionaries of a node's arguments, which change only by new arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, Self


def _refuses(*_, **__):
    raise NotImplementedError(
        "This list or dictionary belongs to a node's arguments and cannot be changed: set node.args or node.kwargs instead"
    )


class immutable_list(list):
    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[Any, ...]]]:
        return type(self), (tuple(self),)


class immutable_dict(dict):
    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[tuple[Any, Any], ...]]]:
        return type(self), (tuple(self.items()),)


for _of, _names in (
    (immutable_list, "append clear extend insert pop remove reverse sort __delitem__ __iadd__ __imul__ __setitem__"),
    (immutable_dict, "clear pop popitem setdefault update __delitem__ __setitem__ __ior__"),
):
    for _name in _names.split():
        setattr(_of, _name, _refuses)
