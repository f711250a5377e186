/** The Python program of a recipe: what a person would write with transformers, and what an estimate runs. */

import type { Head } from "./heads.ts";
import { ATTENTION_NAMES, type InferRecipe, type Recipe, type TrainRecipe } from "./recipe.ts";
import { METHODS, OPTIMIZERS, PRECISIONS, row, WEIGHTS } from "./techniques.ts";

/** Files that the program reads. */
export const CONFIG_FILE = "config.json";
export const TEACHER_FILE = "teacher.json";

/** More generated tokens than this are not run one by one: only the first and the last. */
export const STEPS_RUN = 24;
const FIRST_TOKENS = 2;
const LAST_TOKENS = 3;

export function programOf(recipe: Recipe, head: Head): string {
  const lines = recipe.task === "train" ? training(recipe, head) : inference(recipe, head);
  return `${lines.join("\n")}\n`;
}

const indent = (lines: readonly string[], by = 1): string[] => lines.map((line) => "    ".repeat(by) + line);
const numbers = (...sizes: readonly (readonly [string, number])[]): string[] =>
  sizes.map(([name, value]) => `${name} = ${value}`);

function training(recipe: TrainRecipe, head: Head): string[] {
  const method = row(METHODS, recipe.method);
  const precision = row(PRECISIONS, recipe.precision);
  const optimizer = row(OPTIMIZERS, recipe.optimizer);
  const several = optimizer.lines.at(-1)!.startsWith("optimizers");
  const own = recipe.teacher !== null || recipe.loss === "chunked";
  const names = ["AutoConfig", head.auto, ...(method.quantized ? ["BitsAndBytesConfig"] : [])];
  return [
    "import torch",
    ...(own ? ["from torch.nn import functional as F"] : []),
    ...(recipe.loss === "chunked" ? ["from torch.utils.checkpoint import checkpoint"] : []),
    `from transformers import ${names.join(", ")}`,
    ...(method.adapters
      ? [`from peft import LoraConfig, get_peft_model${method.quantized ? ", prepare_model_for_kbit_training" : ""}`]
      : []),
    ...optimizer.imports,
    "",
    ...numbers(["batch", recipe.batch], ...(head.hasLength ? [["length", recipe.seq] as const] : []), [
      "accumulate",
      recipe.accumulate,
    ]),
    'device = "cuda"',
    `dtype = torch.${precision.weights}`,
    "",
    ...configuration(head),
    ...student(recipe, head),
    ...(recipe.teacher === null ? [] : teacher(recipe, head)),
    "",
    "trained = [p for p in model.parameters() if p.requires_grad]",
    ...optimizer.lines,
    ...(several ? [] : ["optimizers = [optimizer]"]),
    ...(precision.scaled ? ['scaler = torch.amp.GradScaler("cuda")'] : []),
    ...(own ? ["", ...lossFunctions(recipe)] : []),
    "",
    ...steps(recipe, head, precision.autocast, precision.scaled),
  ];
}

/** Some published configurations leave the token out with which a decoder begins. */
function configuration(head: Head): string[] {
  const start = head.encoderDecoder
    ? ['config.decoder_start_token_id = getattr(config, "decoder_start_token_id", None) or 0']
    : [];
  return [`config = AutoConfig.from_pretrained("${CONFIG_FILE}")`, ...start];
}

function student(recipe: TrainRecipe, head: Head): string[] {
  const method = row(METHODS, recipe.method);
  const attention = `attn_implementation="${ATTENTION_NAMES[recipe.attention]}"`;
  const checkpointing = recipe.checkpointing === "blocks";
  const lines: string[] = [];
  if (method.quantized) {
    lines.push(
      `quantization = BitsAndBytesConfig(${row(WEIGHTS, "nf4-dq").quantization})`,
      `model = ${head.auto}.from_pretrained("${CONFIG_FILE}", config=config, dtype=dtype, quantization_config=quantization, ${attention})`,
      `model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=${checkpointing ? "True" : "False"})`,
    );
  } else {
    lines.push(`model = ${head.auto}.from_config(config, dtype=dtype, ${attention}).to(device)`);
    if (checkpointing) lines.push("model.gradient_checkpointing_enable()");
  }
  if (method.adapters) lines.push(...adapters(recipe, method.dora));
  if (method.trains === "head") {
    lines.push("model.requires_grad_(False)", "model.get_output_embeddings().requires_grad_(True)");
  }
  lines.push("model.train()");
  return lines;
}

function adapters(recipe: TrainRecipe, dora: boolean): string[] {
  const [only] = recipe.loraTargets;
  const targets = only === "all-linear" ? '"all-linear"' : JSON.stringify(recipe.loraTargets);
  const options = [
    `r=${recipe.loraRank}`,
    `lora_alpha=${2 * recipe.loraRank}`,
    `lora_dropout=${recipe.loraDropout}`,
    `target_modules=${targets}`,
    ...(dora ? ["use_dora=True"] : []),
  ];
  const same = recipe.loraDtype === "same" ? ", autocast_adapter_dtype=False" : "";
  return [`model = get_peft_model(model, LoraConfig(${options.join(", ")})${same})`];
}

function teacher(recipe: TrainRecipe, head: Head): string[] {
  return [
    `teacher_config = AutoConfig.from_pretrained("${TEACHER_FILE}")`,
    `teacher = ${head.auto}.from_config(teacher_config, dtype=dtype, attn_implementation="${ATTENTION_NAMES[recipe.attention]}").to(device)`,
    "teacher.requires_grad_(False).eval()",
  ];
}

function lossFunctions(recipe: TrainRecipe): string[] {
  if (recipe.teacher !== null) {
    return [
      "def loss_of(input_ids, labels):",
      ...indent([
        "with torch.no_grad():",
        "    wanted = teacher(input_ids=input_ids, use_cache=False).logits",
        "output = model(input_ids=input_ids, labels=labels)",
        'distance = F.kl_div(F.log_softmax(output.logits.float(), dim=-1), F.softmax(wanted.float(), dim=-1), reduction="batchmean")',
        "return 0.5 * output.loss + 0.5 * distance",
      ]),
    ];
  }
  return [
    "def loss_of_part(hidden, labels):",
    ...indent(['return F.cross_entropy(head(hidden).float(), labels, reduction="sum")']),
    "",
    "def loss_of(input_ids, labels, parts=8):",
    ...indent([
      "# the logits of one part of the tokens at a time, computed again in backward",
      "hidden = body(input_ids=input_ids).last_hidden_state[:, :-1].flatten(0, 1)",
      "labels = labels[:, 1:].flatten()",
      "pairs = zip(hidden.chunk(parts), labels.chunk(parts))",
      "return sum(checkpoint(loss_of_part, *pair, use_reentrant=False) for pair in pairs) / labels.numel()",
    ]),
    "",
    'whole = model.get_base_model() if hasattr(model, "get_base_model") else model',
    "body, head = whole.base_model, whole.get_output_embeddings()",
  ];
}

function steps(recipe: TrainRecipe, head: Head, autocast: string | null, scaled: boolean): string[] {
  const own = recipe.teacher !== null || recipe.loss === "chunked";
  const inputs = Object.entries(head.training).map(([name, value]) => `${name} = ${value}`);
  const given = Object.keys(head.training);
  const call = own
    ? `loss = loss_of(${given.join(", ")})`
    : `loss = model(${given.map((n) => `${n}=${n}`).join(", ")}).loss`;
  const forward =
    autocast === null ? [call] : [`with torch.autocast("cuda", dtype=torch.${autocast}):`, ...indent([call])];
  const backward = scaled ? "scaler.scale(loss / accumulate).backward()" : "(loss / accumulate).backward()";
  const update = scaled
    ? [
        "for optimizer in optimizers:",
        "    scaler.step(optimizer)",
        "scaler.update()",
        "for optimizer in optimizers:",
        "    optimizer.zero_grad()",
      ]
    : [
        "for optimizer in optimizers:",
        "    optimizer.step()",
        "for optimizer in optimizers:",
        "    optimizer.zero_grad()",
      ];
  return [
    "# the second step has the optimizer's states from its beginning",
    "for step in range(2):",
    ...indent(["for micro_batch in range(accumulate):", ...indent([...inputs, ...forward, backward]), ...update]),
  ];
}

function inference(recipe: InferRecipe, head: Head): string[] {
  const weights = row(WEIGHTS, recipe.weights);
  const attention = `attn_implementation="${ATTENTION_NAMES[recipe.attention]}"`;
  const load =
    weights.quantization === null
      ? [`model = ${head.auto}.from_config(config, dtype=torch.${weights.dtype}, ${attention}).to(device)`]
      : [
          `quantization = BitsAndBytesConfig(${weights.quantization})`,
          `model = ${head.auto}.from_pretrained("${CONFIG_FILE}", config=config, dtype=torch.${weights.dtype}, quantization_config=quantization, ${attention})`,
        ];
  const names = [
    "AutoConfig",
    head.auto,
    ...(weights.quantization === null ? [] : ["BitsAndBytesConfig"]),
    ...(recipe.cache === "static" ? ["StaticCache"] : []),
  ];
  return [
    "import torch",
    `from transformers import ${names.join(", ")}`,
    "",
    ...numbers(["batch", recipe.batch], ["prompt", recipe.prompt], ["new_tokens", recipe.newTokens]),
    'device = "cuda"',
    `dtype = torch.${weights.dtype}`,
    "length = prompt",
    "",
    ...configuration(head),
    ...load,
    "model.eval()",
    "",
    ...(head.generates ? generation(recipe, head) : forwardOnly(head)),
  ];
}

function forwardOnly(head: Head): string[] {
  const [name, value] = Object.entries(head.training)[0]!;
  return ["with torch.inference_mode():", ...indent([`output = model(${name}=${value})`])];
}

function generation(recipe: InferRecipe, head: Head): string[] {
  const inputs = "input_ids = torch.zeros(batch, prompt, dtype=torch.int64, device=device)";
  const kind = recipe.cache === "quantized" ? ', cache_implementation="quantized"' : "";
  if (recipe.newTokens <= STEPS_RUN || head.encoderDecoder || recipe.cache === "quantized") {
    const fixed = recipe.cache === "static" ? ', cache_implementation="static"' : kind;
    return [inputs, `output = model.generate(input_ids, max_new_tokens=new_tokens${fixed})`];
  }
  if (recipe.cache === "static") {
    return [
      "# the memory of keys and values has its full size from the beginning, so a few steps show all",
      inputs,
      "cache = StaticCache(config=config, max_cache_len=prompt + new_tokens - 1)",
      `output = model.generate(input_ids, max_new_tokens=${FIRST_TOKENS + LAST_TOKENS}, past_key_values=cache)`,
    ];
  }
  return [
    "# all steps but the first and the last are left out: they do the same with a memory that grows",
    inputs,
    `output = model.generate(input_ids, max_new_tokens=${FIRST_TOKENS}, return_dict_in_generate=True)`,
    "cache = output.past_key_values",
    "del output",
    `length = prompt + new_tokens - ${LAST_TOKENS}`,
    "for layer in cache.layers:",
    ...indent([
      "if layer.keys is None:",
      "    continue  # a layer with a state of fixed size",
      "kept = min(length - 1, layer.sliding_window - 1) if layer.is_sliding else length - 1",
      "batches, heads, _, size = layer.keys.shape",
      "layer.keys = layer.keys.new_zeros(batches, heads, kept, size)",
      "layer.values = layer.values.new_zeros(batches, heads, kept, layer.values.shape[-1])",
      "layer.cumulative_length = length - 1",
    ]),
    "input_ids = torch.zeros(batch, length, dtype=torch.int64, device=device)",
    `output = model.generate(input_ids, max_new_tokens=${LAST_TOKENS}, past_key_values=cache)`,
  ];
}
