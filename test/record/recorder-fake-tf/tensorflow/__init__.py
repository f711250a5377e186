"""Only what `vramscope record` asks of TensorFlow: `take(bytes)` allocates."""

import types

__version__ = "2.20.0+fake"
_now = {"current": 0, "peak": 0}


def take(count):
    _now["current"] += count
    _now["peak"] = max(_now.values())


def _info(device):
    assert device == "GPU:0"
    return dict(_now)


config = types.SimpleNamespace(experimental=types.SimpleNamespace(get_memory_info=_info))
