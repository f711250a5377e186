"""Which GPU of the machine the process uses. It sees all, and its memory is on one: that of `set_device`, or number 0."""

import os

from .. import _C
from .._types import DEVICES, device as _device_type


def device_count():
    present = _C._js.deviceCount() if _C._js else 1
    listed = os.environ.get("CUDA_VISIBLE_DEVICES")
    if listed is None:
        return present
    return min(present, len([word for word in listed.split(",") if word.strip() not in ("", "-1")]))


def current_device():
    return DEVICES["cuda"].index


def ordinal(device):
    """The number of a device that a function was given; what is no device is the current one (_utils.py: _get_device_index)."""
    if not isinstance(device, (int, str, _device_type)):
        return current_device()
    index = _device_type(device).index
    if index is None:
        return current_device()
    if index >= device_count():
        raise AssertionError("Invalid device id")
    return index


def set_device(device):
    index = _device_type(device).index
    if index is None or index < 0:
        return
    count = device_count()
    if index >= count:
        gpus = "one GPU: cuda:0" if count == 1 else f"{count} GPUs: cuda:0 to cuda:{count - 1}"
        raise RuntimeError(f"CUDA error: invalid device ordinal\nThe simulated machine has {gpus}.")
    DEVICES["cuda"] = _device_type("cuda", index)


def use(index):
    """A tensor is to be on the GPU of this number: the one whose memory is simulated, or an error."""
    if index == current_device():
        return
    if index >= device_count():
        set_device(index)
    if _C._js.deviceUntouched():
        set_device(index)
        return
    _C._js.assume("another_device", _C.here(), "device", f"cuda:{index}")


class device:
    """Context that selects a device."""

    def __init__(self, device):
        self.idx = ordinal(device)

    def __enter__(self):
        self._before = current_device()
        set_device(self.idx)

    def __exit__(self, *_):
        set_device(self._before)
        return False


class device_of(device):
    """Context that selects the device of a tensor."""

    def __init__(self, obj):
        self.idx = obj.get_device() if obj.is_cuda else current_device()


def untouched():
    """Whether the process has neither chosen a device nor used one."""
    return DEVICES["cuda"].index == 0 and _C._js.deviceUntouched()
