"""The pytest plugin: `@pytest.mark.vram(limit="20GiB")` runs a test on a simulated GPU, the fixture `vram` runs scripts on one."""

from __future__ import annotations

import ast
import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from typing import Any


MARKER = (
    "vram(limit=None, gpu=None, torch=None, options=()): run this test on a simulated GPU and fail when it does not fit"
)
OPTIONS = {"limit", "gpu", "torch", "options"}


def pytest_configure(config: Any) -> None:
    """Makes the marker known."""
    config.addinivalue_line("markers", MARKER)


class Vram:
    """The fixture: `vram.run("train.py")` gives a `vramscope.Report`; the marker's words are its defaults."""

    def __init__(self, defaults: Any, cwd: Any) -> None:
        self.defaults, self.cwd = defaults, cwd

    def run(self, script: Any = None, *args: Any, **options: Any) -> Any:
        """As `vramscope.run`, in the folder of the test's configuration."""
        from vramscope import run

        return run(script, *args, **{"cwd": self.cwd, **self.defaults, **options})

    def check(self, script: Any = None, *args: Any, **options: Any) -> Any:
        """As `run`; fails the test where the script does not fit or ends with an error."""
        report = self.run(script, *args, **options)
        if not report.fits:
            pytest.fail(failure_text(report), pytrace=False)
        return report


@pytest.fixture
def vram(request: Any) -> Vram:
    """Runs scripts on a simulated GPU."""
    return Vram(words_of(request.node) or {}, str(request.config.rootpath))


def words_of(item: Any) -> dict | None:
    """What the marker says; None where there is none. The nearest wins, word by word."""
    found = list(item.iter_markers("vram"))
    if not found:
        return None
    words = {}
    for marker in reversed(found):
        wrong = sorted(set(marker.kwargs) - OPTIONS)
        if marker.args or wrong:
            raise pytest.UsageError(
                f"@pytest.mark.vram takes {', '.join(sorted(OPTIONS))} by name, not {wrong or marker.args}"
            )
        words.update(marker.kwargs)
    return words


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: Any) -> bool | None:
    """Runs a marked test in the simulator instead of here; one with the fixture runs here and starts runs itself."""
    words = words_of(pyfuncitem)
    if words is None or "vram" in pyfuncitem.fixturenames:
        return None
    from vramscope import SimulationError, run

    root = str(pyfuncitem.config.rootpath)
    try:
        report = run(module="vramscope.simulated_test", *[json.dumps(request_for(pyfuncitem, root))], cwd=root, **words)
    except (SimulationError, ValueError) as error:
        pytest.fail(f"vramscope: {error}", pytrace=False)
    sys.stdout.write(report.output)
    pyfuncitem.user_properties += [
        ("vram_peak_allocated_bytes", report.peak_allocated_bytes),
        ("vram_peak_reserved_bytes", report.peak_reserved_bytes),
    ]
    if not report.fits:
        pytest.fail(failure_text(report), pytrace=False)
    return True


def request_for(item: Any, root: Any) -> dict:
    """What `simulated_test` needs to call this test, as JSON can hold it."""
    here = {os.path.abspath(path or ".") for path in sys.path}
    inside = [os.path.relpath(path, root) for path in sorted(here) if path.startswith(root + os.sep) or path == root]
    return {
        "file": os.path.relpath(str(item.path), root),
        "paths": [path for path in inside if "site-packages" not in path],
        "class": item.cls.__qualname__.split(".") if item.cls else [],
        "test": item.originalname,
        "arguments": {name: literal(item, name) for name in item._fixtureinfo.argnames if name != "self"},
    }


def literal(item: Any, name: str) -> str | None:
    """The text of a parametrized value. Nothing else can be handed into the simulator."""
    given = getattr(item, "callspec", None)
    value = given.params.get(name) if given is not None else None
    try:
        if given is not None and name in given.params and ast.literal_eval(repr(value)) == value:
            return repr(value)
    except (ValueError, SyntaxError):
        pass
    pytest.fail(
        f"vramscope: a test with @pytest.mark.vram runs in the simulator, where '{name}' cannot go: it takes parametrized "
        "numbers, texts, lists and dicts. With the fixture 'vram' it runs here and starts scripts itself.",
        pytrace=False,
    )


def failure_text(report: Any) -> str:
    """Why the test failed: the program's error, or the figures that do not fit."""
    if report.error:
        return without_our_frames(report.error)
    limit = report.document.get("limitBytes")
    bound = f"the limit of {gib(limit)}" if limit is not None else report.document["gpu"]["name"]
    at = f", at {report.peak_place}" if report.peak_place else ""
    return (
        f"vramscope: {gib(report.peak_reserved_bytes)} reserved at the peak do not fit {bound} "
        f"({gib(report.peak_allocated_bytes)} allocated{at})"
    )


def without_our_frames(traceback: str) -> str:
    """A traceback without the lines of what called the test."""
    kept, ours = [], False
    for line in traceback.splitlines(keepends=True):
        if line.startswith('  File "'):
            ours = "simulated_test.py" in line or "<frozen importlib" in line
        elif not line.startswith("    "):
            ours = False
        if not ours:
            kept.append(line)
    return "".join(kept)


def gib(count: int) -> str:
    """`1.50 GiB`, `12.00 MiB`."""
    return f"{count / 2**30:.2f} GiB" if count >= 2**30 else f"{count / 2**20:.2f} MiB"
