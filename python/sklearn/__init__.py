"""sklearn: what training scripts take of it, to split, scale, encode and score data; placeholder rows for its bundled data sets."""

import sys
from types import ModuleType

from torch._stand_ins import lacks

from . import _datasets, _estimators, _metrics, _preparing
from ._estimators import clone as clone

__version__ = "1.7.2"
for _names, _module in (
    ("datasets", _datasets),
    ("metrics metrics.pairwise", _metrics),
    (
        "model_selection preprocessing utils utils.class_weight decomposition manifold feature_extraction.text cluster",
        _preparing,
    ),
    ("base pipeline exceptions utils.validation utils.multiclass", _estimators),
):
    for _name in _names.split():
        sys.modules[f"{__name__}.{_name}"] = _module
        if "." not in _name:
            vars()[_name] = _module
for _name, _kinds in _estimators.by_module().items():
    _module = sys.modules[f"{__name__}.{_name}"] = vars()[_name] = ModuleType(f"{__name__}.{_name}", "Placeholders.")
    vars(_module).update(_kinds, __getattr__=lacks(f"sklearn.{_name}"))
__getattr__ = lacks("sklearn")
