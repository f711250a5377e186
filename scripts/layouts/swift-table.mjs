/** Results of ms-swift's launch scripts as a summary and a table: what was read, how far reserved bytes are, and the verdicts. */

import { changedSince } from "./swift-row.mjs";

const GIB = 2 ** 30;
const GB = 1e9;
/** A figure of so many GiB is about the card, as the rows' `precision` says. */
const CARD_GIB = 80;

/** Bytes that the author saw on one card, by each figure of the script. */
const published = ({ figures }) => figures.map(({ per_gpu: used, unit }) => used * (unit === "GB" ? GB : GIB));

/** Of unpacked sequences only an interval is known: from what is there between steps to what the longest ones need. */
const isBounded = ({ reading }) => reading?.job?.upToLength === true && reading.job.packed !== true;

/** Reserved bytes against the nearest figure; of an interval the nearest end counts. */
export function offBy({ row, reserved, states, reading }) {
  if (reserved === undefined) return null;
  const low = isBounded({ reading }) ? states : reserved;
  const each = published(row).map((theirs) => {
    if (theirs >= low && theirs <= reserved) return 0;
    return ((theirs < low ? low : reserved) - theirs) / theirs;
  });
  return each.reduce((least, off) => (Math.abs(off) < Math.abs(least) ? off : least));
}

/** The run was published because it ran. Where the data decide, by lengths or by the experts that tokens choose, the verdict says so: neither right nor wrong. */
const OPEN = new Set(["shorter", "pictures", "towers", "uneven"]);
const isOpen = ({ verdict }) => OPEN.has(verdict);
const isRight = (result) => !isOpen(result) && result.verdict !== "does_not_fit";

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const share = (list, test) =>
  `${list.filter(test).length} of ${list.length} (${percent(list.filter(test).length / Math.max(1, list.length))})`;

/** Options that decide about memory or might: understood, named as not modelled, or unknown. */
export function optionLines(results) {
  const count = (name) => results.reduce((sum, { reading }) => sum + (reading?.[name]?.length ?? 0), 0);
  const [understood, unmodelled, unknown] = ["understood", "unmodelled", "unknown"].map(count);
  const all = understood + unmodelled + unknown;
  return `options that may matter: ${all}, understood ${percent(understood / all)}, named as not modelled ${percent(unmodelled / all)}, unknown ${percent(unknown / all)}`;
}

export function swiftSummary(results) {
  const answered = results.filter(({ reserved }) => reserved !== undefined);
  const exact = answered.filter((result) => !isBounded(result));
  const bounded = answered.filter(isBounded);
  const measured = exact.filter(({ row }) => row.figures.every(({ per_gpu: used }) => used !== CARD_GIB));
  return [
    `${results.length} scripts, answered ${share(results, ({ reserved }) => reserved !== undefined)}`,
    optionLines(results),
    `verdict right: ${share(answered, isRight)}, left open to the data: ${answered.filter(isOpen).length}, wrong: ${answered.filter((result) => !isRight(result) && !isOpen(result)).length}`,
    `packed, reserved within 10 %: ${share(exact, (result) => Math.abs(offBy(result)) <= LIMIT)}`,
    `of these with a figure that is not the card's size: ${share(measured, (result) => Math.abs(offBy(result)) <= LIMIT)}`,
    `packed, with options that are not newer than the figure: ${share(
      exact.filter(({ row }) => changedSince(row).length === 0),
      (result) => Math.abs(offBy(result)) <= LIMIT,
    )}`,
    `not packed, between steps' figure and peak or within 10 % of them: ${share(bounded, (result) => Math.abs(offBy(result)) <= LIMIT)}`,
  ].join("\n");
}

/** Beyond this a script is listed with what is known about why. */
const LIMIT = 0.1;

/** What is not modelled or not known, by what a command has; the first that it has. */
const REASONS = [
  [/fp8/, "8-bit products and weights are not modelled"],
  [/lisa/, "LISA trains a few layers at a time, which is not modelled"],
  [/awq|gptq/, "weights of the AWQ or GPTQ kernels are not modelled"],
  [/expert_model_parallel_size/, "tokens are not balanced over experts in the real run"],
];
const words = ({ runs }) => JSON.stringify(runs.map(({ args }) => args)).toLowerCase();

function why({ row }, off) {
  if (off === null || Math.abs(off) <= LIMIT) return "";
  const since = changedSince(row);
  if (since.length > 0) return `the figure is older than ${since.join(", ")}`;
  if (row.figures.some(({ per_gpu: used }) => used === CARD_GIB)) return "the figure is the card's size";
  return REASONS.find(([option]) => option.test(words(row)))?.[1] ?? "not explained";
}

const gib = (bytes) => (bytes === undefined ? "" : (bytes / GIB).toFixed(1));

export function swiftMarkdown(results) {
  const rows = results.map((result) => {
    const { row, reserved, states, verdict, cause } = result;
    const off = offBy(result);
    const figures = published(row).map(gib).join(", ");
    const ours = isBounded(result) ? `${gib(states)} to ${gib(reserved)}` : gib(reserved);
    const shown = off === null ? "" : `${off >= 0 ? "+" : ""}${(100 * off).toFixed(1)}`;
    return `| ${row.id.replace("ms-swift/", "")} | ${figures} | ${reserved === undefined ? "" : ours} | ${shown} | ${verdict ?? ""} | ${cause ?? why(result, off)} |`;
  });
  return [
    "| script | published GiB | reserved GiB | off by % | verdict | why not |",
    "| --- | ---: | ---: | ---: | --- | --- |",
    ...rows,
  ].join("\n");
}
