/** Files that commands write: whole, or as they were; never over what is read. */

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  mkdirSync,
} from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { describe, expect, it, test } from "vitest";
import { writeTrace } from "../../src/trace/file.ts";
import { sampleTrace } from "../trace/sample.ts";
import { partPath } from "../../src/cli/unfinished-files.ts";
import { writeWhole } from "../../src/cli/whole-files.ts";
import { ROOT } from "../helpers.ts";
import { cli, scriptFolder } from "./harness.ts";

const BUILT = join(ROOT, "dist", "cli", "main.js");
const NODE_MAJOR = Number(process.versions.node.split(".")[0]);
/** Less address space than Node 20 reserves for the interpreter's memory. */
const ALL_OF_WEBASSEMBLY = "ulimit -v 20000000";
const OLD = '{"old":true}';

function ioAt(cwd: string): Parameters<typeof writeWhole>[2] {
  return { cwd } as Parameters<typeof writeWhole>[2];
}

describe("a file that is written", () => {
  it("takes the old one's place, mode and link only when it is complete", () => {
    const folder = scriptFolder();
    writeFileSync(join(folder, "old.json"), OLD);
    chmodSync(join(folder, "old.json"), 0o640);
    symlinkSync("old.json", join(folder, "link.json"));
    writeWhole("link.json", ["new ", new TextEncoder().encode("text")], ioAt(folder));
    expect(readFileSync(join(folder, "old.json"), "utf8")).toBe("new text");
    expect(statSync(join(folder, "old.json")).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder).sort()).toEqual(["link.json", "net.py", "old.json"]);
  });

  it("is as it was when writing ends in the middle, and nothing stays beside it", () => {
    const folder = scriptFolder();
    writeFileSync(join(folder, "old.json"), OLD);
    function* pieces(): Generator<string> {
      yield "x".repeat(3 << 20);
      throw new Error("in the middle");
    }
    expect(() => writeWhole("old.json", pieces(), ioAt(folder))).toThrow("in the middle");
    expect(readFileSync(join(folder, "old.json"), "utf8")).toBe(OLD);
    expect(readdirSync(folder).sort()).toEqual(["net.py", "old.json"]);
  });

  it("is as it was when the disk is full, and that is no fault of the call", () => {
    const folder = scriptFolder();
    writeFileSync(join(folder, "t.json"), writeTrace(sampleTrace()));
    writeFileSync(join(folder, "out.json"), OLD);
    // a limit on the size of files fails like a full disk
    const { status, stderr } = spawnSync(
      "bash",
      [
        "-c",
        'trap "" XFSZ; ulimit -f 1; exec "$0" "$1" open t.json --report none -o out.json',
        process.execPath,
        BUILT,
      ],
      { cwd: folder, encoding: "utf8" },
    );
    expect(stderr).toMatch(/cannot write out\.json: EFBIG.*what was there before is as it was/);
    expect(status).toBe(3);
    expect(readFileSync(join(folder, "out.json"), "utf8")).toBe(OLD);
    expect(readdirSync(folder).sort()).toEqual(["net.py", "out.json", "t.json"]);
  });

  it("takes away what a killed writer left beside others, and nothing else", () => {
    const folder = scriptFolder();
    const parts = (): string[] => readdirSync(folder).filter((name) => name.endsWith(".part"));
    const own = basename(partPath(folder));
    expect(own).toContain(`-${process.pid}-`);
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const left = own.replace(`-${process.pid}-`, `-${pid}-`);
    // of a process on another machine nothing is known, and this one is alive
    const others = [own, left.replace(/-[0-9a-f]{8}-/, "-00000000-"), ".vramscope-mine.part"].sort();
    for (const name of [left, ...others]) writeFileSync(join(folder, name), "");
    writeWhole("new.json", ["new"], ioAt(folder));
    expect(parts().sort()).toEqual(others);
  });

  it.each([
    ["a loop of links as a script", "", "run loop.py", 3],
    ["a full disk for the report", "", "run ok.py > /dev/full", 3],
    ["a full disk for the trace", "", "run --report none -o /dev/full ok.py", 3],
    ["too few open files for our own modules", "ulimit -n 24", "run ok.py", 3],
    ["too little memory for WebAssembly", "ulimit -v 2000000", "run --report none ok.py", 3],
    ["too little memory for all of WebAssembly", ALL_OF_WEBASSEMBLY, "run --report none ok.py", 3],
  ])("%s is no fault of ours", (_, limit, words, code) => {
    const folder = scriptFolder();
    writeFileSync(join(folder, "ok.py"), "import torch\n");
    symlinkSync("loop.py", join(folder, "loop.py"));
    const line = `${limit}\nexec "$0" "$1" ${words}`;
    const { status, stderr } = spawnSync("bash", ["-c", line, process.execPath, BUILT], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(stderr).not.toContain("itself failed");
    // newer releases of Node reserve less for WebAssembly: what is too little for others may do
    if (NODE_MAJOR >= 24 && limit === ALL_OF_WEBASSEMBLY && stderr === "") expect(status).toBe(0);
    else {
      expect(stderr).toMatch(/^vramscope: .*\n$/);
      expect(status).toBe(code);
    }
  });

  it("may be a pipe", () => {
    const folder = scriptFolder();
    writeFileSync(join(folder, "t.json"), writeTrace(sampleTrace()));
    const line = '"$0" "$1" export t.json -f csv-lines -o /dev/stdout | cat';
    const { status, stdout } = spawnSync("bash", ["-c", line, process.execPath, BUILT], {
      cwd: folder,
      encoding: "utf8",
    });
    expect([status, stdout.split(",")[0]]).toEqual([0, "file"]);
  });
});

describe("what is read is never written over", () => {
  const folder = scriptFolder();
  writeFileSync(join(folder, "t.json"), writeTrace(sampleTrace()));
  writeFileSync(join(folder, "u.json"), writeTrace(sampleTrace()));
  writeFileSync(join(folder, "model.py"), "w = 1\n");
  symlinkSync("net.py", join(folder, "alias"));
  const kept = ["t.json", "u.json", "net.py", "model.py"].map((name) => [
    name,
    readFileSync(join(folder, name), "utf8"),
  ]);
  test.each([
    [["run", "-o", "net.py", "net.py"], "net.py is read by this command"],
    [["run", "-o", "alias", "net.py"], "alias is read by this command"],
    [["run", "--export", "html=./net.py", "net.py"], "net.py is read by this command"],
    [["run", "--markdown", "net.py", "net.py"], "net.py is read by this command"],
    [["run", "-o", "model.py", "net.py"], "model.py is a program that is there already"],
    [["run", "-o", "new.json", "--export", "html=new.json", "net.py"], "new.json is named for two outputs"],
    [["open", "t.json", "-o", "t.json"], "t.json is read by this command"],
    [["open", "t.json", "u.json", "--markdown", "u.json"], "u.json is read by this command"],
    [["export", "t.json", "-f", "html", "-o", "t.json"], "t.json is read by this command"],
    [["diff", "t.json", "u.json", "--markdown", "u.json"], "u.json is read by this command"],
    [["compare", "t.json", "u.json", "--markdown", "t.json"], "t.json is read by this command"],
  ])("%j", async (args, words) => {
    const { code, out, err, options } = await cli(args, { cwd: folder });
    expect(err).toContain(words);
    expect([code, out, options]).toEqual([2, "", null]);
    for (const [name, text] of kept) expect(readFileSync(join(folder, name!), "utf8")).toBe(text);
    expect(existsSync(join(folder, "new.json"))).toBe(false);
  });
});

it("saves the other files of a program when a name cannot be written", async () => {
  const folder = scriptFolder();
  const bytes = new TextEncoder().encode("x");
  const files = [
    ["a.txt", bytes],
    ["n".repeat(300), bytes],
    ["b.txt", bytes],
  ] as const;
  const { code, err } = await cli(["run", "--save-files", "saved", "net.py"], {
    cwd: folder,
    result: { files: { files, leftOut: 0 } },
  });
  expect(readdirSync(join(folder, "saved")).sort()).toEqual(["a.txt", "b.txt"]);
  expect(err).toMatch(/n{80}… was not saved: ENAMETOOLONG/);
  expect(code).toBe(0);
});

it("says when standard output is full", () => {
  const folder = scriptFolder();
  mkdirSync(join(folder, "x"));
  const { status, stderr } = spawnSync("bash", ["-c", '"$0" "$1" gpus > /dev/full', process.execPath, BUILT], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^vramscope: cannot write to standard output: ENOSPC.*\n$/);
  expect(status).toBe(3);
});
