/** Files in which new texts lie until they are complete, and what is left of those whose writer was killed. */

import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readlinkSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";

const NAME = /^\.vramscope-([0-9a-f]{8})-(\d+)-[0-9a-f]{16}\.part$/;

/** Where numbers of processes mean the same: other machines and containers may share a folder. */
function processesHere(): string {
  let space = "";
  try {
    space = readlinkSync("/proc/self/ns/pid");
  } catch {
    // a system without such spaces
  }
  return createHash("sha256").update(`${hostname()}\n${space}`).digest("hex").slice(0, 8);
}

/** A name in this folder that nobody has. What killed processes left there goes. */
export function partPath(folder: string): string {
  const here = processesHere();
  for (const name of namesIn(folder)) {
    const [, where, writer] = NAME.exec(name) ?? [];
    if (where === here && !isAlive(Number(writer))) rmSync(join(folder, name), { force: true });
  }
  return join(folder, `.vramscope-${here}-${process.pid}-${randomBytes(8).toString("hex")}.part`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // a folder may be written to and not be read
    return [];
  }
}

function isAlive(writer: number): boolean {
  try {
    process.kill(writer, 0);
    return true;
  } catch (error) {
    // EPERM: it is there and somebody else's
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
