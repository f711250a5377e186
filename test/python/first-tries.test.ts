/** What stopped public programs at their first try: packages of data and settings, questions at a terminal, tables and checkpoints that are not there. */

import { expect, it } from "vitest";
import { message } from "../../src/i18n/index.ts";
import { vramscope } from "../built.ts";

type Result = Awaited<ReturnType<typeof vramscope.run>>;
const said = ({ trace }: Result): string[] =>
  trace.assumptions.map(({ code, args }) => message("en", code as "loop_cut", args));

async function ended(source: string): Promise<Result & { lines: string[] }> {
  const result = await vramscope.run({ script: "p.py", source });
  expect(result.errorText).toBeNull();
  return { ...result, lines: result.stdout.trim().split("\n") };
}

it("answers each question once, by what its line makes of it, and ends when it is asked again", async () => {
  const result = await ended(`
n = int(input("How many? "))
print(n, input("Overwrite [y/n]? "), repr(input("Press Enter to go on")))
while True:
    name = input("Input image filename:")
    print("read", name)
`);
  expect(result.lines.slice(-2)).toEqual(["read image.jpg", "Input image filename:"]);
  expect(result.stdout).toContain("1 y ''");
  expect(said(result).filter((line) => line.startsWith("input:"))).toHaveLength(5);
  const { lines } = await ended('try:\n    input()\nexcept EOFError:\n    print("end")\n');
  expect(lines).toEqual(["end"]);
});

it("keeps what a program puts into lmdb, and takes one that is missing to hold pictures", async () => {
  const result = await ended(`
import io, lmdb
from PIL import Image
env = lmdb.open("mine", map_size=2**30)
with env.begin(write=True) as txn:
    for i in range(3): txn.put(f"k{i}".encode(), bytes([i]))
with env.begin(write=False) as txn:
    print(txn.get(b"k1"), txn.get(b"none"), env.stat()["entries"], [key for key, _ in txn.cursor()])
env = lmdb.open("faces", max_readers=32, readonly=True, lock=False, readahead=False, meminit=False)
with env.begin(write=False) as txn:
    count = int(txn.get("length".encode("utf-8")).decode("utf-8"))
    print(count, Image.open(io.BytesIO(txn.get(b"256-00007"))).size, Image.open(io.BytesIO(txn.get(b"0001"))).size)
`);
  expect(result.lines).toEqual(["b'\\x01' None 3 [b'k0', b'k1', b'k2']", "1000 (256, 256) (500, 375)"]);
  expect(said(result).join("\n")).toContain("faces: is not there; it was taken to hold 1000 pictures in a database");
});

it("tells contents apart as xxhash does", async () => {
  const { lines } = await ended(`
import xxhash
h = xxhash.xxh64(); h.update("ab"); h.update(b"c")
print(h.hexdigest() == xxhash.xxh64("abc").hexdigest() != xxhash.xxh64_hexdigest("abd"), len(h.hexdigest()), len(xxhash.xxh3_128_digest(b"")))
`);
  expect(lines).toEqual(["True 16 16"]);
});

it("has settings of tensorflow.contrib, and Keras' callbacks", async () => {
  const { lines } = await ended(`
import tensorflow as tf
h = tf.contrib.training.HParams(epochs=500, lr=1e-3, fp16=False, names=["a"], text="x")
h.parse("epochs=3,fp16=True,names=[b,c],lr=0.5")
print(h.values(), "lr" in h)
try: h.parse("nothing=1")
except ValueError as e: print(e)
from tensorflow.python.keras.callbacks import CallbackList, History
history = History()
calls = CallbackList([history])
calls.on_train_begin()
for epoch in range(2): calls.on_epoch_end(epoch, {"loss": 1.0 - epoch})
print(history.history)
`);
  expect(lines).toEqual([
    "{'epochs': 3, 'lr': 0.5, 'fp16': True, 'names': ['b', 'c'], 'text': 'x'} True",
    "Unknown hyperparameter type for nothing",
    "{'loss': [1.0, 0.0]}",
  ]);
});

it("makes of a missing file what its reader and the program's text say", async () => {
  const result = await ended(`
import os, struct
import numpy as np, pandas as pd, torch
table = pd.read_csv("ml.train.rating", sep="\\t", header=None, names=["user", "item"], usecols=[0, 1], dtype={0: np.int32, 1: np.int32})
print(table["user"].max() + 1, len(table))
frame = pd.read_csv("labels.csv")
frame[["a", "b"]] = pd.DataFrame({"x": [1] * len(frame), "y": [2] * len(frame)})
print(len(frame.breed.unique()), frame["b"].sum() // len(frame))
net = torch.nn.Linear(2, 3)
print(net.load_state_dict(torch.load("pretrained/pytorch_model.bin")))
with open("data/fineweb_train_000001.bin", "rb") as f:
    header = np.frombuffer(f.read(256 * 4), dtype=np.int32)
    assert header[0] == 20240520, "magic number mismatch in the data .bin file"
    tokens = np.frombuffer(f.read(), dtype=np.uint16)
print(header[1], len(tokens) == header[2])
def listed(path):
    try:
        if os.path.isfile(path):
            with open(path) as f: return len(f.read().splitlines()) > 0
        else:
            raise Exception(path + " does not exist")
    except Exception as e:
        raise Exception(f"Error loading data from {path}: {e}")
print(listed("coco/train2017.txt"))
def found(path):
    if os.path.exists(path): return True
    raise ValueError("no " + path)
print(found(os.path.expanduser("~/.torch/models/vgg.pth")))
with open("data/electricity.txt") as fin: print(np.loadtxt(fin, delimiter=",").shape, torch.has_mps, torch.has_cuda)
`);
  expect(result.lines).toEqual([
    "100 1000",
    "1 2",
    "<All keys matched successfully>",
    "1 True",
    "True",
    "True",
    "(1000, 16) False True",
  ]);
});

it("imports what draws by matplotlib, asks git, and splits and scores", async () => {
  const { lines } = await ended(`
import subprocess
import matplotlib.axes, matplotlib.colors as colors, seaborn as sns
from mpl_toolkits.axes_grid1 import make_axes_locatable
sns.heatmap([[1]])
print(subprocess.check_output("git tag", shell=True), subprocess.check_output(["git", "symbolic-ref", "--short", "HEAD"]))
from sklearn.model_selection import StratifiedShuffleSplit
train, test = next(StratifiedShuffleSplit(n_splits=1, test_size=0.1, random_state=0).split(list(range(50)), [0] * 50))
print(len(train), len(test))
from sklearn.preprocessing import normalize
from sklearn.metrics import log_loss
print(normalize([[3.0, 4.0], [0.0, 0.0]]).tolist(), round(log_loss([1, 0], [0.9, 0.2]), 6), round(log_loss([1], [[0.1, 0.9]]), 6))
import librosa, numpy as np
print(librosa.util.pad_center(np.ones(2), 4).shape, librosa.filters.mel(22050, 1024, 80).shape)
import torchtext.vocab
print(torchtext.vocab.GloVe(name="6B", dim=50, max_vectors=10).get_vecs_by_tokens(["a", "b"]).shape)
`);
  expect(lines).toEqual([
    "b'' b'main\\n'",
    "45 5",
    "[[0.6, 0.8], [0.0, 0.0]] 0.164252 0.105361",
    "(4,) (80, 513)",
    "torch.Size([2, 50])",
  ]);
});

it("counts changes of x.data apart from those of x, as PyTorch does", async () => {
  // what PyTorch 2.14 prints for the same program
  const { lines } = await ended(`
import torch
x = torch.ones(3, device="cuda")
d = x.data; d.add_(1); print(x._version, d._version)
e = x.detach(); e.add_(1); print(x._version, e._version)
y = x.requires_grad_() * 2; s = y.pow(2); y.data.mul_(3); s.sum().backward(); print("ok", y._version)
q = x.data; q.view(3).add_(1); print(q._version, x._version)
`);
  expect(lines).toEqual(["0 1", "1 1", "ok 0", "1 1"]);
});

it("takes numbers between tensors, as PyTorch's former signatures have them", async () => {
  // PyTorch 2.14 takes each of these calls and gives these values and bytes
  const { lines } = await ended(`
import torch
a, b, c = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), torch.tensor([2.0, 2.0])
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(a.clone().add_(0.5, b), torch.sub(a, 2, b), a.clone().addcdiv_(-0.5, b, c), torch.addcmul(a, 0.5, b, c))
print(torch.addmm(1, m, 2, m, m).tolist(), m.addmm(0, m, m).tolist(), torch.addmv(1, a, 2, m, b).tolist(), a.add(torch.tensor(2.0), b).tolist())
try: a.add(b, c)
except TypeError: print("TypeError")
x = torch.ones(1 << 20, device="cuda"); y = torch.ones(1 << 20, device="cuda")
torch.cuda.reset_peak_memory_stats(); x.mul_(0.9).add_(0.1, y); print(torch.cuda.max_memory_allocated())
`);
  expect(lines).toEqual([
    "tensor([2.5000, 4.0000]) tensor([-5., -6.]) tensor([0.2500, 1.0000]) tensor([4., 6.])",
    "[[15.0, 22.0], [33.0, 48.0]] [[7.0, 10.0], [15.0, 22.0]] [23.0, 52.0] [7.0, 10.0]",
    "TypeError",
    "8388608",
  ]);
});

it("leaves a loop that trains on the host by hand, and works nothing out for passes that it searches", async () => {
  const result = await ended(`
import torch
X, Y = torch.randint(0, 27, (2000, 3)), torch.randint(0, 27, (2000,))
C, W, b = torch.randn(27, 10), torch.randn(30, 27), torch.zeros(27)
parameters = [C, W, b]
for p in parameters: p.requires_grad = True
losses = []
for i in range(200000):
    ix = torch.randint(0, 2000, (32,))
    batch = X[ix]
    emb = C[batch]
    loss = torch.nn.functional.cross_entropy(emb.view(32, -1) @ W + b, Y[ix])
    for p in parameters: p.grad = None
    loss.backward()
    for p in parameters: p.data += -0.1 * p.grad
    if i == 150000:
        print("half")
    losses.append(loss.item())
print(len(losses))
`);
  expect(result.lines).toEqual(["half", "200000"]);
  expect(said(result).join("\n")).toMatch(/passes \d+ to 200000 are like pass \d+, and did not run/);
});

it("goes on where a stand-in that has parts of its own lacks a name, until the name is used", async () => {
  const { lines } = await ended(`
from scipy import integrate
from numpy import nothing_of_it
print("imported")
for use in (lambda: integrate.quad(abs, 0, 1), lambda: nothing_of_it()):
    try:
        use()
    except ImportError as error:
        print(error)
try:
    from scipy import guarded
except ImportError:
    print("guarded")
`);
  expect(lines).toEqual([
    "imported",
    "No module named 'scipy.integrate'",
    "vramscope's stand-in for numpy does not have 'nothing_of_it'",
    "guarded",
  ]);
});
