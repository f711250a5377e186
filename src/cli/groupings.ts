/** `--by`: the groupings that a command lists. */

import type { Grouping } from "../trace/queries.ts";
import { UsageError } from "./usage-error.ts";

export const GROUPINGS: readonly Grouping[] = ["category", "module", "line", "op", "dtype", "phase"];
export const DEFAULT_GROUPINGS = "category,module,line";

export function groupingsOf(typed: string = DEFAULT_GROUPINGS): Grouping[] {
  return typed.split(",").map((name): Grouping => {
    const known = GROUPINGS.find((grouping) => grouping === name.trim());
    if (known === undefined) throw new UsageError("bad_grouping", { value: name, groupings: GROUPINGS.join(", ") });
    return known;
  });
}
