# every divergence that PyTorch knows between two distributions, and maps of all kinds with their Jacobians
import torch
import torch.distributions as d
from torch.distributions import biject_to, constraints, kl_divergence, transform_to

d.Distribution.set_default_validate_args(False)
half = torch.full((70, 300), 0.5, device="cuda")
two = torch.full((70, 300), 2.0, device="cuda")
vectors = torch.full((30, 40), 0.5, device="cuda")
factors = torch.full((30, 40, 5), 0.5, device="cuda")
KINDS = [
    d.Bernoulli(half),
    d.Beta(half, two),
    d.Binomial(3, probs=half),
    d.Categorical(logits=half),
    d.Cauchy(half, two),
    d.Chi2(half),
    d.ContinuousBernoulli(half),
    d.Dirichlet(half),
    d.Exponential(half),
    d.Gamma(half, two),
    d.Geometric(half),
    d.Gumbel(half, two),
    d.HalfNormal(half),
    d.Independent(d.Normal(half, two), 1),
    d.Laplace(half, two),
    d.LowRankMultivariateNormal(vectors, factors, vectors),
    d.MultivariateNormal(vectors, scale_tril=torch.eye(40, device="cuda")),
    d.Normal(half, two),
    d.OneHotCategorical(logits=half),
    d.Pareto(half, two),
    d.Poisson(half),
    d.Uniform(half, two),
]


def measured(name, call):
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    try:
        kept = call()
    except (NotImplementedError, AttributeError) as error:
        return f"{name} {type(error).__name__}"
    kept = kept if isinstance(kept, torch.Tensor) else kept[0]
    return f"{name} {torch.cuda.memory_allocated() - before} {torch.cuda.max_memory_allocated() - before} {tuple(kept.shape)}"


for p in KINDS:
    for q in KINDS:
        line = measured(f"{type(p).__name__} {type(q).__name__}", lambda: kl_divergence(p, q))
        if not line.endswith("NotImplementedError"):
            print(line)

square = torch.eye(12, device="cuda").expand(50, 12, 12).contiguous()
MAPS = [
    (d.AbsTransform(), half),
    (d.AffineTransform(1.0, half, event_dim=1), half),
    (d.PowerTransform(two), half),
    (d.SoftplusTransform(), half),
    (d.SoftmaxTransform(), half),
    (d.StickBreakingTransform(), half),
    (d.LowerCholeskyTransform(), square),
    (d.PositiveDefiniteTransform(), square),
    (d.ReshapeTransform((300,), (30, 10)), half),
    (d.IndependentTransform(d.ExpTransform(), 1), half),
    (d.CatTransform([d.ExpTransform(), d.TanhTransform()], dim=1, lengths=[100, 200]), half),
    (d.StackTransform([d.ExpTransform(), d.SigmoidTransform()], dim=0), half[:2]),
    (d.CumulativeDistributionTransform(d.Normal(half, two)), half),
    (d.ComposeTransform([d.AffineTransform(0.5, 2.0), d.StickBreakingTransform()], cache_size=1), half),
    (biject_to(constraints.interval(-1.0, 2.0)), half),
    (biject_to(constraints.independent(constraints.greater_than(two), 1)), half),
    (transform_to(constraints.simplex), half),
    (transform_to(constraints.less_than(3.0)), half),
]
for m, x in MAPS:
    y = m(x)
    print(
        type(m).__name__,
        measured("forward", lambda: m(x)),
        measured("jacobian", lambda: m.log_abs_det_jacobian(x, y)),
        m.domain.event_dim,
        m.codomain.event_dim,
        m.bijective,
        tuple(m.forward_shape(x.shape)),
        tuple(m.inverse_shape(y.shape)),
    )
    print(measured("  back", lambda: m.inv(y)))
