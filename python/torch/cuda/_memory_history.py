"""Memory history: what _record_memory_history switches on, and the snapshot that memory_viz and its tools read."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from .. import _C

if TYPE_CHECKING:
    from torch import Tensor


_FREES = ("free_requested", "free_completed")
_SEGMENT = (
    "address",
    "total_size",
    "allocated_size",
    "active_size",
    "requested_size",
    "stream",
    "segment_type",
    "is_expandable",
)


class _State:
    """What was asked for; everything is recorded in any case."""

    def __init__(self) -> None:
        self.since = None  # event from which frames are known
        self.first = None  # event with which the history begins
        self.context = None
        self.most = sys.maxsize
        self.skipped = ()
        self.metadata = [(0, "")]  # from which event on, and what
        self.annotations = []  # event, address, bytes, text, frame


_state = _State()


def _record_memory_history(enabled="all", *args, **kwargs):
    """Starts, changes or (with None) ends the recording of call stacks and of the allocator's history.

    enabled: None, "state" (stacks of what is allocated) or "all" (also the history of actions); a bool is the old form.
    context: None, "state", "alloc" or "all": which of these get call stacks. max_entries: only the newest are kept.
    """
    if isinstance(enabled, bool):
        return _legacy(enabled, *args, **kwargs)
    return _start(enabled, *args, **kwargs)


def _legacy(
    enabled, record_context=True, trace_alloc_max_entries=1, trace_alloc_record_context=False, device=None, *_, **kwargs
):
    context = "all" if trace_alloc_record_context else "state" if record_context else None
    kwargs = {k: v for k, v in kwargs.items() if k in ("clear_history", "skip_actions")}
    _start("all" if enabled else None, context, max_entries=trace_alloc_max_entries, **kwargs)


def _start(
    enabled="all",
    context="all",
    stacks="all",
    max_entries=sys.maxsize,
    device=None,
    clear_history=False,
    compile_context=False,
    global_record_annotations=False,
    skip_actions=None,
    **_,
):
    if enabled not in (None, "state", "all"):
        raise RuntimeError("expected state to be 'state', 'all', or None")
    if context not in (None, "state", "alloc", "all"):
        raise RuntimeError("expected context to be 'state', 'alloc', 'all', or None")
    now = int(_C._js.eventCount())
    state = _state
    if enabled is None:
        state.since = state.first = state.context = None
        state.annotations.clear()
        return
    if state.since is None:
        state.since = now
    if enabled == "state":
        state.first = None
    elif state.first is None or clear_history:
        state.first = now
    state.context, state.most, state.skipped = context, max_entries, tuple(skip_actions or ())


def take() -> Tensor:
    """The snapshot's parts as PyTorch's dictionaries."""
    state = _state
    history = json.loads(_C._js.memoryHistory(-1 if state.first is None else state.first))
    table = history["frames"]
    stacks = {}

    def stack(frame, event):
        """Innermost first; empty for what happened before the recording."""
        if frame < 0 or state.since is None or event < state.since or state.context is None:
            return []
        known = stacks.get(frame)
        if known is None:
            known, at = [], frame
            while at >= 0:
                parent, file, line, name = table[at]
                known.append({"name": name, "filename": file, "line": line})
                at = parent
            stacks[frame] = known
        return known

    segments = []
    for s in history["segments"]:
        fields = dict(zip(_SEGMENT, s["fields"]))
        expandable = fields.pop("is_expandable")
        blocks = [
            {
                "address": address,
                "size": size,
                "requested_size": requested,
                "state": kind,
                "frames": stack(frame, event),
            }
            for address, size, requested, kind, event, frame in s["blocks"]
        ]
        segments.append(
            {
                "device": 0,
                **fields,
                "segment_pool_id": tuple(s["poolId"]),
                "is_expandable": expandable,
                "frames": stack(s["frame"], s["event"]),
                "blocks": blocks,
            }
        )
    return {"segments": segments, "entries": _entries(history["entries"], stack), "settings": history["settings"]}


def _metadata_at(event):
    from bisect import bisect_right

    return _state.metadata[bisect_right(_state.metadata, (event, "\U0010ffff")) - 1][1]


def _entries(rows, stack):
    state = _state
    all_frames, alloc_frames = state.context == "all", state.context in ("alloc", "all")
    result = []

    def add(action, where, size, stream, event, frames, text):
        place = {"device_free": where} if action == "oom" else {"addr": where}
        result.append(
            {
                "action": action,
                **place,
                "size": size,
                "stream": stream,
                "time_us": event,
                "compile_context": "N/A",
                "user_metadata": text,
                "frames": frames,
            }
        )

    annotations = iter(sorted(a for a in state.annotations if state.first is not None and a[0] >= state.first))
    pending = next(annotations, None)
    for action, where, size, stream, event, frame in rows:
        while pending is not None and pending[0] <= event:
            add("annotate", pending[1], pending[2], 0, pending[0], stack(pending[4], pending[0]), pending[3])
            pending = next(annotations, None)
        if action not in state.skipped:
            wanted = all_frames if action in _FREES else alloc_frames
            add(action, where, size, stream, event, stack(frame, event) if wanted else [], _metadata_at(event))
    while pending is not None:
        add("annotate", pending[1], pending[2], 0, pending[0], stack(pending[4], pending[0]), pending[3])
        pending = next(annotations, None)
    return result[-state.most :] if state.most < len(result) else result


def _snapshot(device=None, augment_with_fx_traces=False):
    """Segments, the history of each device, the allocator's settings: the dictionary that _dump_snapshot pickles."""
    parts = take()
    return {
        "segments": parts["segments"],
        "device_traces": [parts["entries"]],
        "allocator_settings": parts["settings"],
        "external_annotations": [],
    }


def _dump_snapshot(filename="dump_snapshot.pickle", augment_with_fx_traces=False):
    """Pickles _snapshot() into a file, for pytorch.org/memory_viz."""
    import pickle

    with open(filename, "wb") as f:
        pickle.dump(_snapshot(), f)


def _memory_metadata_supported():
    return True


def _set_memory_metadata(metadata):
    _state.metadata.append((int(_C._js.eventCount()), metadata))


def _get_memory_metadata():
    return _state.metadata[-1][1]


def _annotate_tensor(tensor, metadata):
    """An entry of the history that says something about a tensor's memory."""
    if tensor.device.type != "cuda":
        raise ValueError("expected a CUDA tensor")
    storage = tensor.untyped_storage()
    _state.annotations.append((int(_C._js.eventCount()), storage.data_ptr(), storage.nbytes(), metadata, _C.here()))
