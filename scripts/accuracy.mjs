// Compares the simulator with figures that people measured, and writes docs/accuracy.md.
// usage: accuracy.mjs [--only GROUP,CASE,...] [--check] [--print] [--write]
// --only runs some groups or cases; --check compares their lines with the page instead of writing it; --print shows them;
// --write puts the sections of groups that --only names into the page and leaves the others; `conformance` names the corpus.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { readGroups, runCases } from "./accuracy/cases.mjs";
import { runConformance } from "./accuracy/conformance.mjs";
import { counts, lines, page, peersSection } from "./accuracy/page.mjs";
import { onPage, peerRows } from "./accuracy/peers.mjs";
import { replaceSections } from "./accuracy/partial.mjs";
import { ensureBuilt, ensureInstalled, root } from "./ensure.mjs";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    check: { type: "boolean" },
    print: { type: "boolean" },
    write: { type: "boolean" },
    built: { type: "boolean" },
  },
});
if (!values.built) {
  ensureInstalled();
  ensureBuilt();
}
const { run } = await import(pathToFileURL(join(root, "dist", "index.js")).href);
const CORPUS = "conformance";
const target = join(root, "docs", "accuracy.md");
const wanted = values.only?.split(",");
const chosen = readGroups(root)
  .map((group) => ({
    ...group,
    cases: group.cases.filter((c) => !wanted || wanted.includes(group.name) || wanted.includes(c.id)),
  }))
  .filter((group) => group.cases.length > 0);

const groups = [];
for (const group of chosen) {
  const results = await runCases(group.cases, root, run);
  groups.push({ group, results });
  const c = counts(results);
  console.error(
    `${group.title}: ${c.figures} figures, ${c.exact} exact, ${c.near} within 1 %, ${c.covered} inside, ${c.off} off, ${c.under} under, ${c.failed} did not run`,
  );
  for (const r of results) if (r.problem) console.error(`  ${r.entry.id}: ${r.problem}`);
}
const found = groups.flatMap(({ group, results }) => results.flatMap((result) => lines(group, result)));
if (values.print) console.log(found.join("\n"));
const skipped = JSON.parse(readFileSync(join(root, "test", "measured", "skipped.json"), "utf8"));
/** Writes the page with the other tools' rows, which follow from it. */
async function write(text) {
  const peers = peersSection(await peerRows(readGroups(root), root, onPage(text)));
  writeFileSync(
    target,
    text.replace("\n## Not compared\n", () => `\n${peers}\n\n## Not compared\n`),
  );
}

if (values.check) {
  const written = new Set(readFileSync(target, "utf8").split("\n"));
  const stale = found.filter((line) => !written.has(line));
  for (const line of stale) console.log(`not on the page: ${line}`);
  process.exitCode = stale.length || found.length === 0 ? 1 : 0;
} else if (values.write && wanted) {
  const whole = groups.filter(({ group }) => wanted.includes(group.name));
  const ran = wanted.includes(CORPUS) ? runConformance(root) : null;
  await write(replaceSections(readFileSync(target, "utf8"), whole, readGroups(root), skipped, ran));
} else if (!wanted) {
  mkdirSync(join(root, "docs"), { recursive: true });
  await write(page(groups, runConformance(root), skipped));
  console.error(`wrote ${target}`);
}
