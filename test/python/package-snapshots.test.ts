/** Interpreters kept with large packages imported: made once, restored later, inside the same walls, and made anew when a file changes. */

import { mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope as built } from "../built.ts";
import { folderWith } from "../helpers.ts";

const { run } = built;

/** A package of many files, whose import looks for ways out and says so; parts of it load when they are asked for, and then fail. */
const PACKAGE = {
  "big/__init__.py": `
from . import part0, counted
VALUE = 1
import logging
LOGGER = logging.getLogger("big")
LOGGER.addHandler(logging.StreamHandler())
def attempt(f):
    try:
        return repr(f())
    except BaseException as error:
        return type(error).__name__
import sys
WAYS = [attempt(lambda name=name: __import__(name)) for name in ("js", "pyodide_js", "_pyodide_core", "pyodide")]
WAYS.append(attempt(lambda: open("/etc/passwd").read()))
WAYS.append([type(f).__name__ for f in sys.meta_path if hasattr(f, "jsproxies")])
import types
class Late(types.ModuleType):
    def __getattr__(self, name):
        raise ModuleNotFoundError("a part that is not installed")
sys.modules["big.late"] = Late("big.late")
class Mapping(dict):
    def items(self):
        raise ModuleNotFoundError("a part that is not installed")
    keys = values = __iter__ = items
MAPPING = Mapping(part=1)
`,
  "big/counted.py": "import time\nMADE = time.time_ns()\n",
  "broken/__init__.py": "raise RuntimeError('at import')\n",
  ...Object.fromEntries(Array.from({ length: 220 }, (_, i) => [`big/part${i}.py`, `N = ${i}\n`])),
  ...Object.fromEntries(Array.from({ length: 220 }, (_, i) => [`broken/part${i}.py`, `N = ${i}\n`])),
};

describe("a snapshot with packages", () => {
  const top = folderWith({
    ...Object.fromEntries(Object.entries(PACKAGE).map(([name, text]) => [`site/${name}`, text])),
    "main.py": `
import torch
import big
from big import (counted,  # a comment
    part0)
big.LOGGER.warning("a word of its own")
print(counted.MADE, big.VALUE, part0.N, *big.WAYS)
torch.zeros(1000, device="cuda")
try:
    import js
except ImportError:
    print("no js")
`,
    "fails.py": "try:\n    pass\nfinally:\n    pass\nimport broken\n",
  });
  const cacheFolder = mkdtempSync(join(tmpdir(), "vramscope-test-"));
  const ran = async (script: string) => {
    const phases: string[] = [];
    const onProgress = (phase: string): void => void phases.push(phase);
    const options = { script: join(top, script), sitePackages: [join(top, "site")], cacheFolder, onProgress };
    const { stdout, stderr, status, errorText, trace } = await run(options);
    return {
      out: stdout.trimEnd().split("\n"),
      err: stderr,
      status,
      errorText,
      made: phases.includes("packages"),
      trace,
    };
  };

  it("is made once, holds what was imported, and is made again when a file of it changes", async () => {
    const first = await ran("main.py");
    expect([first.errorText, first.status, first.made]).toEqual([null, "ok", true]);
    const [made, ...others] = first.out[0]!.split(" ");
    const refused = Array.from({ length: 4 }, () => "ModuleNotFoundError");
    expect(others).toEqual(["1", "0", ...refused, "FileNotFoundError", "[]"]);
    expect(first.out[1]).toBe("no js");
    const second = await ran("main.py");
    expect(second.made).toBe(false);
    // the very interpreter that imported it, and the same memory
    expect(second.out).toEqual(first.out);
    // what took the stream of errors when it was imported still writes there
    expect([first.err, second.err]).toEqual(["a word of its own\n", "a word of its own\n"]);
    expect(second.trace.blocks).toEqual(first.trace.blocks);
    const files = readdirSync(join(cacheFolder, "interpreters"));
    const endings = files.map((name) => name.slice(name.indexOf("."))).sort();
    expect(endings).toEqual([".json", ".snapshot", ".snapshot.crc32"]);
    writeFileSync(join(top, "site/big/counted.py"), "import time\nMADE = time.time_ns() + 1\n");
    const third = await ran("main.py");
    expect([third.made, third.out[0]!.split(" ")[0] === made]).toEqual([true, false]);
    expect(readdirSync(join(cacheFolder, "interpreters")).length).toBe(3);
  }, 240_000);

  it("is not made of a package that cannot be imported, and not tried again", async () => {
    const before = readdirSync(join(cacheFolder, "interpreters")).length;
    const first = await ran("fails.py");
    expect([first.made, first.status]).toEqual([true, "python_error"]);
    expect(first.errorText).toContain("at import");
    const second = await ran("fails.py");
    expect([second.made, second.errorText]).toEqual([false, first.errorText]);
    const added = readdirSync(join(cacheFolder, "interpreters"));
    expect(added.length).toBe(before + 1);
    expect(added.every((name) => statSync(join(cacheFolder, "interpreters", name)).isFile())).toBe(true);
  }, 240_000);
});
