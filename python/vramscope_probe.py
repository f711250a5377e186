"""Runs one program again and again with other numbers in its source: what the host needs to find formulas.

A run must not see what the one before it left, so everything of ours that a program can change is put back.
"""

from __future__ import annotations

import ast
import builtins
import gc
import json
import os
import random
import sys
from typing import TYPE_CHECKING

import vramscope_boot
import vramscope_doors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


_OURS = "/lib/vramscope"


class _State:
    """Modules, their variables and their classes, and the files of the program, as they are before it runs."""

    def __init__(self, folders: Any) -> None:
        self._modules = dict(sys.modules)
        self._path = list(sys.path)
        self._streams = (sys.stdout, sys.stderr)
        self._random = random.getstate()
        self._where = os.getcwd()
        self._environment = dict(os.environ)
        self._folders = [*folders, "/tmp"]
        self._files = {path: _read(path) for path in self._list()}
        self._variables = []  # (a module's dictionary, a copy)
        self._contents = []  # (a list, dictionary or set that a module holds, a copy)
        self._classes = []  # (class, a copy of its dictionary)
        seen = {id(vars(module)) for module in self._modules.values() if hasattr(module, "__dict__")}
        for name, module in self._modules.items():
            file = getattr(module, "__file__", None) or ""
            if module is not builtins and not file.startswith(_OURS) or name == __name__:
                continue
            self._variables.append((vars(module), dict(vars(module))))
            for key, value in list(vars(module).items()):
                # __builtins__ is what everything here runs on
                if id(value) in seen or key.startswith("__"):
                    continue
                seen.add(id(value))
                if type(value) in (list, dict, set):
                    self._contents.append((value, value.copy()))
                elif isinstance(value, type) and value.__module__ == name and module is not builtins:
                    self._classes.append((value, dict(vars(value))))

    def _list(self):
        for folder in self._folders:
            for base, _, names in os.walk(folder):
                for name in names:
                    yield os.path.join(base, name)

    def restore(self) -> None:
        # what stands in the place of modules that lead out was put there later, and stays
        for name in [n for n in sys.modules if n not in self._modules and not vramscope_doors.leads_out(n)]:
            del sys.modules[name]
        sys.modules.update({n: m for n, m in self._modules.items() if not vramscope_doors.leads_out(n)})
        gc.collect()  # the tensors of the program go while the engine still knows them
        sys.path[:] = self._path
        sys.stdout, sys.stderr = self._streams
        random.setstate(self._random)
        for variables, copy in self._variables:
            for name in [n for n in variables if n not in copy]:
                del variables[name]
            variables.update(copy)
        for value, copy in self._contents:
            value.clear()
            if isinstance(value, list):
                value.extend(copy)
            else:
                value.update(copy)
        for kind, copy in self._classes:
            for name in [n for n in vars(kind) if n not in copy]:
                delattr(kind, name)
            for name, value in copy.items():
                if vars(kind).get(name) is not value:
                    setattr(kind, name, value)
        gc.collect()
        os.chdir(self._where)
        os.environ.clear()
        os.environ.update(self._environment)
        for path in list(self._list()):
            if path not in self._files:
                os.remove(path)
        for path, content in self._files.items():
            if _read(path) != content:
                _write(path, content)


_PROJECT = "/home/user"


def _read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def _write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


# --- numbers in the source --------------------------------------------------------------------------------------------

_ARITHMETIC = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
}


def _number(node):
    """The value of an integer literal, or of sums and products of such; None for anything else."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if isinstance(node, ast.BinOp):
        left, right = _number(node.left), _number(node.right)
        if left is None or right is None:
            return None
        if type(node.op) in _ARITHMETIC and not (isinstance(node.op, ast.FloorDiv) and right == 0):
            return _ARITHMETIC[type(node.op)](left, right)
        if isinstance(node.op, ast.Pow) and 0 <= right <= 64:
            return left**right
        if isinstance(node.op, ast.LShift) and 0 <= right <= 64:
            return left << right
    return None


def _names(target):
    """By which names a program could be meant to call what it assigns here."""
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, ast.Attribute):
        return [target.attr]
    if (
        isinstance(target, ast.Subscript)
        and isinstance(target.slice, ast.Constant)
        and isinstance(target.slice.value, str)
    ):
        return [target.slice.value]
    return []


class _Numbers(ast.NodeVisitor):
    """Collects integer literals that can be sizes, with the names that they are given to."""

    def __init__(self) -> None:
        self.found = []
        self._names_of = {}  # id(expression) -> names

    def _give(self, value, names):
        if value is not None and names:
            self._names_of.setdefault(id(value), []).extend(names)

    def _assign(self, target, value):
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
            if len(target.elts) == len(value.elts):
                for one, its in zip(target.elts, value.elts):
                    self._assign(one, its)
        else:
            self._give(value, _names(target))
            # dataclasses.field(default=8)
            for keyword in value.keywords if isinstance(value, ast.Call) else ():
                if keyword.arg == "default":
                    self._give(keyword.value, _names(target))

    def visit(self, node: ast.AST) -> None:
        value = _number(node)
        if value is not None:
            self.found.append((node, value, self._names_of.get(id(node), [])))
        elif isinstance(node, ast.UnaryOp) and _number(node.operand) is not None:
            pass  # -1 is no size
        else:
            super().visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._assign(target, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign(node.target, node.value)
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._assign(node.target, node.value)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)  # an index is no size

    def visit_arguments(self, node: Any) -> None:
        positional = [*node.posonlyargs, *node.args]
        for argument, default in zip(positional[len(positional) - len(node.defaults) :], node.defaults):
            self._give(default, [argument.arg])
        for argument, default in zip(node.kwonlyargs, node.kw_defaults):
            self._give(default, [argument.arg])
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        options = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        for keyword in node.keywords:
            self._give(keyword.value, [keyword.arg] if keyword.arg else [])
            if keyword.arg == "default":
                self._give(keyword.value, [o.lstrip("-").replace("-", "_") for o in options])
            if keyword.arg == "dest" and isinstance(keyword.value, ast.Constant):
                for other in node.keywords:
                    if other.arg == "default":
                        self._give(other.value, [keyword.value.value])
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                self._give(value, [key.value])
        self.generic_visit(node)


class _Notes(ast.NodeTransformer):
    """Makes a program tell which values it gives to certain names."""

    def __init__(self, names: Sequence[str]) -> None:
        self._wanted = names

    def _note(self, name, value):
        call = ast.Call(ast.Name("__vramscope_note__", ast.Load()), [ast.Constant(name), value], [])
        return ast.Expr(call)

    def _notes(self, targets):
        for target in targets:
            for node in ast.walk(target):
                for name in _names(node):
                    if name in self._wanted:
                        loaded = ast.parse(ast.unparse(node), mode="eval").body
                        yield self._note(name, loaded)

    def _after(self, node, targets):
        self.generic_visit(node)
        return [node, *self._notes(targets)]

    def visit_Assign(self, node: ast.Assign) -> list:
        return self._after(node, node.targets)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        return self._after(node, [node.target]) if node.value is not None else node

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        node.body[:0] = self._notes([node.target])
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.generic_visit(node)
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        node.body[:0] = self._notes([ast.Name(a.arg, ast.Load()) for a in arguments])
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        for keyword in node.keywords:
            if keyword.arg in self._wanted:
                keyword.value = self._note(keyword.arg, keyword.value).value
        return node


# --- orders of the host -----------------------------------------------------------------------------------------------


def prepare(engine: Any, request: Any) -> Any:
    """A function that carries out orders: JSON in, JSON out."""
    r = json.loads(request)
    script = r["script"]
    # what a program writes over host files, the host's side forgets
    state = _State([] if r["mounts"] else [r["workingDirectory"]])
    main = r["source"].encode()
    files = []  # the script and the modules of its project that the last run imported

    def text_of(file):
        return main if file == script else _read(file)

    def note_files():
        folder = _PROJECT + "/"
        loaded = {getattr(m, "__file__", None) or "" for m in list(sys.modules.values())} - {r["scriptPath"]}
        files[:] = [script, *sorted(f for f in loaded if f.startswith(folder) and f.endswith(".py"))]

    def run(changes, argv, notes=None):
        """Runs the program with pieces of its text replaced: {file: [[line, column, end column, text]]}."""
        source = main
        for file, edits in changes.items():
            lines = text_of(file).splitlines(True)
            for line, column, end, text in sorted(edits, reverse=True):
                lines[line - 1] = lines[line - 1][:column] + text.encode() + lines[line - 1][end:]
            if file == script:
                source = b"".join(lines)
            else:
                _write(file, b"".join(lines))
        source = source.decode()
        if notes is not None:
            tree = _Notes(set(notes)).visit(ast.parse(source, script))
            source = ast.unparse(ast.fix_missing_locations(tree))
            builtins.__vramscope_note__ = lambda name, value: (
                notes[name].add(value) if type(value) is int else None,
                value,
            )[1]
        where = {
            "search_path": r["searchPath"],
            "script_path": r["scriptPath"],
            "packages": r["packages"],
            "module": r["module"],
        }
        result = vramscope_boot.run(engine, script, source, argv, r["env"], r["release"], **where)
        note_files()
        return result

    def program(text):
        """From now on another program is run."""
        nonlocal main
        main = text.encode()

    def more(text):
        """Runs further lines behind the last run."""
        return vramscope_boot.go_on(script, text)

    def numbers():
        """[file, line, column, end column, value, names] of each number; columns in bytes."""
        found = []
        for file in files:
            visitor = _Numbers()
            try:
                visitor.visit(ast.parse(text_of(file)))
            except SyntaxError:
                continue
            for node, value, names in visitor.found:
                if node.lineno == node.end_lineno and 0 < value < 2**31:
                    found.append([file, node.lineno, node.col_offset, node.end_col_offset, value, names])
        return found

    def observe(names, argv):
        """The integers that the program gives to these names."""
        notes = {name: set() for name in names}
        run({}, argv, notes)
        return {name: sorted(values) for name, values in notes.items()}

    orders = {
        "run": run,
        "program": program,
        "more": more,
        "numbers": numbers,
        "observe": observe,
        "restore": state.restore,
    }

    def order(text):
        name, *arguments = json.loads(text)
        return json.dumps(orders[name](*arguments))

    return order
