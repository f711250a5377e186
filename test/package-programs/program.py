"""Runs small programs on real packages and prints, as one line of JSON for each, the device bytes after each phase: allocated, peak
within the phase, reserved. The same file runs under the simulator and on a real PyTorch.

usage: program.py NAMES [apart] [traceback]    NAMES: JSON, a list of file/program or of files

With apart each program has a process of its own.
"""

import json
import os
import sys
import traceback
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("HF_HUB_OFFLINE", "1")
warnings.simplefilter("ignore")

import torch  # noqa: E402
from phases import Phases, settle, warm_up  # noqa: E402


def named(name):
    """The programs of a file, or one of them, by their full names."""
    file, _, one = name.partition("/")
    module = __import__(f"programs_{file}")
    # once for all processes; as a statement would, not as a program that asks whether a module is there
    for needed in module.IMPORTS:
        __import__(needed)
    found = module.PROGRAMS
    return {f"{file}/{key}": run for key, run in found.items() if one in ("", key)}


def run(program):
    phases = Phases()
    torch.manual_seed(0)
    settle()
    before = torch.cuda.memory_allocated()
    try:
        program(phases)
    except BaseException as error:
        phases["error"] = f"{type(error).__name__}: {str(error).strip()}"[:300]
        if "traceback" in sys.argv:
            traceback.print_exc()
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
    settle()
    if torch.cuda.memory_allocated() != before:
        phases["left"] = torch.cuda.memory_allocated() - before
    return phases


def apart(program, seconds=300):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        import signal

        signal.alarm(seconds)
        os.close(read)
        warm_up()
        with os.fdopen(write, "w") as file:
            file.write(json.dumps(run(program)))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        text = file.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"error": "the process ended without an answer"}


if __name__ == "__main__":
    torch.set_num_threads(1)
    alone = "apart" in sys.argv
    programs = {}
    for one in json.loads(sys.argv[1]):
        programs |= named(one)
    if not alone:
        warm_up()
    for name, program in programs.items():
        result = apart(program) if alone else run(program)
        sys.stdout.write("\n" + json.dumps({"program": name, **result}) + "\n")
        sys.stdout.flush()
