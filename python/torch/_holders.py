"""Who holds a tensor: a walk over Python's objects from every place where a reference can begin, which remembers the way.

It runs in the middle of an engine call, when the engine asks for it. Nothing here may free a tensor or call the engine.
A step is a list: a kind and what it needs, in `_holder_steps`. What starts a way is a root, in `walk`.
"""

from __future__ import annotations

import collections
import gc
import json
import sys
import types
from typing import TYPE_CHECKING

from . import _C, _frames, _raising
from ._holder_steps import PLAIN, locals_of, steps_from
from ._tensor import Tensor
from .autograd.graph import Node

if TYPE_CHECKING:
    from typing import Any


_MOST_WAYS = 6  # per tensor
_MOST_LOST = 50_000  # objects among which cycles are looked for


def _is_user(code):
    return _frames._kind(code) in (_frames._USER, _frames._MAIN)


class _Walk:
    """Breadth first, so that the shortest way to each object comes first."""

    def __init__(self) -> None:
        self.seen = {}  # id -> object, which keeps ids valid
        self.ways = {}  # handle -> [way]
        self.nodes = {}  # number of a graph node -> way

    def skip(self, *objects: Any) -> None:
        for obj in objects:
            self.seen[id(obj)] = obj

    def run(self, starts: Any) -> None:
        """Follows `starts`, pairs of a way and an object; a way is (way before or None, step)."""
        queue = collections.deque(starts)
        while queue:
            way, obj = queue.popleft()
            kind = type(obj)
            if issubclass(kind, Tensor):
                handle = obj._h
                known = self.ways.setdefault(handle, [])
                if len(known) < _MOST_WAYS:
                    known.append(way)
            elif issubclass(kind, Node):
                self.nodes.setdefault(obj._id, way)
                continue
            elif issubclass(kind, type):
                if not _is_user_class(obj):
                    continue
            elif issubclass(kind, PLAIN):
                continue
            if id(obj) in self.seen:
                continue
            self.seen[id(obj)] = obj
            for step, value in _class_attributes(obj) if issubclass(kind, type) else steps_from(obj):
                if type(value) not in _ATOMS:
                    queue.append(((way, step), value))


_ATOMS = frozenset((int, float, complex, str, bytes, bool, type(None)))


def _is_user_class(cls):
    module = sys.modules.get(cls.__module__)
    return module is not None and _is_user_module(module)


def _class_attributes(cls):
    for name, value in vars(cls).items():
        if name not in ("__dict__", "__weakref__"):
            yield ["attribute", name], value


def _is_user_module(module):
    if module.__name__ == "__main__":
        return True
    file = getattr(module, "__file__", None)
    return file is not None and not file.startswith(_frames._PLACES)


def _unfolded(ways):
    """Ways as lists, those that say most first: as a dictionary's key, a tensor is held beside the point."""
    return sorted(map(_unfold, ways), key=lambda steps: ["key_itself"] in steps)


def _unfold(way):
    """A way as [root, step, step, ...]."""
    steps = []
    while way is not None:
        way, step = way
        steps.append(step)
    steps.reverse()
    return steps


def _internal(step):
    """A local variable of a function that the program does not know: torch's own."""
    _, name, function, file, line = step
    return ["internal", name, function, file.removeprefix("/lib/vramscope/"), line]


def _frame_starts(frame, own):
    """Starts at the local variables of the running functions, the innermost first; globals of a module are another kind."""
    while frame is not None:
        code = frame.f_code
        if _frames._kind(code) == _frames._BELOW:
            break
        user = _is_user(code)
        if user == own and frame.f_locals is not frame.f_globals and code.co_name != "<module>":
            for step, value in locals_of(frame):
                if code.co_filename == "<vramscope ops>":
                    step = ["argument", step[1], code.co_name]
                yield (None, step if own or step[0] == "argument" else _internal(step)), value
        frame = frame.f_back


def _global_starts(user):
    for name, module in list(sys.modules.items()):
        if not isinstance(module, types.ModuleType) or module is sys.modules.get(__name__) or module is _C:
            continue
        if _is_user_module(module) != user:
            continue
        for key, value in list(vars(module).items()):
            if user and key == "__builtins__":
                continue
            yield (None, ["global", key, getattr(module, "__file__", name) or name, name]), value


def walk() -> Any:
    """JSON of every way to a tensor or graph node, from roots and from the objects that the engine keeps by number."""
    collecting = gc.isenabled()
    gc.disable()
    w = _Walk()
    try:
        return json.dumps(_walk(w, sys._getframe(1)))
    finally:
        w.seen.clear()  # it has seen itself: without this, everything would live on until the collector comes
        if collecting:
            gc.enable()


def _walk(w, frame):
    w.skip(
        _C._live,
        _C._objects,
        _frames._frames,
        _frames._kept,
        _frames._kinds,
        _frames._nearest,
        vars(_C),
        vars(_raising),
        *map(vars, _C._PARTS),
        frame,
        sys._getframe(),
        w,
        w.seen,
        w.ways,
        w.nodes,
        sys.modules,
    )
    user_frame = frame.f_back
    w.run([*_frame_starts(user_frame, True), *_global_starts(True)])
    handled = sys.exception()
    if handled is not None:
        w.run([((None, ["exception", type(handled).__name__]), handled)])
    objects = _of_objects(w)
    w.run(_frame_starts(user_frame, False))
    if _missing(w, objects["found"]):
        w.run(_global_starts(False))
    _lost(w, _missing(w, objects["found"]), user_frame)
    return {
        "tensors": [[h, _unfolded(ways)] for h, ways in w.ways.items()],
        "nodes": [[n, _unfold(way)] for n, way in w.nodes.items()],
        "objects": objects["rows"],
    }


def _missing(w, found):
    """Tensors to which no way is known yet."""
    living = [(handle, known()) for handle, known in list(_C._live.items())]
    return [t for handle, t in living if t is not None and handle not in w.ways and handle not in found]


def _of_objects(w):
    """What hooks, contexts and packed tensors hold: the engine keeps them, not a variable."""
    rows, found = [], set()
    for number, obj in list(_C._objects.items()):
        inner = _Walk()
        inner.seen = dict(w.seen)
        name = getattr(obj, "__qualname__", type(obj).__name__)
        inner.run([((None, ["object", name]), obj)])
        inner.seen.clear()
        found.update(inner.ways)
        tensors = [[h, _unfolded(ways)] for h, ways in inner.ways.items()]
        nodes = [[n, _unfold(way)] for n, way in inner.nodes.items()]
        if tensors or nodes:
            rows.append([number, tensors, nodes])
    return {"rows": rows, "found": found}


def _lost(w, tensors, frame):
    """Tensors to which no variable leads: in a reference cycle, or a value in the middle of an expression."""
    if not tensors:
        return
    w.skip(tensors, sys._getframe())
    while frame is not None:
        w.skip(frame)
        frame = frame.f_back
    lost = {id(o): o for o in gc.get_objects() if id(o) not in w.seen and not issubclass(type(o), (Node, *PLAIN))}
    holders = {}  # id of an object -> [(holder, step)]
    if len(lost) <= _MOST_LOST:
        for obj in list(lost.values()):
            for step, value in steps_from(obj):
                if id(value) in lost and type(value) not in _ATOMS:
                    holders.setdefault(id(value), []).append((obj, step))
    for t in tensors:
        w.ways.setdefault(t._h, []).append(_way_from_cycle(t, holders))


def _way_from_cycle(target, holders):
    """From the nearest object that leads back to itself, else from the outermost one that an expression holds."""
    before = {id(target): None}  # id -> way from that object down to the target, as nested (step, rest)
    queue = collections.deque([target])
    last = target
    while queue:
        obj = queue.popleft()
        last = obj
        if _leads_to_itself(obj, holders):
            return _downwards((None, ["cycle", type(obj).__name__]), before[id(obj)])
        for holder, step in holders.get(id(obj), ()):
            if id(holder) not in before:
                before[id(holder)] = (step, before[id(obj)])
                queue.append(holder)
    return _downwards((None, ["expression", type(last).__name__]), before[id(last)])


def _leads_to_itself(obj, holders):
    seen = set()
    stack = [obj]
    while stack:
        for holder, _ in holders.get(id(stack.pop()), ()):
            if holder is obj:
                return True
            if id(holder) not in seen:
                seen.add(id(holder))
                stack.append(holder)
    return False


def _downwards(way, rest):
    while rest is not None:
        step, rest = rest
        way = (way, step)
    return way
