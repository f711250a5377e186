/** Options behind a program: the program's own text says which are its, even where ours have the same name. */

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/cli/exit-code.ts";
import { cli, scriptFolder } from "./harness.ts";

const cwd = scriptFolder();

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(cwd, "declares-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe("an option of ours behind a program", () => {
  it.each([
    ["in its script", { "own.py": 'p.add_argument("--data")' }, ["--data", "d", "--lr", "3"]],
    ["in its script, by a letter", { "own.py": "p.add_argument('-o', '--out')" }, ["-o", "out"]],
    [
      "in a module of its folder",
      { "own.py": "import lib.opts", "lib/opts.py": 'f("--data")' },
      ["--lr", "3", "--data", "d"],
    ],
    ["as a field of a data class", { "own.py": "class A:\n    data: str = ''" }, ["--lr", "3", "--data=d"]],
    ["with the other kind of dash", { "own.py": 'f("--kernel_temporaries")' }, ["--kernel-temporaries", "7"]],
    ["though it is nearly one of ours", { "own.py": 'f("--date")' }, ["--date", "7"]],
  ])("is the program's where it declares it %s", async (_where, files, words) => {
    const { options, err } = await cli(["run", "own.py", ...words], { cwd: folderWith(files) });
    expect(options).toMatchObject({ argv: words });
    expect(err).toContain(`taken as the program's own, as if after --: ${words.join(" ")}`);
  });

  it("is a module's where the module declares it, and ours before it", async () => {
    const folder = folderWith({ "own/__main__.py": 'f("--gpu")' });
    const { options } = await cli(["run", "--gpu", "t4", "-m", "own", "--gpu", "0"], { cwd: folder });
    expect(options).toMatchObject({ gpu: { id: "t4" }, argv: ["--gpu", "0"] });
  });

  it("stays ours where another file of the folder has it, as long as no word of the program came", async () => {
    const folder = folderWith({ "own.py": "", "other.py": 'f("--gpu")' });
    expect((await cli(["run", "own.py", "--gpu", "t4"], { cwd: folder })).options).toMatchObject({ gpu: { id: "t4" } });
  });

  it("may have signs that mean something in patterns, nearly one of ours", async () => {
    const folder = folderWith({ "own.py": "" });
    const { code, err } = await cli(["run", "own.py", "--gpu("], { cwd: folder });
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining("did you mean '--gpu'?")]);
  });

  it("is an error behind the program's words where nothing declares it", async () => {
    const folder = folderWith({ "own.py": '# --data, "--database"', ".hidden/a.py": 'f("--data")' });
    const { code, err } = await cli(["run", "own.py", "--lr", "3", "--data", "x=y"], { cwd: folder });
    expect(code).toBe(EXIT.usage);
    expect(err).toContain("'--lr' is no option of vramscope, and '--data' after it is one");
  });
});
