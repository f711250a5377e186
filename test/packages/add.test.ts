/** `vramscope packages` against an index on loopback: what is chosen, what is refused, what a program then imports. */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { indexesIn } from "../../src/cli/pip-configuration.ts";
import { vramscope } from "../built.ts";
import { cli } from "../cli/harness.ts";
import { serveIndex, zip, type Index, type Release } from "./index.ts";

const open: Index[] = [];
afterEach(async () => {
  for (const index of open.splice(0)) await index.close();
});

async function setUp(releases: readonly Release[], kind: "json" | "html" = "json") {
  const index = await serveIndex(releases, kind);
  open.push(index);
  const cache = mkdtempSync(join(tmpdir(), "vramscope-packages-"));
  const env = { VRAMSCOPE_CACHE: cache, PIP_INDEX_URL: index.url };
  const site = join(cache, "packages", "site-packages");
  return { index, cache, site, order: (...words: string[]) => cli(["packages", ...words], { env, cwd: cache }) };
}

const release = (name: string, version: string, ...requires: string[]): Release => ({ name, version, requires });
const FAMILY = [
  release("app", "1.0", "lib>=1"),
  release("app", "2.0", "lib>=2,<4", "torch>=2", "extra_one; extra == 'more'", "other; python_version < '3.8'"),
  release("app", "3.0rc1", "lib"),
  release("lib", "1.5"),
  release("lib", "2.5"),
  release("lib", "3.5"),
  release("lib", "4.0"),
  release("extra_one", "1.0"),
  { ...release("app", "2.5"), python: ">=4" },
];

describe.each(["json", "html"] as const)("an index of %s", (kind) => {
  it("gives the newest versions that go together, and a program imports them", async () => {
    const { site, order } = await setUp(FAMILY, kind);
    const { code, out } = await order("add", "app[more]");
    expect([
      code,
      out
        .split("\n")
        .filter((line) => line.startsWith("added"))
        .sort(),
    ]).toEqual([0, ["added app 2.0", "added extra-one 1.0", "added lib 3.5"]]);
    expect(out).toContain("torch");
    const source =
      "import app, lib, importlib.metadata as m\nprint(app.version, lib.version, m.version('extra_one'))\n";
    const result = await vramscope.run({ script: "p.py", source, torch: "2.14", gpu: "a100", sitePackages: [site] });
    expect([result.errorText, result.stdout]).toEqual([null, "2.0 3.5 1.0\n"]);
  });
});

it("goes back to a version whose requirements go with the others", async () => {
  const { order } = await setUp([...FAMILY, release("tool", "1.0", "lib<2"), release("tool", "0.9", "lib==2.5")]);
  const { out } = await order("add", "app", "tool");
  // the newest tool wants lib below 2, which app 2.0 does not take
  expect(
    out
      .split("\n")
      .filter((line) => line.startsWith("added"))
      .sort(),
  ).toEqual(["added app 1.0", "added lib 1.5", "added tool 1.0"]);
});

it("lists, replaces and removes without a trace", async () => {
  const { site, order } = await setUp(FAMILY);
  await order("add", "lib==1.5");
  await order("add", "lib==2.5");
  expect((await order("list")).out).toMatch(/1 packages.*\n {2}lib 2\.5 /);
  expect(readFileSync(join(site, "lib", "__init__.py"), "utf8")).toContain("2.5");
  expect(readdirSync(site).sort()).toEqual(["lib", "lib-2.5.dist-info"]);
  expect((await order("remove", "lib")).out).toContain("lib 2.5");
  expect(readdirSync(site)).toEqual([]);
  expect((await order("remove", "lib")).code).toBe(2);
});

it("reads metadata beside the file, and offline only what it has", async () => {
  const { index, order } = await setUp([{ ...release("a", "1.0"), metadataBeside: true }, release("b", "1.0")]);
  expect((await order("add", "a")).code).toBe(0);
  const before = index.asked.length;
  await order("remove", "a");
  expect((await order("add", "a", "--offline")).out).toContain("added a 1.0");
  const { code, err } = await order("add", "b", "--offline");
  expect([code, err, index.asked.length]).toEqual([2, expect.stringContaining("b was not fetched before"), before]);
});

it("takes what files name", async () => {
  const { cache, order } = await setUp(FAMILY);
  writeFileSync(join(cache, "more.txt"), "lib==2.5\n");
  writeFileSync(join(cache, "r.txt"), "-r more.txt\n./here\n");
  writeFileSync(join(cache, "pyproject.toml"), '[project]\ndependencies = ["extra_one"]\n');
  writeFileSync(join(cache, "p.py"), '# /// script\n# dependencies = ["app==1.0"]\n# ///\n');
  const { out, err } = await order("add", "-r", "r.txt", "-r", "pyproject.toml", "-r", "p.py");
  for (const name of ["lib 2.5", "extra-one 1.0", "app 1.0"]) expect(out).toContain(`added ${name}`);
  expect(err).toContain("./here");
});

it("takes the Python files of a compiled wheel, and says so", async () => {
  const files = [
    { path: "fast/__init__.py", text: "x = 1\n" },
    { path: "fast/_core.cpython-314-x86_64-linux-gnu.so", text: "ELF" },
  ];
  const tag = "cp314-cp314-manylinux_2_28_x86_64";
  const { site, order } = await setUp([{ name: "fast", version: "1.0", tag, files }]);
  expect((await order("add", "fast")).out).toContain("without its 1 compiled modules");
  expect(readdirSync(join(site, "fast"))).toEqual(["__init__.py"]);
});

describe("indexes that pip is set up with", () => {
  it("are asked where nothing else names one, and what they have counts together", async () => {
    const { index, cache } = await setUp([release("lib", "1.5"), release("app", "1.0", "lib")]);
    const second = await serveIndex([release("lib", "2.5"), release("own", "1.0")]);
    open.push(second);
    const home = join(cache, "home");
    mkdirSync(join(home, ".config", "pip"), { recursive: true });
    const lines = ["[global]", `index-url = ${index.url}`, "# a remark", "extra-index-url =", `    ${second.url}`];
    writeFileSync(join(home, ".config", "pip", "pip.conf"), lines.join("\n"));
    const env = { VRAMSCOPE_CACHE: cache, HOME: home, VIRTUAL_ENV: "", XDG_CONFIG_HOME: "" };
    const { out, err } = await cli(["packages", "add", "app", "own"], { env, cwd: cache });
    expect([err.includes("could not"), out]).toEqual([false, expect.stringContaining("added lib 2.5")]);
    expect(out).toContain("added own 1.0");
    const only = await cli(["packages", "add", "own", "--index", index.url], { env, cwd: cache });
    expect([only.code, only.err]).toEqual([2, expect.stringContaining("the index has no package own")]);
    const none = await cli(["packages", "add", "own"], { env: { ...env, PIP_INDEX_URL: index.url }, cwd: cache });
    expect(none.out).toContain("added own 1.0");
  });

  it("are read by section, and what is no line of them is nothing", () => {
    expect(indexesIn("[global]\nindex-url=http://a/\n[install]\nindex_url: http://b/\nextra-index-url=x y\n")).toEqual({
      index: "http://b/",
      extra: ["x", "y"],
    });
    expect(indexesIn("\0\n[[[\nindex-url=http://a/\n  = \n")).toEqual({ index: undefined, extra: [] });
  });
});

it("ends with one error where requirements never end", async () => {
  const { order } = await setUp([release("many", "1.0", ...Array.from({ length: 3000 }, (_, i) => `absent${i}`))]);
  expect((await order("add", "many")).err).toContain("more than 500 packages are needed");
});

it("stops at its time limit a program whose package never ends its import", async () => {
  const files = [
    { path: "endless/__init__.py", text: "import torch\nx = torch.ones(1000, device='cuda')\nwhile True: pass\n" },
  ];
  const { site, order } = await setUp([{ name: "endless", version: "1.0", files }]);
  await order("add", "endless");
  const options = { script: "p.py", source: "import endless\n", gpu: "a100", sitePackages: [site] };
  const result = await vramscope.run({ ...options, timeoutSeconds: 2 });
  expect([result.status, result.stats.peakAllocatedBytes]).toEqual(["timeout", 4096]);
});

describe("what is hostile ends in one error, and nothing is written", () => {
  const info = { path: "bad-1.0.dist-info/METADATA", text: "Metadata-Version: 2.1\nName: bad\nVersion: 1.0\n" };
  const one = (...files: Parameters<typeof zip>[0]): Partial<Release> => ({ bytes: zip([...files, info]) });
  it.each<[string, Partial<Release>, string]>([
    ["a path outside", one({ path: "../out.py", text: "" }), "names a path outside"],
    ["an absolute path", one({ path: "/tmp/out.py", text: "" }), "names a path outside"],
    ["a path of Windows", one({ path: "..\\out.py", text: "" }), "names a path outside"],
    ["a link", one({ path: "bad/link", text: "/etc/passwd", mode: 0o120777 }), "names a path outside"],
    ["two files of one name", one({ path: "bad/a.py", text: "1" }, { path: "bad/A.py", text: "2" }), "damaged"],
    ["a bomb that hides its size", one({ path: "bad/a.py", text: "x".repeat(1e6), claims: 10 }), "damaged"],
    ["a file of more than all may have", one({ path: "bad/a.py", text: "", claims: 2 ** 31 }), "is larger than"],
    [
      "a bomb that says how large it gets",
      one(...Array.from({ length: 80 }, (_, i) => ({ path: `bad/${i}.py`, text: "x".repeat(1 << 20) }))),
      "is larger than",
    ],
    [
      "a bomb of many files",
      one(...Array.from({ length: 50_001 }, (_, i) => ({ path: `bad/${i}.py`, text: "" }))),
      "is larger than",
    ],
    ["metadata beside that does not end", { metadataBeside: true, beside: "x: y\n".repeat(1e6) }, "is larger than"],
    ["a hash of no kind that is known", { hash: "" }, "its hash is not the one"],
    ["another hash", { hash: "0".repeat(64) }, "its hash is not the one"],
    ["no zip", { bytes: Buffer.from("<html>") }, "damaged"],
    ["half a zip", { bytes: zip([info]).subarray(40) }, "damaged"],
    [
      "another package",
      { bytes: zip([{ ...info, text: info.text.replace("bad", "good") }]) },
      "no wheel of this package",
    ],
    ["no metadata", { bytes: zip([{ path: "bad/a.py", text: "" }]) }, "damaged"],
    ["metadata without end", { bytes: zip([{ ...info, text: `${info.text}${"x: y\n".repeat(1e6)}` }]) }, "damaged"],
  ])("%s", async (_, change, expected) => {
    const { site, order } = await setUp([release("good", "1.0"), { name: "bad", version: "1.0", ...change }]);
    const { code, err } = await order("add", "good", "bad");
    expect([code, err.trim().split("\n").at(-1)]).toEqual([2, expect.stringContaining(expected)]);
    expect(existsSync(site)).toBe(false);
  });

  it("leaves out what Python would run by itself", async () => {
    const files = ["evil.pth", "sitecustomize.py", "bad/x.pth"].map((path) => ({ path, text: "/etc\n" }));
    const { site, order } = await setUp([{ name: "bad", version: "1.0", files }]);
    expect((await order("add", "bad")).code).toBe(0);
    expect(readdirSync(site).sort()).toEqual(["bad", "bad-1.0.dist-info"]);
  });
});

it.each([
  [["add", "absent"], "the index has no package absent"],
  [["add", "lib>9"], "no version of lib fits"],
  [["add", "lib>9", "app"], "no version of lib fits"],
  [["add", "a b"], "is no requirement"],
  [["add"], "no package is named"],
  [["add", "-r", "nowhere.txt"], "cannot read nowhere.txt"],
  [["sell"], "nothing to do with packages"],
  [["add", "lib", "--index", "ftp://x"], "no address of an index"],
  [["add", "lib", "--index", "http://127.0.0.1:1/simple"], "could not be fetched"],
])("%j: %s", async (words, expected) => {
  const { order } = await setUp(FAMILY);
  const { code, err } = await order(...words);
  expect([code, err.trim().split("\n").length, err]).toEqual([2, 1, expect.stringContaining(expected)]);
});
