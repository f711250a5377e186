/** What stopped programs that nobody here had tried: how they take files apart, what they compare, which former names they use. */

import { describe, expect, it } from "vitest";
import { errorHint } from "../../src/cli/error-hint.ts";
import { vramscope } from "../built.ts";
import { folderWith } from "../helpers.ts";

const { run } = vramscope;
const codes = ({ trace }: Awaited<ReturnType<typeof run>>): string[] => trace.assumptions.map(({ code }) => code);

async function printed(source: string): Promise<{ readonly lines: readonly string[]; readonly told: string[] }> {
  const result = await run({ script: "p.py", source });
  expect(result.errorText).toBeNull();
  return { lines: result.stdout.trim().split("\n"), told: codes(result) };
}

describe("texts that are not there", () => {
  it("hold numbers where their lines are taken apart into numbers", async () => {
    const { lines } = await printed(`
def labels(file):
    found = {}
    for line in open(file):
        ids = line.split(',')
        found[int(ids[0])] = int(ids[1])
    return found

def rows(file):
    with open(file) as f:
        for line in f:
            text, label = line.strip().split('\\t')
            yield text, int(label)

def points(path):
    with open(path) as f:
        return [[float(v) for v in line.split()] for line in f]

made = labels("labels.txt")
print(len(made), made[3])
text, label = next(rows("train.txt"))
print(type(text).__name__, label)
print(len(points("points.txt")[0]))
`);
    expect(lines).toEqual(["1000 3", "str 0", "4"]);
  });

  it("hold names of pictures beside the numbers of a program that reads pictures", async () => {
    const { lines, told } = await printed(`
from PIL import Image
def read(path):
    return [(line.split()[0], int(line.split()[1])) for line in open(path)]
name, label = read("lists/all.txt")[5]
print(name, label, Image.open(name).size)
`);
    expect(lines).toEqual(["5.jpg 5 (500, 375)"]);
    expect(told).toContain("placeholder_file");
  });

  it("have parts in the lines of a table, and rows in what is called metadata", async () => {
    const { lines } = await printed(`
import pandas as pd
with open("speech/lines.txt") as file:
    rows = [line.split("|") for line in file]
print([len(row[2]) > 0 for row in rows if int(row[4])][:1])
print(pd.read_csv("LJSpeech-1.1/metadata.csv", sep="|", header=None).iloc[0, 1] != "")
`);
    expect(lines).toEqual(["[True]", "True"]);
  });

  it("stay prose where nothing is a number", async () => {
    const { lines } = await printed(`
words = open("story.txt").read().split()
print(len(open("story.txt").read()), words[3])
`);
    expect(lines[0]).toMatch(/^1000000 /);
  });
});

describe("archives of pictures", () => {
  it("have the sides that their name says, and the labels of dataset_tool.py", async () => {
    const { lines } = await printed(`
import json, zipfile
import PIL.Image
archive = zipfile.ZipFile("datasets/cifar10-32x32.zip")
names = sorted(name for name in archive.namelist() if name.endswith(".png"))
with archive.open(names[0]) as file:
    picture = PIL.Image.open(file)
with archive.open("dataset.json") as file:
    labels = dict(json.load(file)["labels"])
print(len(names), picture.size, picture.format, PIL.Image.open("a.jpg").format, labels[names[-1]])
`);
    expect(lines).toEqual(["1000 (32, 32) PNG JPEG 9"]);
  });
});

describe("shards of tokens", () => {
  it("have the header that their reader insists on, under a name that a list needs", async () => {
    const { lines } = await printed(`
import glob
import numpy as np
def read(name):
    with open(name, "rb") as f:
        header = np.frombuffer(f.read(256 * 4), dtype=np.int32)
        assert header[0] == 20240801, "magic number mismatch"
        assert header[1] == 7
        ntok = header[2]
        tokens = np.frombuffer(f.read(), dtype=np.uint32)
    return len(tokens) == ntok
files = sorted(glob.glob("data/val_000.bin"))
assert len(files) > 0, "no files"
print(files, read(files[0]))
optional = glob.glob("data/other.bin")
print(optional)
`);
    expect(lines).toEqual(["['data/val_000.bin'] True", "[]"]);
  });
});

describe("arrays, sums and names of former releases", () => {
  it("answers for a file of arrays by the names that the program asks for", async () => {
    const { lines, told } = await printed(`
import numpy as np
data = np.load("none.npz")
print(data["embeddings"].astype("float32").shape, data["labels"].dtype, "embeddings" in data)
`);
    expect(lines).toEqual(["(1000, 100) int64 True"]);
    expect(told).toContain("placeholder_array");
  });

  it("takes every published sum of a placeholder for right, and of nothing else", async () => {
    const { lines } = await printed(`
import hashlib, urllib.request
urllib.request.urlretrieve("https://example.org/models/0f4c8e34f21cf1a914c59d8b3ce882345ad349d6/tiny.pt", "tiny.pt")
data = open("tiny.pt", "rb").read()
wanted = "0f4c8e34f21cf1a914c59d8b3ce882345ad349d6" + "0" * 24
print(hashlib.sha256(data).hexdigest() == wanted, hashlib.sha256(data).hexdigest() != wanted)
print(hashlib.sha256(b"abc").hexdigest() == wanted, hashlib.sha256(b"abc").hexdigest()[:8])
md5 = hashlib.new("md5", b"a"); md5.update(b"bc"); print(md5.hexdigest())
`);
    // of "abc": FIPS 180-2 and RFC 1321
    expect(lines).toEqual(["True False", "False ba7816bf", "900150983cd24fb0d6963f7d28e17f72"]);
  });

  it("has names that NumPy and SciPy had, and says so", async () => {
    const { lines, told } = await printed(`
import numpy as np, scipy.misc
print(np.float is float, np.zeros(2, np.int).dtype, np.NINF, np.unicode_ is np.str_, [k.__name__ for k in np.sctypes["float"]])
print(np.random.Generator(np.random.PCG64(np.random.SeedSequence(3))).random() < 1)
scipy.misc.imsave("a.png", np.zeros((4, 4)))
print(scipy.misc.imresize(np.zeros((10, 20, 3)), 50).shape)
`);
    expect(lines).toEqual(["True int64 -inf True ['float16', 'float32', 'float64']", "True", "(5, 10, 3)"]);
    expect(told).toContain("former_name");
  });

  it("compares a scalar with the items of a list, and takes logarithms of what nobody knows", async () => {
    const { lines, told } = await printed(`
import math, numpy as np, tensorflow as tf, torch
counts = [1, 5, 5, 2]
print(np.argwhere(counts == np.max(counts)).flatten(), np.max(counts) != 5, {np.int64(5): 1}[5])
print(10 * math.log10(torch.rand(4, device="cuda").max() ** 2))
tf.summary.FileWriter("logs").add_summary(tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=1.0)]), 1)
torch.serialization.add_safe_globals(safe_globals=[dict])
`);
    expect(lines).toEqual(["[1 2] False 1", "0.0"]); // the first as NumPy 2
    expect(told).toContain("absent_logs");
  });

  it("hands out from above what a stand-in's part that is not here would define", async () => {
    const { lines } = await printed(`
from jsonargparse.cli import CLI
from jsonargparse import CLI as same
print(CLI is same)
`);
    expect(lines).toEqual(["True"]);
  });

  it("knows a game of the Arcade Learning Environment for one", async () => {
    const { lines } = await printed(`
import gym
print(isinstance(gym.make("PongNoFrameskip-v4").unwrapped, gym.envs.atari.atari_env.AtariEnv))
print(isinstance(gym.make("CartPole-v1").unwrapped, gym.envs.atari.AtariEnv))
`);
    expect(lines).toEqual(["True", "False"]);
  });

  it("asks for the form of a spectrum, as PyTorch does since 2.0", async () => {
    const source = "import torch\nprint(torch.stft(torch.zeros(1, 4096), 512, window=torch.ones(512)).shape)\n";
    // the real PyTorch 2.14
    expect((await run({ script: "p.py", source })).errorText).toContain(
      "stft requires the return_complex parameter be given for real inputs",
    );
    expect((await run({ script: "p.py", source, torch: "1.13" })).stdout).toBe("torch.Size([1, 257, 33, 2])\n");
  });
});

describe("iterators of data loaders", () => {
  const source = `from torch.utils.data import DataLoader
print(iter(DataLoader([1, 2], batch_size=2)).next().tolist())
`;
  it("have next() in the releases that had it, and say so in the others", async () => {
    expect((await run({ script: "p.py", source, torch: "1.12" })).stdout).toBe("[1, 2]\n");
    const { errorText } = await run({ script: "p.py", source });
    expect(errorHint(errorText ?? "", { script: "p.py", workingDirectory: "." })?.code).toBe("hint_loader_next");
  });
});

describe("loops and lengths", () => {
  it("leaves a loop whose condition nobody knows, and says so", async () => {
    const { lines, told } = await printed(`
import torch
x = torch.rand(4, device="cuda")
passes = 0
while x.sum() > 1e-3:
    x = x * 0.5
    passes += 1
n = 0
while n < 40 and passes:
    n += 1
print(passes, n)
known = torch.ones(())
while known > 0.001: known = known / 2
print(known.item() < 0.001)
`);
    expect(lines).toEqual(["10 40", "True"]);
    expect(told).toContain("loop_guessed");
  });

  it("says what each pass of such a loop adds, and where a hundred would not fit that nobody knows", async () => {
    const program = (megabytes: number): string => `
import torch
error, kept = torch.rand(4, device="cuda").sum(), []
while error > 1e-3:
    kept.append(torch.empty(${megabytes}, 1 << 20, dtype=torch.uint8, device="cuda"))
`;
    const said = [];
    for (const megabytes of [40, 4_000]) {
      const facts = vramscope.reportFacts(await run({ script: "p.py", source: program(megabytes) }));
      const loop = facts.assumptions.find(({ code }) => code === "loop_grows_guessed");
      said.push([facts.verdict, loop?.args["passBytes"]]);
    }
    expect(said).toEqual([
      ["fits", 40 * 2 ** 20],
      ["tight", 4_000 * 2 ** 20],
    ]);
  });

  it("finds pictures in a folder that a program insists on before it walks through it", async () => {
    const { lines } = await printed(`
import os
from PIL import Image
root = "trainsets/high"
assert os.path.isdir(root), "no folder"
found = [os.path.join(folder, name) for folder, _, names in sorted(os.walk(root)) for name in sorted(names)]
print(len(found), Image.open(found[0]).size)
`);
    expect(lines).toEqual(["1024 (500, 375)"]);
  });

  it("leaves a loop that it left in training when it evaluates, too, and fills its lists", async () => {
    const { lines } = await printed(`
import torch
net = torch.nn.Sequential(*[torch.nn.Linear(8, 8) for _ in range(60)]).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
ran, losses = 0, []
for phase in ("train", "val"):
    for i in range(700):
        out = net(torch.zeros(2, 8, device="cuda")).sum()
        if phase == "train":
            out.backward(); opt.step(); opt.zero_grad()
        losses.append(out.item())
        ran += phase == "val"
print(ran < 100, len(losses))
`);
    expect(lines).toEqual(["True 1400"]);
  });

  it("goes through data sets that pretend to be longer than lengths are", async () => {
    const { lines } = await printed(`
from torch.utils.data import DataLoader, Dataset
import numpy as np
class Endless(Dataset):
    def __len__(self): return int(1e10)
    def __getitem__(self, i): return i
print(next(iter(DataLoader(Endless(), batch_size=2))).tolist())
print(np.zeros(2, "uint8").tostring())
for i in range(10**10):
    if i == 5: break
print(i)
`);
    expect(lines).toEqual(["[0, 1]", "b'\\x00\\x00'", "5"]);
  });
});

describe("scripts whose calls say what they train", () => {
  const ERROR = "ModuleNotFoundError: No module named 'unsloth'\n";
  const SCRIPT = `from unsloth import FastLanguageModel
from trl import SFTTrainer
model, tokenizer = FastLanguageModel.from_pretrained(model_name="unsloth/llama-3-8b-bnb-4bit", max_seq_length=2048)
model = FastLanguageModel.get_peft_model(model, r=16)
trainer = SFTTrainer(model=model)
`;
  it("are told of the estimate that needs no package", () => {
    const workingDirectory = folderWith({ "train.py": SCRIPT, "other.py": "import unsloth\nunsloth.go()\n" });
    expect(errorHint(ERROR, { script: "train.py", workingDirectory })?.code).toBe("hint_module_not_found_estimate");
    expect(errorHint(ERROR, { script: "other.py", workingDirectory })?.code).toBe("hint_module_not_found");
  });
});

describe("words of other packages", () => {
  it("mixes tensors of the host with arrays as PyTorch and NumPy do", async () => {
    // what PyTorch 2.14 with NumPy 2 prints
    const { lines } = await printed(`
import numpy as np, torch
column, row = torch.ones(3, 1), np.arange(4)
print((column * row).dtype, (column - np.ones((3, 4), np.float32)).dtype, tuple(torch.sin(column * row).shape))
for wrong in (lambda: row * column, lambda: torch.ones(3, requires_grad=True) * np.ones(3), lambda: torch.mul(column, row)):
    try: wrong()
    except (TypeError, RuntimeError) as error: print(type(error).__name__)
numbers = torch.arange(6.).reshape(2, 3)
stored = numbers[1].storage()
print(type(stored).__name__, stored.size(), stored.tolist(), stored[1], stored.dtype)
`);
    expect(lines).toEqual([
      "torch.float64 torch.float32 (3, 4)",
      "TypeError",
      "RuntimeError",
      "TypeError",
      "TypedStorage 6 [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] 1.0 torch.float32",
    ]);
  });

  it("puts arrays on the default device, and the constructor's tensors where a default type says so", async () => {
    // the first line is what PyTorch 2.14 prints; the second follows from its legacy_tensor_generic_ctor_new
    const { lines } = await printed(`
import numpy as np, torch
zeros = np.zeros(3)
made = lambda: print(*(t.device.type for t in (torch.tensor(zeros), torch.as_tensor(zeros), torch.Tensor(zeros), torch.Tensor([1.]), torch.from_numpy(zeros))))
torch.set_default_device("cuda"); made()
torch.set_default_device(None); torch.set_default_tensor_type("torch.cuda.FloatTensor"); made()
`);
    expect(lines).toEqual(["cuda cuda cpu cpu cpu", "cuda cuda cuda cuda cpu"]);
  });

  it("knows words of regex, gym and absent classes", async () => {
    const { lines } = await printed(`
import numpy as np, regex
from gymnasium.core import Env
from ipywidgets import HBox
pattern = regex.compile(r"\\p{L}+")
print(pattern.findall("ab cd", timeout=3), regex.findall(pattern, "ab 3"), pattern.pattern)
one = Env()
one.np_random.seed(3)
print(0 <= one.np_random.randint(5) < 5, one.get_wrapper_attr("render_mode"), np.arange(10)[range(2, 5)])
class Box(HBox): pass
from sklearn.metrics import ConfusionMatrixDisplay
print(bool(Box(children=[1]).children), ConfusionMatrixDisplay([[1]], display_labels=["a"]).plot().display_labels)
import datasets, hydra, os, requests
pages = datasets.load_dataset("allenai/c4", data_files={"train": "en/c4-train.00000-of-01024.json.gz"}, split="train")
lengths = [len(pages[i]["text"].split()) for i in range(8)]
print(min(lengths) < 512, max(lengths) > 4096)
os.mkdir("config")
open("config/train.yaml", "w").write("lr: 0.1")
hydra.main(config_path="config/train.yaml", strict=True)(lambda cfg: print(cfg.lr, requests.compat.urlparse("https://a.org/b").netloc))()
`);
    expect(lines).toEqual(["['ab', 'cd'] ['ab'] \\p{L}+", "True None [2 3 4]", "True ['a']", "True True", "0.1 a.org"]);
  });
});
