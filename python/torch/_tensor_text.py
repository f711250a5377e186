"""How a tensor prints itself: its values where they are known, and what else PyTorch says of it (torch/_tensor_str.py)."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import TYPE_CHECKING

from . import _C, _defaults

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


options = SimpleNamespace(precision=4, threshold=1000, edgeitems=3, linewidth=80, sci_mode=None)
_PROFILES = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}
_SHOWN_AS_THEY_ARE = ("int64", "bool")


def set_printoptions(
    precision: Any = None,
    threshold: Any = None,
    edgeitems: Any = None,
    linewidth: Any = None,
    profile: Any = None,
    sci_mode: Any = None,
) -> None:
    changed = dict(precision=precision, threshold=threshold, edgeitems=edgeitems, linewidth=linewidth)
    vars(options).update(_PROFILES.get(profile, {}))
    vars(options).update({name: value for name, value in changed.items() if value is not None})
    options.sci_mode = sci_mode


def text_of(t: Tensor) -> Any:
    shape, known = t.shape, t.numel() <= options.threshold and _C._js.values(t._h)
    if not known and shape and t.numel() > 0:
        return f"tensor(...{''.join(f', {suffix}' for suffix in _suffixes(t))}, size={tuple(shape)})"
    if t.numel() == 0:
        return _joined("tensor([]", _suffixes(t))
    values = t.tolist()
    return _joined("tensor(" + _nested(values, len("tensor("), _form_of(_flat(values))), _suffixes(t))


def _suffixes(t):
    said = [] if t.device.type == "cpu" else [f"device='{t.device}'"]
    if t.numel() == 0 and t.dim() != 1:
        said.append(f"size={tuple(t.shape)}")
    name = t.dtype.name
    usual = name == _defaults.dtype.name or (t.numel() > 0 and name in _SHOWN_AS_THEY_ARE)
    if not usual:
        said.append(f"dtype={t.dtype}")
    if t.grad_fn is not None:
        said.append(f"grad_fn=<{t.grad_fn.name()}>")
    elif t.requires_grad:
        said.append("requires_grad=True")
    return said


def _joined(text, suffixes):
    """The words behind the values, on a new line where the last one is full."""
    length = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if length + len(suffix) + 2 > options.linewidth:
            text += ",\n" + " " * len("tensor(") + suffix
            length = len("tensor(") + len(suffix)
        else:
            text += ", " + suffix
            length += len(suffix) + 2
    return text + ")"


def _flat(values):
    return [v for part in values for v in _flat(part)] if isinstance(values, list) else [values]


def _form_of(values):
    """A function that writes each of the values with the same width and in the same form."""
    if not isinstance(values[0], float):
        width = max(len(str(v)) for v in values)
        return width, lambda v: str(v).rjust(width)
    seen = [v for v in values if v != 0 and math.isfinite(v)]
    whole = all(v == math.ceil(v) for v in seen)
    width, digits = 1, options.precision
    largest, smallest = max(map(abs, seen), default=1), min(map(abs, seen), default=1)
    scientific = largest / smallest > 1000 or largest > 1e8 or (not whole and smallest < 1e-4)
    if options.sci_mode is not None:
        scientific = options.sci_mode

    def written(v):
        if scientific:
            return f"{v:.{digits}e}"
        if whole:
            return f"{v:.0f}." if math.isfinite(v) else f"{v:.0f}"
        return f"{v:.{digits}f}"

    width = max([width, *(len(written(v)) for v in seen)])
    return width, lambda v: written(v).rjust(width)


def _nested(values, indent, form):
    width, written = form
    if not isinstance(values, list):
        return written(values)
    if values and isinstance(values[0], list):
        depth = _depth(values)
        inner = (_nested(part, indent + 1, form) for part in values)
        return "[" + ("," + "\n" * (depth - 1) + " " * (indent + 1)).join(inner) + "]"
    words = [written(v) for v in values]
    each = max(1, (options.linewidth - indent) // (width + 2))
    lines = [", ".join(words[at : at + each]) for at in range(0, len(words), each)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _depth(values):
    return 1 + _depth(values[0]) if isinstance(values, list) and values else 0
