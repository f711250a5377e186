// The releases of transformers that are compared, and the page that says how they come out.
import { cell } from "./table-cell.mjs";

/** Each with the peft and accelerate of its time; the last is the newest that the index had on the day of recording. */
export const RELEASES = [
  { transformers: "4.38.2", peft: "0.9.0", accelerate: "0.27.2" },
  { transformers: "4.44.2", peft: "0.12.0", accelerate: "0.33.0" },
  { transformers: "4.49.0", peft: "0.14.0", accelerate: "1.4.0" },
  { transformers: "4.57.6", peft: "0.17.1", accelerate: "1.10.1" },
  { transformers: "5.0.0", peft: "0.18.1", accelerate: "1.12.0" },
  { transformers: "5.12.1", peft: "0.20.0", accelerate: "1.14.0" },
  { transformers: "5.23.0", peft: "0.21.2", accelerate: "1.15.0" },
];

/** `recorded`: what the real PyTorch gave, by release and program; `results`: what differs, null where nothing does. */
export function transformersReleasesPage(recorded, results) {
  const keys = Object.keys(recorded);
  const programs = [...new Set(keys.map((key) => key.slice(key.indexOf("/") + 1)))].sort();
  const ended = (key) => recorded[key] !== undefined && recorded[key].error === undefined;
  const equal = (key) => ended(key) && results[key] === null;
  const of = (release) => programs.map((name) => `${release}/${name}`);
  const said = (key) => {
    if (recorded[key] === undefined) return "not recorded";
    if (!ended(key)) return "does not end there";
    if (results[key] === undefined) return "not run";
    return results[key] === null ? "equal" : "differs";
  };
  const wrong = keys.filter((key) => ended(key) && results[key] != null);
  const stopped = keys.filter((key) => !ended(key));
  const total = RELEASES.flatMap(({ transformers }) => of(transformers));
  return `# Releases of transformers

Written by \`npm run transformers-releases -- --folder FOLDER --fetch --write\`. The programs of test/package-programs/programs_releases.py run with each release as
the package index has it, with the peft and accelerate of its time; allocated, peak and reserved bytes after each phase are compared with the real PyTorch
2.14.1 on a stand-in device that ran the same files. ${total.filter(equal).length} of ${total.filter(ended).length} are equal to the byte in every phase.

To record: \`--recorder PLACE\` copies the releases without what has compiled parts (its metadata stay, because transformers asks for versions), and
\`PYTHONPATH=PLACE/RELEASE\` lets the recorder import them beside its own tokenizers and safetensors. Device tensors have no values there, so the recorder says
that a row of position ids is one sequence, except under 4.57.6, which keeps its mask whatever they say.

| transformers | peft | accelerate | ended on the real PyTorch | equal |
| --- | --- | --- | --- | --- |
${RELEASES.map(({ transformers, peft, accelerate }) => `| ${transformers} | ${peft} | ${accelerate} | ${of(transformers).filter(ended).length} | **${of(transformers).filter(equal).length}** |`).join("\n")}

| program | ${RELEASES.map(({ transformers }) => transformers).join(" | ")} |
| --- | ${RELEASES.map(() => "---").join(" | ")} |
${programs.map((name) => `| ${name} | ${RELEASES.map(({ transformers }) => said(`${transformers}/${name}`)).join(" | ")} |`).join("\n")}
${wrong.length === 0 ? "" : `\n| differs | how |\n| --- | --- |\n${wrong.map((key) => `| ${key} | ${cell(results[key])} |`).join("\n")}\n`}${stopped.length === 0 ? "" : `\n| stopped on the real PyTorch | the first error |\n| --- | --- |\n${stopped.map((key) => `| ${key} | ${cell(recorded[key].error)} |`).join("\n")}\n`}`;
}
