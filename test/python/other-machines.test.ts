/** What programs ask of the machine and of packages at their start: modules of Linux, folders named like packages, subclasses. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

describe("a program", () => {
  it("finds modules of a terminal, the person who runs it, and subclasses that want no calls", async () => {
    const result = await vramscope.run({
      script: "p.py",
      source: `
import getpass, pwd, readline, os, torch
readline.parse_and_bind("tab: complete")
print(pwd.getpwuid(os.getuid()).pw_name == getpass.getuser(), pwd.getpwnam(getpass.getuser()).pw_dir)
from google.cloud import storage
storage.Client().bucket("x").blob("y").upload_from_filename("z")
class Quiet(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl
class Asked(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None): return super().__torch_function__(func, types, args, kwargs)
print(type(torch.zeros(2).as_subclass(Quiet) + 1).__name__)
with torch._C.DisableTorchFunctionSubclass(): torch.zeros(2).as_subclass(Asked)
P, L, U = torch.lu_unpack(*torch.rand(2, 5, 3).lu())
print(P.shape, L.shape, U.shape)
`,
    });
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      ["True /home/user", "Tensor", "torch.Size([2, 5, 5]) torch.Size([2, 5, 3]) torch.Size([2, 3, 3])"],
    ]);
    const said = result.trace.assumptions.filter(({ code }) => code === "subclass_not_dispatched");
    expect(said.map(({ args }) => args["name"])).toEqual(["Asked"]);
  });

  it("gets the package where its own folder of the name lacks what it asks for, and the folder where not", async () => {
    const folder = 'import os\nos.makedirs("datasets")\nopen("datasets/mine.py", "w").write("far = 3")\n';
    const result = await vramscope.run({
      script: "p.py",
      source: `${folder}
import importlib.metadata as m
from datasets import load_dataset
print(len(load_dataset("glue", "mrpc", split="train")), m.metadata("datasets")["Home-page"])
`,
    });
    expect([result.errorText, result.stdout.trim()]).toEqual([null, "3668 https://github.com/huggingface/datasets"]);
    const own = await vramscope.run({
      script: "p.py",
      source: `${folder}from datasets.mine import far\nfrom datasets import mine\nprint(far, mine.far)\n`,
    });
    expect([own.errorText, own.stdout.trim()]).toEqual([null, "3 3"]);
  });

  it("reads published time series by the names of their files, and as a data set", async () => {
    const result = await vramscope.run({
      script: "p.py",
      source: `
import pandas as pd
from datasets import load_dataset
table = pd.read_csv("data/ETTh1.csv")
print(len(table), list(table.columns)[-2:], table[table.columns[1:]][:96].values.mean(0).shape, pd.to_datetime(table.date)[1].hour)
frame = load_dataset("thuml/Time-Series-Library", name="ETTh1")["train"].to_pandas()
from pandas.tseries import offsets
from pandas.tseries.frequencies import to_offset
moments = pd.to_datetime(table[["date"]][20:30].date.values)
hours = moments.hour / 23.0 - 0.5
print(hours.values[4], moments.weekday.tolist()[3:5], moments.isocalendar().week.values[0], table.date[:2].tolist())
print(isinstance(to_offset("15min"), offsets.Minute), to_offset("h"), pd.to_datetime(table.date)[26].weekday())
print(len(frame), frame[frame.columns[1:]].values.shape, frame["date"][25])
`,
    });
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      [
        "17420 ['LULL', 'OT'] (7,) 1",
        // as pandas 2.3.3 prints them
        "-0.5 [4, 5] 26 ['2016-07-01 00:00:00', '2016-07-01 01:00:00']",
        "True <Hour> 5",
        "17420 (17420, 7) 2016-07-02 01:00:00",
      ],
    ]);
  });

  it("asks tables that nobody has for columns that only its run knows", async () => {
    const result = await vramscope.run({
      script: "p.py",
      argv: ["filepath", "title"],
      source: `
import sys, pandas as pd
from PIL import Image
table = pd.read_csv("train.csv", sep="\\t")
first, second = (table[name].tolist() for name in sys.argv[1:])
print(first[3], type(second[0]).__name__, table[["title", "label"]].shape, Image.open(first[0]).size, sys.argv[1] in table[:5].columns)
try: pd.DataFrame({"a": [1]})["b"]
except KeyError as error: print("KeyError", error)
`,
    });
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      ["3.jpg str (1000, 2) (500, 375) True", "KeyError 'b'"],
    ]);
  });

  it("leans on parts of packages that others are written with", async () => {
    const result = await vramscope.run({
      script: "p.py",
      source: `
import gymnasium, numpy as np, torch
from gymnasium.core import ActType, ObsType
from scipy.special import digamma
from torch.optim.optimizer import Optimizer, _default_to_fused_or_foreach, _use_grad_for_differentiable
from torch.serialization import DEFAULT_PROTOCOL
from torch.utils._foreach_utils import _group_tensors_by_device_and_dtype
from torch.distributions.utils import broadcast_all, lazy_property, probs_to_logits, tril_matrix_to_vec, vec_to_tril_matrix
from torch.utils.dlpack import from_dlpack, to_dlpack
points, weights = np.polynomial.legendre.leggauss(3)
print([round(v, 9) for v in points.tolist()], [round(v, 9) for v in weights.tolist()])
print([round(float(digamma(x)), 9) for x in (1.0, 0.5, -0.5, 12.0)])
whole = torch.tensor([[1.0, 0.0], [2.0, 3.0]])
print(tril_matrix_to_vec(whole).tolist(), vec_to_tril_matrix(torch.tensor([1.0, 2.0, 3.0])).tolist())
a = torch.zeros(1 << 20, device="cuda")
before = torch.cuda.memory_allocated()
b = from_dlpack(to_dlpack(a))
print(torch.cuda.memory_allocated() - before, b.data_ptr() == a.data_ptr())
class Plain(Optimizer):
    def __init__(self, params): super().__init__(params, {"differentiable": False})
    @_use_grad_for_differentiable
    def step(self): return torch.is_grad_enabled()
weight = torch.nn.Parameter(torch.zeros(3, device="cuda"))
groups = _group_tensors_by_device_and_dtype([[weight, a], [a, weight]], with_indices=True)
print(Plain([weight]).step(), _default_to_fused_or_foreach([weight], False), [at for _, at in groups.values()], DEFAULT_PROTOCOL)
of = gymnasium.spaces.utils
space = gymnasium.spaces.Dict(at=gymnasium.spaces.Box(0, 1, (2, 3)), turn=gymnasium.spaces.Discrete(4))
print(of.flatdim(space), of.flatten(space, {"at": np.zeros((2, 3)), "turn": 1}).tolist())
n = torch.nn.modules
print(isinstance(n.ConstantPad2d(1, 0.0), n.padding._ConstantPadNd), isinstance(n.ReflectionPad1d(1), n.padding._ReflectionPadNd), isinstance(n.AvgPool1d(2), n.pooling._AvgPoolNd), isinstance(n.Dropout(), n.dropout._DropoutNd), isinstance(n.ConvTranspose1d(1, 1, 1), n.conv._ConvTransposeNd))
print(torch.autograd.forward_ad.unpack_dual(weight).tangent)
`,
    });
    // Gauss and Legendre of degree 3, and digamma at points, as tables have them
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      [
        "[-0.774596669, 0.0, 0.774596669] [0.555555556, 0.888888889, 0.555555556]",
        "[-0.577215665, -1.963510026, 0.036489974, 2.44266168]",
        "[1.0, 2.0, 3.0] [[1.0, 0.0], [2.0, 3.0]]",
        "0 True",
        "False (False, True) [[0, 1]] 2",
        "10 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]",
        "True True True True True",
        "None",
      ],
    ]);
  });

  it("looks at the first name of a checkpoint that nobody has", async () => {
    const result = await vramscope.run({
      script: "p.py",
      source: `
import torch
state = torch.load("model.pt")["state_dict"]
if next(iter(state.items()))[0].startswith("module"): print("wrapped")
if list(state.keys())[0].startswith("module."): print("wrapped")
if next(iter(state)).startswith("module."): print("wrapped")
net = torch.nn.Linear(3, 4)
print(net.load_state_dict({k.replace("module.", ""): v for k, v in state.items()}))
`,
    });
    expect([result.errorText, result.stdout.trim()]).toEqual([null, "<All keys matched successfully>"]);
  });
});
