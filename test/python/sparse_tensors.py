"""Sparse tensors on a GPU: what lives afterwards and the most in between; nothing here depends on which entries meet."""

import torch

d = "cuda"
indices = torch.zeros(2, 1000, dtype=torch.int64, device=d)
values = torch.ones(1000, device=d, requires_grad=True)
plain = values.detach()
weight = torch.ones(200, 64, device=d)
torch.mm(weight, weight.t())
made = torch.sparse_coo_tensor(indices, plain, (100, 200), is_coalesced=True)
loose = torch.sparse_coo_tensor(indices, plain, (100, 200))
dense = torch.ones(100, 200, device=d)
other = torch.sparse_coo_tensor(torch.zeros(1, 1000000, dtype=torch.int64, device=d), torch.ones(1000000, device=d), (1000000,))
CASES = {
    "made": lambda: torch.sparse_coo_tensor(indices, values, (100, 200)),
    "of a size": lambda: torch.sparse_coo_tensor(size=(3, 4), device=d),
    "indices": lambda: made.indices(),
    "values": lambda: made.values(),
    "dense": lambda: made.to_dense(),
    "dense, not in order": lambda: loose.to_dense(),
    "turned": lambda: made.t(),
    "added": lambda: made + made,
    "added to a dense one": lambda: torch.ones(100, 200, device=d) + made,
    "scaled": lambda: made * 2,
    "copied": lambda: made.clone(),
    "in half precision": lambda: made.half(),
    "summed": lambda: torch.sparse.sum(made),
    "sent": lambda: torch.eye(30).to_sparse().to(d),
}


def measured(name, run):
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    result = run()
    print(name, torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before)
    return result


for name, run in CASES.items():
    result = measured(name, run)
    del result
before = torch.cuda.memory_allocated()
torch.cuda.reset_peak_memory_stats()
other.coalesce()
print("put in order", torch.cuda.max_memory_allocated() - before)
