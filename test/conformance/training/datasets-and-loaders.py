import torch
from torch.utils.data import *

def mem(tag):
    print(f"{tag:<44}{torch.cuda.memory_allocated():>12}{torch.cuda.max_memory_allocated():>12}")
    torch.cuda.reset_peak_memory_stats()

X, Y = torch.randn(103, 50, device="cuda"), torch.zeros(103, dtype=torch.long, device="cuda")
ds = TensorDataset(X, Y)
mem("data")
dl = DataLoader(ds, batch_size=20)
print(len(dl), len(ds), len(dl.dataset))
for i, (a, b) in enumerate(dl):
    mem(f"{i} {tuple(a.shape)} {tuple(b.shape)} {b.dtype}")
del a, b
mem("end")
for a, b in DataLoader(ds, batch_size=32, shuffle=True, drop_last=True):
    mem(f"{tuple(a.shape)}")
class D(Dataset):
    def __len__(self): return 11
    def __getitem__(self, i): return {"x": torch.ones(3), "n": i, "f": float(i), "s": str(i), "t": (i, torch.zeros(2))}
b = next(iter(DataLoader(D(), 4)))
print({k: (type(v).__name__, getattr(v, "dtype", None), tuple(v.shape) if hasattr(v, "shape") else v) for k, v in b.items() if k != "t"}, [tuple(t.shape) for t in b["t"]])
tr, va = random_split(ds, [0.8, 0.2])
print(len(tr), len(va), len(ConcatDataset([tr, va])), len(Subset(ds, range(5))))
class It(IterableDataset):
    def __iter__(self): return iter(range(7))
print([t.tolist() if hasattr(t, "tolist") else t for t in DataLoader(It(), batch_size=None)], [tuple(t.shape) for t in DataLoader(It(), batch_size=3)])
print(len(BatchSampler(SequentialSampler(range(10)), 3, False)), list(BatchSampler(SequentialSampler(range(10)), 3, True)))
print(sorted(RandomSampler(range(5))), len(DataLoader(ds, batch_sampler=BatchSampler(SequentialSampler(ds), 10, False))))
dl = DataLoader(D(), 4, collate_fn=lambda s: len(s), num_workers=0, pin_memory=False)
print(list(dl))
