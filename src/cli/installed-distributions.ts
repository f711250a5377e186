/** What lies in folders of packages, by the metadata beside each: names as indexes spell them, with versions. */

import { readdirSync } from "node:fs";
import { normalName } from "../packages/requirement.ts";

export interface Distribution {
  readonly version: string;
  readonly folder: string;
}

const INFO = /^(.+?)-([^-]*)\.(?:dist|egg)-info$/;

/** Of a name that lies in several folders, the first. */
export function installedDistributions(folders: readonly string[]): ReadonlyMap<string, Distribution> {
  const found = new Map<string, Distribution>();
  for (const folder of folders)
    for (const file of readdirSync(folder)) {
      const [, spelt, version] = INFO.exec(file) ?? [];
      const name = normalName(spelt ?? "");
      if (version !== undefined && !found.has(name)) found.set(name, { version, folder });
    }
  return found;
}
