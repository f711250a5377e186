"""torch.distributions.transforms: maps of samples, with the logarithm of their Jacobian."""

from .._stand_ins import lacks
from ._elementwise_transforms import (
    AbsTransform,
    AffineTransform,
    ExpTransform,
    PowerTransform,
    SigmoidTransform,
    SoftplusTransform,
    TanhTransform,
    _clipped_sigmoid,
)
from ._joining_transforms import CatTransform, CumulativeDistributionTransform, StackTransform
from ._maps import (
    ComposeTransform,
    IndependentTransform,
    ReshapeTransform,
    Transform,
    _InverseTransform,
    identity_transform,
)
from ._matrix_transforms import (
    CorrCholeskyTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    SoftmaxTransform,
    StickBreakingTransform,
)

__all__ = """AbsTransform AffineTransform CatTransform ComposeTransform CorrCholeskyTransform CumulativeDistributionTransform ExpTransform
IndependentTransform LowerCholeskyTransform PositiveDefiniteTransform PowerTransform ReshapeTransform SigmoidTransform
SoftplusTransform TanhTransform SoftmaxTransform StackTransform StickBreakingTransform Transform identity_transform""".split()

__getattr__ = lacks("torch.distributions.transforms")
