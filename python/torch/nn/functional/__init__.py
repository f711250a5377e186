"""torch.nn.functional: one private module per group of functions."""

from torch import _C

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
from ._margin_loss import *  # noqa: F403
from ._norm import *  # noqa: F403
from ._pooling import *  # noqa: F403
from ._rows import *  # noqa: F403
from ._sparse import *  # noqa: F403
from ._vision import *  # noqa: F403

# Written here, compiled in PyTorch. So is scaled_dot_product_attention, but the corpora were recorded with one that is not: it lets go
# of inputs that only the call holds.
one_hot = _C.compiled(one_hot)  # noqa: F405
