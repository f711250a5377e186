"""Hyperparameters of a run as TensorBoard's plug-in reads them: the experiment, the session's start and its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _protos

if TYPE_CHECKING:
    from typing import Any


_STRING, _BOOL, _FLOAT = 1, 2, 3
_SUCCESS = 1


def _value(v):
    """google.protobuf.Value and the type of it."""
    if isinstance(v, bool):
        return _protos.number(4, v), _BOOL
    if isinstance(v, (int, float)):
        return _protos.double(2, v), _FLOAT
    if isinstance(v, str):
        return _protos.data(3, v), _STRING
    if hasattr(v, "numel"):
        return _protos.double(2, float(v)), _FLOAT
    raise ValueError("value should be one of int, float, str, bool, or torch.Tensor")


def _summary(tag, field, body):
    content = _protos.data(field, body)
    return _protos.summary(
        tag, _protos.data(9, _protos.metadata("hparams", content)) + _protos.data(8, _protos.float_tensor(0.0))
    )


def summaries(hparams: Any, metrics: Any, domains: Any = None) -> tuple:
    """The three summaries, in order."""
    infos, start = b"", b""
    for name, v in hparams.items():
        if v is None:
            continue
        body, kind = _value(v)
        start += _protos.data(1, _protos.data(1, name) + _protos.data(2, body))
        info = _protos.data(1, name) + _protos.number(4, kind)
        if name in (domains or {}):
            info += _protos.data(5, b"".join(_protos.data(1, _value(d)[0]) for d in domains[name]))
        infos += _protos.data(4, info)
    for name in metrics:
        infos += _protos.data(5, _protos.data(1, _protos.data(2, name)))
    return (
        _summary("_hparams_/experiment", 2, infos),
        _summary("_hparams_/session_start_info", 3, start),
        _summary("_hparams_/session_end_info", 4, _protos.number(1, _SUCCESS)),
    )
