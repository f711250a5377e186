"""Which modules get a wrapper of their own: policies, and wrap() under enable_wrap() (torch/distributed/fsdp/wrap.py)."""

from __future__ import annotations

import contextlib
import copy
from typing import TYPE_CHECKING

from torch import nn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    import torch


def always_wrap_policy(*_: Any, **__: Any) -> bool:
    return True


class _Policy:
    """Says for a whole model which modules are wrapped and with which arguments."""

    def _run_policy(self, root_module, ignored_modules, root_kwargs):
        raise NotImplementedError


class ModuleWrapPolicy(_Policy):
    """Modules of some classes."""

    def __init__(self, module_classes: Iterable[type[torch.nn.Module]]) -> None:
        self._module_classes = set(module_classes)
        self._module_classes_str = str(self._module_classes)

    def _run_policy(self, root_module, ignored_modules, root_kwargs):
        classes = tuple(self._module_classes)
        return {
            module: copy.copy(root_kwargs)
            for module in root_module.modules()
            if module not in ignored_modules and isinstance(module, classes)
        }

    def __call__(self, module: torch.nn.Module, recurse: Any, *_: Any, **__: Any) -> Any:
        return recurse or isinstance(module, tuple(self._module_classes))

    def __repr__(self) -> str:
        return super().__repr__() + f"({self._module_classes_str})"


class CustomPolicy(_Policy):
    """Modules for which a function gives True, or a dict of arguments of their own."""

    def __init__(self, lambda_fn: Callable) -> None:
        self._lambda_fn = lambda_fn

    def _run_policy(self, root_module, ignored_modules, root_kwargs):
        chosen = {}
        for module in root_module.modules():
            if module in ignored_modules:
                continue
            answer = self._lambda_fn(module)
            if not isinstance(answer, (dict, bool)):
                raise ValueError(
                    "The lambda_fn passed to CustomPolicy should return "
                    f"False/True or a kwarg dict, but it returned {answer}"
                )
            if answer:
                chosen[module] = {**root_kwargs, **(answer if isinstance(answer, dict) else {})}
        return chosen


def lambda_auto_wrap_policy(module: torch.nn.Module, recurse: bool, nonwrapped_numel: int, lambda_fn: Callable) -> bool:
    return recurse or lambda_fn(module)


def _module_wrap_policy(module, recurse, nonwrapped_numel, module_classes):
    return recurse or isinstance(module, tuple(module_classes))


def transformer_auto_wrap_policy(
    module: torch.nn.Module, recurse: bool, nonwrapped_numel: int, transformer_layer_cls: set[type[torch.nn.Module]]
) -> bool:
    return _module_wrap_policy(module, recurse, nonwrapped_numel, transformer_layer_cls)


def _or_policy(module, recurse, nonwrapped_numel, policies):
    return any(policy(module=module, recurse=recurse, nonwrapped_numel=nonwrapped_numel) for policy in policies)


def size_based_auto_wrap_policy(
    module: torch.nn.Module,
    recurse: bool,
    nonwrapped_numel: int,
    min_num_params: int = int(1e8),
    force_leaf_modules: set[type[torch.nn.Module]] | None = None,
    exclude_wrap_modules: set[type[torch.nn.Module]] | None = None,
) -> bool:
    if force_leaf_modules is None:
        force_leaf_modules = size_based_auto_wrap_policy.FORCE_LEAF_MODULES
    if exclude_wrap_modules is None:
        exclude_wrap_modules = size_based_auto_wrap_policy.EXCLUDE_WRAP_MODULES
    stops = force_leaf_modules if recurse else exclude_wrap_modules
    return nonwrapped_numel >= min_num_params and not isinstance(module, tuple(stops))


size_based_auto_wrap_policy.EXCLUDE_WRAP_MODULES = {nn.ModuleList, nn.ModuleDict}
size_based_auto_wrap_policy.FORCE_LEAF_MODULES = {nn.MultiheadAttention}


class _Context:
    """What enable_wrap() set: the class of the wrapper and its arguments."""

    wrapper_cls, kwargs = None, {}


@contextlib.contextmanager
def enable_wrap(*, wrapper_cls: Any, **wrapper_kwargs: Any) -> Iterator[None]:
    if _Context.wrapper_cls is not None:
        raise NotImplementedError(
            "You are already within an autowrap context and we currently do not supported nested autowrap."
        )
    _Context.wrapper_cls, _Context.kwargs = wrapper_cls, wrapper_kwargs
    try:
        yield
    finally:
        _Context.wrapper_cls, _Context.kwargs = None, {}


def wrap(module: torch.nn.Module, **wrap_overrides: Any) -> torch.nn.Module:
    if _Context.wrapper_cls is None:
        return module
    return _wrapped(module, _Context.wrapper_cls, {**_Context.kwargs, **wrap_overrides})


def _wrapped(module, wrapper_cls, kwargs):
    return wrapper_cls(module, **{**kwargs, **getattr(module, "_wrap_overrides", {})})


def _recursive_wrap(
    module, auto_wrap_policy, wrapper_cls, ignored_modules, ignored_params, only_wrap_children=False, **kwargs
):
    """Wraps below a module by a function of (module, recurse, parameters not yet wrapped): the module and what was wrapped."""
    numel = sum(p.numel() for p in module.parameters() if p not in ignored_params)
    if not auto_wrap_policy(module=module, recurse=True, nonwrapped_numel=numel):
        return module, 0
    wrapped_numel = 0
    for name, child in module.named_children():
        if child in ignored_modules:
            continue
        wrapped, count = _recursive_wrap(
            child, auto_wrap_policy, wrapper_cls, ignored_modules, ignored_params, **kwargs
        )
        setattr(module, name, wrapped)
        wrapped_numel += count
    rest = numel - wrapped_numel
    if not only_wrap_children and auto_wrap_policy(module=module, recurse=False, nonwrapped_numel=rest):
        return _wrapped(module, wrapper_cls, kwargs), numel
    return module, wrapped_numel


def _post_order_apply(root_module, fn):
    """Replaces modules by what a function gives for them (None: stays), children first."""
    visited = {root_module}

    def visit(module, name, parent):
        for child_name, child in module.named_children():
            if child not in visited:
                visited.add(child)
                visit(child, child_name, module)
        replacement = fn(module)
        if replacement is not None:
            setattr(parent, name, replacement)

    visit(root_module, "", None)
