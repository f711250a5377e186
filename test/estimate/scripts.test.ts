/** Python programs that train with Unsloth or TRL: their plain arguments are a configuration, and what they compute is said to be open. */

import { describe, expect, it } from "vitest";
import { readScript } from "../../src/estimate/configs/index.ts";

const UNSLOTH = `
from unsloth import FastLanguageModel  # (a comment with an apostrophe: it's one
from trl import SFTTrainer, SFTConfig
max_seq_length = 4096
dtype = None  # whatever the card can
model, tokenizer = FastLanguageModel.from_pretrained(
    model_name = "unsloth/Meta-Llama-3.1-8B-bnb-4bit",  # 4 bits
    max_seq_length = max_seq_length,
    dtype = dtype,
    load_in_4bit = True,
)
model = FastLanguageModel.get_peft_model(
    model, r = 16, target_modules = ["q_proj", "k_proj"], lora_alpha = 16,
    use_gradient_checkpointing = "unsloth", random_state = 3407,
)
trainer = SFTTrainer(
    model = model, tokenizer = tokenizer, train_dataset = load_dataset("imdb", split = "train"), max_seq_length = max_seq_length,
    args = SFTConfig(per_device_train_batch_size = 2, gradient_accumulation_steps = 4, optim = "adamw_8bit",
        num_train_epochs = int(epochs), report_to = "none", mystery_size = 3),
)
trainer.train()
`;

describe("a program with Unsloth", () => {
  const { run, model, unknown } = readScript(UNSLOTH, null)!;

  it("is adapters beside 4-bit weights", () => {
    expect(model).toBe("unsloth/Meta-Llama-3.1-8B");
    expect(run.recipe).toMatchObject({
      method: "qlora",
      batch: 2,
      accumulate: 4,
      seq: 4096,
      optimizer: "adamw-8bit",
      loraRank: 16,
      loraTargets: ["q_proj", "k_proj"],
      checkpointing: "blocks",
    });
  });

  it("says what is taken for something else, what only the run knows, and what nobody knows", () => {
    expect(run.assumed.map(([name]) => name)).toEqual(
      expect.arrayContaining(["Unsloth's own kernels", "inputs of blocks", "num_train_epochs"]),
    );
    expect(run.assumed.map(([name]) => name)).not.toContain("unsloth.dtype");
    expect(unknown).toEqual(["mystery_size"]);
  });

  it("trains what it loads first, whatever it loads afterwards", () => {
    const later =
      'if False:\n    model, tokenizer = FastLanguageModel.from_pretrained(model_name = "my_lora", max_seq_length = 512)\n';
    const read = readScript(UNSLOTH + later, null)!;
    expect([read.model, read.run.recipe]).toEqual([model, run.recipe]);
  });

  it("trains all parameters where it says so", () => {
    const all = UNSLOTH.replace("load_in_4bit = True", "load_in_4bit = False, full_finetuning = True").replace(
      /model = FastLanguageModel\.get_peft_model\([^)]*\)/,
      "",
    );
    expect(readScript(all.replace("-bnb-4bit", ""), null)!.run.recipe.method).toBe("full");
  });
});

describe("a program with transformers and TRL", () => {
  it("compares answers with a reference", () => {
    const { run, model } = readScript(
      `
model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen2.5-7B", torch_dtype=torch.bfloat16, attn_implementation="flash_attention_2")
peft_config = LoraConfig(r=8, target_modules="all-linear")
trainer = DPOTrainer(model, args=DPOConfig(output_dir="out", bf16=True, per_device_train_batch_size=1, beta=0.1), peft_config=peft_config)
`,
      8,
    )!;
    expect(model).toBe("Qwen/Qwen2.5-7B");
    expect(run.recipe).toMatchObject({ method: "lora", batch: 2, attention: "flash", loraRank: 8 });
    expect(run.layout.gpus).toBe(8);
  });
});

it("calls within texts are none, and other adapters than LoRA's are taken for these", () => {
  const text = `
print("""AutoModelForCausalLM.from_pretrained("x")""")
model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen2.5-7B", quantization_config=BitsAndBytesConfig(load_in_4bit=True))
model = get_peft_model(model, RoadConfig(variant="road_2"))
Trainer(model=model, args=TrainingArguments(per_device_train_batch_size=4)).train()
`;
  const { run, model } = readScript(text, 1)!;
  expect(model).toBe("Qwen/Qwen2.5-7B");
  expect(run.recipe).toMatchObject({ method: "qlora", batch: 4 });
  expect(run.assumed).toContainEqual(["adapters", "lora"]);
});

it("another program is none of these, however it is written", () => {
  for (const text of [
    "",
    "(",
    "print('x'",
    "f(f(f(",
    '"""',
    "model = AutoModelForCausalLM.from_pretrained('a')",
    "Trainer(",
    "a = [1,",
  ])
    expect(readScript(text, null)).toBeNull();
});
