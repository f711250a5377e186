/** What a program fetches, lists or imports from its own project, and short forms of small packages. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const { run } = vramscope;

type Result = Awaited<ReturnType<typeof run>>;
const codes = ({ trace }: Result): string[] => trace.assumptions.map(({ code }) => code);

const root = mkdtempSync(join(tmpdir(), "vramscope-test-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Loads a checkpoint to the GPU, uses it, and lets it go. */
const LOADS = `
import torch
from torch import nn
def run(path):
    m = nn.Sequential(nn.Linear(1000, 3000), nn.BatchNorm1d(3000)).cuda()
    print(torch.cuda.memory_allocated())
    saved = torch.load(path, map_location="cuda")
    o = torch.optim.Adam(m.parameters())
    m.load_state_dict(saved["model"])
    o.load_state_dict(saved["optimizer"])
    start = saved["epoch"] + 1
    print(start, torch.cuda.max_memory_allocated())
    m.load_state_dict({k.removeprefix("module."): v for k, v in saved["model"].items()})
    print(torch.cuda.memory_allocated()); del saved
    print(torch.cuda.memory_allocated())
run("none.pt")
`;

describe("data that nobody has", () => {
  it("answers for a checkpoint that is not there as the file would", async () => {
    const result = await run({ script: "p.py", source: LOADS });
    // the real PyTorch 2.14 on a stand-in device, where the file was there
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      ["12644864", "1 25289728", "25289728", "12644864"],
    ]);
    expect(codes(result)).toEqual(expect.arrayContaining(["placeholder_file", "checkpoint_of_model"]));
  });

  it("finds folders of folders of modules in the project of a script below", async () => {
    const folder = mkdtempSync(join(root, "nested-"));
    for (const [name, text] of [
      ["pyproject.toml", ""],
      ["parts/models/net.py", "size = 7\n"],
      ["parts/sample/run.py", "from parts.models.net import size\nprint(size)\n"],
    ] as const) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const result = await run({ script: join(folder, "parts/sample/run.py") });
    expect([result.errorText, result.stdout]).toEqual([null, "7\n"]);
  });

  it("gives a picture of classes one number for each pixel", async () => {
    const source = [
      "from PIL import Image",
      "for path in ('VOC/JPEGImages/a.jpg', 'VOC/SegmentationClass/a.png', 'images/a.png', 'data/train_masks/b.png', 'segmentation/images/c.png'):",
      "    print(Image.open(path).mode)",
    ].join("\n");
    const result = await run({ script: "p.py", source });
    expect(result.stdout.split("\n").slice(0, 5)).toEqual(["RGB", "L", "RGB", "L", "RGB"]);
  });

  it("has many images in a folder of which one was opened before, and knows modules of modules that are not simulated", async () => {
    const result = await run({
      script: "p.py",
      source: `
import glob, os, pathlib
import torch
from PIL import Image
print(Image.open("faces/aligned/7.jpg").size)
listed = os.listdir("faces/aligned")
print(len(listed), "7.jpg" in listed, len(glob.glob("faces/aligned/*.jpg")), len(list(pathlib.Path("faces/aligned").iterdir())))
print(Image.open(os.path.join("faces/aligned", listed[-1])).size)
os.makedirs("own"); Image.new("RGB", (3, 4)).save("own/a.jpg"); print(os.listdir("own"))
print(isinstance(3, torch.distributed.rpc.api.RRef))
`,
    });
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      ["(500, 375)", "1025 True 1024 1024", "(500, 375)", "['a.jpg']", "False"],
    ]);
  });

  it("answers addresses of files with placeholders and connects to nothing else", async () => {
    const result = await run({
      script: "p.py",
      source: `
import urllib.request, requests
print(len(urllib.request.urlopen("https://host/data/input.txt").read()) > 10000)
print(sorted(requests.get("https://host/records.json").json()[0])[0])
try: requests.get("http://localhost:8000/health")
except requests.exceptions.ConnectionError: print("no")
`,
    });
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([null, ["True", "answer", "no"]]);
    expect(codes(result).filter((code) => code === "placeholder_download")).toHaveLength(2);
  });

  it("takes a folder of images that is not there as some, for programs that read images", async () => {
    const source = `
import glob, os
print(len(glob.glob("data/train/*.*")))
from PIL import Image
names = glob.glob("data/train/*.*")
print(len(names) > 0, Image.open(names[0]).size, glob.glob("data/train/*.txt"))
try: os.listdir("elsewhere")
except FileNotFoundError: print("handled")
print(len(os.listdir("elsewhere")) > 0)
def sizes(names): return {Image.open(name).size for name in [n for n in names]}
print(sizes(glob.glob("more/*.*")), [Image.open(name).size for name in names[:1]])
`;
    const result = await run({ script: "p.py", source });
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      ["0", "True (500, 375) []", "handled", "True", "{(500, 375)} [(500, 375)]"],
    ]);
    expect(codes(result)).toContain("placeholder_folder");
    expect(codes(result)).not.toContain("placeholder_file"); // the folder is said, not each of its files
  });
});

describe("folders that are not there", () => {
  it("hold the same files each time they are listed, of the kind and split that the program reads", async () => {
    const source = `
import glob, os
import numpy as np
shards = sorted(glob.glob("data/shards/*.bin"))
open(shards[0], "rb").close()
print(len(shards) > 1, sorted(glob.glob("data/shards/*.bin")) == shards)
def load(name): return np.load(os.path.join("tokens", name))
for split in ("train", "val", "test"):
    print(len([name for name in os.listdir("tokens") if split in name]) > 0, end=" ")
print(load(sorted(os.listdir("tokens"))[0]).dtype)
`;
    const result = await run({ script: "p.py", source });
    expect([result.errorText, result.stdout]).toEqual([null, "True True\nTrue True True uint16\n"]);
    expect(codes(result)).toContain("placeholder_folder");
  });

  it("hold a folder for each class where the program goes on below", async () => {
    const source = `
import glob, os
from PIL import Image
def pairs(root):
    found = []
    for name in sorted(os.listdir(root)):
        for path in glob.glob(os.path.join(root, name, "*.png")):
            found.append((path, int(name)))
    return found
first = pairs("train")
print(len({label for _, label in first}) > 1, Image.open(first[0][0]).size, pairs("train") == first)
classes = [d for d in os.listdir("other") if os.path.isdir(os.path.join("other", d))]
print(len(classes) > 1, len(os.listdir("other/" + classes[0])) > 1, os.listdir("flat")[0].endswith(".jpg"))
`;
    const result = await run({ script: "p.py", source });
    expect([result.errorText, result.stdout]).toEqual([null, "True (500, 375) True\nTrue True True\n"]);
    expect(codes(result).filter((code) => code === "placeholder_folder")).toHaveLength(3);
  });

  it("and rows of a data set that nobody knows have the columns that are asked for", async () => {
    const source = `
import datasets
rows = datasets.load_dataset("somebody/pairs")["train"]
print(type(rows[0]["source"]).__name__, type(rows[1]["label"]).__name__, rows[2]["image"].mode, len(rows["target_text"][:3]))
made = rows.map(lambda row: {"n": len(row["source"].split()) + len(row["translation"].split())}, remove_columns=rows.column_names)
print(made[0]["n"] > 0, len(rows.map(lambda batch: {"m": [len(t) for t in batch["summary"]]}, batched=True)[0]) > 1)
`;
    const result = await run({ script: "p.py", source });
    expect([result.errorText, result.stdout]).toEqual([null, "str int RGB 3\nTrue True\n"]);
    expect(codes(result)).toEqual(expect.arrayContaining(["dataset_guessed", "dataset_column_guessed"]));
  });
});

describe("a file of another machine", () => {
  it("is a placeholder where fsspec opens it", async () => {
    // the parts of fsspec 2026.9 that a file system is found and opened by
    const files = {
      "fsspec/__init__.py": `
from .registry import known_implementations
def open(path):
    module, _, name = known_implementations[path.partition("://")[0]]["class"].rpartition(".")
    import importlib
    return getattr(importlib.import_module(module), name)().open(path)
`,
      "fsspec/registry.py": `known_implementations = {"https": {"class": "fsspec.implementations.http.HTTPFileSystem"}}`,
      "fsspec/spec.py": `
class AbstractFileSystem:
    def open(self, path, mode="rb"): return self._open(self._strip_protocol(path), mode)
`,
      "p.py": `
import fsspec
text = fsspec.open("https://example.org/data/input.txt").read().decode()
print(len(text), len(set(text)) > 50)
try: fsspec.open("https://example.org/nobody-knows")
except FileNotFoundError as error: print(error)
`,
    };
    const folder = join(root, "fsspec-project");
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const result = await run({ script: join(folder, "p.py") });
    expect([result.errorText, result.stdout]).toEqual([null, "1000000 True\nhttps://example.org/nobody-knows\n"]);
    expect(codes(result)).toContain("placeholder_download");
  });
});

describe("what a program ends without", () => {
  it("is there: files by their endings, folders with images where images are read", async () => {
    const source = `
import os, pathlib
from PIL import Image
assert pathlib.Path("weights/model.pth").is_file(), "no weights"
if not os.path.exists("photos"):
    raise ValueError("no photos")
print(os.path.exists("cache"), os.path.exists("notes.txt"), os.path.isfile("weights/model.pth"))
print(len(os.listdir("photos")) > 0, len(list(pathlib.Path("other").glob("**/*.png"))) > 0)
print(sum(len(names) for _, _, names in os.walk("third")) > 0)
`;
    const result = await run({ script: "p.py", source });
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      ["False False True", "True True", "True"],
    ]);
    expect(codes(result)).toEqual(expect.arrayContaining(["placeholder_file", "folder_made", "placeholder_folder"]));
  });

  it("waits in a folder that Git keeps empty; names hold a class and a number, and patterns decide how they begin", async () => {
    const folder = join(root, "kept-project");
    mkdirSync(join(folder, "imgs"), { recursive: true });
    writeFileSync(join(folder, "imgs", ".keep"), "");
    const source = `
import os, pathlib, re
from PIL import Image
names = [n for n in os.listdir("imgs") if os.path.isfile(os.path.join("imgs", n)) and not n.startswith(".")]
stem = os.path.splitext(names[3])[0]
print(len(names) > 0, re.search(r"^(.*)_\\d+\\.jpg$", names[3]).groups()[0], int(stem) >= 0)
masks = list(pathlib.Path("imgs").glob(stem + "_mask.*"))
print(len(masks), masks[0].name == stem + "_mask.jpg", Image.open(masks[0]).size)
# a mask that was read lies in the folder from then on, and those of other images are still to be found
others = [list(pathlib.Path("imgs").glob(os.path.splitext(name)[0] + "_mask.*"))[0].name for name in names[4:6]]
print(len(set(others)))
os.mkdir("empty")
print(os.listdir("empty"))
`;
    writeFileSync(join(folder, "p.py"), source);
    const result = await run({ script: join(folder, "p.py") });
    expect([result.errorText, result.stdout]).toEqual([null, "True 3 True\n1 True (500, 375)\n2\n[]\n"]);
  });

  it("is not part of a program that only cleans up when it is missing", async () => {
    const source = `
def close(): return 1
def read(name):
    try:
        return len(open(name).read()) > 0
    finally:
        close()
print(read("text.txt"))
try: open("other.txt")
except ValueError: pass
except: print("handled")
`;
    const result = await run({ script: "p.py", source });
    expect([result.errorText, result.stdout]).toEqual([null, "True\nhandled\n"]);
  });

  it("may have been in an archive that nobody fetched", async () => {
    const source = `
import os, tarfile, urllib.request
print(os.path.exists("data/set/images"))
os.makedirs("data")
open("data/set.tgz", "wb").write(urllib.request.urlopen("http://example.org/set.tgz").read())
with tarfile.open("data/set.tgz") as tar:
    for item in tar:
        tar.extract(item, "data")
print(os.path.exists("data/set/images"))
`;
    const result = await run({ script: "p.py", source });
    expect([result.errorText, result.stdout]).toEqual([null, "False\nTrue\n"]);
  });

  it("is a table of numbers where NumPy reads a text", async () => {
    const source = `
import numpy as np
names, links = np.genfromtxt("a.content", dtype=np.dtype(str)), np.genfromtxt("a.cites", dtype=np.int32)
rows = {int(name): i for i, name in enumerate(names[:, 0])}
print(names.dtype.kind, links.dtype, all(rows.get(int(link)) is not None for link in links[:, 0]))
`;
    const result = await run({ script: "p.py", source });
    expect([result.errorText, result.stdout]).toEqual([null, "U int32 True\n"]);
  });
});

describe("modules of the project", () => {
  it("are found above the script and beside it when no folder of sys.path has them", async () => {
    const files = {
      "requirements.txt": "torch\n",
      "kit/__init__.py": "where = 'root'\n",
      "src/inner/__init__.py": "where = 'src'\n",
      "part/deep/__init__.py": "where = 'part'\n",
      "scripts/p.py": `
import importlib.util
print(importlib.util.find_spec("kit"))
import kit, inner, deep
print(kit.where, inner.where, deep.where)
try: import nowhere
except ModuleNotFoundError as error: print(error.name)
`,
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    const result = await run({ script: join(root, "scripts/p.py") });
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([null, ["None", "root src part", "nowhere"]]);
    expect(codes(result).filter((code) => code === "project_on_path")).toHaveLength(3);
  });
});

describe("RandomCrop", () => {
  it("draws its place as torchvision does", async () => {
    const source = `
import torch
from torchvision import transforms
torch.manual_seed(0)
image = torch.zeros(3, 100, 200)
print([transforms.RandomCrop.get_params(image, (32, 48)) for _ in range(2)], transforms.RandomCrop(9).get_params(image, (100, 200)))
`;
    const { errorText, stdout } = await run({ script: "p.py", source });
    // torch.randint(0, 69, (1,)) and torch.randint(0, 153, (1,)) in turn, from PyTorch 2.14.1's seed 0
    expect([errorText, stdout]).toEqual([null, "[(65, 54, 32, 48), (50, 33, 32, 48)] (0, 0, 100, 200)\n"]);
  });
});

describe("short forms", () => {
  it("make what einx's patterns say", async () => {
    const result = await run({
      script: "p.py",
      source: `
import einx, torch
a, b = torch.zeros(2, 3, device="cuda"), torch.zeros(2, 4, 3, 5, device="cuda")
print(*einx.multiply("b n, b h n d -> b h n d", a, b).shape)
print(*einx.subtract("... i, ... j -> ... i j", a, a).shape)
print(*einx.where("b n, b h n d, -> b h n d", a > 0, b, 0.0).shape)
print(*einx.add("b h n d, h d -> (b h) n d", b, torch.zeros(4, 5, device="cuda")).shape)
cos, sin = einx.get_at("c [p] d, ... -> c ... d", torch.zeros(2, 9, 4, device="cuda"), torch.arange(6).view(2, 3).cuda())
print(*cos.shape)
`,
    });
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      ["2 4 3 5", "2 3 3", "2 4 3 5", "8 3 5", "2 3 4"],
    ]);
  });

  it("call functions by the command line, step environments of known shapes, and run one rank of those that are spawned", async () => {
    const result = await run({
      script: "p.py",
      argv: ["train", "--lr=0.5", "--steps", "3", "--nofast", "a,b"],
      source: `
import fire, gymnasium as gym, torch, torch.distributed as dist, torch.multiprocessing as mp
class Tool:
    def train(self, name, lr=0.1, steps=1, fast=True): return (name, lr, steps, fast)
print(fire.Fire(Tool))
env = gym.make("CartPole-v1")
seen, info = env.reset(seed=1)
print(seen.shape, env.action_space.n, env.step(env.action_space.sample())[1:])
def work(rank, world):
    dist.init_process_group("nccl", rank=rank, world_size=world, init_method="tcp://localhost:1")
    print(rank, dist.get_world_size())
mp.spawn(work, args=(4,), nprocs=4)
q = mp.Queue(); q.put(1); print(q.get())
`,
    });
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      ["('a,b', 0.5, 3, False)", "(4,) 2 (1.0, False, False, {})", "0 4", "1"],
    ]);
    expect(codes(result)).toEqual(expect.arrayContaining(["placeholder_environment", "spawned_rank"]));
  });
});
