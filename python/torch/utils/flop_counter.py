"""torch.utils.flop_counter: floating-point operations of products, convolutions and attention, by module, from the shapes that ran."""

from __future__ import annotations

import json
from collections import defaultdict
from math import prod
from typing import TYPE_CHECKING

from .. import _C

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch


__all__ = ["FlopCounterMode", "register_flop_formula"]
_formulas = {}  # name of an operator -> function of the shapes that went in and came out


def register_flop_formula(targets: Any, get_raw: bool = False) -> Callable[[Callable], Callable]:
    """A formula of the program's own for an operator: it is called with shapes, and with `out_shape`."""

    def register(formula):
        def count(shapes, outs, _):
            return formula(*shapes, out_shape=outs[0] if outs else None)

        for target in targets if isinstance(targets, (list, tuple)) else [targets]:
            name = getattr(target, "_qualified_op_name", None)
            if name is None:
                raise ValueError(
                    f"register_flop_formula(targets): expected each target to be OpOverloadPacket, got {target}"
                )
            if name in _formulas:
                raise RuntimeError(f"duplicate registrations for {target}")
            _formulas[name] = count
        return formula

    return register


def _operator(*names):
    def take(formula):
        _formulas.update({f"aten::{name}": formula for name in names})
        return formula

    return take


@_operator("mm", "bmm", "_scaled_mm")
def _product(shapes, outs, parent):
    return 2 * prod(shapes[0]) * shapes[1][-1]


@_operator("addmm", "baddbmm")
def _product_with_addend(shapes, outs, parent):
    return _product(shapes[1:], outs, parent)


def _convolution(source, weight, result, transposed):
    """conv_flop_count: every place of the filter meets every place of the smaller side once."""
    return 2 * source[0] * prod((source if transposed else result)[2:]) * prod(weight)


@_operator("convolution", "_convolution", "cudnn_convolution", "_slow_conv2d_forward")
def _forward_convolution(shapes, outs, parent):
    return _convolution(shapes[0], shapes[1], outs[0], "transpose" in parent)


@_operator("convolution_backward")
def _backward_convolution(shapes, outs, parent):
    grad, source, weight = shapes[:3]
    # a plain convolution reads as many channels as the filter has in a group: a transposed one has them as its result's
    transposed = grad[1] != weight[0] or (source[1] == weight[0] and prod(grad[2:]) > prod(source[2:]))
    each = _convolution(source, weight, grad, transposed)
    wanted = sum(out in (source, weight) for out in outs[:2])
    return each * wanted


@_operator(
    "_scaled_dot_product_efficient_attention",
    "_scaled_dot_product_flash_attention",
    "_scaled_dot_product_cudnn_attention",
    "_flash_attention_forward",
    "_efficient_attention_forward",
)
def _attention(shapes, outs, parent):
    query, key, value = shapes[:3]
    return 2 * prod(query[:-1]) * key[-2] * (query[-1] + value[-1])


@_operator(
    "_scaled_dot_product_efficient_attention_backward",
    "_scaled_dot_product_flash_attention_backward",
    "_scaled_dot_product_cudnn_attention_backward",
    "_flash_attention_backward",
    "_efficient_attention_backward",
)
def _attention_backward(shapes, outs, parent):
    query, key, value = shapes[1:4]
    return 2 * prod(query[:-1]) * key[-2] * (3 * query[-1] + 2 * value[-1])


class FlopCounterMode:
    """Counts while it is entered; each time anew."""

    def __init__(
        self,
        mods: torch.nn.Module | list[torch.nn.Module] | None = None,
        depth: int = 2,
        display: bool = True,
        custom_mapping: dict[Any, Any] | None = None,
    ) -> None:
        self.depth, self.display = depth, display
        self.flop_counts = defaultdict(lambda: defaultdict(int))
        for target, formula in (custom_mapping or {}).items():
            _formulas.pop(target._qualified_op_name, None)
            register_flop_formula(target)(formula)

    def __enter__(self) -> FlopCounterMode:
        self.flop_counts.clear()
        if not _C._js.profileStart(False):
            raise _C.UnsupportedOp("vramscope does not count operations while torch.profiler records")
        return self

    def __exit__(self, *_: Any) -> bool:
        self._count(json.loads(_C._js.profileStop()))
        if self.display:
            print(self.get_table(self.depth))
        return False

    def _count(self, recorded):
        import torch

        rows, modules = recorded["ranges"], recorded["modules"]
        counted = set()
        for at, row in enumerate(rows):
            parent, name = row["parent"], row["name"]
            if parent in counted:
                counted.add(at)
            elif name in _formulas:
                counted.add(at)
                flops = _formulas[name](row["shapes"], row["outputShapes"], rows[parent]["name"] if parent >= 0 else "")
                packet = getattr(torch.ops.aten, name.partition("::")[2])
                for place in _around(modules[row["module"]] if row["module"] >= 0 else ""):
                    self.flop_counts[place][packet] += flops

    def get_total_flops(self) -> int:
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self) -> dict[str, dict[Any, int]]:
        return {name: dict(counts) for name, counts in self.flop_counts.items()}

    def get_table(self, depth: Any = None) -> str:
        depth = self.depth if depth is None else depth
        depth = 999999 if depth is None else depth
        total = self.get_total_flops()
        rows = []
        for name in sorted(self.flop_counts, key=lambda n: (n != "Global", n)):
            level = 0 if name == "Global" else name.count(".") + 1
            if level > depth or (name == "Global" and len(self.flop_counts) == 2 and total == 0):
                continue
            counts = self.flop_counts[name]
            for what, flops in [(name, sum(counts.values())), *((f" - {op}", n) for op, n in counts.items())]:
                rows.append((" " * level + what, _short(flops), f"{100 * flops / total if total else 0:.2f}%"))
        rows = [("Module", "FLOP", "% Total"), *rows]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = [f"{a:<{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}" for a, b, c in rows]
        return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _around(path):
    """The module, those around it, and the whole run."""
    parts = path.split(".") if path else []
    return ["Global", *(".".join(parts[: i + 1]) for i in range(len(parts)))]


def _short(flops):
    for suffix in ("", "K", "M", "B", "T"):
        if flops < 1000:
            break
        flops /= 1000
    return f"{flops:.3f}{suffix}" if suffix else str(flops)
