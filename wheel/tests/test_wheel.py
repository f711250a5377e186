"""The installed wheel as Python people use it; `npm run wheel:check` runs this in a fresh virtual environment."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import nbclient
import nbformat
import pytest
import vramscope
from vramscope.command import node, packaged_node
from vramscope.pytest_plugin import without_our_frames

if TYPE_CHECKING:
    from typing import Any


pytest_plugins = ["pytester"]
EXAMPLE = pathlib.Path(vramscope.__file__).parent / "program" / "examples" / "attention.py"


@pytest.fixture
def attention(tmp_path: str, monkeypatch: Any) -> Any:
    """A folder with the example of the README, whose figures were printed by a real GPU."""
    shutil.copy(EXAMPLE, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(*words: Any, **settings: Any) -> Any:
    return subprocess.run(words, capture_output=True, text=True, **settings)


def test_is_installed_as_a_package_and_not_from_a_checkout() -> None:
    assert os.path.realpath(vramscope.__file__).startswith(os.path.realpath(sys.prefix))


def test_its_node_is_the_package_s() -> None:
    assert packaged_node() == node()


@pytest.mark.parametrize("start", [[sys.executable, "-m", "vramscope"], [os.path.join(sys.prefix, "bin", "vramscope")]])
def test_command(attention: Any, start: int) -> None:
    done = told(*start, "run", "--torch", "1.13", "attention.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert "peak 44.00 MiB" in done.stdout
    assert told(*start, "run", "--limit", "1MiB", "--report", "none", "attention.py").returncode == 1
    assert told(*start, "runn").returncode == 2


def test_sees_the_packages_of_its_environment(attention: Any) -> None:
    (attention / "uses.py").write_text("import iniconfig; print(iniconfig.__name__)")
    done = told(
        os.path.join(sys.prefix, "bin", "vramscope"),
        "run",
        "uses.py",
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"},
    )
    assert done.stdout.startswith("iniconfig\n"), done.stderr


def test_library(attention: Any) -> None:
    report = vramscope.run("attention.py", torch="1.13")
    assert (report.peak_allocated_bytes, report.peak_reserved_bytes) == (46139392, 67108864)
    assert report.fits and report.status == "ok" and report.peak_place == "attention.py:49"
    assert not vramscope.run("attention.py", torch="1.13", limit="63MiB").fits
    with pytest.raises(vramscope.SimulationError, match="attention"):
        vramscope.run("attentoin.py")


@pytest.mark.parametrize(
    "text, size", [("20GiB", 20 * 2**30), ("512 MB", 2**29), ("1.5g", 3 * 2**29), (7, 7), ("7", 7)]
)
def test_sizes(text: str, size: int) -> None:
    assert vramscope.size_in_bytes(text) == size


def test_magic_in_a_real_kernel(attention: Any) -> None:
    cells = [
        "%load_ext vramscope",
        "import attention_sizes",
        "%%vramscope --torch 2.6 --report summary\nimport torch\nx = torch.zeros(3, 1024, 1024, device='cuda')\nprint('in the cell')",
        "%%vramscope --earlier --report none\nprint(attention_sizes.N)",
        "%vramscope run --gpu tpu attention.py",
        "'x' in globals(), __import__('os').listdir()",
    ]
    (attention / "attention_sizes.py").write_text("N = 77")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(attention)}}).execute()
    texts = ["".join(output.get("text", "") for output in cell.outputs) for cell in notebook.cells]
    pages = ["".join(o.get("data", {}).get("text/html", "") for o in cell.outputs) for cell in notebook.cells]
    assert texts[2].startswith("in the cell\n\ncell_3.py on A100 80GB SXM")
    assert re.search(r"allocated +12\.00 MiB +peak", texts[2]) and "arning" not in texts[2]
    assert "sandbox" in pages[2] and "12.00 MiB" in pages[2] and "&lt;svg" in pages[2] and "&lt;script" not in pages[2]
    assert texts[3].startswith("77\n")
    assert "unknown GPU" in texts[4]
    # nothing happened in the kernel, and nothing is left beside the notebook
    last = notebook.cells[5].outputs[0]["data"]["text/plain"]
    assert last.startswith("(False,") and "cell_" not in last


TESTS = """
import pytest

def step(n):
    import torch
    layer = torch.nn.Linear(n, n, bias=False, device="cuda")
    return layer(torch.ones(n, n, device="cuda"))

@pytest.mark.vram(limit="20GiB")
def test_fits():
    step(1024)

@pytest.mark.vram(limit="10MiB")
def test_over():
    step(1024)

@pytest.mark.vram(gpu="t4")
@pytest.mark.parametrize("n", [512, 1024])
def test_sizes(n):
    import torch
    x = torch.zeros(n, n, device="cuda")
    assert torch.cuda.memory_allocated() == 4 * n * n
    assert "T4" in torch.cuda.get_device_name()

@pytest.mark.vram
def test_asserts():
    import torch
    assert torch.cuda.memory_allocated() == 5

@pytest.mark.vram(gpu="t4")
def test_out_of_memory():
    import torch
    torch.zeros(15 << 30, dtype=torch.uint8, device="cuda")

@pytest.mark.vram
def test_fixture(tmp_path):
    pass

def test_here(vram):
    assert vram.run(source="import torch; torch.zeros(1 << 20, device='cuda')", torch="2.6").peak_allocated_bytes == 1 << 22

def test_check(vram):
    vram.check(source="import torch; torch.zeros(1 << 20, device='cuda')", limit="1MiB")
"""


def test_plugin(pytester: Any) -> None:
    pytester.makepyfile(TESTS)
    result = pytester.runpytest("-p", "no:cacheprovider")
    result.assert_outcomes(passed=4, failed=5)
    text = result.stdout.str()
    for part in [
        "do not fit the limit of 10.00 MiB",
        "CUDA out of memory. Tried to allocate 15.00 GiB",
        "'tmp_path' cannot go",
    ]:
        assert part in text
    assert "simulated_test.py" not in text


def test_plugin_s_wrong_words(pytester: Any) -> None:
    pytester.makepyfile("import pytest\n\n@pytest.mark.vram(limt=3)\ndef test_a(): pass\n")
    assert "takes gpu, limit, options, torch by name, not ['limt']" in pytester.runpytest().stdout.str()


def test_tracebacks_keep_what_is_theirs() -> None:
    ours = '  File "x/vramscope/simulated_test.py", line 1, in call\n    f()\n    ~^\n'
    theirs = '  File "test_a.py", line 2, in f\n    1/0\n    ~^~\n'
    head, tail = "Traceback (most recent call last):\n", "ZeroDivisionError: division by zero\n"
    assert without_our_frames(head + ours + theirs + tail) == head + theirs + tail
