/** Simulates ms-swift's launch scripts: bytes reserved on the rank that needs most, between steps and at most, and the verdict. */

import { CONFIG_FILE } from "../../dist/estimate/index.js";
import { readSwiftCommand } from "../../dist/estimate/configs/index.js";
import {
  contradiction,
  estimateRanks,
  layoutVerdict,
  readCommand,
  ReadingError,
  withUnevenExperts,
} from "../../dist/estimate/layout/index.js";
import {
  companionFile,
  estimateSharded,
  shardedContradiction,
  shardedJob,
  withKnownKernels,
} from "../../dist/estimate/sharded/index.js";
import { findGpu } from "../../dist/gpus/catalogue.js";
import { configText, findModel } from "../../dist/models/catalogue.js";
import { openEstimateRuns } from "../../dist/python/estimate-runs.js";

import { swiftCommand, swiftGpu, swiftRelease } from "./swift-row.mjs";

const worded = ({ code, args }) => `${code} ${JSON.stringify(args)}`;

/** The job of a command, with a measure of its own where it has a model's configuration. */
function asked(command, torch) {
  const read = readSwiftCommand(command, null, torch);
  if (read === null) return { reading: readCommand(command, null), sharded: null, files: {} };
  const model = findModel(read.model ?? "");
  if (!model.ok) throw new ReadingError("launch_bad_value", { name: "--model", value: read.model ?? "" });
  const { recipe } = withKnownKernels(read.run.recipe, model.value.config);
  const plain = shardedJob({ ...read.run, recipe, name: read.model, config: model.value.config });
  const sharded = { ...plain, job: { ...plain.job, env: read.env } };
  const files = { [CONFIG_FILE]: configText(model.value) };
  for (const [i, name] of (read.run.sharding.companions?.others ?? []).entries()) {
    const other = findModel(name);
    if (!other.ok) throw new ReadingError("launch_bad_value", { name: "a further model", value: name });
    files[companionFile(i)] = configText(other.value);
  }
  return { reading: { ...read, job: sharded.job }, sharded, files };
}

/** Answers by what runs: many scripts differ in their data alone. */
const done = new Map();

async function compute(command, gpu, torch) {
  let found;
  try {
    found = asked(command, torch);
    const { reading, sharded } = found;
    const problem = sharded === null ? contradiction(reading.job) : shardedContradiction(sharded);
    if (problem !== null) return { reading, cause: worded(problem) };
  } catch (error) {
    if (!(error instanceof ReadingError)) return { cause: String(error?.message ?? error) };
    return { cause: worded(error) };
  }
  const { reading, sharded, files } = found;
  const key = JSON.stringify([torch, gpu.id, reading.job, sharded, Object.values(files)]);
  if (!done.has(key)) done.set(key, await simulated(found, gpu, torch));
  return { reading, ...done.get(key) };
}

async function simulated({ reading, sharded, files }, gpu, torch) {
  const runs = openEstimateRuns({ torch, files, env: reading.job.env });
  try {
    const made =
      sharded === null
        ? await withUnevenExperts(runs.run, await estimateRanks(runs.run, reading.job, gpu), gpu)
        : await estimateSharded(runs.run, sharded, gpu);
    return {
      reserved: Math.max(...made.ranks.map(({ digest }) => digest.reservedPeakBytes)),
      states: Math.max(...made.ranks.map(({ statesBytes }) => statesBytes)),
      verdict: layoutVerdict(made),
    };
  } catch (error) {
    return { cause: String(error?.diagnostic?.args?.error ?? error) };
  } finally {
    runs.close();
  }
}

export async function swiftAnswers(rows, onRow = () => {}) {
  const results = [];
  for (const row of rows) {
    const command = swiftCommand(row);
    const gpu = findGpu(swiftGpu(row)).value;
    results.push({
      row,
      ...(command === null ? { cause: "nothing is trained" } : await compute(command, gpu, swiftRelease(row))),
    });
    onRow(results.at(-1));
  }
  return results;
}
