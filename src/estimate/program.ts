/** The Python program of a recipe: what a person would write with transformers, and what an estimate runs. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import type { GeneratedProgram } from "../python/estimate-orders.ts";
import { ANSWERS, type Head } from "../models/heads.ts";
import { ATTENTION_NAMES, type InferRecipe, type Loss, type Recipe, type TrainRecipe } from "./recipe.ts";
import { adapters, packedWeights } from "./adapter-lines.ts";
import { release, staticCache, typeName } from "./installed.ts";
import { asArguments, picturePrompt, promptTokens } from "./picture-prompt.ts";
import { CHECKPOINTING, FLOAT8_LINES, LIGER_IMPORTS, LIGER_LINES, PRUNING } from "./model-changes.ts";
import type { OtherTraining } from "./other-training.ts";
import { isPacked, METHODS, OPTIMIZERS, PRECISIONS, row, WEIGHTS } from "./techniques.ts";

/** Files that the program reads. */
export const CONFIG_FILE = "config.json";
export const TEACHER_FILE = "teacher.json";

/** Longer generations are not run token by token. */
const STEPS_RUN = 8;
/** Prefill, a token whose frees are unlike, and three alike. */
const FIRST_TOKENS = 5;
/** Prefill, and the last of all tokens. */
const LAST_TOKENS = 2;

export function programOf(recipe: Recipe, head: Head): string {
  return textOf(recipe.task === "train" ? training(recipe, head) : inference(recipe, head, null));
}

const textOf = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

/** The program, and how to do without most tokens of a long answer. */
export function generated(recipe: Recipe, head: Head): GeneratedProgram {
  const source = programOf(recipe, head);
  if (!leavesOutSteps(recipe, head)) return { source, leftOut: null };
  const { prompt, newTokens } = recipe;
  const cacheLength = recipe.cache === "static" ? promptTokens(recipe, head) + newTokens - 1 : null;
  const first = inference({ ...recipe, newTokens: FIRST_TOKENS }, head, cacheLength);
  // a longer prompt leads to the same last token; the one that fills a cache of fixed size needs no mask for the rest
  const before = cacheLength === null ? 0 : 1;
  const near = { ...recipe, prompt: prompt + newTokens - LAST_TOKENS - before, newTokens: LAST_TOKENS };
  const last = [...lengths(near), "length = prompt", ...generation(near, head, cacheLength)];
  const steps = newTokens - FIRST_TOKENS;
  return { source, leftOut: { first: textOf(first), last: textOf(last), lastAt: steps - before, steps } };
}

export const indent = (lines: readonly string[], by = 1): string[] => lines.map((line) => "    ".repeat(by) + line);
const numbers = (...sizes: readonly (readonly [string, number])[]): string[] =>
  sizes.map(([name, value]) => `${name} = ${value}`);

export const trainingProgram = (recipe: TrainRecipe, head: Head, other: OtherTraining): string =>
  textOf(training(recipe, head, other));

function training(recipe: TrainRecipe, head: Head, other: OtherTraining | null = null): string[] {
  const method = row(METHODS, recipe.method);
  const precision = row(PRECISIONS, recipe.precision);
  const optimizer = row(OPTIMIZERS, recipe.optimizer);
  const several = optimizer.lines.at(-1)!.startsWith("optimizers");
  if (optimizer.inBackward === true && (recipe.accumulate > 1 || precision.scaled)) {
    const foreign = precision.scaled ? `--precision ${precision.id}` : `--accumulate ${recipe.accumulate}`;
    throw new DiagnosticError(
      diagnostic("option_steps_in_backward", { name: `--optimizer ${optimizer.id}`, other: foreign }),
    );
  }
  const own = other === null && hasOwnLoss(recipe, head);
  const names = new Set(["AutoConfig", head.auto, ...(other?.names ?? [])]);
  const packed = isPacked(recipe);
  if (method.quantized) names.add("BitsAndBytesConfig");
  const imports = [
    ...(other?.imports ?? []),
    ...(recipe.teacher !== null || recipe.loss === "chunked" || head.loss !== null
      ? ["from torch.nn import functional as F"]
      : []),
    ...(recipe.teacher === null ? LOSS_IMPORTS[recipe.loss] : []),
    ...row(CHECKPOINTING, recipe.checkpointing).imports,
    ...row(PRUNING, recipe.pruning).imports,
  ];
  return [
    ...release(recipe),
    "import torch",
    ...new Set(imports),
    `from transformers import ${[...names].join(", ")}`,
    ...(method.adapters
      ? [`from peft import LoraConfig, get_peft_model${packed ? ", prepare_model_for_kbit_training" : ""}`]
      : []),
    ...optimizer.imports,
    "",
    ...numbers(["batch", recipe.batch], ...(head.hasLength ? [["length", recipe.seq] as const] : []), [
      "accumulate",
      recipe.accumulate,
    ]),
    ...numbers(...(other?.sizes ?? [])),
    'device = "cuda"',
    `dtype = torch.${precision.weights}`,
    "",
    ...configuration(head),
    ...(other?.configuration ?? []),
    ...narrowed(head, row(PRUNING, recipe.pruning).inner),
    ...student(recipe, head),
    ...(recipe.teacher === null ? [] : teacher(recipe, head)),
    ...(other?.models ?? []),
    "",
    `trained = ${other?.trained ?? "[p for p in model.parameters() if p.requires_grad]"}`,
    ...optimizer.lines,
    ...(several ? [] : ["optimizers = [optimizer]"]),
    ...(precision.scaled ? ['scaler = torch.amp.GradScaler("cuda")'] : []),
    ...(own ? ["", ...lossFunctions(recipe, head)] : []),
    "",
    ...(other === null
      ? steps(recipe, head, precision.autocast, precision.scaled)
      : [...other.loss, "", ...other.steps]),
  ];
}

/** transformers takes sdpa by itself where a model has it, and refuses to be asked for it where it has not. */
const attentionArgument = ({ attention }: Recipe): string =>
  attention === "sdpa" ? "" : `, attn_implementation="${ATTENTION_NAMES[attention]}"`;

/** The Python expression of how weights are quantized. */
function quantizationOf(weights: string): string {
  const { config, options } = row(WEIGHTS, weights).quantization!;
  return `${config}(${options})`;
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
  const attention = attentionArgument(recipe);
  const checkpointing = row(CHECKPOINTING, recipe.checkpointing);
  const every = checkpointing.id === "blocks";
  const lines: string[] = [];
  if (method.quantized) {
    lines.push(
      `quantization = ${quantizationOf("nf4-dq")}`,
      `model = ${head.auto}.from_pretrained("${CONFIG_FILE}", config=config, ${typeName(recipe)}=dtype, quantization_config=quantization${attention})`,
      `model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=${every ? "True" : "False"})`,
    );
  } else if (recipe.frozen === "checkpoint") {
    lines.push(
      ...packedWeights(
        `${head.auto}.from_pretrained("${CONFIG_FILE}", config=config, ${typeName(recipe)}=dtype, device_map=device${attention})`,
      ),
      "model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=False)",
    );
  } else lines.push(`model = ${head.auto}.from_config(config, ${typeName(recipe)}=dtype${attention}).to(device)`);
  if (!method.quantized || !every) lines.push(...checkpointing.lines);
  if (recipe.loss === "liger") lines.push(...LIGER_LINES);
  if (row(PRECISIONS, recipe.precision).float8) lines.push(...FLOAT8_LINES, "");
  lines.push(...row(PRUNING, recipe.pruning).lines);
  if (method.adapters) lines.push(...adapters(recipe, method.dora));
  if (method.trains === "head") {
    lines.push("model.requires_grad_(False)", "model.get_output_embeddings().requires_grad_(True)");
  }
  lines.push("model.train()");
  return lines;
}

/** Half of the inner width of every feed-forward layer is gone: smaller matrices, not masks. */
function narrowed(head: Head, share: number): string[] {
  if (share === 1) return [];
  if (head.innerWidths.length === 0) return [`config.n_inner = int(4 * config.hidden_size * ${share})`];
  return head.innerWidths.map((name) => `config.${name} = int(config.${name} * ${share})`);
}

function teacher(recipe: TrainRecipe, head: Head): string[] {
  return [
    `teacher_config = AutoConfig.from_pretrained("${TEACHER_FILE}")`,
    `teacher = ${head.auto}.from_config(teacher_config, ${typeName(recipe)}=dtype${attentionArgument(recipe)}).to(device)`,
    "teacher.requires_grad_(False).eval()",
  ];
}

const hasOwnLoss = (recipe: TrainRecipe, head: Head): boolean =>
  recipe.teacher !== null || !ASKS_ITSELF.has(recipe.loss) || head.loss !== null;
/** Losses that a model computes itself. */
const ASKS_ITSELF: ReadonlySet<Loss> = new Set(["plain", "liger"]);
const LOSS_IMPORTS: Readonly<Record<Loss, readonly string[]>> = {
  plain: [],
  chunked: ["from torch.utils.checkpoint import checkpoint"],
  fused: ["from cut_cross_entropy import linear_cross_entropy"],
  liger: LIGER_IMPORTS,
};
const PARTS = [
  'whole = model.get_base_model() if hasattr(model, "get_base_model") else model',
  "body, head = whole.base_model, whole.get_output_embeddings()",
];

function lossFunctions(recipe: TrainRecipe, head: Head): readonly string[] {
  if (head.loss !== null) {
    const foreign = recipe.teacher !== null ? "teacher" : recipe.loss !== "plain" ? "loss" : null;
    if (foreign !== null) throw new DiagnosticError(diagnostic("option_needs_logits", { name: `--${foreign}` }));
    return head.loss;
  }
  if (recipe.teacher !== null) {
    return [
      "def loss_of(input_ids, labels, **more):",
      ...indent([
        "with torch.no_grad():",
        "    wanted = teacher(input_ids=input_ids, use_cache=False, **more).logits",
        "output = model(input_ids=input_ids, labels=labels, **more)",
        'distance = F.kl_div(F.log_softmax(output.logits.float(), dim=-1), F.softmax(wanted.float(), dim=-1), reduction="batchmean")',
        "return 0.5 * output.loss + 0.5 * distance",
      ]),
    ];
  }
  if (recipe.loss === "fused") {
    return [
      "def loss_of(input_ids, labels, **more):",
      ...indent([
        "# the logits exist in the registers of one kernel only",
        "hidden = body(input_ids=input_ids, **more).last_hidden_state",
        "return linear_cross_entropy(hidden, head.weight, labels, shift=True)",
      ]),
      "",
      ...PARTS,
    ];
  }
  return [
    "def loss_of_part(hidden, labels):",
    ...indent(['return F.cross_entropy(head(hidden).float(), labels, reduction="sum")']),
    "",
    "def loss_of(input_ids, labels, parts=8, **more):",
    ...indent([
      "# the logits of one part of the tokens at a time, computed again in backward",
      "hidden = body(input_ids=input_ids, **more).last_hidden_state[:, :-1].flatten(0, 1)",
      "labels = labels[:, 1:].flatten()",
      "pairs = zip(hidden.chunk(parts), labels.chunk(parts))",
      "return sum(checkpoint(loss_of_part, *pair, use_reentrant=False) for pair in pairs) / labels.numel()",
    ]),
    "",
    ...PARTS,
  ];
}

/** Inputs of a step by name: Python lines that make them, and how they are handed over. */
function inputsOf(recipe: TrainRecipe, head: Head): { lines: string[]; callArguments: string } {
  const made = Object.entries(head.training);
  const callArguments = made.map(([name]) => `${name}=${name}`);
  if (recipe.packing === "none" || !head.hasLength)
    return { lines: made.map(([name, value]) => `${name} = ${value}`), callArguments: callArguments.join(", ") };
  const more =
    recipe.attention === "flash"
      ? [
          "bounds = torch.arange(0, batch * length + 1, length, dtype=torch.int32, device=device)",
          "packed = dict(cu_seq_lens_q=bounds, cu_seq_lens_k=bounds, max_length_q=length, max_length_k=length)",
        ]
      : [
          "row = torch.arange(batch, device=device).repeat_interleave(length)",
          "mask = (row[:, None] == row[None, :]).tril()[None, None]",
          ...(recipe.attention === "eager"
            ? ["mask = torch.zeros(mask.shape, dtype=dtype, device=device).masked_fill_(~mask, torch.finfo(dtype).min)"]
            : []),
          "packed = dict(attention_mask=mask)",
        ];
  return {
    lines: [
      ...made.map(([name, value]) => `${name} = ${value.replace("batch, length", "1, batch * length")}`),
      "position_ids = torch.arange(length, device=device).repeat(batch).unsqueeze(0)",
      ...more,
    ],
    callArguments: [...callArguments, "position_ids=position_ids", "**packed"].join(", "),
  };
}

function steps(recipe: TrainRecipe, head: Head, autocast: string | null, scaled: boolean): string[] {
  const { lines: inputs, callArguments } = inputsOf(recipe, head);
  const call = hasOwnLoss(recipe, head) ? `loss = loss_of(${callArguments})` : `loss = model(${callArguments}).loss`;
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

/** `cacheLength`: tokens that a cache of fixed size holds, where it is not what the program's own sizes ask for. */
function inference(recipe: InferRecipe, head: Head, cacheLength: number | null): string[] {
  const weights = row(WEIGHTS, recipe.weights);
  const attention = attentionArgument(recipe);
  const load = weights.asPublished
    ? [
        `model = ${head.auto}.from_pretrained("${CONFIG_FILE}", config=config, ${typeName(recipe)}="auto", device_map=device${attention})`,
      ]
    : weights.quantization === null
      ? [`model = ${head.auto}.from_config(config, ${typeName(recipe)}=torch.${weights.dtype}${attention}).to(device)`]
      : [
          `quantization = ${quantizationOf(weights.id)}`,
          `model = ${head.auto}.from_pretrained("${CONFIG_FILE}", config=config, ${typeName(recipe)}=torch.${weights.dtype}, quantization_config=quantization${attention})`,
        ];
  const names = [
    "AutoConfig",
    head.auto,
    ...(weights.quantization === null ? [] : [weights.quantization.config]),
    ...(cacheLength === null ? [] : ["StaticCache"]),
  ];
  const writes = head.generates && recipe.newTokens > 0;
  return [
    ...release(recipe),
    "import torch",
    `from transformers import ${names.join(", ")}`,
    "",
    ...numbers(["batch", recipe.batch]),
    ...lengths(recipe, writes),
    ...numbers(...(recipe.pictures > 0 ? [["pictures", recipe.pictures] as const] : [])),
    'device = "cuda"',
    `dtype = torch.${weights.dtype}`,
    "length = prompt",
    "",
    ...configuration(head),
    ...load,
    "model.eval()",
    "",
    ...(writes ? generation(recipe, head, cacheLength) : forwardOnly(recipe, head)),
  ];
}

const lengths = ({ prompt, newTokens }: InferRecipe, writes = true): string[] =>
  numbers(["prompt", prompt], ...(writes ? [["new_tokens", newTokens] as const] : []));

function forwardOnly(recipe: InferRecipe, head: Head): string[] {
  const seen = picturePrompt(recipe, head);
  if (seen !== null) {
    const callArguments = [
      "input_ids=input_ids",
      ...asArguments(seen.more),
      "attention_mask=torch.ones_like(input_ids)",
    ];
    return [...seen.lines, "with torch.inference_mode():", ...indent([`output = model(${callArguments.join(", ")})`])];
  }
  const inputs = Object.entries(head.training).filter(([name]) => !ANSWERS.includes(name));
  const callArguments = inputs.map(([name, value]) => `${name}=${value}`);
  // what a tokenizer gives beside the tokens
  if (head.generates && head.source === null && !head.encoderDecoder)
    callArguments.push("attention_mask=torch.ones(batch, length, dtype=torch.int64, device=device)");
  return ["with torch.inference_mode():", ...indent([`output = model(${callArguments.join(", ")})`])];
}

/** Whether tokens are left out: where each step does the same, and a longer prompt leads to the same last one. */
export const leavesOutSteps = (recipe: Recipe, head: Head): recipe is InferRecipe =>
  recipe.task === "infer" &&
  head.generates &&
  !head.encoderDecoder &&
  recipe.cache !== "quantized" &&
  recipe.newTokens > STEPS_RUN;

function generation(recipe: InferRecipe, head: Head, cacheLength: number | null): string[] {
  const seen = picturePrompt(recipe, head);
  const prompt = seen?.lines ?? ["input_ids = torch.zeros(batch, prompt, dtype=torch.int64, device=device)"];
  const callArguments = ["input_ids", ...asArguments(seen?.more ?? {}), "max_new_tokens=new_tokens"].join(", ");
  if (cacheLength !== null) {
    return [
      ...prompt,
      `cache = ${staticCache(recipe, cacheLength)}`,
      `output = model.generate(${callArguments}, past_key_values=cache)`,
    ];
  }
  const cache = recipe.cache === "dynamic" ? "" : `, cache_implementation="${recipe.cache}"`;
  if (head.source !== null)
    return [`source = ${head.source}`, `output = model.generate(source, max_new_tokens=new_tokens${cache})`];
  return [...prompt, `output = model.generate(${callArguments}${cache})`];
}
