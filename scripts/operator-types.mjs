// Writes src/ops/operators.d.ts: the signature of every operator as rows call it, from the schemas of the rows.
// usage: operator-types.mjs [--check]; with --check it writes nothing and fails where the file is another.
// It reads the rows as they stand in src: calls of a new operator are no errors of type before its signature is there.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const TYPES = {
  Tensor: "Tensor",
  "Tensor?": "Tensor | null",
  "Tensor[]": "readonly Tensor[]",
  "Tensor?[]": "readonly (Tensor | null)[]",
  Operand: "Tensor | Scalar",
  "Operand?": "Tensor | Scalar | null",
  Scalar: "Scalar",
  "Scalar?": "Scalar | null",
  "Scalar[]": "readonly Scalar[]",
  int: "number",
  "int?": "number | null",
  "int[]": "readonly number[]",
  "int[]?": "readonly number[] | null",
  float: "number",
  "float?": "number | null",
  "float[]?": "readonly number[] | null",
  bool: "boolean",
  "bool?": "boolean | null",
  str: "string",
  "str?": "string | null",
  "dtype?": "DType | null",
  "device?": "string | null",
};
// what the host reads of a `bool` is a tensor to rows
const RESULTS = {
  Tensor: "Tensor",
  "Tensor?": "Tensor | null",
  "Tensor[]": "Tensor[]",
  bool: "Tensor",
  value: "unknown",
};
const RESERVED = new Set(["in", "default", "new", "function", "var", "const", "with", "this"]);

const HEAD = `/** What every operator takes and gives, as rows call it. Made from the schemas by \`npm run operator-types\`; not written by hand. */

import type { DType } from "../tensor/dtype.ts";
import type { Scalar as WrappedNumber } from "../tensor/iterator.ts";
import type { Tensor } from "../tensor/tensor.ts";

/** A number of Python, with its type where that decides the result's. */
type Scalar = number | boolean | WrappedNumber;

export interface Operators {
`;

/** The whole file, from the names of all operators and the function that finds one. */
export function operatorTypes(names, findOp) {
  const lines = names
    .toSorted()
    .map(findOp)
    .map((op) => {
      const optionalFrom = op.args.findLastIndex((argument) => !argument.hasDefault) + 1;
      const args = op.args.map((argument, i) => {
        const name = RESERVED.has(argument.name) ? `${argument.name}_` : argument.name;
        const type = TYPES[argument.type];
        if (i >= optionalFrom) return `${name}?: ${type}`;
        return `${name}: ${argument.hasDefault ? `${type} | undefined` : type}`;
      });
      const results = op.results.map((result) => RESULTS[result.type]);
      const result = op.mutates && op.results.length === 1 ? results[0] : results;
      return `  ${op.name}(${args.join(", ")}): ${Array.isArray(result) ? (result.length === 1 ? result[0] : result.length === 0 ? "void" : `[${result.join(", ")}]`) : result};`;
    });
  return `${HEAD}${lines.join("\n")}\n}\n`;
}

/** The rows, compiled without a look at their types. */
async function rowsOf(root) {
  const folder = mkdtempSync(join(tmpdir(), "vramscope-rows-"));
  try {
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const options = [
      "-p",
      join(root, "tsconfig.build.json"),
      "--noCheck",
      "--declaration",
      "false",
      "--declarationMap",
      "false",
    ];
    execFileSync(process.execPath, [tsc, ...options, "--outDir", folder], { stdio: "inherit", cwd: root });
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    return await import(pathToFileURL(join(folder, "ops", "registry.js")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { check: { type: "boolean" } } });
  const root = fileURLToPath(new URL("..", import.meta.url));
  const file = join(root, "src", "ops", "operators.d.ts");
  try {
    const { findOp, opNames } = await rowsOf(root);
    const text = operatorTypes(opNames(), findOp);
    if (!values.check) writeFileSync(file, text);
    else if (readFileSync(file, "utf8") !== text)
      throw new Error("src/ops/operators.d.ts is not what the rows say: run npm run operator-types");
  } catch (error) {
    // a row that cannot be read: what is wrong with it says the message
    console.error(`operator-types: ${error.message}`);
    process.exitCode = 1;
  }
}
