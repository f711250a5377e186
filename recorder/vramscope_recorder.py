"""Runs a person's script under their own PyTorch or TensorFlow and leaves what it did to GPU memory in a folder: PyTorch's
memory snapshot, and counters after each line as readings. Standard library only; frameworks are those that the script imports.

usage: vramscope_recorder.py FOLDER MOST_ENTRIES SCRIPT [ARGUMENT ...]

FOLDER/outcome.json says how it went, for whoever started this; the exit status is the script's.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import json
import os
import pickle
import sys
import time
import traceback
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


# a folder of ours gets no files from a person's Python
_writes = sys.dont_write_bytecode
sys.dont_write_bytecode = True
from vramscope_readings import MIB, Record, Samples, driver_version, process_bytes

sys.dont_write_bytecode = _writes

NOTHING_TO_RECORD = 3


class StopEarly(SystemExit):
    """There is nothing to record, so the script need not go on."""


class TorchMemory:
    """PyTorch: its history, and its counters."""

    def __init__(self, torch: Any, record: Any, most_entries: Any) -> None:
        self.torch, self.record, self.most_entries = torch, record, most_entries
        self.has_history = False
        self.device = 0
        self.after, self.held = Samples("allocated", "after line", 0), Samples("reserved", "after line", 0)
        self.highest = Samples("allocated", "highest so far", 0)
        self.last = None
        record.note("torch", str(torch.__version__))
        # runs right after CUDA has started, before anything is allocated
        torch.cuda._lazy_call(self.cuda_started)

    def cuda_started(self) -> None:
        try:
            self.device = self.torch.cuda.current_device()
            for samples in (self.after, self.held, self.highest):
                samples.device = self.device
            self.start_history()
            attach = getattr(self.torch._C, "_cuda_attach_out_of_memory_observer", None)
            if attach is not None:
                attach(self.out_of_memory)
            shown = process_bytes()
            if shown is not None:
                self.record.fact("process", "process after the start of CUDA", shown, self.device, rounding=MIB // 2)
                self.record.fact(
                    "other", "reserved at the start of CUDA", self.torch.cuda.memory_reserved(), self.device
                )
        except Exception as problem:  # whatever it is, the script shall run
            self.record.problems.append(f"{type(problem).__name__}: {problem}")

    def start_history(self) -> None:
        """The function's arguments changed with 2.0 and 2.1."""
        start = self.torch.cuda.memory._record_memory_history
        forms = (
            lambda: start(enabled="all", context="all", stacks="python", max_entries=self.most_entries),
            lambda: start(
                True, record_context=True, trace_alloc_max_entries=self.most_entries, trace_alloc_record_context=True
            ),
            lambda: start(True, record_context=True),
        )
        for form in forms:
            try:
                form()
            except (TypeError, AttributeError):
                continue
            self.has_history = True
            return
        self.record.problems.append("this PyTorch keeps no memory history, so there is no snapshot")

    def out_of_memory(self, device: Any, wanted: Any, limit: int, free: Any) -> None:
        self.record.fact("requested", "request that failed", wanted, device)
        self.record.fact("device_free", "free when a request failed", free, device)

    def counters(self) -> tuple | None:
        """Allocated, its peak, reserved, and a count that changes whenever something was allocated."""
        cuda = self.torch.cuda
        if not cuda.is_initialized():
            return None
        try:
            stats = cuda.memory_stats_as_nested_dict(self.device)
            now, count = stats["allocated_bytes"]["all"], stats["allocation"]["all"]
            return now["current"], now["peak"], stats["reserved_bytes"]["all"]["current"], count["allocated"]
        except Exception:
            return (
                *(ask(self.device) for ask in (cuda.memory_allocated, cuda.max_memory_allocated, cuda.memory_reserved)),
                0,
            )

    def after_line(self, line: int, seconds: float) -> None:
        now = self.counters()
        if now is None or now == self.last:
            return
        self.after.add(seconds, now[0], line)
        if self.last is None or now[1] != self.last[1]:
            self.highest.add(seconds, now[1], line)
        if self.last is None or now[2] != self.last[2]:
            self.held.add(seconds, now[2], line)
        self.last = now

    def finish(self, folder: str) -> bool:
        """Writes the snapshot; what there is to say goes into the record."""
        cuda, record = self.torch.cuda, self.record
        if not cuda.is_initialized():
            return False
        cuda.synchronize()
        for device in range(cuda.device_count()):
            if device != self.device and cuda.max_memory_reserved(device) == 0:
                continue
            record.fact("allocated", "max_memory_allocated", cuda.max_memory_allocated(device), device, peak=True)
            record.fact("allocated", "memory_allocated", cuda.memory_allocated(device), device)
            record.fact("reserved", "max_memory_reserved", cuda.max_memory_reserved(device), device, peak=True)
            record.fact("reserved", "memory_reserved", cuda.memory_reserved(device), device)
        shown = process_bytes()
        if shown is not None:
            record.fact("process", "process at the end", shown, self.device, rounding=MIB // 2)
        else:
            record.problems.append("nvidia-smi does not show this process")
        if self.has_history:
            with open(os.path.join(folder, "snapshot.pickle"), "wb") as file:
                pickle.dump(cuda.memory._snapshot(), file)
        properties = cuda.get_device_properties(self.device)
        record.fact("device_total", "total memory", properties.total_memory, self.device)
        record.note("gpu", properties.name)
        return True

    def series(self) -> list:
        return [samples.series() for samples in (self.after, self.held, self.highest) if samples.bytes]


class TensorFlowMemory:
    """TensorFlow: get_memory_info of the first GPU."""

    def __init__(self, tensorflow: Any, record: Any) -> None:
        self.tensorflow, self.record = tensorflow, record
        self.after = Samples("allocated", "after line", 0)
        self.last = None
        record.note("tensorflow", str(tensorflow.__version__))

    def info(self) -> Any:
        try:
            return self.tensorflow.config.experimental.get_memory_info("GPU:0")
        except Exception:  # no GPU, or none yet
            return None

    def after_line(self, line: int, seconds: float) -> None:
        now = self.info()
        if now is None or now == self.last:
            return
        self.after.add(seconds, now["current"], line)
        self.last = now

    def finish(self, folder: str) -> bool:
        now = self.info()
        if now is None:
            return False
        self.record.fact("allocated", "get_memory_info peak", now["peak"], peak=True)
        self.record.fact("allocated", "get_memory_info current", now["current"])
        shown = process_bytes()
        if shown is not None:
            self.record.fact("process", "process at the end", shown, rounding=MIB // 2)
        return True

    def series(self) -> list:
        return [self.after.series()] if self.after.bytes else []


class AfterImport(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Tells when a framework has been imported, whoever imports it."""

    def __init__(self, tell: Any) -> None:
        self.tell, self.loaders, self.busy = tell, {}, set()

    def find_spec(self, name: str, path: str | None = None, target: Any = None) -> Any:
        if name not in self.tell or name in self.busy:
            return None
        self.busy.add(name)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.busy.discard(name)
        if spec is None or spec.loader is None:
            return spec
        self.loaders[name] = spec.loader
        spec.loader = self
        return spec

    def create_module(self, spec: Any) -> Any:
        return self.loaders[spec.name].create_module(spec)

    def exec_module(self, module: Any) -> None:
        name = module.__spec__.name
        loader = self.loaders[name]
        module.__spec__.loader = module.__loader__ = loader
        loader.exec_module(module)
        self.tell.pop(name)(sys.modules[name])


class Lines:
    """Says after each line of the script which one it was: by sys.monitoring where Python has it, which costs other code nothing."""

    TOOL = 4

    def __init__(self, file: Any, done: Any) -> None:
        self.file, self.done = file, done
        self.line = -1

    def change(self, line: int) -> None:
        if self.line > 0:
            self.done(self.line)
        self.line = line

    def returned(self, frame: int) -> None:
        """Goes on in the nearest caller that belongs to the script."""
        caller = frame.f_back
        while caller is not None and caller.f_code.co_filename != self.file:
            caller = caller.f_back
        self.change(-1 if caller is None else caller.f_lineno)

    def start(self, code: str) -> None:
        monitoring = getattr(sys, "monitoring", None)
        if monitoring is None or monitoring.get_tool(self.TOOL) is not None:
            sys.settrace(self.trace)
            return
        events = monitoring.events
        monitoring.use_tool_id(self.TOOL, "vramscope")
        monitoring.register_callback(self.TOOL, events.LINE, lambda _code, line: self.change(line))
        for event in (events.PY_RETURN, events.PY_YIELD):
            monitoring.register_callback(self.TOOL, event, lambda *_: self.returned(sys._getframe(1)))
        waiting = [code]
        while waiting:
            part = waiting.pop()
            monitoring.set_local_events(self.TOOL, part, events.LINE | events.PY_RETURN | events.PY_YIELD)
            waiting.extend(inner for inner in part.co_consts if isinstance(inner, types.CodeType))

    def trace(self, frame: int, event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename != self.file:
            return None
        if event == "line":
            self.change(frame.f_lineno)
        elif event == "return":
            self.returned(frame)
        return self.trace

    def stop(self) -> None:
        sys.settrace(None)
        monitoring = getattr(sys, "monitoring", None)
        if monitoring is not None and monitoring.get_tool(self.TOOL) == "vramscope":
            monitoring.free_tool_id(self.TOOL)
        self.change(-1)


def status_of(stop: int) -> Any:
    """The exit status that Python would give."""
    if stop.code is None:
        return 0
    if isinstance(stop.code, int):
        return stop.code & 0xFF
    print(stop.code, file=sys.stderr)
    return 1


def run(script: Any, arguments: Any, lines: Sequence[str], name: str) -> Any:
    """Runs the script as __main__; its exit status."""
    with open(script, "rb") as file:
        code = compile(file.read(), name, "exec")
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=name, __builtins__=__builtins__)
    sys.modules["__main__"] = main
    sys.argv = [name, *arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    try:
        lines.start(code)
        exec(code, main.__dict__)
    except StopEarly:
        raise
    except SystemExit as stop:
        return status_of(stop)
    except KeyboardInterrupt:
        traceback.print_exc()
        return 130
    except BaseException as problem:
        # without the frames of this file
        trace = problem.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        traceback.print_exception(type(problem), problem, trace)
        return 1
    finally:
        lines.stop()
    return 0


def main() -> None:
    folder, most_entries, script, *arguments = sys.argv[1:]
    outcome = {"code": None, "reason": "", "problems": [], "files": []}

    def leave(status):
        with open(os.path.join(folder, "outcome.json"), "w") as file:
            json.dump(outcome, file)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)

    if importlib.util.find_spec("torch") is None and importlib.util.find_spec("tensorflow") is None:
        outcome["code"] = "no_framework"
        leave(NOTHING_TO_RECORD)
    record = Record(script)
    probes, without_gpu = [], []

    def torch_came(torch):
        if not torch.cuda.is_available():
            without_gpu.append(str(torch.__version__))
            if importlib.util.find_spec("tensorflow") is None:
                raise StopEarly(NOTHING_TO_RECORD)
            return
        probes.append(TorchMemory(torch, record, int(most_entries)))

    def tensorflow_came(tensorflow):
        probes.append(TensorFlowMemory(tensorflow, record))

    began = time.monotonic()

    def done(line):
        for probe in probes:
            probe.after_line(line, time.monotonic() - began)

    try:
        tell = {"torch": torch_came, "tensorflow": tensorflow_came}
        for name in [name for name in tell if name in sys.modules]:
            tell.pop(name)(sys.modules[name])
        sys.meta_path.insert(0, AfterImport(tell))
        status = run(script, arguments, Lines(script, done), script)
    except StopEarly:
        outcome.update(code="no_gpu", reason=without_gpu[0])
        leave(NOTHING_TO_RECORD)
    record.note("exit status", status)
    driver = driver_version()
    if driver is not None:
        record.note("driver", driver)
    used = False
    for probe in probes:
        try:
            used = probe.finish(folder) or used
        except Exception as problem:  # the readings are worth having without the rest
            used = True
            record.problems.append(f"{type(problem).__name__}: {problem}")
    with open(os.path.join(folder, "readings.json"), "w") as file:
        json.dump(record.document([series for probe in probes for series in probe.series()]), file)
    code = None if used else "unused" if probes else "no_gpu" if without_gpu else "not_imported"
    outcome.update(
        code=code,
        reason="".join(without_gpu),
        problems=record.problems,
        files=[name for name in ("snapshot.pickle", "readings.json") if os.path.exists(os.path.join(folder, name))],
    )
    # threads and handlers of the script end as they would without a recorder
    with open(os.path.join(folder, "outcome.json"), "w") as file:
        json.dump(outcome, file)
    sys.exit(status)


if __name__ == "__main__":
    main()
