"""torch.profiler: profiles by schedule, with memory by operator; nothing is timed."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from . import _C
from .autograd import profiler as _profiler
from .autograd.profiler import record_function  # noqa: F401
from .autograd.profiler_util import NO_TIME  # noqa: F401

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Self

    import torch


class ProfilerActivity:
    CPU = "ProfilerActivity.CPU"
    CUDA = "ProfilerActivity.CUDA"
    XPU = "ProfilerActivity.XPU"
    MTIA = "ProfilerActivity.MTIA"


class ProfilerAction:
    NONE, WARMUP, RECORD, RECORD_AND_SAVE = range(4)


def kineto_available() -> bool:
    return True


def supported_activities() -> set:
    return {ProfilerActivity.CPU, ProfilerActivity.CUDA}


def schedule(
    *, wait: int, warmup: int, active: int, repeat: int = 0, skip_first: int = 0, skip_first_wait: int = 0
) -> Callable:
    """What to do at a step: skip, wait, warm up, record, in cycles (repeat 0: until the end)."""
    if wait < 0 or warmup < 0 or repeat < 0 or skip_first < 0 or active <= 0:
        raise AssertionError("Invalid profiler schedule arguments")

    def action(step):
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait != 0:
            step += wait
        cycle = wait + warmup + active
        if repeat > 0 and step / cycle >= repeat:
            return ProfilerAction.NONE
        step %= cycle
        if step < wait:
            return ProfilerAction.NONE
        if step < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if step < cycle - 1 else ProfilerAction.RECORD_AND_SAVE

    return action


def tensorboard_trace_handler(dir_name: str, worker_name: str | None = None, use_gzip: bool = False) -> Callable:
    """For on_trace_ready: writes each profile into a folder that TensorBoard reads."""
    count = 0

    def handler(prof):
        nonlocal worker_name, count
        os.makedirs(dir_name, exist_ok=True)
        if not worker_name:
            worker_name = f"vramscope_{os.getpid()}"
        count += 1
        name = f"{worker_name}.{count}.pt.trace.json" + (".gz" if use_gzip else "")
        prof.export_chrome_trace(os.path.join(dir_name, name))

    return handler


_RECORDS = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


class profile:
    """torch.profiler.profile: `step()` moves on in the schedule; on_trace_ready gets the profile after each cycle."""

    def __init__(
        self,
        *,
        activities: Iterable[ProfilerActivity | dict[ProfilerActivity, list[str]]] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[..., Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_flops: bool = False,
        with_modules: bool = False,
        experimental_config: Any = None,
        execution_trace_observer: Any = None,
        acc_events: bool = False,
        use_cuda: Any = None,
        custom_trace_id_callback: Callable[[], str] | None = None,
    ) -> None:
        self.activities = set(activities) if activities else supported_activities()
        self.record_shapes, self.profile_memory, self.with_stack = record_shapes, profile_memory, with_stack
        self.schedule = schedule or (lambda step: ProfilerAction.RECORD)
        self.record_steps = schedule is not None
        self.on_trace_ready = on_trace_ready
        self.use_device = "cuda" if use_cuda or ProfilerActivity.CUDA in self.activities else None
        self.step_num = 0
        self.profiler = None
        self.current_action = None
        self._step = None

    def _begin(self):
        self.profiler = _profiler.profile(
            use_device=self.use_device,
            record_shapes=self.record_shapes,
            profile_memory=self.profile_memory,
            with_stack=self.with_stack,
        )
        self.profiler.__enter__()

    def _end(self):
        self.profiler.__exit__(None, None, None)
        if self.on_trace_ready is not None:
            self.on_trace_ready(self)

    def _open_step(self):
        if self.record_steps and self.current_action in _RECORDS:
            self._step = record_function(f"ProfilerStep#{self.step_num}")
            self._step.__enter__()

    def _close_step(self):
        if self._step is not None:
            self._step.__exit__(None, None, None)
            self._step = None

    def start(self) -> None:
        self.current_action = self.schedule(self.step_num)
        if self.current_action in _RECORDS:
            self._begin()
        self._open_step()

    def stop(self) -> None:
        self._close_step()
        if self.current_action in _RECORDS:
            self._end()
        self.current_action = None

    def step(self) -> None:
        """The next step of the schedule begins."""
        self._close_step()
        before = self.current_action
        self.step_num += 1
        self.current_action = after = self.schedule(self.step_num)
        if before == ProfilerAction.RECORD_AND_SAVE or (before == ProfilerAction.RECORD and after not in _RECORDS):
            self._end()
        if after in _RECORDS and (before not in _RECORDS or before == ProfilerAction.RECORD_AND_SAVE):
            self._begin()
        self._open_step()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: Any) -> bool:
        self.stop()
        return False

    def _needed(self):
        if self.profiler is None:
            raise AssertionError("Profiler must be initialized before it is asked")
        return self.profiler

    def events(self) -> Any:
        return self._needed().events()

    def key_averages(
        self,
        group_by_input_shape: bool = False,
        group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
        **_: Any,
    ) -> Any:
        return self._needed().key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def export_chrome_trace(self, path: Any) -> Any:
        return self._needed().export_chrome_trace(path)

    def export_stacks(self, path: str, metric: str = "self_cuda_memory_usage") -> Any:
        return self._needed().export_stacks(path, metric)

    def add_metadata(self, key: Any, value: Any) -> None:
        pass

    add_metadata_json = preset_metadata_json = add_metadata

    def toggle_collection_dynamic(self, enable: bool, activities: Iterable[ProfilerActivity]) -> None:
        pass

    def export_memory_timeline(self, path: Any, device: torch.device | str | int | None = None) -> None:
        """Memory by category over events: `.html` a picture, `.raw.json.gz` the changes, else `[events, sizes]` as JSON."""
        if not (self.profile_memory and self.record_shapes and self.with_stack):
            raise ValueError(
                "profile_memory=True, record_shapes=True and with_stack=True required for memory profiling."
            )
        from .autograd import _memory_timeline

        p = self._needed()
        _memory_timeline.export(path, json.loads(_C._js.categoryTimeline(p._first, p._last)), p._first)


class _KinetoProfile(profile):
    """The profile without a schedule."""


def itt_available() -> bool:
    return False


class ExecutionTraceObserver:
    """Execution traces are not simulated: nothing is written."""

    def register_callback(self, output_file_path: str) -> Self:
        return self

    def start(self) -> None:
        pass

    stop = unregister_callback = start
