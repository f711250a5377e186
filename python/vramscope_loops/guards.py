"""The branches of a loop's body that only some passes take, and the pass at which a counter opens one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from . import filling, joining, placing, stepping, storing, unbound

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType
    from typing import Any


FURTHEST = 200_000
# what holds a program's options: argparse, absl, OmegaConf and their like
_SETTINGS = ("Namespace", "SimpleNamespace", "FlagValues", "DictConfig")
_PLAIN = (
    ast.Expression, ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.Load,
    ast.operator, ast.boolop, ast.cmpop, ast.unaryop, ast.Subscript, ast.Tuple,
)  # fmt: skip


class Guard:
    """A branch: its test, those around it, the lines within, and whether an optimizer's step seems to be among them."""

    def __init__(self, test: Any, body: Any, wanted: Any, around: Any) -> None:
        self.test, self.wanted, self.around = test, wanted, around
        self.lines = sorted({node.lineno for node in _nodes(body) if isinstance(node, ast.stmt)})
        self.steps = stepping.steps(_nodes(body))
        self.tried = False
        self.turns = False


class Question(Guard):
    """A comparison outside of any branch's test, such as `step == last`: what it says reaches what the pass calls."""

    def __init__(self, test: Any, around: Any) -> None:
        super().__init__(test, (), True, around)
        self.lines = [test.lineno]
        self.turns = True


class Guards:
    """What a loop's body says about its passes."""

    def __init__(self, loop: Any) -> None:
        body = loop.body
        statements = [node for node in _nodes(body) if isinstance(node, ast.stmt)]
        self.lines = sorted({_first_line(node) for node in statements})
        fills = filling.fills_in(_nodes(body))
        self.collects = bool(fills)
        self.filled = filling.Filled(fills)
        self.stored = storing.Stored(_nodes(body))
        self.placed = placing.Placed(_nodes(body))
        self.joined = joining.Joined(_nodes(body))
        self.bound = unbound.Bound(_nodes(body))
        self._test = getattr(loop, "test", None)
        self._target = _names(loop.target) if isinstance(loop, ast.For) else []
        self._counters = [node for node in statements if _is_count(node)]
        self._assigned = {_root(node) for node in _nodes(body) if isinstance(getattr(node, "ctx", None), ast.Store)}
        self._written = {
            ast.unparse(node)
            for node in _nodes(body)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        }
        self._derived = [
            node for node in body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_plain(node.value)
        ]  # fmt: skip
        self._guards = []
        self._questions = []
        self._exits = []  # branches that end the loop
        counted = [node.target.id for node in self._counters]
        self._known = {*self._target, *counted, *(node.targets[0].id for node in self._derived)}
        self._collect(body, ())

    def _collect(self, statements, around):
        """`around`: (test, whether it must hold) of each branch that encloses the statements."""
        for node in statements:
            if isinstance(node, ast.If):
                for inner, wanted in ((node.body, True), (node.orelse, False)):
                    if inner:
                        guard = Guard(node.test, inner, wanted, around)
                        self._guards.append(guard)
                        if any(isinstance(one, (ast.Break, ast.Return)) for one in inner):
                            self._exits.append(guard)
                        self._collect(inner, (*around, (node.test, wanted)))
            elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                if not hasattr(node, "body"):
                    self._questions += [Question(test, around) for test in ast.walk(node) if self._asks(test)]
                for part in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                    for field in ("body", "orelse", "finalbody"):
                        self._collect(getattr(part, field, None) or (), around)

    def _asks(self, test):
        """A comparison with what counts the passes."""
        return isinstance(test, ast.Compare) and not self._known.isdisjoint(
            node.id for node in ast.walk(test) if isinstance(node, ast.Name)
        )

    def waiting(self, unrun: Any) -> list:
        """Branches of which nothing has run, and comparisons that did."""
        unrun = set(unrun)
        guards = [guard for guard in self._guards if guard.lines and guard.lines[0] in unrun]
        return guards + [question for question in self._questions if question.lines[0] not in unrun]

    def may_open(self, guard: Guard, frame: Any) -> bool:
        """Whether a later pass may take the branch: its test is of more than settings that nothing in the loop assigns."""
        if not _is_plain(guard.test):
            return True
        scope, held = _Scope(frame), set()
        for node in ast.walk(guard.test):
            if (
                isinstance(node, ast.Attribute)
                and ast.unparse(node) not in self._written
                and _is_setting(node.value, scope)
            ):
                held |= {id(part) for part in ast.walk(node)}  # as in self.args.use_amp
            if _asks_for_none(node) and node.left.id not in self._assigned and frame.f_locals is not frame.f_globals:
                if node.left.id in frame.f_locals:
                    held.add(id(node.left))  # what an object becomes makes it no other
        for node in ast.walk(guard.test):
            if isinstance(node, ast.Name):
                own = frame.f_locals is not frame.f_globals and node.id in frame.f_locals
                value = scope.get(node.id)
                fixed = own and isinstance(value, (int, float, str, type(None)))
                changes = node.id in self._assigned or not (fixed or type(value).__name__ in _SETTINGS)
                if changes and id(node) not in held:
                    return True
        return False

    def passes_until(self, guard: Any, frame: int, most: Any) -> Any:
        """How many passes to skip so that the next one takes the branch, or None when no counter decides it."""
        if not _is_plain(guard.test):
            return None
        names = {node.id for node in ast.walk(guard.test) if isinstance(node, ast.Name)}
        scope = _Scope(frame)
        counters = []
        line = guard.test.lineno
        for name in self._target:
            if type(scope.get(name)) is int:
                counters.append((name, 1, 1))
                break
        for node in self._counters:
            step = _step_of(node, scope)
            if step:
                counters.append((node.target.id, step, step if node.lineno < line else 0))
        derived = [(node.targets[0].id, node.value) for node in self._derived if node.lineno < line]
        known = {name for name, *_ in counters} | {name for name, _ in derived}
        if not counters or not names & known:
            return None
        tests = [(guard.test, guard.wanted)]
        for test, wanted in guard.around:
            if _is_plain(test) and known & {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}:
                tests.append((test, wanted))
        derived = _needed(derived, tests)
        begun = [(name, scope.get(name) + ahead * step, step) for name, step, ahead in counters]
        try:
            found = _first(begun, derived, tests, scope, min(most, FURTHEST))
            if found == 0 and guard.turns:
                found = _first(begun, derived, [(guard.test, False), *tests[1:]], scope, min(most, FURTHEST))
            return found
        except Exception:
            return None

    def passes_left(self, frame: FrameType, total: int, done: int) -> int | None:
        """How many passes there are still to be, where the loop's length, or a counter in its test or in a branch that ends it, says so."""
        left = [total - done] if total >= 0 else []
        ends = [(Guard(self._test, (), False, ()), 0)] if self._test is not None else []
        for guard, own in ends + [(guard, 1) for guard in self._exits]:
            ahead = self.passes_until(guard, frame, left[0] if left else FURTHEST)
            if ahead is not None:
                left.append(ahead + own)
        return min(left, default=None)

    def advance(self, frame: int, passes: Any) -> None:
        """Counters of the body as they would be after `passes` more passes."""
        scope = _Scope(frame)
        for node in self._counters:
            step = _step_of(node, scope)
            if step:
                scope.write(node.target.id, scope.get(node.target.id) + passes * step)


class _Scope:
    """The names of a running frame."""

    def __init__(self, frame: int) -> None:
        self._frame = frame
        self.globals = frame.f_globals

    def get(self, name: str) -> Any:
        for names in (self._frame.f_locals, self._frame.f_globals):
            if name in names:
                return names[name]
        return None

    def write(self, name: str, value: Any) -> None:
        (self._frame.f_locals if name in self._frame.f_locals else self._frame.f_globals)[name] = value


def _first(counters, derived, tests, scope, most):
    """The first of `most` passes in which the tests come out as wanted, or None.

    The search is a function made of the program's own expressions: some hundred thousand passes are tried, and names of
    a function are found much faster than those of a running frame.
    """
    own = {name for name, *_ in counters} | {name for name, _ in derived}
    read = {node.id for part in (*derived, *tests) for one in part if isinstance(one, ast.AST)
            for node in ast.walk(one) if isinstance(node, ast.Name)}  # fmt: skip
    bindings = {name: scope.get(name) for name in read - own if scope.get(name) is not None}
    lines = [f"def _search({', '.join(bindings)}):", f"    for _skipped in range({most}):"]
    lines += [f"        {name} = {start} + {step} * _skipped" for name, start, step in counters]
    lines += [f"        {name} = {ast.unparse(value)}" for name, value in derived]
    wanted = " and ".join(f"{'' if wanted else 'not '}({ast.unparse(test)})" for test, wanted in tests)
    lines += [f"        if {wanted}:", "            return _skipped"]
    names = {}
    exec(compile("\n".join(lines), "<vramscope>", "exec"), scope.globals, names)
    return names["_search"](**bindings)


def _needed(derived, tests):
    """What the tests say something of: all else that a pass works out, such as a batch, is not worked out for passes that are searched."""
    names = {node.id for test, _ in tests for node in ast.walk(test) if isinstance(node, ast.Name)}
    found = []
    for name, value in reversed(derived):
        if name in names:
            found.append((name, value))
            names |= {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    return found[::-1]


def _is_setting(node, scope):
    """Whether a name, or an attribute of an attribute, is an object of parsed options."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    value = scope.get(node.id) if isinstance(node, ast.Name) else None
    for name in reversed(parts):
        value = getattr(value, "__dict__", {}).get(name)
    return type(value).__name__ in _SETTINGS


def _root(node):
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return getattr(node, "id", None)


def _step_of(node, scope):
    """What a pass adds to a counter; 0 for one that is no whole number, or has no value yet because its branch has not run."""
    if type(scope.get(node.target.id)) is not int:
        return 0
    step = node.value.value if isinstance(node.value, ast.Constant) else scope.get(getattr(node.value, "id", ""))
    return (step if isinstance(node.op, ast.Add) else -step) if type(step) is int else 0


def _asks_for_none(node):
    """Whether it compares a name with None by `is`."""
    return (
        isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Name)
        and isinstance(node.ops[0], (ast.Is, ast.IsNot))
        and [getattr(one, "value", node) for one in node.comparators] == [None]
    )


def _is_plain(expression):
    return all(isinstance(node, _PLAIN) for node in ast.walk(expression))


def _is_count(node):
    return (
        isinstance(node, ast.AugAssign)
        and isinstance(node.op, (ast.Add, ast.Sub))
        and isinstance(node.target, ast.Name)
        and isinstance(node.value, (ast.Constant, ast.Name))
    )


def _names(target):
    if isinstance(target, ast.Name):
        return [target.id]
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    return [part.id for part in parts if isinstance(part, ast.Name)]


def _first_line(node):
    """The line that runs first of a statement: a decorated function's is its first decorator."""
    decorators = getattr(node, "decorator_list", ())
    return min([node.lineno, *(d.lineno for d in decorators)])


def _nodes(statements):
    from .rewrite import own_nodes

    return list(own_nodes(statements))


def ranges(lines: Sequence[str]) -> list:
    """Lines in few words: 3, 5-8."""
    runs = []
    for line in lines:
        if runs and line == runs[-1][1] + 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    return [str(a) if a == b else f"{a}-{b}" for a, b in runs]


def loop_of(text: str, line: int) -> ast.For | ast.While:
    """The syntax tree of a loop from its own lines, of which the first is number `line`."""
    is_inner = text[0] in " \t"
    tree = compile(f"if 1:\n{text}" if is_inner else text, "<loop>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    loop = tree.body[0].body[0] if is_inner else tree.body[0]
    return ast.increment_lineno(loop, line - loop.lineno)


def skip(items: Any, passes: Any) -> Any:
    """An iterator that goes on `passes` items further, or None for one that cannot without doing the work."""
    if passes == 0:
        return items
    own = getattr(items, "_skip_passes", None)
    if own is not None:
        return items if own(passes) else None
    kind = type(items)
    if kind is enumerate:
        inner, count = items.__reduce__()[1]
        inner = skip(inner, passes)
        return None if inner is None else enumerate(inner, count + passes)
    if kind is zip:
        parts = [skip(part, passes) for part in items.__reduce__()[1]]
        return None if None in parts else zip(*parts)
    if kind in (type(iter(range(0))), type(iter([])), type(iter(()))):
        function, arguments, *state = items.__reduce__()
        done = state[0] if state and state[0] else 0
        items.__setstate__(done + passes)
        return items
    return None
