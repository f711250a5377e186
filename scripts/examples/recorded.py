"""Runs a program of a package on the recorder and says what it took on the device, the most over all that it asked for its peaks anew.

usage: run ROOT recorded.py -- PROGRAM [words]. Metrics of evaluate, which lie on a hub, answer zero; pinned memory, which a build without CUDA lacks, is plain;
nothing is saved.
"""

import json
import os
import runpy
import sys

import torch


def _follow_peaks():
    """What the device has taken until now, also where the program forgets its peaks."""
    most = {"allocated": 0, "reserved": 0}
    forget = torch.cuda.reset_peak_memory_stats

    def peaks():
        most["allocated"] = max(most["allocated"], torch.cuda.max_memory_allocated())
        most["reserved"] = max(most["reserved"], torch.cuda.max_memory_reserved())
        return most

    def note(*arguments, **named):
        peaks()
        forget(*arguments, **named)

    torch.cuda.reset_peak_memory_stats = torch.cuda.reset_max_memory_allocated = note
    return peaks


class _Metric:
    _NAMES = ("accuracy", "f1", "score", "overall_precision", "overall_recall", "overall_f1", "overall_accuracy")

    def add_batch(self, **named: object) -> None:
        pass

    def compute(self, **named: object) -> dict[str, float]:
        return dict.fromkeys(self._NAMES, 0.0)


def _copy_tensors():
    """A tensor on the stand-in device is copied by an empty one with as large a storage: a storage cannot be made by itself there."""
    plain = torch.Tensor.__deepcopy__

    def deepcopy(self, memo):
        if self.device.type == "cpu" or not self.is_leaf or id(self) in memo:
            return plain(self, memo)
        whole = memo.setdefault("torch", {})
        storage = self.untyped_storage()
        if storage._cdata not in whole:
            whole[storage._cdata] = torch.empty(storage.nbytes(), dtype=torch.uint8, device=self.device)
        with torch.no_grad():
            copied = whole[storage._cdata].view(self.dtype)
            copied = copied.as_strided(self.size(), self.stride(), self.storage_offset())
        memo[id(self)] = copied.requires_grad_(self.requires_grad)
        return copied

    torch.Tensor.__deepcopy__ = deepcopy


def _stand_in():
    _copy_tensors()
    # the device has no values to save
    torch.save = lambda *_, **__: None
    state = torch.empty(16, dtype=torch.uint8)
    for place in (torch.cuda, torch.cuda.random):
        place.get_rng_state = lambda *_, **__: state
        place.get_rng_state_all = lambda *_, **__: [state]
        place.set_rng_state = place.set_rng_state_all = lambda *_, **__: None
    try:
        import safetensors.torch

        safetensors.torch.save_file = lambda *_, **__: None
    except ImportError:
        pass
    torch.Tensor.pin_memory = lambda self, *_, **__: self
    torch.cuda.mem_get_info = lambda *_: (2**42, 2**42)
    try:
        import evaluate
    except ImportError:
        return
    evaluate.load = lambda *_, **__: _Metric()


def _run(words):
    peaks = _follow_peaks()
    _stand_in()
    sys.argv = words
    sys.path.insert(0, os.path.dirname(os.path.abspath(words[0])))
    error = None
    try:
        runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        error = None if end.code in (None, 0) else f"exits with {end.code}"
    except BaseException as caught:
        error = f"{type(caught).__name__}: {caught}"
    print("\n" + json.dumps({"error": error, **peaks()}), flush=True)


_run(sys.argv[1:])
