/** Runs files of a program by the command line and gives what it wrote. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { folderWith, vramscope as commandLine } from "../helpers.ts";

export async function run(files: Record<string, string>, args: readonly string[] = []) {
  const folder = folderWith(files);
  const result = await commandLine(["run", "--report", "none", ...args, "main.py"], { cwd: folder });
  const read = (...path: string[]): Uint8Array => readFileSync(join(folder, ...path));
  return { ...result, folder, read };
}
