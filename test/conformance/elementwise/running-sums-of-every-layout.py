# What running sums, products and extremes take beside their results: another dtype, another layout, in place, everything along one dimension.
import torch


def mem(what):
    print(what, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


x = torch.zeros(500, 700, device="cuda")
i = torch.zeros(500, 700, device="cuda", dtype=torch.int32)
b = torch.zeros(500, 700, device="cuda", dtype=torch.bool)
h = torch.zeros(500, 700, device="cuda", dtype=torch.half)
mem("start")
for n in ("cumsum", "cumprod", "logcumsumexp", "cummax", "cummin"):
    f = getattr(torch, n)
    forms = {
        "rows": lambda: f(x, 1),
        "columns": lambda: f(x, 0),
        "transposed rows": lambda: f(x.t(), 1),
        "transposed columns": lambda: f(x.t(), 0),
        "part of rows": lambda: f(x[:, 1:], 1),
        "some rows": lambda: f(x[1:], 0),
        "expanded": lambda: f(x[:1].expand(500, 700), 1),
        "flat": lambda: f(x.view(-1), 0),
        "every other": lambda: f(x.view(-1)[::2], 0),
        "one row": lambda: f(x[:1], 1),
        "one column": lambda: f(x[:, :1], 0),
    }
    if n != "logcumsumexp":
        forms |= {
            "int": lambda: f(i, 1),
            "transposed int": lambda: f(i.t(), 1),
            "bool": lambda: f(b, 0),
            "flat int": lambda: f(i.view(-1), 0),
        }
    if n in ("cumsum", "cumprod"):
        forms |= {
            "half to double": lambda: f(h, 1, dtype=torch.float64),
            "part of half to double": lambda: f(h[:, 1:], 1, dtype=torch.float64),
            "in place": lambda: getattr(x, n + "_")(0),
            "in place transposed": lambda: getattr(x.t(), n + "_")(0),
            "in place in part": lambda: getattr(x[:, 1:], n + "_")(1),
        }
    for what, form in forms.items():
        r = form()
        mem(f"{n} {what} {(r if isinstance(r, torch.Tensor) else r[0]).stride()}")
        r = None
