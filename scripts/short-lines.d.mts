/** What scripts/short-lines.mjs exports. */

import type { Plugin } from "vite";

export function shortened(lines: readonly string[]): { readonly words: string[]; readonly short: string[] };
export function shortModule(name: string, lines: readonly string[]): string;
export function shortLines(): Plugin;
