// The page that says of every package program which a real card ran how its memory compares, and what each difference comes from.
import { fileOf } from "./recorded-phases.mjs";
import { cell } from "./table-cell.mjs";

/** What single programs differ by, from reading them; the first that fits. */
const FOUND = [
  [
    /^peft\/ADAMSS/,
    "likely groups of rows by k-means over numbers that only a GPU holds: the stand-in makes one group",
  ],
  [
    /^peft\/BOFT/,
    "peft compiles a CUDA extension and goes on without it where that fails; here compiling is refused aloud",
  ],
  [/^peft\/(SHIRA|FROD)/, "a sparse matrix beside a dense one: not found out"],
  [/^litgpt\/Mixtral/, "likely which tokens go to which expert is a number that only a GPU holds: all are assumed"],
];

/** What a difference most likely is by its kind: no program's allocations were recorded one by one. */
const KINDS = [
  [
    /: peak /,
    "likely memory that a call takes and gives back: cuDNN's workspace of convolutions in most (its heuristics are not published)",
  ],
  [
    /: allocated /,
    "likely remainders of blocks that are handed out whole: which block is taken depends on what workspaces left, and on a driver's addresses",
  ],
  [/: reserved /, "likely one segment more or fewer: what workspaces left decides whether a piece fits"],
];
const causeOf = (name, problem) =>
  (FOUND.find(([pattern]) => pattern.test(name)) ?? KINDS.find(([pattern]) => pattern.test(problem)))?.[1] ??
  "not found out";

const shareOf = (problem) => {
  const found = /\(([+-]?[\d.]+) %\)/.exec(problem);
  return found ? Math.abs(Number(found[1])) : null;
};

/** `card`: h100.json; `results`: the first difference of each program, null where all phases are equal, undefined where it did not run. */
export function cardProgramsPage({ machine, programs }, results) {
  const names = Object.keys(programs)
    .filter((name) => programs[name].error === undefined)
    .sort();
  const ran = names.filter((name) => results[name] !== undefined);
  const differ = ran.filter((name) => results[name] !== null);
  const files = [...new Set(names.map(fileOf))];
  const of = (file, some) => some.filter((name) => fileOf(name) === file);
  const near = (some) => some.filter((name) => results[name] === null || (shareOf(results[name]) ?? 100) <= 0.5);
  const equal = (some) => some.filter((name) => results[name] === null).length;
  const left = names.filter((name) => results[name] === undefined);
  return `# Programs on real packages, as a real card ran them

Written by \`npm run package-programs -- --packages FOLDER --card --write\`. The programs of test/package-programs ran on an
${machine.recorded}; packages: ${machine.packages}.
Their allocated, peak and reserved bytes after each phase are held against the simulator's with the same packages. A program counts as equal where every number
of every phase is. Where it is not, the first phase that differs is named, and by how much; later phases may differ by more. The record has phases alone, no single
allocations, so that a cause is what the kind of the difference suggests, and was not traced, where it says likely.

| package | recorded | compared | equal to the byte | first difference within 0.5 % |
| --- | --- | --- | --- | --- |
${files.map((file) => `| ${file} | ${of(file, names).length} | ${of(file, ran).length} | ${equal(of(file, ran))} | ${near(of(file, ran)).length} |`).join("\n")}
| all | ${names.length} | ${ran.length} | **${equal(ran)}** | ${near(ran).length} |

## What differs

| program | first difference | cause |
| --- | --- | --- |
${differ.map((name) => `| ${name} | ${cell(results[name])} | ${causeOf(name, results[name])} |`).join("\n")}

## Equal

${files
  .map((file) => [file, of(file, ran).filter((name) => results[name] === null)])
  .filter(([, some]) => some.length > 0)
  .map(([file, some]) => `- ${file}: ${some.map((name) => name.slice(file.length + 1)).join("; ")}`)
  .join("\n")}

## Not compared

${left.length > 0 ? left.join("; ") : "None."}
`;
}
