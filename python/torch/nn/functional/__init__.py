"""torch.nn.functional: one private module per group of functions."""

from ._activation import *  # noqa: F403
from ._activation import _get_softmax_dim
from ._attention import *  # noqa: F403
from ._attention import (
    _canonical_mask,
    _in_projection,
    _in_projection_packed,
    _mha_shape_check,
    _none_or_dtype,
)
from ._dropout import *  # noqa: F403
from ._linear import *  # noqa: F403
from ._loss import *  # noqa: F403
from ._norm import *  # noqa: F403
from ._pooling import *  # noqa: F403
from ._sparse import *  # noqa: F403
from ._vision import *  # noqa: F403
