/** The program of FSDP2, DDP, tensor, context and pipeline ranks: what a person starts with torchrun. */

import { CONFIG_FILE } from "../program.ts";
import { ATTENTION_NAMES } from "../recipe.ts";
import { METHODS, OPTIMIZERS, PRECISIONS, row } from "../techniques.ts";
import { CHECKPOINTING, LIGER_IMPORTS } from "../model-changes.ts";
import { dataRanks } from "../layout/training-job.ts";
import { layersOfChunks } from "../layout/rank-program.ts";
import { contextLines, cutLossLines, MASKLESS, stageLines, tensorLines } from "./torch-parts.ts";
import { HEAD_NORMS, type ShardedJob } from "./sharded-job.ts";
import { answersOfCompanions, companionLines, comparisonLines } from "./companions.ts";
import {
  adapterLines,
  choosesByName,
  evaluationLines,
  frozenLines,
  indented,
  ligerLines,
  LOSS_BY_ROWS,
  lossLines,
  packedLines,
  quantizationLines,
} from "./program-lines.ts";

/** Names and sizes of the mesh's dimensions, outermost first. */
export function meshOf({ job, sharding }: ShardedJob): readonly (readonly [string, number])[] {
  const { tp, pp, cp } = job.layout;
  const dp = dataRanks(job);
  const data: (readonly [string, number])[] =
    sharding.hybridRanks > 0
      ? [
          ["replicate", dp / sharding.hybridRanks],
          ["shard", sharding.hybridRanks],
        ]
      : [
          ["dp", dp],
          ["cp", cp],
        ];
  const all: (readonly [string, number])[] = [["pp", pp], ...data, ["tp", tp]];
  return all.filter(([name, size]) => size > 1 || name === "dp");
}

/** Of a pipeline's micro-batches twice as many run as its first stage holds at a time: the others do as these did. */
export function torchProgram(sharded: ShardedJob): string {
  const { job, recipe, head, sharding, modelType, configuration } = sharded;
  const { tp, pp, cp } = job.layout;
  const method = row(METHODS, recipe.method);
  const precision = row(PRECISIONS, recipe.precision);
  const optimizer = row(OPTIMIZERS, recipe.optimizer);
  const checkpointing = row(CHECKPOINTING, recipe.checkpointing);
  const fsdp = sharding.zero >= 2;
  const mesh = meshOf(sharded);
  const attention = recipe.attention === "sdpa" ? "" : `, attn_implementation="${ATTENTION_NAMES[recipe.attention]}"`;
  const stages = layersOfChunks(job).map((layers) => layers.length);
  const first = [0, ...stages.slice(0, -1)].map((_, i) => stages.slice(0, i).reduce((sum, n) => sum + n, 0));
  const make = `model = ${head.auto}.from_config(config, dtype=torch.${precision.weights}${attention})`;
  const quantized = method.quantized;
  const policy =
    precision.autocast === null
      ? ""
      : `, mp_policy=MixedPrecisionPolicy(param_dtype=torch.${precision.autocast}, reduce_dtype=torch.float32)`;
  const offload = sharding.offload === "none" ? "" : ", offload_policy=CPUOffloadPolicy()";
  const place = sharding.offload === "none" ? "cuda" : "cpu";
  const again = sharding.zero === 2 ? ", reshard_after_forward=False" : "";
  const fsdpNames = [
    "fully_shard",
    ...(policy === "" ? [] : ["MixedPrecisionPolicy"]),
    ...(offload === "" ? [] : ["CPUOffloadPolicy"]),
  ].sort();
  const zeroed = optimizer.lines.map((line) => (sharding.zero === 1 ? shardedOptimizer(line) : line));
  return [
    "import os",
    ...(choosesByName(sharding, method.adapters) ? ["import re"] : []),
    "",
    "import torch",
    "import torch.distributed as dist",
    ...optimizer.imports,
    ...checkpointing.imports,
    ...(recipe.loss === "liger" ? LIGER_IMPORTS : []),
    "from torch.distributed.device_mesh import init_device_mesh",
    ...(fsdp ? [`from torch.distributed.fsdp import ${fsdpNames.join(", ")}`] : []),
    ...(sharding.zero === 1 ? ["from torch.distributed.optim import ZeroRedundancyOptimizer"] : []),
    ...(pp > 1 ? ["from torch.distributed.pipelining import PipelineStage, Schedule1F1B"] : []),
    ...(cp > 1 ? ["from torch.distributed.tensor.experimental import context_parallel"] : []),
    ...(tp > 1
      ? [
          "from torch.distributed.tensor import Replicate, Shard",
          "from torch.distributed.tensor.parallel import (",
          "    ColwiseParallel,",
          "    PrepareModuleInput,",
          "    RowwiseParallel,",
          "    SequenceParallel,",
          ...(cutsLoss(sharded) ? ["    loss_parallel,"] : []),
          "    parallelize_module,",
          ")",
        ]
      : []),
    ...(fsdp || job.layout.gpus === 1 ? [] : ["from torch.nn.parallel import DistributedDataParallel"]),
    `from transformers import AutoConfig, ${head.auto}${quantized ? ", BitsAndBytesConfig" : ""}`,
    ...(method.adapters
      ? [`from peft import LoraConfig, get_peft_model${quantized ? ", prepare_model_for_kbit_training" : ""}`]
      : []),
    "",
    `batch = ${recipe.batch}`,
    `length = ${recipe.seq}`,
    `accumulate = ${pp > 1 ? Math.min(recipe.accumulate, 2 * pp) : recipe.accumulate}`,
    'local_rank = int(os.environ["LOCAL_RANK"])',
    'device = torch.device("cuda", local_rank)',
    `dtype = torch.${precision.weights}`,
    "torch.cuda.set_device(device)",
    'dist.init_process_group("nccl")',
    `mesh = init_device_mesh("cuda", ${tuple(mesh.map(([, size]) => String(size)))}, mesh_dim_names=${tuple(mesh.map(([name]) => `"${name}"`))})`,
    ...(fsdp ? [`shards = ${shardMesh(mesh)}`] : []),
    "",
    `config = AutoConfig.from_pretrained("${CONFIG_FILE}")`,
    ...configuration,
    ...(pp > 1 ? ["config.use_cache = False"] : []),
    ...(quantized
      ? quantizationLines(head.auto, attention, sharding)
      : recipe.frozen === "checkpoint"
        ? packedLines(head.auto, attention)
        : fsdp
          ? ['with torch.device("meta"):', `    ${make}`]
          : [`${make}.to(device)`]),
    ...(quantized && recipe.checkpointing === "blocks" ? [] : checkpointing.lines),
    ...(recipe.loss === "liger" ? ligerLines(sharding) : []),
    ...(method.adapters ? adapterLines(recipe, method.dora, sharding) : frozenLines(sharding)),
    ...(method.trains === "head"
      ? ["model.requires_grad_(False)", "model.get_output_embeddings().requires_grad_(True)"]
      : []),
    "model.train()",
    ...(cp > 1 ? MASKLESS : []),
    ...(tp > 1 ? tensorLines(HEAD_NORMS.has(modelType), cutsLoss(sharded)) : []),
    ...(pp > 1 ? ["", ...stageLines(pp, first, stages)] : []),
    ...(fsdp
      ? [
          "",
          ...(sharded.seen === null && job.leavesOutTowers !== true
            ? ["blocks = next(m for m in model.modules() if isinstance(m, torch.nn.ModuleList))"]
            : BLOCKS_OF_ALL),
          "for block in blocks:",
          `    fully_shard(block, mesh=shards${policy}${again}${offload})`,
          `fully_shard(model, mesh=shards${policy}${again}${offload})`,
          `model.to_empty(device="${place}")  # a checkpoint is loaded here`,
        ]
      : job.layout.gpus === 1
        ? []
        : ["model = DistributedDataParallel(model, device_ids=[local_rank], gradient_as_bucket_view=True)"]),
    "",
    ...companionLines(sharded, (make) => [
      ...(fsdp ? ['with torch.device("meta"):', `    companion = ${make}`] : [`companion = ${make}.to(device)`]),
      "companion.requires_grad_(False).eval()",
      ...(fsdp
        ? [
            ...BLOCKS_OF_ALL.map((line) => line.replaceAll("model.", "companion.")),
            "for block in blocks:",
            `    fully_shard(block, mesh=shards${policy}${offload})`,
            `fully_shard(companion, mesh=shards${policy}${offload})`,
            `companion.to_empty(device="${place}")`,
          ]
        : []),
    ]),
    "trained = [p for p in model.parameters() if p.requires_grad]",
    ...zeroed,
    ...(precision.scaled ? ['scaler = torch.amp.GradScaler("cuda")'] : []),
    ...(pp > 1
      ? ["", ...scheduleLines(sharded)]
      : tp > 1
        ? ["positions = torch.arange(length, device=device)[None]"]
        : []),
    "",
    ...((sharding.lossRows ?? 0) > 0 ? LOSS_BY_ROWS : []),
    ...comparisonLines(sharded),
    "# the second step has the optimizer's states from its beginning",
    "for step in range(2):",
    ...indented(pp > 1 ? pipelineStep() : plainSteps(sharded, fsdp ? null : precision.autocast, precision.scaled)),
    "    optimizer.zero_grad()",
    ...(pp > 1 || tp > 1 || cp > 1
      ? []
      : indented(evaluationLines(sharding, Object.entries(head.training), "model", fsdp ? null : precision.autocast))),
    '    torch.cuda.nvtx.mark(f"after step {step + 1}")',
    "",
  ].join("\n");
}

/** Those of towers and of the language model; lists inside of blocks are theirs. */
const BLOCKS_OF_ALL = [
  "lists = [m for name, m in model.named_modules() if isinstance(m, torch.nn.ModuleList)]",
  "inner = {id(m) for one in lists for m in one.modules() if m is not one}",
  "blocks = [block for one in lists if id(one) not in inner for block in one]",
];

/** A pipeline's schedule computes the loss itself. */
const cutsLoss = ({ job, head, sharding }: ShardedJob): boolean =>
  sharding.cutsLoss === true && job.layout.tp > 1 && job.layout.pp === 1 && Object.hasOwn(head.training, "labels");

const tuple = (parts: readonly string[]): string => `(${parts.join(", ")}${parts.length === 1 ? "," : ""})`;

const shardedOptimizer = (line: string): string =>
  line.replace(
    /^optimizer = ([\w.]+)\(trained, (.*)\)$/,
    "optimizer = ZeroRedundancyOptimizer(trained, optimizer_class=$1, $2)",
  );

/** The mesh over which parameters lie: all data ranks with context ranks; of hybrid sharding, copies are the outer dimension. */
function shardMesh(mesh: readonly (readonly [string, number])[]): string {
  const names = mesh.map(([name]) => name).filter((name) => name !== "pp" && name !== "tp");
  const listed = names.map((name) => `"${name}"`).join(", ");
  return names.includes("cp") ? `mesh[${listed}]._flatten("shards")` : `mesh[${listed}]`;
}

/** What stages hand on has a known shape, so that none is asked for it. */
const scheduleLines = ({ job, recipe }: ShardedJob): string[] => [
  "def loss_of(logits, labels):",
  "    return torch.nn.functional.cross_entropy(logits.flatten(0, 1).float(), labels.flatten())",
  "",
  `between = torch.empty(batch, length${rowsOf(job)}, config.hidden_size, dtype=torch.${betweenType(recipe)}, device="meta", requires_grad=True)`,
  'tokens = torch.empty(batch, length, dtype=torch.int64, device="meta")',
  'logits = torch.empty(batch, length, config.vocab_size, dtype=between.dtype, device="meta", requires_grad=True)',
  'index, stages = mesh["pp"].get_local_rank(), mesh["pp"].size()',
  "stage = PipelineStage(",
  "    model,",
  "    index,",
  "    stages,",
  "    device,",
  "    input_args=(tokens if index == 0 else between,),",
  "    output_args=(logits if index == stages - 1 else between,),",
  '    group=mesh["pp"].get_group(),',
  ")",
  "schedule = Schedule1F1B(stage, n_microbatches=accumulate, loss_fn=loss_of)",
];

const rowsOf = ({ layout: { tp, cp } }: ShardedJob["job"]): string => (tp * cp > 1 ? ` // ${tp * cp}` : "");
const betweenType = ({ precision }: ShardedJob["recipe"]): string =>
  row(PRECISIONS, precision).autocast ?? row(PRECISIONS, precision).weights;

const pipelineStep = (): string[] => [
  "input_ids = torch.zeros(batch * accumulate, length, dtype=torch.int64, device=device)",
  "labels = torch.zeros(batch * accumulate, length, dtype=torch.int64, device=device)",
  "if stage.is_first:",
  "    schedule.step(input_ids)",
  "elif stage.is_last:",
  "    schedule.step(target=labels, losses=[], return_outputs=False)",
  "else:",
  "    schedule.step()",
  "optimizer.step()",
];

function plainSteps(sharded: ShardedJob, autocast: string | null, scaled: boolean): string[] {
  const { job, head, recipe, sharding } = sharded;
  const { cp, tp } = job.layout;
  const made = Object.entries(head.training);
  const callArguments = made.map(([name]) => `${name}=${name}`);
  if (tp > 1 || cp > 1) callArguments.push("position_ids=positions");
  const call = lossLines("model", callArguments, sharding, autocast !== null);
  const forward =
    autocast === null ? call : [`with torch.autocast("cuda", dtype=torch.${autocast}):`, ...indented(call)];
  const scaledLoss = recipe.accumulate > 1 ? "(loss / accumulate)" : "loss";
  const backward = scaled ? `scaler.scale(${scaledLoss}).backward()` : `${scaledLoss}.backward()`;
  const body = cutsLoss(sharded) ? cutLossLines(callArguments, backward) : [...forward, backward];
  return [
    "for micro_batch in range(accumulate):",
    ...indented([
      ...made.map(([name, value]) => `${name} = ${value}`),
      ...answersOfCompanions(sharded, callArguments),
      ...(cp > 1
        ? contextLines(
            body,
            made.map(([name]) => name),
          )
        : body),
    ]),
    ...(scaled ? ["scaler.step(optimizer)", "scaler.update()"] : ["optimizer.step()"]),
  ];
}
