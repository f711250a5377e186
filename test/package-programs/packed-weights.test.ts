/** Checkpoints of GPTQ and AWQ on the real transformers and peft: they load at the size of their files, answer and train. */

import { expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { hasArchives, unpacked } from "../real-packages.ts";

const { run } = vramscope;

const LIMIT_MS = 600_000;

const SOURCE = `
import gc
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GPTQConfig
from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training

def loaded(name, **more):
    gc.collect()
    torch._C._cuda_clearCublasWorkspaces()
    torch.cuda.empty_cache()
    model = AutoModelForCausalLM.from_pretrained(name, device_map="cuda", **more)
    layer = model.model.layers[0].mlp.down_proj
    parts = sorted((n, tuple(t.shape)) for n, t in (*layer.named_parameters(), *layer.named_buffers()) if t.numel())
    print(type(layer).__name__, model.dtype, torch.cuda.memory_allocated(), *parts, sep="|")
    return model

for name in ("TheBloke/TinyLlama-1.1B-Chat-v1.0-GPTQ", "TheBloke/TinyLlama-1.1B-Chat-v1.0-AWQ"):
    model = loaded(name, dtype="auto")
    ids = AutoTokenizer.from_pretrained(name)("Hello, my name is", return_tensors="pt").to("cuda")
    print(model.generate(**ids, max_new_tokens=4).shape[1] > ids["input_ids"].shape[1])
    del model
model = loaded("TheBloke/TinyLlama-1.1B-Chat-v1.0-GPTQ", quantization_config=GPTQConfig(bits=4, backend="auto_trainable"))
model = get_peft_model(prepare_model_for_kbit_training(model), LoraConfig(r=8, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM"))
print(type(model.base_model.model.model.layers[0].self_attn.q_proj).__name__)
x = torch.randint(0, 32000, (1, 64), device="cuda")
model(input_ids=x, labels=x).loss.backward()
print(all(p.grad is not None for p in model.parameters() if p.requires_grad))
`;

/** The configuration of TinyLlama 1.1B, as published. */
const SIZES = { layers: 22, hidden: 2048, keys: 256, inner: 5632, words: 32_000 };
const GROUP = 128;

/** Bytes of a layer of GPTQ or AWQ: a value in half a byte, per group and output a scale of two bytes and half a byte of zeros. */
function linearBytes(inputs: number, outputs: number, zeros: boolean): number {
  const groups = inputs / GROUP;
  return (inputs * outputs) / 2 + groups * outputs * 2 + (zeros ? (groups * outputs) / 2 : 0);
}

function modelBytes(zeros: boolean): number {
  const { layers, hidden, keys, inner, words } = SIZES;
  const block =
    2 * linearBytes(hidden, hidden, zeros) +
    2 * linearBytes(hidden, keys, zeros) +
    2 * linearBytes(hidden, inner, zeros) +
    linearBytes(inner, hidden, zeros) +
    2 * hidden * 2;
  return layers * block + 2 * words * hidden * 2 + hidden * 2;
}

/** Workspaces of kernels and the rotary frequencies, which are in no file: below 512 bytes a layer in blocks of 512. */
const SMALL_BYTES = 22 * 7 * 1_024;

it.skipIf(!hasArchives)(
  "load at the size of their files, answer and train",
  async () => {
    const packages = unpacked(["transformers", "peft", "accelerate"]);
    const result = await run({ script: "p.py", source: SOURCE, sitePackages: [packages], gpu: "a100-80gb" });
    expect([result.errorText, result.status]).toEqual([null, "ok"]);
    const printed = result.stdout.split("\n").filter((line) => /\||^(True|False)|Linear/.test(line));
    const [gptq, answered, awq, answeredToo, trainable, layer, trained] = printed;
    const bytesOf = (line: string | undefined): number => Number(line?.split("|")[2]);
    // Marlin keeps no order of the inputs and no zero points of symmetric weights
    expect(gptq).toMatch(
      /^MarlinLinear\|torch.float16\|\d+\|\('qweight', \(704, 2048\)\)\|\('scales', \(44, 2048\)\)$/,
    );
    expect(bytesOf(gptq) - modelBytes(false)).toBeGreaterThanOrEqual(0);
    expect(bytesOf(gptq) - modelBytes(false)).toBeLessThan(SMALL_BYTES);
    expect(awq).toMatch(/^AwqMarlinLinear\|torch.float16\|\d+\|\('qweight', /);
    expect(awq).toContain("('qzeros', (44, 256))|('scales', (44, 2048))");
    expect(bytesOf(awq) - modelBytes(true)).toBeGreaterThanOrEqual(0);
    expect(bytesOf(awq) - modelBytes(true)).toBeLessThan(SMALL_BYTES);
    // the kernel that trains keeps all that the file has
    const order = 4 * SIZES.layers * (6 * SIZES.hidden + SIZES.inner);
    expect(trainable).toMatch(/^TritonV2Linear\|/);
    expect(bytesOf(trainable) - modelBytes(true) - order).toBeLessThan(SMALL_BYTES);
    expect(bytesOf(trainable) - modelBytes(true) - order).toBeGreaterThanOrEqual(0);
    expect(layer).toBe("GPTQLoraLinear");
    expect([answered, answeredToo, trained]).toEqual(["True", "True", "True"]);
    const said = result.trace.assumptions.map(({ code }) => code);
    expect(said).toContain("gptqmodel_kernel");
    expect(said).not.toContain("hub_not_packed");
  },
  LIMIT_MS,
);

const TRAINED = `
import torch
from transformers import AutoModelForCausalLM, AwqConfig, GPTQConfig
from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training
for kind, config in (("GPTQ", GPTQConfig), ("AWQ", AwqConfig)):
    quantization = config(bits=4, backend="auto_trainable")
    model = AutoModelForCausalLM.from_pretrained(f"TheBloke/TinyLlama-1.1B-Chat-v1.0-{kind}", device_map="cuda", quantization_config=quantization, dtype=torch.float16)
    print("<", torch.cuda.memory_allocated())
    model = get_peft_model(prepare_model_for_kbit_training(model), LoraConfig(r=8, target_modules=["q_proj", "v_proj", "down_proj"], task_type="CAUSAL_LM"))
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad])
    model.train()
    for _ in range(2):
        x = torch.randint(0, 1000, (2, 128), device="cuda")
        loss = model(input_ids=x, labels=x).loss
        print("<", torch.cuda.memory_allocated())
        loss.backward()
        print("<", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
        optimizer.step()
        optimizer.zero_grad()
    del model, optimizer, loss
    torch.cuda.reset_peak_memory_stats()
`;

/** The package takes one block for all weights first; without that, remainders too small to be split are left beside some. */
const REMAINDERS = 0.015;

it.skipIf(!hasArchives)(
  "train adapters in the short forms as in the packages",
  async () => {
    const figures = async (sitePackages: readonly string[]): Promise<number[]> => {
      const result = await run({ script: "p.py", source: TRAINED, sitePackages, gpu: "a100-80gb" });
      expect(result.errorText).toBeNull();
      const said = result.stdout.split("\n").filter((line) => line.startsWith("<"));
      return said.flatMap((line) => line.slice(2).split(" ").map(Number));
    };
    const packages = await figures([unpacked(["transformers", "peft", "accelerate"])]);
    expect(packages).toHaveLength(14);
    for (const [index, bytes] of (await figures([])).entries()) {
      const more = bytes / packages[index]! - 1;
      expect([index, more > -0.001, more < REMAINDERS]).toEqual([index, true, true]);
    }
  },
  LIMIT_MS,
);
