"""Modules that few programs import: kept as packed code and run when asked for, so that the frozen interpreter stays small."""

import importlib.machinery
import importlib.util
import marshal
import os
import pkgutil
import sys
import zlib

# Packages and modules, with all that is below them.
SHELVED = """torch.distributions torch.masked torch.futures torch.utils.model_zoo torch._utils torch.library torch.onnx
torch._dynamo.eval_frame torch._dynamo.external_utils torch._dynamo.decorators torch._dynamo.config
torch._dynamo._trace_wrapped_higher_order_op torch.jit.annotations""".split()

_shelf = {}  # name -> (whether it is a package, its packed code)


def is_shelved(name):
    return any(name == top or name.startswith(top + ".") for top in SHELVED)


def modules_to_import(root):
    """All modules of the stand-ins that are not shelved; walking imports none."""

    def walk(path, prefix):
        for module in pkgutil.iter_modules([path], prefix):
            if is_shelved(module.name):
                continue
            yield module
            if module.ispkg:
                yield from walk(f"{path}/{module.name.rpartition('.')[2]}", module.name + ".")

    return walk(root, "")


def put(root):
    """Compiles everything that is shelved below the folder of the stand-ins."""
    for top in SHELVED:
        path = os.path.join(root, *top.split("."))
        if os.path.isdir(path):
            for folder, _, files in os.walk(path):
                for file in files:
                    if file.endswith(".py"):
                        _put_file(os.path.join(folder, file), root)
        else:
            _put_file(path + ".py", root)
    if Finder not in sys.meta_path:
        sys.meta_path.append(Finder)


def _put_file(path, root):
    name = os.path.relpath(path, root).removesuffix(".py").replace(os.sep, ".")
    package = name.endswith(".__init__")
    name = name.removesuffix(".__init__")
    with open(path) as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    _shelf[name] = (package, zlib.compress(marshal.dumps(code), 6))


class Finder:
    """Finds shelved modules after whatever lies on sys.path, so that a person's own package of the name wins."""

    @staticmethod
    def find_spec(fullname, path=None, target=None):
        found = _shelf.get(fullname)
        if found is None:
            return None
        spec = importlib.machinery.ModuleSpec(fullname, Finder, is_package=found[0])
        spec.origin = f"/lib/vramscope/{fullname.replace('.', '/')}" + ("/__init__.py" if found[0] else ".py")
        spec.has_location = True
        return spec

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        exec(marshal.loads(zlib.decompress(_shelf[module.__name__][1])), module.__dict__)
        if module.__name__.startswith("torch."):
            from torch import _shells

            _shells.complete(module)
