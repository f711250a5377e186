/** Published rows of torchtitan's FSDP2 as its TOML, and how far reserved bytes are; what a row needs beside that is its cause. */

import { readConfiguration } from "../../dist/estimate/configs/index.js";
import { CONFIG_FILE } from "../../dist/estimate/index.js";
import { estimateSharded, shardedJob } from "../../dist/estimate/sharded/index.js";
import { findGpu } from "../../dist/gpus/catalogue.js";
import { configText, findModel } from "../../dist/models/catalogue.js";
import { openEstimateRuns } from "../../dist/python/estimate-runs.js";

const GIB = 2 ** 30;

/** Words of a row's configuration that no layout answers. */
const NOT_ANSWERED = [
  [/(?<!no)compile/i, "torch.compile"],
  [/float8|nvfp4|mxfp8|rowwise|tensorwise/i, "8-bit products"],
  [/SAC|selective/i, "checkpointing by operator"],
];

const CHECKPOINTING = [
  [/no AC/i, 'mode = "none"'],
  [/every 2nd/i, 'mode = "selective"\nselective_ac_option = "2"'],
  [/full AC/i, 'mode = "full"'],
];

/** Rows of a group say once what all of them have. */
const GROUPS = {
  "torchao-float8nocompile": { gpus: 8, gpu: "h100-80gb", torch: "2.6", batch: 1, seq: 4096 },
};

export const isTitan = ({ group }) => /^torch(titan|ao)-/.test(group) && !group.includes("llama4");

async function answer(row) {
  const cause = NOT_ANSWERED.find(([words]) => words.test(row.config))?.[1];
  const group = GROUPS[row.group];
  const checkpointing = CHECKPOINTING.find(([words]) => words.test(row.config))?.[1];
  if (cause !== undefined) return { cause };
  if (group === undefined || checkpointing === undefined) return { cause: "the row does not say all that decides" };
  const toml = `[model]\nname = "llama3"\nflavor = "8B"\n[training]\nlocal_batch_size = ${group.batch}\nseq_len = ${group.seq}\n[activation_checkpoint]\n${checkpointing}\n`;
  const read = readConfiguration(toml, group.gpus);
  const model = findModel("meta-llama/Meta-Llama-3-8B").value;
  const sharded = shardedJob({ ...read.run, name: model.name, config: model.config });
  const runs = openEstimateRuns({ torch: group.torch, files: { [CONFIG_FILE]: configText(model) } });
  try {
    const { worst } = await estimateSharded(runs.run, sharded, findGpu(group.gpu).value);
    return { reserved: worst.digest.reservedPeakBytes };
  } finally {
    runs.close();
  }
}

export async function titanAnswers(rows) {
  const results = [];
  for (const row of rows) results.push({ row, ...(await answer(row)) });
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
