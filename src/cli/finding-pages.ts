/** Pages about findings: what a code means, why it happens, what helps. */

import { readFileSync } from "node:fs";
import { FINDING_CODES } from "../explain/index.ts";

/** Sources and build lie equally deep below the pages. */
const PAGES = new URL("../../docs/findings/", import.meta.url);

/** The page of a finding's code, as Markdown, or null for what is no code. */
export function findingPage(typed: string): string | null {
  const code = FINDING_CODES.find((known) => known === typed.replaceAll("-", "_"));
  return code === undefined ? null : readFileSync(new URL(`${code}.md`, PAGES), "utf8");
}
