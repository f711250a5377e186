/** What tests of the built package share: the command line as a whole process, and scripts in folders of their own. */

import { spawn, type SpawnOptions } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const CLI = join(ROOT, "dist", "cli", "main.js");

export interface ProcessResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ProcessOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  /** Called with the process once it has printed something. */
  readonly onFirstOutput?: (kill: (signal: NodeJS.Signals) => void, pid: number) => void;
}

/** Runs a command to its end. The environment is only what is given, and PATH. */
export function start(command: string, args: readonly string[], options: ProcessOptions = {}): Promise<ProcessResult> {
  const settings: SpawnOptions = { cwd: options.cwd ?? ROOT, env: { PATH: process.env["PATH"], ...options.env } };
  return new Promise((done, fail) => {
    const child = spawn(command, args, { ...settings, stdio: ["pipe", "pipe", "pipe"] });
    const streams = { out: "", err: "" };
    let waiting = options.onFirstOutput;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      streams.out += text;
      waiting?.((signal) => void child.kill(signal), child.pid!);
      waiting = undefined;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (streams.err += text));
    child.stdin.on("error", () => {});
    child.stdin.end(options.stdin ?? "");
    child.on("error", fail);
    child.on("close", (code) => done({ code, ...streams }));
  });
}

/** `vramscope ARGS` as a process of its own. */
export const vramscope = (args: readonly string[], options?: ProcessOptions): Promise<ProcessResult> =>
  start(process.execPath, [CLI, ...args], options);

/** A new folder with these files, by path. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "vramscope-test-"));
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return folder;
}

/** Of a long corpus every nth case runs; the environment's `variable` says `all` for the whole. */
export const everyNth = (variable: string, n: number): number => (process.env[variable] === "all" ? 1 : n);
