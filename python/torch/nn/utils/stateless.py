"""Calling a module with other tensors in place of its own."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    import torch
    from torch import Tensor


def _owner(module, name):
    path, _, leaf = name.rpartition(".")
    return module.get_submodule(path), leaf


def _swap(module, name, value, missing):
    """Puts a tensor under a name, whatever its class, and returns what was there."""
    owner, leaf = _owner(module, name)
    table = owner._parameters if leaf in owner._parameters else owner._buffers if leaf in owner._buffers else None
    if table is not None:
        before = table[leaf]
        if value is missing:
            del table[leaf]
        else:
            table[leaf] = value
        return before
    before = owner.__dict__.get(leaf, missing)
    if before is missing:
        raise AttributeError(f"{owner._get_name()} has no attribute `{leaf}`")
    setattr(owner, leaf, value)
    return before


def _with_ties(module, tensors):
    """The same tensors also under the other names of each tied parameter."""
    names = {}
    members = [*module.named_parameters(remove_duplicate=False), *module.named_buffers(remove_duplicate=False)]
    for name, tensor in members:
        names.setdefault(tensor, set()).add(name)
    full = dict(tensors)
    for tied in names.values():
        mentioned = [name for name in tensors if name in tied]
        if len({tensors[name] for name in mentioned}) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(tied)}, which are tied. Consider using tie_weights=False"
            )
        if mentioned:
            for name in tied:
                full[name] = tensors[mentioned[0]]
    return full


@contextlib.contextmanager
def _reparametrize_module(module, parameters_and_buffers, tie_weights=False, strict=False):
    wanted = _with_ties(module, parameters_and_buffers) if tie_weights else parameters_and_buffers
    if strict:
        own = {name for name, _ in (*module.named_parameters(), *module.named_buffers())}
        missing_keys, extra_keys = own - set(wanted), set(wanted) - own
        if missing_keys or extra_keys:
            raise RuntimeError(
                f"Error(s) in reparametrizing for {module._get_name()}: missing {sorted(missing_keys)}, unexpected {sorted(extra_keys)}"
            )
    missing = object()
    originals = {}
    try:
        for name, value in wanted.items():
            originals[name] = _swap(module, name, value, missing)
        yield
    finally:
        news = {name: _swap(module, name, value, missing) for name, value in originals.items()}
        # A call may replace buffers: the caller's dictionary sees the new ones.
        parameters_and_buffers.update({k: news[k] for k in parameters_and_buffers if k in news})


def functional_call(
    module: torch.nn.Module,
    parameters_and_buffers: dict[str, Tensor],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Tensor:
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    with _reparametrize_module(module, parameters_and_buffers, tie_weights=tie_weights, strict=strict):
        return module(*args, **(kwargs or {}))


_functional_call = functional_call
