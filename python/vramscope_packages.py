"""Which packages a program gets: the installed ones where they can run here, ours where they cannot or where none is installed."""

from __future__ import annotations

import functools
import importlib
import importlib.machinery
import importlib.metadata
import importlib.util
import os
import re
import sys
from typing import TYPE_CHECKING

import vramscope_bounds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


# Stand-ins for packages that are pure Python: short forms, which yield to the package itself where it is installed.
SHORT_FORMS = (
    "transformers", "peft", "accelerate", "einops", "tqdm", "torchviz", "einx", "fire", "six", "torchsummary",
    "torch_einops_utils", "lion_pytorch", "deepspeed", "torchao", "absl", "distutils", "pkg_resources",
    "packaging", "yacs", "ml_collections", "huggingface_hub", "ema_pytorch", "inflect", "configargparse", "munch",
    "click", "networkx",
)  # fmt: skip
INSTALLED = ("/site-packages/", "/python-path/")
ROOT = "/lib/vramscope/"
_COMPILED_ENDINGS = (".so", ".pyd", ".dylib")


def choose(search_path: str, which: str) -> None:
    """Lets installed packages take the place of short forms; `which` is auto, real or built-in."""
    folders = [folder for folder in search_path if f"{folder}/".startswith(INSTALLED)]
    if Compiled not in sys.meta_path:
        sys.meta_path.append(Compiled)
        sys.meta_path.append(OurVersions)
    if Accompanied not in sys.meta_path:
        sys.meta_path.insert(0, Accompanied)
    if importlib.util.find_spec.__module__ != __name__:
        importlib.util.find_spec = _found_by(importlib.util.find_spec)
    vramscope_bounds.bound()
    # without a word about it, ours win over the installed ones of the same name: they are imported already
    for name in SHORT_FORMS if which != "built-in" else ():
        if which == "real" or any(_holds(folder, name) for folder in folders):
            if name not in sys.modules or is_ours(sys.modules[name]):
                forget(name)
    for folder in folders:
        # what the frozen interpreter knows of a folder may be old
        sys.path_importer_cache.pop(folder, None)
    if any(_holds(folder, "huggingface_hub") for folder in folders):
        import vramscope_hub

        vramscope_hub.watch()


# Stand-ins that have a part of their package: another package that finds one would take the rest of it.
_IN_PART = ("fairscale",)


def _found_by(find):
    def find_spec(name: str, package: str | None = None) -> Any:
        return None if name in _IN_PART and not _asked_by_program() else find(name, package)

    return find_spec


def is_ours(module: Any) -> bool:
    return (getattr(module, "__file__", None) or "").startswith(ROOT)


def _holds(folder, name):
    return os.path.exists(f"{folder}/{name}/__init__.py") or os.path.exists(f"{folder}/{name}.py")


def forget(name: str) -> None:
    """Takes a stand-in out of what is imported, with all that is below it."""
    for module in [m for m in sys.modules if m == name or m.startswith(name + ".")]:
        del sys.modules[module]
    sys.modules["vramscope_shelf"].forget(name)


# Whose packages they are on GitHub: some programs tell a package from another of the same name by it.
_OWNERS = dict.fromkeys(("accelerate", "datasets", "diffusers", "peft", "transformers"), "huggingface")


class _Known(importlib.metadata.Distribution):
    """What a program is told of a package that something here stands in for."""

    def __init__(self, name: str, version: str) -> None:
        owner = _OWNERS.get(name)
        page = "" if owner is None else f"Home-page: https://github.com/{owner}/{name}\n"
        self._text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{page}"

    def read_text(self, filename: str) -> Any:
        return self._text if filename == "METADATA" else None

    def locate_file(self, path: str) -> Any:
        return ROOT + str(path)


# Packages that others may find installed, too: nothing is decided by them but whether a checkpoint that needs them can be loaded, or
# data of their kind are known as such.
_SHOWN_TO_ALL = ("tensorboard", "gptqmodel", "optimum", "datasets")
_ASKED_BY_PROGRAMS = ("/lib/", "/site-packages/", "<frozen")


class OurVersions:
    """Versions of stand-ins for programs that print them; installed packages decide by what is really installed."""

    @staticmethod
    def find_spec(fullname: Any, path: str | None = None, target: Any = None) -> None:
        return None

    @staticmethod
    def find_distributions(context: Any) -> Iterator[Any]:
        name = (context.name or "").replace("-", "_").lower()
        by_program = _asked_by_program()
        if not name or not (name in _SHOWN_TO_ALL or by_program or _is_required(name)):
            return
        module = sys.modules.get(name)
        if module is None and (name in _SHOWN_TO_ALL or _is_required(name) or by_program and _is_of_project(name)):
            try:
                module = importlib.import_module(name)
            except ImportError:
                # what is compiled and has no stand-in is not there, whoever requires it
                return
        file = getattr(module, "__file__", None) or ""
        version = getattr(module, "__version__", None)
        if file.startswith(ROOT) and isinstance(version, str):
            yield _Known(context.name, version)
        elif module is not None and not file:
            yield _Known(context.name, "0")


_BETWEEN = ("/lib/python", "<frozen", ROOT)


def _asker(passed=_BETWEEN):
    """The file that asks for a version: that of the first frame from here outwards that lies in none of these places."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(passed):
        frame = frame.f_back
    return "" if frame is None else frame.f_code.co_filename


def _asked_by_program():
    """Whether the program asks, by itself or by a package's function that asks for it, as transformers' require_version does."""
    asker = _asker()
    if asker.startswith(INSTALLED):
        # a module that asks while it is imported asks for itself
        asker = _asker(("/lib/python", ROOT, asker))
    return asker != "" and not asker.startswith(_ASKED_BY_PROGRAMS)


def _is_required(name):
    """Whether an installed package asks for one that it cannot be without: who has installed the first has the other, too.
    Of one that does not say what it needs, what is imported already counts; so does what it can be installed with."""
    needed = _requirements(_asker())
    if name in needed or name not in sys.modules:
        return name in needed
    return not needed or (name not in SHORT_FORMS and name in _extras(_asker()))


def _is_of_project(name):
    """Whether the program's project says that it cannot be without a package."""
    import vramscope_requirements

    return name in vramscope_requirements.names()


def _package_of(file):
    """The folder of installed packages that a file lies in, and its package there."""
    folder = next((f for f in sys.path if f"{f}/".startswith(INSTALLED) and file.startswith(f"{f}/")), None)
    return folder, [] if folder is None else [file[len(folder) + 1 :].partition("/")[0].removesuffix(".py")]


def _wanted(name, folder, is_extra):
    """What an installed package names as its requirements, or those of its extras."""
    context = importlib.metadata.DistributionFinder.Context(name=name, path=[folder])
    installed = next(iter(importlib.metadata.MetadataPathFinder.find_distributions(context)), None)
    lines = (installed and installed.requires) or ()
    chosen = (line for line in lines if ("extra" in line.partition(";")[2]) is is_extra)
    return {re.match(r"[\w.-]+", line).group().replace("-", "_").lower() for line in chosen}


@functools.cache
def _requirements(file):
    """What the package that a file belongs to cannot be without, what those need among them."""
    folder, waiting = _package_of(file)
    found = set()
    while waiting:
        names = _wanted(waiting.pop(), folder, is_extra=False)
        waiting += names - found
        found |= names
    return found


@functools.cache
def _extras(file):
    """What the package that a file belongs to can be installed with, `sentence-transformers[train]`."""
    folder, names = _package_of(file)
    return {wanted for name in names for wanted in _wanted(name, folder, is_extra=True)}


# Parts of small packages that the libraries we stand in for import, so that programs name them without an import of their own.
_PARTS = {"packaging": ("version",)}


class Accompanied:
    """Imports such parts behind their package."""

    @staticmethod
    def find_spec(fullname: str, path: str | None = None, target: Any = None) -> Any:
        spec = importlib.machinery.PathFinder.find_spec(fullname) if fullname in _PARTS and path is None else None
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def exec_module(module: Any) -> None:
                run(module)
                for part in _PARTS[fullname]:
                    importlib.import_module(f"{fullname}.{part}")

            spec.loader.exec_module = exec_module
        return spec


class Compiled:
    """Says of modules that cannot run here why: the last finder that is asked."""

    @staticmethod
    def find_spec(fullname: str, path: str | None = None, target: Any = None) -> None:
        name = fullname.rpartition(".")[2]
        for folder in path if path is not None else sys.path:
            if not f"{folder}/".startswith(INSTALLED):
                continue
            try:
                names = os.listdir(folder)
            except OSError:
                continue
            if any(n.partition(".")[0] == name and n.endswith(_COMPILED_ENDINGS) for n in names):
                raise ImportError(_cannot_run(fullname), name=fullname)
        return None


def _cannot_run(fullname):
    top = fullname.partition(".")[0]
    version = _version(top)
    package = f"{top} {version}" if version else top
    return (
        f"{fullname} is a compiled module of {package}, and compiled modules do not run in the simulation. There is no "
        f"stand-in for it. Where the program can do without {top}, guard its import; --packages built-in, or another "
        "version of the package that imports it, may not need it"
    )


def _version(name):
    for spelt in (name, name.replace("_", "-")):
        try:
            return importlib.metadata.version(spelt)
        except Exception:  # a damaged package says nothing about itself
            continue
    return None


def report() -> None:
    """Notes which installed packages the program imported, with their versions."""
    from torch._stand_ins import note

    found = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if "." in name or not isinstance(file, str) or not file.startswith(INSTALLED[0]):
            continue
        version = _version(name)
        if version is not None:
            found.setdefault("/".join(file.split("/", 3)[:3]), []).append(f"{name} {version}")
    for folder, packages in sorted(found.items()):
        note("packages_installed", packages=", ".join(sorted(packages)), folder=folder)


def hint(error: Any) -> None:
    """Adds to an error what a person can do: about a name that a short form lacks, about an id of the hub that is not known."""
    hub = sys.modules.get("vramscope_hub._cache")
    if hub is not None and hub.advice(error):
        error.add_note(hub.advice(error))
        return
    if not isinstance(error, (ImportError, AttributeError)):
        return
    name = getattr(error, "name", None) or ""
    text = f"{name} {error}"
    for short in SHORT_FORMS:
        if is_ours(sys.modules.get(short)) and (name.partition(".")[0] == short or f"'{short}" in text):
            error.add_note(
                f"vramscope: this is the built-in short form of {short}. The package itself runs, too: 'vramscope packages add "
                f"{short}' fetches it; or from an environment (--python PATH, an active one, or .venv beside the script), or from "
                "a folder (--site-packages)."
            )
            return
