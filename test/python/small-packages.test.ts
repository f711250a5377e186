/** Small packages that training scripts lean on: command lines, text and scores. Expected lines are what the packages themselves print. */

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

async function printed(source: string): Promise<string[]> {
  const script = join(mkdtempSync(join(tmpdir(), "vramscope-small-packages-")), "main.py");
  writeFileSync(script, source);
  const result = await vramscope.run({ script });
  expect(result.errorText).toBeNull();
  return result.stdout.trim().split("\n");
}

describe("tyro", () => {
  it("reads dataclasses and functions from words, and ends where they are wrong", async () => {
    const lines = await printed(`
import dataclasses, typing, pathlib, sys, io
import tyro
@dataclasses.dataclass
class Inner:
    width: int = 8
    name: str = "a"
@dataclasses.dataclass
class Args:
    lr: float
    inner: Inner = dataclasses.field(default_factory=Inner)
    use_cuda: bool = True
    quiet: bool = False
    steps: int = 10
    kind: typing.Literal["x", "y"] = "x"
    sizes: tuple[int, ...] = (1, 2)
    seed: int | None = None
    out: pathlib.Path = pathlib.Path("o")
print(tyro.cli(Args, args="--lr 1e-3 --inner.width 3 --no-use-cuda --quiet --steps=7 --kind y --sizes 4 5 6 --seed 3 --out p/q".split()))
print(tyro.cli(Args, args="--lr 2 --inner.name b --use_cuda --seed None".split()))
def main(a: int, b: float = 0.5, *, c: str = "z"): return a, b, c
print(tyro.cli(main, args="--a 4 --c w".split()))
print(tyro.cli(Args, args="--lr 2 --other".split(), return_unknown_args=True)[1])
sys.stderr = io.StringIO()
for bad in ("", "--lr x", "--lr 1 --kind z", "--lr 1 --nothing 3"):
    try: tyro.cli(Args, args=bad.split())
    except SystemExit as e: print(e.code)
`);
    expect(lines).toEqual([
      "Args(lr=0.001, inner=Inner(width=3, name='a'), use_cuda=False, quiet=True, steps=7, kind='y', sizes=(4, 5, 6), seed=3, out=PosixPath('p/q'))",
      "Args(lr=2.0, inner=Inner(width=8, name='b'), use_cuda=True, quiet=False, steps=10, kind='x', sizes=(1, 2), seed=None, out=PosixPath('o'))",
      "(4, 0.5, 'w')",
      "['--other']",
      "2",
      "2",
      "2",
      "2",
    ]);
  });
});

describe("unidecode", () => {
  it("writes letters in ASCII", async () => {
    const lines = await printed(
      `from unidecode import unidecode\nprint(unidecode("Café naïve Ślusàrski æøß “x” … Łódź"))`,
    );
    expect(lines).toEqual([`Cafe naive Slusarski aeoss "x" ... Lodz`]);
  });
});

describe("evaluate", () => {
  it("scores classes that were added in batches, and forgets them when it has", async () => {
    const lines = await printed(`
import evaluate
metric = evaluate.load("glue", "mrpc")
metric.add_batch(predictions=[1, 0, 1], references=[1, 1, 1])
metric.add_batch(predictions=[0], references=[0])
print(metric.compute())
print(evaluate.load("accuracy").compute(predictions=[1, 0], references=[1, 1]))
print(sorted(evaluate.load("rouge").compute(predictions=["a"], references=["b"])))
try: evaluate.load("nobody_knows")
except FileNotFoundError: print("none")
`);
    // by hand: three of four are right; two of two said are right, of three that are
    expect(lines).toEqual([
      "{'accuracy': 0.75, 'f1': 0.8}",
      "{'accuracy': 0.5}",
      "['rouge1', 'rouge2', 'rougeL', 'rougeLsum']",
      "none",
    ]);
  });
});

describe("what terminals, wrappers of environments and images know", () => {
  it("is as on a machine with a terminal", async () => {
    const lines = await printed(`
import os
import gymnasium as gym
import numpy as np
import PIL.Image
import tensorboard_logger
from torchvision.transforms import transforms
envs = gym.vector.SyncVectorEnv([lambda: gym.wrappers.RecordEpisodeStatistics(gym.make("CartPole-v1"))] * 2)
print(envs.reset(seed=1)[0].shape, envs.action_space.sample().shape, envs.single_action_space.n)
for _ in range(500): seen, rewards, ended, cut, infos = envs.step(envs.action_space.sample())
print(seen.shape, rewards.tolist(), ended.shape, ended.any(), infos["final_info"][1]["episode"]["l"], infos["episode"]["l"].tolist())
screens = gym.wrappers.GrayscaleObservation(gym.make("PongNoFrameskip-v4"))
print(gym.wrappers.FrameStackObservation(gym.wrappers.ResizeObservation(screens, (84, 84)), 4).reset()[0].shape)
class Sticky(gym.Wrapper[np.ndarray, int, np.ndarray, int]): pass
print(os.popen("stty size", "r").read().split())
image = PIL.Image.new("RGB", (8, 4))
print(transforms.ToTensor()(image).shape[0])
print(image.transform((5, 6), PIL.Image.AFFINE, (1, 0, 0, 0, 1, 0)).size, int(PIL.Image.MESH))
tensorboard_logger.Logger(logdir="x").log_value("loss", 1.0, 1)
`);
    expect(lines).toEqual([
      "(2, 4) (2,) 2",
      "(2, 4) [1.0, 1.0] (2,) True 500 [500, 500]",
      "(4, 84, 84)",
      "['24', '80']",
      "3",
      "(5, 6) 4",
    ]);
  });
});

describe("packages that read and prepare data", () => {
  it("gives pictures the shapes that OpenCV gives them", async () => {
    const lines = await printed(`
import cv2, numpy as np
im = np.zeros((16, 32, 3), "uint8")
g = cv2.cvtColor(im, cv2.COLOR_BGR2GRAY)
shapes = [cv2.resize(im, (8, 4)), cv2.resize(im, None, fx=0.5, fy=0.25), cv2.resize(g[:, :, None], (5, 6)), g,
    cv2.cvtColor(g, cv2.COLOR_GRAY2RGBA), cv2.warpAffine(im, cv2.getRotationMatrix2D((0, 0), 90, 1), (7, 9)),
    cv2.copyMakeBorder(im, 1, 2, 3, 4, cv2.BORDER_CONSTANT), cv2.rotate(im, cv2.ROTATE_90_CLOCKWISE), cv2.transpose(im),
    cv2.merge(cv2.split(im)), cv2.pyrDown(np.zeros((5, 7), "uint8")), cv2.Canny(im, 1, 2), cv2.Sobel(g, cv2.CV_32F, 1, 0)]
print([(*map(int, s.shape), str(s.dtype)) for s in shapes])
print(cv2.VideoWriter_fourcc(*"mp4v"), cv2.imread("not-there/at-all.txt") is None)
print([int(v) for v in cv2.getRotationMatrix2D((4, 2), 180, 2).round().flatten()], cv2.COLOR_HSV2BGR, cv2.COLOR_YUV2RGB)
`);
    // as OpenCV 5.0 prints
    expect(lines).toEqual([
      "[(4, 8, 3, 'uint8'), (4, 16, 3, 'uint8'), (6, 5, 'uint8'), (16, 32, 'uint8'), (16, 32, 4, 'uint8'), (9, 7, 3, 'uint8'), " +
        "(19, 39, 3, 'uint8'), (32, 16, 3, 'uint8'), (32, 16, 3, 'uint8'), (16, 32, 3, 'uint8'), (3, 4, 'uint8'), (16, 32, 'uint8'), " +
        "(16, 32, 'float32')]",
      "1983148141 True",
      "[-2, 0, 12, 0, -2, 6] 54 85",
    ]);
  });

  it("computes small things as SciPy does", async () => {
    const lines = await printed(`
import numpy as np, scipy.sparse as sp, scipy.signal, scipy.stats, scipy.special, scipy.linalg
from scipy.optimize import linear_sum_assignment
a = sp.coo_matrix((np.ones(3), (np.array([0, 1, 2]), np.array([1, 2, 0]))), shape=(3, 3), dtype=np.float32)
a = a + a.T.multiply(a.T > a) - a.multiply(a.T > a) + sp.eye(3)
m = sp.diags(np.power(np.array(a.sum(1)), -1).flatten()).dot(a).tocoo()
print([int(v) for v in m.row], round(float(m.data[0]), 6), m.nnz)
b = sp.csr_matrix((np.array([1, 2, 3]), np.array([1, 2, 0]), np.array([0, 2, 3])), shape=(2, 3))
print(b.toarray().tolist(), b.tocsc().indptr.tolist(), b.tocsc().data.tolist(), b[0].toarray().tolist(), b[:, [0, 2]].toarray().tolist())
print(sp.vstack([b, b]).shape, sp.block_diag([b, b]).toarray().sum(), b.T.dot(b).toarray().tolist(), (b * 2).toarray().tolist())
print([round(float(v), 6) for v in scipy.signal.lfilter([1], [1, -0.9], np.array([1.0, 1.0, 1.0]))])
print([[p.tolist() for p in linear_sum_assignment(np.array(c))] for c in ([[4, 1, 3], [2, 0, 5], [3, 2, 2]], [[4.0, 1], [2, 0], [3, 2]])])
print(round(float(scipy.stats.norm.cdf(1.96)), 6), round(float(scipy.stats.spearmanr([1, 2, 3], [1, 3, 2])[0]), 6))
print(round(float(scipy.special.logsumexp(np.array([1.0, 2.0]))), 6), [round(float(v), 6) for v in scipy.signal.windows.hamming(5)])
print(scipy.linalg.block_diag(np.ones((2, 1)), np.ones((1, 2))).tolist(), scipy.linalg.hadamard(4).tolist())
`);
    // as SciPy 1.17.1 prints
    expect(lines).toEqual([
      "[0, 0, 0, 1, 1, 1, 2, 2, 2] 0.333333 9",
      "[[0, 1, 2], [3, 0, 0]] [0, 1, 2, 3] [3, 1, 2] [[0, 1, 2]] [[0, 2], [3, 0]]",
      "(4, 3) 12 [[9, 0, 0], [0, 1, 2], [0, 2, 4]] [[0, 2, 4], [6, 0, 0]]",
      "[1.0, 1.9, 2.71]",
      "[[[0, 1, 2], [1, 0, 2]], [[0, 1], [1, 0]]]",
      "0.975002 0.5",
      "2.313262 [0.08, 0.54, 1.0, 0.54, 0.08]",
      "[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]] [[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]",
    ]);
  });

  it("reads flags, compares versions and knows environments of a program", async () => {
    const lines = await printed(`
from distutils.util import strtobool
from distutils.version import LooseVersion
import pkg_resources
import gymnasium as gym
from gymnasium.spaces.box import Box
from gymnasium.utils import seeding
from gymnasium.wrappers.record_video import RecordVideo
from torch.distributed.elastic.multiprocessing.errors import record
from absl import app, flags
print(LooseVersion("1.10.1") > LooseVersion("1.9"), strtobool("no"), pkg_resources.parse_version("2.0") < pkg_resources.parse_version("2.10"))
env = gym.make("ALE/SpaceInvaders-v5")
assert record(seeding.np_random) is seeding.np_random and issubclass(RecordVideo, gym.Wrapper)
print(env.action_space.n, env.unwrapped.np_random.integers(1, 31) > 0, gym.make("Ant-v4").action_space.shape, gym.make("Taxi-v3").reset()[0])
class Walk(gym.Env):
    def __init__(self, far): self.far, self.observation_space = far, gym.spaces.Dict({"at": Box(0, 1, (2,))})
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return {"at": self.np_random.random(2)}, {}
gym.register(id="Walk-v0", entry_point=Walk, kwargs={"far": 3})
print(gym.make("Walk-v0").far, gym.make("Walk-v0", far=4).far, list(gym.make("Walk-v0").reset(seed=1)[0]))
flags.DEFINE_integer("n", 3, ""); flags.DEFINE_bool("b", True, ""); flags.DEFINE_list("l", [], "")
app.run(lambda argv: print(flags.FLAGS.n, flags.FLAGS.b, flags.FLAGS.l, argv), ["x", "--n=5", "--nob", "--l", "a,b", "rest"])
`);
    expect(lines).toEqual(["True 0 True", "6 True (8,) 0", "3 4 ['at']", "5 False ['a', 'b'] ['x', 'rest']"]);
  });

  it("has torchvision's models as large as they were published, and sound by its lengths", async () => {
    const lines = await printed(`
import numpy as np
from PIL import ExifTags
from torchvision import models
from torchvision.models.inception import InceptionA
from torchvision.models.segmentation import deeplabv3_resnet50
def count(m): return sum(p.numel() for p in m.parameters())
print(count(models.inception_v3()), count(models.googlenet()), count(models.googlenet(aux_logits=False)))
print([count(getattr(models, f"shufflenet_v2_x{w}")()) for w in ("0_5", "1_0", "1_5", "2_0")])
print(count(deeplabv3_resnet50(aux_loss=True)), count(models.segmentation.fcn_resnet50(weights="DEFAULT")))
import librosa
print(librosa.filters.mel(sr=22050, n_fft=1024, n_mels=80).shape, librosa.stft(np.zeros(8192), n_fft=1024, hop_length=256).shape)
print(ExifTags.TAGS[274])
`);
    // counts of torchvision 0.27's weights, shapes of librosa 0.11
    expect(lines).toEqual([
      "27161264 13004888 6624904",
      "[1366792, 2278604, 3503624, 7393996]",
      "42004074 35322218",
      "(80, 513) (513, 33)",
      "Orientation",
    ]);
  });
});

describe("datasets", () => {
  it("has names for values under which results are cached", async () => {
    const lines = await printed(`
from datasets.fingerprint import Hasher
def f(x): return x + 1
def g(x): return x + 2
h = Hasher()
h.update("a")
print(Hasher.hash((1, "a")) == Hasher.hash((1, "a")), Hasher.hash((1, "a")) == Hasher.hash((2, "a")), Hasher.hash(f) == Hasher.hash(g), len(h.hexdigest()))
`);
    expect(lines).toEqual(["True False False 16"]);
  });
});

describe("operators", () => {
  it("take a tensor without dimensions where they take a number", async () => {
    const lines = await printed(`
import torch
x = torch.zeros(4, 5, device="cuda")
most = 5.0 / torch.sqrt(torch.tensor(16 * 128))
x.uniform_(-most, most).normal_(torch.tensor(0.0), torch.tensor(2.0))
print(tuple(torch.narrow(x, 1, torch.tensor(1), 2).shape), tuple(x.sum(torch.tensor(0)).shape))
for wrong in (torch.ones(2), torch.tensor(1.0, requires_grad=True)):
    try:
        x.uniform_(wrong, 3)
        print("taken")
    except TypeError:
        print("refused")
`);
    expect(lines).toEqual(["(4, 2) (5,)", "refused", "refused"]);
  });
});

describe("packages that are stood in for where memory or the way of a program hangs on them", () => {
  it("name numbers, read options from files, and make tables of texts", async () => {
    const lines = await printed(`
import configargparse, inflect, munch
import numpy as np
import scipy.sparse as sp
import torch
words = inflect.engine().number_to_words
print(words(1_234_567, andword=""), "|", words(1001), "|", words("21st"), "|", words(1905, andword="", zero="oh", group=2), "|", words("-3.14"))
with open("a.txt", "w") as file:
    file.write("name = paper # no\\nsize: 7\\nfast = True\\nslow=False\\nxs = [1, 2]\\n")
parser = configargparse.ArgumentParser()
parser.add_argument("--config", is_config_file=True)
for name, options in {"name": {}, "size": {"type": int}, "xs": {"nargs": "+"}}.items():
    parser.add_argument(f"--{name}", **options)
for name in ("fast", "slow"):
    parser.add_argument(f"--{name}", action="store_true")
print(parser.parse_args(["--config", "a.txt", "--size", "8"]))
print(munch.munchify({"a": [{"b": 1}]}).a[0].b)
with open("cora.content", "w") as file:
    file.writelines(f"{i}\\t" + "\\t".join("01"[(i + j) % 3 == 0] for j in range(40)) + "\\tTheory\\n" for i in range(2000))
table = np.genfromtxt("cora.content", dtype=np.dtype(str))
names = np.array(table[:3, 0], dtype=np.int32)
print(table.shape, names, set(map(str, table[:, -1])), sp.csr_matrix(table[:2, 1:6], dtype=np.float32).toarray().tolist())
entries = torch.tensor([[0, 1], [1, 0]]), torch.tensor([1.0, 2.0])
print(torch.sparse.FloatTensor(*entries, torch.Size([2, 2])).to_dense().shape, torch.sparse.FloatTensor(2, 3).shape)
print(np.unique(np.array([[1, 0], [0, 1], [1, 0]]), axis=0).tolist(), np.unique(np.zeros((400, 300, 3)), axis=0).shape)
ids = torch.LongTensor(100_000)
for i in range(5000):
    ids[i] = i
print(ids.shape)
`);
    // what inflect 7.5, ConfigArgParse 1.7, munch 4.0, NumPy and PyTorch 2.14 print
    expect(lines).toEqual([
      "one million, two hundred thirty-four thousand, five hundred sixty-seven | one thousand and one | twenty-first | nineteen, oh five | minus three point one four",
      "Namespace(config='a.txt', name='paper', size=8, xs=['1', '2'], fast=True, slow=False)",
      "1",
      "(2000, 42) [0 1 2] {'Theory'} [[1.0, 0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0]]",
      "torch.Size([2, 2]) torch.Size([2, 3])",
      "[[0, 1], [1, 0]] (1, 300, 3)",
      "torch.Size([100000])",
    ]);
  });
});

describe("click", () => {
  it("calls a function with what options and arguments say, and ends where they are wrong", async () => {
    const lines = await printed(`
import click, sys
class Comma(click.ParamType):
    name = "list"
    def convert(self, value, param, ctx):
        return value if isinstance(value, list) else value.split(",")
@click.command()
@click.option("--outdir", metavar="DIR", type=str, required=True)
@click.option("--arch", type=click.Choice(["a", "b"]), default="a", show_default=True)
@click.option("--duration", type=click.FloatRange(min=0, min_open=True), default=200)
@click.option("--res", type=Comma(), default="1,2")
@click.option("--fp16/--no-fp16", default=False)
@click.option("-n", "--dry-run", is_flag=True)
@click.option("-v", "--verbose", count=True)
@click.option("--pair", nargs=2, type=float, default=(0.5, 0.9))
@click.option("--tag", "-t", "tags", multiple=True)
@click.argument("rest", nargs=-1)
def main(**kwargs): print(sorted(kwargs.items()))
@click.group()
@click.option("--debug/--no-debug", default=False)
@click.pass_context
def cli(ctx, debug): ctx.ensure_object(dict)["debug"] = debug
@cli.command()
@click.argument("n", type=int)
@click.pass_obj
def one_cmd(obj, n): print("one", n, obj)
sys.stderr = sys.stdout
def go(command, words):
    try: command.main(words.split(), prog_name="p")
    except SystemExit as end: print("exit", end.code)
go(main, "--outdir=o --duration 3 --res 3,4 --fp16 -n -vv --pair 1 2 -t a --tag=b x y")
go(main, "")
go(main, "--outdir o --arch z")
go(main, "--outdir o --duration 0")
go(cli, "--debug one 3")
go(cli, "three")
`);
    // what click 8.3 prints
    expect(lines).toEqual([
      "[('arch', 'a'), ('dry_run', True), ('duration', 3.0), ('fp16', True), ('outdir', 'o'), ('pair', (1.0, 2.0)), ('res', ['3', '4']), ('rest', ('x', 'y')), ('tags', ('a', 'b')), ('verbose', 2)]",
      "exit 0",
      "Usage: p [OPTIONS] [REST]...",
      "Try 'p --help' for help.",
      "",
      "Error: Missing option '--outdir'.",
      "exit 2",
      "Usage: p [OPTIONS] [REST]...",
      "Try 'p --help' for help.",
      "",
      "Error: Invalid value for '--arch': 'z' is not one of 'a', 'b'.",
      "exit 2",
      "Usage: p [OPTIONS] [REST]...",
      "Try 'p --help' for help.",
      "",
      "Error: Invalid value for '--duration': 0.0 is not in the range x>0.",
      "exit 2",
      "one 3 {'debug': True}",
      "exit 0",
      "Usage: p [OPTIONS] COMMAND [ARGS]...",
      "Try 'p --help' for help.",
      "",
      "Error: No such command 'three'.",
      "exit 2",
    ]);
  });
});
