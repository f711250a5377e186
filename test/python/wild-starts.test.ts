/** Where public programs stopped before their work: logins, configurations, command lines and checkpoints of other packages. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { folderWith } from "../helpers.ts";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

async function ran(source: string, site: Record<string, string> = {}, files: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "vramscope-wild-starts-"));
  for (const [name, text] of Object.entries({ ...files, "scripts/main.py": source })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const result = await vramscope.run({
    script: join(folder, "scripts/main.py"),
    sitePackages: Object.keys(site).length > 0 ? [folderWith(site)] : [],
  });
  return {
    error: result.errorText,
    lines: result.stdout.trim().split("\n"),
    said: result.trace?.assumptions.map(({ code }) => code) ?? [],
  };
}

it("asks nobody to log in at the hub", async () => {
  const site = {
    "huggingface_hub/__init__.py": "from ._login import login, notebook_login\n",
    "huggingface_hub/_login.py": "def login(token=None): raise OSError\ndef notebook_login(): raise OSError\n",
  };
  const { error, said } = await ran(
    "from huggingface_hub import login, notebook_login\nnotebook_login()\nlogin('x')",
    site,
  );
  expect([error, said]).toEqual([null, ["hub_no_login", "hub_no_login"]]);
});

it("resolves references of a part of a configuration in the whole", async () => {
  const { lines } = await ran(`
from omegaconf import OmegaConf
whole = OmegaConf.create({"a": {"x": "\${b.y}"}, "b": {"y": 3}})
print(OmegaConf.to_yaml(whole.a, resolve=True).strip(), OmegaConf.to_yaml(whole.a).strip())
`);
  expect(lines).toEqual(["x: 3 x: ${b.y}"]);
});

describe("lightning", () => {
  it("takes a Trainer's arguments from argparse, as before 2", async () => {
    const { lines, error } = await ran(`
import argparse, pytorch_lightning as pl
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=1)
parser = pl.Trainer.add_argparse_args(parser)
given = parser.parse_args(["--gpus", "0,", "--max_epochs", "3", "--fast_dev_run"])
trainer = pl.Trainer.from_argparse_args(given, max_steps=7)
print(given.gpus, given.max_epochs, given.precision, given.fast_dev_run, given.seed, trainer.num_devices)
`);
    expect([error, lines]).toEqual([null, ["0, 3 None True 1 1"]]);
  });

  it("makes a model whose checkpoint is not here as the same text makes it anew", async () => {
    const { lines, error, said } = await ran(`
import os, torch, pytorch_lightning as pl
class Net(pl.LightningModule):
    def __init__(self, width, lr, depth=1):
        super().__init__()
        self.save_hyperparameters()
        self.layer = torch.nn.Linear(width, depth)
def made(width, **more):
    if os.path.exists("absent.txt"):
        return Net(width, depth=2 * width, **more)
    return Net.load_from_checkpoint("net.ckpt")
print(made(7, lr=1).layer.weight.shape)
try: Net.load_from_checkpoint("other.ckpt", width=3)
except TypeError as error: print(str(error)[-4:])
`);
    expect([error, lines]).toEqual([null, ["torch.Size([14, 7])", "'lr'"]]);
    expect(said).toContain("hyperparameters_of_call");
  });
});

it("knows the version that the project's own file says, and errors of packages that are not here", async () => {
  const files = { "pyproject.toml": '[project]\nname = "my-project"\nversion = "1.2"\n' };
  const source = `
from importlib.metadata import version, PackageNotFoundError
print(version("my_project"))
try: version("other-project")
except PackageNotFoundError: print("none")
import git, nothing_like_it
try: print(str(git.Repo(".").head.commit.hexsha) == "")
except git.InvalidGitRepositoryError: print("no repository")
try: nothing_like_it.run()
except (nothing_like_it.SomeError, ValueError): print("caught")
except ModuleNotFoundError as error: print(error)
`;
  const { lines } = await ran(source, {}, files);
  expect(lines).toEqual(["1.2", "none", "True", "No module named 'nothing_like_it'"]);
});

it("gives packages that add to pandas its classes where they look for them", async () => {
  const { lines } = await ran(`
from pandas.core.frame import DataFrame
from pandas.core.series import Series
from pandas.core.groupby.generic import DataFrameGroupBy, SeriesGroupBy
from pandas.core.groupby.groupby import GroupBy
Series.twice = lambda self: self.map(lambda value: 2 * value)
frame = DataFrame({"a": [1, 1, 2], "b": [3, 4, 5]})
print(list(frame["b"].twice()), type(frame.groupby("a")) is DataFrameGroupBy, type(frame.groupby("a")["b"]) is SeriesGroupBy)
import torch
loader = torch.utils.data.DataLoader(torch.arange(4), num_workers=2)
try: iter(loader).next()
except AttributeError as error: print(error)
`);
  expect(lines).toEqual(["[6, 8, 10] True True", "'_MultiProcessingDataLoaderIter' object has no attribute 'next'"]);
});

it("has the columns of CoNLL-2003, and pictures as large as a missing folder's name says", async () => {
  const { lines, said } = await ran(`
from datasets import load_dataset
rows = load_dataset("conll2003")["train"]
row = rows[0]
print(len(rows), len(row["tokens"]) == len(row["ner_tags"]), rows.features["ner_tags"].feature.names[1])
glue = load_dataset("glue", "cola")["train"].map(lambda row: {"length": len(row["sentence"])}, remove_columns="sentence")
print(glue.features["label"].names, glue.features["length"].dtype)
parts = load_dataset("somebody/sentences", split="train").train_test_split(test_size=10000)
print(len(parts["train"]), len(parts["train"][0]["text"]) > 0)
from torchvision.datasets import ImageFolder
from torchvision.transforms import ToTensor
for name in ("imagenet_32/box", "celeba-256", "ffhq128x128/train", "VOC2012", "caltech256", "imagenet/train"):
    print(*ImageFolder(f"/data/{name}", ToTensor())[0][0].shape)
`);
  expect(lines).toEqual([
    "14041 True B-PER",
    "['0', '1'] int64",
    "90000 True",
    "3 32 32",
    "3 256 256",
    "3 128 128",
    "3 375 500",
    "3 375 500",
    "3 375 500",
  ]);
  expect(said).toContain("images_of_name");
});

it("loads the tensors of a whole model that was saved and is not here, and knows the labels of an epoch", async () => {
  const { lines, error } = await ran(`
import torch
model = torch.nn.Linear(100, 100).cuda()
weights = torch.load("model.pt", map_location="cuda")["model"].float().state_dict()
own = model.state_dict()
print(model.load_state_dict({k: v for k, v in weights.items() if k in own and v.shape == own[k].shape}, strict=False))
labels = torch.LongTensor([i % 100 for i in range(50_000)])
print(labels.max() + 1, torch.argsort(labels).reshape(int(labels.max() + 1), -1).shape)
from PIL import Image
print(Image.EXTENSION[".png"])
`);
  expect(error).toBe(null);
  expect(lines).toEqual(["<All keys matched successfully>", "tensor(100) torch.Size([100, 500])", "PNG"]);
});
