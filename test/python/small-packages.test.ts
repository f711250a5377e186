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
