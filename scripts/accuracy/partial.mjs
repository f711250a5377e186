// Sections of docs/accuracy.md made anew while the others stay: a whole run takes an hour.
import { conformanceSection, groupSection, INTRO, skippedSection, summaryCells, summaryTables } from "./page.mjs";

const cellsOf = (line) =>
  line
    .slice(2, -2)
    .split(" | ")
    .map((cell) => (/^\d+$/.test(cell) ? Number(cell) : cell));

/** Lines of a table below its head, without the sum. */
function rowsOf(text, head) {
  const lines = text.split("\n");
  const from = lines.findIndex((line) => line.startsWith(`| ${head} |`));
  const rows = [];
  for (let at = from + 2; at >= 2 && lines[at]?.startsWith("|"); at++) rows.push(cellsOf(lines[at]));
  return rows.filter(([title]) => !String(title).startsWith("**"));
}

/**
 * The page with the sections of `groups`, which have run, and of `all` groups in their order those that it had; `ran`: the corpus, where it
 * has run, too.
 */
export function replaceSections(page, groups, all, skipped, ran) {
  const [intro, ...sections] = page.trimEnd().split(/\n\n(?=## )/);
  const titleOf = (text) => /^## (.*)/.exec(text)[1];
  const texts = new Map(sections.map((text) => [titleOf(text), text]));
  const lines = new Map(
    [...rowsOf(intro, "measured on a GPU"), ...rowsOf(intro, "predicted as an interval")].map((row) => [row[0], row]),
  );
  for (const done of groups) {
    texts.set(done.group.title, groupSection(done.group, done.results));
    lines.set(done.group.title, summaryCells(done));
  }
  const known = all.filter(({ title }) => texts.has(title));
  const rows = (interval) =>
    known.filter((group) => Boolean(group.interval) === interval).map(({ title }) => lines.get(title));
  const had = sections.filter((text) => titleOf(text) === "Conformance");
  const conformance = ran === null ? had : [conformanceSection(ran)];
  return `${[
    INTRO,
    summaryTables(rows(false), rows(true)),
    ...conformance,
    ...known.map(({ title }) => texts.get(title)),
    skippedSection(skipped),
  ].join("\n\n")}\n`;
}
