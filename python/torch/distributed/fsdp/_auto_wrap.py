"""Applies a policy below a module that is about to be wrapped (torch/distributed/fsdp/_wrap_utils.py)."""

from __future__ import annotations

import functools
import warnings
from typing import TYPE_CHECKING

import torch

from ._states import state_of
from .wrap import _or_policy, _Policy, _post_order_apply, _recursive_wrap

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def auto_wrap(
    root: Any,
    policy: Any,
    ignored_modules: Iterable[torch.nn.Module],
    ignored_params: Any,
    kwargs: dict,
    wrapper_cls: Any,
) -> None:
    for name, module in root.named_modules():
        if state_of(module) is not None:
            raise ValueError(
                f"FSDP auto wrapping requires modules to not already have FSDP applied but found {name} in\n{root}"
            )
    mixed = kwargs["mixed_precision"]
    exempt = tuple(set(mixed._module_classes_to_ignore)) if mixed is not None else ()
    if isinstance(policy, _Policy):
        kwargs["auto_wrap_policy"] = None
        chosen = policy._run_policy(root, ignored_modules, kwargs)
        if exempt:
            for module in root.modules():
                if module not in ignored_modules and isinstance(module, exempt):
                    chosen.setdefault(module, dict(kwargs))["mixed_precision"] = None
            _in_full_precision(root, exempt)
        _refuse_partly_frozen(root, chosen, ignored_params, kwargs.get("use_orig_params", False))

        def wrapped(module):
            return wrapper_cls(module, **chosen[module]) if module in chosen and module is not root else None

        _post_order_apply(root, wrapped)
        return
    if exempt:
        _in_full_precision(root, exempt)
        of_class = lambda module, recurse, **_: recurse or isinstance(module, exempt)  # noqa: E731
        policy = functools.partial(_or_policy, policies=[policy, of_class])
    _recursive_wrap(
        module=root,
        auto_wrap_policy=policy,
        wrapper_cls=wrapper_cls,
        ignored_modules=ignored_modules,
        ignored_params=ignored_params,
        only_wrap_children=True,
        **kwargs,
    )


def _in_full_precision(root, classes):
    """Modules of some classes are wrapped without mixed precision; their inputs and outputs are cast."""
    found = set()
    for module in root.modules():
        if not isinstance(module, classes):
            continue
        found.add(type(module))
        module._wrap_overrides = {"mixed_precision": None}
        dtypes = {}

        def widened(module, args, dtypes=dtypes):
            def cast(x):
                if not torch.is_floating_point(x) or x.dtype == torch.float32:
                    return x
                dtypes["dtype"] = x.dtype
                return x.to(torch.float32)

            return _on_tensors(cast, args)

        def narrowed(module, args, output, dtypes=dtypes):
            if "dtype" in dtypes:
                return _on_tensors(lambda x: x.to(dtypes["dtype"]) if torch.is_floating_point(x) else x, output)

        module.register_forward_pre_hook(widened, prepend=False)
        module.register_forward_hook(narrowed, prepend=False)
    if found:
        warnings.warn(
            "Both mixed precision and an auto_wrap_policy were specified to FSDP, "
            f"where the wrapped module has submodules of type:\n{found}\n"
            "These modules will be wrapped as separate FSDP instances with mixed precision disabled."
        )


def _on_tensors(function, value):
    from ._fully_shard._api import apply_to_tensors

    return apply_to_tensors(function, value)


def _refuse_partly_frozen(root, chosen, ignored_params, use_orig_params):
    """A flat parameter is trained as a whole."""
    seen = set()

    def named(module, prefix, found):
        seen.add(module)
        found.update({p: prefix + n for n, p in module.named_parameters(recurse=False) if p not in ignored_params})
        for name, child in module.named_children():
            if child not in seen:
                named(child, f"{prefix}{name}.", found)
        return found

    order = list(root.named_modules())
    for name, module in reversed(order):
        if module not in chosen:
            continue
        names = named(module, name + "." if name else "", {})
        frozen = [n for p, n in names.items() if not p.requires_grad]
        trained = [n for p, n in names.items() if p.requires_grad]
        if not frozen or not trained:
            continue
        lists = (
            f"The following parameters have requires_grad=True:\n{trained}\n"
            f"The following parameters have requires_grad=False:\n{frozen}"
        )
        what = f"{name} has both parameters with requires_grad=True and False."
        if not use_orig_params:
            raise ValueError(
                f"{what} FSDP does not support wrapping such modules when use_orig_params=False. "
                f"If possible, wrap the frozen parameters with FSDP separately.\n{lists}"
            )
        warnings.warn(f"{what} The gradients of both count before they are reduced.\n{lists}")
