/** Small tensors on the CPU hold the values that PyTorch gives them; expected numbers were printed by PyTorch 2.14.1. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const { run } = vramscope;

async function printed(program: string): Promise<readonly string[]> {
  const result = await run({ script: "p.py", source: `import torch\n${program}` });
  expect([result.errorText, result.status]).toEqual([null, "ok"]);
  return result.stdout.trim().split("\n");
}

it("finds at most as many different positions as a dimension has, of values that only a run knows", async () => {
  const program = [
    "best = torch.randn(128, 10, device='cuda').argmax(1)",
    "print(len(best.unique()), len(best.reshape(8, 16).cpu().unique()), len((best + 1).unique()))",
    "best[0] = 3",
    "print(len(best.unique()))",
  ].join("\n");
  expect(await printed(program)).toEqual(["10 10 128", "128"]);
});

describe("a seeded generator", () => {
  it("draws PyTorch's numbers, in its order", async () => {
    const program = `
torch.manual_seed(0)
print([round(v, 4) for v in torch.rand(3).tolist()])
print([round(v, 4) for v in torch.randn(3).tolist()])
print([round(v, 4) for v in torch.randn(20)[:3].tolist()])
print(torch.randint(0, 10, (5,)).tolist(), torch.randperm(6).tolist())
torch.empty((), dtype=torch.int64).random_()
print(torch.zeros(4).bernoulli_(0.5).tolist(), round(torch.rand(1).item(), 4))
print(torch.bernoulli(torch.full((4,), 0.5)).tolist(), round(torch.rand(1).item(), 4))
print([round(v, 4) for v in torch.rand(2, dtype=torch.float64).tolist()], torch.rand(2, dtype=torch.bfloat16).tolist())
print([round(v, 4) for v in torch.empty(3).exponential_().tolist()], round(torch.rand(1).item(), 4))
print(torch.multinomial(torch.ones(5), 2).tolist(), round(torch.rand(1).item(), 4))
print(torch.multinomial(torch.ones(5), 3, replacement=True).tolist(), round(torch.rand(1).item(), 4))
print(torch.randint(0, 2**30, (2,)).tolist(), torch.randint(0, 2**40, (2,)).tolist(), round(torch.rand(1).item(), 4))
torch.randperm(200000)
print(round(torch.rand(1).item(), 4))
print([round(v, 4) for v in torch.randn(17)[-3:].tolist()], round(torch.rand(1).item(), 4))
`;
    expect(await printed(program)).toEqual([
      "[0.4963, 0.7682, 0.0885]",
      "[0.3643, 0.1344, 0.1642]",
      "[-0.2041, -0.0885, 0.5239]",
      "[5, 2, 1, 0, 9] [5, 2, 0, 1, 3, 4]",
      "[0.0, 0.0, 1.0, 1.0] 0.6159",
      "[0.0, 0.0, 1.0, 1.0] 0.6965",
      "[0.3142, 0.5294] [0.0654296875, 0.546875]",
      "[0.6883, 0.8074, 0.0099] 0.4158",
      "[4, 0] 0.7497",
      "[4, 3, 3] 0.3742",
      "[897430278, 656229423] [548188403700, 566915494860] 0.1957",
      "0.376",
      "[-1.622, 0.6193, -2.0947] 0.8949",
    ]);
  });

  it("gives the same numbers in whatever order somebody looks at them", async () => {
    const program = `
torch.manual_seed(0)
a, _, b, _, c = (torch.rand(n) for n in (20, 2_000_000, 20, 3_000_000, 20))
print([[round(v, 4) for v in t.tolist()] for t in (c[:2], a[:2], b[:2], c[-2:], a[-2:], b[-2:])])
`;
    expect(await printed(program)).toEqual([
      "[[0.0158, 0.1977], [0.4963, 0.7682], [0.1074, 0.461], [0.8095, 0.0698], [0.161, 0.2823], [0.3719, 0.657]]",
    ]);
  });

  it("is each its own, and seeds samplers as the default one does", async () => {
    const program = `
g = torch.Generator()
g.manual_seed(5)
print([round(v, 4) for v in torch.rand(2, generator=g).tolist()], torch.randperm(4, generator=g).tolist())
torch.manual_seed(3)
layer = torch.nn.Linear(4, 3)
print([round(v, 4) for v in layer.weight[0].tolist()], round(torch.rand(1).item(), 4))
torch.manual_seed(3)
loader = torch.utils.data.DataLoader(list(range(10)), batch_size=3, shuffle=True)
print([batch.tolist() for batch in loader], round(torch.rand(1).item(), 4))
`;
    expect(await printed(program)).toEqual([
      "[0.8303, 0.1261] [3, 1, 2, 0]",
      "[-0.4957, -0.3944, -0.2142, -0.473] 0.4594",
      "[[6, 2, 0], [1, 8, 3], [5, 4, 7], [9]] 0.4716",
    ]);
  });
});

describe("a loader", () => {
  it("refuses what PyTorch 2.14 refuses, in its words", async () => {
    const program = `
for options in (dict(persistent_workers=True), dict(timeout=-1), dict(num_workers=2, prefetch_factor=-1), dict(multiprocessing_context="fork"), dict(num_workers=2, persistent_workers=True)):
    try:
        print(len(torch.utils.data.DataLoader(list(range(8)), **options)))
    except ValueError as error:
        print(error)
`;
    expect(await printed(program)).toEqual([
      "persistent_workers option needs num_workers > 0",
      "timeout option should be non-negative",
      "prefetch_factor option should be non-negative",
      "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got num_workers=0",
      "8",
    ]);
  });
});

describe("labels of a data set", () => {
  it("are known one by one, as many as an epoch has", async () => {
    const program = `
import numpy
labels = torch.arange(60_000) % 10
print(numpy.where(numpy.array(labels.clone()) == 4)[0][:3].tolist(), (labels == 3).sum().item(), labels[-1].item())
`;
    expect(await printed(program)).toEqual(["[4, 14, 24] 6000 9"]);
  });
});

describe("a number that nobody knows", () => {
  it("divides and has a logarithm, unlike a 0 that the program made", async () => {
    const program = `
import copy, math, pickle
loss = torch.randn(3, device="cuda").square().mean().item()
count = 0 + (torch.randn(3, device="cuda") > 0).sum().item()
print(10 * math.log10(1 / loss), math.log(loss), 100 * count / count, 7 // count, loss ** -0.5, loss < 1, range(count))
print(type(copy.deepcopy(count)) is int, type(pickle.loads(pickle.dumps(loss))), f"{loss:.2f} {count:d}", torch.tensor([loss]).dtype)
for wrong in ("1 / 0.0", "loss / 0", "count % 0", "math.log(0)", "1 / torch.zeros(1).item()"):
    try:
        eval(wrong)
    except (ZeroDivisionError, ValueError) as error:
        print(type(error).__name__)
`;
    expect(await printed(program)).toEqual([
      "0.0 0.0 0.0 7 1.0 True range(0, 0)",
      "True <class 'float'> 0.00 0 torch.float32",
      "ZeroDivisionError",
      "ZeroDivisionError",
      "ZeroDivisionError",
      "ValueError",
      "ZeroDivisionError",
    ]);
  });
});

describe("writing some places", () => {
  it("is followed through masks, lists and slices", async () => {
    const program = `
ind = torch.zeros(6, dtype=torch.bool).view(3, -1)
ind[[True, False, True], :] = True
print(ind.tolist(), ind.sum().item())
rows = torch.ones(4, 3, device="cuda", requires_grad=True)
out = torch.zeros(6, 3, device="cuda")
out[ind.view(-1)] = rows
out.sum().backward()
print(list(rows.grad.shape))
x = torch.arange(12).view(3, 4)
x[1:, [0, 2]] = torch.tensor([[50, 60], [70, 80]])
x[x == 3] = -1
print(x.tolist())
`;
    expect(await printed(program)).toEqual([
      "[[True, True], [False, False], [True, True]] 4",
      "[4, 3]",
      "[[0, 1, 2, -1], [50, 5, 60, 7], [70, 9, 80, 11]]",
    ]);
  });
});

describe("runs of equal values", () => {
  it("are counted, so that crops of one size are joined", async () => {
    const program = `
a = torch.tensor([3, 3, 5, 5, 5, 3])
values, places, counts = torch.unique_consecutive(a, return_inverse=True, return_counts=True)
print(values.tolist(), places.tolist(), counts.tolist(), torch.cumsum(counts, 0).tolist(), torch.unique_consecutive(a[:2]).tolist())
print([list(range(6))[0:end] for end in torch.cumsum(counts, 0)][1], torch.unique_consecutive(a.view(2, 3)).tolist())
`;
    // as PyTorch 2.14 prints
    expect(await printed(program)).toEqual([
      "[3, 5, 3] [0, 0, 1, 1, 1, 2] [2, 3, 1] [2, 5, 6] [3]",
      "[0, 1, 2, 3, 4] [3, 5, 3]",
    ]);
  });
});

describe("torch.Tensor of a sequence", () => {
  it("is its values as floats, and a size is a size", async () => {
    // as PyTorch 2.14 prints
    const program = `
import numpy as np
for x in ((2, 3), np.ones((1, 4)), np.ones((2, 2), dtype=np.int64), range(3), ((1, 2), (3, 4))):
    print(torch.Tensor(x).dtype, torch.Tensor(x).tolist())
print([tuple(torch.Tensor(x).shape) for x in (torch.Size((2, 3)), np.int64(3), 4)])
`;
    expect(await printed(program)).toEqual([
      "torch.float32 [2.0, 3.0]",
      "torch.float32 [[1.0, 1.0, 1.0, 1.0]]",
      "torch.float32 [[1.0, 1.0], [1.0, 1.0]]",
      "torch.float32 [0.0, 1.0, 2.0]",
      "torch.float32 [[1.0, 2.0], [3.0, 4.0]]",
      "[(2, 3), (3,), (4,)]",
    ]);
  });
});

it("takes a factorization for one that went well where nobody knows, and lays singular vectors as cuSOLVER does", async () => {
  const program = `
info = torch.linalg.cholesky_ex(torch.eye(3).cuda(), out=None)[1]
print(bool(info.any()), bool((info == 0).all()))
u, s, vh = torch.linalg.svd(torch.ones(4, 3, device="cuda"), full_matrices=False)
print(u.stride(), vh.stride())`;
  // linalg_svd's meta function: row-major where the device is cuda
  expect(await printed(program)).toEqual(["False True", "(1, 4) (3, 1)"]);
});

describe("torch.distributions", () => {
  it("has its classes in modules of their own, too", async () => {
    const program = `
from torch.distributions.categorical import Categorical
from torch.distributions.normal import Normal
import torch.distributions.kl
print(Categorical is torch.distributions.Categorical, Normal is torch.distributions.Normal, torch.distributions.kl.kl_divergence.__name__)
`;
    expect(await printed(program)).toEqual(["True True kl_divergence"]);
  });
});

describe("a buffer", () => {
  it("holds the numbers of its bytes, and is refused as PyTorch does", async () => {
    const program = `
import struct
print(torch.frombuffer(bytearray(struct.pack("<3f", 1.5, -2, 0.25)), dtype=torch.float32).tolist())
print(torch.frombuffer(b"\\x01\\x00\\x02\\x00\\xff\\xff", dtype=torch.int16, offset=2).tolist())
print(torch.frombuffer(b"abcdef", dtype=torch.uint8, count=3).sum().item())
print(torch.frombuffer(memoryview(struct.pack("<2q", 7, -1)), dtype=torch.int64, count=1, offset=8).tolist())
for b, rest in ((b"", {}), (b"abc", {}), (b"abcd", dict(offset=4)), (b"abcd", dict(count=3))):
    try: torch.frombuffer(b, dtype=torch.int16, **rest)
    except ValueError as error: print(error)
`;
    expect(await printed(program)).toEqual([
      "[1.5, -2.0, 0.25]",
      "[2, -1]",
      "294",
      "[-1]",
      "both buffer length (0) and count (-1) must not be 0",
      "buffer length (3 bytes) after offset (0 bytes) must be a multiple of element size (2)",
      "offset (4 bytes) must be non-negative and no greater than buffer length (4 bytes) minus 1",
      "requested buffer length (3 * 2 bytes) after offset (0 bytes) must not be greater than actual buffer length (4 bytes)",
    ]);
  });

  it("raises PyTorch's error for what is known to be bad, and spreads a distribution over a larger batch", async () => {
    const program = `
import torch.distributions as d
for bad in (lambda: d.Normal(0.0, -1.0), lambda: d.Poisson(1.0).log_prob(torch.tensor(0.5)), lambda: d.Uniform(2.0, 1.0)):
    try: bad()
    except ValueError as error: print(str(error).splitlines()[0])
print(d.Independent(d.Gamma(torch.ones(3, 4), 2.0), 1).expand([5, 3]).mean.tolist()[4][2])
print(d.Laplace(0.0, 1.0).icdf(torch.tensor(0.5)).item(), d.Binomial(3, torch.tensor(0.5)).enumerate_support().tolist())
`;
    expect(await printed(program)).toEqual([
      "Expected parameter scale (Tensor of shape ()) of distribution Normal(loc: 0.0, scale: -1.0) to satisfy the constraint GreaterThan(lower_bound=0.0), but found invalid values:",
      "Expected value argument (Tensor of shape ()) to be within the support (IntegerGreaterThan(lower_bound=0)) of the distribution Poisson(rate: 1.0), but found invalid values:",
      "Expected parameter low (Tensor of shape ()) of distribution Uniform(low: 2.0, high: 1.0) to satisfy the constraint LessThan(upper_bound=1.0), but found invalid values:",
      "[0.5, 0.5, 0.5, 0.5]",
      "0.0 [0.0, 1.0, 2.0, 3.0]",
    ]);
  });
});
