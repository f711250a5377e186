# what the other distributions check: their parameters when they are made, numbers when they are scored
import torch
import torch.distributions as d

CALLS = {"log_prob": lambda m, x: m.log_prob(x), "cdf": lambda m, x: m.cdf(x), "support": lambda m, x: m.support.check(x)}


def report(make, x):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    made = make()
    line = [type(made).__name__, torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before]
    for name, call in CALLS.items():
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        try:
            kept = call(made, x)
        except NotImplementedError:
            line.append(f"no {name}")
            continue
        line.append(f"{name} {torch.cuda.memory_allocated() - before} {torch.cuda.max_memory_allocated() - before} {tuple(kept.shape)}")
        del kept
    print(*line, list(made.arg_constraints), made.support.event_dim, made.support.is_discrete)


half = torch.full((70, 300), 0.5, device="cuda")
two = torch.full((70, 300), 2.0, device="cuda")
shares = torch.full((70, 300), 1 / 300, device="cuda")
ones = torch.ones(70, 300, device="cuda")
vectors = torch.full((30, 40), 0.5, device="cuda")
factors = torch.full((30, 40, 5), 0.5, device="cuda")
triangles = torch.eye(12, device="cuda").expand(50, 12, 12)
temperature = torch.tensor(0.5, device="cuda")
MADE = [
    (lambda: d.Binomial(10, probs=half), ones),
    (lambda: d.Geometric(probs=half), ones),
    (lambda: d.NegativeBinomial(3.0, logits=half), ones),
    (lambda: d.Multinomial(300, probs=half), ones),
    (lambda: d.ContinuousBernoulli(probs=half), half),
    (lambda: d.Weibull(half, two), half),
    (lambda: d.Pareto(half, 2.0), two),
    (lambda: d.InverseGamma(two, half), half),
    (lambda: d.HalfCauchy(half), half),
    (lambda: d.FisherSnedecor(two, 5.0), half),
    (lambda: d.Kumaraswamy(two, half), half),
    (lambda: d.RelaxedOneHotCategorical(temperature, logits=half), shares),
    (lambda: d.LogisticNormal(half[:, 1:], half[:, 1:]), shares),
    (lambda: d.VonMises(half, two), half),
    (lambda: d.MixtureSameFamily(d.Categorical(logits=vectors), d.Normal(vectors, vectors)), half[0, :30]),
    (lambda: d.LKJCholesky(12, torch.ones(50, device="cuda")), triangles),
    (lambda: d.GeneralizedPareto(half, half, half), two),
]
for make, x in MADE:
    report(make, x)
