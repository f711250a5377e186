"""torch.distributions._of_categorical: what distributions share that ask a categorical one."""

from __future__ import annotations

import torch

from .categorical import Categorical
from .distribution import Distribution


class OfCategorical(Distribution):
    _parts = {"_categorical": 0}

    def _begin_with(self, probs, logits, validate_args):
        self._categorical = Categorical(probs, logits)
        shape = self._categorical.param_shape
        Distribution.__init__(self, self._categorical.batch_shape, shape[-1:], validate_args=validate_args)

    def _new(self, *args, **kwargs):
        return self._categorical._new(*args, **kwargs)

    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    param_shape = property(lambda self: self._categorical.param_shape)
