/**
 * When Megatron-LM's CI measured what its golden files say: `node scripts/layouts/figure-dates.mjs CLONE` reads the history of a clone and writes
 * figure-dates.json beside this file. Many commits touch such a file without measuring memory anew; what counts is the one since which its
 * figures of memory are what they are. Dates are by folder and file, all that the repository has.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const CASES = "tests/functional_tests/test_cases";
const KEYS = ["mem-allocated-bytes", "mem-max-allocated-bytes"];
const ROOM = { maxBuffer: 2 ** 31, encoding: "utf8" };

/** Newest first: [{ day, changes: [{ blob, from, to, kind }] }]. */
function history(clone) {
  const flags = ["--raw", "-M", "--no-abbrev", "--first-parent", "--format=C %cd", "--date=short"];
  const commits = [];
  for (const line of execFileSync("git", ["-C", clone, "log", ...flags, "--", CASES], ROOM).split("\n")) {
    if (line.startsWith("C ")) commits.push({ day: line.slice(2), changes: [] });
    if (!line.startsWith(":") || !line.includes("golden_values")) continue;
    const [meta, ...paths] = line.split("\t");
    const [, , , blob, kind] = meta.split(" ");
    if (kind !== "D") commits.at(-1).changes.push({ blob, kind: kind[0], from: paths[0], to: paths.at(-1) });
  }
  return commits;
}

/** First and last figure of each key, as one text; empty where the file has none. */
function figures(text) {
  let golden;
  try {
    golden = JSON.parse(text);
  } catch {
    return "";
  }
  return KEYS.map((key) => {
    const values = Object.values(golden?.[key]?.values ?? {}).filter((value) => typeof value === "number");
    return `${values[0] ?? ""} ${values.at(-1) ?? ""}`;
  }).join(" ");
}

/** Texts of blobs by name, read at once; one that the clone has not is empty. */
function blobs(clone, names) {
  const input = names.join("\n");
  const out = spawnSync("git", ["-C", clone, "cat-file", "--batch"], { input, maxBuffer: 2 ** 31 }).stdout;
  const found = new Map();
  let at = 0;
  for (const name of names) {
    const end = out.indexOf(10, at);
    const size = Number(out.toString("latin1", at, end).split(" ")[2]);
    found.set(name, Number.isNaN(size) ? "" : figures(out.toString("utf8", end + 1, end + 1 + size)));
    at = Number.isNaN(size) ? end + 1 : end + 2 + size;
  }
  return found;
}

const [clone] = process.argv.slice(2);
const commits = history(clone);
const found = blobs(clone, [...new Set(commits.flatMap(({ changes }) => changes.map(({ blob }) => blob)))]);
const named = new Map();
const dates = new Map();
for (const { day, changes } of commits)
  for (const { blob, kind, from, to } of changes) {
    const name = named.get(to) ?? to;
    if (kind === "R") named.set(from, name);
    const its = found.get(blob);
    const before = dates.get(name);
    if (before === undefined) dates.set(name, { its, day, open: true });
    else if (before.open && before.its === its) before.day = day;
    else before.open = false;
  }
const table = {};
for (const [name, { its, day }] of [...dates].sort(([a], [b]) => (a < b ? -1 : 1))) {
  if (its.trim() === "") continue;
  const [folder, file] = name.slice(CASES.length + 1).split("/golden_values_");
  (table[folder] ??= {})[file.replace(".json", "")] = day;
}
writeFileSync(new URL("figure-dates.json", import.meta.url), `${JSON.stringify(table, null, 2)}\n`);
