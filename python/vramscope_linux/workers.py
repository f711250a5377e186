"""Processes that answer others by pipes and queues: each pauses where it would wait, and goes on when somebody waits for it.

The text of such a process's function is compiled anew, with a pause at each `x.recv()` and each `x.get()`; all else in it is as it was.
"""

from __future__ import annotations

import ast
import builtins
import collections
import inspect
import sys
import textwrap
import traceback
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any, Self

_WAITS = {"recv", "get"}  # called with nothing: what gives something when another process has sent it
_NAME = "_vramscope_wait_for"
_living: list[Worker] = []
_running: list[Worker] = []
_moves = [0]  # how often something was sent or taken


def moved() -> None:
    """Something was sent, or taken."""
    _moves[0] += 1


def _here() -> Worker | None:
    """The process that runs; None is the program itself."""
    return _running[-1] if _running else None


class Connection:
    """One end of a pipe. Each process has its own of what it was handed: to close it closes it for that process alone."""

    def __init__(self) -> None:
        self._came: collections.deque = collections.deque()
        self._other: Connection | None = None
        self._closed_by: set = set()
        self._used_by: set = set()

    closed = property(lambda self: _here() in self._closed_by)

    def _use(self) -> None:
        if self.closed:
            raise OSError("handle is closed")
        self._used_by.add(_here())

    def send(self, obj: Any) -> None:
        self._use()
        moved()
        self._other._came.append(obj)

    def recv(self) -> Any:
        self._use()
        if not self._came:
            run_until(lambda: self._came)
        if not self._came:
            raise EOFError
        moved()
        return self._came.popleft()

    send_bytes, recv_bytes = send, recv

    def poll(self, timeout: float | None = 0.0) -> bool:
        if not self._came:
            run_until(lambda: self._came)
        return bool(self._came)

    def _waits(self) -> bool:
        """Whether something may still come: the other end is open where it was used, and in the program."""
        return not self._came and not self._other._closed_by >= {None, *self._other._used_by}

    def close(self) -> None:
        self._closed_by.add(_here())

    def fileno(self) -> int:
        return 3

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def pipe(duplex: bool = True) -> tuple[Connection, Connection]:
    """Two ends that send to each other."""
    one, other = Connection(), Connection()
    one._other, other._other = other, one
    return one, other


class Worker:
    """A process that is part of the way through its function."""

    def __init__(self, steps: Generator, name: str, ended: Callable[[], None]) -> None:
        self._steps, self._name, self._then = steps, name, ended
        self.exitcode: int | None = None
        _living.append(self)

    def step(self) -> None:
        """Runs it to where it waits, or to its end."""
        if self.exitcode is not None or self in _running:
            return
        _running.append(self)
        try:
            next(self._steps)
        except StopIteration:
            self.end(0)
        except SystemExit as stop:
            self.end(stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1)
        except Exception:
            print(f"Process {self._name}:", file=sys.stderr)
            traceback.print_exc()
            self.end(1)
        finally:
            _running.remove(self)

    def end(self, code: int) -> None:
        if self.exitcode is None:
            self.exitcode = code
            _living.remove(self)
            if self not in _running:
                self._steps.close()
            self._then()


def running() -> bool:
    return bool(_running)


def run_until(holds: Callable[[], Any]) -> None:
    """Runs processes in turn until something holds, or none of them gets any further."""
    before = None
    while not holds() and _living and before != (_moves[0], len(_living)):
        before = _moves[0], len(_living)
        for worker in list(_living):
            worker.step()
            if holds():
                return


def _wait_for(source: Any, method: str) -> Generator:
    """What stands for `source.recv()` and `source.get()` in a function that pauses."""
    waits = getattr(source, "_waits", None)
    while waits is not None and waits():
        yield
    return getattr(source, method)()


def pausing(function: Callable) -> Callable | None:
    """The function with pauses; None where it waits for nothing, or its text is not known."""
    plain = inspect.unwrap(getattr(function, "__func__", function))
    if not isinstance(plain, types.FunctionType) or not _WAITS & set(plain.__code__.co_names):
        return None
    if inspect.isgeneratorfunction(plain):
        return None
    try:
        lines, first = inspect.getsourcelines(plain)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError):
        return None
    made = _Pauses()
    body = tree.body[0]
    if not isinstance(body, ast.FunctionDef):
        return None
    body.decorator_list = []
    body.body = [made.visit(statement) for statement in body.body]
    if not made.found:
        return None
    ast.increment_lineno(tree, first - 1)
    outer = ast.parse(f"def around({', '.join(plain.__code__.co_freevars)}): pass")
    outer.body[0].body = [body]
    code = compile(ast.fix_missing_locations(outer), plain.__code__.co_filename, "exec", dont_inherit=True)
    code = _named(_named(code, "around"), plain.__name__)
    cells = dict(zip(plain.__code__.co_freevars, plain.__closure__ or ()))
    setattr(builtins, _NAME, _wait_for)
    pauses = types.FunctionType(
        code, plain.__globals__, plain.__name__, plain.__defaults__, tuple(cells[name] for name in code.co_freevars)
    )
    pauses.__kwdefaults__ = plain.__kwdefaults__
    owner = getattr(function, "__self__", None)
    return pauses if owner is None else types.MethodType(pauses, owner)


def _named(code, name):
    return next(part for part in code.co_consts if isinstance(part, types.CodeType) and part.co_name == name)


class _Pauses(ast.NodeTransformer):
    """Puts a pause at each place where something is waited for."""

    found = False

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in _WAITS or node.args or node.keywords:
            return node
        self.found = True
        asked = ast.Call(ast.Name(_NAME, ast.Load()), [node.func.value, ast.Constant(node.func.attr)], [])
        return ast.copy_location(ast.YieldFrom(asked), node)

    def _as_it_is(self, node: ast.AST) -> ast.AST:
        return node

    visit_FunctionDef = visit_Lambda = visit_ClassDef = visit_ListComp = visit_GeneratorExp = _as_it_is
    visit_SetComp = visit_DictComp = visit_AsyncFunctionDef = _as_it_is
