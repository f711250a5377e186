/** Simulates published rows: each becomes the command line that it was, is read and run like anybody's. */

import { readFileSync } from "node:fs";
import { contradiction, estimateRanks, readCommand, ReadingError } from "../../dist/estimate/layout/index.js";
import { findGpu } from "../../dist/gpus/catalogue.js";
import { openEstimateRuns } from "../../dist/python/estimate-runs.js";
import { asThen, commandOf, gpuOf, releaseOf, worldOf } from "./megatron-row.mjs";

export const allRows = (path) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Rows of a group whose id contains a text. */
export const rowsOf = (path, only = "", name = "megatron-lm-ci") =>
  allRows(path).filter(({ group, id }) => group === name && id.includes(only));

async function compute(row, command, gpu, world, runOf) {
  let reading;
  try {
    reading = readCommand(command, world);
    reading = { ...reading, job: asThen(reading.job, row) };
    const problem = contradiction(reading.job);
    if (problem !== null) return { cause: `${problem.code} ${JSON.stringify(problem.args)}` };
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    return { cause: `${error.code} ${JSON.stringify(error.args)}` };
  }
  try {
    const made = await estimateRanks(runOf(reading.job.env), reading.job, gpu, [reading.job.layout.pp - 1]);
    return { reading, states: made.worst.statesBytes, peak: made.worst.digest.allocatedPeakBytes };
  } catch (error) {
    return { reading, cause: String(error?.diagnostic?.args?.error ?? error) };
  }
}

/** Differs by each thing in which rows of other days differ. */
const EVERY_JOB = { model: { experts: {} }, layout: { tp: 1 }, remembersBatches: true };

/** One interpreter for each release and environment; rows with the same release, arguments, card and world are simulated once. */
export async function answers(rows, onRow = () => {}) {
  const runs = new Map();
  const runOf = (torch) => (env) => {
    const key = JSON.stringify([torch, env]);
    if (!runs.has(key)) runs.set(key, openEstimateRuns({ torch, files: {}, env }));
    return runs.get(key).run;
  };
  const done = new Map();
  const results = [];
  for (const row of rows) {
    const command = commandOf(row);
    const gpu = findGpu(gpuOf(row)).value;
    const world = worldOf(row);
    const torch = releaseOf(row);
    const key = `${torch} ${gpu.id} ${world} ${JSON.stringify(asThen(EVERY_JOB, row))} ${command}`;
    if (!done.has(key)) {
      const unknown = world === null ? { cause: "the number of GPUs was not published" } : null;
      done.set(key, unknown ?? (await compute(row, command, gpu, world, runOf(torch))));
    }
    results.push({ row, ...done.get(key) });
    onRow(results.at(-1));
  }
  for (const open of runs.values()) open.close();
  return results;
}
