/** A published row of Megatron-LM's CI as the command that it was: environment, launcher, options. */

import { readFileSync } from "node:fs";
import { underMegatron } from "../../dist/estimate/layout/index.js";

const DATES = JSON.parse(readFileSync(new URL("figure-dates.json", import.meta.url), "utf8"));

/** The day on which the figures were new: later commits may have touched the file without measuring memory anew. */
export function measuredOn({ id, recorded }) {
  const [, folder, file] = /^megatron-ci\/(.*)\/([^/]*)$/.exec(id) ?? [];
  return DATES[folder]?.[file] ?? recorded.slice(-10);
}

const CARDS = { A100: "a100-80gb", H100: "h100-80gb", GB200: "gb200-186gb" };

export const gpuOf = ({ gpu }) => CARDS[gpu.split(" ")[0]];

/** GPUs of the run; recipes that are gone ran on eight, but for long runs on a cluster: null. */
export const worldOf = ({ world, id }) =>
  world !== null ? world[0].nodes * world[0].gpus_per_node : id.includes("release") ? null : 8;

/**
 * What the container had and no argument says: long-term containers before November 2025 had no fused attention that is
 * deterministic, so Transformer Engine fell back to its own products.
 */
function ofContainer(row) {
  const { environment, args, env } = row;
  const old = environment.startsWith("lts") && measuredOn(row) < "2025-11-01";
  const deterministic = String(env["NVTE_ALLOW_NONDETERMINISTIC_ALGO"]) === "0";
  return old && deterministic && args["attention-backend"] === undefined ? { "attention-backend": "unfused" } : {};
}

/** The day from which figures come from Megatron-Core 0.14, and long-term containers have a Transformer Engine that groups experts' products. */
const NEWER = "2025-11-01";

/**
 * What older releases had beside what arguments say. Figures of the A100s that were committed before that day are older than Megatron-Core 0.14,
 * all but a few and those of one cluster's development containers; its H100s came later.
 */
export function asThen(job, row) {
  const { gpu, environment = "", id = "" } = row;
  const day = measuredOn(row);
  const keeps = KEEPS.from <= day && day < KEEPS.to && job.layout?.tp === 1;
  if (keeps) return underMegatron(job, "0.18");
  if (day >= NEWER || !gpu.startsWith("A100")) return job;
  const lasting = environment.startsWith("lts");
  const experts = job.model?.experts ?? null;
  return {
    ...job,
    ...(lasting && experts !== null ? { model: { ...job.model, experts: { ...experts, grouped: false } } } : {}),
    ...(lasting || !id.includes("dracooci") ? { dropsPlaceholders: true } : {}),
  };
}

/** Days of figures from what became Megatron-Core 0.18. Figures are the last rank's, which loads batches itself where tensors are not cut. */
const KEEPS = { from: "2026-05-22", to: "2026-07-09" };

/** PyTorch in the container that Megatron-LM's `docker/.ngc_version.dev` named from that day on (NVIDIA's 26.06, 26.04, 26.02, 25.11). */
const CONTAINERS = [
  ["2026-07-08", "2.13"],
  ["2026-05-07", "2.12"],
  ["2026-03-05", "2.11"],
  ["2026-01-14", "2.10"],
];
const OLDEST_RELEASE = "2.9";

/** By the day on which the figures were committed; containers of long-term support stayed. */
export const releaseOf = (row) =>
  row.environment.startsWith("lts")
    ? OLDEST_RELEASE
    : (CONTAINERS.find(([day]) => measuredOn(row) >= day)?.[1] ?? OLDEST_RELEASE);

/** Scripts of configurations that are no plain GPT, by folder. */
const SCRIPTS = [
  ["/bert/", "pretrain_bert.py"],
  ["/t5/", "pretrain_t5.py"],
  ["/hybrid/", "pretrain_hybrid.py"],
];

export function commandOf(row) {
  const quoted = (text) => `'${String(text).replaceAll("'", `'\\''`)}'`;
  const env = Object.entries(row.env).map(([name, value]) => `${name}=${quoted(value)}`);
  const options = Object.entries({ ...row.args, ...ofContainer(row) }).flatMap(([name, value]) =>
    value === false || value === null ? [] : value === true ? [`--${name}`] : [`--${name}`, quoted(value)],
  );
  return [
    ...env,
    "torchrun",
    SCRIPTS.find(([name]) => row.id.includes(name))?.[1] ?? "pretrain_gpt.py",
    ...options,
  ].join(" ");
}
