/** Installed packages that would keep a program for ever or lead it elsewhere: one clear error each, and nothing is read outside of their folder. */

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";
import { folderWith } from "../helpers.ts";

const METADATA = "Metadata-Version: 2.1\nName: pk\nVersion: 1.0\n";

async function ran(source: string, files: Record<string, string>, change: (site: string) => void) {
  const top = folderWith(Object.fromEntries(Object.entries(files).map(([name, text]) => [`site/${name}`, text])));
  change(join(top, "site"));
  const options = { script: "p.py", source, gpu: "a100", sitePackages: [join(top, "site")] };
  const { status, errorText, stdout } = await vramscope.run({ ...options, timeoutSeconds: 60 });
  return { status, last: (errorText ?? "").trim().split("\n").at(-1), stdout };
}

const grow = (name: string) => (site: string) => truncateSync(join(site, name), 2 ** 34);

describe("a hostile folder of packages", () => {
  it.each<[string, string, Record<string, string>, string]>([
    ["big.py", "import big\n", { "big.py": "" }, "ImportError: /site-packages/0/big.py has 17179869184 bytes"],
    [
      "pk-1.0.dist-info/METADATA",
      "import importlib.metadata as m\nm.version('pk')\n",
      { "pk/__init__.py": "", "pk-1.0.dist-info/METADATA": METADATA },
      "OSError: /site-packages/0/pk-1.0.dist-info/METADATA has 17179869184 bytes",
    ],
    [
      "pk-1.0.dist-info/RECORD",
      "import importlib.metadata as m\nm.files('pk')\n",
      { "pk/__init__.py": "", "pk-1.0.dist-info/METADATA": METADATA, "pk-1.0.dist-info/RECORD": "" },
      "OSError: /site-packages/0/pk-1.0.dist-info/RECORD has 17179869184 bytes",
    ],
  ])("ends with one error where %s has 16 GiB", async (name, source, files, expected) => {
    const { status, last } = await ran(source, files, grow(name));
    expect([status, last]).toEqual(["python_error", expect.stringContaining(expected)]);
  });

  it("hides what links lead to outside or back, pipes, and names with backslashes", async () => {
    const source = "import os\nfor r, d, f in os.walk('/site-packages/0'): print(sorted(d), sorted(f))\n";
    const { status, stdout } = await ran(source, { "pk/__init__.py": "", "..\\up.py": "" }, (site) => {
      mkdirSync(join(site, "pk", "below"));
      symlinkSync("..", join(site, "pk", "below", "back"));
      mkdirSync(join(site, "..", "outside"));
      symlinkSync("/etc/passwd", join(site, "secret.py"));
      symlinkSync(join(site, "..", "outside"), join(site, "out"));
      symlinkSync(".", join(site, "pk", "again"));
      symlinkSync("../pk/below", join(site, "pk", "above"));
      symlinkSync("/dev/zero", join(site, "zero.py"));
      execFileSync("mkfifo", [join(site, "pipe.py")]);
    });
    expect([status, stdout]).toEqual(["ok", "['pk'] []\n['above', 'below'] ['__init__.py']\n[] []\n[] []\n"]);
  });

  it("says that an import never ends", async () => {
    const { status, last } = await ran("import pk\n", { "pk/__init__.py": "def f(): f()\nf()\n" }, () => {});
    expect([status, last]).toEqual(["python_error", expect.stringContaining("RecursionError")]);
  });
});
