"""torch.distributions: the distributions, with the checks that each makes of its parameters and samples, their maps and divergences."""

from .._stand_ins import lacks
from . import _kl_alike, _kl_crossed, _kl_infinite, constraints, transforms, utils
from .binomial import Binomial
from .continuous_bernoulli import ContinuousBernoulli
from .fishersnedecor import FisherSnedecor
from .generalized_pareto import GeneralizedPareto
from .geometric import Geometric
from .half_cauchy import HalfCauchy
from .inverse_gamma import InverseGamma
from .kumaraswamy import Kumaraswamy
from .lkj_cholesky import LKJCholesky
from .logistic_normal import LogisticNormal
from .lowrank_multivariate_normal import LowRankMultivariateNormal
from .mixture_same_family import MixtureSameFamily
from .multinomial import Multinomial
from .negative_binomial import NegativeBinomial
from .pareto import Pareto
from .von_mises import VonMises
from .weibull import Weibull
from .wishart import Wishart
from .relaxed_categorical import ExpRelaxedCategorical, RelaxedOneHotCategorical
from .bernoulli import Bernoulli
from .beta import Beta
from .categorical import Categorical
from .cauchy import Cauchy
from .chi2 import Chi2
from .constraint_registry import biject_to, transform_to
from .dirichlet import Dirichlet
from .distribution import Distribution
from .exp_family import ExponentialFamily
from .exponential import Exponential
from .gamma import Gamma
from .gumbel import Gumbel
from .half_normal import HalfNormal
from .independent import Independent
from .kl import kl_divergence, register_kl
from .laplace import Laplace
from .log_normal import LogNormal
from .multivariate_normal import MultivariateNormal
from .normal import Normal
from .one_hot_categorical import OneHotCategorical, OneHotCategoricalStraightThrough
from .poisson import Poisson
from .relaxed_bernoulli import LogitRelaxedBernoulli, RelaxedBernoulli
from .studentT import StudentT
from .transformed_distribution import TransformedDistribution
from .transforms import (
    AbsTransform,
    AffineTransform,
    CatTransform,
    ComposeTransform,
    CorrCholeskyTransform,
    CumulativeDistributionTransform,
    ExpTransform,
    IndependentTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    PowerTransform,
    ReshapeTransform,
    SigmoidTransform,
    SoftmaxTransform,
    SoftplusTransform,
    StackTransform,
    StickBreakingTransform,
    TanhTransform,
    Transform,
    identity_transform,
)
from .uniform import Uniform

__getattr__ = lacks("torch.distributions")

# packages put what they say of a class behind what PyTorch says
for _kind in tuple(vars().values()):
    if isinstance(_kind, type) and not _kind.__doc__:
        _kind.__doc__ = f"{_kind.__name__} as in torch.distributions."
