/** The stand-in for NumPy: values as NumPy computes them while arrays are small, placeholders beyond, and both ways to torch. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { folderWith } from "../helpers.ts";

const { run } = vramscope;

async function printed(source: string, folder?: string): Promise<string[]> {
  const result = await run({
    script: "p.py",
    source: `import numpy as np\nimport torch\n${source}`,
    ...(folder === undefined ? {} : { folder }),
  });
  expect(result.errorText).toBe(null);
  return result.stdout.trim().split("\n");
}

/** Expressions and what Python prints for them with NumPy itself (`.tolist()` where an array results). */
const VALUES: readonly (readonly [string, string])[] = [
  ["np.array([[1, 2], [3, 4]]).dtype", "int64"],
  ["np.arange(12).reshape(3, 4)[1:, ::2].tolist()", "[[4, 6], [8, 10]]"],
  ["np.arange(12).reshape(3, 4).T[1].tolist()", "[1, 5, 9]"],
  ["np.arange(6).reshape(2, 3)[np.array([1, 0]), [2, 1]].tolist()", "[5, 1]"],
  ["np.arange(6)[np.arange(6) > 3].tolist()", "[4, 5]"],
  ["np.arange(6).reshape(2, 3)[..., None].shape", "(2, 3, 1)"],
  ["(np.ones((2, 1)) + np.arange(3)).tolist()", "[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]"],
  ["(np.arange(3, dtype=np.float32) / 2).dtype", "float32"],
  ["(np.arange(3, dtype=np.int32) / 2).dtype", "float64"],
  ["(np.uint8(200) + np.zeros(1, dtype=np.int16)).dtype", "int16"],
  ["np.array([300], dtype=np.int64).astype(np.uint8).tolist()", "[44]"],
  ["np.arange(6).reshape(2, 3).sum(axis=0).tolist()", "[3, 5, 7]"],
  ["np.arange(6).reshape(2, 3).mean(axis=1, keepdims=True).tolist()", "[[1.0], [4.0]]"],
  ["round(float(np.std([1, 2, 3, 4])), 6)", "1.118034"],
  ["np.argmax(np.array([[1, 9], [8, 2]]), axis=1).tolist()", "[1, 0]"],
  ["np.percentile([1, 2, 3, 4], 25)", "1.75"],
  ["np.cumsum([[1, 2], [3, 4]], axis=0).tolist()", "[[1, 2], [4, 6]]"],
  ["np.sort(np.array([[3, 1], [2, 5]]), axis=0).tolist()", "[[2, 1], [3, 5]]"],
  ["(np.arange(6).reshape(2, 3) @ np.arange(3)).tolist()", "[5, 14]"],
  [
    "np.triu(np.ones((3, 3)), k=1).astype(bool).tolist()",
    "[[False, True, True], [False, False, True], [False, False, False]]",
  ],
  ["np.concatenate([np.zeros((1, 2)), np.ones((2, 2))]).tolist()", "[[0.0, 0.0], [1.0, 1.0], [1.0, 1.0]]"],
  ["np.stack([np.arange(2), np.arange(2)], axis=1).tolist()", "[[0, 0], [1, 1]]"],
  ["np.where(np.array([1, -1]) > 0, 1.5, 0).tolist()", "[1.5, 0.0]"],
  ["[a.tolist() for a in np.array_split(np.arange(5), 2)]", "[[0, 1, 2], [3, 4]]"],
  ["np.meshgrid([1, 2], [3, 4, 5])[0].tolist()", "[[1, 2], [1, 2], [1, 2]]"],
  ["np.linspace(0, 1, 5).tolist()", "[0.0, 0.25, 0.5, 0.75, 1.0]"],
  ["np.log(np.array([0.0, 1.0])).tolist()", "[-inf, 0.0]"],
  ["np.linalg.norm([3, 4])", "5.0"],
  ["np.isnan([1.0, np.nan]).tolist()", "[False, True]"],
  [
    "isinstance(np.int64(3), np.integer), isinstance(np.float64(1), float), np.issubdtype(np.float32, np.floating)",
    "(True, True, True)",
  ],
];

describe("values", () => {
  it("are NumPy's", async () => {
    const lines = await printed(VALUES.map(([expression]) => `print((${expression}))`).join("\n"));
    expect(lines).toEqual(VALUES.map(([, value]) => value));
  });

  it("are random ones in the right ranges and shapes", async () => {
    const lines = await printed(`
np.random.seed(0)
rng = np.random.default_rng(1)
a = np.random.randint(2, 5, size=(50, 2))
print(a.shape, a.min() >= 2, a.max() <= 4)
print(sorted(np.random.permutation(4).tolist()), sorted(rng.choice(4, 4, replace=False).tolist()), rng.integers(3, size=2).shape)
x = np.arange(5)
np.random.shuffle(x)
print(sorted(x.tolist()))
`);
    expect(lines).toEqual(["(50, 2) True True", "[0, 1, 2, 3] [0, 1, 2, 3] (2,)", "[0, 1, 2, 3, 4]"]);
  });

  it("can be set", async () => {
    const lines = await printed(`
a = np.zeros((2, 3), dtype=np.float32)
a[0] = 1
a[:, 2] = [5, 6]
a[a == 0] = -1
a[1, 0] += 3
print(a.tolist(), a.nbytes)
`);
    expect(lines).toEqual(["[[1.0, 1.0, 5.0], [2.0, -1.0, 6.0]] 24"]);
  });
});

describe("large arrays", () => {
  it("have sizes and dtypes but no values, and the report notes where one is read", async () => {
    const result = await run({
      script: "p.py",
      source: `
import numpy as np, torch
a = np.random.randn(1000, 1000).astype(np.float32)
x = torch.from_numpy(a).cuda()
print(a.nbytes, a.T.shape, torch.cuda.memory_allocated())
print(a.mean())
`,
    });
    expect(result.stdout).toBe("4000000 (1000, 1000) 4000256\n0.0\n");
    const codes = result.trace.assumptions.map(({ code }) => code);
    expect(codes.filter((code) => code === "numpy_placeholder")).toHaveLength(1);
  });

  it("take no GPU memory", async () => {
    expect(await printed("a = np.zeros((4096, 4096))\nprint(torch.cuda.memory_allocated())")).toEqual(["0"]);
  });
});

describe("torch", () => {
  it("takes arrays with their dtypes and gives them back", async () => {
    const lines = await printed(`
print(torch.from_numpy(np.arange(3)), torch.tensor(np.ones(2, dtype=np.float32)), torch.as_tensor(np.array([True])).dtype)
print(torch.arange(4).numpy().sum(), np.array(torch.ones(2)).tolist(), np.asarray(torch.zeros(2, 3)).shape)
print(torch.randn(5, 2)[np.array([0, 3])].shape)
for attempt in ("torch.ones(1, device='cuda').numpy()", "torch.ones(1, requires_grad=True).numpy()", "torch.ones(1, dtype=torch.bfloat16).numpy()"):
    try:
        eval(attempt)
    except Exception as error:
        print(type(error).__name__, error)
`);
    expect(lines).toEqual([
      "tensor([0, 1, 2]) tensor([1., 1.]) torch.bool",
      "6 [1.0, 1.0] (2, 3)",
      "torch.Size([2, 2])",
      "TypeError can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.",
      "RuntimeError Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
      "TypeError Got unsupported ScalarType BFloat16",
    ]);
  });

  it("reads batches out of a file as language-model scripts do", async () => {
    const tokens = Buffer.from(Uint16Array.from({ length: 100 }, (_, i) => i).buffer).toString("latin1");
    const folder = folderWith({});
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${folder}/train.bin`, tokens, "latin1");
    const lines = await printed(
      `
data = np.memmap("train.bin", dtype=np.uint16, mode="r")
ix = torch.randint(len(data) - 8, (4,))
x = torch.stack([torch.from_numpy(data[i : i + 8].astype(np.int64)) for i in ix])
print(len(data), data[10:13].tolist(), data[99], *x.shape, x.dtype)
np.save("x.npy", np.arange(6).reshape(2, 3))
print(np.load("x.npy").tolist(), np.fromfile("train.bin", dtype=np.uint16)[:2].tolist())
`,
      folder,
    );
    expect(lines).toEqual(["100 [10, 11, 12] 99 4 8 torch.int64", "[[0, 1, 2], [3, 4, 5]] [0, 1]"]);
  });

  it("collates samples that are arrays", async () => {
    const lines = await printed(`
class Samples(torch.utils.data.Dataset):
    def __len__(self):
        return 4
    def __getitem__(self, i):
        return np.full((2, 3), i, dtype=np.float32), np.int64(i)
x, y = next(iter(torch.utils.data.DataLoader(Samples(), batch_size=4)))
print(x.dtype, *x.shape, y)
`);
    expect(lines).toEqual(["torch.float32 4 2 3 tensor([0, 1, 2, 3])"]);
  });
});

it("keeps texts and objects", async () => {
  const lines = await printed(`
a = np.array(["x", "y", "z"])
print(a[1], (a == "y").tolist(), a[1:].tolist(), sorted(map(str, set(a))), a.dtype.kind, {"x": 1}.get(a[0]))
print(np.array(["1", "2.5"]).astype(np.float32).tolist(), np.array(["7", "8"], dtype=np.int32).sum())
print(np.array([None, {"k": 1}], dtype=object)[1], np.array([1, None]).dtype, np.zeros(2, dtype="U5").tolist())
try:
    torch.from_numpy(a)
except TypeError as error:
    print(error)
`);
  expect(lines).toEqual([
    "y [False, True, False] ['y', 'z'] ['x', 'y', 'z'] U 1",
    "[1.0, 2.5] 15",
    "{'k': 1} object ['', '']",
    "can't convert np.ndarray of type numpy.str_. The only supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool.",
  ]);
});

it("takes numbers that came from the GPU, and other classes of numbers, as the numbers that they are", async () => {
  const lines = await printed(`
import enum
loss = torch.randn(3, device="cuda").sum().item()
size = enum.IntEnum("Size", "small large").large
print(*(type(f(loss)).__name__ for f in (np.exp, np.log, np.sqrt, np.abs, np.mean)), type(np.power(loss, 2)).__name__)
print(np.array([loss]).dtype, np.array([loss, 1]).dtype, np.asarray(loss).dtype, len(np.array([loss]).tobytes()))
print(np.array([size, 3]).dtype, np.array([size, 3]).tolist(), np.sqrt(size), np.zeros(size).shape)
`);
  expect(lines).toEqual([
    "float64 float64 float64 float64 float64 float64",
    "float64 float64 float64 8",
    "int64 [2, 3] 1.4142135623730951 (2,)",
  ]);
});

it("says what it does not have", async () => {
  const lines = await printed(`
for attempt in ("np.rec", "np.busday_count"):
    try:
        eval(attempt)
    except Exception as error:
        print(type(error).__name__, error)
`);
  expect(lines).toEqual([
    "AttributeError vramscope's stand-in for numpy does not have 'rec'",
    "AttributeError vramscope's stand-in for numpy does not have 'busday_count'",
  ]);
});

// as PyTorch 2.14 and NumPy 2 print it: samplers read the order of all rows of a data set, and write into lists of places
describe("an order of many numbers", () => {
  it("is the one that PyTorch draws", async () => {
    const lines = await printed(`
g = torch.Generator(); g.manual_seed(3)
p = torch.randperm(100000, generator=g, dtype=torch.int32).numpy()
print(p[:5].tolist(), int(p[77777]), sorted(p.tolist()) == list(range(100000)))
torch.manual_seed(0)
print(torch.randperm(70000)[:3].tolist(), torch.randperm(5).tolist(), torch.rand(2))
`);
    expect(lines).toEqual([
      "[58986, 64086, 32569, 61898, 76340] 31951 True",
      "[26044, 34615, 62699] [3, 2, 1, 4, 0] tensor([0.7001, 0.1159])",
    ]);
  });

  it("says of an array by name and by key whether it can be written", async () => {
    expect(
      await printed('f = np.zeros(2).flags\nprint(f.writeable, f["WRITEABLE"], f.c_contiguous, hasattr(f, "nothing"))'),
    ).toEqual(["True True True False"]);
  });

  it("can be read and written in NumPy, however many there are", async () => {
    const lines = await printed(`
n = np.arange(1, 300001, dtype=np.int32); n[-1] = -1; n[3] = n[4]
print(n[0], n[3], n[5], n[-1], n[-2], n.shape, n.sum(), np.arange(100000).max(), np.arange(1000000)[::-250000].tolist())
`);
    expect(lines).toEqual(["1 5 6 -1 299999 (300000,) 44999850000 99999 [999999, 749999, 499999, 249999]"]);
  });
});
