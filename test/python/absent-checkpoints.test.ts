/** Checkpoints that nobody has: of several things at once, and those that were published in TensorFlow's format. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const { run } = vramscope;

type Result = Awaited<ReturnType<typeof run>>;
const codes = ({ trace }: Result): string[] => trace.assumptions.map(({ code }) => code);

describe("a checkpoint that nobody has", () => {
  it("takes a checkpoint that is unpacked for so many things that were saved together", async () => {
    const result = await run({
      script: "p.py",
      source: `
import torch
model = torch.nn.Linear(100, 100).cuda()
optimizer = torch.optim.Adam(model.parameters())
weights, states = torch.load("both.pt", map_location="cuda")
model.load_state_dict(weights)
optimizer.load_state_dict(states)
print(torch.cuda.memory_allocated())
print(torch.load("model_best.pth.tar")["epoch"], torch.cuda._initialized)
images, labels = torch.load("data.pt")
try: images.size(0)
except AttributeError as error: print("data.pt[0] is not there" in str(error))
`,
    });
    // parameters, the file's own, and two states of the optimizer for each
    const bytes = 100 * 100 * 4 + 192 + 512;
    expect([result.errorText, result.status]).toEqual([null, "ok"]);
    expect(result.stdout.trim().split("\n").slice(1)).toEqual(["0 True", "True"]);
    expect(Number(result.stdout.split("\n")[0])).toBeGreaterThan(2 * bytes - 1024);
  });

  it("holds weights under the first name that is asked for, where the program would end without", async () => {
    const result = await run({
      script: "p.py",
      source: `
import torch
model = torch.nn.Linear(10, 10).cuda()
saved = torch.load("m.pt", map_location="cpu")
if "module" in saved:
    weights = saved["module"]
elif "state_dict" in saved:
    weights = saved["state_dict"]
else:
    raise Exception("no weights")
print(model.load_state_dict(weights))
print("optimizer" in saved, "module" in saved)
`,
    });
    expect([result.errorText, result.stdout]).toEqual([null, "<All keys matched successfully>\nFalse False\n"]);
  });

  it("reads a published checkpoint of TensorFlow by the settings beside it, where the program cannot do without", async () => {
    const result = await run({
      script: "p.py",
      source: `
import importlib.util, json, os, requests
print(importlib.util.find_spec("tensorflow"))
try: import tensorflow
except ImportError: print("without")
import tensorflow as tf
os.makedirs("gpt2/124M")
for name in ("checkpoint", "hparams.json", "model.ckpt.index"):
    with open(f"gpt2/124M/{name}", "wb") as file:
        for part in requests.get(f"https://host/gpt-2/models/124M/{name}").iter_content(1024): file.write(part)
path = tf.train.latest_checkpoint("gpt2/124M")
shapes = dict(tf.train.list_variables(path))
print(path, json.load(open("gpt2/124M/hparams.json"))["n_head"], len(shapes))
array = tf.train.load_variable(path, "model/h11/mlp/c_fc/w")
print(array.shape, array.dtype, sum(map(lambda s: eval("*".join(map(str, s))), shapes.values())))
try: tf.constant(1)
except ImportError as error: print(error)
`,
    });
    // openai/gpt-2: the checkpoint of 124M has 148 variables with 124,439,808 numbers
    expect([result.errorText, result.stdout.trim().split("\n")]).toEqual([
      null,
      [
        "None",
        "without",
        "gpt2/124M/model.ckpt 12 148",
        "(1, 768, 3072) float32 124439808",
        "vramscope's stand-in for tensorflow does not have 'constant'",
      ],
    ]);
    expect(codes(result)).toEqual(expect.arrayContaining(["placeholder_file", "placeholder_download"]));
  });
});
