"""torch._foreach_*: the functions of rows over lists. Each looks at its lists first; in place it returns the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import _C

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


check_lists = None  # looks at an operator's name and lists before it runs, where there are tensors of other kinds


def _over_lists(op: dict[str, Any], function: Callable) -> Callable:
    """One overload, whose name torch.ops.aten has as `aten._foreach_add.List`."""
    name = f"aten.{op['base']}.{op['name'][len(op['base']) + 1 :] or 'default'}"
    inplace = op["base"].endswith("_")

    def call(*args, **kwargs):
        if check_lists is not None:
            check_lists(lambda: name, (*args, *kwargs.values()))
        result = function(*args, **kwargs)
        return (args[0] if args else kwargs["self"]) if inplace else result

    call.__name__ = call.__qualname__ = op["base"]
    return call


FUNCTIONS = _C.generate("foreach", _over_lists)
