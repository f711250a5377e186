/** Runs a recorded corpus by the command that people use, and reads what it says: each failure by its name, and the count. */

import process from "node:process";
import { ROOT, start } from "./helpers.ts";

export interface CorpusResult {
  /** What the command printed about a case, by the case's name; a case that passed is not in it. */
  readonly failures: ReadonlyMap<string, string>;
  /** `N passed, N failed`. */
  readonly lastLine: string;
}

/**
 * @param args the script and its arguments, seen from the project's folder
 * @param failure finds a failure's line; its first group is the name of the case
 * @param env variables that the command sees
 */
export async function runCorpus(
  args: readonly string[],
  failure: RegExp,
  env: Record<string, string> = {},
): Promise<CorpusResult> {
  const { out, err } = await start(process.execPath, args, { cwd: ROOT, env });
  const lines = `${out}${err}`.trim().split("\n");
  const failures = new Map<string, string>();
  lines.forEach((line, i) => {
    const name = failure.exec(line)?.[1];
    if (name) failures.set(name, lines.slice(i, i + 3).join("\n"));
  });
  return { failures, lastLine: out.trim().split("\n").at(-1) ?? "" };
}
