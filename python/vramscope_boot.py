"""What the host calls inside the interpreter: load the stand-ins, run a program, word its errors."""

from __future__ import annotations

import atexit
import builtins
import gc
import importlib.util
import linecache
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import torch


# Modules that ordinary scripts import: loaded before the interpreter is frozen, so that they cost nothing later.
STANDARD = """abc argparse ast base64 bisect collections collections.abc concurrent.futures contextlib copy csv dataclasses
datetime decimal enum functools gc glob hashlib heapq importlib importlib.util inspect io itertools json logging math
operator os os.path pathlib pickle platform pprint queue random re shutil signal statistics string struct sys tempfile
textwrap threading time timeit traceback types typing unittest uuid warnings weakref zipfile""".split()

_ROOT = "/lib/vramscope"
_stand_ins = []  # top-level packages that we bring, torch aside


def load() -> None:
    """Imports everything that a snapshot should hold."""
    import importlib

    import vramscope_clock
    import vramscope_doors
    import vramscope_streams

    vramscope_streams.install()
    # as on a machine; what stood there is a file of whoever built this
    sys.executable = sys._base_executable = "/usr/bin/python3"
    for name in STANDARD:
        importlib.import_module(name)
    # the files themselves are not in a snapshot: whatever can be imported must have been, or lies on the shelf
    import vramscope_shelf

    vramscope_shelf.put(_ROOT)
    for module in vramscope_shelf.modules_to_import(_ROOT):
        importlib.import_module(module.name)
        if "." not in module.name and module.name not in ("torch", __name__):
            _stand_ins.append(module.name)
    sys.modules["torch._shells"].install()
    vramscope_clock.install()
    vramscope_shelf.keep()
    gc.collect()
    vramscope_doors.find()
    gc.freeze()


def prepare(engine: Any, request: Any) -> tuple:
    """What the host needs to run the requested program: see src/python/outcome.ts."""
    import json

    import vramscope_ending
    import vramscope_lines
    import vramscope_packages
    import vramscope_streams
    from torch import _C

    r = json.loads(request)
    _arrange_stops(r["timeoutSeconds"])
    vramscope_streams.install()
    streams = (sys.stdout, sys.stderr)

    codes = iter(())

    def begin():
        """The program's namespace."""
        nonlocal codes
        made, namespace = set_up(
            engine,
            r["script"],
            r["source"].encode("utf-8", "surrogateescape") if r["sourceIsEscaped"] else r["source"],
            r["argv"],
            r["env"],
            r["release"],
            r["searchPath"],
            r["changes"],
            r["scriptPath"],
            r["passes"],
            r["packages"],
            r["module"],
            r["data"],
        )
        codes = iter(made)
        return namespace

    running = None

    def following():
        """The code that runs next, or None: a notebook has one for each cell."""
        nonlocal running
        code = running = next(codes, None)
        if code is not None:
            _C.main_module(code)
            vramscope_lines.watch(code)
        return code

    def went_on(error):
        """ "yes" where the error is one that a cell shows, behind which the notebook went on."""
        import vramscope_notebook

        return "yes" if running is not None and vramscope_notebook.expects(running, error) else None

    def ended():
        """From now on a signal stops nothing."""
        global _running
        _running = False
        sys.settrace(None)
        vramscope_packages.report()

    def described(error):
        """The error in words, with the names by which people know files."""
        vramscope_packages.hint(error)
        text = vramscope_ending.text_of(error)
        for inside, shown in r["shownPaths"]:
            text = text.replace(f'File "{inside}', f'File "{shown}')
        return text

    def leave():
        """What CPython does when the main module is done."""
        global _running
        _running = True
        try:
            atexit._run_exitfuncs()
        finally:
            _running = False
            sys.settrace(None)

    def flush():
        vramscope_ending.flush(streams)

    return (
        begin,
        following,
        went_on,
        ended,
        described,
        vramscope_ending.say_exit,
        leave,
        flush,
        _C.OutOfMemoryError,
        _C.UnsupportedOp,
        TimeLimit,
    )


class TimeLimit(BaseException):
    """The time that the program was given is over. Not an Exception, so that a program's own handlers do not catch it."""


TimeLimit.__module__ = "builtins"
_running = False


_OURS = ("/lib/vramscope", "<vramscope")
# The host asks again and again; from then on nothing is waited for.
_PATIENCE = 25


def _stop_in_program(frame, error):
    """Raises as soon as a line of the program runs: raised in a finalizer it would be lost, and a tensor with it."""
    from torch import _C

    def on_line(frame, event, argument):
        _C.reached(frame, True)
        raise error

    def on_call(frame, event, argument):
        return None if frame.f_code.co_filename.startswith(_OURS) else on_line(frame, event, argument)

    while frame is not None:
        if not frame.f_code.co_filename.startswith(_OURS):
            frame.f_trace = on_line
        frame = frame.f_back
    sys.settrace(on_call)


def _arrange_stops(seconds):
    """Signals from the host end the program, wherever it is, and nothing else."""
    import signal

    from torch import _C
    from vramscope_linux.signals import REAL

    asked = 0

    def handler(error):
        def stop(number, frame):
            nonlocal asked
            if not _running:
                return
            asked += 1
            if asked < _PATIENCE and frame is not None and frame.f_code.co_filename.startswith(_OURS):
                _stop_in_program(frame, error)
            else:
                _C.reached(frame, True)
                raise error

        return stop

    REAL(signal.SIGINT, handler(KeyboardInterrupt()))
    REAL(signal.SIGALRM, handler(TimeLimit(f"stopped after {seconds:g} s" if seconds else "")))

    def unraisable(info):
        if not issubclass(info.exc_type, (KeyboardInterrupt, TimeLimit)):
            sys.__unraisablehook__(info)

    sys.unraisablehook = unraisable


def _prefer_own(folders):
    """A module beside the script wins over a stand-in of the same name; a folder of modules does, with or without an __init__.

    Python prefers an installed package to a folder without one, and what no program goes without is installed.
    """
    import vramscope_project

    there = {}
    for folder in folders:
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            there.setdefault(name, f"{folder}/{name}")
    for name in _stand_ins:
        holds = vramscope_project.is_package if name in _INSTALLED else vramscope_project.has_modules
        if f"{name}.py" in there or (name in there and holds(there[name])):
            for module in [m for m in sys.modules if m == name or m.startswith(name + ".")]:
                del sys.modules[module]


_INSTALLED = ("torch", "numpy")


def _text_of(source):
    """What tracebacks show of a program."""
    if isinstance(source, str):
        return source
    try:
        return importlib.util.decode_source(source)
    except (SyntaxError, UnicodeError, LookupError):
        return source.decode("utf-8", "backslashreplace")


def set_up(
    functions: Any,
    path: str,
    source: str,
    argv: Any,
    environment: Any,
    release: Any,
    search_path: str,
    changes: Sequence = (),
    script_path: str | None = None,
    passes: str = "all",
    packages: str = "auto",
    module: torch.nn.Module | None = None,
    data: Sequence = (),
) -> tuple:
    """Makes the interpreter ready for a program, changed as asked, that runs as __main__; returns its code and its namespace.

    ``path`` is its name as the user typed it, ``script_path`` where it lies inside; ``module`` its name where it runs as one;
    ``source`` is text, or bytes as a file has them, which the compiler decodes."""
    import vramscope_alike
    import vramscope_caught
    import vramscope_changes
    import vramscope_clock
    import vramscope_data
    import vramscope_deferred
    import vramscope_linux
    import vramscope_leaving
    import vramscope_loops
    import vramscope_packages
    from torch import _C, _release

    _C.connect(functions)
    vramscope_clock.connect(functions)
    vramscope_linux.alarms.connect(functions)
    _release.configure(release)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [path, *argv]
    sys.path[:] = [*search_path, *[p for p in sys.path if p]]
    vramscope_packages.choose(search_path, packages)
    _prefer_own([p for p in search_path if not f"{p}/".startswith("/site-packages/")])
    vramscope_alike.begin(functions)
    vramscope_loops.begin(passes)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)
    vramscope_caught.begin()
    vramscope_linux.begin()
    vramscope_data.begin(data)
    vramscope_deferred.begin()
    vramscope_leaving.install()
    main = type(sys)("__main__")
    # what comes from standard input lies nowhere
    main.__file__ = path if path.startswith("<") else script_path or path
    main.__builtins__ = builtins
    sys.modules["__main__"] = main
    shown = _text_of(source)
    linecache.cache[path] = (len(shown), None, shown.splitlines(True), path)
    if module is not None:
        _in_package(main, module)
    vramscope_changes.put_in_place(changes)
    global _running
    _running = True
    return _codes(source, path, changes), main.__dict__


def _codes(source, path, changes):
    """The program's code; of a notebook that of one cell after the other."""
    import vramscope_changes
    import vramscope_notebook

    if not vramscope_notebook.is_notebook(path):
        return [vramscope_changes.code_of(source, path, changes)]
    return vramscope_notebook.codes(source, path, lambda text, name: vramscope_changes.code_of(text, name, changes))


def _in_package(main, module):
    """Makes a module what `python -m` makes of it: a part of its package."""
    import importlib.util

    spec = importlib.util.find_spec(module)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = importlib.util.find_spec(module + ".__main__")
    if spec is None:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)
    main.__spec__ = spec
    main.__package__ = spec.parent


def run(*program: Any, **settings: Any) -> tuple:
    """Runs a program as `set_up` takes it, once more in this interpreter; returns (status, exit status, error text)."""
    return _outcome(lambda: set_up(*program, **settings))


def go_on(path: str, source: str) -> tuple:
    """Runs more lines behind the program that ran last, with its variables; returns what `run` returns."""
    return _outcome(lambda: (_codes(source, path, ()), sys.modules["__main__"].__dict__))


def _run(code, namespace):
    import vramscope_notebook

    try:
        exec(code, namespace)
    except Exception as error:
        if not vramscope_notebook.expects(code, error):
            raise


def _outcome(begin):
    import vramscope_ending
    import vramscope_packages
    from torch import _C

    global _running
    status, exit_status, text = "ok", 0, None
    try:
        codes, namespace = begin()
        for code in codes:
            _C.main_module(code)
            _run(code, namespace)
    except SystemExit as stop:
        status, exit_status = "system_exit", 0 if stop.code is None else stop.code if isinstance(stop.code, int) else 1
    except BaseException as error:
        kinds = {_C.OutOfMemoryError: "out_of_memory", _C.UnsupportedOp: "unsupported_op"}
        status = next((name for kind, name in kinds.items() if isinstance(error, kind)), "python_error")
        vramscope_packages.hint(error)
        exit_status, text = 1, vramscope_ending.text_of(error)
    _running = False
    sys.settrace(None)
    vramscope_packages.report()
    atexit._run_exitfuncs()
    return status, exit_status, text
