/** Programs of unsloth on the real transformers, peft and trl: they train, and what unsloth does otherwise is said. */

import { expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { hasArchives, unpacked } from "../real-packages.ts";

const { run } = vramscope;

const LIMIT_MS = 600_000;

const SOURCE = `
import gc
import torch
from unsloth import FastLanguageModel, is_bfloat16_supported
from unsloth.chat_templates import get_chat_template, train_on_responses_only
from trl import SFTTrainer
from transformers import TrainingArguments
from datasets import load_dataset

def loaded(name):
    model, tokenizer = FastLanguageModel.from_pretrained(model_name=name, max_seq_length=256, dtype=None, load_in_4bit=True)
    print(torch.cuda.memory_allocated())
    return model, tokenizer

model, tokenizer = loaded("unsloth/Llama-3.2-1B-Instruct")
del model
gc.collect()
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() < 1 << 20)
model, tokenizer = loaded("unsloth/Llama-3.2-1B-Instruct-bnb-4bit")
model = FastLanguageModel.get_peft_model(model, r=16, target_modules=["q_proj", "v_proj"], lora_alpha=16, use_gradient_checkpointing="unsloth")
print(sum(p.numel() for p in model.parameters() if p.requires_grad), next(p.dtype for p in model.parameters() if p.requires_grad))
tokenizer = get_chat_template(tokenizer, chat_template="llama-3.1", mapping={"role": "from", "content": "value", "user": "human", "assistant": "gpt"})
dataset = load_dataset("somebody/conversations", split="train")
dataset = dataset.map(lambda rows: {"text": [tokenizer.apply_chat_template(c, tokenize=False) for c in rows["conversations"]]}, batched=True)
print(sorted(dataset[5]) == ["conversations", "text"])
trainer = SFTTrainer(
    model=model, tokenizer=tokenizer, train_dataset=dataset, dataset_text_field="text", max_seq_length=256, packing=False,
    args=TrainingArguments(
        per_device_train_batch_size=2, gradient_accumulation_steps=1, max_steps=2, bf16=is_bfloat16_supported(),
        fp16=not is_bfloat16_supported(), optim="adamw_8bit", output_dir="outputs", report_to="none",
    ),
)
trainer = train_on_responses_only(trainer, instruction_part="user", response_part="assistant")
trainer.train()
FastLanguageModel.for_inference(model)
ids = tokenizer("a question", return_tensors="pt").to("cuda")
print(model.generate(**ids, max_new_tokens=4, use_cache=True).shape[1] > ids["input_ids"].shape[1])
model.save_pretrained_gguf("model", tokenizer, quantization_method="q4_k_m")
`;

it.skipIf(!hasArchives)(
  "unsloth's calls load, train and answer",
  async () => {
    const packages = unpacked(["transformers", "peft", "accelerate", "trl"]);
    const result = await run({ script: "p.py", source: SOURCE, sitePackages: [packages] });
    expect([result.errorText, result.status]).toEqual([null, "ok"]);
    const printed = result.stdout.split("\n").filter((line) => /^(\d|True|False)/.test(line));
    // what lies packed in a file takes what the same weights take that are packed while they are loaded
    const [quantizedHere, , fromPacked, trained] = printed;
    expect(fromPacked).toBe(quantizedHere);
    // 16 layers; q_proj: 2048 to 2048, v_proj: 2048 to 512, of rank 16
    expect(trained).toBe(`${16 * 16 * (2048 + 2048 + 2048 + 512)} torch.float32`);
    expect(printed.filter((line) => line === "False")).toEqual([]);
    const said = result.trace.assumptions.map(({ code }) => code);
    expect(said).toEqual(
      expect.arrayContaining([
        "unsloth_kernels",
        "hub_named_format",
        "unsloth_inputs_on_card",
        "unsloth_all_labels",
        "unsloth_not_converted",
      ]),
    );
  },
  LIMIT_MS,
);
