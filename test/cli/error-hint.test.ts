/** Hints behind errors of programs that want a launcher: they name the command, and no other variable brings them. */

import { describe, expect, it } from "vitest";
import { errorHint } from "../../src/cli/error-hint.ts";
import { ENGINE_PACKAGES } from "../../src/serving/engine-packages.ts";
import { ENGINES } from "../../src/serving/engines.ts";
import { folderWith } from "../helpers.ts";

const files = { script: "ddp.py", workingDirectory: folderWith({ "ddp.py": "" }) };
const hint = (last: string): unknown => errorHint(`Traceback (most recent call last):\n${last}\n`, files);

describe("a program that is one of several processes", () => {
  it.each([
    ["KeyError: 'LOCAL_RANK'", "LOCAL_RANK"],
    ["KeyError: 'WORLD_SIZE'", "WORLD_SIZE"],
    [
      "ValueError: Error initializing torch.distributed using env:// rendezvous: environment variable RANK expected, but not set.",
      "RANK",
    ],
  ])("is told of the launcher: %s", (last, variable) => {
    expect(hint(last)).toEqual({ code: "hint_launcher", args: { variable, script: "ddp.py" } });
  });

  it.each([
    "AssertionError: Requires at least 2 GPUs to run, but got 1",
    "RuntimeError: this example needs more than one device, multiple GPUs are required",
  ])("is told how a machine has more GPUs: %s", (last) => {
    expect(hint(last)).toEqual({ code: "hint_gpus", args: { script: "ddp.py" } });
  });

  it("is told of releases where a part of PyTorch is missing, and of no package", () => {
    const last = "ModuleNotFoundError: No module named 'torch._six'";
    expect(hint(last)).toEqual({ code: "hint_part_of_torch", args: { module: "torch._six" } });
  });

  it("is told of the release that its project asks for where the one that is here lacks something", () => {
    const own = {
      script: "t.py",
      workingDirectory: folderWith({ "t.py": "", "requirements.txt": "trl\npeft==0.5.0\n" }),
    };
    const lacked = "ImportError: cannot import name 'BottleneckConfig' from 'peft' (/site-packages/0/peft/__init__.py)";
    const args = { name: "BottleneckConfig", distribution: "peft" };
    const of = { file: "requirements.txt", requirement: "peft==0.5.0" };
    expect(errorHint(lacked, own)).toEqual({ code: "hint_release_of_project", args: { ...args, ...of } });
    expect(hint(lacked)).toEqual({ code: "hint_other_release", args });
    expect(errorHint("ModuleNotFoundError: No module named 'trl.core'", own)).toEqual({
      code: "hint_other_release",
      args: { name: "trl.core", distribution: "trl" },
    });
    // ours stands in for it, and the error says so
    const short = "vramscope: this is the built-in short form of tqdm. The package itself runs, too: ...";
    expect(errorHint(`ModuleNotFoundError: No module named 'tqdm.contrib'\n${short}`, own)).toBeNull();
  });

  it("is told of a package that is not there and was asked for its version", () => {
    const note = "vramscope: it is imported at ddp.py:1, and used here";
    const last = `AttributeError: module 'timm' has no attribute '__version__'\n${note}`;
    expect(hint(last)).toEqual({ code: "hint_module_not_found", args: { distribution: "timm" } });
    expect(hint("AttributeError: module 'timm' has no attribute '__version__'")).toBeNull();
  });

  it("is not told of GPUs by an error that names one", () => {
    expect(hint("RuntimeError: CUDA error on GPU 0 after 2 tries")).toBeNull();
  });

  it("is not told of GPUs by tensors that lie on two devices", () => {
    const last =
      "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!";
    expect(hint(last)).toBeNull();
  });

  it("is not what misses another key", () => {
    expect(hint("KeyError: 'HOME'")).toBeNull();
    expect(hint("ValueError: RANK")).toBeNull();
  });
});

describe("a program of a serving engine", () => {
  it("is told of the estimate, for each engine that one answers for", () => {
    expect(hint("ModuleNotFoundError: No module named 'vllm'")).toEqual({
      code: "hint_engine",
      args: { module: "vllm", engine: "vllm" },
    });
    expect([...ENGINE_PACKAGES.values()].sort()).toEqual(ENGINES.map(({ id }) => id).sort());
  });
});
