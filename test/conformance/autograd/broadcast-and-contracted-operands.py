# operators whose overload, order or view decides: numbers on the left, contracted sizes of one, products of rows, broadcast bounds
import torch


def tensor(*shape, grad=True):
    return torch.ones(shape, device="cuda", requires_grad=grad)


def leaves(out):
    return [out] if isinstance(out, torch.Tensor) else list(out)


def run(name, function, *inputs):
    base = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    try:
        out = leaves(function(*inputs))
    except (AttributeError, TypeError) as error:
        print(name, type(error).__name__)
        return
    nodes = [leaf.grad_fn.name() if leaf.grad_fn else None for leaf in out]
    print(name, torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated() - base, *nodes)
    roots = [leaf for leaf in out if leaf.requires_grad]
    if roots:
        torch.cuda.reset_peak_memory_stats()
        try:
            torch.autograd.backward(roots, [torch.ones_like(leaf) for leaf in roots])
        except RuntimeError as error:
            print(name, error)
        print(name, "backward", torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated() - base)


run("number % tensor", lambda x: 5 % x, tensor(300))
run("number // tensor", lambda x: 5 // x, tensor(300, grad=False))
run("number ** tensor", lambda x: 2 ** x, tensor(300))
run("number / tensor", lambda x: 2 / x, tensor(300))
run("number - tensor", lambda x: 2 - x, tensor(300))
run("__rmod__", torch.Tensor.__rmod__, tensor(300), tensor(300))
run("__rpow__", torch.Tensor.__rpow__, tensor(300), tensor(300))
run("__rdiv__", lambda x: x.__rdiv__(3), tensor(300))
run("tensordot", lambda a, b: torch.tensordot(a, b, dims=([0, 1], [2, 0])), tensor(20, 20, 1), tensor(20, 1, 20))
run("tensordot first", lambda a, b: torch.tensordot(a, b, dims=([0, 1], [2, 0])), tensor(1, 1, 30), tensor(20, 30, 20))
run("tensordot second", lambda a, b: torch.tensordot(a, b, dims=1), tensor(30, 20), tensor(1, 30))
run("inner", torch.inner, tensor(300), tensor(300))
run("inner of rows", torch.inner, tensor(30, 30), tensor(30))
run("multi_dot", lambda a, b: torch.linalg.multi_dot([a, b]), tensor(20, 30), tensor(30, 20))
run("multi_dot of rows", lambda a, b, c: torch.linalg.multi_dot([a, b, c]), tensor(30), tensor(30, 20), tensor(20))
run("linear of a row", torch.nn.functional.linear, tensor(300), tensor(40, 300))
run("linear of a row with bias", torch.nn.functional.linear, tensor(300), tensor(40, 300), tensor(40))
run("linear to one", torch.nn.functional.linear, tensor(8, 300), tensor(300))
run("quantile", lambda x: torch.quantile(x, 0.5), tensor(300))
run("quantile of rows", lambda x: torch.quantile(x, 0.5, dim=1), tensor(20, 30))
run("nanquantile", lambda x: torch.nanquantile(x, torch.tensor([0.2, 0.6], device="cuda"), dim=0), tensor(20, 30))
run("unsafe_chunk", lambda x: torch.unsafe_chunk(x, 2), tensor(30, 20))
run("unsafe_split", lambda x: torch.unsafe_split(x, 16), tensor(30, 20))
run("round", lambda x: torch.round(x), tensor(300))
run("diag of a matrix", torch.diag, tensor(30, 20))
run("diag of a row", torch.diag, tensor(20))
run("vecdot", torch.linalg.vecdot, tensor(20, 30), tensor(20, 30))
run("clamp", torch.clamp, tensor(5, 20, 30), tensor(20, 30), tensor(20, 30))
run("clamp above", lambda x, high: torch.clamp(x, max=high), tensor(5, 20, 30), tensor(20, 30))
run("ravel", torch.ravel, torch.empty_strided((5, 20, 30), (1200, 60, 2), device="cuda", requires_grad=True))
run("flatten", torch.flatten, torch.empty_strided((5, 20, 30), (1200, 60, 2), device="cuda", requires_grad=True))
run("masked.std", lambda x: torch.masked.std(x, dim=0, unbiased=False), tensor(300))
run("cov", torch.cov, tensor(2, 300))
run("cov of a row", torch.cov, tensor(300))
