/** Published files in their makers' layout that are not there, and what programs ask for beside them. Counts are those that the makers publish. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const { run } = vramscope;

async function printed(source: string, argv: readonly string[] = []) {
  const result = await run({ script: "p.py", source, argv });
  expect(result.errorText).toBeNull();
  const told = result.trace.assumptions.map(({ code }) => code);
  return { told, lines: result.stdout.trim().split("\n") };
}

describe("a published checkpoint", () => {
  it("has the tensors that a program takes its dimensions from: CLIP's, Whisper's, ViT's of Flax", async () => {
    const { lines } = await printed(`
import hashlib, torch
import numpy as np
for name in ("ViT-B-32", "ViT-L-14-336px", "RN50", "RN50x4", "RN101"):
    state = torch.jit.load(f"{name}.pt", map_location="cpu").eval().state_dict()
    print(name, sum(v.numel() for k, v in state.items() if "running" not in k and "batches" not in k))
print(state["visual.layer1.0.conv1.weight"].shape[0], "visual.proj" in state)
print(hashlib.sha256(open("RN50.pt", "rb").read()).hexdigest() == "0" * 64)
print(torch.load("large-v3-turbo.pt")["dims"])
flax = np.load("ViT-B_16-224.npz")
print(sum(flax[name].size for name in flax.files))
torch.save({}, "plain.pt")
try: torch.jit.load("plain.pt")
except RuntimeError as error: print(error)
`);
    expect(lines).toEqual([
      "ViT-B-32 151277313",
      "ViT-L-14-336px 427944193",
      "RN50 102007137",
      "RN50x4 178300601",
      "RN101 119688033",
      "64 False",
      "True",
      "{'n_mels': 128, 'n_audio_ctx': 1500, 'n_audio_state': 1280, 'n_audio_head': 20, 'n_audio_layer': 32, " +
        "'n_vocab': 51866, 'n_text_ctx': 448, 'n_text_state': 1280, 'n_text_head': 20, 'n_text_layer': 4}",
      // 85,798,656 of the network, 590,592 before the head, and the head of 21,843 classes
      "103186515",
      "PytorchStreamReader failed locating file constants.pkl: file not found",
    ]);
  });

  it("is read beside sounds that ffmpeg decodes, special tokens, sparse buffers, and a log that warns", async () => {
    const { lines, told } = await printed(`
import json, pickle, subprocess, torch, tiktoken, wandb
from tokenizers import normalizers
command = "ffmpeg -nostdin -i talk.mp3 -f s16le -ac 1 -acodec pcm_s16le -ar 8000 -".split()
print(len(subprocess.run(command, capture_output=True, check=True).stdout))
coder = tiktoken.Encoding("own", pat_str="", mergeable_ranks={b"a": 0}, special_tokens={"<|en|>": 1})
print(coder.decode([1, 1]), coder.decode([0]) == coder.decode([1]))
made = normalizers.BertNormalizer(True, True, None, True)
print(json.loads(made.__getstate__())["lowercase"], pickle.loads(pickle.dumps(made)).lowercase)
heads = torch.nn.Module()
heads.register_buffer("chosen", torch.ones(2, 20, dtype=torch.bool).to_sparse(), persistent=False)
print(heads.cuda().chosen.device, torch.cuda.memory_allocated())  # indices of 640 bytes, values of 40
wandb.termwarn("once")
`);
    expect(lines).toEqual(["80000", "<|en|><|en|> False", "True True", "cuda:0 1536"]);
    expect(told).toContain("placeholder_file");
  });
});

describe("what a program does without", () => {
  const caught = (raised: string): string => `
import torch, traceback
w = torch.ones(1000, device="cuda")
def work():
    ${raised}
try: work()
except Exception: traceback.print_exc()
`;
  it("because of an error that it caught and printed is not in the numbers, and the verdict says so", async () => {
    const failed = vramscope.reportFacts(await run({ script: "p.py", source: caught("raise ValueError('no beams')") }));
    expect([failed.verdict, failed.printedError?.args["error"]]).toEqual(["tight", "ValueError: no beams"]);
    const absent = vramscope.reportFacts(await run({ script: "p.py", source: caught("import nothing_of_this_name") }));
    expect(absent.verdict).toBe("fits");
  });
});

describe("the words of a program", () => {
  it("tell what a column is looked up by, and which settings are changed", async () => {
    const { lines } = await printed(
      `
from absl import app, flags
from ml_collections import config_flags
import pandas as pd
kinds = {"b": "business", "t": "science"}
def named(x):
    return kinds[x]
frame = pd.read_csv("news.csv", sep="\\t", names=["TITLE", "KIND", "SIDE"])
print(sorted(set(frame["KIND"].apply(lambda x: named(x)))), sorted(set(frame["SIDE"].map({"l": 0, "r": 1}))))
open("/content/made/here.txt", "w").write("text")
open("settings.py", "w").write("from ml_collections import ConfigDict\\ndef get_config():\\n    return ConfigDict({'rate': 0.1, 'model': {'width': 8, 'name': 'a'}})\\n")
config_flags.DEFINE_config_file("config", None, "settings", lock_config=True)
def main(_):
    config = flags.FLAGS.config
    print(config.rate, config.model.width, config.model.name)
    try: config.other = 1
    except KeyError: print("locked")
app.run(main)
`,
      ["--config.model.width=16", "--config=settings.py", "--config.rate=1", "--config.model.name", "3"],
    );
    // what ml_collections 1.1.0 prints
    expect(lines).toEqual(["['business', 'science'] [0, 1]", "1.0 16 3", "locked"]);
  });

  it("tell what the turns of a conversation are called, and scores count each class", async () => {
    const { lines } = await printed(`
import json
from sklearn.metrics import f1_score
roles = {"human": 0, "gpt": 1}
records = json.load(open("talks.json"))
turns = records[0]["conversations"]
print([roles[turn["from"]] for turn in turns], turns[0]["value"].startswith("<image>"))
true, said = [[1, 0, 1], [0, 1, 1]], [[1, 1, 0], [0, 1, 1]]
print([round(f1_score(true, said, average=kind), 4) for kind in ("micro", "macro", "weighted")])
`);
    // by their definitions: F1 of the three classes is 1, 2/3 and 2/3
    expect(lines).toEqual(["[0, 1] True", "[0.75, 0.7778, 0.75]"]);
  });

  it("may be those of the hub's vocabularies: a class that reads its own files gets the one file that is there", async () => {
    const { lines } = await printed(`
from vramscope_hub._slow import wrap_slow
class Slow:
    vocab_files_names = {"vocab_file": "vocab.txt"}
    @classmethod
    def from_pretrained(cls, name, **options): return "its own files"
wrap_slow(Slow)
print(len(Slow.from_pretrained("bert-base-uncased")("hello there")["input_ids"]) > 2)
open("own/vocab.txt", "w").write("a")
print(Slow.from_pretrained("own"))
`);
    expect(lines).toEqual(["True", "its own files"]);
  });
});
