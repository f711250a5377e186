/**
 * Runs stopped at random moments: what each program does, by each way to be stopped. Every time there is a report or one honest line,
 * the old files are as they were or whole and new, the exit status is right, and no process and no half file is left.
 *
 *   npm run stops [-- --moments N] [--seed S] [--only TEXT]
 *
 * N moments (default 200) go round the programs and stops. TEXT keeps those whose names hold it. One run after the other; Linux.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { STOPS, stoppedRun } from "./stops/moment.mjs";
import { PROGRAMS } from "./stops/programs.mjs";

const { values } = parseArgs({
  options: {
    moments: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
  },
});

/** Numbers in [0, 1) that follow from a seed (a linear congruence modulo 2^32). */
function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  for (let i = 0; i < 8; i++) next();
  return next;
}

const cases = Object.keys(PROGRAMS)
  .flatMap((program) => Object.keys(STOPS).map((stop) => ({ program, stop, name: `${program} / ${stop}` })))
  .filter(({ name }) => name.includes(values.only));
if (cases.length === 0) throw new Error(`nothing is called ${values.only}`);
const random = randomFrom(Number(values.seed));
const folder = mkdtempSync(join(tmpdir(), "vramscope-stops-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** How long the program that ends takes here and now: its start, and all of it. */
const whole = await stoppedRun(folder, PROGRAMS.report, null, null);
if (whole.wrong.length > 0) throw new Error(`a run that nobody stops: ${whole.wrong.join("; ")}\n${whole.seen.err}`);
const { on: startMs, end: endMs } = whole.seen;
console.log(`not stopped: the program is on after ${Math.round(startMs)} ms, all ends after ${Math.round(endMs)} ms`);

/** A third of the moments lie in the start, the others in the program and, where it ends, in what comes after. */
function momentOf({ ends }, stop) {
  const isInProgram = random() > 1 / 3;
  const after = isInProgram ? random() * (ends ? endMs - startMs : 1500) : random() * startMs;
  // a time limit counts from the program on
  return { isInProgram: isInProgram || stop === "time limit", after };
}

const table = new Map(cases.map(({ name }) => [name, { runs: 0, wrong: 0 }]));
const failures = [];
for (let i = 0; i < Number(values.moments); i++) {
  const { program, stop, name } = cases[i % cases.length];
  const moment = momentOf(PROGRAMS[program], stop);
  const { wrong, seen } = await stoppedRun(folder, PROGRAMS[program], STOPS[stop], moment);
  const row = table.get(name);
  row.runs += 1;
  if (wrong.length === 0) continue;
  row.wrong += 1;
  const where = `${Math.round(moment.after)} ms after ${moment.isInProgram ? "the program was on" : "the start"}`;
  failures.push(`${name}, ${where}: ${wrong.join("; ")}`);
  console.log(`\n${failures.at(-1)}\n--- out\n${seen.out.slice(0, 1500)}\n--- err\n${seen.err.slice(0, 1500)}`);
}

console.log();
for (const [name, { runs, wrong }] of table) console.log(`${name.padEnd(36)} ${runs} moments, ${wrong} wrong`);
console.log(`${values.moments} moments, ${failures.length} wrong`);
if (failures.length > 0) process.exitCode = 1;
