"""Pruning: a mask beside a parameter; a hook multiplies both before each call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .convert_parameters import parameters_to_vector

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, NoReturn

    from torch import Tensor


def _count(amount, size):
    """How many of `size` to prune: a number, or a share."""
    if (
        isinstance(amount, bool)
        or not isinstance(amount, (int, float))
        or amount < 0
        or (isinstance(amount, float) and amount > 1.0)
    ):
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")
    n = amount if isinstance(amount, int) else round(amount * size)
    if n > size:
        raise ValueError(f"amount={n} should be smaller than the number of parameters to prune={size}")
    return n


def _channels(t, dim, chosen):
    """A mask of zeros with ones in the chosen channels."""
    mask = torch.zeros_like(t)
    index = [slice(None)] * len(t.shape)
    index[dim] = chosen
    mask[tuple(index)] = 1
    return mask


class BasePruningMethod:
    PRUNING_TYPE = "unstructured"
    _tensor_name = None

    def __call__(self, module: torch.nn.Module, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> NoReturn:
        raise NotImplementedError

    def apply_mask(self, module: torch.nn.Module) -> Any:
        mask = getattr(module, self._tensor_name + "_mask")
        orig = getattr(module, self._tensor_name + "_orig")
        pruned = mask.to(dtype=orig.dtype) * orig
        return pruned

    @classmethod
    def apply(
        cls, module: torch.nn.Module, name: str, *args: Any, importance_scores: Tensor | None = None, **kwargs: Any
    ) -> Any:
        method = _joined(module, name, cls(*args, **kwargs))
        orig = getattr(module, name)
        if importance_scores is None:
            importance_scores = orig
        elif importance_scores.shape != orig.shape:
            raise ValueError("importance_scores should have the same shape as the parameter")
        if isinstance(method, PruningContainer):
            default_mask = getattr(module, name + "_mask").detach().clone(memory_format=torch.contiguous_format)
        else:
            module.register_parameter(name + "_orig", orig)
            del module._parameters[name]
            default_mask = torch.ones_like(orig)
        mask = method.compute_mask(importance_scores, default_mask=default_mask)
        module.register_buffer(name + "_mask", mask)
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(self, t: Tensor, default_mask: Tensor | None = None, importance_scores: Tensor | None = None) -> Any:
        importance_scores = t if importance_scores is None else importance_scores
        default_mask = default_mask if default_mask is not None else torch.ones_like(t)
        return t * self.compute_mask(importance_scores, default_mask=default_mask)

    def remove(self, module: torch.nn.Module) -> None:
        weight = self.apply_mask(module)
        name = self._tensor_name
        if hasattr(module, name):
            delattr(module, name)
        orig = module._parameters[name + "_orig"]
        orig.data = weight.data
        del module._parameters[name + "_orig"]
        del module._buffers[name + "_mask"]
        setattr(module, name, orig)


def _joined(module, name, method):
    """The method, or a container of it and what pruned this tensor before."""
    method._tensor_name = name
    before = [key for key, hook in module._forward_pre_hooks.items() if _prunes(hook, name)]
    if not before:
        return method
    old = module._forward_pre_hooks.pop(before[0])
    container = old if isinstance(old, PruningContainer) else PruningContainer(old)
    container.add_pruning_method(method)
    return container


def _prunes(hook, name):
    return isinstance(hook, BasePruningMethod) and hook._tensor_name == name


class PruningContainer(BasePruningMethod):
    def __init__(self, *methods: Any) -> None:
        self._pruning_methods = ()
        if methods:
            self._tensor_name = methods[0]._tensor_name
        for method in methods:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        if not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if self._tensor_name != method._tensor_name:
            raise ValueError("Can only add pruning methods acting on the same parameter")
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: int) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The newest method prunes what the mask has left."""
        method, mask = self._pruning_methods[-1], default_mask
        combined = mask.to(dtype=t.dtype)
        if method.PRUNING_TYPE == "unstructured":
            where = mask == 1
        elif method.PRUNING_TYPE == "structured":
            dim = method.dim % t.dim()
            kept = mask.sum(dim=[d for d in range(t.dim()) if d != dim]) != 0
            where = tuple(kept if d == dim else slice(None) for d in range(t.dim()))
        else:
            where = (slice(None),) * t.dim()
        part = method.compute_mask(t[where], default_mask=mask[where])
        combined[where] = part.to(dtype=combined.dtype)
        return combined


class Identity(BasePruningMethod):
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        return default_mask


class RandomUnstructured(BasePruningMethod):
    def __init__(self, amount: int | float) -> None:
        self.amount = amount

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        n = _count(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if n != 0:
            chance = torch.rand_like(t)
            lowest = torch.topk(chance.view(-1), k=n)
            mask.view(-1)[lowest.indices] = 0
        return mask


class L1Unstructured(BasePruningMethod):
    def __init__(self, amount: int | float) -> None:
        self.amount = amount

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        n = _count(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if n != 0:
            lowest = torch.topk(torch.abs(t).view(-1), k=n, largest=False)
            mask.view(-1)[lowest.indices] = 0
        return mask


class _Structured(BasePruningMethod):
    PRUNING_TYPE = "structured"

    def _number(self, t):
        if len(t.shape) <= 1:
            raise ValueError("Structured pruning can only be applied to multidimensional tensors")
        if self.dim >= t.dim():
            raise IndexError(f"Invalid index {self.dim} for tensor of size {t.shape}")
        return _count(self.amount, t.shape[self.dim])


class RandomStructured(_Structured):
    def __init__(self, amount: int | float, dim: int = -1) -> None:
        self.amount, self.dim = amount, dim

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        n = self._number(t)
        if n == 0:
            return default_mask
        # PyTorch draws on the CPU; n channels are dropped, whichever they are.
        chosen = list(range(n, t.shape[self.dim]))
        mask = _channels(t, self.dim, chosen)
        mask *= default_mask.to(dtype=mask.dtype)
        return mask


class LnStructured(_Structured):
    def __init__(self, amount: int | float, n: int, dim: int = -1) -> None:
        self.amount, self.n, self.dim = amount, n, dim

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        n = self._number(t)
        dims = list(range(t.dim()))
        del dims[self.dim]
        norm = torch.norm(t, p=self.n, dim=dims)
        highest = torch.topk(norm, k=t.shape[self.dim] - n, largest=True)
        if n == 0:
            return default_mask
        mask = _channels(t, self.dim, highest.indices)
        mask *= default_mask.to(dtype=mask.dtype)
        return mask


class CustomFromMask(BasePruningMethod):
    PRUNING_TYPE = "global"

    def __init__(self, mask: Tensor) -> None:
        self.mask = mask

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        if default_mask.shape != self.mask.shape:
            raise AssertionError("mask and default_mask must have the same shape")
        mask = default_mask * self.mask.to(dtype=default_mask.dtype)
        return mask


def identity(module: torch.nn.Module, name: str) -> Any:
    Identity.apply(module, name)
    return module


def random_unstructured(module: torch.nn.Module, name: str, amount: int | float) -> torch.nn.Module:
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(
    module: torch.nn.Module, name: str, amount: int | float, importance_scores: Tensor | None = None
) -> torch.nn.Module:
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: torch.nn.Module, name: str, amount: int | float, dim: int) -> torch.nn.Module:
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: torch.nn.Module, name: str, amount: int | float, n: int, dim: int, importance_scores: Tensor | None = None
) -> torch.nn.Module:
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: torch.nn.Module, name: str, mask: Tensor) -> torch.nn.Module:
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(
    parameters: Iterable[Tensor], pruning_method: Any, importance_scores: Tensor | None = None, **kwargs: Any
) -> None:
    parameters = list(parameters)
    scores_by_name = importance_scores or {}
    scores = parameters_to_vector(
        [scores_by_name.get((module, name), getattr(module, name)) for module, name in parameters]
    )
    default_mask = parameters_to_vector(
        [getattr(module, name + "_mask", torch.ones_like(getattr(module, name))) for module, name in parameters]
    )
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError('Only "unstructured" PRUNING_TYPE supported for the `pruning_method`')
    final_mask = PruningContainer(method).compute_mask(scores, default_mask)
    start = 0
    for module, name in parameters:
        param = getattr(module, name)
        count = param.numel()
        custom_from_mask(module, name, mask=final_mask[start : start + count].view_as(param))
        start += count


def remove(module: torch.nn.Module, name: str) -> torch.nn.Module:
    for key, hook in module._forward_pre_hooks.items():
        if _prunes(hook, name):
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module: torch.nn.Module) -> bool:
    return any(isinstance(h, BasePruningMethod) for m in module.modules() for h in m._forward_pre_hooks.values())
