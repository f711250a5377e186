/** Real memory snapshots lie beside the repository on some machines; they are not part of it. */

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = new URL("../../shared/snapshots/", import.meta.url);

export const hasSnapshots = existsSync(fileURLToPath(FOLDER));
/** Stands in the name of each test that needs them, so that a skipped one says why. */
export const NEEDS_SNAPSHOTS = hasSnapshots ? "" : " (skipped: no ../shared/snapshots on this machine)";

export function snapshotBytes(name: string): Uint8Array {
  return readFileSync(fileURLToPath(new URL(`${name}.pickle`, FOLDER)));
}
