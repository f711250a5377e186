"""Records on a real GPU what the programs of programs.json and the conformance corpus do: printed lines, the allocator's
trace in order, counters, and the machine. Standard library and torch only; see README.md.

usage: record.py OUT_DIR [--only ID,...] [--minutes N] [--jobs N]
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE.parent.parent / "test" / "conformance"
NO_TORCH, NO_GPU, TOO_OLD = 4, 5, 6
PACKAGES = (
    *("flash_attn", "xformers", "bitsandbytes", "transformers", "accelerate", "peft", "trl", "datasets"),
    *("diffusers", "timm", "sentence-transformers", "liger_kernel", "torchao"),
)
# A program that takes longer hangs; one that names no need takes less than this beside others.
MOST_SECONDS, USUAL_GIB = 150, 2


def fail(status: Any, message: str) -> None:
    print(f"record: {message}", file=sys.stderr)
    sys.exit(status)


def listed_programs() -> Any:
    programs = json.loads((HERE / "programs.json").read_text())
    for program in programs:
        program["path"] = str((HERE / program["file"]).resolve())
    for manifest in sorted(CORPUS.glob("*/manifest.json")):
        for case in json.loads(manifest.read_text())["cases"]:
            programs.append(
                {
                    "id": f"corpus-{manifest.parent.name}-{case['id']}",
                    "path": str(manifest.parent / f"{case['id']}.py"),
                    "argv": [],
                    "kind": "trace",
                }
            )
    return programs


def nvidia_smi(*fields: Any) -> dict:
    try:
        ask = ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits", "--id=0"]
        answer = subprocess.run(ask, capture_output=True, text=True, timeout=30).stdout.strip().splitlines()
        return dict(zip(fields, (part.strip() for part in answer[0].split(","))))
    except (OSError, IndexError, subprocess.TimeoutExpired):
        return {}


def package_versions() -> dict:
    """Of the packages that some programs use."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = None
    return found


def machine_facts() -> Any:
    """In a process of its own, because the parent of the recording processes must not touch the GPU."""
    code = """
import json, platform, sys, torch
facts = {"python": platform.python_version(), "torch": torch.__version__, "cuda": torch.version.cuda}
if torch.cuda.is_available():
    p = torch.cuda.get_device_properties(0)
    facts.update(gpu=p.name, capability=[p.major, p.minor], sms=p.multi_processor_count, totalBytes=p.total_memory)
    facts["threadsPerSm"] = getattr(p, "max_threads_per_multi_processor", None)
    facts["freeBytes"] = torch.cuda.mem_get_info()[0]
    facts["cudnn"] = torch.backends.cudnn.version()
print(json.dumps(facts))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        fail(NO_TORCH, f"{sys.executable} cannot import torch ({last[0]}); set PYTHON to an interpreter that can")
    facts = json.loads(done.stdout.strip().splitlines()[-1])
    if "gpu" not in facts:
        fail(
            NO_GPU,
            f"torch {facts['torch']} sees no GPU on this machine, so there is nothing to record; run it where torch.cuda.is_available() is True",
        )
    if tuple(int(part) for part in facts["torch"].split("+")[0].split(".")[:2]) < (2, 1):
        fail(TOO_OLD, f"torch {facts['torch']} keeps no memory history; the recorder needs 2.1 or later")
    facts["packages"] = package_versions()
    facts["nvidiaSmi"] = nvidia_smi(
        "name", "driver_version", "memory.total", "memory.reserved", "memory.used", "compute_mode", "mig.mode.current"
    )
    facts["environment"] = {
        k: v for k, v in os.environ.items() if k.startswith(("PYTORCH_", "CUBLAS", "CUDA_", "TORCH_", "NVIDIA_"))
    }
    return facts


def record_here(program: Any, target: Any) -> None:
    """Runs one program in this process and writes its record; never returns."""
    import contextlib
    import io
    import traceback

    import torch

    # cases of the corpus import nothing of their folder, where one has the name of a package
    if not program["id"].startswith("corpus-"):
        sys.path.insert(0, str(pathlib.Path(program["path"]).parent))
    # torch.compile looks names up where the program's functions say that they are
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__file__ = program["path"]
    sys.argv = [program["path"], *program["argv"]]
    out = io.StringIO()
    found = {"id": program["id"], "kind": program["kind"], "argv": program["argv"], "status": "ok", "error": None}
    history = program["kind"] == "trace"
    if history:
        torch.cuda.memory._record_memory_history(enabled="all", context=None, stacks="python", max_entries=4_000_000)
    started = time.monotonic()

    def stop(*_: Any) -> None:
        raise TimeoutError(f"stopped after {MOST_SECONDS} s")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(MOST_SECONDS)
    try:
        with contextlib.redirect_stdout(out):
            text = pathlib.Path(program["path"]).read_text()
            exec(compile(text, program["path"], "exec"), vars(main))
    except SystemExit:
        pass
    except BaseException as problem:
        found["status"] = "error"
        found["error"] = "".join(traceback.format_exception(problem))[-2000:]
    signal.alarm(0)
    found["seconds"] = round(time.monotonic() - started, 2)
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
        stats = torch.cuda.memory_stats()
        if history:
            sys.path.insert(0, str(HERE / "programs"))
            from sections import spell

            traces = torch.cuda.memory._snapshot()["device_traces"]
            found["trace"] = spell(traces[0] if traces else [])
        found["final"] = {
            "allocated": torch.cuda.memory_allocated(),
            "peakAllocated": torch.cuda.max_memory_allocated(),
            "reserved": torch.cuda.memory_reserved(),
            "peakReserved": torch.cuda.max_memory_reserved(),
            "retries": stats.get("num_alloc_retries", 0),
            "ooms": stats.get("num_ooms", 0),
        }
    lines = out.getvalue().splitlines()
    found["sections"] = [json.loads(line.split("\t", 1)[1]) for line in lines if line.startswith("section\t")]
    found["stdout"] = [line for line in lines if not line.startswith("section\t")]
    target.write_text(json.dumps(found))
    os._exit(0)


def start(program: Any, folder: str) -> tuple:
    target = folder / f"{program['id']}.json"
    pid = os.fork()
    if pid == 0:
        try:
            record_here(program, target)
        finally:
            os._exit(1)
    return pid, target


class Recording:
    """Children by process id; at most `jobs` at a time, and a program that asks for it runs alone."""

    def __init__(self, folder: str, jobs: Any, deadline: Any, free_bytes: int) -> None:
        self.folder, self.jobs, self.deadline, self.free_bytes = folder, jobs, deadline, free_bytes
        self.running, self.results = {}, {}

    def run(self, programs: Any) -> None:
        waiting = list(programs)
        while waiting or self.running:
            if waiting and time.monotonic() > self.deadline:
                for program in waiting:
                    self.results[program["id"]] = "not run: out of time"
                waiting = []
            elif waiting and self.may_start(waiting[0]):
                program = waiting.pop(0)
                pid, target = start(program, self.folder)
                self.running[pid] = (program, target, time.monotonic())
                continue
            self.wait()

    def may_start(self, program: Any) -> bool:
        beside = [p for p, _, _ in self.running.values()]
        if program.get("alone") or any(p.get("alone") for p in beside):
            return not beside
        needed = sum(p.get("needsGiB", USUAL_GIB) for p in [*beside, program])
        return len(beside) < self.jobs and (not beside or needed * 2**30 <= self.free_bytes)

    def wait(self) -> None:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid in self.running:
            program, target, _ = self.running.pop(pid)
            if target.exists():
                self.results[program["id"]] = json.loads(target.read_text())["status"]
            else:
                self.results[program["id"]] = f"ended with {status} and no record"
            print(f"  {program['id']}: {self.results[program['id']]}", file=sys.stderr, flush=True)
            return
        for child, (_, _, since) in self.running.items():
            if time.monotonic() > min(self.deadline + 20, since + MOST_SECONDS + 20):
                os.kill(child, signal.SIGKILL)
        time.sleep(0.02)


def chosen_programs(facts: Any, only: Any) -> tuple:
    chosen, left_out = [], {}
    for program in listed_programs():
        if only and program["id"] not in only:
            continue
        package = program.get("needsPackage")
        if package and importlib.util.find_spec(package) is None:
            left_out[program["id"]] = f"not run: {package} is not installed"
        elif program.get("needsGiB", 0) * 2**30 > facts["freeBytes"]:
            left_out[program["id"]] = f"not run: needs {program['needsGiB']} GiB"
        else:
            chosen.append(program)
    # those that run alone come first: the machine is theirs
    chosen.sort(key=lambda program: not program.get("alone"))
    return chosen, left_out


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", metavar="OUT_DIR")
    parser.add_argument("--only")
    parser.add_argument("--minutes", type=float, default=9)
    parser.add_argument("--jobs", type=int, default=min(4, max(1, (os.cpu_count() or 2) // 2)))
    args = parser.parse_args()
    began = time.monotonic()
    facts = machine_facts()
    folder = pathlib.Path(args.folder)
    folder.mkdir(parents=True, exist_ok=True)
    programs, results = chosen_programs(facts, set(args.only.split(",")) if args.only else None)
    print(f"recording {len(programs)} programs on {facts['gpu']}, torch {facts['torch']}", file=sys.stderr, flush=True)
    import torch  # noqa: F401  imported once; every program runs in a fork that has it already

    recording = Recording(folder, args.jobs, began + 60 * args.minutes, facts["freeBytes"])
    recording.run(programs)
    results.update(recording.results)
    facts["recordedSeconds"] = round(time.monotonic() - began, 1)
    (folder / "machine.json").write_text(
        json.dumps({"format": "vramscope-record", "version": 1, "machine": facts, "programs": results}, indent=1)
    )
    bad = {name: what for name, what in results.items() if what != "ok"}
    print(
        f"{len(results) - len(bad)} recorded, {len(bad)} not, in {facts['recordedSeconds']} s, in {folder}",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
