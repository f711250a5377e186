"""The bridge to the engine: handles, argument layout, generated op functions, callbacks.

The engine's functions arrive in `connect` when a program starts; at import this module holds no JavaScript object, so
that an interpreter with the stand-in loaded can be frozen into a memory snapshot.
"""

import json
import sys
from functools import wraps
from weakref import ref as _ref

from ._errors import OutOfMemoryError, UnsupportedOp
from ._frames import connect as _connect_frames, here, main_module, reached
from ._op_source import NUMPY_NAMES, source_of

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
    _connect_frames(functions)


# --- errors ---------------------------------------------------------------------------------------------------------


_python_error = None  # the exception that a callback raised, on its way through the engine


def _other_names(function):
    code = getattr(function, "__code__", None)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code else ()
    return {theirs: ours for ours, theirs in NUMPY_NAMES if ours in names and theirs not in names}


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
        exec(compile(source_of(i, op, flavour), "<vramscope ops>", "exec"), scope)
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
