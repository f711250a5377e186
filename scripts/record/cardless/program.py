"""Runs programs under the released PyTorch of a site-packages folder, on a CUDA without a card (shells.py has made its libraries).

usage: program.py SITE_PACKAGES CARD OUT PROGRAM...        CARD: a row of cards.json

torch is imported once; each program runs in a child of its own. OUT/N.out is what the N-th printed, OUT/N.err its errors, OUT/N.status how it ended.
"""

from __future__ import annotations

import ctypes
import functools
import json
import os
import pathlib
import re
import runpy
import signal
import subprocess
import sys
import time
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 60
# torch.compile takes longer
SECONDS_COMPILED = 500
DEVICES = "CARDLESS_ASKED_DEVICES"
COMPILED = "CARDLESS_ASKED_COMPILED"
ASKED_SECONDS = "CARDLESS_ASKED_SECONDS"
SETTLE_SECONDS = 0.01


def use_card(name: str) -> None:
    """Hands the card to runtime.c."""
    row = json.loads((HERE / "cards.json").read_text())[name]
    asked = {"CARDLESS_DEVICES": os.environ[DEVICES]} if DEVICES in os.environ else {}
    os.environ.update({f"CARDLESS_{key.upper()}": str(value) for key, value in row.items()} | asked)


def redirect_static_runtime(site: Any) -> None:
    """Releases before 2.0 have a CUDA runtime of their own inside libc10_cuda: its functions jump to the shell's."""
    library = site / "torch" / "lib" / "libc10_cuda.so"
    listed = subprocess.run(["nm", str(library)], capture_output=True, text=True, check=False).stdout
    own = {name: int(at, 16) for at, name in re.findall(r"^([0-9a-f]{16}) t (_{0,2}cuda\w+)$", listed, re.M)}
    if "cudaMalloc" not in own:
        return
    shell = ctypes.CDLL(str(next(library.parent.glob("libcudart*"))))
    maps = pathlib.Path("/proc/self/maps").read_text()
    base = min(int(line.split("-")[0], 16) for line in maps.splitlines() if line.endswith(str(library)))
    with open("/proc/self/mem", "r+b", buffering=0) as memory:
        for name, offset in own.items():
            target = getattr(shell, name, None)
            if target is not None:
                memory.seek(base + offset)
                # movabs rax, target; jmp rax
                address = ctypes.cast(target, ctypes.c_void_p).value
                memory.write(b"\x48\xb8" + address.to_bytes(8, "little") + b"\xff\xe0")


def child(program: Any, out: Any, name: str) -> None:
    """Runs one program in a process that ends with it."""
    for number, ending in ((1, "out"), (2, "err")):
        os.dup2(os.open(out / f"{name}.{ending}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), number)
    signal.alarm(int(os.environ.get(ASKED_SECONDS, SECONDS_COMPILED if COMPILED in os.environ else SECONDS)))
    os.chdir(program.parent)
    sys.argv = [str(program)]
    sys.path.insert(0, str(program.parent))
    status = 0
    try:
        runpy.run_path(str(program), run_name="__main__")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def let_backward_settle(torch: Any) -> None:
    """The thread of backward holds gradients a moment after it has answered: programs go on when it has let go, as they do where kernels take time."""

    def settled(run):
        def wait(*args, **kwargs):
            result = run(*args, **kwargs)
            time.sleep(SETTLE_SECONDS)
            return result

        return functools.wraps(run)(wait)

    torch.autograd.backward = settled(torch.autograd.backward)
    torch.autograd.grad = settled(torch.autograd.grad)


def main(site: Any, card: Any, out: Any, *programs: Any) -> None:
    use_card(card)
    site, out = pathlib.Path(site).resolve(), pathlib.Path(out).resolve()
    sys.path.insert(0, str(site))
    import torch

    torch.set_num_threads(1)
    redirect_static_runtime(site)
    let_backward_settle(torch)
    if COMPILED in os.environ:
        from inductor import prepare

        prepare()
    for number, program in enumerate(programs):
        process = os.fork()
        if process == 0:
            child(pathlib.Path(program).resolve(), out, number)
        (out / f"{number}.status").write_text(str(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])))


if __name__ == "__main__":
    if len(sys.argv) < 5:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
