"""Modules that learn their input's size at their first call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..parameter import is_lazy

if TYPE_CHECKING:
    from typing import Any, NoReturn


class LazyModuleMixin:
    """Placed before the real module class; `cls_to_become` names that class."""

    cls_to_become = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        # A tensor without a shape is saved as it is; detach() has no meaning for it.
        for name, param in (*self._parameters.items(), *self._buffers.items()):
            if param is None or name in self._non_persistent_buffers_set:
                continue
            destination[prefix + name] = param if is_lazy(param) or keep_vars else param.detach()

    def _lazy_load_hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        for name, param in (*self._parameters.items(), *self._buffers.items()):
            loaded = state_dict.get(prefix + name)
            if is_lazy(param) and loaded is not None and not is_lazy(loaded):
                param.materialize(loaded.shape)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(f"initialize_parameters is not implemented for {type(self).__name__}")

    def has_uninitialized_params(self) -> bool:
        return any(is_lazy(p) for p in (*self._parameters.values(), *self._buffers.values()))

    def _infer_parameters(self, module, args, kwargs=None):
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook, module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become
