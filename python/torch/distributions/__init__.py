"""torch.distributions: the distributions that training scripts use, with the checks that each makes of its parameters and samples."""

from .._stand_ins import lacks
from ._base import Distribution
from ._named import (
    Bernoulli,
    Categorical,
    Independent,
    Normal,
    OneHotCategorical,
    OneHotCategoricalStraightThrough,
    kl_divergence,
)
from .gumbel import Gumbel
from .relaxed_bernoulli import LogitRelaxedBernoulli, RelaxedBernoulli
from .transformed_distribution import TransformedDistribution
from .transforms import (
    AffineTransform,
    ComposeTransform,
    ExpTransform,
    SigmoidTransform,
    TanhTransform,
    Transform,
)
from .uniform import Uniform

__getattr__ = lacks("torch.distributions")
