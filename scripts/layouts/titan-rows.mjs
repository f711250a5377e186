/** Published rows of torchtitan's FSDP2 as its TOML, and how far reserved bytes are; what a row needs beside that is its cause. */

import { readConfiguration } from "../../dist/estimate/configs/index.js";
import { CONFIG_FILE } from "../../dist/estimate/index.js";
import { estimateSharded, shardedJob } from "../../dist/estimate/sharded/index.js";
import { findGpu } from "../../dist/gpus/catalogue.js";
import { configText, findModel } from "../../dist/models/catalogue.js";
import { openEstimateRuns } from "../../dist/python/estimate-runs.js";

const GIB = 2 ** 30;

/** Words of a row's configuration that no layout answers, unless all of a block is computed again: then they change only what one block holds meanwhile. */
const NOT_ANSWERED = [
  [/(?<!no)compile/i, "torch.compile"],
  [/float8|nvfp4|mxfp8|rowwise|tensorwise/i, "8-bit products"],
];

const CHECKPOINTING = [
  [/no AC/i, 'mode = "none"'],
  [/every 2nd/i, 'mode = "selective"\nselective_ac_option = "2"'],
  [/full AC/i, 'mode = "full"'],
  [/SAC|selective/i, 'mode = "selective"\nselective_ac_option = "op"'],
];

/** Rows of a group say once what all of them have; titles of tables say the rest (torchtitan's page: sequences of 8192, the whole block again). */
const GROUPS = {
  "torchao-float8nocompile": { gpus: 8, gpu: "h100-80gb", torch: "2.6", batch: 1, seq: 4096, model: "Meta-Llama-3" },
  "torchtitan-2024-12": { gpu: "h100-80gb", torch: "2.6", batch: 1, seq: 8192, model: "Llama-3.1", again: "full AC" },
};

/** `70B, 256 GPUs FSDP32 TP8 local batch 16`: what the words of a configuration say. */
function sizesOf(config) {
  const ranks = (name) => Number(new RegExp(`${name} ?(\\d+)`).exec(config)?.[1] ?? 1);
  const number = (words) => words.exec(config)?.[1];
  const [shards, tp, pp, cp] = ["FSDP", "TP", "PP", "CP"].map(ranks);
  const said = {
    gpus: shards * tp * pp * cp > 1 ? shards * tp * pp * cp : undefined,
    batch: number(/local batch (\d+)/),
    seq: number(/seq (\d+)/),
  };
  const known = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return { ...known, flavor: number(/^(?:Llama3-|same)?(\d+B)/) ?? "8B", tp, pp, cp };
}

export const isTitan = ({ group }) => /^torch(titan|ao)-/.test(group) && !group.includes("llama4");

async function answer(row) {
  const group = GROUPS[row.group];
  const words = `${row.config} ${group?.again !== undefined && !/\bcompile\b.*FSDP2|selective|same/.test(row.config) ? group.again : ""}`;
  const checkpointing = CHECKPOINTING.find(([its]) => its.test(words));
  const cause = NOT_ANSWERED.find(([its]) => its.test(row.config))?.[1];
  if (cause !== undefined && !checkpointing?.[1].includes("full")) return { cause };
  if (group === undefined || checkpointing === undefined) return { cause: "the row does not say all that decides" };
  const { gpus, gpu, torch, batch, seq, model: family, flavor, tp, pp, cp } = { ...group, ...sizesOf(row.config) };
  // the page runs the largest model over eight stages in all of its tables
  if (pp > 1 || flavor === "405B") return { cause: "stages of a pipeline: minutes of simulation, not run here" };
  const toml = [
    `[model]\nname = "llama3"\nflavor = "${flavor}"`,
    `[training]\nlocal_batch_size = ${batch}\nseq_len = ${seq}`,
    `[parallelism]\ntensor_parallel_degree = ${tp}\ncontext_parallel_degree = ${cp}`,
    `[activation_checkpoint]\n${checkpointing[1]}\n`,
  ].join("\n");
  const read = readConfiguration(toml, Number(gpus));
  const model = findModel(`meta-llama/${family}-${flavor}`).value;
  const sharded = shardedJob({ ...read.run, name: model.name, config: model.config });
  const runs = openEstimateRuns({ torch, files: { [CONFIG_FILE]: configText(model) } });
  try {
    const { worst } = await estimateSharded(runs.run, sharded, findGpu(gpu).value);
    return { reserved: worst.digest.reservedPeakBytes };
  } finally {
    runs.close();
  }
}

export async function titanAnswers(rows, onRow = () => {}) {
  const results = [];
  for (const row of rows) {
    results.push({ row, ...(await answer(row)) });
    onRow(results.at(-1));
  }
  return results;
}

const theirs = ({ figures }) => figures.peak_reserved_gib * GIB;

export function titanSummary(results) {
  const answered = results.filter(({ reserved }) => reserved !== undefined);
  const near = answered.filter(({ row, reserved }) => Math.abs(reserved / theirs(row) - 1) <= 0.03);
  return `${results.length} rows, answered ${answered.length}, of these within 3 %: ${near.length}`;
}

export const titanMarkdown = (results) =>
  [
    "| row | configuration | published GiB | reserved GiB | off by % | why not |",
    "| --- | --- | ---: | ---: | ---: | --- |",
    ...results.map(({ row, reserved, cause }) => {
      const figure = row.figures.peak_reserved_gib ?? "";
      const ours = reserved === undefined ? "" : (reserved / GIB).toFixed(2);
      const off = reserved === undefined ? "" : (100 * (reserved / theirs(row) - 1)).toFixed(1);
      return `| ${row.id} | ${row.config} | ${figure} | ${ours} | ${off} | ${cause ?? ""} |`;
    }),
  ].join("\n");
