/** `vramscope watch` as a process, with a stand-in for nvidia-smi in its PATH. */

import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { processTree } from "../../src/cli/process-tree.ts";
import { openFile } from "../../src/formats/open-file.ts";
import { bytesReader } from "../../src/formats/range-reader.ts";
import { folderWith, vramscope } from "../helpers.ts";

const MIB = 2 ** 20;
/** Two cards; processes are the lines `PID MiB` of the file `now`, and another one of somebody else. It prints on with -lms. */
const SMI = `#!/bin/sh
here=$(dirname "$0")
ask() {
  at=$(date "+%Y/%m/%d %H:%M:%S.%3N")
  case "$1" in
    *uuid,name*) echo "0, GPU-aaa, NVIDIA A100-SXM4-80GB, 81920, 500, 550.54.15"; echo "1, GPU-bbb, NVIDIA A100-SXM4-80GB, 81920, 3, 550.54.15" ;;
    *index,memory.used*) echo "$at, 0, 1500"; echo "$at, 1, 3" ;;
    *compute-apps*) echo "$at, 999999, 400, GPU-aaa, other"; echo "$at, 999998, [N/A], GPU-aaa, other"
      if [ -f "$here/now" ]; then while read -r pid mib; do echo "$at, $pid, $mib, GPU-aaa, job"; done < "$here/now"; fi ;;
  esac
}
if [ "$3" != -lms ]; then ask "$1"; exit; fi
if [ -f "$here/no-loops" ]; then exit 6; fi
while :; do ask "$1"; sleep 0.03; done
`;
/** Uses 700, 900 and 300 MiB. */
const JOB = `echo hello; echo oops >&2
for mib in 700 900 300; do echo $$ $mib > "$1/now.part"; mv "$1/now.part" "$1/now"; sleep 0.25; done
rm "$1/now"
exit 7
`;

function machine(files: Record<string, string> = {}) {
  const folder = folderWith({ "nvidia-smi": SMI, "job.sh": JOB, ...files });
  chmodSync(join(folder, "nvidia-smi"), 0o755);
  const PATH = [folder, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  return { folder, options: { cwd: folder, env: { PATH } } };
}

const opened = (path: string) => openFile(bytesReader(readFileSync(path)), { name: path }).readings!;
const hasShell = existsSync("/bin/sh") && existsSync("/proc/self/stat");

describe.skipIf(!hasShell)("watch", () => {
  it("runs a command, finds its processes, and leaves a file; streams and status are the command's", async () => {
    const { folder, options } = machine();
    const ran = await vramscope(["watch", "--interval", "30", "-o", "w.json", "--", "sh", "job.sh", folder], options);
    expect([ran.code, ran.out]).toEqual([7, "hello\n"]);
    expect(ran.err).toMatch(/^oops\n\nsh job\.sh \S+: 900\.00 MiB at most\n/);
    const { series, facts, notes } = opened(join(folder, "w.json"));
    const own = series.find(({ quantity, label }) => quantity === "process" && label.startsWith("sh job.sh"))!;
    expect([...new Set(own.bytes)].filter((bytes) => bytes > 0)).toEqual([700 * MIB, 900 * MIB, 300 * MIB]);
    expect(own).toMatchObject({ device: 0, roundingBytes: MIB / 2 });
    expect(series.find(({ process }) => process === 999999)!.bytes[0]).toBe(400 * MIB);
    expect(series.filter(({ quantity }) => quantity === "device_used").map(({ device }) => device)).toEqual([0, 1]);
    expect(facts.filter(({ quantity }) => quantity === "device_total")).toHaveLength(2);
    expect(notes).toContainEqual({ name: "driver", value: "550.54.15", line: -1 });
    const left = spawnSync("pgrep", ["-f", join(folder, "nvidia-smi")], { encoding: "utf8" });
    expect(left.stdout ?? "").toBe("");
  });

  it("asks again and again where nvidia-smi does not print on", async () => {
    const { folder, options } = machine({ "no-loops": "" });
    const ran = await vramscope(["watch", "--interval", "30", "--", "sh", "job.sh", folder], options);
    // on a slow machine one of the sizes may be missed
    expect([ran.code, ran.err]).toEqual([7, expect.stringMatching(/[379]00\.00 MiB at most/)]);
  });

  it("passes a signal on and says what a shell would", async () => {
    const { options } = machine({
      "wait.sh": 'trap "echo got; exit 9" TERM; echo ready; while :; do sleep 0.05; done\n',
    });
    const ran = await vramscope(["watch", "--", "sh", "wait.sh"], {
      ...options,
      onFirstOutput: (kill) => kill("SIGTERM"),
    });
    expect([ran.code, ran.out]).toEqual([9, "ready\ngot\n"]);
    expect(ran.err).toContain("showed no process of it");
  });

  it("says that there is no driver, and what the driver says", async () => {
    const { folder } = machine();
    const PATH = dirname(process.execPath);
    const none = await vramscope(["watch", "--", "true"], { cwd: folder, env: { PATH } });
    if (spawnSync("nvidia-smi", { env: { PATH } }).error !== undefined) {
      expect([none.code, none.err]).toEqual([3, expect.stringContaining("no NVIDIA driver")]);
    }
    writeFileSync(join(folder, "nvidia-smi"), "#!/bin/sh\necho 'No devices were found'\nexit 6\n");
    const broken = await vramscope(["watch", "--", "true"], machineOptions(folder));
    expect([broken.code, broken.err]).toEqual([3, "vramscope: nvidia-smi finds no GPU: No devices were found\n"]);
  });

  it("says what is wrong with its arguments", async () => {
    const { options } = machine();
    expect(await vramscope(["watch"], options)).toMatchObject({ code: 2, err: expect.stringContaining("no command") });
    const interval = await vramscope(["watch", "--interval", "5", "--", "true"], options);
    expect(interval).toMatchObject({ code: 2, err: expect.stringContaining("from 20 to 60000") });
    expect(await vramscope(["watch", "--", "no-such-command"], options)).toMatchObject({
      code: 127,
      err: expect.stringContaining("cannot start 'no-such-command'"),
    });
  });
});

it.skipIf(!hasShell)("processes that a command started are its own, also when what started them is gone", async () => {
  const outer = spawn("sh", ["-c", "sh -c 'sleep 3; :' & echo $!; wait"], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((done) => outer.once("exit", done));
  const tree = processTree(outer.pid!);
  const inner = Number(await new Promise<string>((done) => outer.stdout.once("data", (data) => done(String(data)))));
  expect(tree.has(inner)).toBe(false);
  tree.refresh();
  expect([tree.has(outer.pid!), tree.has(inner), tree.has(process.pid)]).toEqual([true, true, false]);
  outer.kill();
  await ended;
  tree.refresh();
  expect([tree.has(inner), tree.has(1)]).toEqual([true, false]);
  process.kill(inner);
});

const machineOptions = (folder: string) => ({
  cwd: folder,
  env: { PATH: [folder, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) },
});
