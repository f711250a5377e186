/** The shape of the code: imports point down, shared engine code names no operator, family or GPU, and files are small and say what they are. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { GPUS } from "../src/gpus/catalogue.ts";
import { opNames } from "../src/ops/registry.ts";
import { ROOT } from "./helpers.ts";

const SOURCE = join(ROOT, "src");

/** Lowest first; a layer may import from those below it and from itself. Names of folders, or of files in src/. */
const LAYERS: readonly (readonly string[])[] = [
  ["base"],
  ["packages"],
  ["trace", "torch"],
  ["tensor", "alloc", "gpus"],
  ["formulas"],
  ["ops"],
  ["autograd"],
  ["session"],
  ["inductor"],
  ["steps"],
  ["formats"],
  ["engine.ts"],
  ["python"],
  ["models"],
  ["serving"],
  ["explain", "estimate"],
  ["compare"],
  ["i18n"],
  ["report"],
  ["exports"],
  ["index.ts", "matchers.ts", "cli"],
];

/** Node's modules belong to the edge. */
const MAY_IMPORT_NODE = new Set(["python", "cli"]);

/** Packages, and who may import them. */
const PACKAGES: ReadonlyMap<string, RegExp> = new Map([
  ["python", /^pyodide$/],
  ["cli", /^@modelcontextprotocol\/sdk\//],
]);

const LONGEST_FILE = 400;
interface SourceFile {
  /** Path below src/, with slashes. */
  readonly path: string;
  readonly layer: number;
  readonly text: string;
  /** Specifiers as written. */
  readonly imports: readonly string[];
}

const layerOf = (path: string): number => LAYERS.findIndex((layer) => layer.includes(path.split("/")[0]!));

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^;'"]*?\bfrom\s+["']([^"']+)["']|(?:^|\n)\s*import\s+["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

const files: readonly SourceFile[] = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
  .sort()
  .map((path) => {
    const text = readFileSync(join(SOURCE, path), "utf8");
    return {
      path,
      layer: layerOf(path),
      text,
      imports: [...text.matchAll(IMPORT)].map((match) => (match[1] ?? match[2] ?? match[3])!),
    };
  });

/** Path below src/ that a relative import means. */
const target = (file: SourceFile, specifier: string): string =>
  relative(SOURCE, resolve(SOURCE, dirname(file.path), specifier)).replaceAll("\\", "/");

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/(^|\s)\/\/[^\n]*/g, "");

/** Texts of string literals; comments are left out. */
function literals(text: string): string[] {
  return [...withoutComments(text).matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(
    (match) => (match[1] ?? match[2] ?? match[3])!,
  );
}

describe("layers", () => {
  it("hold every file", () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => file.layer === -1).map((file) => file.path)).toEqual([]);
  });

  it("import downwards only", () => {
    const upwards = files.flatMap((file) =>
      file.imports
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => target(file, specifier))
        .filter((path) => {
          const layer = layerOf(path);
          const sameFolder = path.split("/")[0] === file.path.split("/")[0];
          return !sameFolder && layer >= file.layer;
        })
        .map((path) => `${file.path} -> ${path}`),
    );
    expect(upwards).toEqual([]);
  });

  it("leave Node to the edge, and Pyodide to python/", () => {
    const foreign = files.flatMap((file) =>
      file.imports
        .filter((specifier) => !specifier.startsWith("."))
        .filter((specifier) => {
          const folder = file.path.split("/")[0]!;
          return specifier.startsWith("node:")
            ? !MAY_IMPORT_NODE.has(folder)
            : !(PACKAGES.get(folder)?.test(specifier) ?? false);
        })
        .map((specifier) => `${file.path} -> ${specifier}`),
    );
    expect(foreign).toEqual([]);
  });

  it("have operators ask for memory, not take it", () => {
    const takers = files.filter(
      (file) => file.path.startsWith("ops/") && file.imports.some((specifier) => specifier.includes("/alloc/")),
    );
    expect(takers.map((file) => file.path)).toEqual([]);
  });
});

describe("shared engine code", () => {
  const shared = files.filter((file) => /^(session|autograd|tensor|alloc)\//.test(file.path));

  it("names no operator", () => {
    // Words that are also names of operators but mean something else where they stand.
    const homonyms = new Set(["cuda", "cpu", "all", "complex"]);
    const operators = new Set(opNames().filter((name) => !homonyms.has(name)));
    const named = shared.flatMap((file) =>
      literals(file.text)
        .filter((text) => text.includes("aten::") || operators.has(text))
        .map((text) => `${file.path}: ${text}`),
    );
    expect(named).toEqual([]);
  });

  it("calls only the operators that PyTorch's own engine calls", () => {
    // Accumulating and casting gradients, copying (also into out=), and the views under an in-place change.
    const engine = [
      "_copy_into_out",
      "add",
      "add_",
      "as_strided",
      "clone",
      "copy_",
      "detach",
      "new_empty_strided",
      "new_zeros",
      "sum_to_size",
      "to",
      "zero_",
    ];
    const called = new Set(
      shared.flatMap((file) => [...file.text.matchAll(/\bops\.([a-z_0-9]+)\(/g)].map((match) => match[1]!)),
    );
    expect([...called].filter((name) => !engine.includes(name))).toEqual([]);
  });

  it("names no GPU and no model family", () => {
    const gpus = new Set(GPUS.flatMap((gpu) => [gpu.id, ...gpu.aliases]));
    const families = /\b(gpt-?2|llama|qwen|mistral|bert|deepseek|gemma|mixtral|phi-?\d)\b/i;
    const named = shared.flatMap((file) =>
      literals(file.text)
        .filter((text) => gpus.has(text.toLowerCase()) || families.test(text))
        .map((text) => `${file.path}: ${text}`),
    );
    expect(named).toEqual([]);
  });
});

describe("files", () => {
  it("begin with a comment that says what they are", () => {
    const silent = files.filter((file) => !/^(#![^\n]*\n)?\/\*\*/.test(file.text)).map((file) => file.path);
    expect(silent).toEqual([]);
  });

  it(`have at most ${LONGEST_FILE} lines`, () => {
    const long = files
      .map((file) => ({ path: file.path, lines: file.text.split("\n").length - 1 }))
      .filter(({ lines }) => lines > LONGEST_FILE);
    expect(long).toEqual([]);
  });

  it("compare dtypes, not their names", () => {
    const byName = files.filter(({ text }) =>
      /dtype\.name\s*[!=]==|\.(?:has|includes)\([\w.]+\.dtype\.name\)/.test(withoutComments(text)),
    );
    expect(byName.map(({ path }) => path)).toEqual([]);
  });

  it("leave no work behind", () => {
    const marks = /\b(TO[D]O|FIX[M]E|XX[X]|HA[C]K)\b/;
    expect(files.filter((file) => marks.test(file.text)).map((file) => file.path)).toEqual([]);
  });

  it("print only in cli/", () => {
    expect(
      files
        .filter((file) => !file.path.startsWith("cli/") && /\bconsole\.\w+\(/.test(withoutComments(file.text)))
        .map((file) => file.path),
    ).toEqual([]);
  });
});

/** Not yet divided: one program that is handed over as one file. */
const ONE_PROGRAM = "test/model-types/program.py";

describe("every file of code, in every language", () => {
  const folders = ["src", "python", "recorder", "scripts", "test", "web", "bench", "wheel", "examples"];
  const code = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
      .filter(
        (path) =>
          /\.(ts|tsx|js|mjs|py|css)$/.test(path) &&
          !path.endsWith(".d.ts") &&
          !/(^|\/)(node_modules|dist)\//.test(path),
      ),
  );

  it("is found", () => expect(code.length).toBeGreaterThan(1500));

  it(`has at most ${LONGEST_FILE} lines`, () => {
    const long = code.filter(
      (path) => path !== ONE_PROGRAM && readFileSync(join(ROOT, path), "utf8").split("\n").length - 1 > LONGEST_FILE,
    );
    expect(long).toEqual([]);
  });
});
