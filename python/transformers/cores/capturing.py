"""What a call collects on request beside its result: states between layers, weights of attention, logits of routers."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


# what the running call collects, by name; the calls around it have theirs in their own frames
_lists = None


class Recorded:
    """
    Modules whose results a model can collect.

    `kind` is their class, `index` the number of the part if the result is a tuple, `within` a part of the module's path.
    `with_input` says that the states before the first of them come first.
    """

    def __init__(self, kind: Any, index: int = 0, within: str = "", with_input: bool = True) -> None:
        self.kind, self.index, self.within, self.with_input = kind, index, within, with_input


def _recorded(name, value):
    return value if isinstance(value, Recorded) else Recorded(value, 0 if name == "hidden_states" else 1)


def _hook(name, recorded):
    def collect(module, args, result):
        if _lists is None or name not in _lists:
            return
        if recorded.with_input and name == "hidden_states" and not _lists[name]:
            _lists[name].append(args[0])
        part = result[recorded.index] if isinstance(result, tuple) else result
        if part is not None:
            _lists[name].append(part)

    return collect


def _watch(module, path, rows, inner):
    for name, child in module.named_children():
        if isinstance(child, inner):
            _watch_model(child, f"{path}.{name}", inner)
        else:
            _watch(child, f"{path}.{name}", rows, inner)
    for name, recorded in rows:
        if isinstance(module, recorded.kind) and recorded.within in path:
            module.register_forward_hook(_hook(name, recorded))


def _watch_model(model, path, inner):
    rows = [(name, _recorded(name, recorded)) for name, recorded in model.records.items()]
    _watch(model, path, rows, inner)
    model.__dict__["_is_watched"] = True


def _asked(model, wanted):
    """The names that a call shall collect; their flags are taken out of `given`."""
    flags = {name: f"output_{name.removeprefix('cross_')}" for name in model.records}
    values = {
        flag: wanted.pop(flag) if flag in wanted else getattr(model.config, flag, False) for flag in {*flags.values()}
    }
    return [name for name, flag in flags.items() if values[flag]]


def collects(forward: Any = None, *, ties_last: bool = True) -> Any:
    """
    Lets `forward` collect what the model's `records` name, by hooks that are made at the first request.

    `ties_last` puts the last state of the result in the place of the last layer's. The arguments live until the call
    returns, as does what was collected.
    """
    if forward is None:
        return functools.partial(collects, ties_last=ties_last)

    @functools.wraps(forward)
    def collecting(self, *args, **kwargs):
        global _lists
        return_dict = kwargs.pop("return_dict", self.config.return_dict)
        collected = {name: [] for name in _asked(self, kwargs)}
        if collected and not self.__dict__.get("_is_watched"):
            from ..modeling_utils import PreTrainedModel

            _watch_model(self, "", PreTrainedModel)
        before, _lists = _lists, collected
        try:
            outputs = forward(self, *args, **kwargs)
        finally:
            _lists = before
        for name, found in collected.items():
            if name == "hidden_states" and ties_last and hasattr(outputs, "last_hidden_state"):
                found[-1:] = [outputs.last_hidden_state]
            outputs[name] = tuple(found)
        return outputs.to_tuple() if return_dict is False else outputs

    return collecting
