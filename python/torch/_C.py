"""The bridge to the engine: handles, argument layout, generated op functions, callbacks.

The engine's functions arrive in `connect` when a program starts; at import this module holds no JavaScript object, so
that an interpreter with the stand-in loaded can be frozen into a memory snapshot.
"""

import json
import sys
from functools import wraps
from sys import _getframe
from weakref import ref as _ref

from ._errors import OutOfMemoryError, UnsupportedOp

_js = None  # the engine's functions, set by connect()
_op = None


def _release(handle, frame):
    """Before a program starts there is nothing to release."""


_live = {}  # handle -> weak reference to the Tensor that wraps it

TABLE = json.load(open("/lib/vramscope/op-table.json"))


def connect(functions):
    """Takes the engine's functions for this run."""
    global _js, _op, _release
    _js = functions
    _op = functions.op
    _release = functions.release
    _frames.clear()


# --- where the program is -----------------------------------------------------------------------------------------

_OURS, _USER, _BELOW, _MAIN = 0, 1, 2, 3  # kinds of code: ours, the program's, what started it, its main module
_kinds = {}  # id(code) -> kind
_kept = []  # the code objects, so that their ids stay theirs
_frames = {}  # user frames from inside out as (id(code), instruction) pairs -> frame index of the trace
_PLACES = ("/lib/vramscope/", "/lib/python3", "<frozen ", "<string>", "<vramscope")


def _kind(code):
    kind = _kinds.get(id(code))
    if kind is None:
        file = code.co_filename
        kind = _BELOW if file == "/lib/vramscope/vramscope_boot.py" else _OURS if file.startswith(_PLACES) else _USER
        _kinds[id(code)] = kind
        _kept.append(code)
    return kind


def main_module(code):
    """Says which code is the program's main module."""
    _kinds[id(code)] = _MAIN
    _kept.append(code)


def here():
    """Index of the user's innermost line, with its callers. Whoever calls this is ours."""
    f = _getframe(2)
    c = f.f_code
    if _kinds.get(id(c)) == 3:  # straight from the main module: nothing of the program called it
        key = (id(c), f.f_lasti)
        index = _frames.get(key)
        if index is None:
            index = _frames[key] = _intern_stack(f)
        return index
    key = []
    while f is not None:
        c = f.f_code
        kind = _kinds.get(id(c))
        if kind is None:
            kind = _kind(c)
        if kind == 1:
            key.append(id(c))
            key.append(f.f_lasti)
        elif kind == 2:
            break
        elif kind == 3:
            key.append(id(c))
            key.append(f.f_lasti)
            break
        f = f.f_back
    key = tuple(key)
    index = _frames.get(key)
    if index is None:
        index = _frames[key] = _intern_stack(_getframe(1))
    return index


def _intern_stack(f):
    stack = []
    while f is not None:
        if _kind(f.f_code) in (_USER, _MAIN):
            stack.append((f.f_code.co_filename, f.f_lineno or 0, f.f_code.co_qualname))
        f = f.f_back
    index = -1
    for file, line, name in reversed(stack):
        index = _js.frame(index, file, line, name)
    return index


def reached(f, stop):
    """Tells the recorder where the program is: `stop` when it was found there, else when it came there for the first time."""
    if _js is not None:
        _js.reached(_intern_stack(f), stop)


# --- errors ---------------------------------------------------------------------------------------------------------


_python_error = None  # the exception that a callback raised, on its way through the engine


# PyTorch's compiled functions take numpy's names of these arguments, too.
_NUMPY_NAMES = (("dim", "axis"), ("keepdim", "keepdims"))


def _other_names(function):
    code = getattr(function, "__code__", None)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code else ()
    return {theirs: ours for ours, theirs in _NUMPY_NAMES if ours in names and theirs not in names}


def compiled(function):
    """What stands in for a compiled function: an error's traceback holds none of its arguments, as compiled code has no frames."""
    other = _other_names(function)

    def call(*args, **kwargs):
        for name in kwargs.keys() & other.keys():
            kwargs[other[name]] = kwargs.pop(name)
        try:
            return function(*args, **kwargs)
        except Exception as error:
            args = kwargs = error.__traceback__ = None
            raise

    def plain(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Exception as error:
            args = kwargs = error.__traceback__ = None
            raise

    return wraps(function)(call if other else plain)


def fail(text):
    """Raises what the engine reports: "!Class\\nmessage"."""
    global _python_error
    kind, _, message = text[1:].partition("\n")
    if kind == "PythonCallbackError" and _python_error is not None:
        error, _python_error = _python_error, None
        try:
            raise error
        finally:
            del error  # this frame is in its traceback: the two would keep each other and all locals alive
    raise _error_class(kind)(message)


def _error_class(kind):
    if kind == "OutOfMemoryError":
        return OutOfMemoryError
    if kind == "UnsupportedOp":
        return UnsupportedOp
    return {
        "RuntimeError": RuntimeError,
        "IndexError": IndexError,
        "ValueError": ValueError,
        "TypeError": TypeError,
        "NotImplementedError": NotImplementedError,
    }.get(kind, RuntimeError)


# --- arguments and results -------------------------------------------------------------------------------------------

Tensor = None  # class torch.Tensor, set by torch._tensor
_new = object.__new__


def wrap(handle):
    """The Tensor for a handle: negative means that one lives already."""
    if handle > 0:
        if handle in subclasses:
            return _known_subclass(handle)
        t = _new(Tensor)
        t._h = handle
        _live[handle] = _ref(t)
        return t
    if handle == 0:
        return None
    handle = -handle
    known = _live.get(handle)
    t = known() if known is not None else None
    if t is None:
        _js.addWrapper(handle)
        if handle in subclasses:
            return _known_subclass(handle)
        t = _new(Tensor)
        t._h = handle
        _live[handle] = _ref(t)
    return t


# Tensors of subclasses that run their own operators: handle -> (class, attributes). The engine may hold one while no Python
# object does; the object that is made then has the same attributes.
subclasses = {}


def _known_subclass(handle):
    cls, attributes = subclasses[handle]
    t = _new(cls)
    t.__dict__ = attributes
    _live[handle] = _ref(t)
    return t


def wrap_list(text):
    return [wrap(int(h)) if h else None for h in text.split(",")] if text else []


def _operand(x):
    t = type(x)
    if t is float:
        return 2, x
    if t is int:
        return 1, x
    if t is bool:
        return 3, x
    if isinstance(x, Tensor):
        return 0, x._h
    if t is complex:
        return 4, x.real
    if isinstance(x, bool):
        return 3, bool(x)
    if isinstance(x, int) or hasattr(x, "__index__"):
        return 1, int(x)
    if isinstance(x, float) or hasattr(x, "__float__"):
        return 2, float(x)
    raise TypeError(f"must be Tensor or a number, not {t.__name__}")


def _maybe(x):
    return (-1, 0) if x is None else _operand(x)


def _operands(xs):
    out = [len(xs)]
    for x in xs:
        out.extend(_operand(x))
    return out


def _ints(x):
    if x is None:
        return (-1,)
    if isinstance(x, int):
        return (1, x)
    if isinstance(x, Tensor):
        return (1, int(x))
    return (len(x), *[i if type(i) is int else i.__index__() for i in x])


def _floats(x):
    if x is None:
        return (-1,)
    if isinstance(x, (int, float)):
        return (1, x)
    return (len(x), *x)


def _tensors(xs):
    if xs is None:
        return (-1,)
    if isinstance(xs, Tensor):
        xs = xs.unbind(0)
    else:
        xs = list(xs)
    for i, x in enumerate(xs):
        if x is not None and not isinstance(x, Tensor):
            raise TypeError(f"expected Tensor as element {i}, but got {type(x).__name__}")
    return (len(xs), *[None if x is None else x._h for x in xs])


# Python's types stand for a dtype each, wherever PyTorch parses one.
_TYPES = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


def _dtype(x):
    if x is None or type(x) is str:
        return x
    return x.name if type(x) is not type else _TYPES[x]


def dtype_of_type(kind, function):
    """The dtype that `int`, `float` and their like stand for."""
    if kind not in _TYPES:
        raise TypeError(f"{function}(): argument 'dtype' must be torch.dtype, not {type(kind).__name__}")
    from ._types import DTYPES

    return DTYPES[_TYPES[kind]]


def _device(x):
    if x is None or type(x) is str:
        return x if x is None else x.partition(":")[0]
    if isinstance(x, int):
        return "cuda"
    return x.type


def _format(x):
    return x if x is None or type(x) is str else x.name


_ENCODE = {
    "T": "{0}._h",
    "t": "(None if {0} is None else {0}._h)",
    "L": "*_tensors({0})",
    "l": "*_tensors({0})",
    "U": "*_operand({0})",
    "u": "*_maybe({0})",
    "S": "*_operand({0})",
    "s": "*_maybe({0})",
    "N": "*_operands({0})",
    "I": "*_ints({0})",
    "F": "*_floats({0})",
    "d": "_dtype({0})",
    "D": "_device({0})",
    "z": "_format({0})",
}


# Functions that take two plain numbers: the first becomes a tensor (python_arg_parser.cpp: allow_numbers_as_tensors).
_TAKE_NUMBERS = frozenset("add sub mul div floor_divide remainder bitwise_and bitwise_or bitwise_xor fmod".split())


def _of_numbers(name, values):
    first = ops.scalar_tensor(
        values[0],
        "bool" if isinstance(values[0], bool) else "int64" if isinstance(values[0], int) else "float32",
        "cpu",
    )
    return getattr(ops, name)(first, *values[1:])


def _bad_argument(name, arguments, values, error):
    if name in _TAKE_NUMBERS and isinstance(values[0], (int, float)) and isinstance(values[1], (int, float)):
        return _of_numbers(name, values)
    for (argument, code), value in zip(arguments, values):
        number = code in "US" and hasattr(value, "__float__")
        if code in "TUS" and not isinstance(value, Tensor) and not number:
            position = next(i for i, (a, _) in enumerate(arguments) if a == argument) + 1
            shown = "input" if argument == "self" else argument
            text = f"{name}(): argument '{shown}' (position {position}) must be Tensor, not {type(value).__name__}"
            arguments = values = value = error = None
            raise TypeError(text) from None
    values = value = None
    raise error


class _Ops:
    """torch._C.ops.NAME(arguments in schema order)."""

    def __getattr__(self, name):
        near = [n for n in vars(type(self)) if name.strip("_")[:4] in n][:3]
        raise UnsupportedOp(
            f"vramscope has no row for the operator '{name}'" + (f"; near it: {', '.join(near)}" if near else "")
        )


class _Missing:
    """Stands for an argument that was not given."""


def _missing_argument(function, argument):
    raise TypeError(f'{function}() missing 1 required positional arguments: "{argument}"')


def _generate(index, op, flavour):
    """Source of one op function: encodes its arguments for the engine and wraps what returns.

    `ops`: all positional. `function`: torch.name with `input` for self and `out`. `method`: Tensor.name, where a first
    list of ints also takes `*sizes`. `operator`: for `+` and the like, which say NotImplemented to foreign operands.
    """
    name, codes, arguments, results = op["name"], op["codes"], op["arguments"], op["results"]
    names = [a[0] for a in arguments]
    if flavour == "function" and names and names[0] == "self":
        names[0] = "input"
    words = []
    star = False
    varargs = None
    numpy_names = [(n, other) for n, other in _NUMPY_NAMES if n in names and flavour in ("function", "method")]
    optional = False
    for i, (n, a) in enumerate(zip(names, arguments)):
        if flavour not in ("ops", "operator") and a[2] and not star and varargs is None:
            words.append("*")
            star = True
        if flavour == "method" and i == 1 and codes[1] == "I" and a[1] is None and codes.count("I") == 1:
            varargs = n
            words.append("*" + n)
        elif a[1] is None and (optional or any(n == ours for ours, _ in numpy_names)):
            optional = True
            words.append(f"{n}=_missing")
        else:
            words.append(f"{n}={a[1]}" if a[1] is not None else n)
    takes_out = flavour == "function" and not op["mutates"] and results[0] in "T2345"
    if takes_out:
        if not star:
            words.append("*")
            star = True
        words.append("out=None")
    if numpy_names:
        if not star and varargs is None:
            words.append("*")
        words += [f"{other}=None" for _, other in numpy_names]
    encoded = "".join(", " + _ENCODE.get(c, "{0}").format(n) for n, c in zip(names, codes))
    pairs = repr(list(zip(names, codes)))
    if op["mutates"]:
        good = f"return {names[0]}"
        test = "if type(r) is not str or r[:1] != '!':"
    elif results == "T":
        good, test = "return _wrap(r)", "if type(r) is int:"
    elif results == "V":
        good, test = "return r", "if type(r) is not str or r[:1] != '!':"
    elif results == "L":
        good, test = "return tuple(_wrap_list(r))", "if type(r) is str and r[:1] != '!':"
    else:
        good, test = f"return _{name}_result(*_wrap_list(r))", "if type(r) is str and r[:1] != '!':"
    lines = [f"def {name}({', '.join(words)}):"]
    if varargs:
        lines += [
            f"    if len({varargs}) == 1 and not isinstance({varargs}[0], int):",
            f"        {varargs} = {varargs}[0]",
        ]
    for ours, other in numpy_names:
        lines += [f"    if {other} is not None:", f"        {ours} = {other}"]
        if f"{ours}=_missing" in words:
            lines += [f"    elif {ours} is _missing:", f"        _missing_argument({op['plainName']!r}, {ours!r})"]
    if takes_out:
        lines += [
            "    if out is not None:",
            f"        return _out_call(out, {name}, {', '.join(f'{n}={n}' for n in names)})",
        ]
    lines += [
        "    try:",
        f"        r = _c._op({index}, _here(){encoded})",
        "    except (AttributeError, TypeError) as e:",
        "        return NotImplemented"
        if flavour == "operator"
        else f"        return _bad({op['plainName']!r}, {pairs}, ({''.join(n + ', ' for n in names)}), e)",
        f"    {test}",
        f"        {good}",
        "    if r is None:",
        "        return None",
        "    if type(r) is str:",
        *([f"        {' = '.join(names)} = None"] if names else []),
        "        _fail(r)",
        "    return r",
        "",
    ]
    return "\n".join(lines)


def _result_types():
    """Named tuples of ops with several named results."""
    types = {}
    for op in TABLE:
        names = op["resultNames"]
        if len(names) > 1:
            plain = any(not n for n in names)
            types[f"_{op['name']}_result"] = (lambda *r: r) if plain else _result_type(op["plainName"], names)
    return types


def _result_type(name, fields):
    from collections import namedtuple

    made = namedtuple(name, fields, module="torch.return_types")
    made.__repr__ = lambda self: (
        f"torch.return_types.{name}(\n" + ",\n".join(f"{f}={v!r}" for f, v in zip(fields, self)) + ")"
    )
    return made


def generate(flavour):
    """All op functions of one flavour by name."""
    scope = {
        "_c": sys.modules[__name__],
        "_missing": _Missing,
        "_missing_argument": _missing_argument,
        "_here": here,
        "_wrap": wrap,
        "_wrap_list": wrap_list,
        "_operand": _operand,
        "_maybe": _maybe,
        "_operands": _operands,
        "_ints": _ints,
        "_floats": _floats,
        "_tensors": _tensors,
        "_dtype": _dtype,
        "_device": _device,
        "_format": _format,
        "_bad": _bad_argument,
        "_fail": fail,
        "_out_call": out_call,
        "inf": float("inf"),
        **_RESULTS,
    }
    chosen = [
        (i, op) for i, op in enumerate(TABLE) if flavour in ("ops", "operator") or op["python"] in ("both", flavour)
    ]
    # one at a time: the compiler's memory for all of them together would stay in the frozen interpreter
    for i, op in chosen:
        exec(compile(_generate(i, op, flavour), "<vramscope ops>", "exec"), scope)
    return {op["name"]: scope[op["name"]] for _, op in chosen}


def out_call(out, function, *args, **kwargs):
    """Calls an op so that it writes into `out` (a tensor or a tuple of them)."""
    outs = out if isinstance(out, (tuple, list)) else (out,)
    _js.setOut(*[t._h for t in outs])
    for t in outs:
        t._m = None
    function(*args, **kwargs)
    return out


_RESULTS = _result_types()
for _name, _function in generate("ops").items():
    setattr(_Ops, _name, staticmethod(_function))
ops = _Ops()


# --- callbacks from the engine -------------------------------------------------------------------------------------------

_objects = {}  # id -> what Python registered (hooks, contexts, packed tensors)
_next_object = 0


def register(obj):
    """Keeps an object for the engine; it lets go through dispatch("drop", id)."""
    global _next_object
    _next_object += 1
    _objects[_next_object] = obj
    return _next_object


def _give(tensors):
    for t in tensors:
        if t is not None:
            _js.give(t._h)
    return ",".join("" if t is None else str(t._h) for t in tensors)


def dispatch(kind, number, handles):
    """The one function that the engine calls."""
    global _python_error
    if kind == "drop":
        _objects.pop(number, None)
        return None
    if kind == "forget":
        subclasses.pop(number, None)
        return None
    try:
        if kind == "op":
            from ._subclass import run

            return _give(run(handles))
        if kind == "call":
            result = _in_backward(_objects[number], *wrap_list(handles))
            if result is None:
                return ""
            return _give(result if isinstance(result, (tuple, list)) else (result,))
        if kind == "pack":
            # what was packed keeps its unpack hook alive, and nothing else does
            pack, unpack = _objects[number]
            packed = pack(wrap(int(handles)))
            if isinstance(packed, Tensor):
                _js.kept(packed._h)
            return register((unpack, packed))
        if kind == "holders":
            from . import _holders

            return _holders.walk()
        if kind == "keeps":
            return 1 if _objects[number](handles) else 0
        if kind == "unpack":
            unpack, packed = _objects[int(handles)]
            return _give((_in_backward(unpack, packed),))
    except BaseException as error:  # it continues where the engine was called from
        _python_error = error
        return "!" + type(error).__name__
    return None


_graph_tasks = []  # numbers of the running backward calls, the innermost last
_last_task = 0


at_end_of_backward = []  # callbacks that wait for the running backward
_graph_tasks_to_leaves = []  # of each, whether it goes to all leaves


def enter_graph_task(to_leaves=True):
    global _last_task
    _last_task += 1
    _graph_tasks.append(_last_task)
    _graph_tasks_to_leaves.append(to_leaves)
    _final_callbacks.append([])


def leave_graph_task():
    _graph_tasks.pop()
    _graph_tasks_to_leaves.pop()
    _final_callbacks.pop()


_final_callbacks = []  # of each running backward call, what runs when it is over


def queue_callback(callback):
    """Runs a function when the backward that is running is over."""
    if not _final_callbacks:
        raise RuntimeError("Final callbacks can only be installed during backward pass.")
    _final_callbacks[-1].append(callback)


def run_final_callbacks():
    callbacks = _final_callbacks[-1]
    while callbacks:
        callbacks.pop(0)()


def _current_graph_task_id():
    """The number of the running backward; a number used for nothing else outside of one."""
    global _last_task
    if _graph_tasks:
        return _graph_tasks[-1]
    _last_task += 1
    return _last_task


def _in_backward(function, *args):
    """Backward has a thread of its own, where no autocast block was entered."""
    global _nesting
    if not _graph_tasks:
        return function(*args)
    outer, _nesting = _nesting, 0
    try:
        return function(*args)
    finally:
        _nesting = outer


# --- modules, phases, modes -------------------------------------------------------------------------------------------------

_depth = 0


def push_module(module):
    """The module's forward begins; its path is known from the outermost call."""
    global _depth
    if _depth == 0:
        _name_tree(module)
    _depth += 1
    _js.pushModule(module.__dict__.get("_vs_path") or type(module).__name__)


def pop_module():
    global _depth
    _depth -= 1
    _js.popModule()


def _name_tree(root):
    prefix = type(root).__name__
    count = 0
    for _ in root.modules():
        count += 1
    known = root.__dict__.get("_vs_named")
    if known == count:
        return
    for name, module in root.named_modules():
        object.__setattr__(module, "_vs_path", f"{prefix}.{name}" if name else prefix)
    object.__setattr__(root, "_vs_named", count)


def set_phase(phase):
    return _js.setPhase(phase)


def tag(tensor, category):
    """Says what the tensor's memory is for, in the trace's words."""
    _js.tag(tensor._h, category)


def _device_name(device):
    return "cuda" if device in (None, "cuda") else str(device).partition(":")[0]


def set_autocast_enabled(device, value=None):
    if value is None:
        device, value = "cuda", device
    _js.autocast(_device_name(device), "enable", bool(value))


def is_autocast_enabled(device="cuda"):
    return _js.autocast(_device_name(device), "enabled")


def set_autocast_dtype(device, dtype):
    _js.autocast(_device_name(device), "set_dtype", dtype.name)


def get_autocast_dtype(device="cuda"):
    import torch

    return getattr(torch, _js.autocast(_device_name(device), "dtype"))


_nesting = 0


def autocast_increment_nesting():
    global _nesting
    _nesting += 1
    return _nesting


def autocast_decrement_nesting():
    global _nesting
    _nesting -= 1
    return _nesting


def clear_autocast_cache():
    _js.autocast("cuda", "clear")


def set_autocast_cache_enabled(value):
    _js.autocast("cuda", "set_cache", bool(value))


def is_autocast_cache_enabled():
    return _js.autocast("cuda", "cache")


def _cuda_clearCublasWorkspaces():
    _js.clearWorkspaces()


# --- names of torch._C that libraries ask for and that change nothing here

is_grad_enabled = lambda: _js.gradMode()
_GLIBCXX_USE_CXX11_ABI = True


def _nothing(*_, **__):
    return None


def __getattr__(name):
    if name.startswith(("_jit_set_", "_jit_override_", "_log_api_usage", "_debug_set_", "_set_", "_jit_can_fuse")):
        return _nothing
    if name == "_get_accelerator":
        from ._types import device

        return lambda check=False: device("cuda")
    if name == "_get_privateuse1_backend_name":
        return lambda: "privateuseone"
    if name == "Generator":
        from ._types import Generator

        return Generator
    raise AttributeError(f"module 'torch._C' has no attribute '{name}'")
