"""torch._six: a few names that programs for releases before 2.0 took from there."""

from __future__ import annotations

import math

from ._release import rules

if not rules.has_six_module:
    raise ModuleNotFoundError("No module named 'torch._six'", name="torch._six")

inf, nan = math.inf, math.nan
string_classes = (str, bytes)
