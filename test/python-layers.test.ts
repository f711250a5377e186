/** The shape of the Python half: what may import what while it is loaded, how long files are, and that each says what it is. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "./helpers.ts";

const SOURCE = join(ROOT, "python");

/** Lowest first; a package imports packages below it while it is loaded. What is in no layer stands on torch and numpy only. */
const LAYERS: readonly (readonly string[])[] = [
  ["torch"],
  ["numpy", "regex", "vramscope_loops", "vramscope_absent"],
  ["einops", "torchvision", "tokenizers", "lightning_utilities", "omegaconf", "gptqmodel"],
  [
    "bitsandbytes",
    "optimum",
    "cv2",
    "pkg_resources",
    "flash_attn",
    "PIL",
    "sentencepiece",
    "tiktoken",
    "torch_einops_utils",
    "einx",
    "lightning",
    "ml_collections",
    "hydra",
    "gym",
    "evaluate",
  ],
  ["transformers", "pytorch_lightning", "lightning_fabric"],
  ["peft", "accelerate", "liger_kernel"],
];
const ON_TORCH = 2;

/** The ground of torch, lowest first: each imports only those before it. The rest of torch stands on all of them. */
const GROUND = [
  "_errors",
  "_ranked",
  "_types",
  "_gpus",
  "_unknown_numbers",
  "_defaults",
  "_release",
  "_op_source",
  "_frames",
  "_raising",
  "_handles",
  "_operands",
  "_factories",
  "_overloads",
  "_generated",
  "_autocast",
  "_callbacks",
  "_C",
  "_memory_formats",
  "_storage",
  "_tensor_base",
  "_tensor_text",
  "_tensor",
];

/** The rooms of transformers, lowest first: what lies in a folder, or which file of the root it is. Each imports rooms before it, and its own. */
const TRANSFORMERS: readonly (readonly string[])[] = [
  ["errors", "releases", "activations", "modeling_outputs", "masking_utils", "pytorch_utils", "utils"],
  ["parts"],
  ["configuration_utils", "cache_utils", "quantization"],
  ["generation"],
  ["modeling_utils"],
  ["modeling_layers", "cores"],
  ["models", "tokens"],
  [
    "hf_argparser",
    "training_args",
    "optimization",
    "evaluating",
    "trainer_callback",
    "trainer_utils",
    "trainer_pt_utils",
    "integrations",
    "deepspeed",
    "trainer",
    "pipelines",
  ],
];

const LONGEST_FILE = 400;

interface PythonFile {
  /** Path below python/, with slashes. */
  readonly path: string;
  /** Dotted name. */
  readonly module: string;
  readonly text: string;
  /** Dotted names of what it imports while it is loaded. */
  readonly imports: readonly string[];
}

const moduleOf = (path: string): string =>
  path
    .replace(/\.py$/, "")
    .replace(/\/__init__$/, "")
    .replaceAll("/", ".");

/** Imports that are not indented run when the module is loaded; `from . import a, b` is `.a` and `.b`. */
function importsOf(path: string, text: string): string[] {
  const folder = path.endsWith("/__init__.py") ? moduleOf(path) : moduleOf(path).split(".").slice(0, -1).join(".");
  const found: string[] = [];
  for (const match of text.matchAll(/^import ([\w., ]+)$/gm))
    found.push(...match[1]!.split(",").map((name) => name.trim().split(" ")[0]!));
  for (const match of text.matchAll(/^from (\.*)([\w.]*) import (\([^)]*\)|[^\n]*)/gm)) {
    const up = folder.split(".").slice(0, folder.split(".").length - Math.max(0, match[1]!.length - 1));
    const base = match[1] === "" ? match[2]! : [...up, match[2]!].filter(Boolean).join(".");
    const names = match[3]!.replaceAll(/[()]|#[^\n]*/g, "").split(",");
    found.push(base, ...names.map((name) => `${base}.${name.trim().split(/\s/)[0]}`));
  }
  return found;
}

const files: readonly PythonFile[] = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".py"))
  .sort()
  .map((path) => {
    const text = readFileSync(join(SOURCE, path), "utf8");
    return { path, module: moduleOf(path), text, imports: importsOf(path, text) };
  });
const modules = new Map(files.map((file) => [file.module, file]));
const packageOf = (module: string): string => module.split(".")[0]!;
const packages = new Set(files.map((file) => packageOf(file.module)));
const layerOf = (name: string): number => {
  const layer = LAYERS.findIndex((names) => names.includes(name));
  return layer === -1 ? ON_TORCH : layer;
};

describe("Python packages", () => {
  it("are found", () => expect(files.length).toBeGreaterThan(300));

  it("import downwards only", () => {
    const wrong = files
      .filter((file) => !file.module.startsWith("vramscope_") || LAYERS.flat().includes(file.module))
      .flatMap((file) =>
        [...new Set(file.imports.map(packageOf))]
          .filter((name) => packages.has(name) && name !== packageOf(file.module))
          .filter((name) => layerOf(name) >= layerOf(packageOf(file.module)))
          .map((name) => `${file.path} -> ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  it("have no circle of files that load each other, `import torch` and the like aside, which real files say, too", () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (module: string, way: readonly string[]): void => {
      if (done.has(module)) return;
      if (way.includes(module)) {
        circles.push([...way.slice(way.indexOf(module)), module].join(" -> "));
        return;
      }
      for (const next of modules.get(module)!.imports)
        if (modules.has(next) && next !== module && !module.startsWith(`${next}.`)) visit(next, [...way, module]);
      done.add(module);
    };
    for (const { module } of files) if (module.includes(".")) visit(module, []);
    expect(circles).toEqual([]);
  });
});

describe("transformers", () => {
  const roomOf = (module: string): number =>
    TRANSFORMERS.findIndex((names) => names.includes(module.split(".")[1] ?? ""));
  const own = files.filter(({ module }) => module.startsWith("transformers."));

  it("has every file in a room", () => {
    expect(own.filter(({ module }) => roomOf(module) === -1).map(({ path }) => path)).toEqual([]);
  });

  it("imports from lower rooms", () => {
    const wrong = own.flatMap(({ path, module, imports }) =>
      imports.filter((name) => modules.has(name) && roomOf(name) > roomOf(module)).map((name) => `${path} -> ${name}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe("torch", () => {
  it("stands on its ground: each file there imports only those before it", () => {
    const wrong = GROUND.flatMap((name, i) =>
      modules
        .get(`torch.${name}`)!
        .imports.filter((imported) => modules.has(imported) && packageOf(imported) === "torch" && imported !== "torch")
        .filter((imported) => !GROUND.slice(0, i).includes(imported.slice("torch.".length)))
        .map((imported) => `torch/${name}.py -> ${imported}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe("Python files", () => {
  it("begin with a sentence that says what they are", () => {
    const silent = files.filter((file) => file.text.trim() !== "" && !/^(#[^\n]*\n)*r?"""/.test(file.text));
    expect(silent.map((file) => file.path)).toEqual([]);
  });

  it(`have at most ${LONGEST_FILE} lines`, () => {
    const long = files
      .map((file) => ({ path: file.path, lines: file.text.split("\n").length - 1 }))
      .filter(({ lines }) => lines > LONGEST_FILE);
    expect(long).toEqual([]);
  });
});
