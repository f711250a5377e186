// Programs that print their device bytes after each phase as lines of JSON: what they printed on a real PyTorch, held against what they
// print under the simulator.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { recorderMachine } from "./recorder-machine.mjs";

export const linesOf = (text) =>
  text
    .split("\n")
    .filter((line) => line.startsWith('{"') && line.endsWith("}"))
    .map((line) => JSON.parse(line));

/** One row a line, in the order of names: a change of one is a change of one line. */
export const rowsText = (object) =>
  `{\n${Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}: ${JSON.stringify(object[key])}`)
    .join(",\n")}\n}\n`;

/**
 * The recorder runs these kernels as shapes: what convolutions return is always in plain order, where a GPU keeps channels_last, and
 * a layer norm's gradient lies as the one that comes in, where a GPU writes it in plain order.
 */
const RECORDER_RULES = { convolutionChannelsLast: "gradients", layerNormGradientIsContiguous: false };

/** What a run has that stands for the recorder; `unreadable`: nobody told it what the program reads of its device. */
export function recorderConditions(unreadable = true) {
  const { machine } = recorderMachine([]);
  const unreadableDevice = machine.unreadableDevice && unreadable;
  return { machine: { ...machine, unreadableDevice, totalBytes: 2 ** 42, rules: RECORDER_RULES } };
}

const isPhase = (value) => Array.isArray(value) && typeof value[0] === "number";

/** The file of a program that is named `file/program`. */
export const fileOf = (name) => name.slice(0, name.indexOf("/"));

/** The first phase in which a program differs, as text; null where all are equal. */
export function difference(expected, actual) {
  for (const [phase, value] of Object.entries(expected)) {
    if (phase === "recipe" || phase === "left" || phase === "told") continue;
    if (phase === "error" || typeof value === "string") {
      // an error on both sides is one program's; its text may name other devices
      if (actual[phase] === undefined) return `${phase}: the real PyTorch says ${value}`;
      continue;
    }
    const have = actual[phase];
    if (have === undefined) return `${phase}: ${actual.error ?? "nothing"}`;
    if (!isPhase(have)) {
      if (JSON.stringify(have) !== JSON.stringify(value)) return `${phase}: ${have}, expected ${value}`;
      continue;
    }
    for (const [index, name] of ["allocated", "peak", "reserved"].entries())
      if (have[index] !== value[index]) {
        const apart = have[index] - value[index];
        const sign = apart > 0 ? "+" : "";
        return `${phase}: ${name} ${sign}${apart} of ${value[index]} bytes (${sign}${((100 * apart) / value[index]).toFixed(3)} %)`;
      }
  }
  return actual.error !== undefined && expected.error === undefined ? `${actual.error}` : null;
}

/**
 * The lines of a program by the value of one of their fields, under the simulator with real packages: on the recorder's machine, or as a
 * `released` build runs them, without a card (or with a real one, `card`). `told`: the recorder was told what the program reads of its device (no token ends a text, rows are whole).
 */
export async function simulatedLines({
  root,
  dist,
  script,
  argv,
  packages,
  key,
  names,
  most,
  traceback,
  released,
  card = { gpu: "a100-80gb", torch: "2.14" },
  told = false,
}) {
  const { runProgram } = await import(pathToFileURL(resolve(root, dist ?? "dist", "python", "run.js")));
  const where = released ? {} : recorderConditions(!told);
  const { status, errorText, stdout, stderr } = await runProgram(
    {
      script,
      argv: [...argv, ...(traceback ? ["traceback"] : [])],
      sitePackages: packages.map((folder) => resolve(folder)),
      packages: "real",
      torch: card.torch,
      gpu: card.gpu,
      kernelTemporaries: released ? "on" : "off",
      passes: "all",
      timeoutSeconds: most,
    },
    where,
  );
  if (traceback) console.log(stderr);
  const found = new Map(linesOf(stdout).map(({ [key]: name, ...rest }) => [name, rest]));
  if (status !== "ok" && found.size < names.length) {
    const last = (errorText ?? "").trim().split("\n").at(-1);
    const next = names.find((name) => !found.has(name));
    found.set(next, { error: `${status}: ${last}` });
  }
  // a program may end before the last of them; who asks again for what is not there asks for ever
  if (found.size === 0) found.set(names[0], { error: "the program said nothing of it" });
  return found;
}
