"""Element-wise operators, reductions and scans."""

import torch
from torch.nn import functional as F

from sections import run_all

UNARY = """abs neg exp log log2 log10 log1p expm1 sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh sigmoid erf erfc
square sign floor ceil round trunc frac lgamma digamma logit erfinv sgn exp2 sinc""".split()
ACTIVATIONS = """relu relu6 elu selu celu gelu silu mish softplus softsign tanhshrink hardtanh hardswish hardsigmoid leaky_relu
logsigmoid hardshrink softshrink""".split()
REDUCTIONS = "sum mean prod amax amin std var logsumexp norm argmax argmin median nansum any all".split()
SCANS = "cumsum cumprod logcumsumexp cummax cummin".split()

cases = {}
for name in UNARY:
    cases[name] = lambda m, f=getattr(torch, name): f(
        m.positive() * 0.4 if f in (torch.asin, torch.acos, torch.erfinv, torch.logit) else m.positive()
    )
for name in ACTIVATIONS:
    cases[f"F.{name}"] = lambda m, f=getattr(F, name): f(m.x())
for name in REDUCTIONS:
    f = getattr(torch, name)
    if name != "logsumexp":
        cases[f"{name} of all"] = lambda m, f=f: f(m.x())
    cases[f"{name} of rows"] = lambda m, f=f: f(m.x(), dim=-1)
    if name not in ("median",):
        cases[f"{name} of columns"] = lambda m, f=f: f(m.x(), dim=0)
for name in SCANS:
    cases[f"{name} of rows"] = lambda m, f=getattr(torch, name): f(m.x(), dim=-1)
    cases[f"{name} of columns"] = lambda m, f=getattr(torch, name): f(m.x(), dim=0)

cases.update(
    {
        "add": lambda m: m.x() + m.x(),
        "add broadcast": lambda m: m.x() + m.x(m.columns),
        "sub": lambda m: m.x() - m.x(),
        "mul": lambda m: m.x() * m.x(),
        "mul broadcast": lambda m: m.x() * m.x(m.rows, 1),
        "mul scalar": lambda m: m.x() * 2.5,
        "div": lambda m: m.x() / m.positive(),
        "div broadcast": lambda m: m.x() / m.positive(m.columns),
        "pow": lambda m: m.positive() ** m.x(),
        "pow scalar": lambda m: m.x() ** 3,
        "atan2": lambda m: torch.atan2(m.x(), m.x()),
        "maximum": lambda m: torch.maximum(m.x(), m.x()),
        "minimum": lambda m: torch.minimum(m.x(), m.x()),
        "fmod": lambda m: torch.fmod(m.x(), 1.5),
        "remainder": lambda m: torch.remainder(m.x(), 1.5),
        "hypot": lambda m: torch.hypot(m.x(), m.x()),
        "lerp": lambda m: torch.lerp(m.x(), m.x(), 0.3),
        "lerp tensor": lambda m: torch.lerp(m.x(), m.x(), m.x()),
        "addcmul": lambda m: torch.addcmul(m.x(), m.x(), m.x(), value=0.5),
        "addcdiv": lambda m: torch.addcdiv(m.x(), m.x(), m.positive(), value=0.5),
        "clamp": lambda m: m.x().clamp(-1, 1),
        "clamp tensor": lambda m: torch.clamp(m.x(), m.x(grad=False), m.x(grad=False)),
        "where": lambda m: torch.where(m.x(grad=False) > 0, m.x(), m.x()),
        "where scalar": lambda m: torch.where(m.x(grad=False) > 0, m.x(), 0.0),
        "masked_fill": lambda m: m.x().masked_fill(m.x(grad=False) > 0, -1e4),
        "comparison": lambda m: (m.x() > 0, m.x() == 1, m.x() <= m.x()),
        "logical": lambda m: (m.x() > 0).logical_and(m.x() < 1).logical_not(),
        "isnan": lambda m: (torch.isnan(m.x()), torch.isfinite(m.x())),
        "nan_to_num": lambda m: torch.nan_to_num(m.x()),
        "add_": lambda m: (m.x() * 1).add_(m.x()),
        "mul_": lambda m: (m.x() + 1).mul_(2),
        "relu_": lambda m: (m.x() + 1).relu_(),
        "softmax rows": lambda m: torch.softmax(m.x(), -1),
        "softmax columns": lambda m: torch.softmax(m.x(), 0),
        "softmax float": lambda m: torch.softmax(m.x(), -1, dtype=torch.float32),
        "log_softmax": lambda m: torch.log_softmax(m.x(), -1),
        "softmin": lambda m: F.softmin(m.x(), -1),
        "glu": lambda m: F.glu(m.x()),
        "prelu": lambda m: F.prelu(m.x(), m.x(1)),
        "rrelu": lambda m: F.rrelu(m.x(), training=True),
        "dropout": lambda m: F.dropout(m.x(), 0.1),
        "dropout in place": lambda m: F.dropout(m.x() + 1, 0.1, inplace=True),
        "feature dropout": lambda m: F.dropout1d(m.x(8, m.rows, m.columns // 8), 0.1),
        "gumbel_softmax": lambda m: F.gumbel_softmax(m.x()),
        "aminmax": lambda m: torch.aminmax(m.x(), dim=1),
        "var_mean": lambda m: torch.var_mean(m.x(), dim=1),
        "std_mean": lambda m: torch.std_mean(m.x(), dim=1),
        "count_nonzero": lambda m: torch.count_nonzero(m.x()),
        "max with index": lambda m: m.x().max(dim=1),
        "min with index": lambda m: m.x().min(dim=1),
        "sum of ints": lambda m: m.ids(10, m.rows, m.columns).sum(),
        "diff": lambda m: torch.diff(m.x()),
        "dist": lambda m: torch.dist(m.x(), m.x()),
        "rand": lambda m: (
            torch.rand(m.rows, m.columns, device="cuda"),
            torch.randn(m.rows, device="cuda"),
            torch.randperm(m.rows, device="cuda"),
        ),
        "bernoulli": lambda m: torch.bernoulli(torch.rand(m.rows, m.columns, device="cuda")),
        "multinomial": lambda m: torch.multinomial(torch.rand(64, 100, device="cuda"), 5),
        "in place random": lambda m: (
            m.x(grad=False).uniform_(),
            m.x(grad=False).normal_(),
            m.x(grad=False).exponential_(),
        ),
    }
)
run_all(cases)
