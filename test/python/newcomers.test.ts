/** What programs written for other machines and earlier packages lean on: shells, old interfaces, records by the names that are asked for. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

describe("a program from the wild", () => {
  it("finds what it asks for by name, and old interfaces as it takes them", async () => {
    const result = await vramscope.run({
      script: "p.py",
      source: `
import json, os, urllib
import gym, torch
from gym.spaces.box import Box
rows = [json.loads(line) for line in open("none.jsonl")]
print(type(rows[0]["context"]).__name__, rows[0]["label_of_it"])
print(os.system("mkdir -p a/b && touch a/b/c"), os.listdir("a/b"), os.system("unheard-of x; true"), os.system("nobody"))
print(callable(urllib.request.urlopen))
env = gym.make("CartPole-v1")
seen = env.reset()
seen, reward, done, info = env.step(0)
print(env.seed(3), seen.shape, done, env.unwrapped.x_threshold, isinstance(env.observation_space, Box))
seen, _ = env.reset()
five = env.step(1)
print(seen.shape, len(five))
one = torch.tensor([3])
print(torch.tensor([one, one]).shape, torch.tensor([[one], [one]]).shape)
known = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
print((known @ known.to_sparse()).shape)
`,
    });
    // tensors as PyTorch 2.14 prints them, environments as gym 0.21 and 0.26 do
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      [
        "str 0",
        "0 ['c'] 0 32512",
        "True",
        "[3] (4,) False 2.4 True",
        "(4,) 5",
        "torch.Size([2]) torch.Size([2, 1])",
        "torch.Size([2, 2])",
      ],
    ]);
    expect(result.trace.assumptions.map(({ code }) => code)).toContain("gym_interface");
  });

  it("has arrays of files by what --data says, text under any ending, and the words of jsonargparse", async () => {
    const result = await vramscope.run({
      script: "p.py",
      data: { "none.h5": "float32[8x3x5]" },
      argv: ["--size", "3"],
      source: `
import h5py, numpy as np, pandas as pd
from jsonargparse import CLI
with h5py.File("own.h5", "w") as f: f.create_dataset("a/b", data=np.arange(3)); f["c"] = np.ones((2, 2))
with h5py.File("own.h5", "r") as f: print(list(f), f["a"]["b"][1:], f["c"].shape)
with h5py.File("none.h5", "r") as f: print(len(f["x"]), f["y"][2].shape, f["z"]["4"][:, :].shape)
print(len(open("rt.neg").readlines()) > 100)
print(np.zeros((2, 3)).T.shape, (np.ones((2, 3))[:, ::-1] + 1).tolist(), np.arange(6).reshape(2, 3)[::-1, 1:].tolist())
a = np.zeros((3, 3)); a[1] = 5; a[:, 2] += 1; print(a.tolist(), a.sum(), np.diag([1, 2]).tolist())
rows = pd.read_csv("none.tsv", sep="\\t", header=None, names=["Kind", "Words"])
print(len(rows[rows["Kind"] == "spam"]), len(rows[rows["Kind"] == "ham"]), type(rows["Words"][0]).__name__)
CLI(lambda size=1: print(size))
`,
    });
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      [
        "['a', 'c'] [1 2] (2, 2)",
        "8 (3, 5) (3, 5)",
        "True",
        "(3, 2) [[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]] [[4, 5], [1, 2]]",
        "[[0.0, 0.0, 1.0], [5.0, 5.0, 6.0], [0.0, 0.0, 1.0]] 18.0 [[1, 0], [0, 2]]",
        "500 500 str",
        "3",
      ],
    ]);
  });

  it("tells arrays of files by name and use, kinds of numbers that nobody knows, and settings of yacs and ml_collections", async () => {
    const result = await vramscope.run({
      script: "p.py",
      source: `
import argparse
import deepspeed, h5py, ml_collections, numba, torch
from yacs.config import CfgNode
line = h5py.File("line.h5")["tokens"]
print(line.shape, line[3:7].shape)
rows = h5py.File("rows.h5")
ids, mask = rows["input_ids"], rows["loss_mask"]
some = [1, 5]
print(ids[some].shape, mask[some[0]].shape, rows["labels"].shape)
try: h5py.File("none.h5")["x"]
except OSError as error: print(str(error).partition("--data")[1])
loss = torch.ones(2, device="cuda").mean().item()
print(type(loss) is float, type(loss) == float, type(loss) in (int, float), type(loss) is not float, type(loss) is int)
for _ in range(2): kinds = {float: "float"}[type(loss)]
print(kinds, deepspeed.add_config_arguments(argparse.ArgumentParser()).parse_args(["--deepspeed"]).deepspeed)
node = CfgNode({"A": {"B": 1, "C": (2, 3)}, "D": "x"})
open("settings.yaml", "w").write("A:\\n  C: [4, 5]\\n")
node.merge_from_file("settings.yaml"); node.merge_from_list(["A.B", "7", "D", "y"]); node.freeze()
print(node.A.B, node.A.C, node.D, node.clone() == node)
for wrong in (lambda: node.merge_from_list(["E", 1]), lambda: setattr(node, "D", 1)):
    try: wrong()
    except (AssertionError, AttributeError) as error: print(error)
settings = ml_collections.ConfigDict({"rate": 0.1, "model": {"width": 8}})
settings.rate = 1; settings.model.depth = 2
print(settings.to_dict(), "width" in settings.model, settings.get("none"))
@numba.njit(parallel=True)
def double(x): return 2 * x
print(double(3))
`,
    });
    // what yacs 0.1.8 and ml_collections 1.1.0 print
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      [
        "(1024000,) (4,)",
        "(2, 1024) (1024,) (1000,)",
        "--data",
        "True True True False False",
        "float True",
        "7 (4, 5) y True",
        "Non-existent key: E",
        "Attempted to set D to 1, but CfgNode is immutable",
        "{'model': {'depth': 2, 'width': 8}, 'rate': 1.0} True None",
        "6",
      ],
    ]);
  });

  it("reads an array where the program makes tensors of arrays, and names who writes what is missing", async () => {
    const source = `
import torch
data = torch.load("waves.pt")
print(torch.from_numpy(data[3:, :-1]).shape)
`;
    const given = await vramscope.run({ script: "p.py", source, data: { "waves.pt": "float64[100x1000]" } });
    expect([given.errorText, given.stdout.trim()]).toEqual([null, "torch.Size([97, 999])"]);
    const guessed = await vramscope.run({ script: "p.py", source });
    expect([guessed.errorText, guessed.stdout.trim()]).toEqual([null, "torch.Size([97, 999])"]);
    const missing = await vramscope.run({ script: "p.py", source: 'import torch\nprint(torch.load("waves.pt")[3:])' });
    expect(missing.errorText).toContain("--data waves.pt=float64[100x1000]");
  });
});
