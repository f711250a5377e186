/** `from_pretrained("gpt2")` with the built-in transformers: published models by name, as with the installed package. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { hasArchives, unpacked } from "../real-packages.ts";

const { run } = vramscope;

async function ran(source: string) {
  const result = await run({ script: "p.py", source });
  return { ...result, assumed: result.trace.assumptions };
}

describe("a published model by its name", () => {
  // parameters as the library's classes count them, tied weights once
  it.each([
    ["gpt2", "AutoModelForCausalLM", 124_439_808, "torch.float32"],
    ["openai-community/gpt2", "GPT2LMHeadModel", 124_439_808, "torch.float32"],
    ["Qwen/Qwen2.5-0.5B", "AutoModelForCausalLM", 494_032_768, "torch.bfloat16"],
    ["BAAI/bge-m3", "AutoModel", 567_754_752, "torch.float32"],
  ])("%s as %s", async (name, kind, count, dtype) => {
    const { stdout, errorText, assumed } = await ran(`
from transformers import ${kind}
model = ${kind}.from_pretrained("${name}")
print(sum(p.numel() for p in model.parameters()), model.dtype)
`);
    expect([errorText, stdout.trim()]).toEqual([null, `${count} ${dtype}`]);
    expect(assumed.map(({ code }) => code)).toContainEqual(expect.stringMatching(/^hub_/));
  });

  it("may have other sizes, and another head", async () => {
    const { stdout, errorText } = await ran(`
from transformers import AutoConfig, AutoModelForSequenceClassification
print(AutoConfig.from_pretrained("gpt2").n_layer)
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased", num_labels=5)
print(tuple(model.classifier.weight.shape))
`);
    expect([errorText, stdout.trim().split("\n")]).toEqual([null, ["12", "(5, 768)"]]);
  });

  // of those that may be meant the one with the largest vocabulary: too much memory is better than too little
  it.each([
    ["trl-lib/Qwen2-0.5B-Reward", "qwen2", 151_936, "hub_same_name"],
    ["sentence-transformers/stsb-distilbert-base", "distilbert", 30_522, "hub_trained_from"],
    ["sentence-transformers/nli-roberta-base-v2", "roberta", 50_265, "hub_trained_from"],
    ["trl-lib/pythia-1b-deduped-tldr-rm", "gpt_neox", 50_304, "hub_trained_from"],
    ["Helsinki-NLP/opus-mt-en-ro", "marian", 65_001, "hub_other_languages"],
  ])("is the model that the words of %s name", async (name, kind, vocabulary, code) => {
    const { stdout, errorText, assumed } = await ran(`
from transformers import AutoConfig
config = AutoConfig.from_pretrained("${name}")
print(config.model_type, config.vocab_size)
`);
    expect([errorText, stdout.trim()]).toEqual([null, `${kind} ${vocabulary}`]);
    expect(assumed.map((one) => one.code)).toContain(code);
  });

  it("is what a folder that is not there holds, by the folder's name, in one file or in parts", async () => {
    const { stdout, errorText, assumed } = await ran(`
import json, math, os
from safetensors import safe_open
print(os.path.isdir("/models/Llama-3.2-1B-Instruct"))
print(json.load(open("/models/Llama-3.2-1B-Instruct/config.json"))["hidden_size"], os.path.isdir("/models/Llama-3.2-1B-Instruct"))
def count(file):
    with safe_open(file, "pt") as weights:
        return sum(math.prod(weights.get_slice(name).get_shape()) for name in weights.keys())
parts = [count(f"/models/Llama-3.2-1B-Instruct/model-0000{i}-of-00003.safetensors") for i in (1, 2, 3)]
print(sum(parts), min(parts) * 4 > max(parts), count("/models/Llama-3.2-1B-Instruct/model.safetensors"))
if not os.path.isdir("weights/gpt2-medium"): raise SystemExit("where is it?")
print(count("weights/gpt2-medium/model.safetensors"))
print([os.path.exists(path) for path in ("/models/run-1/config.json", "data/config.json", "/models/Llama-2-7b-hf")])
`);
    const said = ["False", "2048 True", "1235814400 True 1235814400", "354823168", "[False, False, False]"];
    expect([errorText, stdout.trim().split("\n")]).toEqual([null, said]);
    expect(assumed.map(({ code }) => code)).toContain("hub_folder");
  });

  it("has parts of another layout, too, where those are what a program looks for", async () => {
    const { stdout, errorText } = await ran(`
import glob, os
from pathlib import Path
folder = "Meta-Llama-3-8B-Instruct"
if not os.path.isdir(folder): raise FileNotFoundError(folder)
print([path.name for path in Path(folder).glob("*.safetensors")], [path.name for path in Path(folder).glob("*.pth")])
print([os.path.basename(path) for path in glob.glob(folder + "/*.safetensors")], len(glob.glob(folder + "/*.pth")))
`);
    const hub = "['model.safetensors']";
    expect([errorText, stdout.trim().split("\n")]).toEqual([null, [`${hub} ['0_00000.pth']`, `${hub} 1`]]);
  });

  it("is not looked for by the names of thousands of files", async () => {
    const { stdout, errorText } = await ran(`
from vramscope_hub import _published
from PIL import Image
for i in range(3):
    Image.open(f"/data/n0144076{i}_10026.JPEG")
print(len(_published._lines))
`);
    expect([errorText, stdout.trim()]).toEqual([null, "0"]);
  });

  it.skipIf(!hasArchives)("is what the package reads from such a folder, too", { timeout: 120_000 }, async () => {
    const source = `
from transformers import AutoConfig
print(AutoConfig.from_pretrained("/data/models/Llama-2-7b-hf").hidden_size, AutoConfig.from_pretrained("../gpt2-medium").n_layer)
try: AutoConfig.from_pretrained("/data/models/no-such-thing")
except OSError as error: print("none")
`;
    const { stdout, errorText } = await run({
      script: "p.py",
      source,
      sitePackages: [unpacked(["transformers", "accelerate"])],
    });
    expect([errorText, stdout.trim().split("\n")]).toEqual([null, ["4096 24", "none"]]);
  });

  it.each(["nobody/has-this", "nobody/some-en-de", "nobody/nli-mean-tokens", "nobody/base-v2"])(
    "is not guessed from %s",
    async (name) => {
      const { errorText } = await ran(`from transformers import AutoConfig\nAutoConfig.from_pretrained("${name}")`);
      expect(errorText).toContain("nor a published model");
    },
  );

  it("is refused where nobody knows it", async () => {
    const { errorText } = await ran(`
from transformers import AutoModel
AutoModel.from_pretrained("nobody/has-this")
`);
    expect(errorText).toContain("OSError: 'nobody/has-this' is neither a folder");
    expect(errorText).toContain("nor a published model");
  });
});
