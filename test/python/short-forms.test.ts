/** Short forms of packages that training scripts import: what they leave in GPU memory, what they read, and when they refuse. */

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const { run } = vramscope;

async function ran(
  source: string,
  files: Readonly<Record<string, string>> = {},
  kernelTemporaries: "on" | "off" = "on",
) {
  const folder = mkdtempSync(join(tmpdir(), "vramscope-short-forms-"));
  for (const [name, text] of Object.entries({ "main.py": source, ...files })) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const result = await run({ script: join(folder, "main.py"), kernelTemporaries });
  const assumed = result.trace.assumptions.map(({ code }) => code);
  return { lines: result.stdout.trim().split("\n"), assumed, error: result.errorText };
}

const TRAINED = `
import torch, pytorch_lightning as pl
from torch import nn
class M(pl.LightningModule):
    def __init__(self, d=512, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(d, 4*d), nn.ReLU(), nn.Linear(4*d, 10))
    def forward(self, x): return self.net(x)
    def training_step(self, batch, batch_idx):
        x, y = batch
        o = self(x)
        loss = nn.functional.cross_entropy(o, y)
        print("train", batch_idx, torch.cuda.memory_allocated())
        return loss
    def on_train_batch_end(self, outputs, batch, batch_idx):
        print("end", batch_idx, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    def validation_step(self, batch, batch_idx):
        x, y = batch
        o = self(x)
        print("val", batch_idx, torch.cuda.memory_allocated())
    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
ds = torch.utils.data.TensorDataset(torch.randn(256, 512), torch.randint(0, 10, (256,)))
dl = torch.utils.data.DataLoader(ds, 64)
for precision in ("32-true", "bf16-mixed"):
    m = M()
    t = pl.Trainer(max_epochs=2, precision=precision, accelerator="cuda", devices=1, gradient_clip_val=1.0, logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False, accumulate_grad_batches=2 if precision != "32-true" else 1)
    t.fit(m, dl, dl)
    print("fit", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    del m, t`;

/** What the released PyTorch 2.14.1 (scripts/record/cardless) and pytorch_lightning 2.6.6 printed, of two precisions with two epochs each. */
const RECORDED = `
val 0 12938752
val 1 12938752
train 0 13466624
end 0 34311168 38596608
train 1 34841088
end 1 34311168 38596608
train 2 34841088
end 2 34311168 38596608
train 3 34841088
end 3 34311168 38596608
val 0 30028288
val 1 30028288
val 2 30028288
val 3 30028288
train 0 30556160
end 0 34311168 38596608
train 1 34841088
end 1 34311168 38596608
train 2 34841088
end 2 34311168 38596608
train 3 34841088
end 3 34311168 38596608
val 0 30028288
val 1 30028288
val 2 30028288
val 3 30028288
fit 0 38596608
val 0 12937728
val 1 12937728
train 0 13311488
end 0 25741312 38596608
train 1 26116096
end 1 34311168 38596608
train 2 34685952
end 2 34311168 38596608
train 3 34685952
end 3 34311168 40607744
val 0 30027264
val 1 30027264
val 2 30027264
val 3 30027264
train 0 30401024
end 0 34311168 40607744
train 1 34685952
end 1 34311168 40607744
train 2 34685952
end 2 34311168 40607744
train 3 34685952
end 3 34311168 40607744
val 0 30027264
val 1 30027264
val 2 30027264
val 3 30027264
fit 0 40607744
`;

describe("lightning", () => {
  it("has the bytes of the package in each step, validation and at the end", async () => {
    const { lines, assumed, error } = await ran(TRAINED, {}, "off");
    expect(error).toBeNull();
    expect(lines).toEqual(RECORDED.trim().split("\n"));
    expect(assumed).toContain("short_form_runs");
  });

  it("refuses what shards a model", async () => {
    const { error } = await ran('import lightning as L\nL.Trainer(strategy="fsdp", devices=2)\n');
    expect(error).toContain("UnsupportedOp: vramscope's short form of lightning does not simulate the strategy 'fsdp'");
  });
});

/** What PyYAML 6.0.3 prints of the same. */
const PYYAML = [
  "{'base': {'lr': '1e-3', 'layers': [1, 2, 'three'], True: True}, 'run': {'lr': 0.5, 'layers': [1, 2, 'three'], True: True, 'text': 'one\\n  two\\n', 'folded': 'a b\\nc', 'none': None, 'items': [{'x': 1, 'y': ['a', \"it's\"]}, 'tab\\t']}}",
  "second",
  "a: 'yes'",
  "b:",
  "- 1",
  "- x: null",
];

describe("configurations", () => {
  it("are read as PyYAML reads them", async () => {
    const text = `
base: &base {lr: 1e-3, layers: [1, 2, "three"], on: yes}
run:
  <<: *base
  lr: 0.5
  text: |
    one
      two
  folded: >-
    a
    b

    c
  none: ~
  items:
  - x: 1
    y: [a, 'it''s']
  - "tab\\t"
---
second # a comment
`;
    const { lines, error } = await ran(
      "import yaml\nfor d in yaml.safe_load_all(open('c.yaml')):\n    print(d)\nprint(yaml.safe_dump({'b': [1, {'x': None}], 'a': 'yes'}))\n",
      { "c.yaml": text },
    );
    expect(error).toBeNull();
    expect(lines).toEqual(PYYAML);
  });

  it("merge, interpolate and compose", async () => {
    const { lines, error } = await ran(
      `
import hydra, sys
from omegaconf import OmegaConf
sys.argv += ["model=large", "lr=0.1", "+extra.x=3"]
@hydra.main(version_base=None, config_path="conf", config_name="config")
def main(cfg):
    print(cfg.model.width, cfg.lr, cfg.double, cfg.extra.x)
    print(OmegaConf.to_container(cfg, resolve=True))
    try:
        cfg.nothing
    except AttributeError as error:
        print(type(error).__name__)
main()
`,
      {
        "conf/config.yaml": "defaults:\n  - model: small\n  - _self_\nlr: 1.0\ndouble: ${model.width}x2\n",
        "conf/model/small.yaml": "width: 8\n",
        "conf/model/large.yaml": "width: 64\n",
      },
    );
    expect(error).toBeNull();
    expect(lines).toEqual([
      "64 0.1 64x2 3",
      "{'model': {'width': 64}, 'lr': 0.1, 'double': '64x2', 'extra': {'x': 3}}",
      "ConfigAttributeError",
    ]);
  });
});

describe("a package that is not here", () => {
  it("stops the program where it is used, and says what else is missing", async () => {
    const { lines, assumed, error } = await ran(`
import not_here_at_all.part as part
from also_not_here import Thing
class Own(Thing): pass
print(isinstance(1, Thing))
part.run()
`);
    expect(lines).toEqual(["False"]);
    expect(assumed).toContain("import_deferred");
    expect(error).toContain("ModuleNotFoundError: No module named 'not_here_at_all'");
    expect(error).toMatch(/it is imported at \S*main\.py:2, and used here/);
    expect(error).toMatch(/also_not_here \(\S*main\.py:3\)/);
  });

  it("is said at once to who catches it or asks", async () => {
    const { lines, error } = await ran(`
import importlib.util
try:
    import not_here_at_all
except ImportError as error:
    print(error)
print(importlib.util.find_spec("not_here_at_all"), importlib.util.find_spec("sklearn"))
`);
    expect(error).toBeNull();
    expect(lines).toEqual(["No module named 'not_here_at_all'", "None None"]);
  });
});

describe("tables", () => {
  it("are read, filtered, joined and written", async () => {
    const { lines, error } = await ran(
      `
import pandas as pd
from sklearn.model_selection import train_test_split
d = pd.read_csv("t.csv")
print(d.shape, d["n"].mean(), d[d["name"] == "b"].shape[0], d["name"].map({"a": 0, "b": 1}).tolist())
e = pd.concat([d, d[d.n > 2]]).reset_index(drop=True)
print(len(e), e.iloc[0]["name"], e.loc[4, "n"], e.n.sum())
a, b = train_test_split(d, test_size=0.25, random_state=1)
print(len(a), len(b))
print(d.head(1).to_csv(index=False).strip())
`,
      { "t.csv": "name,n\na,1\nb,2\nb,3\na,4\n" },
    );
    expect(error).toBeNull();
    expect(lines).toEqual(["(4, 2) 2.5 2 [0, 1, 1, 0]", "6 a 3 17", "3 1", "name,n", "a,1"]);
  });

  it("hold what is put into one of their columns, as before pandas 3", async () => {
    const { lines, error } = await ran(`
import pandas as pd
d = pd.DataFrame(index=["loss", "accuracy"], columns=["total", "counts"])
print(d.shape, d.total["loss"] != d.total["loss"])
for column in d.columns: d[column] = 0
d.total["loss"] += 2.5
d["counts"][["loss", "accuracy"]] = [3, 4]
print(dict(d.total), d.loc["accuracy", "counts"])
`);
    expect(error).toBeNull();
    expect(lines).toEqual(["(2, 2) True", "{'loss': 2.5, 'accuracy': 0} 4"]);
  });
});

describe("fairscale", () => {
  it("divides layers among ranks; of one rank they are whole, and Meta's settings follow from the folder's name", async () => {
    const { lines, error } = await ran(`
import json, torch
import torch.distributed as dist
import fairscale.nn.model_parallel.initialize as init
from fairscale.nn.model_parallel.layers import ColumnParallelLinear, ParallelEmbedding, RowParallelLinear, VocabParallelEmbedding
dist.init_process_group("nccl", rank=0, world_size=1, init_method="tcp://127.0.0.1:29500")
print(init.model_parallel_is_initialized())
init.initialize_model_parallel(1)
torch.set_default_tensor_type(torch.cuda.HalfTensor)
with open("llama-2-7b/params.json") as file: p = json.load(file)
dim, wide = p["dim"], -(-int(8 * p["dim"] / 3) // p["multiple_of"]) * p["multiple_of"]
def column(a, b): return ColumnParallelLinear(a, b, bias=False, gather_output=False, init_method=lambda x: x)
def row(a, b): return RowParallelLinear(a, b, bias=False, input_is_parallel=True, init_method=lambda x: x)
layer = torch.nn.ModuleList([*(column(dim, dim) for _ in range(3)), row(dim, dim), column(dim, wide), row(wide, dim), column(dim, wide)])
ends = torch.nn.ModuleList([ParallelEmbedding(p["vocab_size"], dim, init_method=lambda x: x), column(dim, p["vocab_size"])])
count = lambda m: sum(t.numel() for t in m.parameters())
# norms: two a layer and one behind all
print(p["n_layers"] * (count(layer) + 2 * dim) + count(ends) + dim)
print(layer[5](layer[4](ends[0](torch.zeros(2, 3, dtype=torch.long, device="cuda")))).shape, VocabParallelEmbedding(10, 4)(torch.tensor([1])).shape)
with open("Meta-Llama-3-8B/params.json") as file: p = json.load(file)
print(p["multiple_of"], p["ffn_dim_multiplier"])
`);
    expect(error).toBe(null);
    // the parameters of Llama 2 7B as published, and Llama 3's file
    expect(lines).toEqual(["False", "6738415616", "torch.Size([2, 3, 4096]) torch.Size([1, 4])", "1024 1.3"]);
  });
});

describe("marimo", () => {
  it("runs each cell of a notebook once, after those that make what it asks for", async () => {
    const { lines, assumed, error } = await ran(`
import marimo
app = marimo.App(width="medium")
@app.cell
def _(mo, torch):
    slider = mo.ui.slider(start=4, stop=50)
    x = torch.zeros(slider.value, 1024, 1024, device="cuda")
    return (x,)
@app.cell(hide_code=True)
def _(x, torch):
    print(torch.cuda.memory_allocated() == x.nbytes, x.shape[0])
    return
@app.cell
def _():
    import marimo as mo, torch
    import plotly.express as px
    mo.vstack([mo.md("# title"), mo.ui.plotly(px.bar([1]))])
    return mo, torch
if __name__ == "__main__":
    app.run()
`);
    expect(error).toBe(null);
    expect(lines).toEqual(["True 4"]);
    expect(assumed).toContain("absent_draws");
  });

  it("stops nobody who does not use it where another module is imported by its name on the way", async () => {
    const { lines, error } = await ran(
      `
import importlib
print(importlib.import_module("above").own)
try:
    importlib.import_module("not_here_at_all")
except ImportError as error:
    print(error)
`,
      { "above.py": "from not_here_below import io as part\nown = 1\n" },
    );
    expect(error).toBeNull();
    expect(lines).toEqual(["1", "No module named 'not_here_at_all'"]);
  });
});
