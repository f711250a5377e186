// The page that says of every program on real packages whether its memory is the real PyTorch's.
import { fileOf } from "./recorded-phases.mjs";
import { cell } from "./table-cell.mjs";

/**
 * `recorded`: what the real PyTorch gave by program, `released` those of them that a released build gave; `results`: what differs, null
 * where nothing does, undefined where it did not run.
 */
export function packageProgramsPage(recorded, results, released) {
  const names = Object.keys(recorded).sort();
  const ended = names.filter((name) => recorded[name].error === undefined);
  const others = names.filter((name) => recorded[name].error !== undefined);
  const equal = (some) => some.filter((name) => results[name] === null).length;
  const files = [...new Set(names.map(fileOf))];
  const of = (file, some) => some.filter((name) => fileOf(name) === file);
  const result = (name) =>
    results[name] === null ? "equal" : results[name] === undefined ? "not run" : cell(results[name]);
  return `# Programs on real packages

Written by \`npm run package-programs -- --packages FOLDER --write\`. Small programs (test/package-programs) import the packages as they are published
and train, sample or generate; allocated, peak and reserved bytes after each phase are compared with the real PyTorch 2.14.1: on a stand-in device, which
has no values (a program whose package asks for some stops there), or, where that is said, with the released build for CUDA on a machine without a card
(scripts/record/cardless/packages.py), temporaries of kernels included. Some were told what they read of the stand-in device, as each of their lines in
expected.json says (test/package-programs/told.py: no token ends a text, rows are whole).

| package | ended on the real PyTorch | of these on the released build | equal to the byte in every phase |
| --- | --- | --- | --- |
${files.map((file) => `| ${file} | ${of(file, ended).length} | ${of(file, ended).filter((name) => name in released).length} | ${equal(of(file, ended))} |`).join("\n")}
| all | ${ended.length} | ${ended.filter((name) => name in released).length} | **${equal(ended)}** |

| program | memory |
| --- | --- |
${ended.map((name) => `| ${name} | ${result(name)} |`).join("\n")}

One difference is the recorder's: its gradient of layer_norm keeps the layout of the gradient that comes in, where the released 2.14.1 gives a contiguous one
(timm/pvt_v2_b0). It also keeps cuBLAS workspaces that Lightning's Trainer clears with \`torch._C._cuda_clearCublasWorkspaces\`; the released build clears them.

## Programs that the real PyTorch did not end this way

| program | the first error |
| --- | --- |
${others.map((name) => `| ${name} | ${cell(recorded[name].error)} |`).join("\n")}
`;
}
