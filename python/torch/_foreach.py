"""torch._foreach_*: PyTorch's names and signatures over the engine's rows, one row per kind of second operand."""

from torch import _C

_ops = _C.ops
check_lists = None  # looks at an operator's name and lists before it runs, where there are tensors of other kinds


def _is_tensor(x):
    return isinstance(x, _C.Tensor)


def _kind(x):
    """What the second operand is: one tensor, a list of tensors, a list of numbers or a number."""
    if _is_tensor(x):
        return "Tensor"
    if isinstance(x, (list, tuple)):
        return "List" if len(x) == 0 or _is_tensor(x[0]) else "ScalarList"
    return "Scalar"


def _row(name, kind, suffix=""):
    if kind == "Tensor" and name not in ("add", "mul", "div"):
        raise TypeError(f"_foreach_{name}{suffix}() takes a number or a list as its second argument, not one tensor")
    return getattr(_ops, f"_foreach_{name}{suffix}_{kind}")


def _additive(name, suffix):
    def call(self, other, *, alpha=1):
        kind = _kind(other)
        row = _row(name, kind, suffix)
        if kind in ("List", "Tensor"):
            return row(self, other, alpha)
        return row(self, other)

    return call


def _binary(name, suffix):
    def call(self, other):
        return _row(name, _kind(other), suffix)(self, other)

    return call


def _pointwise(name, suffix):
    def call(self, tensor1, tensor2, value=1, scalars=None):
        factor = value if scalars is None else scalars
        if _is_tensor(factor):
            factor = factor.tolist() if factor.dim() else factor.item()
        kind = "ScalarList" if isinstance(factor, (list, tuple)) else "Scalar"
        return _row(name, kind, suffix)(self, tensor1, tensor2, factor)

    return call


def _lerp(suffix):
    def call(self, tensors1, weight=None, weights=None):
        w = weight if weights is None else weights
        kind = _kind(w)
        return _row("lerp", "Scalar" if kind == "Tensor" else kind, suffix)(
            self, tensors1, w.item() if kind == "Tensor" else w
        )

    return call


def _pow(suffix):
    def call(self, exponent):
        if not suffix and not isinstance(self, (list, tuple)):
            return _ops._foreach_pow_ScalarAndTensor(self, exponent)
        return _row("pow", _kind(exponent), suffix)(self, exponent)

    return call


def _unary(row):
    def call(self):
        return row(self)

    return call


def _foreach_norm(self, ord=2, dtype=None):
    return _ops._foreach_norm(self, ord, dtype)


def _foreach_copy_(self, src, non_blocking=False):
    return _ops._foreach_copy_(self, src, non_blocking)


def _foreach_clone(self, *, memory_format=None):
    return _ops._foreach_clone(self, memory_format)


def _overload(name, args):
    """The overload's name, as torch.ops.aten has it."""
    plain = name.removeprefix("_foreach_").rstrip("_")
    if plain in ("add", "sub", "mul", "div", "clamp_min", "clamp_max", "maximum", "minimum", "pow"):
        return _kind(args[0])
    if plain == "lerp":
        return _kind(args[1])
    if plain in ("addcmul", "addcdiv"):
        return "Scalar" if len(args) < 3 else _kind(args[2])
    return "Scalar" if plain == "norm" else "default"


def _checked(name, function):
    def call(self, *args, **kwargs):
        if check_lists is not None:
            given = (*args, *kwargs.values())
            check_lists(lambda: f"aten.{name}.{_overload(name, given)}", (self, *given))
        return function(self, *args, **kwargs)

    return call


def _returning_self(row):
    def call(self, *args, **kwargs):
        row(self, *args, **kwargs)
        return self

    return call


# Those of one list alone.
_UNARY = [
    op["name"]
    for op in _C.TABLE
    if op["name"].startswith("_foreach_") and [name for name, *_ in op["arguments"]] == ["self"]
]


def _functions():
    found = {"_foreach_norm": _foreach_norm, "_foreach_copy_": _foreach_copy_, "_foreach_clone": _foreach_clone}
    for suffix in ("", "_"):
        for name in ("add", "sub"):
            found[f"_foreach_{name}{suffix}"] = _additive(name, suffix)
        for name in ("mul", "div", "clamp_min", "clamp_max", "maximum", "minimum"):
            found[f"_foreach_{name}{suffix}"] = _binary(name, suffix)
        for name in ("addcmul", "addcdiv"):
            found[f"_foreach_{name}{suffix}"] = _pointwise(name, suffix)
        found[f"_foreach_lerp{suffix}"] = _lerp(suffix)
        found[f"_foreach_pow{suffix}"] = _pow(suffix)
    found |= {name: _unary(getattr(_ops, name)) for name in _UNARY}
    found = {name: _returning_self(f) if name.endswith("_") else f for name, f in found.items()}
    found = {name: _checked(name, function) for name, function in found.items()}
    for name, function in found.items():
        function.__name__ = function.__qualname__ = name
    return found


globals().update(_functions())
__all__ = list(_functions())
