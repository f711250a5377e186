/** Which packages a program sees: the environment that is named, active or beside it, and what its `.pth` files lead to. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope as built } from "../built.ts";
import { folderWith, vramscope } from "../helpers.ts";
import { environmentAt, findEnvironment, linkedPackages } from "../../src/python/environments.ts";

const SITE = "lib/python3.12/site-packages";

/** An environment with a package `real` of version 1.2, and with the files given. */
const environment = (at: string, files: Record<string, string> = {}): Record<string, string> => ({
  [`${at}/pyvenv.cfg`]: "home = /usr/bin\ninclude-system-site-packages = false\n",
  [`${at}/${SITE}/real/__init__.py`]: "",
  [`${at}/${SITE}/real-1.2.dist-info/METADATA`]: "Metadata-Version: 2.1\nName: real\nVersion: 1.2\n",
  ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`${at}/${SITE}/${name}`, text])),
});

describe("an environment", () => {
  const top = folderWith({
    ...environment("named"),
    ...environment("proj/.venv"),
    ...environment("conda"),
    "proj/src/train.py": "",
    "bare/train.py": "",
    "windows/Lib/site-packages/a.py": "",
    "base/lib/python3.12/site-packages/b.py": "",
    "base/bin/python3.12": "",
    "shared/pyvenv.cfg": "",
    [`shared/${SITE}/c.py`]: "",
    "target/real-1.2.dist-info/METADATA": "",
  });
  mkdirSync(join(top, "named/bin"));
  symlinkSync(join(top, "base/bin/python3.12"), join(top, "named/bin/python"));
  writeFileSync(
    join(top, "shared/pyvenv.cfg"),
    `home = ${join(top, "base/bin")}\ninclude-system-site-packages = true\n`,
  );
  const at = (...parts: string[]): string => join(top, ...parts);
  const found = (hints: Partial<Parameters<typeof findEnvironment>[0]>) =>
    findEnvironment({ env: {}, folder: at("bare"), ...hints })?.sitePackages;

  it("is the one that is named, by interpreter or folder", () => {
    for (const python of ["named", "named/bin/python", `named/${SITE}`]) {
      expect([python, environmentAt(at(python))?.sitePackages]).toEqual([python, [at("named", SITE)]]);
    }
    expect(environmentAt(at("windows"))?.sitePackages).toEqual([at("windows/Lib/site-packages")]);
    expect(environmentAt(at("base/bin/python3.12"))?.sitePackages).toEqual([at("base", SITE)]);
    expect(environmentAt(at("target"))?.sitePackages).toEqual([at("target")]);
    expect(environmentAt(at("bare"))).toBe(null);
    expect(environmentAt(at("no/such"))).toBe(null);
  });

  it("has those of its interpreter, too, where it says so", () => {
    expect(environmentAt(at("shared"))?.sitePackages).toEqual([at("shared", SITE), at("base", SITE)]);
  });

  it("else the active one, else the one beside the script or above it", () => {
    expect(found({ env: { VIRTUAL_ENV: at("named"), CONDA_PREFIX: at("conda") } })).toEqual([at("named", SITE)]);
    expect(found({ env: { CONDA_PREFIX: at("conda") }, folder: at("proj/src") })).toEqual([at("conda", SITE)]);
    expect(found({ folder: at("proj/src") })).toEqual([at("proj/.venv", SITE)]);
    expect(found({ env: { VIRTUAL_ENV: at("gone") } })).toBeUndefined();
  });
});

describe("links of packages", () => {
  const top = folderWith({
    "site/a.pth": "# comment\n../proj/src\nimport os; os.system('touch ran')\n/no/such\n",
    "site/__editable___other_1_0_finder.py":
      "MAPPING: dict[str, str] = {'other': '@TOP@/editable/other'}\nNAMESPACES = {}\n",
    "site/home.pth": "@TOP@/private\n",
    "proj/pyproject.toml": "",
    "proj/src/linked.py": "print('linked')\n",
    "editable/setup.py": "",
    "editable/other/__init__.py": "print('other')\n",
    "editable/beside.py": "",
    "private/diary.py": "print('read')\n",
    "app/main.py": `
import linked, other
for name in ("beside", "diary"):
    try:
        __import__(name)
    except ImportError as error:
        print(error)
`,
  });
  for (const name of ["site/__editable___other_1_0_finder.py", "site/home.pth"]) {
    const text = name.endsWith(".pth") ? `${top}/private\n` : `MAPPING = {'other': '${top}/editable/other'}\n`;
    writeFileSync(join(top, name), text);
  }

  it("are read as text, and nothing of them runs here", () => {
    expect(linkedPackages(join(top, "site"))).toEqual([
      { host: join(top, "editable/other"), name: "other" },
      { host: join(top, "proj/src"), name: null },
      { host: join(top, "private"), name: null },
    ]);
  });

  it("lead to projects, and nowhere else", async () => {
    const options = {
      script: join(top, "app/main.py"),
      folder: join(top, "app"),
      sitePackages: [join(top, "site")],
    };
    const { stdout, errorText } = await built.run(options);
    expect([errorText, stdout]).toEqual([null, "linked\nother\nNo module named 'beside'\nNo module named 'diary'\n"]);
  });
});

describe("vramscope run", () => {
  const top = folderWith({
    ...environment(".venv", {
      "transformers/__init__.py": "__version__ = '9.9'\n",
      "transformers-9.9.dist-info/METADATA": "Metadata-Version: 2.1\nName: transformers\nVersion: 9.9\n",
      "fast/__init__.py": "from . import _core\n",
      "fast/_core.cpython-312-x86_64-linux-gnu.so": "",
      "fast-3.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: fast\nVersion: 3.1\n",
    }),
    "which.py": "import transformers\nprint(transformers.__version__)\n",
    "compiled.py": "import fast\n",
    "missing.py": "from transformers import NoSuchModel\n",
    "pkg/__init__.py": "",
    "pkg/part.py": "VALUE = 5\n",
    "pkg/main.py":
      "import sys\nfrom .part import VALUE\nprint(__name__, __package__, VALUE, sys.argv[1:], __spec__.name)\n",
    "empty/x.py": "",
  });
  const ran = (...args: string[]) => vramscope(["run", "--report", "summary", ...args], { cwd: top });

  it("takes an installed package instead of the built-in short form, and names it with its version", async () => {
    const { out } = await ran("which.py");
    expect(out).toMatch(/^9\.9\n/);
    expect(out.replaceAll(/\s+/g, " ")).toContain("transformers 9.9");
    expect((await ran("--packages", "built-in", "which.py")).out).not.toMatch(/^9\.9\n/);
    const real = await ran("--packages", "real", "--python", ".venv", "which.py");
    expect(real.out).toMatch(/^9\.9\n/);
  });

  it("gives the stand-in for an installed package whose core is compiled, and a module beside the script first", async () => {
    const names = "psutil torchvision matplotlib wandb bitsandbytes xformers flash_attn pynvml PIL regex".split(" ");
    const site = Object.fromEntries(names.map((name) => [`site/${name}/__init__.py`, "from . import _compiled_core"]));
    const folder = folderWith({
      ...site,
      "pynvml.py": "",
      "main.py": `for name in "${names.join(" ")}".split(): print(name, __import__(name).__file__.split("/" + name)[0])`,
    });
    const { out } = await vramscope(["run", "--site-packages", "site", "main.py"], { cwd: folder });
    const places = out.split("\n").slice(0, names.length);
    const ours = names.filter((name) => name !== "pynvml").map((name) => `${name} /lib/vramscope`);
    expect(places.filter((line) => !line.startsWith("pynvml"))).toEqual(ours);
    expect(places.find((line) => line.startsWith("pynvml"))).not.toContain("/lib/");
  });

  it("reads an installed package's plain parts beside the stand-in for its compiled ones", async () => {
    const folder = folderWith({
      "site/torchvision/__init__.py": "from . import _compiled_core",
      "site/torchvision/datasets/__init__.py": "from . import _compiled_core",
      "site/torchvision/models/__init__.py":
        "from ..ops.poolers import pool\nfrom .._internally_replaced_utils import load_state_dict_from_url",
      "site/torchvision/ops/__init__.py": "",
      // the signatures of torchvision/csrc/ops/roi_pool.cpp and nms.cpp
      "site/torchvision/ops/poolers.py": `import torch
def pool(x, boxes):
    keep = torch.ops.torchvision.nms(boxes[:, 1:], boxes[:, 0], 0.5)
    return torch.ops.torchvision.roi_pool(x, boxes[keep], 1.0, 7, 7)`,
      "main.py": `import torch
from torchvision import datasets, models
print(datasets.__file__, models.__file__)
x = torch.randn(1, 3, 32, 32, device="cuda", requires_grad=True)
pooled, origins = models.pool(x, torch.zeros(4, 5, device="cuda"))
pooled.sum().backward()
print(*pooled.shape, pooled.dtype, *origins.shape, origins.dtype, *x.grad.shape)`,
    });
    const { out } = await vramscope(["run", "--site-packages", "site", "main.py"], { cwd: folder });
    const [files, shapes] = out.split("\n");
    expect(files).toMatch(/^\/lib\/vramscope\/\S+ \/site-packages\/0\/torchvision\/models\/__init__.py$/);
    expect(shapes).toBe("4 3 7 7 torch.float32 4 3 7 7 torch.int32 1 3 32 32");
  });

  it("says of a compiled module what it is and what to do", async () => {
    const { err, code } = await ran("compiled.py");
    expect(code).toBe(3);
    expect(err).toContain("fast._core is a compiled module of fast 3.1");
  });

  it("says of a name that the short form lacks how to get the package itself", async () => {
    const { err } = await ran("--packages", "built-in", "missing.py");
    expect(err).toContain("--python PATH");
    expect(err).toContain("'vramscope packages add transformers' fetches it");
  });

  it("runs a module in its package", async () => {
    const { out, err } = await ran("-m", "pkg.main", "a", "b");
    expect([out.split("\n")[0], err]).toEqual(["__main__ pkg 5 ['a', 'b'] pkg.main", expect.any(String)]);
    expect((await ran("-m", "pkg.nothing")).err).toContain("no module pkg.nothing");
    expect((await ran("--python", "nowhere", "which.py")).err).toContain("no Python environment");
  });
});
