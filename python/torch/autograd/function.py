"""Custom autograd functions: forward and backward in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _C
from .._tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


class FunctionCtx:
    """What forward hands to backward."""

    def __init__(self) -> None:
        self._to_save = ()
        self._dirty = ()
        self._not_differentiable = ()
        self.needs_input_grad = ()
        self._materialize = True
        self._node = 0
        self._outputs = ()
        self.materialize_grads = True

    def save_for_backward(self, *tensors: Tensor) -> None:
        self._to_save = tensors

    def save_for_forward(self, *tensors: Tensor) -> None:
        pass

    def mark_dirty(self, *tensors: Tensor) -> None:
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        self._not_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        self._materialize = value

    @property
    def saved_tensors(self) -> tuple[Tensor, ...]:
        r = _C._js.savedTensors(self._node)
        if r[:1] == "!":
            _C.fail(r)
        found = iter(_C.wrap_list(r))
        return tuple(None if missing else next(found) for missing in self._missing)

    saved_variables = saved_tensors


class _FunctionMeta(type):
    pass


class Function(FunctionCtx, metaclass=_FunctionMeta):
    """Subclass it with static forward(ctx, ...) and backward(ctx, *grads)."""

    generate_vmap_rule = False

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> NoReturn:
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> NoReturn:
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Tensor | tuple[Tensor]:
        import torch

        ctx = FunctionCtx()
        ctx._class = cls
        records = torch.is_grad_enabled() and not torch.is_inference_mode_enabled()
        ctx.needs_input_grad = tuple(isinstance(a, Tensor) and a.requires_grad for a in args)
        separate = cls.setup_context is not Function.setup_context
        with torch.no_grad():
            if separate:
                result = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, result)
            else:
                result = cls.forward(ctx, *args, **kwargs)
        single = not isinstance(result, tuple)
        outputs = (result,) if single else result
        if not (records and any(ctx.needs_input_grad)):
            return result
        # an input that comes back unchanged becomes a view, so that it can get a history of its own
        returned = outputs
        outputs = tuple(
            _C.ops.detach(o)
            if isinstance(o, Tensor) and any(o is a for a in args) and not any(o is x for x in ctx._dirty)
            else o
            for o in returned
        )
        skip = ctx._not_differentiable
        tracked = [
            o
            for o, before in zip(outputs, returned)
            if isinstance(o, Tensor)
            and not any(before is x for x in skip)
            and (o.is_floating_point() or o.is_complex())
        ]
        _attach(ctx, cls, args, outputs, tracked)
        return outputs[0] if single else outputs


def _attach(ctx, cls, args, outputs, tracked):
    """Makes the graph node: it holds the context, the context knows the node by number only."""
    to_save, ctx._to_save = ctx._to_save, ()
    ctx._missing = tuple(t is None for t in to_save)
    shapes = [(o.shape, o.dtype, o.device) if isinstance(o, Tensor) else None for o in outputs]
    materialize = ctx._materialize
    count = len(args)
    backward = cls.backward if cls.backward is not Function.backward else cls.vjp
    tracked_places = [i for i, o in enumerate(outputs) if any(o is t for t in tracked)]
    all_count = len(outputs)

    def run(*grads):
        import torch

        full = [None] * all_count
        for place, grad in zip(tracked_places, grads):
            full[place] = grad
        if materialize:
            for place, made in enumerate(shapes):
                if full[place] is None and made is not None:
                    full[place] = torch.zeros(made[0], dtype=made[1], device=made[2])
        result = backward(ctx, *full)
        if not isinstance(result, tuple):
            result = (result,)
        if len(result) > count and all(r is None for r in result[count:]):
            result = result[:count]
        if len(result) != count:
            raise RuntimeError(
                f"function {cls.__name__}Backward returned an incorrect number of gradients (expected {count}, got {len(result)})"
            )
        return result

    ctx._dirty = ctx._not_differentiable = ()  # a changed input holds the node, which holds the context
    callback = _C.register(run)
    inputs = [a._h if isinstance(a, Tensor) else None for a in args]
    saved = [None if t is None else t._h for t in to_save]
    r = _C._js.pythonFunction(
        cls.__name__ + "Backward",
        callback,
        _C.here(),
        len(inputs),
        *inputs,
        len(saved),
        *saved,
        len(tracked),
        *[t._h for t in tracked],
    )
    if type(r) is str:
        _C.fail(r)
    # the node holds the context; the context knows the node by the number of its callback, without holding it
    ctx._node = callback


def once_differentiable(function: Callable) -> Callable:
    """Backward runs without recording a graph of its own."""
    import functools

    @functools.wraps(function)
    def wrapper(ctx, *args):
        import torch

        with torch.no_grad():
            return function(ctx, *args)

    return wrapper


class NestedIOFunction(Function):
    """Kept for imports; nested structures are not flattened."""


InplaceFunction = Function
