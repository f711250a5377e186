/** The archives of real packages that tests unpack, where they are at hand. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./helpers.ts";

const ARCHIVES = join(ROOT, "..", "shared", "packages");

export const hasArchives = existsSync(ARCHIVES);

/** File names of the archives of these packages, and of what they all depend on. */
export const archivesOf = (...packages: readonly string[]): string[] =>
  readdirSync(ARCHIVES).filter((name) =>
    new RegExp(`^(${["dependencies", ...packages].join("|")})\\b.*\\.tar\\.xz$`).test(name),
  );

/** A folder in which these packages lie, by default a new one. */
export function unpacked(
  packages: readonly string[],
  folder = mkdtempSync(join(tmpdir(), "vramscope-packages-")),
): string {
  for (const name of archivesOf(...packages)) execFileSync("tar", ["-xf", join(ARCHIVES, name), "-C", folder]);
  return folder;
}
