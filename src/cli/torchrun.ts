/** `vramscope torchrun`: takes torchrun's own command line (torch/distributed/run.py) and simulates the ranks that it would start. */

import { message, type Locale } from "../i18n/index.ts";
import type { Command, CommandContext } from "./command.ts";
import type { Io } from "./io.ts";
import { launcherWords, wholeNumber, type Launch, type LauncherTable } from "./launch.ts";
import { launchedRun } from "./run.ts";
import { UsageError } from "./usage-error.ts";

const TABLE: LauncherTable = {
  value: new Set(
    (
      "nnodes nproc-per-node rdzv-backend rdzv-endpoint rdzv-id rdzv-conf max-restarts monitor-interval start-method " +
      "event-log-handler role log-dir redirects tee log-line-prefix-template local-ranks-filter duplicate-stdout-filters " +
      "duplicate-stderr-filters node-rank master-addr master-port local-addr logs-specs numa-binding signals-to-handle " +
      "shutdown-timeout"
    ).split(" "),
  ),
  flags: new Set(["standalone", "module", "no-python", "run-path", "virtual-local-rank", "use-env"]),
  short: { m: "module", r: "redirects", t: "tee" },
};

/** GPUs of a node when the command says `gpu` or `auto`. */
const USUAL_GPUS = 8;

export const torchrunCommand: Command = {
  name: "torchrun",
  summary: "command_torchrun",
  usage: "[options] script.py [args]",
  arguments: [{ name: "script.py", summary: "argument_script" }],
  options: [],
  examples: [
    { line: "vramscope torchrun --standalone --nproc_per_node=8 train.py --batch 4", summary: "example_torchrun" },
    {
      line: "vramscope torchrun --gpu h100 --nproc-per-node 4 --rank all -m mine.train",
      summary: "example_torchrun_all",
    },
  ],
  ownWords: true,
  run: torchrun,
};

async function torchrun({ parsed, locale, io }: CommandContext): Promise<number> {
  const { own, ours, program, args } = launcherWords(parsed.rest, TABLE);
  // environment variables PET_* stand for options
  const said = (name: string): string | undefined =>
    own.get(name) ?? io.env[`PET_${name.toUpperCase().replaceAll("-", "_")}`];
  for (const name of ["no-python", "run-path"]) if (own.has(name)) throw new UsageError("launch_not_python", { name });
  const notices: string[] = [];
  const local = processes(said("nproc-per-node") ?? "1", notices, io, locale);
  const nodes = nodeCount(said("nnodes") ?? "1", notices, locale);
  const typedNode = said("node-rank");
  const nodeRank = typedNode === undefined || nodes === 1 ? null : wholeNumber(typedNode, "--node-rank", 0);
  if (nodeRank !== null && nodeRank >= nodes)
    throw new UsageError("bad_number", { name: "--node-rank", value: typedNode! });
  const [host, port] = own.has("standalone") ? [] : (said("rdzv-endpoint") ?? "").split(":");
  const masterPort = said("master-port") ?? port;
  const launch: Launch = {
    place: {
      masterAddress: said("master-addr") ?? (host || "localhost"),
      masterPort: masterPort ? wholeNumber(masterPort, "--master-port", 0) : 29500,
      runId: said("rdzv-id") ?? "none",
      maxRestarts: wholeNumber(said("max-restarts") ?? "0", "--max-restarts", 0),
      role: said("role") ?? "default",
    },
    env: {},
    nodeRank,
    notices,
  };
  const world = ["--nproc-per-node", String(local), "--nnodes", String(nodes)];
  const file = own.has("module") ? ["-m", program] : [program];
  return launchedRun([...ours, ...world, ...file, "--", ...args], launch, { locale, io });
}

/** Processes on a node: a number, or as many as there are GPUs. */
export function processes(typed: string, notices: string[], io: Io, locale: Locale): number {
  if (typed === "cpu") throw new UsageError("launch_cpu_processes", {});
  if (typed !== "gpu" && typed !== "auto") return wholeNumber(typed, "--nproc-per-node", 1);
  const visible = io.env["CUDA_VISIBLE_DEVICES"];
  const count = visible ? visible.split(",").length : USUAL_GPUS;
  notices.push(message(locale, visible ? "launch_visible_gpus" : "launch_assumed_gpus", { count }));
  return count;
}

/** Nodes: a number, or from least to most. With the fewest nodes each rank holds most. */
function nodeCount(typed: string, notices: string[], locale: Locale): number {
  const [least, most] = typed.split(":").map((text) => wholeNumber(text, "--nnodes", 1));
  if (most !== undefined && most !== least) notices.push(message(locale, "launch_elastic", { least: least!, most }));
  return least!;
}
