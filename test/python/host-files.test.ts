/** What of this machine a program sees: its project and packages, lazily and read-only, and nothing that is secret or lies outside. */

import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope as built } from "../built.ts";
import { folderWith } from "../helpers.ts";
import { answerHost, type HostFiles, type HostQuestion } from "../../src/python/host-files.ts";
import { hostFolders } from "../../src/python/host-folders.ts";
import { projectRoot } from "../../src/python/project-root.ts";
import { isHidden } from "../../src/python/visible-files.ts";

const { run } = built;

const names = (files: HostFiles, path: string): string[] | null =>
  files
    .list(path)
    ?.map(({ name }) => name)
    .sort() ?? null;

/** Runs a program of a folder, and gives its output by lines. */
async function printed(folder: string, script: string, options: Partial<Parameters<typeof run>[0]> = {}) {
  const { status, errorText, stdout } = await run({ script: join(folder, script), timeoutSeconds: 60, ...options });
  expect([errorText, status]).toEqual([null, "ok"]);
  return stdout.trimEnd().split("\n");
}

describe("the rule", () => {
  it.each([
    [".env", true],
    [".git", true],
    ["server.pem", true],
    ["id_ed25519", true],
    ["credentials.json", true],
    ["client_secrets.yaml", true],
    ["hf_token", true],
    ["token.txt", true],
    ["aws-access-keys.csv", true],
    ["service-account-prod.json", true],
    ["secrets.py", false],
    ["tokenizer.json", false],
    ["special_tokens_map.json", false],
    ["tokens.txt", false],
    ["keys.npy", false],
    ["train.bin", false],
    ["secretary_problem.txt", false],
    [".project-root", false],
  ])("%s is hidden: %s", (name, hidden) => {
    expect(isHidden(name, "project")).toBe(hidden);
    expect(isHidden(name, "packages")).toBe(name.startsWith("."));
  });

  it("takes the git root for the project, else the one with pyproject.toml, never a home directory", () => {
    const top = folderWith({
      "home/me/.git/HEAD": "",
      "home/me/loose/train.py": "",
      "home/me/proj/.git/HEAD": "",
      "home/me/proj/part/pyproject.toml": "",
      "home/me/proj/part/deep/train.py": "",
      "home/me/plain/pyproject.toml": "",
      "home/me/plain/a/b/train.py": "",
      "home/me/read/README.md": "",
      "home/me/read/a/train.py": "",
    });
    const me = join(top, "home/me");
    expect(projectRoot(join(me, "proj/part/deep"), me)).toBe(join(me, "proj"));
    expect(projectRoot(join(me, "plain/a/b"), me)).toBe(join(me, "plain"));
    expect(projectRoot(join(me, "loose"), me)).toBe(join(me, "loose"));
    expect(projectRoot(join(me, "read/a"), me)).toBe(join(me, "read"));
    expect(projectRoot(me, me)).toBe(me);
  });
});

describe("host folders", () => {
  const top = folderWith({
    "outside.txt": "outside",
    "p/a.txt": "0123456789",
    "p/.env": "KEY=1",
    "p/.config/x/key.txt": "named",
    "p/.config/other": "hidden",
    "p/sub/token": "t",
    "p/sub/b.bin": "b",
    "lib/pkg/cacert.pem": "certificates",
  });
  symlinkSync(join(top, "outside.txt"), join(top, "p/out"));
  symlinkSync("../../outside.txt", join(top, "p/sub/up"));
  symlinkSync("/etc", join(top, "p/etc"));
  symlinkSync("a.txt", join(top, "p/same"));
  symlinkSync(".env", join(top, "p/disguised"));
  symlinkSync(join(top, "lib/pkg"), join(top, "p/package"));
  const mounts = [
    { inside: "/home/user", host: join(top, "p"), visibility: "project" },
    { inside: "/site-packages/0", host: join(top, "lib"), visibility: "packages" },
  ] as const;
  const files = hostFolders(mounts);

  it("list what may be seen, links within the folders among it", () => {
    expect(names(files, "/home/user")).toEqual(["a.txt", "package", "same", "sub"]);
    expect(names(files, "/home/user/sub")).toEqual(["b.bin"]);
    expect(names(files, "/site-packages/0/pkg")).toEqual(["cacert.pem"]);
    expect(files.stat("/home/user/same")).toMatchObject({ folder: false, bytes: 10 });
  });

  it("refuse what is hidden or outside, by whatever name", () => {
    const asked = ["out", "etc", "etc/passwd", "sub/up", ".env", "disguised", "sub/token", ".config/x/key.txt", "no"];
    for (const path of [...asked.map((name) => `/home/user/${name}`), "/etc/passwd", "/site-packages/1", "/"]) {
      expect([path, files.stat(path), files.list(path), files.read(path, 0, 10)]).toEqual([path, null, null, null]);
    }
  });

  it("show a named file and the way to it, nothing beside it", () => {
    const named = hostFolders(mounts, [join(top, "p/.config/x"), join(top, "p/sub/token")]);
    expect(names(named, "/home/user")).toEqual([".config", "a.txt", "package", "same", "sub"]);
    expect(names(named, "/home/user/.config")).toEqual(["x"]);
    expect(names(named, "/home/user/.config/x")).toEqual(["key.txt"]);
    expect(names(named, "/home/user/sub")).toEqual(["b.bin", "token"]);
  });

  it("read ranges", () => {
    const read = (from: number, length: number) =>
      new TextDecoder().decode(files.read("/home/user/a.txt", from, length)!);
    expect([read(0, 100), read(3, 2), read(9, 5), read(10, 1), read(50, 1)]).toEqual(["0123456789", "34", "9", "", ""]);
  });

  it("answer no question of a wrong form", () => {
    for (const path of [
      "/home/user/../outside.txt",
      "/home/user/./a.txt",
      "/home/user//a.txt",
      "a.txt",
      "/home/user/a\0",
      3,
    ]) {
      expect(answerHost(files, { kind: "stat", path: path as string })).toBe(null);
    }
    for (const [from, length] of [
      [-1, 2],
      [0, -2],
      [0.5, 1],
      [0, Infinity],
    ] as const) {
      expect(answerHost(files, { kind: "read", path: "/home/user/a.txt", from, length })).toBe(null);
    }
    expect(answerHost(files, { kind: "write", path: "/home/user/a.txt" } as unknown as HostQuestion)).toBe(null);
  });
});

describe("a program", () => {
  it("reads its project lazily: of 8 GiB only the ranges that it asks for", async () => {
    const folder = folderWith({
      ".git/HEAD": "",
      "scripts/main.py": `
import os, sys
print(os.getcwd(), sys.path[0], __file__)
with open("../data/big.bin", "rb") as f:
    f.seek(-3, 2)
    print(f.tell(), f.read())
    f.seek(5 << 30)
    print(f.read(4))
print(os.path.getsize("../data/big.bin"), sorted(os.listdir("..")))
sys.path.append("..")
import shared.part
print(shared.part.__file__)
`,
      "shared/part.py": "",
      "data/big.bin": "",
    });
    truncateSync(join(folder, "data/big.bin"), 8 * 2 ** 30);
    expect(await printed(folder, "scripts/main.py")).toEqual([
      "/home/user/scripts /home/user/scripts /home/user/scripts/main.py",
      `${8 * 2 ** 30 - 3} b'\\x00\\x00\\x00'`,
      "b'\\x00\\x00\\x00\\x00'",
      `${8 * 2 ** 30} ['data', 'scripts', 'shared']`,
      "/home/user/scripts/../shared/part.py",
    ]);
  });

  it("runs in the user's working directory where that lies in the project", async () => {
    const folder = folderWith({
      "pyproject.toml": "",
      "src/main.py": "import os\nprint(os.getcwd(), open('config.yaml').read())\n",
      "run/config.yaml": "mine",
      "src/config.yaml": "its",
    });
    const script = "src/main.py";
    expect(await printed(folder, script, { workingDirectory: join(folder, "run") })).toEqual(["/home/user/run mine"]);
    expect(await printed(folder, script, { workingDirectory: "/" })).toEqual(["/home/user/src its"]);
  });

  it("changes, moves and removes files for itself only", async () => {
    const text = `
import os, shutil
open("a.txt", "a").write("!")
open("new/b.txt", "w").write("b") if os.makedirs("new") is None else None
os.rename("c.txt", "new/c.txt")
os.remove("d.txt")
open("e.txt", "r+").truncate(2)
shutil.rmtree("tree")
try:
    os.rmdir("full")
except OSError as error:
    print(type(error).__name__)
print(sorted(os.listdir(".")), sorted(os.listdir("new")))
print(*[open(name).read() for name in ("a.txt", "new/c.txt", "e.txt")], os.path.exists("d.txt"))
`;
    const before = {
      "main.py": text,
      "a.txt": "a",
      "c.txt": "c",
      "d.txt": "d",
      "e.txt": "eeee",
      "tree/x/y.txt": "y",
      "full/z.txt": "z",
    };
    const folder = folderWith(before);
    expect(await printed(folder, "main.py")).toEqual([
      "OSError",
      "['a.txt', 'e.txt', 'full', 'main.py', 'new'] ['b.txt', 'c.txt']",
      "a! c ee False",
    ]);
    for (const [name, content] of Object.entries(before))
      expect(readFileSync(join(folder, name), "utf8")).toBe(content);
  });

  it("imports from what PYTHONPATH names, in and outside of its project", async () => {
    const top = folderWith({
      "p/main.py": "import inner, outer\nprint(inner.__file__, outer.__file__)\n",
      "p/lib/inner.py": "",
      "elsewhere/outer.py": "",
    });
    const env = { PYTHONPATH: `lib:${join(top, "elsewhere")}:/no/such` };
    const options = { workingDirectory: join(top, "p"), env };
    expect(await printed(join(top, "p"), "main.py", options)).toEqual([
      "/home/user/lib/inner.py /python-path/1/outer.py",
    ]);
  });

  it("sees a package's data and metadata, whatever its size", async () => {
    const folder = folderWith({
      "main.py": `
import importlib.metadata, importlib.resources, pkgutil, big, names.space
print(importlib.metadata.version("big"), len(importlib.resources.files("big").joinpath("data.bin").read_bytes()))
print([m.name for m in pkgutil.iter_modules(big.__path__)], names.space.VALUE)
`,
      "env/big/__init__.py": "",
      "env/big/part.py": "",
      "env/big/data.bin": "",
      "env/big-1.5.dist-info/METADATA": "Metadata-Version: 2.1\nName: big\nVersion: 1.5\n",
      "env/names/space/__init__.py": "VALUE = 3\n",
    });
    truncateSync(join(folder, "env/big/data.bin"), 70 * 2 ** 20);
    const options = { sitePackages: [join(folder, "env")] };
    expect(await printed(folder, "main.py", options)).toEqual([`1.5 ${70 * 2 ** 20}`, "['part'] 3"]);
  });

  it("lists a folder of many files and reads one of them", async () => {
    const folder = folderWith({
      "main.py": "import os\nn = os.listdir('many')\nprint(len(n), open('many/4321').read())\n",
    });
    mkdirSync(join(folder, "many"));
    for (let i = 0; i < 5000; i++) writeFileSync(join(folder, "many", String(i)), `file ${i}`);
    expect(await printed(folder, "main.py")).toEqual(["5000 file 4321"]);
  });
});
