/** `vramscope accelerate launch`: takes accelerate's own command line and configuration and simulates the ranks that it would start. */

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { table } from "../base/table.ts";
import { message } from "../i18n/index.ts";
import { readConfig, type Config } from "./accelerate-config.ts";
import type { Command, CommandContext } from "./command.ts";
import type { Io } from "./io.ts";
import { launcherWords, wholeNumber, type Launch, type LauncherTable } from "./launch.ts";
import { launchedRun } from "./run.ts";
import { processes } from "./torchrun.ts";
import { readProblem } from "./machine-fault.ts";
import { UsageError } from "./usage-error.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

const FSDP = words(
  "version offload-params min-num-params sharding-strategy reshard-after-forward auto-wrap-policy transformer-layer-cls-to-wrap " +
    "backward-prefetch state-dict-type forward-prefetch use-orig-params cpu-ram-efficient-loading sync-module-states " +
    "activation-checkpointing",
);

const TABLE: LauncherTable = {
  value: new Set([
    ...words(
      "config-file mixed-precision num-processes num-machines num-cpu-threads-per-process dynamo-backend dynamo-mode gpu-ids " +
        "machine-rank main-process-ip main-process-port tee log-dir role rdzv-backend rdzv-conf max-restarts monitor-interval " +
        "main-training-function deepspeed-config-file zero-stage offload-optimizer-device offload-param-device " +
        "gradient-accumulation-steps gradient-clipping zero3-init-flag zero3-save-16bit-model deepspeed-hostfile " +
        "deepspeed-multinode-launcher",
    ),
    ...FSDP.map((name) => `fsdp-${name}`),
  ]),
  flags: new Set(
    words(
      "quiet cpu multi-gpu tpu enable-cpu-affinity dynamo-use-fullgraph dynamo-use-dynamic dynamo-use-regional-compilation " +
        "use-deepspeed use-fsdp use-parallelism-config use-megatron-lm same-network module no-python debug",
    ),
  ),
  short: { m: "module", q: "quiet" },
};

/** Kinds of distribution whose memory no rank here would have, by what asks for them. */
const UNSUPPORTED = ["use-deepspeed", "use-megatron-lm", "use-parallelism-config", "tpu", "cpu"] as const;
const KINDS = table<string>({
  DEEPSPEED: "use-deepspeed",
  MEGATRON_LM: "use-megatron-lm",
  XLA: "tpu",
  TPU: "tpu",
  FSDP: "use-fsdp",
});
const PRECISIONS = ["no", "fp8", "fp16", "bf16"];
/** What accelerate sets where nobody says anything. */
const FSDP_DEFAULTS = table<string>({
  version: "1",
  "sharding-strategy": "FULL_SHARD",
  "reshard-after-forward": "true",
  "offload-params": "false",
  "min-num-params": "100000000",
  "forward-prefetch": "false",
  "use-orig-params": "true",
  "cpu-ram-efficient-loading": "true",
  "sync-module-states": "true",
  "activation-checkpointing": "false",
});
const FSDP_NAMES = table<string>({ "transformer-layer-cls-to-wrap": "TRANSFORMER_CLS_TO_WRAP" });

export const accelerateCommand: Command = {
  name: "accelerate",
  summary: "command_accelerate",
  usage: "launch [options] script.py [args]",
  arguments: [{ name: "script.py", summary: "argument_script" }],
  options: [],
  examples: [
    { line: "vramscope accelerate launch --config_file fsdp.yaml train.py --batch 4", summary: "example_accelerate" },
  ],
  ownWords: true,
  run: accelerate,
};

async function accelerate({ parsed, locale, io }: CommandContext): Promise<number> {
  const [command, ...typed] = parsed.rest;
  if (command !== "launch") throw new UsageError("launch_only_launch", {});
  const { own, ours, program, args } = launcherWords(typed, TABLE);
  if (own.has("no-python")) throw new UsageError("launch_not_python", { name: "no-python" });
  const config = configOf(own.get("config-file"), io);
  const said = (name: string): string | undefined => own.get(name) ?? config.get(name.replaceAll("-", "_"));
  const kind = (config.get("distributed_type") ?? "").toUpperCase();
  const asks = (name: string): boolean =>
    own.has(name) || KINDS[kind] === name || config.get(name.replaceAll("-", "_")) === "true";
  if (config.get("use_cpu") === "true") throw new UsageError("launch_config_unsupported", { name: "use_cpu" });
  for (const name of UNSUPPORTED) if (asks(name)) throw new UsageError("launch_config_unsupported", { name });
  const notices: string[] = [];
  const machines = wholeNumber(said("num-machines") ?? "1", "--num_machines", 1);
  const total = said("num-processes");
  const local =
    total === undefined
      ? processes("gpu", notices, io, locale)
      : Math.floor(wholeNumber(total, "--num_processes", machines) / machines);
  const machineRank = said("machine-rank");
  const fsdp = asks("use-fsdp");
  const env = { ...environment(said, fsdp), ...threads(said) };
  for (const name of config.keys()) {
    if (/^(deepspeed|megatron_lm|parallelism|dynamo|fp8)_config\./.test(name) && !name.endsWith("dynamo_backend"))
      notices.push(message(locale, "launch_config_ignored", { name }));
  }
  const launch: Launch = {
    place: {
      masterAddress: said("main-process-ip") ?? "localhost",
      masterPort: wholeNumber(said("main-process-port") ?? "29500", "--main_process_port", 0),
      maxRestarts: wholeNumber(said("max-restarts") ?? "0", "--max_restarts", 0),
      role: said("role") ?? "default",
    },
    env,
    nodeRank: own.has("machine-rank") && machines > 1 ? wholeNumber(machineRank!, "--machine_rank", 0) : null,
    notices,
  };
  const world = ["--nproc-per-node", String(local), "--nnodes", String(machines)];
  const file = own.has("module") ? ["-m", program] : [program];
  return launchedRun([...ours, ...world, ...file, "--", ...args], launch, { locale, io });
}

/** The file that was named, or the one that `accelerate config` writes. */
function configOf(named: string | undefined, io: Io): Config {
  const home =
    io.env["HF_HOME"] ?? join(io.env["XDG_CACHE_HOME"] ?? join(io.env["HOME"] ?? "", ".cache"), "huggingface");
  const path = named === undefined ? join(home, "accelerate", "default_config.yaml") : resolve(io.cwd, named);
  if (named === undefined && !existsSync(path)) return new Map();
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw readProblem(error, named ?? path);
  }
  return readConfig(text, named ?? path);
}

type Said = (name: string) => string | undefined;

/** The variables by which accelerate hands its settings to the script (accelerate/utils/launch.py prepare_multi_gpu_env). */
function environment(said: Said, fsdp: boolean): Record<string, string> {
  const precision = (said("mixed-precision") ?? "no").toLowerCase();
  if (!PRECISIONS.includes(precision)) {
    throw new UsageError("launch_bad_choice", {
      name: "mixed_precision",
      value: precision,
      choices: PRECISIONS.join(", "),
    });
  }
  const env: Record<string, string> = {
    ACCELERATE_MIXED_PRECISION: precision,
    ACCELERATE_DYNAMO_BACKEND: (said("dynamo-backend") ?? said("dynamo_config.dynamo_backend") ?? "no").toUpperCase(),
  };
  const steps = said("gradient-accumulation-steps");
  if (steps !== undefined) env["ACCELERATE_GRADIENT_ACCUMULATION_STEPS"] = steps;
  const gpus = said("gpu-ids");
  if (gpus !== undefined && gpus !== "all") env["CUDA_VISIBLE_DEVICES"] = gpus;
  if (!fsdp) return env;
  env["ACCELERATE_USE_FSDP"] = "true";
  for (const name of FSDP) {
    const value = said(`fsdp-${name}`) ?? said(`fsdp_config.fsdp_${name.replaceAll("-", "_")}`) ?? FSDP_DEFAULTS[name];
    if (value === undefined) continue;
    const variable = FSDP_NAMES[name] ?? name.toUpperCase().replaceAll("-", "_");
    env[`FSDP_${variable}`] = /^(true|false)$/i.test(value) ? value.toLowerCase() : value;
  }
  return env;
}

function threads(said: Said): Record<string, string> {
  const count = said("num-cpu-threads-per-process");
  return count === undefined ? {} : { OMP_NUM_THREADS: count };
}
