"""Stand-in for wandb: a run that is offline; nothing is sent or stored, and the report says so once."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any, Self


__version__ = "0.19.0"
run = None
config = None
__getattr__ = lacks("wandb")


def termlog(string: str = "", newline: bool = True, repeat: bool = True, **_: Any) -> None:
    print(f"wandb: {string}", file=sys.stderr, end="\n" if newline else "")


termwarn = termerror = termlog


class _Config(dict):
    """Settings by key and by attribute."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def update(self, values: tuple = (), allow_val_change: Any = None, **more: Any) -> None:
        super().update(
            values if hasattr(values, "keys") else vars(values) if hasattr(values, "__dict__") else values, **more
        )


class _Run:
    """What init returns."""

    id, name, dir, project, url = "offline", "offline", "wandb", "", ""

    def __init__(self, settings: Any) -> None:
        self.config, self.summary = _Config(), _Config()
        if settings:
            self.config.update(settings)

    def log(self, data: Any, step: int | None = None, commit: Any = None, **options: Any) -> None:
        """Nothing is sent."""

    def watch(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is watched: no hooks are set."""

    unwatch = save = alert = define_metric = log_artifact = log_code = mark_preempting = _label = watch

    def finish(self, *args: Any, **kwargs: Any) -> None:
        global run, config
        run = config = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        self.finish()


def init(project: Any = None, config: Any = None, name: str | None = None, **options: Any) -> Any:
    global run
    note("logging_skipped", "library", "wandb")
    run = _Run(config)
    run.project, run.name = project or "", name or run.name
    globals()["config"] = run.config
    return run


def _need_run():
    if run is None:
        raise RuntimeError("You must call wandb.init() before wandb.log()")
    return run


def log(data: Any, step: int | None = None, **options: Any) -> None:
    _need_run().log(data, step)


def watch(models: Any, *args: Any, **kwargs: Any) -> None:
    _need_run().watch(models)


unwatch = save = define_metric = log_artifact = log_code = watch


def finish(*args: Any, **kwargs: Any) -> None:
    if run is not None:
        run.finish()


def login(*args: Any, **kwargs: Any) -> bool:
    return True


class _Media:
    """An image, a table, a histogram: kept by nobody."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def add_data(self, *row: Any) -> None:
        """Nothing is kept."""

    add_column = add_file = add_dir = add_data


Image = Table = Histogram = Artifact = Video = Audio = Html = _Media
