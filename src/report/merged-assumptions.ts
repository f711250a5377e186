/** What was assumed at one line, once: calls on several ways to it say the same, and are counted together. */

import type { Assumption, Trace } from "../trace/model.ts";

export function mergedAssumptions({ assumptions, frames }: Trace): Assumption[] {
  const found = new Map<string, Assumption>();
  for (const entry of assumptions) {
    const at = frames[entry.frame];
    const key = JSON.stringify([entry.code, entry.args, at === undefined ? null : [at.file, at.line]]);
    const known = found.get(key);
    found.set(key, known === undefined ? entry : { ...known, count: known.count + entry.count });
  }
  return [...found.values()];
}
