"""sklearn: what training scripts take of it, to split, scale, encode and score data; placeholder rows for its bundled data sets."""

import sys

from torch._stand_ins import lacks

from . import _datasets, _metrics, _preparing

__version__ = "1.7.2"
for _names, _module in (
    ("datasets", _datasets),
    ("metrics metrics.pairwise", _metrics),
    (
        "model_selection preprocessing utils utils.class_weight decomposition manifold pipeline feature_extraction.text cluster",
        _preparing,
    ),
):
    for _name in _names.split():
        sys.modules[f"{__name__}.{_name}"] = _module
        if "." not in _name:
            vars()[_name] = _module
__getattr__ = lacks("sklearn")
