/** What packages' own example scripts ask of a machine: data sets that say where they come from, a hub that is written to, a loader with a state. */

import { expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { folderWith } from "../helpers.ts";

const { run } = vramscope;

async function ran(source: string, files: Record<string, string> = {}) {
  const root = folderWith({ "site/nothing.py": "", ...files });
  const result = await run({ script: "p.py", source, sitePackages: [`${root}/site`] });
  expect([result.errorText, result.status]).toEqual([null, "ok"]);
  return { lines: result.stdout.trim().split("\n"), assumed: result.trace.assumptions.map(({ code }) => code) };
}

it("says of a data set where it comes from, and keeps that through what is made of it", async () => {
  const { lines } = await ran(`
from datasets import Dataset, load_dataset
d = load_dataset("wikitext", "wikitext-2-raw-v1", split="train").map(lambda row: row)
print(d.builder_name, d.dataset_name, d.config_name, d.split, d.info.version, d.cache_files)
own = Dataset.from_dict({"a": [1, 2, 3]})
print(own.builder_name, own.repeat(2)["a"][:], [b["a"] for b in own.batch(2)], own.add_item({"a": 4})["a"][:])
with own.formatted_as("torch"):
    print(own[0]["a"])
print(own[0]["a"])
s = own.to_iterable_dataset().rename_columns({"a": "b"})
print([r["b"] for r in s.repeat(2)], [r["b"] for r in s.batch(2)], s.select_columns("b").num_columns)
`);
  expect(lines).toEqual([
    "parquet wikitext wikitext-2-raw-v1 train None []",
    "None [1, 2, 3, 1, 2, 3] [[1, 2], [3]] [1, 2, 3, 4]",
    "tensor(1)",
    "1",
    "[1, 2, 3, 1, 2, 3] [[1, 2], [3]] 1",
  ]);
});

it("lets a program push to the hub, from where nothing goes out, and says so", async () => {
  const api = `
from dataclasses import dataclass
class RepoUrl(str):
    pass
@dataclass
class CommitInfo:
    commit_url: str
    commit_message: str
    commit_description: str
    oid: str
class HfApi:
    def create_repo(self, repo_id, **options): raise ConnectionError
    def upload_folder(self, *, repo_id, folder_path, **options): raise ConnectionError
    def whoami(self, token=None): raise ConnectionError
api = HfApi()
create_repo = api.create_repo
`;
  const { lines, assumed } = await ran(
    `
from huggingface_hub.hf_api import HfApi, create_repo
print(create_repo("mine", exist_ok=True), HfApi().whoami()["name"])
print(HfApi().upload_folder(repo_id="mine", folder_path=".", run_as_future=True).result().commit_url[:40])
`,
    { "site/huggingface_hub/__init__.py": "", "site/huggingface_hub/hf_api.py": api },
  );
  expect(lines).toEqual(["https://huggingface.co/user/mine user", "https://huggingface.co/user/mine/commit/"]);
  expect(assumed).toContain("hub_not_written");
});

it("gives torchdata's loader a place to go on from", async () => {
  const { lines } = await ran(
    `
import torch
from torchdata.stateful_dataloader import StatefulDataLoader
data = torch.utils.data.TensorDataset(torch.arange(10))
first = StatefulDataLoader(data, batch_size=2, num_workers=2)
it = iter(first)
next(it), next(it)
second = StatefulDataLoader(data, batch_size=2)
second.load_state_dict(first.state_dict())
print([b[0].tolist() for b in second], [b[0].tolist() for b in second][0], len(second))
`,
    {
      "site/torchdata/__init__.py": "",
      "site/torchdata/stateful_dataloader/__init__.py": "from .stateful_dataloader import StatefulDataLoader\n",
      "site/torchdata/stateful_dataloader/stateful_dataloader.py": "raise RuntimeError('built on processes')\n",
    },
  );
  expect(lines).toEqual(["[[4, 5], [6, 7], [8, 9]] [0, 1] 5"]);
});

it("has the images that it said a folder holds, for a program that would go on without them, too", async () => {
  const { lines } = await ran(`
import os
from PIL import Image
names = [os.path.join(root, f) for root, _, files in os.walk("/data/images/train") for f in files]
try:
    print(len(names) >= 512, Image.open(open(names[0], "rb")).mode)
except OSError:
    print("skipped")
`);
  expect(lines).toEqual(["True RGB"]);
});

// as PyTorch 2.14 prints it, but for Triton, of which a machine with a card has the package
it("has the names of PyTorch that packages need while they are imported", async () => {
  const { lines } = await ran(`
import torch
from torch._inductor.decomposition import register_decomposition
from torch.nn.utils.clip_grad import _no_grad
from torch.utils._triton import has_triton
from torch.distributed._tensor.placement_types import DTensorSpec, Shard, TensorMeta
import torch.distributed._functional_collectives
table = {torch.ops._c10d_functional.all_gather_into_tensor.default: 1, torch.ops.c10d_functional.wait_tensor.default: 2}
print([str(key) for key in table], hasattr(torch.ops._c10d_functional, "no_such_operator"))
def relu(x):
    return x.clamp(min=0)
print(register_decomposition([torch.ops.aten.relu6.default])(relu) is relu, has_triton(), torch.cuda.nccl.version())
print(_no_grad(lambda x: (x * 2).requires_grad)(torch.ones(1, requires_grad=True)))
p, c = torch.nn.Parameter(torch.ones(2)), torch.ones(2, device="cuda")
same = torch._has_compatible_shallow_copy_type
print(same(p, c), same(p, torch.ones(3, dtype=torch.float16)), same(p, torch.ones(2, device="meta")), same(c, torch.ones(2, 2).to_sparse()))
try:
    torch.ops._c10d_functional.all_reduce(c, "sum", "0")
except Exception as error:
    print(type(error).__name__, error)
`);
  expect(lines).toEqual([
    "['_c10d_functional.all_gather_into_tensor.default', 'c10d_functional.wait_tensor.default'] False",
    "True True (2, 30, 7)",
    "False",
    "True True False False",
    "UnsupportedOp vramscope does not simulate torch.ops._c10d_functional.all_reduce",
  ]);
});

it("makes pictures that are not there as large as the command line says", async () => {
  const result = await run({
    script: "p.py",
    source: 'from PIL import Image\nprint(Image.open("condition.png").size)',
    argv: ["--resolution=512"],
  });
  expect([result.errorText, result.stdout.trim()]).toEqual([null, "(512, 512)"]);
});

it("takes an operator's implementation in the former form, too", async () => {
  const { lines } = await ran(`
import torch
from torch.utils._python_dispatch import return_and_correct_aliasing
lib = torch.library.Library("mine", "FRAGMENT")
lib.define("twice(Tensor a) -> Tensor")
@torch.library.impl(lib, "twice", "Meta")
def shape(a):
    raise RuntimeError("for the meta device alone")
@torch.library.impl(lib, "twice", "CUDA")
def twice(a):
    return a * 2
print(torch.ops.mine.twice(torch.ones(2, device="cuda")).shape)
`);
  expect(lines).toEqual(["torch.Size([2])"]);
});

it("reads an operator's schema off its function, as PyTorch 2.14.1 does", async () => {
  const { lines } = await ran(`
import torch
from typing import Optional, List, Sequence, Tuple, Union
from torch.library import infer_schema
from torch._library.infer_schema import infer_schema as same
from torch import Tensor
def a(x: Tensor, y: Optional[Tensor], n: int, *, flag: bool = False, s: str = "x", eps: float = 1e-5, d: Optional[torch.dtype] = None, dev: torch.device = None) -> Tensor: ...
def b(xs: List[Tensor], ns: Sequence[int], k: Optional[int] = None, w: float | None = None, q: list[int] | None = None) -> Tuple[Tensor, Tensor]: ...
def c(x: torch.Tensor, out: Tensor) -> None: ...
def d(x: Tensor, v: Union[int, float, bool] = 1, t: torch.dtype = torch.float32) -> List[Tensor]: ...
def e(x, y: Tensor) -> Tensor: ...
def f(x: Tensor): ...
def h(x: Tensor, n: int = 3) -> tuple[Tensor, int]: ...
for one, mutated in ((a, {}), (b, ()), (c, {"out"}), (c, "unknown"), (d, ()), (h, ())):
    print(infer_schema(one, mutates_args=mutated))
print(same(h, mutates_args=(), op_name="mine::h"))
for one in (e, f):
    try:
        infer_schema(one, mutates_args=())
    except ValueError as error:
        print(error)
`);
  expect(lines).toEqual([
    '(Tensor x, Tensor? y, SymInt n, *, bool flag=False, str s="x", float eps=1e-05, ScalarType? d=None, Device dev=None) -> Tensor',
    "(Tensor[] xs, SymInt[] ns, SymInt? k=None, float? w=None, SymInt[]? q=None) -> (Tensor, Tensor)",
    "(Tensor x, Tensor(a1!) out) -> ()",
    "(Tensor(a0!) x, Tensor(a1!) out) -> ()",
    "(Tensor x, Scalar v=1, ScalarType t=float32) -> Tensor[]",
    "(Tensor x, SymInt n=3) -> (Tensor, SymInt)",
    "mine::h(Tensor x, SymInt n=3) -> (Tensor, SymInt)",
    "infer_schema(func): Parameter x must have a type annotation. Got func with signature (x, y: torch.Tensor) -> torch.Tensor)",
    "infer_schema(func): No return type annotation was provided. Please add one. Got func with signature (x: torch.Tensor))",
  ]);
});
