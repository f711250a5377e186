"""The source text of an operator's Python function, from its entry in the table: how arguments are encoded for the engine and results wrapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


# PyTorch's compiled functions take numpy's names of these arguments, too.
NUMPY_NAMES = (("dim", "axis"), ("keepdim", "keepdims"))

# What every factory takes beside its operator's arguments (row.ts: factory), with the defaults.
FACTORY_ARGUMENTS = (("layout", "None"), ("pin_memory", "None"), ("requires_grad", "False"))

# Operators whose functions take numbers between their tensors, too, as they did once: `add_(alpha, other)`, `addmm(beta, input, alpha, a, b)`
# (PyTorch: tools/autograd/deprecated.yaml). The numbers' names, in the order of such a call.
FORMER_ORDER = {
    **dict.fromkeys(("add", "sub"), ("alpha",)),
    **dict.fromkeys(("addcdiv", "addcmul"), ("value",)),
    **dict.fromkeys(("addbmm", "addmm", "addmv", "addr", "baddbmm"), ("beta", "alpha")),
}

_ENCODE = {
    "T": "{0}._h",
    "t": "(None if {0} is None else {0}._h)",
    "L": "*_tensors({0})",
    "l": "*_maybe_tensors({0})",
    "U": "*_operand({0})",
    "u": "*_maybe({0})",
    "S": "*_scalar({0})",
    "s": "*_maybe({0})",
    "N": "*_operands({0})",
    "I": "*_ints({0})",
    "F": "*_floats({0})",
    "d": "_dtype({0})",
    "D": "_device({0})",
    "z": "_format({0})",
}


def called_with(named: Iterable[tuple[str, str]], flavour: str) -> list[tuple[str, str]]:
    """Arguments, each after its name, in the order of a call: a method's first is `self`, wherever the schema has it."""
    return sorted(named, key=lambda argument: argument[0] != "self") if flavour == "method" else named


def _into_out(name, factory):
    """What stands for an argument where the result goes into `out`, which says dtype and device of what a factory makes."""
    return f"out.{name}" if factory and name in ("dtype", "device") else name


def spreads(op: dict[str, Any], flavour: str) -> bool:
    """Whether its only argument by position is a list of ints, which Python takes one by one, too: `view(2, 3)`, `zeros(2, 3)`."""
    codes, positional = op["codes"], sum(not a[2] for a in op["arguments"])
    if flavour == "method":
        return positional == 2 and codes[1] == "I" and op["arguments"][1][1] is None
    return flavour == "function" and "factory" in op and positional == 1 and codes[0] == "I"


def source_of(index: int, op: dict[str, Any], flavour: str) -> str:
    """Source of one op function: encodes its arguments for the engine and wraps what returns.

    `ops`: all positional. `function`: torch.name with `input` for self and `out`. `method`: Tensor.name. `operator`: for `+` and the like,
    which say NotImplemented to foreign operands.
    """
    name, codes, arguments, results = op["name"], op["codes"], op["arguments"], op["results"]
    names = [a[0] for a in arguments]
    if flavour == "function":
        names = ["input" if n == "self" and code in "TU" else n for n, code in zip(names, codes)]
    words = []
    spread = spreads(op, flavour)
    factory = "factory" in op and flavour in ("function", "method")
    star = False
    varargs = None
    numpy_names = [(n, other) for n, other in NUMPY_NAMES if n in names and flavour in ("function", "method")]
    optional = False
    former = FORMER_ORDER.get(op["base"].rstrip("_")) if flavour in ("function", "method") else None
    for i, (n, a) in enumerate(called_with(zip(names, arguments), flavour)):
        if flavour not in ("ops", "operator") and a[2] and not star and varargs is None:
            words.append("*_more" if former else "*")
            star = True
        if spread and i == (flavour == "method"):
            varargs = n
            words += ["*_each", f"{n}=_missing"]
        elif a[1] is None and (optional or any(n == ours for ours, _ in numpy_names)):
            optional = True
            words.append(f"{n}=_missing")
        else:
            words.append(f"{n}={a[1]}" if a[1] is not None else n)
    takes_out = flavour == "function" and op["takesOut"]
    if takes_out:
        if not star and varargs is None:
            words.append("*")
            star = True
        words.append("out=None")
    if factory:
        words += [f"{n}={default}" for n, default in FACTORY_ARGUMENTS]
    if numpy_names:
        if not star and varargs is None:
            words.append("*")
        words += [f"{other}=None" for _, other in numpy_names]
    encode = {**_ENCODE, "d": "_dtype_name({0})"} if factory else _ENCODE
    if factory and op["factory"] == "default":
        encode["D"] = "_place({0})"
    # an argument may be called what the function is: torch.threshold(input, threshold, value)
    itself = f"_function_{index}" if name in names else name
    encoded = "".join(", " + encode.get(c, "{0}").format(n) for n, c in zip(names, codes))
    pairs = repr(list(zip(names, codes)))
    if op["mutates"]:
        good = f"return {names[0]}"
        test = "if type(_r) is not str or _r[:1] != '!':"
    elif results == "T":
        good, test = "return _wrap(_r)", "if type(_r) is int:"
        if factory:
            extra = ", ".join(n for n, _ in FACTORY_ARGUMENTS)
            good = f"return _made({op['plainName']!r}, _wrap(_r), {extra})"
    elif results == "B":
        good, test = "return bool(_wrap(_r))", "if type(_r) is int:"
    elif results == "V":
        good, test = "return _r", "if type(_r) is not str or _r[:1] != '!':"
    elif results == "L":
        good, test = "return tuple(_wrap_list(_r))", "if type(_r) is str and _r[:1] != '!':"
    else:
        good, test = f"return _{name}_result(*_wrap_list(_r))", "if type(_r) is str and _r[:1] != '!':"
    lines = [f"def {name}({', '.join(words)}):"]
    if former:
        positional = ", ".join(n for n, a in zip(names, arguments) if not a[2])
        out = ", out=out" if takes_out else ""
        lines += ["    if _more:", f"        return _in_former_order({itself}, ({positional}, *_more), {former}{out})"]
    if varargs:
        lines += [
            f"    if {varargs} is _missing:",
            f"        {varargs} = _each[0] if len(_each) == 1 and not hasattr(_each[0], '__index__') else _each or _missing_argument({op['plainName']!r}, {varargs!r})",
        ]
    for ours, other in numpy_names:
        lines += [f"    if {other} is not None:", f"        {ours} = {other}"]
        if f"{ours}=_missing" in words:
            lines += [f"    elif {ours} is _missing:", f"        _missing_argument({op['plainName']!r}, {ours!r})"]
    if takes_out:
        lines += [
            "    if out is not None:",
            f"        return _out_call(out, {itself}, {', '.join(f'{n}={_into_out(n, factory)}' for n in names)})",
        ]
    lines += [
        "    try:",
        f"        _r = _c._op({index}, _here(){encoded})",
        "    except (AttributeError, TypeError) as _e:",
        "        return NotImplemented"
        if flavour == "operator"
        else f"        return _bad({op['plainName']!r}, {pairs}, ({''.join(n + ', ' for n in names)}), _e, {int(flavour == 'method')})",
        f"    {test}",
        f"        {good}",
        "    if _r is None:",
        "        return None",
        "    if type(_r) is str:",
        *([f"        {' = '.join(names)} = None"] if names else []),
        f"        _fail(_r, {int(flavour == 'method')})",
        "    return _r",
        f"{itself} = {name}" if itself != name else "",
        "",
    ]
    return "\n".join(lines)
