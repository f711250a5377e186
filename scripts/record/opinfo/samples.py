"""Writes PyTorch's own samples of its operators (OpInfo: torch/testing/_internal/common_methods_invocations.py, `op_db`) as programs.

usage: samples.py OUT [--samples 5]

Runs under the release whose samples are wanted, on the CPU. Each line of a program calls one operator with one sample: tensors by shape, dtype and strides, integers by their
values. Samples of one operator that differ in values alone are one; of the others, `--samples` are taken, spread evenly. Prints what is left out, with the reason.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import pathlib
import warnings
from typing import TYPE_CHECKING

import torch
from torch.testing._internal.common_methods_invocations import op_db

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


HEAD = pathlib.Path(__file__).with_name("one_case.py")
MOST_SAMPLES = 200
MOST_ELEMENTS = 2_000_000
MOST_VALUES = 400
CASES_PER_PROGRAM = 60


class LeftOut(Exception):
    """A sample has something that a program's text cannot say."""


def tensor_text(tensor: Tensor) -> str:
    """`T([2, 3], 'float32')`; integers with their values, because sizes and indices decide what is allocated."""
    if tensor.layout is not torch.strided or tensor.is_nested or tensor.is_quantized:
        raise LeftOut("layout")
    if tensor.numel() > MOST_ELEMENTS:
        raise LeftOut("large")
    dtype = str(tensor.dtype).removeprefix("torch.")
    values = not tensor.dtype.is_floating_point and not tensor.dtype.is_complex and tensor.numel() <= MOST_VALUES
    parts = [repr(list(tensor.shape)), repr(dtype)]
    parts += [f"values={tensor.flatten().tolist()}"] if values else []
    parts += [f"strides={list(tensor.stride())}"] if tensor.numel() and not tensor.is_contiguous() else []
    parts += ["grad=True"] if tensor.requires_grad else []
    return f"T({', '.join(parts)})"


def text_of(value: Any) -> str:
    """Python text for an argument."""
    if isinstance(value, torch.Tensor):
        return tensor_text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    if isinstance(value, torch.device):
        return "'cuda'"
    if isinstance(value, torch.Size):
        return repr(tuple(value))
    if value is None or isinstance(value, bool | int | str | float | complex):
        return repr("cuda" if value == "cpu" else value)
    if isinstance(value, torch.dtype | torch.memory_format | torch.layout):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(text_of, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(text_of, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {text_of(item)}' for key, item in value.items())}}}"
    if isinstance(value, slice):
        return f"slice({text_of(value.start)}, {text_of(value.stop)}, {text_of(value.step)})"
    if value is Ellipsis:
        return "..."
    raise LeftOut(type(value).__name__)


def shape_of(value: Any) -> str | tuple | int:
    """What of an argument decides memory: samples that are equal in it are one case."""
    if isinstance(value, torch.Tensor):
        strided = value.layout is torch.strided and not value.is_nested
        return (tuple(value.shape), tuple(value.stride())) if strided else id(value)
    if isinstance(value, list | tuple):
        return tuple(map(shape_of, value))
    if isinstance(value, dict):
        return tuple((key, shape_of(item)) for key, item in value.items())
    return repr(value)


def path_of(name: str) -> str | None:
    """`torch.linalg.qr` for linalg.qr, `torch.Tensor.new_full` for a method; None for what Python cannot name."""
    found = torch
    for part in name.split("."):
        found = getattr(found, part, None)
        if found is None:
            return f"torch.Tensor.{name}" if "." not in name and hasattr(torch.Tensor, name) else None
    return f"torch.{name}"


def dtype_of(op: Any) -> Any:
    wanted = (torch.float32, torch.int64, torch.bool, torch.complex64)
    return next((dtype for dtype in wanted if dtype in op.dtypes), torch.float32)


def cases_of(op: Any, count: int) -> tuple | tuple[list, str]:
    """The lines of one operator, and why samples were left out."""
    path = path_of(op.name)
    if path is None:
        return [], "no path"
    dtype = dtype_of(op)
    grad = op.supports_autograd and (dtype.is_floating_point or dtype.is_complex)
    try:
        samples = list(itertools.islice(op.sample_inputs("cpu", dtype, requires_grad=grad), MOST_SAMPLES))
    except Exception as error:  # noqa: BLE001 -- a release's own samples may need a package that is not there
        return [], f"{type(error).__name__}: {str(error)[:80]}"
    seen, calls, why = set(), [], None
    for sample in samples:
        key = repr((shape_of(sample.input), shape_of(sample.args), shape_of(sample.kwargs)))
        if key in seen:
            continue
        seen.add(key)
        try:
            named = [f"{name}={text_of(item)}" for name, item in sample.kwargs.items()]
            calls.append(", ".join([text_of(sample.input), *map(text_of, sample.args), *named]))
        except LeftOut as error:
            why = str(error)
    if len(calls) > count:
        calls = [calls[at * len(calls) // count] for at in range(count)]
    variant = f":{op.variant_test_name}" if op.variant_test_name else ""
    return [f"run({f'{op.name}{variant}#{at}'!r}, lambda f: f({call}), {path!r})" for at, call in enumerate(calls)], why


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("out", type=pathlib.Path)
    options.add_argument("--samples", type=int, default=5)
    asked = options.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    programs, current, left_out = [], [], {}
    for op in op_db:
        lines, why = cases_of(op, asked.samples)
        if why is not None:
            left_out[op.name] = why
        if current and len(current) + len(lines) > CASES_PER_PROGRAM:
            programs.append(current)
            current = []
        current = [*current, *lines]
    programs.append(current)
    for at, lines in enumerate(programs):
        (asked.out / f"ops{at:02d}.py").write_text(HEAD.read_text() + "\n\n" + "\n".join(lines) + "\n")
    (asked.out / "left-out.json").write_text(json.dumps(left_out, indent=1) + "\n")
    print(f"{len(op_db)} operators, {sum(map(len, programs))} cases; {len(left_out)} operators with samples left out")


if __name__ == "__main__":
    main()
