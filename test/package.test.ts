/** What goes into the npm package, and its types as a strict compiler sees them. `npm run package` tries all of it with the registry. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { folderWith, ROOT, start } from "./helpers.ts";

const { CONSUMER, consumerConfig, MOST_UNPACKED_BYTES } = (await import(
  join(ROOT, "scripts", "package", "consumer.mjs")
)) as { CONSUMER: string; consumerConfig: (file: string) => object; MOST_UNPACKED_BYTES: number };

const { reachedTypes } = (await import(join(ROOT, "scripts", "reached-types.mjs"))) as {
  reachedTypes: (root: string) => Set<string>;
};

const [packed] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }),
) as [{ unpackedSize: number; files: { path: string; size: number }[] }];
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  exports: Record<string, string | { default: string }>;
  bin: Record<string, string>;
};
const names = new Set(packed.files.map(({ path }) => path));

it("has Python once, and is at most half as large as it was", () => {
  expect(packed.unpackedSize).toBeLessThanOrEqual(MOST_UNPACKED_BYTES);
  const large = packed.files.filter(({ size }) => size > 2 ** 21).map(({ path }) => path);
  expect(large).toEqual(["dist/python-files/interpreter.snapshot"]);
  expect([...names].filter((name) => /^(?:src|python|test|dist\/web\/python)\/|\.map$/.test(name))).toEqual([]);
  expect([...names].filter((name) => name.endsWith("stand-ins.json.gz"))).toHaveLength(1);
});

it("holds the pages that the README links, and what the command reads beside itself", () => {
  const linked = ["README.md", "README.zh-CN.md"].flatMap((document) =>
    [...readFileSync(join(ROOT, document), "utf8").matchAll(/\]\((?!https?:)([\w./-]+\.md)\)/g)].map(
      ([, link]) => link!,
    ),
  );
  expect(linked.length).toBeGreaterThan(10);
  for (const name of [...linked, "LICENSE", "dist/cli/main.js", "recorder/vramscope_recorder.py"])
    expect([name, names.has(name)]).toEqual([name, true]);
});

it("has every file of types that its entries name, and no other", () => {
  const reached = reachedTypes(ROOT);
  expect(reached.size).toBeGreaterThan(50);
  expect([...names].filter((name) => name.endsWith(".d.ts")).sort()).toEqual([...reached].sort());
});

it("has every module that its entries import, and that those import", () => {
  const entries = Object.values(manifest.exports).map((entry) => (typeof entry === "string" ? entry : entry.default));
  const waiting = [...entries, ...Object.values(manifest.bin)].map((path) => path.replace(/^\.\//, ""));
  waiting.push(...[...names].filter((name) => /^dist\/(?:cli|python)\/.*\.js$/.test(name)));
  const reached = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path) || !path.endsWith(".js")) continue;
    reached.add(path);
    const text = readFileSync(join(ROOT, path), "utf8");
    for (const [, from] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'`](\.{1,2}\/[\w./-]+\.js)["'`]/g))
      waiting.push(join(dirname(path), from!));
  }
  expect(reached.size).toBeGreaterThan(300);
  expect([...reached].filter((path) => !names.has(path))).toEqual([]);
});

it("has types that pass a strict compiler without skipLibCheck", async () => {
  const folder = folderWith({
    "package.json": JSON.stringify({ type: "module" }),
    "use.ts": CONSUMER,
    "tsconfig.json": JSON.stringify(consumerConfig("use.ts")),
  });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules", "vramscope"));
  symlinkSync(join(ROOT, "node_modules", "@types"), join(folder, "node_modules", "@types"));
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  expect(await start(process.execPath, [tsc, "-p", folder])).toMatchObject({ code: 0, out: "" });
  // compilers before 5.7 know no parameter of these
  const declarations = [...names].filter((name) => name.endsWith(".d.ts"));
  expect(declarations.length).toBeGreaterThan(100);
  for (const name of declarations)
    expect(readFileSync(join(ROOT, name), "utf8")).not.toMatch(/\b(?:Int|Uint|Float)\w*Array</);
});
