"""How arrays print: NumPy's columns, digits and line breaks (numpy/_core/arrayprint.py: array2string, FloatingFormat)."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any

    from ._array import ndarray

OPTIONS: dict = {
    "precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 75, "suppress": False, "nanstr": "nan",
    "infstr": "inf", "sign": "-", "formatter": None, "floatmode": "maxprec", "legacy": False,
    "override_repr": None,
}  # fmt: skip
_PACKED = {2: "<e", 4: "<f"}
_MOST_DIGITS = {2: 5, 4: 9, 8: 17}
_PRECISION = {2: 3, 4: 6, 8: 15}  # np.finfo(...).precision


def set_printoptions(**options: Any) -> None:
    OPTIONS.update({name: value for name, value in options.items() if value is not None})
    OPTIONS["formatter"] = options.get("formatter")


def get_printoptions() -> dict:
    return dict(OPTIONS)


def printoptions(**options: Any) -> AbstractContextManager:
    from contextlib import contextmanager

    @contextmanager
    def within():
        before = dict(OPTIONS)
        set_printoptions(**options)
        try:
            yield dict(OPTIONS)
        finally:
            OPTIONS.update(before)

    return within()


def _shortest(value: float, size: int) -> tuple[str, int]:
    """The fewest digits that tell this value from its neighbours in its dtype, and the power of ten of the first one."""
    if size == 8:
        text = f"{value!r}"
        mantissa, _e, exponent = text.partition("e")
        whole, _dot, fraction = mantissa.partition(".")
        digits, power = (whole + fraction).lstrip("0"), len(whole) - 1 + int(exponent or 0)
        power -= len(whole + fraction) - len(digits) if digits else 0
        return (digits.rstrip("0") or "0"), power
    kind = _PACKED[size]
    stored = struct.unpack(kind, struct.pack(kind, value))[0]
    for n in range(1, _MOST_DIGITS[size] + 1):
        text = f"{stored:.{n - 1}e}"
        if struct.unpack(kind, struct.pack(kind, float(text)))[0] == stored:
            break
    mantissa, _e, exponent = text.partition("e")
    return mantissa.replace(".", "").rstrip("0") or "0", int(exponent)


def _positional(value: float, size: int, precision: int) -> tuple[str, str]:
    """What stands before and behind the point, with `precision` digits behind it at most."""
    digits, power = _shortest(abs(value), size)
    if value and len(digits) - 1 - power <= precision:
        if power < 0:
            return "0", "0" * (-power - 1) + digits
        whole = digits[: power + 1].ljust(power + 1, "0")
        return whole, digits[power + 1 :]
    whole, _dot, fraction = f"{abs(value):.{precision}f}".partition(".")
    return whole, fraction.rstrip("0")


def _floats(values: Iterable[float], size: int) -> Callable[[float], str]:
    """The format of one number so that all stand in columns."""
    precision = OPTIONS["precision"]
    finite = [v for v in values if math.isfinite(v)]
    sizes = [abs(v) for v in finite if v]
    scientific = bool(sizes) and (
        max(sizes) >= 10.0 ** min(8, _PRECISION[size])
        or (not OPTIONS["suppress"] and (min(sizes) < 1e-4 or max(sizes) / min(sizes) > 1000.0))
    )
    special = [_special(v) for v in values if not math.isfinite(v)]
    sign = any(math.copysign(1, v) < 0 for v in finite)
    if scientific:
        parts = []
        for v in finite:
            digits, power = _shortest(abs(v), size)
            if len(digits) - 1 > precision:
                head, _e, exponent = f"{abs(v):.{precision}e}".partition("e")
                digits, power = head.replace(".", "").rstrip("0") or "0", int(exponent)
            parts.append((digits, power if v else 0))
        behind = max((len(d) - 1 for d, _ in parts), default=0)
        width = max([2 + behind + 4 + sign, *map(len, special)]) if parts else max(map(len, special), default=0)

        def one(v: float) -> str:
            if not math.isfinite(v):
                return _special(v).rjust(width)
            head, _e, exponent = f"{abs(v):.{behind}e}".partition("e")
            head = head if "." in head else head + "."
            return f"{'-' if math.copysign(1, v) < 0 else ''}{head}e{exponent}".rjust(width)

        return one
    pieces = [_positional(v, size, precision) for v in finite]
    before = max((len(w) + (math.copysign(1, v) < 0) for v, (w, _) in zip(finite, pieces)), default=0)
    behind = max((len(f) for _, f in pieces), default=0)
    before = max([before, *(len(s) - behind - 1 for s in special)]) if special else before

    def one(v: float) -> str:
        if not math.isfinite(v):
            return _special(v).rjust(before + behind + 1)
        whole, fraction = _positional(v, size, precision)
        sign = "-" if math.copysign(1, v) < 0 else ""
        return f"{(sign + whole).rjust(before)}.{fraction.ljust(behind)}"

    return one


def _special(v: float) -> str:
    return OPTIONS["nanstr"] if v != v else ("-" if v < 0 else "") + OPTIONS["infstr"]


def _format_of(array: ndarray, values: list) -> Callable[[Any], str]:
    kind = array.dtype.kind
    own = (OPTIONS["formatter"] or {}).get(
        {"f": "float", "i": "int", "u": "int", "b": "bool", "c": "complex"}.get(kind)
    )
    own = own or (OPTIONS["formatter"] or {}).get({"f": "float_kind", "i": "int_kind", "c": "complex_kind"}.get(kind))
    if own:
        return own
    if kind == "f":
        return _floats(values, array.dtype.itemsize)
    if kind == "c":
        half = array.dtype.itemsize // 2
        real, imaginary = _floats([v.real for v in values], half), _floats([v.imag for v in values], half)

        def both(v: complex) -> str:
            text = imaginary(abs(v.imag)).strip()
            return f"{real(v.real)}{'-' if math.copysign(1, v.imag) < 0 else '+'}{text}j"

        return both
    texts = {"b": lambda v: str(bool(v)), "U": lambda v: repr(str(v)), "O": repr}.get(kind, str)
    width = max((len(texts(v)) for v in values), default=0) if kind in "iub" else 0
    return lambda v: texts(v).rjust(width)


def _shown(array: ndarray) -> list:
    """The values that are printed: all, or those at the edges."""
    values = array.read()
    if array.size <= OPTIONS["threshold"]:
        return list(values)
    edge = OPTIONS["edgeitems"]
    kept = [0]
    for size, step in zip(array.shape, array.strides_in_values()):
        shown = range(size) if size <= 2 * edge else [*range(edge), *range(size - edge, size)]
        kept = [k + p * step for k in kept for p in shown]
    return [values[k] for k in kept]


def array2string(array: ndarray, prefix: str = "", suffix: str = "", separator: str = " ") -> str:
    """`array` in brackets, rows below each other, as NumPy breaks and summarizes them."""
    values = array.read()
    if not array.size:
        return "[]"
    form = _format_of(array, _shown(array))
    if not array.shape:
        return form(values[0])
    summarized, edge = array.size > OPTIONS["threshold"], OPTIONS["edgeitems"]
    steps, width = array.strides_in_values(), OPTIONS["linewidth"] - len(suffix)

    def shown_at(size: int) -> Iterator[int | None]:
        if not summarized or size <= 2 * edge:
            yield from range(size)
        else:
            yield from range(edge)
            yield None
            yield from range(size - edge, size)

    def part(axis: int, at: int, indent: str, limit: int) -> str:
        left, nested = array.ndim - axis, indent + " "
        if left == 1:
            lines, line = [], nested
            last = array.shape[axis] - 1
            for p in shown_at(array.shape[axis]):
                word = "..." if p is None else form(values[at + p * steps[axis]])
                room = limit - (max(len(separator.rstrip()), 1) if p == last else len(separator.rstrip()))
                if len(line) + len(word) > room and len(line) > len(nested):
                    lines.append(line.rstrip())
                    line = nested
                line += word + ("" if p == last else separator)
            return "[" + "\n".join([*lines, line])[len(nested) :] + "]"
        joint = separator.rstrip() + "\n" * (left - 1) + nested
        return (
            "["
            + joint.join(
                "..." if p is None else part(axis + 1, at + p * steps[axis], nested, limit - 1)
                for p in shown_at(array.shape[axis])
            )
            + "]"
        )

    return part(0, 0, " " * len(prefix), width)


_IMPLIED = {"float64", "int64", "bool", "complex128"}


def array_repr(array: ndarray) -> str:
    name = type(array).__name__ if type(array).__name__ != "ndarray" else "array"
    opening = f"{name}("
    listed = array2string(array, opening, ")", ", ") if array.size or array.shape == (0,) else "[]"
    extra = []
    if (array.size == 0 and array.shape != (0,)) or array.size > OPTIONS["threshold"]:
        extra.append(f"shape={array.shape}")
    if array.dtype.name not in _IMPLIED or array.size == 0:
        extra.append(f"dtype={_dtype_word(array)}")
    if not extra:
        return f"{opening}{listed})"
    text, tail = f"{opening}{listed},", ", ".join(extra) + ")"
    last = len(text) - (text.rfind("\n") + 1)
    between = " " if last + len(tail) + 1 <= OPTIONS["linewidth"] else "\n" + " " * len(opening)
    return text + between + tail


def _dtype_word(array: ndarray) -> str:
    if array.dtype.kind == "U":
        return f"'<U{max((len(v) for v in array.read()), default=1)}'"
    return array.dtype.name
