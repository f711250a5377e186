// The page of a record: by group of programs, how many are equal in everything that was recorded, and how far their peaks are off.

/** Groups of programs by the beginning of their id; the first that fits. */
const GROUPS = [
  [/^corpus-/, "cases of the corpus, by `corpus-*`"],
  [/^ops-(convolution|libraries)/, "convolutions, recurrent layers and shapes that no rule was made from"],
  [/^ops-linalg/, "decompositions, solvers, Fourier transforms"],
  [/^ops-sorts/, "sorting, choosing, counting over nine widths"],
  [/^ops-/, "operators one by one"],
  [/^network-/, "torchvision's networks, three training steps"],
  [/^training-/, "language models, three training steps"],
  [/^generate-/, "language models, generation"],
  [
    /^(transformer|gpt|language-model|example|attention|plain|module|convolution|optimizers)/,
    "whole programs of this repository",
  ],
  [
    /^recipe-(gpt-compiled|llama-compiled|flex|mlp-comp|inference-comp|trainer-compiled|generate-static-comp)/,
    "recipes under `torch.compile`",
  ],
  [/^recipe-/, "recipes: training and inference with the packages people use, at real widths"],
  [/^compiled-/, "`torch.compile`"],
  [/^(one-rank|graphs|full-card|context)/, "NCCL with one rank, CUDA graphs, a full card, the context"],
  [/^/, "others"],
];
const groupOf = (id) => GROUPS.findIndex(([pattern]) => pattern.test(id));
const WITHIN = 0.01;

/** 91900 is 9.19.0. */
const cudnnOf = ({ cudnn }) => `${Math.floor(cudnn / 10000)}.${Math.floor((cudnn % 10000) / 100)}`;
const apart = ({ recorded, predicted }) => predicted / recorded - 1;
const percent = (share) => `${share > 0 ? "+" : ""}${(100 * share).toFixed(2)} %`;

function row(name, outcomes) {
  const equal = outcomes.filter(({ found }) => found.length === 0).length;
  const peaks = outcomes.flatMap((outcome) => outcome.peaks.filter(({ reserved }) => !reserved)).map(apart);
  const reserved = outcomes.flatMap((outcome) => outcome.peaks.filter((peak) => peak.reserved)).map(apart);
  const worst = (list) => (list.length ? `${percent(Math.min(...list, 0))} to ${percent(Math.max(...list, 0))}` : "");
  const near = (list) =>
    list.length ? `${list.filter((share) => Math.abs(share) <= WITHIN).length} of ${list.length}` : "";
  return `| ${name} | ${outcomes.length} | ${equal} | ${near(peaks)} | ${worst(peaks)} | ${near(reserved)} | ${worst(reserved)} |`;
}

/** What ended otherwise, by the words of both. */
const endings = (outcomes) =>
  Object.entries(outcomes).flatMap(([id, { found }]) =>
    found
      .filter(({ what }) => what === "outcome" && found.length === 1)
      .map(
        ({ recorded, predicted }) =>
          `- ${id}: recorded \`${recorded.slice(0, 120)}\`, predicted \`${predicted.slice(0, 120)}\``,
      ),
  );

/** Each recipe by itself: how far its largest peaks are off. */
function recipeRows(outcomes) {
  const ids = Object.keys(outcomes).filter((id) => id.startsWith("recipe-"));
  const largest = (peaks, reserved) => {
    const found = peaks.find((peak) => Boolean(peak.reserved) === reserved);
    return found ? percent(apart(found)) : "not reached";
  };
  const line = (id) => {
    const { peaks, found } = outcomes[id];
    return `| ${id.slice("recipe-".length)} | ${largest(peaks, false)} | ${largest(peaks, true)} | ${found.length === 0 ? "everything equal" : ""} |`;
  };
  return ids.length === 0
    ? []
    : ["## Recipes", "", "| recipe | peak | reserved | |", "| --- | --- | --- | --- |", ...ids.sort().map(line), ""];
}

/** Markdown. `programs`: how each ended when it was recorded; `outcomes`: of compareRecord, by id. */
export function recordPage(machine, programs, outcomes) {
  const rows = GROUPS.map(([, name], at) => [name, Object.keys(outcomes).filter((id) => groupOf(id) === at)])
    .filter(([, ids]) => ids.length > 0)
    .map(([name, ids]) =>
      row(
        name,
        ids.map((id) => outcomes[id]),
      ),
    );
  const left = Object.keys(programs).filter((id) => programs[id] === "ok" && !(id in outcomes));
  const leftGroups = GROUPS.map(([, name], at) => [left.filter((id) => groupOf(id) === at).length, name]);
  const missing = Object.entries(programs).filter(([id, how]) => !(id in outcomes) && how !== "ok");
  return `# A real ${machine.gpu}, program by program

Written by \`node scripts/record/compare.mjs FILE.json.br --packages FOLDER --write PAGE\`. The programs of scripts/record ran on an ${machine.gpu} (driver
${machine.nvidiaSmi.driver_version}) under PyTorch ${machine.torch} with cuDNN ${cudnnOf(machine)}; here they run under the simulator. A program is equal where its
printed lines, every allocation and free in order, its counters and its peaks are; frees that follow each other in any order. Where free blocks are of one size, the
address decides, and a driver's addresses cannot be known: so what is allocated may differ by remainders of blocks. What depends on values that
only a GPU computes (how many elements a mask selects) is assumed, and the report of a run says so.

| programs | run | equal in everything | peaks within 1 % | all peaks | reserved within 1 % | all reserved |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join("\n")}

Recorded and not compared on this page: ${leftGroups.flatMap(([n, name]) => (n ? [`${n} of ${name}`] : [])).join("; ") || "none"}.

Programs of sections (\`ops-*\`) count as one, their peaks section by section.

${recipeRows(outcomes).join("\n")}
## End otherwise

${endings(outcomes).join("\n") || "None."}

## Not recorded

${missing.map(([id, how]) => `- ${id}: ${how}`).join("\n") || "None."}
`;
}
