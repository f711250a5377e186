/** Lines that programs of several frameworks share: adapters, quantized weights, indentation. */

import { adapterTargets, packedWeights } from "../adapter-lines.ts";
import { CONFIG_FILE } from "../program.ts";
import { answerLoss } from "./companions.ts";
import { statesLoss } from "./labels.ts";
import type { Sharding } from "./sharded-job.ts";
import type { TrainRecipe } from "../recipe.ts";
import { LIGER_LINES } from "../model-changes.ts";
import { row, WEIGHTS } from "../techniques.ts";

export const indented = (lines: readonly string[], by = 1): string[] => lines.map((line) => "    ".repeat(by) + line);

/** Names of modules that see or hear, or hand on what was seen. */
const TOWERS = "visual|vision|audio|projector";

const ofTowers = (train: boolean): string[] => [
  "for name, parameter in model.named_parameters():",
  `    if re.search("${TOWERS}", name):`,
  `        parameter.requires_grad_(${train ? "True" : "False"})`,
];

/** Towers that stay as they are. */
export const frozenLines = ({ towerTrains }: Sharding): string[] => (towerTrains === false ? ofTowers(false) : []);

/** Whether parameters are chosen by the words of their names. */
export const choosesByName = ({ towerTrains, towerWhole }: Sharding, adapters: boolean): boolean =>
  adapters ? towerWhole === true : towerTrains === false;

/** Adapters have the weights' type: what is sharded together must have one. */
export function adapterLines(recipe: TrainRecipe, dora: boolean, { towerTrains, towerWhole }: Sharding): string[] {
  const { names, before } = adapterTargets(recipe);
  const options = [
    `r=${recipe.loraRank}`,
    `lora_alpha=${2 * recipe.loraRank}`,
    `lora_dropout=${recipe.loraDropout}`,
    `target_modules=${names}`,
    ...(recipe.modulesToSave.length > 0 ? [`modules_to_save=${JSON.stringify(recipe.modulesToSave)}`] : []),
    ...(towerTrains === false || towerWhole === true ? [`exclude_modules=r".*(${TOWERS}).*"`] : []),
    ...(dora ? ["use_dora=True"] : []),
  ];
  return [
    ...before,
    `model = get_peft_model(model, LoraConfig(${options.join(", ")}), autocast_adapter_dtype=False)`,
    ...(towerWhole === true ? ofTowers(true) : []),
  ];
}

/** ms-swift's loss where ranks share sequences: gradients are computed from logits once more, and written over them (ChunkedCrossEntropyLoss). */
export const LOSS_BY_ROWS: readonly string[] = [
  "",
  "class LossByRows(torch.autograd.Function):",
  "    @staticmethod",
  "    def forward(ctx, logits, labels, rows):",
  "        ctx.save_for_backward(logits, labels)",
  "        ctx.rows = rows",
  "        parts = zip(logits.split(rows), labels.split(rows))",
  '        return torch.cat([torch.nn.functional.cross_entropy(*part, reduction="none") for part in parts])',
  "",
  "    @staticmethod",
  "    def backward(ctx, grad):",
  "        logits, labels = ctx.saved_tensors",
  "        for part, its, more in zip(logits.split(ctx.rows), labels.split(ctx.rows), grad.split(ctx.rows)):",
  "            part = part.detach().requires_grad_(True)",
  "            with torch.enable_grad():",
  '                losses = torch.nn.functional.cross_entropy(part, its, reduction="none")',
  "                (made,) = torch.autograd.grad((losses * more).sum(), part)",
  "            part.detach().copy_(made)",
  "        return logits, None, None",
  "",
];

/** Lines that give `loss` from `call`, a model's name, with inputs by name. Under autocast accelerate makes outputs float32 (`convert_outputs_to_fp32`). */
export function lossLines(
  call: string,
  callArguments: readonly string[],
  { lossRows, labels, companions }: Sharding,
  isWide: boolean,
): string[] {
  if (typeof companions?.answers === "number") return answerLoss(call, callArguments, companions.answers);
  if (labels === 0) return statesLoss(call, callArguments);
  if (lossRows === undefined) return [`loss = ${call}(${callArguments.join(", ")}).loss`];
  const asked = callArguments.filter((word) => !word.startsWith("labels=")).join(", ");
  const rows = "logits.flatten(0, 1), labels.flatten()";
  const loss =
    lossRows === 0 ? `torch.nn.functional.cross_entropy(${rows})` : `LossByRows.apply(${rows}, ${lossRows}).mean()`;
  return [`logits = ${call}(${asked}).logits${isWide ? ".float()" : ""}`, `loss = ${loss}`, "del logits"];
}

const LIGER_PARTS = ["rope", "rms_norm", "swiglu", "fused_linear_cross_entropy"];

/** All of Liger's kernels, or those that are on. */
export function ligerLines({ ligerParts }: Sharding): readonly string[] {
  if (ligerParts === undefined) return LIGER_LINES;
  const off = LIGER_PARTS.filter((part) => !ligerParts.includes(part)).map((part) => `, ${part}=False`);
  return [`_apply_liger_kernel_to_instance(model=model${off.join("")})`];
}

/** A larger batch that is evaluated between steps: nothing is kept for a backward pass, and all logits are there. */
export function evaluationLines(
  { evalBatch, companions, labels }: Sharding,
  made: readonly (readonly [string, string])[],
  call: string,
  autocast: string | null,
): string[] {
  if (evalBatch === undefined || companions !== undefined || labels === 0) return [];
  const callArguments = made.map(([name]) => `${name}=${name}`).join(", ");
  const inside = [`loss = ${call}(${callArguments}).loss`];
  const lines =
    autocast === null ? inside : [`with torch.autocast("cuda", dtype=torch.${autocast}):`, ...indented(inside)];
  return [
    `trained_batch, batch = batch, ${evalBatch}`,
    ...made.map(([name, value]) => `${name} = ${value}`),
    "with torch.no_grad():",
    ...indented(lines),
    `del loss, ${made.map(([name]) => name).join(", ")}`,
    "batch = trained_batch",
  ];
}

export function quantizationLines(auto: string, attention: string, { heldAs }: Sharding): string[] {
  const { config, options } = row(WEIGHTS, heldAs ?? "nf4-dq").quantization!;
  return [
    `quantization = ${config}(${options})`,
    `model = ${auto}.from_pretrained("${CONFIG_FILE}", config=config, dtype=dtype, quantization_config=quantization, device_map={"": local_rank}${attention})`,
    "model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=True)",
  ];
}

/** Weights of GPTQ or AWQ as the checkpoint has them; trainers of several cards cast nothing around them. */
export const packedLines = (auto: string, attention: string): readonly string[] =>
  packedWeights(
    `${auto}.from_pretrained("${CONFIG_FILE}", config=config, dtype=dtype, device_map={"": local_rank}${attention})`,
  );
