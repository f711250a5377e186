"""Packages that are not here and that memory does not need: a named list, each entry an object whose methods do nothing.

Nothing that could make tensors is in the list. Every use is noted in the report. A package that is there wins.
"""

from __future__ import annotations

import importlib.machinery
import os
import sys
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self

    import torch


# Packages that are made of matplotlib: what is drawn with is not here, so that they draw nothing, installed or not.
DRAWN_WITH_MATPLOTLIB = frozenset("seaborn mpl_toolkits".split())

# What a package is for, and which packages are for nothing else.
KINDS = {
    "absent_logs": """loguru structlog comet_ml mlflow neptune swanlab aim clearml dvclive tensorboardX trackio visdom sentry_sdk
        coloredlogs logbook polyaxon trains wandb_core litlogger litmodels GPUtil gpustat lightning_sdk codecarbon
        tensorboard_logger memory_profiler line_profiler pyinstrument knockknock hyperdash rtpt nvitop pytorch_memlab setproctitle viztracer git""",
    "absent_draws": """seaborn plotly bokeh altair pygal graphviz pydot ipywidgets IPython streamlit gradio termplotlib plotext imgcat
        umap matplotlib mpl_toolkits marimo moviepy cairosvg pyvista open3d trimesh tensorwatch hiddenlayer""",
    "absent_progress": "progressbar alive_progress fastprogress enlighten rich rich_progress progress halo yaspin atpbar",
    "absent_talks": """boto3 botocore s3fs gcsfs gdown wget kaggle paramiko slack_sdk telegram requests_toolbelt openai anthropic
        google google_auth dotenv pymongo redis psycopg2 mysql pika kafka zmq flask flask_cors""",
    "absent_checks": """beartype jaxtyping typeguard torchtyping typing_inspect ipdb pudb pysnooper torchsnooper pretty_errors
        better_exceptions stackprinter""",
    "absent_prints": "colorama termcolor tabulate prettytable texttable colorlog crayons blessings pyfiglet art humanize terminaltables ftfy pygments_style icecream",
}  # fmt: skip
# What the machines of one service alone have: a program that goes on without it runs elsewhere here.
ELSEWHERE = frozenset({"google.colab", "kaggle_secrets", "dbutils"})
OF = {name: kind for kind, names in KINDS.items() for name in names.split()}


class _Nothing:
    """What a class of the program is derived from in the place of one that is not here."""

    _of = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.__dict__.update(kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Inert(f"{self._of}.{name}")


def raised(name: str) -> type[Exception] | None:
    """What `except package.SomeError` needs where the package is not here; None for a name of something else."""
    return type(name, (Exception,), {}) if name.endswith(("Error", "Exception")) else None


class Inert:
    """Answers everything and does nothing; what it is handed to decorate or to go through comes back as it is."""

    def __init__(self, name: str = "") -> None:
        self.__dict__["_name"] = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = self.__dict__[name] = raised(name) or Inert(f"{self._name}.{name}")
        return made

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and isinstance(args[0], (types.FunctionType, type)):
            return args[0]
        _note(self._name)
        if self._name.endswith(".SummaryWriter"):
            _make_folder(kwargs.get("log_dir") or kwargs.get("logdir") or next(iter(args), None))
        if OF.get(self._name.partition(".")[0]) == "absent_progress" and args and hasattr(args[0], "__iter__"):
            return args[0]
        return next((a for a in args if isinstance(a, str)), "") if _prints(self._name) else Inert(self._name)

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value

    def __getitem__(self, key: Any) -> Inert:
        return Inert(self._name)

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> bool:
        return False

    def __iter__(self) -> Iterator:
        return iter(())

    def __contains__(self, item: object) -> bool:
        return False

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return ""

    __format__ = lambda self, spec: ""

    def __mro_entries__(self, bases: Any) -> tuple:
        return (type(self._name.rpartition(".")[2], (_Nothing,), {"_of": self._name}),)

    def __repr__(self) -> str:
        return f"<{self._name}: not here>"


for _name in "or and xor add sub mul truediv matmul rshift lshift".split():  # charts are joined by operators
    setattr(Inert, f"__{_name}__", lambda self, other: self)
    setattr(Inert, f"__r{_name}__", lambda self, other: self)


def _make_folder(path):
    """What is logged into is there afterwards: programs put their own files into it."""
    if isinstance(path, (str, os.PathLike)):
        os.makedirs(path, exist_ok=True)


def _prints(name):
    return OF.get(name.partition(".")[0]) == "absent_prints"


def _note(name):
    from torch._stand_ins import note

    top = name.partition(".")[0]
    note(OF.get(top, "absent_logs"), "library", top if top in OF else ".".join(name.split(".")[:2]))


class _Module(types.ModuleType):
    """A package of the list."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = raised(name) or Inert(f"{self.__name__}.{name}")
        setattr(self, name, made)
        return made


class Finder:
    """The last finder: for import statements only, so that a package that asks whether another is there is told the truth."""

    @staticmethod
    def find_spec(fullname: str, path: list[str] | None = None, target: Any = None) -> Any:
        top = fullname.partition(".")[0]
        above = sys.modules.get(top)
        inert = isinstance(above, _Module) or getattr(above, "__draws_nothing__", False)
        if fullname in ELSEWHERE and _is_caught():
            return None
        if top not in OF or only_asked() or (top != fullname and not inert):
            return None  # of a package that is there nothing is absent but what it lacks
        return importlib.machinery.ModuleSpec(fullname, Finder, is_package=True)

    @staticmethod
    def create_module(spec: Any) -> _Module:
        return _Module(spec.name, "Not here; it does nothing.")

    @staticmethod
    def exec_module(module: torch.nn.Module) -> None:
        _note(module.__name__)


def _is_caught():
    """Whether the statement of the program that imports catches that a module is missing."""
    from vramscope_data.handlers import expects_no_name

    frame = sys._getframe(2)
    while frame is not None and "importlib" in frame.f_code.co_filename:
        frame = frame.f_back
    return frame is not None and expects_no_name(frame)


def only_asked() -> bool:
    """Whether somebody asks if a module is there, and imports nothing."""
    frame = sys._getframe(2)
    while frame is not None and "importlib" in frame.f_code.co_filename:
        if frame.f_code.co_filename.endswith(("importlib/util.py", "importlib.util>")):
            return True
        frame = frame.f_back
    return False
