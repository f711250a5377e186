// The page that says of every model type of transformers whether its memory is the real PyTorch's.
import { cell } from "./table-cell.mjs";

const SHRINKINGS = ["widths, vocabulary, layers", "vocabulary, layers", "layers", "nothing"];

/** Class, names of inputs and what is smaller, of either kind of recipe. */
const shownRecipe = (recipe) =>
  Array.isArray(recipe)
    ? { name: recipe[1], inputs: recipe[2], smaller: SHRINKINGS[recipe[0]] }
    : { name: recipe.class, inputs: Object.keys(recipe.inputs), smaller: "written out" };

/** `recorded`: what the real PyTorch gave by type; `results`: what differs, null where nothing does, undefined where it did not run. */
export function modelTypesPage(recorded, results, trains) {
  const types = Object.keys(recorded).sort();
  const trained = types.filter((type) => trains(recorded[type]));
  const equal = trained.filter((type) => results[type] === null);
  const others = types.filter((type) => !trains(recorded[type]));
  const share = ((100 * equal.length) / Math.max(1, trained.length)).toFixed(1);
  const rows = trained.map((type) => {
    const { name, inputs, smaller } = shownRecipe(recorded[type].recipe);
    const result = results[type] === null ? "equal" : results[type] === undefined ? "not run" : cell(results[type]);
    const generates = Array.isArray(recorded[type].generate) ? "yes" : "";
    return `| ${type} | ${name} | ${inputs.join(", ")} | ${smaller} | ${generates} | ${result} |`;
  });
  return `# Model types of transformers

Written by \`npm run model-types -- --packages FOLDER --write\` (FOLDER has transformers and scipy). Each type of \`CONFIG_MAPPING\` of transformers 5.12.1
gets a small configuration by one rule (test/model-types/program.py: divided widths, a vocabulary of 1024, two layers), a class from transformers' own
tables and made-up inputs; where the rule finds none that trains, what differs from its own configuration is written out beside the figures
(test/model-types/expected.json), after the sizes in transformers' tests, and the inputs of a part are those that the whole hands to it. It is built,
trained for two steps with AdamW, run without gradients, and asked to generate where it can. Allocated, peak and reserved bytes after each of these phases
are compared with the real PyTorch 2.14.1 on a stand-in device, which has no values: a type whose code asks for some stops there.

Tried on the real PyTorch: ${types.length} types. It trains ${trained.length}; of those **${equal.length} are equal to the byte in every phase (${share} %)**.

| type | class | inputs | smaller | generates | memory |
| --- | --- | --- | --- | --- | --- |
${rows.join("\n")}

## Types that the real PyTorch did not train this way

| type | the first error |
| --- | --- |
${others.map((type) => `| ${type} | ${cell(recorded[type].error ?? "")} |`).join("\n")}
`;
}
