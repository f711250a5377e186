/** `from_pretrained("gpt2")` with the built-in transformers: published models by name, as with the installed package. */

import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

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

  it("is refused where nobody knows it", async () => {
    const { errorText } = await ran(`
from transformers import AutoModel
AutoModel.from_pretrained("nobody/has-this")
`);
    expect(errorText).toContain("OSError: 'nobody/has-this' is neither a folder");
    expect(errorText).toContain("nor a published model");
  });
});
