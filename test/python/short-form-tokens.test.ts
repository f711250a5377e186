/** Tokenizers of the short form of transformers: what programs call gives what the package gives on the same placeholders. */

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { hasArchives, unpacked } from "../real-packages.ts";

const { run } = vramscope;

const LIMIT_MS = 300_000;

const SOURCE = `
from transformers import AutoTokenizer, DataCollatorForLanguageModeling, DataCollatorWithPadding
for name in ("meta-llama/Llama-2-7b-hf", "gpt2", "bert-base-uncased", "Qwen/Qwen2.5-0.5B-Instruct", "t5-small"):
    tok = AutoTokenizer.from_pretrained(name)
    one = tok("Hello, my name is", return_tensors="pt")
    print(name, tok.vocab_size, len(tok), list(one), tuple(one["input_ids"].shape), tok.eos_token, tok.eos_token_id, tok.pad_token)
    tok.pad_token = tok.pad_token or tok.eos_token
    many = tok(["a longer sentence with some words", "short"], padding=True, truncation=True, max_length=6, return_tensors="pt")
    print({k: v.tolist() if k != "input_ids" else tuple(v.shape) for k, v in many.items()})
    print(tok("x " * 40, padding="max_length", max_length=64)["attention_mask"].count(1), tok.padding_side, tok.all_special_ids)
    print([list(map(len, tok(["one two three", "four"])[k])) for k in ("input_ids", "attention_mask")])
    print(tok.encode("some text") == tok("some text").input_ids, tok.convert_tokens_to_ids(tok.pad_token) == tok.pad_token_id)
    rows = [tok("some words"), tok("some more words than before")]
    print({k: tuple(v.shape) for k, v in DataCollatorWithPadding(tok)(rows).items()})
    labels = DataCollatorForLanguageModeling(tok, mlm=False)(rows)["labels"]
    print(tuple(labels.shape), (labels == -100).sum().item())
    print(tok.add_special_tokens({"additional_special_tokens": ["<extra>"]}), len(tok), tok.convert_tokens_to_ids("<extra>"))
tok = AutoTokenizer.from_pretrained("Qwen/Qwen2.5-0.5B-Instruct")
talk = [{"role": "user", "content": "Hi there"}]
print(repr(tok.apply_chat_template(talk, tokenize=False, add_generation_prompt=True)))
print({k: tuple(v.shape) for k, v in tok.apply_chat_template(talk, add_generation_prompt=True, return_tensors="pt", return_dict=True).items()})
try:
    AutoTokenizer.from_pretrained("gpt2")(["one", "two more"], padding=True)
except ValueError as error:
    print(str(error)[:64])
`;

const PIPELINES = `
import torch
from transformers import pipeline
def said(name):
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
pipe = pipeline("text-generation", model="Qwen/Qwen2.5-0.5B-Instruct", device="cuda", torch_dtype=torch.bfloat16)
print(list(pipe("Hello", max_new_tokens=20)[0]), list(pipe([{"role": "user", "content": "Who are you?"}], max_new_tokens=8)[0]))
said("text-generation")
pipe = pipeline("sentiment-analysis", model="distilbert/distilbert-base-uncased-finetuned-sst-2-english")
print(list(pipe("I like this")[0]), len(pipe(["a", "b"])))
said("sentiment-analysis")
pipe = pipeline("feature-extraction", model="bert-base-uncased", device=0)
print(len(pipe("a text")[0]))
said("feature-extraction")
pipe = pipeline("feature-extraction", model=pipe.model, tokenizer="gpt2")
print(pipe.tokenizer.vocab_size)
try:
    pipeline("feature-extraction", model=pipe.model)
except Exception as error:
    print(str(error)[:45])
`;

async function printed(sitePackages: readonly string[], source = SOURCE): Promise<string[]> {
  const result = await run({ script: "p.py", source, sitePackages });
  expect([result.errorText, result.status]).toEqual([null, "ok"]);
  expect(result.trace.assumptions.map(({ code }) => code)).toContain("hub_vocabulary");
  return result.stdout.split("\n").filter((line) => line !== "");
}

it("have the sizes and special tokens that were published", async () => {
  const lines = await printed([]);
  const facts = lines.filter((line) => line.includes("['input_ids'"));
  // config.json and tokenizer_config.json of each
  expect(facts.map((line) => line.replace(/\[.*\)/, ""))).toEqual([
    "meta-llama/Llama-2-7b-hf 32000 32000  </s> 2 None",
    "gpt2 50257 50257  <|endoftext|> 50256 None",
    "bert-base-uncased 30522 30522  None None [PAD]",
    "Qwen/Qwen2.5-0.5B-Instruct 151936 151936  <|im_end|> 151645 <|endoftext|>",
    "t5-small 32128 32128  </s> 1 <pad>",
  ]);
  expect(lines.at(-1)).toBe("Asking to pad but the tokenizer does not have a padding token. P");
});

it.skipIf(!hasArchives)(
  "say what the package says",
  async () => {
    const packages = [unpacked(["transformers"])];
    // ids, and what pipelines allocate
    const whole = SOURCE + PIPELINES;
    expect(await printed([], whole)).toEqual(await printed(packages, whole));
  },
  LIMIT_MS,
);

it("have further encodings for what there is no room for, as tokenizers 0.23.1 has", async () => {
  const here = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
  const result = await run({ script: "p.py", source: here("overflowing_tokens.py") });
  expect([result.errorText, result.stdout]).toEqual([null, here("overflowing_tokens.txt")]);
});
