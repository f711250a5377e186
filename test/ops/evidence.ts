/** What the evidence of rows says: clauses, and the cases that it names. */

import type { OpRow } from "../../src/ops/row.ts";
import { identifier, operatorName } from "../../src/ops/schema.ts";

export const clausesOf = (evidence: string): string[] => evidence.split("; ");

/** Names of operators, as traces have them, by the case that their rows name. */
export function casesOf(rows: readonly OpRow[]): Map<string, string[]> {
  const cases = new Map<string, string[]>();
  for (const row of rows)
    for (const clause of clausesOf(row.evidence ?? "")) {
      const name = /^case ([\w/-]+)$/.exec(clause)?.[1];
      if (name) cases.set(name, [...(cases.get(name) ?? []), identifier(operatorName(row.schema))]);
    }
  return cases;
}
