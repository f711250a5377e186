/** A published launch script of ms-swift as the command that it was, and the card that its author's figures stand for. */

import { readFileSync } from "node:fs";

/** Commands of a script that train; the others make data or start a server. */
const TRAINS = /^(swift|megatron) (sft|pt|rlhf)$/;

const quoted = (text) => `'${String(text).replaceAll("'", `'\\''`)}'`;

/** Null where nothing of the script trains. */
export function swiftCommand({ runs }) {
  const run = runs.find(({ command }) => TRAINS.test(command));
  if (run === undefined) return null;
  const env = Object.entries(run.env).map(([name, value]) => `${name}=${quoted(value.replaceAll("'", ""))}`);
  const options = Object.entries(run.args).flatMap(([name, value]) => [`--${name}`, quoted(value)]);
  return [...env, run.command, ...options].join(" ");
}

/** Figures on Ascend cards are capacities of the card; `--gpu` has none of these. */
export const runsOnCuda = ({ id }) => !id.includes("/ascend/");

const DATES = JSON.parse(readFileSync(new URL("swift-dates.json", import.meta.url), "utf8"));
const dated = ({ id }) => DATES[id.replace("ms-swift/", "")];

/** Options that were changed after the figure, which then stands for another run. */
export const changedSince = (row) => dated(row)?.changed ?? [];

/** PyTorch's releases from the day on which each had been out for a quarter, since when an author may be taken to have it. */
const RELEASES = [
  ["2026-01-15", "2.9"],
  ["2025-11-06", "2.8"],
  ["2025-07-23", "2.7"],
  ["2025-04-29", "2.6"],
  ["2025-01-17", "2.5"],
];
const OLDEST_RELEASE = "2.4";

export function swiftRelease(row) {
  const day = dated(row)?.day ?? RELEASES[0][0];
  return RELEASES.find(([from]) => day >= from)?.[1] ?? OLDEST_RELEASE;
}

const CARD = "a100-80gb";
const LARGER_CARD = "h20-96gb";

/** The smallest card of ms-swift's authors that holds the figure: 80 GB, or 96 GB where more was used. */
export const swiftGpu = ({ figures }) =>
  Math.max(...figures.map(({ per_gpu: used }) => used)) > 80 ? LARGER_CARD : CARD;
