"""Operators on distributed tensors, each on parts along either dimension and on a whole one: placements, and bytes kept and at the peak."""

import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
mesh = init_device_mesh("cuda", (int(os.environ["WORLD_SIZE"]),))
a, b, r = (distribute_tensor(torch.randn(64, 96, device="cuda"), mesh, [p]) for p in (Shard(0), Shard(1), Replicate()))


def places(*shape):
    return distribute_tensor(torch.zeros(*shape, dtype=torch.long, device="cuda"), mesh, [Replicate()])


OPERATORS = {
    "argmax rows": lambda t: t.argmax(1),
    "argmax columns": lambda t: t.argmax(0),
    "argmax": lambda t: t.argmax(),
    "argmin kept": lambda t: torch.argmin(t, -1, keepdim=True),
    "einsum": lambda t: torch.einsum("ij,kj->ik", t, r),
    "einsum of batches": lambda t: torch.einsum("bij,bjk->bik", t.view(8, 8, 96), r.view(8, 96, 8)),
    "topk": lambda t: t.topk(4, dim=1),
    "max": lambda t: t.max(1),
    "kthvalue": lambda t: t.kthvalue(2, 1),
    "median": lambda t: t.median(1),
    "aminmax": lambda t: torch.aminmax(t),
    "any": lambda t: (t > 0).any(),
    "all": lambda t: (t > 0).all(1),
    "var": lambda t: t.var(1),
    "std and mean": lambda t: torch.std_mean(t, 0),
    "cat": lambda t: torch.cat([t, a], 0),
    "stack": lambda t: torch.stack([t, a, r], 0),
    "gather": lambda t: t.gather(1, places(64, 2)),
    "take": lambda t: torch.take_along_dim(t, places(64, 2), 1),
    "scatter": lambda t: t.scatter(1, places(64, 2), 0.0),
    "scatter_add": lambda t: t.scatter_add(0, places(64, 96), r),
    "index rows": lambda t: t[places(5)],
    "index columns": lambda t: t[:, places(7)],
    "index_select": lambda t: t.index_select(0, places(5)),
    "index_add": lambda t: t.index_add(0, places(5), r[:5]),
    "pad": lambda t: F.pad(t, (1, 1)),
    "roll": lambda t: t.roll(1, 0),
    "flip": lambda t: t.flip(0),
    "repeat": lambda t: t.repeat(2, 1),
    "glu": lambda t: F.glu(t, 1),
    "bucketize": lambda t: torch.bucketize(t, r[0]),
    "multinomial": lambda t: torch.multinomial(t.softmax(-1), 1),
    "mse": lambda t: F.mse_loss(t, r),
    "cross entropy with logits": lambda t: F.binary_cross_entropy_with_logits(t, r),
    "cross entropy": lambda t: F.cross_entropy(t, places(64)),
    "softmax": lambda t: t.softmax(-1),
    "layer norm": lambda t: F.layer_norm(t, (96,)),
    "batch norm": lambda t: F.batch_norm(t, None, None, training=True),
    "group norm": lambda t: F.group_norm(t.view(8, 8, 96), 4),
    "baddbmm": lambda t: torch.baddbmm(r.view(8, 8, 96)[..., :8], t.view(8, 8, 96), r.view(8, 96, 8)),
    "other zeros": lambda t: t.new_zeros(5, 6),
    "maximum": lambda t: torch.maximum(t.amax(0), r.amax(0)).relu(),
}
for kind, tensor in (("rows", a), ("columns", b), ("whole", r)):
    for name, operator in OPERATORS.items():
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        made = operator(tensor)
        print(kind, name, torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before)
        for part in made if isinstance(made, tuple) else (made,):
            if isinstance(part, DTensor):
                print("   ", tuple(part.shape), part.placements, tuple(part.to_local().shape))
        del made, part
dist.destroy_process_group()
