"""What the host calls inside the interpreter: load the stand-ins, run a program, word its errors."""

import builtins
import gc
import io
import linecache
import os
import sys
import traceback

# Modules that ordinary scripts import: loaded before the interpreter is frozen, so that they cost nothing later.
STANDARD = """abc argparse ast base64 bisect collections collections.abc concurrent.futures contextlib copy csv dataclasses
datetime decimal enum functools gc glob hashlib heapq importlib importlib.util inspect io itertools json logging math
operator os os.path pathlib pickle platform pprint queue random re shutil signal statistics string struct sys tempfile
textwrap threading time timeit traceback types typing unittest uuid warnings weakref zipfile""".split()

STAND_INS = "einops einops.layers.torch xformers xformers.ops flash_attn flash_attn.flash_attn_interface".split()


def load():
    """Imports everything that a snapshot should hold."""
    import importlib
    import pkgutil

    for name in STANDARD:
        importlib.import_module(name)
    import torch

    for module in pkgutil.walk_packages(torch.__path__, "torch."):
        importlib.import_module(module.name)
    for name in STAND_INS:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name and not name.startswith(error.name):
                raise
    gc.collect()
    gc.freeze()


# Modules that would lead out of the sandbox.
_BLOCKED = ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "micropip")


def _close_doors():
    for name in list(sys.modules):
        if name.split(".")[0] in _BLOCKED:
            del sys.modules[name]
    for name in _BLOCKED:
        sys.modules[name] = None
    sys.meta_path[:] = [f for f in sys.meta_path if "pyodide" not in f"{getattr(f, '__module__', '')} {type(f).__module__}".lower()]


def _ours(filename):
    return filename.startswith(("/lib/vramscope", "<vramscope", "<frozen", "/lib/python3"))


def _clean(error, seen):
    """Removes our frames from an exception and all that it came from."""
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    kept = []
    tb = error.__traceback__
    while tb is not None:
        name = tb.tb_frame.f_code.co_filename
        if not name.startswith(("/lib/vramscope", "<vramscope")):
            kept.append(tb)
        tb = tb.tb_next
    result = None
    for tb in reversed(kept):
        tb.tb_next = result
        result = tb
    error.__traceback__ = result
    _clean(error.__cause__, seen)
    _clean(error.__context__, seen)
    for inner in getattr(error, "exceptions", ()):
        _clean(inner, seen)


def prepare(engine, request):
    """A function that runs the requested program and returns [status, exit status, error text] as JSON."""
    import json

    r = json.loads(request)
    arguments = (r["script"], r["source"], r["argv"], r["env"], r["torch"], r["searchPath"])
    return lambda: json.dumps(run(engine, *arguments))


def run(functions, path, source, argv, environment, version, search_path):
    """Runs a program as __main__; returns (status, exit status, error text)."""
    import torch
    from torch import _C

    _C.connect(functions)
    torch._configure(version)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [path, *argv]
    sys.path[:] = [*search_path, *[p for p in sys.path if p]]
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)
    _close_doors()
    main = type(sys)("__main__")
    main.__file__ = path
    main.__builtins__ = builtins
    sys.modules["__main__"] = main
    linecache.cache[path] = (len(source), None, source.splitlines(True), path)
    status, code, text = "ok", 0, None
    try:
        exec(compile(source, path, "exec"), main.__dict__)
    except SystemExit as stop:
        status, code, text = _exit(stop)
    except BaseException as error:
        status, code, text = _report(error)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    return status, code, text


def _exit(stop):
    if stop.code is None:
        return "system_exit", 0, None
    if isinstance(stop.code, int):
        return "system_exit", stop.code & 255, None
    print(stop.code, file=sys.stderr)
    return "system_exit", 1, None


def _report(error):
    import torch
    from torch import _C

    status = "python_error"
    if isinstance(error, torch.OutOfMemoryError):
        status = "out_of_memory"
    elif isinstance(error, _C.UnsupportedOp):
        status = "unsupported_op"
    elif isinstance(error, KeyboardInterrupt):
        status = "interrupted"
    _clean(error, set())
    if isinstance(error, _C.UnsupportedOp):
        type(error).__module__ = "builtins"
        type(error).__qualname__ = "UnsupportedOp"
    buffer = io.StringIO()
    traceback.print_exception(error, file=buffer)
    return status, 1, buffer.getvalue()
