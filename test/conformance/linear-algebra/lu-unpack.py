# lu_unpack makes the permutation by way of a vector of positions, once more where there is a batch
import torch


def show(name, make):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    made = make()
    shapes = [tuple(t.shape) for t in made]
    print(name, shapes, torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before)


for sizes in ((64, 64), (3, 65, 65), (70, 400), (2, 400, 70)):
    LU = torch.rand(sizes, device="cuda")
    pivots = torch.arange(1, min(sizes[-2:]) + 1, dtype=torch.int32, device="cuda").expand(*sizes[:-2], -1).contiguous()
    show("all", lambda: torch.lu_unpack(LU, pivots))
    show("data", lambda: torch.lu_unpack(LU, pivots, unpack_pivots=False))
    show("pivots", lambda: torch.lu_unpack(LU, pivots, unpack_data=False))
    show("named", lambda: (torch.lu_unpack(LU, pivots).P, torch.lu_unpack(LU, pivots).U))
