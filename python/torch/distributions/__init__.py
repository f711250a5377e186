"""torch.distributions: the distributions that training scripts use, with the checks that each makes of its parameters and samples."""

import sys
import types

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
    register_kl,
)
from . import constraints
from .gumbel import Gumbel
from .location_scale import Cauchy, HalfNormal, Laplace, LogNormal, StudentT
from .multivariate_normal import MultivariateNormal
from .rates import Chi2, Exponential, Gamma, Poisson
from .relaxed_bernoulli import LogitRelaxedBernoulli, RelaxedBernoulli
from .shares import Beta, Dirichlet
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

# each of these classes has a module of its own in PyTorch
_MODULES = {
    "bernoulli": [Bernoulli],
    "categorical": [Categorical],
    "distribution": [Distribution],
    "independent": [Independent],
    "kl": [kl_divergence, register_kl],
    "normal": [Normal],
    "beta": [Beta],
    "cauchy": [Cauchy],
    "chi2": [Chi2],
    "dirichlet": [Dirichlet],
    "exponential": [Exponential],
    "gamma": [Gamma],
    "half_normal": [HalfNormal],
    "laplace": [Laplace],
    "log_normal": [LogNormal],
    "poisson": [Poisson],
    "studentT": [StudentT],
    "one_hot_categorical": [OneHotCategorical, OneHotCategoricalStraightThrough],
}
for _name, _members in _MODULES.items():
    _module = vars()[_name] = sys.modules[f"{__name__}.{_name}"] = types.ModuleType(f"{__name__}.{_name}")
    vars(_module).update({member.__name__: member for member in _members})
    _module.__getattr__ = lacks(_module.__name__)
__getattr__ = lacks("torch.distributions")
